"""When a table is in play, what the House learns of its clock, and whom a win waits for."""

from __future__ import annotations

import pytest

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link.commands import CloseTable, DeclareMalfunction, OpenTable
from jackpot.link.facts import (
    BetsClosed,
    MalfunctionDeclared,
    OrderReopened,
    RoundContinued,
    TableJoined,
    TableLeft,
    WinsOrdered,
)
from jackpot.link.parameters import Basis
from jackpot.link.state import Scope, TableStatus, Then
from jackpot.link.wins import WinState
from jackpot.play.status import NOTICE_CLOSED, NOTICE_OFF
from jackpot.pools.payout import clusters, waiting_for
from jackpot.readings.alerts import alerts
from tests.floor import DELAY, NOTHING, ROYAL, START, STRAIGHT_FLUSH, STUD, Floor

TWO = {"s1": STUD, "s2": STUD}


def waits_for(floor: Floor) -> dict[str, int]:
    return waiting_for(floor.book.link, clusters(floor.book.link)[0])


def test_a_win_of_a_quiet_floor_is_ordered_at_once() -> None:
    """Whether the other tables are heard or not: only an open round can still bring an earlier major."""
    floor = Floor(tables=TWO, seen=False)
    win = floor.wins_major("s1", ROYAL["h"])
    assert floor.win(win).state is WinState.ORDERED


def test_a_silent_table_holds_only_an_open_round_and_raises_an_alert() -> None:
    floor = Floor(tables={"s1": STUD, "s2": STUD, "s3": STUD})
    floor.bets("s2", [1])
    win = floor.wins_major("s1", ROYAL["h"])
    for _ in range(5):
        floor.wait(3)
        floor.beat("s1")
    assert waits_for(floor) == {"s2": 1}
    assert floor.win(win).state is WinState.PENDING
    silent = {(alert.code, alert.table) for alert in alerts(floor.link, now=floor.now)}
    assert silent == {("table_silent", "s2"), ("table_silent", "s3")}
    floor.hands("s2", {1: NOTHING})
    assert floor.win(win).state is WinState.ORDERED


def test_a_win_waits_for_its_own_tables_round_too() -> None:
    floor = Floor(tables={"s1": STUD})
    floor.bets("s1", [1, 2])
    floor.hands("s1", {2: ROYAL["h"]})
    assert waits_for(floor) == {"s1": 1}


def test_a_round_holds_a_win_until_its_last_hand_is_known() -> None:
    floor = Floor(tables=TWO)
    floor.bets("s2", [1, 2])
    win = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    assert waits_for(floor) == {"s2": 1}
    floor.hands("s2", {1: NOTHING})
    assert waits_for(floor) == {"s2": 1}, "box 2 is still without a hand"
    floor.wait(1)
    floor.hands("s2", {1: NOTHING, 2: None})
    assert floor.win(win).state is WinState.ORDERED


def test_a_round_journalled_after_the_deal_is_dealt_later_and_holds_nothing() -> None:
    floor = Floor(tables=TWO)
    floor.bets("s1", [1])
    floor.wait(1)
    dealt = floor.now
    floor.wait(1)
    floor.bets("s2", [1])
    floor.wait(1)
    win = str(floor.hands("s1", {1: ROYAL["h"]}, dealt=dealt).results[0].win)
    assert floor.win(win).state is WinState.ORDERED
    assert floor.facts(WinsOrdered)[0].open == {"s2": 1}
    assert floor.facts(WinsOrdered)[0].bases == {win: Basis.WITNESSED}


@pytest.mark.parametrize("then", [Then.CLOSE, Then.PROGRESSIVE_OFF])
def test_a_malfunction_takes_a_table_out_and_its_clearing_brings_it_back(then: Then) -> None:
    floor = Floor(tables=TWO)
    floor.bets("s2", [1])
    win = floor.wins_major("s1", ROYAL["h"])
    malfunction = floor.malfunction("s2", then=then, seen={"s2": True})
    assert floor.win(win).state is WinState.ORDERED
    floor.clear(malfunction)
    floor.bets("s2", [1])
    later = floor.wins_major("s1", ROYAL["d"])
    assert floor.win(later).state is WinState.PENDING


