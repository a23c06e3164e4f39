"""Worked examples, to the cent. Amounts in the stories are dollars; the floor counts cents."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest

from jackpot.core.instants import SECOND
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import CardRepeated, OrderContradictsDeal, OrderIncomplete
from jackpot.games.progressive import Level
from jackpot.link.facts import BetsClosed, RoundVoided
from jackpot.link.state import Then
from jackpot.link.wins import ClaimOutcome, ClaimReason, ClockWord, WinState
from jackpot.play.status import MeterState
from tests.floor import DELAY, HOLDEM, NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

THREE_STUD = {"s1": STUD, "s2": STUD, "s3": STUD}


def whole_bets_floor(**parameters: Any) -> Floor:
    """Every cent of a 100-dollar bet raises the pool, so that stories can be read in round figures."""
    settings: dict[str, Any] = {"meter_ppm": 1_000_000, "reserve_ppm": 0, "progressive_bet": 100_00}
    return Floor(tables=THREE_STUD, **(settings | parameters))


def freeze_at(floor: Floor, cents: int, table: str, hand: str) -> str:
    """A major at that table which freezes the pool at exactly this value."""
    floor.raise_to(cents - floor.link.parameters.progressive_bet)
    win = floor.wins_major(table, hand)
    assert floor.value == cents
    return win


def hundreds(floor: Floor, count: int) -> None:
    """So many hundred-dollar bets at the third table, whose players then show nothing."""
    floor.bets("s3", range(1, count + 1))
    floor.hands("s3", dict.fromkeys(range(1, count + 1)))


def place_bet(floor: Floor, table: str) -> None:
    floor.bets(table, [1], ante=2500)


# "Hold" of the design


def test_a_royal_then_a_later_dealt_straight_flush() -> None:
    floor = whole_bets_floor()
    floor.bets("s2", {}, ante={1: 2500})
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    hundreds(floor, 2)
    floor.bets("s2", [1])
    floor.wait(1)
    flush = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}).results[0].win
    assert flush is not None
    hundreds(floor, 4)
    floor.approve(royal)
    floor.wait(1)
    assert floor.paid == [(royal, 80_000_00)]
    assert floor.value == 50_300_00
    floor.approve(flush)
    assert floor.paid[1:] == [(flush, 5_030_00)]
    assert floor.value == 45_670_00


def test_the_same_bets_with_the_straight_flush_dealt_first() -> None:
    floor = whole_bets_floor()
    floor.raise_to(79_800_00)
    place_bet(floor, "s2")
    floor.wait(1)
    dealt_first = floor.now
    floor.wait(1)
    royal = floor.wins_major("s1", ROYAL["h"])
    assert floor.value == 80_000_00
    hundreds(floor, 3)
    flush = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt_first).results[0].win
    assert flush is not None
    hundreds(floor, 4)
    floor.wait(1)
    assert floor.line == [flush, royal]
    assert floor.reading.next == 50_700_00
    floor.approve(royal)
    assert floor.paid == []
    floor.approve(flush)
    assert floor.paid == [(flush, 8_000_00), (royal, 72_000_00)]
    assert floor.value == 50_700_00


# Several majors at once


def test_no_holdem_flop_gives_three_straight_flushes() -> None:
    """Five cards in sequence leave a flop three pairs of hole cards at most, and the middle one shares
    a card with both others: two straight flushes are the most that one deck allows."""
    suited = [set(range(low, low + 5)) for low in range(-1, 9)]
    runs = [{12 if rank == -1 else rank for rank in run} for run in suited]
    for flop in combinations(range(13), 3):
        holes = [run - set(flop) for run in runs if run >= set(flop)]
        assert not any(not (a & b or b & c or a & c) for a, b, c in combinations(holes, 3))


def test_three_straight_flushes_reported_on_one_holdem_flop_are_refused_as_a_repeated_card() -> None:
    floor = Floor()
    floor.bets("h1", [1, 2, 3])
    before = floor.link.sequence
    with pytest.raises(CardRepeated) as refusal:
        floor.hands("h1", {1: "5h 6h", 2: "Th Jh", 3: "6h Th"}, community="7h 8h 9h")
    assert refusal.value.rule == "2.2.1"
    assert floor.link.sequence == before


def test_two_straight_flushes_on_one_holdem_flop_are_paid_clockwise() -> None:
    floor = Floor()
    floor.raise_to(70_000_00 - 2 * 2_00)
    floor.bets("h1", [2, 5])
    floor.wait(1)
    answer = floor.hands("h1", {5: "Th Jh", 2: "5h 6h"}, community="7h 8h 9h 2c 2d", final=True)
    first, second = (result.win for result in answer.results)
    assert first == "h1.1.2.1"
    assert second == "h1.1.5.1"
    floor.approve(second)
    floor.wait(1)
    assert floor.paid == []
    floor.approve(first)
    assert floor.paid == [(first, 7_000_00), (second, 6_300_00)]
    assert floor.value == 56_700_00


def test_three_straight_flushes_in_one_stud_round_are_paid_clockwise() -> None:
    floor = Floor()
    floor.raise_to(70_000_00 - 3 * 2_00)
    floor.bets("s1", [1, 4, 7])
    floor.wait(1)
    hands = {7: STRAIGHT_FLUSH["d"], 4: STRAIGHT_FLUSH["h"], 1: STRAIGHT_FLUSH["c"]}
    wins = [result.win for result in floor.hands("s1", hands).results]
    for win in wins:
        assert win is not None
        floor.approve(win)
    floor.wait(1)
    assert floor.paid == [(wins[0], 7_000_00), (wins[1], 6_300_00), (wins[2], 5_670_00)]
    assert floor.value == 51_030_00


def test_two_royals_at_two_tables() -> None:
    floor = whole_bets_floor()
    floor.bets("s2", {}, ante={1: 2500})
    first = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    hundreds(floor, 1)
    second = floor.wins_major("s2", ROYAL["h"])
    hundreds(floor, 2)
    floor.approve(second)
    floor.approve(first)
    floor.wait(1)
    assert floor.paid == [(first, 80_000_00), (second, 50_200_00)]
    assert floor.value == 50_200_00


def test_a_royal_and_an_earlier_dealt_straight_flush_reported_later() -> None:
    floor = whole_bets_floor()
    floor.raise_to(79_800_00)
    place_bet(floor, "s2")
    floor.wait(1)
    dealt = floor.now
    floor.wait(2)
    royal = floor.wins_major("s1", ROYAL["h"])
    floor.approve(royal)
    floor.wait(1)
    floor.beat("s1")
    floor.beat("s3")
    assert floor.paid == [], "table s2 has an open round and could still report an earlier major"
    flush = floor.hands("s2", {1: STRAIGHT_FLUSH["s"]}, dealt=dealt).results[0].win
    assert flush is not None
    floor.wait(1)
    floor.approve(flush)
    assert floor.paid == [(flush, 8_000_00), (royal, 72_000_00)]


def test_intervals_that_overlap_in_a_chain_cannot_be_turned_into_a_cycle() -> None:
    """A[0,10], B[8,18], C[16,26]: A is certainly before C, whatever is said of B."""
    floor = Floor(tables=THREE_STUD, seen=False)
    wins = {}
    for moment, table in [(0, "s1"), (8, "s2"), (10, "s1"), (16, "s3"), (18, "s2"), (26, "s3")]:
        floor.now = floor.at(moment)
        if floor.link.tables[table].round is None:
            floor.bets(table, [1])
        else:
            wins[table] = floor.hands(table, {1: STRAIGHT_FLUSH["c"]}, dealt={}).results[0].win
    a, b, c = (str(wins[table]) for table in ("s1", "s2", "s3"))
    spans = [floor.win(win).interval for win in (a, b, c)]
    assert spans[0].end > spans[1].start
    assert spans[1].end > spans[2].start
    assert spans[0].end < spans[2].start
    for order in [(c, b, a), (c, a, b), (b, c, a)]:
        with pytest.raises(OrderContradictsDeal):
            floor.decide(*order)
    with pytest.raises(OrderIncomplete):
        floor.decide(b, a)
    assert floor.line == [a, b, c]
    floor.decide(b, a, c)
    assert floor.line == [b, a, c]
    for table in THREE_STUD:
        floor.beat(table, error=1000)
    floor.wait(30)
    floor.wait(1)
    for win in (c, a, b):
        floor.approve(win)
    assert [win for win, _ in floor.paid] == [b, a, c]


# Hold and carryover


def test_bets_placed_during_a_hold_build_the_next_jackpot() -> None:
    floor = whole_bets_floor()
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    hundreds(floor, 5)
    assert floor.reading.state is MeterState.HELD
    assert floor.value == 80_000_00
    assert floor.reading.next == 50_500_00
    floor.approve(royal)
    floor.wait(1)
    assert floor.paid == [(royal, 80_000_00)]
    assert floor.value == 50_500_00
    assert floor.reading.pending == ()


def test_a_hand_corrected_from_straight_flush_to_royal_with_bets_between() -> None:
    """The royal takes the straight flush's place: the bets made after it was registered stay behind."""
    floor = whole_bets_floor(straight_flush_approvals=2)
    flush = freeze_at(floor, 80_000_00, "s1", STRAIGHT_FLUSH["h"])
    floor.approve(flush, "ana")
    hundreds(floor, 3)
    royal = floor.hands("s1", {1: ROYAL["h"]}).results[0].win
    assert royal == "s1.1.1.2"
    assert floor.value == 80_000_00
    assert floor.win(royal).approvals == []
    assert flush not in floor.link.queue
    floor.wait(1)
    assert floor.paid == []
    floor.approve(royal)
    assert floor.paid == [(royal, 80_000_00)]
    assert floor.value == 50_300_00


