"""Each invariant notices what it is there for."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from jackpot.core.money import Account
from jackpot.core.refusals import RoundStands
from jackpot.link.commands import Heartbeat
from jackpot.link.execution import Desk
from jackpot.link.facts import LinkClosed, MeterAdjusted, Stamp, WinApproved
from jackpot.link.proposals import Adjustment
from jackpot.link.state import Link, Segment
from jackpot.link.wins import Approval, WinState
from jackpot.machine import execute as machine
from jackpot.machine.applying import apply
from jackpot.machine.invariants import Before, InvariantBroken, check, check_step
from tests.floor import ROYAL, STRAIGHT_FLUSH, Floor


@pytest.fixture
def held() -> Link:
    floor = Floor()
    floor.bets("s2", [1])
    floor.wait(1)
    dealt = floor.now
    floor.wins_major("s1", ROYAL["h"])
    floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt)
    check(floor.book.link)
    return floor.book.link


def _shift(one: Account, other: Account, units: int) -> Callable[[Link], None]:
    def change(link: Link) -> None:
        link.pool.accounts[one] += units
        link.pool.accounts[other] -= units

    return change


def _lose(link: Link) -> None:
    link.pool.accounts[Account.METER] -= 1


def _drop_hold(link: Link) -> None:
    link.held_since = None


def _drop_segments(link: Link) -> None:
    link.pool.segments.clear()


def _disorder_segments(link: Link) -> None:
    link.pool.segments.reverse()


def _fill_segment(link: Link) -> None:
    link.pool.segments[0] = replace(link.pool.segments[0], amount=1)


def _strange_segment(link: Link) -> None:
    link.pool.segments = [Segment(number=99, amount=0)]


def _paid_in_queue(link: Link) -> None:
    next(iter(link.queue.values())).state = WinState.PAID


def _approved_twice(link: Link) -> None:
    approval = Approval(person="ana", at=0, note="")
    next(iter(link.queue.values())).approvals = [approval, approval]


def _above_ceiling(link: Link) -> None:
    link.parameters = replace(link.parameters, ceiling=1)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_lose, "sum to -1"),
        (_shift(Account.HOUSE, Account.METER, 10**18), "meter is below zero"),
        (_shift(Account.HOUSE, Account.RESERVE, 10**18), "reserve is below zero"),
        (_shift(Account.HOUSE, Account.OVERFLOW, 1), "overflow is below zero"),
        (_shift(Account.HOUSE, Account.PRIZES, 1), "prizes is below zero"),
        (_shift(Account.WAGERS, Account.HOUSE, 10**18), "more was returned"),
        (_shift(Account.CARRYOVER, Account.HOUSE, 1), "carryover 1 is not 0"),
        (_fill_segment, "carryover 0 is not 1"),
        (_above_ceiling, "above its ceiling"),
        (_drop_hold, "held without a win"),
        (_drop_segments, "carryover without a win"),
        (_disorder_segments, "out of order"),
        (_strange_segment, "began no segment"),
        (_paid_in_queue, "are in the queue but"),
        (_approved_twice, "twice by one person"),
    ],
)
def test_damage_is_found(held: Link, damage: Callable[[Link], None], message: str) -> None:
    damage(held)
    with pytest.raises(InvariantBroken, match=message):
        check(held)


def test_an_ambiguous_cluster_is_never_ordered_without_a_decision() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.bets("s2", [1])
    floor.wait(1)
    for table in ("s1", "s2"):
        floor.hands(table, {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(0.5))
    for win in floor.link.queue.values():
        win.state = WinState.ORDERED
    with pytest.raises(InvariantBroken, match="without a decision"):
        check(floor.link)


def test_no_other_fact_lowers_the_meter_or_moves_a_held_one(held: Link) -> None:
    before = held.pool.meter
    fact, stamp = LinkClosed(person="a", reason="b"), Stamp(held.sequence + 1, held.time)
    apply(held, fact, stamp)
    held.pool.accounts[Account.METER] -= 5
    step = Before(stamp.sequence - 1, stamp.at, before, held=False)
    with pytest.raises(InvariantBroken, match="LinkClosed lowered the meter by 5"):
        check_step(held, fact, step)
    held.pool.accounts[Account.METER] += 10
    with pytest.raises(InvariantBroken, match="moved a held meter by 5"):
        check_step(held, fact, step._replace(held=True))
    check_step(held, fact, step)


def test_time_sequence_and_balance_are_watched(held: Link) -> None:
    fact = WinApproved(win="x", person="a", note="")
    watched = Before(held.sequence - 1, held.time, held.pool.meter, held=True)
    with pytest.raises(InvariantBroken, match="journal time fell"):
        check_step(held, fact, watched._replace(at=held.time + 1))
    with pytest.raises(InvariantBroken, match="entry"):
        check_step(held, fact, watched._replace(sequence=held.sequence))
    lopsided = MeterAdjusted(
        proposal="p",
        adjustment=Adjustment(amount=1, account=Account.HOUSE),
        persons=("a", "b"),
        reason="r",
        moves={Account.METER: 1},
    )
    with pytest.raises(InvariantBroken, match="does not balance"):
        check_step(held, lopsided, watched)


def test_a_handler_that_refuses_after_writing_stops_the_link(monkeypatch: pytest.MonkeyPatch) -> None:
    floor = Floor()

    def careless(desk: Desk, _command: object, _arrival: object) -> None:
        desk.write(LinkClosed(person="a", reason="b"))
        raise RoundStands("too late")

    monkeypatch.setitem(machine._AT_TABLES, type(_heartbeat(floor)), careless)
    with pytest.raises(InvariantBroken, match="refused round_stands after writing"):
        floor.book.submit(_heartbeat(floor), at=floor.now)


def _heartbeat(floor: Floor) -> Heartbeat:
    return Heartbeat(table="s1", sent_at=floor.now, received_at=floor.now)