def test_a_blocked_box_leaves_its_table_in_play() -> None:
    floor = Floor(tables=TWO)
    floor.bets("s2", [2])
    floor.wins_major("s1", ROYAL["h"])
    floor.malfunction("s2", box=1, then=Then.BLOCK_BOX, seen={"s2": True})
    assert waits_for(floor) == {"s2": 1}
    assert [(one.box, one.code) for one in floor.bets("s2", [1, 2]).returned] == [(1, "box_blocked")] * 2


def test_a_table_closed_by_the_house_is_out_of_play_until_it_is_opened() -> None:
    floor = Floor(tables=TWO)
    floor.act(CloseTable(person="ana", table="s2", reason="shift ends"))
    assert floor.beat("s2").notice == NOTICE_CLOSED
    assert [one.code for one in floor.bets("s2", [1]).returned] == ["table_closed"] * 2
    win = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    floor.beat("s1")
    assert floor.win(win).state is WinState.ORDERED
    floor.act(OpenTable(person="ana", table="s2", reason="shift begins"))
    assert floor.beat("s2").notice is None
    assert floor.bets("s2", [1]).returned == ()


def test_a_table_leaves_by_its_own_word_only_without_an_open_round() -> None:
    floor = Floor(tables=TWO)
    floor.bets("s2", [1])
    assert floor.beat("s2", in_play=False).table_state is TableStatus.IN_PLAY
    floor.hands("s2", {1: NOTHING})
    assert floor.beat("s2", in_play=False).table_state is TableStatus.AWAY
    assert floor.beat("s2", in_play=False).table_state is TableStatus.AWAY
    assert len(floor.facts(TableLeft)) == 1
    assert floor.bets("s2", [1]).accepted != ()
    assert floor.link.tables["s2"].status is TableStatus.IN_PLAY
    assert [fact.table for fact in floor.facts(TableJoined)] == ["s1", "s2", "s2"]


def test_heartbeats_write_no_fact_unless_they_change_a_tables_state() -> None:
    floor = Floor(tables=TWO)
    before = floor.link.sequence
    for _ in range(5):
        floor.wait(1)
        floor.beat("s1")
    assert floor.link.sequence == before
    assert floor.link.tables["s1"].contact.seen_at == floor.now


def test_a_backdated_closing_is_evidence_and_orders_nothing() -> None:
    floor = Floor(tables=TWO)
    floor.wait(5)
    floor.bets("s1", [1], closed_at=floor.now - 3 * SECOND)
    bets = floor.facts(BetsClosed)[-1]
    assert (bets.closed_at, bets.dealt_from) == (floor.now - DELAY - 3 * SECOND, floor.now)


def test_a_win_that_joins_the_cluster_reopens_the_unpaid_order() -> None:
    """s2's only box was told not to be revealed, and so held nothing; then its cards are told after all."""
    floor = Floor(tables=TWO)
    floor.bets("s1", [1])
    floor.bets("s2", [1])
    floor.wait(1)
    floor.hands("s2", {1: None})
    first = str(floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}).results[0].win)
    assert floor.win(first).state is WinState.ORDERED
    second = str(floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt={}).results[0].win)
    assert floor.facts(OrderReopened)[0].wins == (first,)
    assert floor.win(first).state is WinState.PENDING
    floor.decide(second, first)
    floor.approve(first)
    floor.approve(second)
    assert [win for win, _ in floor.paid] == [second, first]


def test_with_the_progressive_off_the_table_shows_the_notice() -> None:
    floor = Floor(tables=TWO)
    malfunction = floor.malfunction("s1")
    answer = floor.beat("s1")
    assert (answer.progressive, answer.notice) == (False, NOTICE_OFF)
    floor.clear(malfunction)
    assert floor.beat("s1").progressive


def test_a_spool_tells_no_deal_times() -> None:
    """The hand was dealt when the House had its bets in the journal, and before it was told: nothing else."""
    floor = Floor(tables=TWO)
    floor.wait(60)
    earlier = floor.now - 40 * SECOND
    floor.bets("s1", [1], sent_at=earlier, closed_at=earlier, live=False)
    journalled = floor.now
    floor.wait(2)
    dealt = earlier + SECOND
    win = str(floor.hands("s1", {1: ROYAL["h"]}, sent_at=dealt, dealt=dealt, live=False).results[0].win)
    found = floor.win(win)
    assert found.evidence.spooled
    assert (found.interval.start, found.interval.end) == (journalled, floor.now)