def test_a_correction_that_takes_the_only_major_back_ends_the_hold() -> None:
    floor = whole_bets_floor()
    freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    hundreds(floor, 3)
    answer = floor.hands("s1", {1: NOTHING})
    assert answer.results[0].win is None
    assert floor.value == 80_300_00
    assert floor.reading.state is MeterState.OPEN


def test_a_win_rejected_at_the_ceiling() -> None:
    floor = whole_bets_floor(ceiling=80_000_00)
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    hundreds(floor, 3)
    floor.reject(royal)
    assert floor.value == 80_000_00
    assert floor.balance(Account.OVERFLOW) == to_units(300_00)
    assert floor.balance(Account.CARRYOVER) == 0
    assert floor.reading.state is MeterState.OPEN


def test_the_overflow_joins_at_the_reset_after_a_royal_and_only_then() -> None:
    floor = whole_bets_floor(ceiling=80_000_00)
    floor.raise_to(80_000_00)
    hundreds(floor, 4)
    flush = floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    floor.approve(flush)
    floor.wait(1)
    assert floor.value == 72_000_00
    assert floor.balance(Account.OVERFLOW) == to_units(500_00)
    royal = floor.wins_major("s1", ROYAL["h"])
    floor.approve(royal)
    floor.wait(1)
    assert floor.paid_for(royal) == 72_100_00
    assert floor.value == 50_500_00
    assert floor.balance(Account.OVERFLOW) == 0


