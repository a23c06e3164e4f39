"""Corners where money once went astray, or might."""

from __future__ import annotations

import pytest

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import WinAlreadyPaid, WinStillWaiting
from jackpot.link.commands import CloseTable, DecideClaim, OpenTable, RejectWin
from jackpot.link.facts import OrderReopened, WinPaid, WinsOrdered
from jackpot.link.parameters import Changes
from jackpot.link.proposals import ParameterChange
from jackpot.link.state import TableStatus, Then
from jackpot.link.wins import ClaimOutcome, WinState
from jackpot.readings.alerts import alerts
from jackpot.readings.table_views import clock_offset
from tests.floor import DELAY, FLUSH, NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

TWO = {"A": STUD, "B": STUD}


@pytest.fixture
def floor() -> Floor:
    floor = Floor(tables=TWO)
    floor.wait(5)
    floor.raise_to(80_000_00)
    floor.wait(5)
    return floor


def paid(floor: Floor, *wins: str) -> list[int]:
    for win in wins:
        floor.approve(win)
    floor.wait(1)
    return [floor.paid_for(win) for win in wins]


def ambiguous_royals(floor: Floor) -> tuple[str, str]:
    floor.bets("A", [1])
    floor.bets("B", [1])
    floor.wait(1)
    moment = floor.now - MILLISECOND
    wins = [floor.hands(table, {1: ROYAL["h"]}, dealt=moment).results[0].win for table in "AB"]
    return str(wins[0]), str(wins[1])


# Amounts registered before a malfunction


def test_a_corrected_win_keeps_the_place_of_its_predecessor_in_a_registered_amount(floor: Floor) -> None:
    floor.wins_major("A", ROYAL["h"])
    floor.wait(1)
    floor.malfunction("A", seen={"A": True})
    floor.wait(1)
    again = floor.hands("A", {1: ROYAL["h"]}, dealt=floor.now - 500 * MILLISECOND).results[0].win
    assert paid(floor, str(again)) == [80_002_00]


def test_a_registered_amount_is_whole_again_when_the_win_that_was_pending_leaves(floor: Floor) -> None:
    floor.bets("B", [1])
    first = floor.wins_major("A", ROYAL["h"])
    floor.wait(1)
    floor.malfunction("B", seen={"B": True})
    second = floor.hands("B", {1: STRAIGHT_FLUSH["c"]}).results[0].win
    floor.reject(first)
    assert paid(floor, str(second)) == [8_000_40]


def test_a_win_paid_between_the_malfunction_and_its_declaration_has_used_the_amount(floor: Floor) -> None:
    floor.bets("B", [1])
    first = floor.wins_major("A", ROYAL["h"])
    floor.wait(1)
    observed = floor.now
    floor.act(CloseTable(person="ana", table="B", reason="silent"))
    assert paid(floor, first) == [80_004_00]
    floor.malfunction("B", seen={"B": True}, observed_at=observed)
    second = floor.hands("B", {1: ROYAL["c"]}).results[0].win
    assert paid(floor, str(second)) == [50_000_00]


def test_a_win_that_was_corrected_and_paid_before_the_declaration_has_used_the_amount_too(
    floor: Floor,
) -> None:
    dealt = floor.now
    floor.wins_major("A", ROYAL["h"], dealt=dealt + SECOND)
    floor.bets("B", [1])
    floor.wait(1)
    observed = floor.now
    floor.wait(1)
    again = str(floor.hands("A", {1: ROYAL["c"]}, dealt=dealt + SECOND).results[0].win)
    assert paid(floor, again) == [80_002_00]
    floor.malfunction("B", seen={"B": True}, observed_at=observed)
    second = str(floor.hands("B", {1: ROYAL["s"]}).results[0].win)
    assert paid(floor, second) == [50_002_00]


