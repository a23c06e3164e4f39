"""Where house time broke, in a link's journal; and when it may be set."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.instants import SECOND
from jackpot.core.refusals import ClockWouldFall, FloorInPlay, ReceiverMissing
from jackpot.house.timekeeping import EVERY_LINK
from jackpot.link.commands import BreakTime, Confirm, Propose
from jackpot.link.facts import HouseTimeBroke, ProposalConfirmed
from jackpot.link.proposals import ClockSetting
from jackpot.link.state import Break
from jackpot.machine.applying import apply, created
from jackpot.machine.auditing import Denied, audit
from tests.floor import NOTHING, ROYAL, Floor

STARTED = BreakTime(person="service", cause=Break.START, before=0, difference=7)
SET = BreakTime(
    person="sue", cause=Break.SET, before=5, difference=0, persons=("ana", "sue"), reason="it was slow"
)


def last(floor: Floor) -> HouseTimeBroke:
    fact = floor.book.entries[-1].fact
    assert isinstance(fact, HouseTimeBroke)
    return fact


def test_a_start_is_journalled_with_the_last_journal_time_before_it() -> None:
    floor = Floor()
    before = floor.book.link.time
    floor.book.submit(STARTED, at=before + SECOND)
    assert last(floor) == HouseTimeBroke(cause=Break.START, before=before, difference=7)
    assert floor.book.link.broke_at == before + SECOND


def test_a_start_does_not_ask_what_is_being_played() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.book.submit(STARTED, at=floor.book.link.time)
    assert last(floor).cause is Break.START


def test_setting_is_journalled_with_who_and_why() -> None:
    floor = Floor()
    floor.book.submit(SET, at=floor.book.link.time + SECOND)
    assert (last(floor).before, last(floor).persons, last(floor).reason) == (5, ("ana", "sue"), "it was slow")


def test_nothing_is_set_while_a_round_is_open_or_a_win_waits() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    with pytest.raises(FloorInPlay) as refused:
        floor.book.submit(SET, at=floor.book.link.time)
    assert refused.value.data == {"link": "main", "table": "s1"}
    floor.hands("s1", {1: ROYAL["h"]}, final=True)
    with pytest.raises(FloorInPlay) as refused:
        floor.book.submit(SET, at=floor.book.link.time)
    assert refused.value.data == {"link": "main", "win": "s1.1.1.1"}


def test_a_round_whose_hands_are_all_known_is_not_open() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.hands("s1", {1: NOTHING})
    floor.book.submit(SET, at=floor.book.link.time)
    assert last(floor).cause is Break.SET


def test_house_time_is_never_set_to_before_the_last_entry() -> None:
    floor = Floor()
    with pytest.raises(ClockWouldFall) as refused:
        floor.book.submit(SET, at=floor.book.link.time - 3)
    assert refused.value.data == {"link": "main", "by_us": 3}


def test_one_link_alone_does_not_set_the_clock() -> None:
    floor = Floor()
    at = floor.book.link.time
    floor.book.submit(Propose(person="ana", change=ClockSetting(), reason="it was slow"), at=at)
    [proposal] = floor.book.link.proposals
    with pytest.raises(ReceiverMissing):
        floor.book.submit(Confirm(person="sue", proposal=proposal), at=at)
    floor.book.submit(Confirm(person="sue", proposal=proposal, receiver=EVERY_LINK), at=at)
    assert isinstance(floor.book.entries[-1].fact, ProposalConfirmed)


def test_it_is_not_proposed_while_a_round_is_open() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    with pytest.raises(FloorInPlay):
        floor.book.submit(
            Propose(person="ana", change=ClockSetting(), reason="slow"), at=floor.book.link.time
        )


@pytest.mark.parametrize(
    ("command", "forged"),
    [
        (STARTED, {"before": 1}),
        (SET, {"persons": ("ana", "ana")}),
        (SET, {"persons": ()}),
    ],
)
def test_a_forged_break_is_denied(command: BreakTime, forged: dict[str, Any]) -> None:
    floor = Floor()
    floor.book.submit(command, at=floor.book.link.time)
    link = created(floor.book.entries[0])
    for entry in floor.book.entries[1:-1]:
        apply(link, entry.fact, entry.stamp)
    audit(link, last(floor))
    with pytest.raises(Denied):
        audit(link, replace(last(floor), **forged))


def test_a_setting_in_the_midst_of_play_is_denied() -> None:
    floor = Floor()
    floor.book.submit(SET, at=floor.book.link.time)
    told = last(floor)
    floor.bets("s1", [1])
    with pytest.raises(Denied, match="a round is open at table s1"):
        audit(floor.book.link, told)