# Voids


def test_a_void_of_a_round_whose_contributions_a_royal_has_already_won() -> None:
    floor = whole_bets_floor()
    floor.bets("s2", [1, 2])
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    floor.approve(royal)
    floor.malfunction("s2", seen={"s2": True})
    floor.wait(1)
    assert floor.paid == [(royal, 80_000_00)]
    house = floor.balance(Account.HOUSE)
    answer = floor.void("s2")
    assert [(one.box, one.amount, one.rule) for one in answer.returned] == [
        (1, 100_00, "5.22"),
        (1, 25_00, "5.22"),
        (2, 100_00, "5.22"),
        (2, 25_00, "5.22"),
    ]
    assert floor.value == 50_000_00
    assert floor.balance(Account.HOUSE) == house - to_units(200_00)


def test_a_void_during_the_hold_is_made_good_by_the_house_once_the_pool_is_won() -> None:
    floor = whole_bets_floor()
    floor.bets("s2", [1, 2])
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    floor.void("s2")
    assert floor.value == 80_000_00
    assert floor.balance(Account.CARRYOVER) == -to_units(200_00)
    floor.approve(royal)
    floor.wait(1)
    assert floor.paid == [(royal, 80_000_00)]
    assert floor.value == 50_000_00
    assert floor.balance(Account.CARRYOVER) == 0