@pytest.mark.parametrize(("voided", "seen"), [("A", "B"), ("B", "A")])
def test_the_order_of_tables_in_a_malfunction_does_not_change_what_was_registered(
    voided: str, seen: str
) -> None:
    floor = Floor(tables=TWO | {"C": STUD})
    floor.raise_to(80_000_00)
    floor.wins_major(voided, STRAIGHT_FLUSH["h"])
    floor.bets("C", [1, 2])
    floor.hands("C", {1: None, 2: None}, final=True)
    floor.bets(seen, [1])
    floor.wait(1)
    floor.malfunction(seen={voided: False, seen: True})
    win = str(floor.hands(seen, {1: ROYAL["s"]}).results[0].win)
    # The voided straight flush has left the line, so the six dollars bet meanwhile have joined the amount.
    assert paid(floor, win) == [80_008_00]


def test_a_void_during_the_hold_does_not_make_the_house_pay_what_the_pool_holds(floor: Floor) -> None:
    floor.bets("A", [1])
    floor.bets("B", [1, 2, 3])
    floor.wait(1)
    floor.malfunction("A", seen={"A": True})
    win = str(floor.hands("A", {1: ROYAL["h"]}).results[0].win)
    floor.void("B")
    assert floor.balance(Account.CARRYOVER) < 0
    assert paid(floor, win) == [80_008_00]
    payment = floor.facts(WinPaid)[-1]
    assert (payment.from_pool, payment.after) == (to_units(80_008_00), 50_000_00)


def test_under_a_malfunction_too_the_house_decides_who_is_paid_first(floor: Floor) -> None:
    a, b = ambiguous_royals(floor)
    floor.malfunction(seen={"A": True, "B": True})
    floor.decide(b, a)
    floor.approve(a)
    floor.approve(b)
    floor.wait(1)
    assert floor.paid == [(b, 80_004_00), (a, 50_000_00)]


def test_a_second_malfunction_does_not_change_what_the_first_has_registered(floor: Floor) -> None:
    floor.bets("A", [1])
    floor.wait(1)
    floor.malfunction("A", seen={"A": True})
    assert paid(floor, floor.wins_major("B", STRAIGHT_FLUSH["h"])) == [8_000_40]
    floor.malfunction("A", box=2, then=Then.BLOCK_BOX, seen={"A": True})
    win = floor.hands("A", {1: STRAIGHT_FLUSH["s"]}).results[0].win
    assert paid(floor, str(win)) == [8_000_20]


def test_a_registered_payment_leaves_bets_made_after_it_even_if_older_ones_were_voided() -> None:
    floor = Floor(tables=TWO | {"C": STUD}, royal_flush_approvals=1)
    floor.raise_to(80_000_00)
    floor.bets("B", range(1, 8))
    floor.bets("A", [1])
    floor.wait(1)
    floor.malfunction("A", seen={"A": True})
    floor.void("B")
    floor.bets("C", range(1, 8))
    win = str(floor.hands("A", {1: ROYAL["h"]}).results[0].win)
    floor.hands("C", dict.fromkeys(range(1, 8)))
    floor.wait(1)
    floor.approve(win, "ana")
    assert win in floor.link.queue
    floor.approve(win, "ben")
    assert floor.facts(WinPaid)[-1].from_pool == to_units(80_002_00)
    assert floor.paid_for(win) == 80_016_00


def test_a_registered_amount_is_forgotten_when_nothing_is_paid_from_it(floor: Floor) -> None:
    floor.bets("A", [1])
    floor.malfunction("A", seen={"A": True})
    assert len(floor.link.registers) == 1
    floor.hands("A", {1: NOTHING}, final=True)
    floor.bets("A", [1])
    assert floor.link.registers == {}


# One bet, one major


def test_a_box_that_was_paid_is_not_paid_again_by_a_late_claim(floor: Floor) -> None:
    win = floor.wins_major("A", STRAIGHT_FLUSH["h"], final=True)
    assert paid(floor, win) == [8_000_20]
    with pytest.raises(WinAlreadyPaid):
        floor.hands("A", {1: ROYAL["h"]})
    floor.bets("A", [1])
    with pytest.raises(WinAlreadyPaid):
        floor.hands("A", {1: ROYAL["h"]}, round=1)