def test_a_repeat_that_is_sent_anew_is_a_sign_of_life() -> None:
    floor = Floor(tables=TWO)
    floor.beat("s1", seq=1)
    floor.bets("s1", [1], seq=2)
    floor.wait(30)
    floor.bets("s1", [1], round=1, closed_at=floor.at(0.015), seq=3)
    assert floor.link.tables["s1"].contact.seq == 3
    assert floor.link.tables["s1"].contact.seen_at == floor.now
    floor.beat("s1", seq=4)


# A clock that is far ahead


AHEAD = 300 * SECOND


def test_a_table_whose_clock_is_far_ahead_is_measured_and_plays() -> None:
    floor = Floor(tables=TWO, seen=False)
    closed = floor.now + AHEAD
    assert floor.bets("s1", [1], sent_at=closed, closed_at=closed).accepted != ()
    floor.wait(1)
    dealt = floor.now
    floor.wait(1)
    hands = floor.hands("s1", {1: ROYAL["h"]}, sent_at=floor.now + AHEAD, dealt=dealt + AHEAD)
    interval = floor.win(str(hands.results[0].win)).interval
    assert interval.start <= dealt <= interval.end <= interval.start + 20 * MILLISECOND


def test_a_spool_from_the_future_is_taken_and_what_is_live_does_not_go_back_in_time() -> None:
    """The clock was corrected since."""
    floor = Floor(tables=TWO)
    floor.wait(10)
    dealt = floor.now + AHEAD
    floor.bets("s1", [1], sent_at=dealt, closed_at=dealt, live=False)
    journalled = floor.now
    floor.wait(1)
    (win,) = floor.hands("s1", {1: ROYAL["h"]}, sent_at=dealt, dealt=dealt, live=False).results
    interval = floor.win(str(win.win)).interval
    assert (interval.start, interval.end) == (journalled, floor.now)
    floor.wait(1)
    floor.beat("s1")
    assert floor.link.tables["s1"].contact.seen_at == floor.now


# What a malfunction falls back to (S 5.18.1, H 5.17.1)


def observed(floor: Floor, at: int, *, by_table: str | None = None) -> int:
    """The value that the majors of s1's round are paid from."""
    floor.act(
        DeclareMalfunction(
            person="sue",
            scope=Scope(table="s1"),
            observed_at=at,
            cards_seen={"s1": True},
            then=Then.PROGRESSIVE_OFF,
            by_table=by_table,
        )
    )
    return int(floor.link.tables["s1"].round.registered_value)


def two_readings(floor: Floor) -> tuple[int, int]:
    """After the bets of s1, and after those of s2."""
    floor.bets("s1", [1])
    own = floor.value
    floor.wait(1)
    floor.bets("s2", [1])
    floor.wait(1)
    return own, floor.value


@pytest.mark.parametrize("at", [0, START, 10**17])
def test_an_observed_time_outside_the_possible_is_cut_to_it(at: int) -> None:
    floor = Floor(tables=TWO)
    own, now = two_readings(floor)
    assert observed(floor, at) == (now if at > floor.now else own)
    assert START < floor.facts(MalfunctionDeclared)[-1].observed_at <= floor.now


@pytest.mark.parametrize("seq", [None, 2])
def test_a_table_falls_back_to_nothing_older_than_it_has_heard(seq: int | None) -> None:
    """By the echo of a later answer, or by the number of a later message."""
    floor = Floor(tables=TWO, seen=False)
    floor.bets("s1", [1], seq=None if seq is None else 1)
    told, own = floor.now, floor.value
    floor.wait(1)
    floor.bets("s2", [1])
    floor.wait(1)
    floor.beat("s1", seq=seq)
    floor.wait(1)
    if seq is None:
        floor.beat("s1")
    else:
        floor.echoes.clear()
        floor.beat("s1", seq=seq + 1)
    assert observed(floor, told, by_table="s1") == floor.value > own
    assert floor.facts(RoundContinued)[-1].heard == floor.facts(RoundContinued)[-1].registered.sequence


def test_the_house_may_say_that_it_failed_before_the_table_heard_more() -> None:
    floor = Floor(tables=TWO)
    own, now = two_readings(floor)
    since = floor.now - SECOND - 2 * DELAY
    floor.beat("s1")
    floor.beat("s1")
    assert observed(floor, since) == own < now