def test_a_void_during_a_hold_that_ends_in_rejection_lowers_the_pool() -> None:
    floor = whole_bets_floor()
    floor.bets("s2", [1, 2])
    royal = freeze_at(floor, 80_000_00, "s1", ROYAL["h"])
    floor.void("s2")
    floor.reject(royal)
    assert floor.value == 79_800_00


def test_a_void_in_the_open_is_the_mirror_of_the_contribution() -> None:
    floor = Floor()
    before = dict(floor.link.pool.accounts)
    floor.bets("s1", [1, 2, 3])
    floor.void("s1")
    assert floor.link.pool.accounts == before
    contribution, reversal = floor.facts(BetsClosed)[-1], floor.facts(RoundVoided)[-1]
    assert reversal.moves == {account: -units for account, units in contribution.moves.items()}


# Clocks


def test_a_table_whose_clock_is_three_seconds_fast_is_ordered_rightly() -> None:
    """The House measures the clock by itself, whatever the table says of it."""
    floor = Floor(tables={"s1": STUD, "s2": STUD}, seen=False)
    fast = 3 * SECOND
    floor.beat("s1", word=ClockWord(offset=0, error=0), sent_at=floor.now + fast)
    floor.beat("s2")
    floor.bets("s1", [1], sent_at=floor.now + fast)
    floor.bets("s2", [1])
    floor.wait(1)
    first = floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, sent_at=floor.now + fast).results[0].win
    floor.wait(1)
    second = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}).results[0].win
    assert floor.line == [first, second]
    assert abs(floor.win(str(first)).interval.start - floor.at(1)) < 20_000
    floor.wait(1)
    assert floor.win(str(first)).state is WinState.ORDERED


def test_a_table_that_echoes_nothing_limits_only_the_end_of_its_deals() -> None:
    """Its clock may be slow by any amount: the order is left to the House (4.5.2)."""
    floor = Floor(tables={"s1": STUD, "s2": STUD}, seen=False)
    fast = 3 * SECOND
    floor.bets("s1", [1], sent_at=floor.now + fast)
    floor.bets("s2", [1])
    floor.wait(1)
    floor.echoes.clear()
    unknown = floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, sent_at=floor.now + fast).results[0].win
    win = floor.win(str(unknown))
    assert win.interval.start == win.witnessed.start == floor.at(0) + DELAY
    assert win.interval.end == floor.now
    certain = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(0.5)).results[0].win
    assert {floor.win(str(win)).state for win in (unknown, certain)} == {WinState.PENDING}
    floor.decide(str(certain), str(unknown))
    assert floor.line == [certain, unknown]


# Malfunction and late claims


def test_a_royal_paid_from_a_reading_before_another_paid_royal_is_a_case_for_the_house() -> None:
    """What was registered before the malfunction has been won since: nobody is paid it a second time before
    two people have looked. Then reserve and house pay, and the pool stays."""
    floor = whole_bets_floor(royal_flush_approvals=1)
    floor.raise_to(79_900_00)
    floor.bets("s2", [1])
    assert floor.value == 80_000_00
    floor.wait(1)
    observed = floor.now
    floor.wait(1)
    other = floor.wins_major("s1", ROYAL["h"])
    floor.malfunction("s2", seen={"s2": True}, observed_at=observed)
    floor.approve(other, "ana")
    assert floor.paid == [(other, 80_100_00)]
    hundreds(floor, 3)
    (result,) = floor.hands("s2", {1: ROYAL["s"]}, dealt=floor.now).results
    assert (result.win, result.level) == (None, Level.MAJOR)
    claim = floor.link.claims[str(result.claim)]
    assert (claim.reason, claim.registered) == (ClaimReason.BEFORE_PAID_ROYAL, 80_000_00)
    house = floor.balance(Account.HOUSE) + floor.balance(Account.RESERVE)
    floor.decide_claim(claim.id, ClaimOutcome.REGISTERED)
    assert floor.value == 50_300_00
    assert floor.balance(Account.HOUSE) + floor.balance(Account.RESERVE) == house - to_units(80_000_00)