def test_a_late_claim_waits_for_the_win_of_the_same_bet_to_leave(floor: Floor) -> None:
    win = floor.wins_major("A", STRAIGHT_FLUSH["h"], final=True)
    claim = str(floor.hands("A", {1: ROYAL["h"]}, dealt=floor.now - MILLISECOND).results[0].claim)
    with pytest.raises(WinStillWaiting):
        floor.decide_claim(claim, ClaimOutcome.IN_ORDER)
    floor.reject(win)
    floor.decide_claim(claim, ClaimOutcome.IN_ORDER)
    assert floor.paid == []
    assert floor.link.claims == {}


def test_a_claim_proposed_before_the_win_was_paid_is_checked_again(floor: Floor) -> None:
    win = floor.wins_major("A", STRAIGHT_FLUSH["h"], final=True)
    claim = str(floor.hands("A", {1: ROYAL["h"]}, dealt=floor.now - MILLISECOND).results[0].claim)
    assert paid(floor, win) == [8_000_20]
    with pytest.raises(WinAlreadyPaid):
        floor.act(DecideClaim(person="sue", claim=claim, outcome=ClaimOutcome.REGISTERED, reason="camera"))
    floor.decide_claim(claim, ClaimOutcome.REFUSED)


def test_a_rejected_major_does_not_come_back_by_another_stamp(floor: Floor) -> None:
    win = floor.wins_major("A", STRAIGHT_FLUSH["h"])
    floor.reject(win)
    floor.wait(1)
    result = floor.hands("A", {1: STRAIGHT_FLUSH["h"]}, dealt=floor.now).results[0]
    assert result.win == win
    assert floor.link.queue == {}


# Order and late claims


def test_an_earlier_box_of_a_round_whose_later_box_was_paid_is_a_late_claim(floor: Floor) -> None:
    floor.bets("A", [1, 3])
    floor.wait(1)
    dealt = floor.now
    third = str(floor.hands("A", {1: NOTHING, 3: STRAIGHT_FLUSH["s"]}, dealt=dealt).results[1].win)
    assert paid(floor, third) == [8_000_40]
    both = {1: ROYAL["h"], 3: STRAIGHT_FLUSH["s"]}
    first = floor.hands("A", both, dealt={1: floor.now, 3: dealt}).results[0]
    assert first.win is None
    assert floor.link.claims[str(first.claim)].in_order == 80_004_00


def test_a_win_decided_second_stays_in_line_when_its_stamp_is_corrected(floor: Floor) -> None:
    a, b = ambiguous_royals(floor)
    floor.decide(b, a)
    floor.approve(b)
    floor.wait(1)
    assert floor.paid == [(b, 80_004_00)]
    stamp = floor.win(a).evidence.dealt_at
    assert stamp is not None
    again = floor.hands("A", {1: ROYAL["h"]}, dealt=stamp + 100).results[0].win
    assert paid(floor, str(again)) == [50_000_00]


def test_a_late_claim_is_valued_among_the_wins_that_still_wait(floor: Floor) -> None:
    floor.bets("B", [1])
    floor.wait(1)
    dealt = floor.now
    floor.hands("B", {1: None}, final=True)
    floor.wait(1)
    floor.wins_major("A", ROYAL["h"])
    claim = floor.hands("B", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt).results[0].claim
    assert floor.link.claims[str(claim)].in_order == 8_000_40
    floor.bets("B", [1])
    floor.wait(1)
    floor.hands("B", {1: None}, final=True)
    later = floor.hands("B", {1: STRAIGHT_FLUSH["c"]}, dealt=floor.now).results[0].claim
    assert floor.link.claims[str(later)].in_order == 5_000_20


def test_a_new_order_of_ordered_wins_has_new_evidence(floor: Floor) -> None:
    a, b = ambiguous_royals(floor)
    floor.decide(a, b)
    floor.wait(1)
    floor.decide(b, a)
    assert floor.facts(OrderReopened)[-1].wins == (a, b)
    assert floor.facts(WinsOrdered)[-1].wins == (b, a)
    assert paid(floor, a, b) == [50_000_00, 80_004_00]
    ordering = [entry.sequence for entry in floor.book.entries if isinstance(entry.fact, WinsOrdered)]
    assert {payment.ordered_by for payment in floor.facts(WinPaid)} == {ordering[-1]}


