"""When a table is in play, what its mark is, and whom a win waits for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.commands import CloseTable, OpenTable
from jackpot.facts import BetsClosed, OrderReopened, TableJoined, TableLeft, WinsOrdered
from jackpot.instants import MILLISECOND, SECOND
from jackpot.payout import clusters
from jackpot.refusals import TimeInFuture
from jackpot.state import Contact, TableStatus, Then
from jackpot.views import NOTICE_CLOSED, NOTICE_OFF, alerts, waiting_for
from jackpot.wins import WinState
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

TWO = {"s1": STUD, "s2": STUD}


def waits_for(floor: Floor) -> list[str]:
    return waiting_for(floor.book.link, clusters(floor.book.link)[0])


def test_a_table_never_heard_of_is_not_waited_for() -> None:
    floor = Floor(tables=TWO, seen=False)
    floor.beat("s1")
    win = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    floor.beat("s1")
    assert floor.win(win).state is WinState.ORDERED


def test_a_table_in_play_that_is_silent_holds_the_queue_and_raises_an_alert() -> None:
    floor = Floor(tables=TWO)
    win = floor.wins_major("s1", ROYAL["h"])
    for _ in range(5):
        floor.wait(3)
        floor.beat("s1")
    assert waits_for(floor) == ["s2"]
    assert floor.win(win).state is WinState.PENDING
    assert [(alert.code, alert.table) for alert in alerts(floor.link, now=floor.now)] == [
        ("table_silent", "s2")
    ]
    floor.beat("s2")
    assert floor.win(win).state is WinState.ORDERED
    assert alerts(floor.link, now=floor.now) == []


def test_a_win_waits_for_its_own_table_too() -> None:
    floor = Floor(tables={"s1": STUD})
    floor.wins_major("s1", ROYAL["h"])
    assert waits_for(floor) == ["s1"]


def test_an_open_round_holds_the_mark_at_the_closing_of_its_bets() -> None:
    floor = Floor(tables=TWO)
    floor.bets("s2", [1, 2])
    win = floor.wins_major("s1", ROYAL["h"])
    floor.everybody_beats()
    assert waits_for(floor) == ["s2"]
    floor.hands("s2", {1: NOTHING})
    assert waits_for(floor) == ["s2"], "box 2 is still without a hand"
    floor.wait(1)
    floor.hands("s2", {1: NOTHING, 2: None})
    assert floor.win(win).state is WinState.ORDERED
    marks = floor.facts(WinsOrdered)[0].marks
    assert set(marks) == {"s1", "s2"}
    assert all(mark > floor.win(win).interval.end for mark in marks.values())


@pytest.mark.parametrize("then", [Then.CLOSE, Then.PROGRESSIVE_OFF])
def test_a_malfunction_takes_a_table_out_and_its_clearing_brings_it_back(then: Then) -> None:
    floor = Floor(tables=TWO)
    win = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    floor.beat("s1")
    malfunction = floor.malfunction("s2", then=then)
    assert floor.win(win).state is WinState.ORDERED
    floor.clear(malfunction)
    later = floor.wins_major("s1", ROYAL["d"])
    floor.wait(1)
    floor.beat("s1")
    assert floor.win(later).state is WinState.PENDING


def test_a_blocked_box_leaves_its_table_in_play() -> None:
    floor = Floor(tables=TWO)
    floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    floor.beat("s1")
    floor.malfunction("s2", box=1, then=Then.BLOCK_BOX)
    assert waits_for(floor) == ["s2"]
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


def test_bets_closed_before_the_mark_are_accepted_and_reported() -> None:
    floor = Floor(tables=TWO)
    floor.wait(5)
    floor.beat("s1")
    answer = floor.bets("s1", [1], closed_at=floor.now - 3 * SECOND)
    assert answer.accepted != ()
    assert floor.facts(BetsClosed)[-1].promise_broken
    floor.bets("s2", [1])
    assert not floor.facts(BetsClosed)[-1].promise_broken


def test_a_broken_promise_reopens_the_unpaid_order() -> None:
    floor = Floor(tables={"s1": STUD, "s2": STUD, "s3": STUD})
    floor.bets("s1", [1])
    floor.wait(1)
    first = floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}).results[0].win
    dealt = floor.now - 5 * MILLISECOND
    floor.everybody_beats()
    assert floor.win(str(first)).state is WinState.ORDERED
    floor.bets("s2", [1], closed_at=dealt - 200 * MILLISECOND)
    second = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt).results[0].win
    assert floor.facts(OrderReopened)[0].wins == (first,)
    assert floor.win(str(first)).state is WinState.PENDING
    floor.decide(str(second), str(first))
    floor.everybody_beats()
    floor.approve(str(first))
    floor.approve(str(second))
    assert [win for win, _ in floor.paid] == [second, first]


def test_with_the_progressive_off_the_table_shows_the_notice() -> None:
    floor = Floor(tables=TWO)
    malfunction = floor.malfunction("s1")
    answer = floor.beat("s1")
    assert (answer.progressive, answer.notice) == (False, NOTICE_OFF)
    floor.clear(malfunction)
    assert floor.beat("s1").progressive


def test_a_replayed_spool_is_not_suspect_for_its_age() -> None:
    floor = Floor(tables=TWO)
    floor.wait(60)
    earlier = floor.now - 40 * SECOND
    floor.bets("s1", [1], sent_at=earlier, closed_at=earlier, live=False)
    dealt = earlier + SECOND
    win = floor.hands("s1", {1: ROYAL["h"]}, sent_at=dealt, dealt=dealt, live=False).results[0].win
    interval = floor.win(str(win)).interval
    assert interval.end - interval.start < 50 * MILLISECOND
    assert interval.start <= dealt <= interval.end


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


def test_a_table_whose_clock_is_far_ahead_measures_it_and_plays() -> None:
    floor = Floor(tables=TWO, seen=False)
    unmeasured = floor.beat("s1", sent_at=floor.now + AHEAD, measured=False)
    assert unmeasured.table_state is TableStatus.UNHEARD
    assert floor.link.tables["s1"].contact == Contact()
    assert floor.beat("s1", sent_at=floor.now + AHEAD, offset=-AHEAD).table_state is TableStatus.IN_PLAY
    mark = floor.link.tables["s1"].mark
    assert mark is not None
    assert floor.now - SECOND < mark <= floor.now
    closed = floor.now + AHEAD
    assert floor.bets("s1", [1], sent_at=closed, closed_at=closed).accepted != ()


def test_a_heartbeat_from_the_future_moves_neither_mark_nor_clock_but_takes_its_number() -> None:
    floor = Floor(tables=TWO)
    floor.beat("s1", seq=1)
    before = replace(floor.link.tables["s1"].contact)
    floor.wait(1)
    floor.beat("s1", sent_at=floor.now + AHEAD, offset=7, seq=2)
    assert floor.link.tables["s1"].contact == replace(before, seq=2)
    with pytest.raises(TimeInFuture):
        floor.bets("s1", [1], sent_at=floor.now + AHEAD, seq=3)


def test_a_spool_from_the_future_is_taken_with_its_times_unknown() -> None:
    """The clock was corrected since: what is live now does not go back in time."""
    floor = Floor(tables=TWO)
    floor.wait(10)
    before, dealt = floor.link.tables["s1"].contact.spoke_from, floor.now + AHEAD
    floor.bets("s1", [1], sent_at=dealt, closed_at=dealt, live=False)
    (win,) = floor.hands("s1", {1: ROYAL["h"]}, sent_at=dealt, dealt=dealt, live=False).results
    interval = floor.win(str(win.win)).interval
    assert (interval.start, interval.end) == (before, floor.now)
    assert floor.facts(BetsClosed)[-1].suspect
    floor.wait(1)
    floor.beat("s1")
    assert floor.link.tables["s1"].contact.seen_at == floor.now