def test_a_win_in_line_whose_reading_another_royal_empties_becomes_a_case_for_the_house() -> None:
    floor = whole_bets_floor(royal_flush_approvals=1)
    floor.raise_to(79_900_00)
    floor.bets("s2", [1])
    floor.wait(1)
    floor.malfunction("s2", seen={"s2": True}, then=Then.PROGRESSIVE_OFF)
    floor.wait(1)
    first = floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    second = str(floor.hands("s2", {1: STRAIGHT_FLUSH["s"]}, dealt=floor.now).results[0].win)
    assert floor.line == [first, second]
    floor.approve(first, "ana")
    assert list(floor.link.queue) == []
    (claim,) = floor.link.claims.values()
    assert (claim.box, claim.reason, claim.registered) == (1, ClaimReason.BEFORE_PAID_ROYAL, 8_000_00)
    assert floor.link.tables["s2"].round.boxes[1].result.claim == claim.id
    assert floor.reading.state is MeterState.OPEN


def test_two_majors_of_a_malfunction_share_the_registered_amount_clockwise() -> None:
    """4.5.1 holds for the registered amount too: the second is paid from what the first has left."""
    floor = whole_bets_floor()
    floor.raise_to(79_700_00)
    floor.bets("s2", [1, 2, 3])
    floor.wait(1)
    floor.malfunction("s2", seen={"s2": True})
    floor.wait(1)
    hands = {1: STRAIGHT_FLUSH["c"], 2: ROYAL["h"], 3: STRAIGHT_FLUSH["s"]}
    wins = [str(result.win) for result in floor.hands("s2", hands).results]
    hundreds(floor, 2)
    expected = floor.reading.next
    for win in wins:
        floor.approve(win)
    floor.wait(1)
    assert floor.paid == [(wins[0], 8_000_00), (wins[1], 72_000_00), (wins[2], 5_000_00)]
    assert floor.value == expected == 45_200_00


def test_a_win_registered_before_the_malfunction_of_its_round_keeps_its_own_amount() -> None:
    floor = whole_bets_floor()
    floor.raise_to(79_800_00)
    floor.bets("s2", [1, 2])
    floor.wait(1)
    dealt = floor.now
    first = floor.hands("s2", {1: ROYAL["h"]}, dealt=dealt).results[0].win
    floor.wait(1)
    floor.malfunction("s2", seen={"s2": True})
    both = {1: ROYAL["h"], 2: STRAIGHT_FLUSH["s"]}
    second = floor.hands("s2", both, dealt={1: dealt, 2: floor.now}).results[1].win
    floor.approve(str(first))
    floor.approve(str(second))
    floor.wait(1)
    assert floor.paid == [(first, 80_000_00), (second, 5_000_00)]


def test_a_win_dealt_before_a_paid_one_is_a_late_claim_and_leaves_the_pool_alone() -> None:
    floor = whole_bets_floor()
    floor.raise_to(79_800_00)
    floor.bets("s2", [1])
    floor.wait(1)
    dealt = floor.now
    floor.wait(1)
    royal = floor.wins_major("s1", ROYAL["h"])
    malfunction = floor.malfunction("s2", seen={"s2": True}, then=Then.CLOSE)
    floor.approve(royal)
    floor.wait(1)
    assert floor.paid == [(royal, 80_000_00)]
    floor.clear(malfunction)
    result = floor.hands("s2", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt).results[0]
    assert result.win is None
    assert result.claim == "s2.1.1.straight_flush"
    claim = floor.link.claims[result.claim]
    assert claim.in_order == 8_000_00
    assert floor.value == 50_000_00
    reserve, house = floor.balance(Account.RESERVE), floor.balance(Account.HOUSE)
    floor.decide_claim(claim.id, ClaimOutcome.IN_ORDER)
    assert floor.value == 50_000_00
    assert reserve + house - floor.balance(Account.RESERVE) - floor.balance(Account.HOUSE) == to_units(
        8_000_00
    )
    assert floor.link.claims == {}


def test_a_major_reported_for_a_settled_round_is_a_late_claim() -> None:
    floor = Floor(tables={"h1": HOLDEM, "s1": STUD})
    floor.raise_to(70_000_00)
    floor.bets("s1", [1])
    floor.wait(1)
    floor.hands("s1", {1: None}, final=True)
    floor.bets("s1", [1])
    result = floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, round=1, dealt=floor.at(0.5)).results[0]
    assert result.claim is not None
    claim = floor.link.claims[result.claim]
    assert (claim.in_order, claim.registered) == (7_000_20, 7_000_20)
    assert not floor.link.held