def test_prospects_know_the_parameters_that_a_royal_will_bring() -> None:
    floor = Floor(ceiling=60_000_00)
    floor.agree(ParameterChange(changes=Changes(seed=100_000_00, ceiling=200_000_00)))
    royal = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    flush = floor.wins_major("s2", STRAIGHT_FLUSH["h"])
    expected = floor.reading.next
    paid(floor, royal, flush)
    assert floor.value == expected == 90_001_80


# Play


def test_a_correction_said_again_by_a_clock_that_stands_still_is_told_apart_by_its_number(
    floor: Floor,
) -> None:
    floor.beat("A", seq=1)
    floor.bets("A", [1], seq=2)
    sent, deal = floor.now, {1: floor.now}
    floor.hands("A", {1: ROYAL["h"]}, seq=3, sent_at=sent, dealt=deal)
    floor.hands("A", {1: NOTHING}, seq=4, sent_at=sent, dealt=deal)
    win = floor.hands("A", {1: ROYAL["h"]}, seq=5, sent_at=sent, dealt=deal).results[0].win
    assert list(floor.link.queue) == [win]


def test_a_table_that_reports_hands_is_in_play_again(floor: Floor) -> None:
    floor.bets("A", [1, 2])
    floor.hands("A", {1: NOTHING, 2: None})
    assert floor.beat("A", in_play=False).table_state is TableStatus.AWAY
    floor.hands("A", {2: FLUSH})
    assert floor.link.tables["A"].status is TableStatus.IN_PLAY


def test_an_invalidated_box_that_a_later_report_does_not_name_stays_invalidated(floor: Floor) -> None:
    floor.bets("A", [1, 2])
    before = floor.link.pool.meter
    floor.hands("A", {1: ("5.15",)})
    answer = floor.hands("A", {2: NOTHING}, final=True)
    assert floor.link.tables["A"].round.boxes[1].returned
    assert answer.returned == ()
    assert floor.link.pool.meter == before - to_units(2_00)


def test_opening_a_table_that_was_never_heard_does_not_hold_the_queue() -> None:
    floor = Floor(tables=TWO, seen=False)
    floor.beat("A")
    floor.act(CloseTable(person="ana", table="B", reason="not ready"))
    floor.act(OpenTable(person="ana", table="B", reason="ready"))
    assert floor.link.tables["B"].status is TableStatus.AWAY
    win = floor.wins_major("A", ROYAL["h"])
    floor.wait(1)
    assert floor.win(win).state is WinState.ORDERED


def test_a_table_that_is_opened_again_may_count_its_messages_anew(floor: Floor) -> None:
    floor.beat("A", seq=41)
    floor.act(CloseTable(person="ana", table="A", reason="controller replaced"))
    floor.act(OpenTable(person="ana", table="A", reason="controller replaced"))
    floor.beat("A", seq=1)
    assert floor.link.tables["A"].contact.seq == 1


def test_a_table_closed_by_a_malfunction_is_told_so(floor: Floor) -> None:
    floor.malfunction("A", then=Then.CLOSE)
    assert floor.beat("A").table_state is TableStatus.CLOSED


def _alerted(floor: Floor, *, after: float = 0) -> set[tuple[str, str | None]]:
    return {(one.code, one.table) for one in alerts(floor.link, now=floor.now + round(after * SECOND))}


def test_a_deal_before_the_bets_were_answered_is_cut_and_an_alert(floor: Floor) -> None:
    floor.bets("A", [1])
    floor.wait(1)
    answered = floor.link.tables["A"].round.dealt_from
    win = floor.hands("A", {1: STRAIGHT_FLUSH["h"]}, dealt=answered - 30 * MILLISECOND).results[0].win
    found = floor.win(str(win))
    assert (found.interval, found.evidence.outside) == (found.witnessed, True)
    assert found.interval.start == answered
    assert ("dealt_outside", "A") in _alerted(floor)
    assert ("dealt_outside", "A") not in _alerted(floor, after=601)


def test_a_clock_that_was_set_is_an_alert_and_is_measured_anew(floor: Floor) -> None:
    floor.beat("A")
    floor.beat("A")
    assert ("clock_set", "A") not in _alerted(floor)
    floor.wait(1)
    floor.beat("A", sent_at=floor.now + 5 * SECOND)
    assert ("clock_set", "A") in _alerted(floor)
    offset = clock_offset(floor.link, floor.link.tables["A"], now=floor.now)
    assert (offset.least, offset.most) == (None, DELAY - 5 * SECOND)


def test_a_clock_that_was_far_ahead_for_one_message_is_not_held_to_it(floor: Floor) -> None:
    floor.beat("A")
    floor.beat("A", sent_at=floor.now + 3600 * SECOND)
    floor.wait(1)
    assert floor.beat("A").table_state is TableStatus.IN_PLAY


# Corrections and late claims


def test_corrected_stamps_are_not_held_to_those_that_they_replace(floor: Floor) -> None:
    """Both straight flushes at A were dealt before the royal at B; the first report had the times wrong."""
    began = floor.now
    floor.bets("A", [1, 2])
    floor.bets("B", [1])
    floor.wait(20)
    floor.beat("A")
    floor.beat("B")
    flushes = {1: STRAIGHT_FLUSH["h"], 2: STRAIGHT_FLUSH["c"]}
    royal = str(floor.hands("B", {1: ROYAL["s"]}, dealt=began + 8 * SECOND).results[0].win)
    floor.hands("A", flushes, dealt={1: began + 10 * SECOND, 2: began + 11 * SECOND})
    floor.wait(1)
    answer = floor.hands("A", flushes, dealt={1: began + 5 * SECOND, 2: began + 6 * SECOND})
    first, second = (str(result.win) for result in answer.results)
    assert floor.line == [first, second, royal]
    assert floor.win(second).interval.end < began + 7 * SECOND
    assert paid(floor, first, second, royal) == [8_000_60, 7_200_54, 64_804_86]


@pytest.mark.parametrize("since", ["nothing", "another_paid", "another_waiting"])
def test_a_late_claim_is_worth_what_its_own_hold_left_whatever_was_won_since(since: str) -> None:
    floor = Floor(tables=TWO | {"C": STUD})
    floor.wait(5)
    floor.raise_to(80_000_00)
    began = floor.now
    floor.bets("A", [1])
    floor.bets("B", [1])
    floor.wait(3)
    floor.act(CloseTable(person="ana", table="B", reason="silent"))
    first = str(floor.hands("A", {1: STRAIGHT_FLUSH["h"]}, dealt=began + 2 * SECOND).results[0].win)
    assert paid(floor, first) == [8_000_40]
    if since != "nothing":
        floor.wait(3600)
        floor.wait(1)
        floor.raise_to(200_000_00)
        other = floor.wins_major("C", STRAIGHT_FLUSH["c"])
        assert since == "another_waiting" or paid(floor, other)
    floor.wait(1)
    floor.hands("B", {1: STRAIGHT_FLUSH["s"]}, dealt=began + 2 * SECOND + 500, live=False)
    (claim,) = floor.link.claims.values()
    assert claim.in_order == 7_200_36


# What is not kept


def test_a_proposal_to_reject_a_royal_is_dropped_when_the_royal_is_corrected(floor: Floor) -> None:
    win = floor.wins_major("A", ROYAL["h"])
    floor.act(RejectWin(person="sue", win=win, reason="switched"))
    floor.wait(1)
    floor.hands("A", {1: ROYAL["s"]})
    assert floor.link.proposals == {}


def test_proposals_about_a_win_that_has_left_are_dropped(floor: Floor) -> None:
    win = floor.wins_major("A", ROYAL["h"])
    floor.act(RejectWin(person="sue", win=win, reason="switched"))
    assert len(floor.link.proposals) == 1
    assert paid(floor, win) == [80_002_00]
    assert floor.link.proposals == {}


def test_changes_for_the_same_reset_are_kept_as_one(floor: Floor) -> None:
    for seed in range(50_001_00, 50_011_00, 1_00):
        floor.agree(ParameterChange(changes=Changes(seed=seed)))
    floor.agree(ParameterChange(changes=Changes(ceiling=90_000_00)))
    floor.agree(ParameterChange(changes=Changes(no_ceiling=True)))
    (scheduled,) = floor.link.scheduled
    assert scheduled.changes == Changes(seed=50_010_00, no_ceiling=True)
