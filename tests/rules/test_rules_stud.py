"""Multi-Link Progressive Casino Stud Poker: a test per paragraph that concerns the jackpot.

The paragraph's number stands in the test's name; `docs/rules.md` maps the whole document.
"""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import Refused
from jackpot.games.irregularities import Resolution
from jackpot.games.progressive import Level
from jackpot.link.answers import BetsAnswer, HandsAnswer, VoidAnswer
from jackpot.link.commands import BoxBets, CloseBets, HandReport, ReportHands
from jackpot.link.facts import RoundVoided
from jackpot.link.rounds import PROGRESSIVE, HandResult, MainGame, Promise, RoundState
from jackpot.link.state import Then
from jackpot.play.status import NOTICE_CLOSED, NOTICE_OFF, MeterState
from jackpot.pools.order import STAMPS_MAY_CROSS
from tests.floor import HOLDEM, ROYAL, STUD, Floor
from tests.main_game import STAYS

SEED = 50_000_00
SHARE = 2_00
"""What one prescribed bet of 5.00 brings to the meter."""
# Hands that share no card with each other, nor with the royal flushes of hearts and clubs.
STRAIGHT_FLUSH = "Qs Js Ts 9s 8s"
QUADS = "7c 7d 7h 7s Kd"
FULL_HOUSE = "5c 5d 5s 3c 3d"
FLUSH = "9h 8h 6h 4h 2h"
STRAIGHT = "6c 5h 4d 3h 2d"
NOTHING = "Jd 9c 6s 4c 2s"
DEALERS = {"qualifies": "Ad Ks 9d 4s 3s", "does not qualify": "Td Ks 9d 4s 3s", "is not known": ""}


def returned(answer: BetsAnswer | HandsAnswer | VoidAnswer) -> list[tuple[int, int, str, str | None]]:
    """Of the progressive."""
    back = [one for one in answer.returned if one.wager == PROGRESSIVE]
    return [(one.box, one.amount, one.code, one.rule) for one in back]


def accepted(answer: BetsAnswer) -> dict[int, int]:
    return {one.box: one.progressive for one in answer.accepted}


def refused(act: Callable[[], object]) -> tuple[str, str | None]:
    with pytest.raises(Refused) as refusal:
        act()
    return refusal.value.code, refusal.value.rule


def result(answer: HandsAnswer, box: int = 1) -> HandResult:
    return next(one for one in answer.results if one.box == box)


def win_of(answer: HandsAnswer, box: int = 1) -> str:
    win = result(answer, box).win
    assert win is not None
    return win


def pay(floor: Floor, *wins: str) -> list[tuple[str, int]]:
    """Two people approve each win; all that was paid so far."""
    for win in wins:
        floor.approve(win)
    floor.wait(1)
    return floor.paid


def balances(floor: Floor) -> dict[Account, int]:
    return {account: floor.balance(account) for account in Account}


def close(floor: Floor, *boxes: BoxBets) -> BetsAnswer:
    answer = floor.send(
        CloseBets(
            table="s1",
            round=1,
            closed_at=floor.now,
            sent_at=floor.now,
            received_at=floor.now,
            boxes=boxes,
        )
    )
    assert isinstance(answer, BetsAnswer)
    return answer


# 1. Definitions


def test_s_1_13_every_accepted_bet_raises_the_jackpot_to_the_unit() -> None:
    floor = Floor(progressive_bet=7, meter_ppm=333_333)
    floor.bets("s1", [1, 2])
    assert floor.balance(Account.METER) == to_units(SEED) + 2 * 7 * 333_333
    assert floor.value == SEED + 4


def test_s_1_13_a_returned_bet_does_not_raise_the_jackpot() -> None:
    floor = Floor()
    answer = floor.bets("s1", {1: 500, 2: 499, 3: 500}, ante={1: 2500, 2: 2500})
    assert accepted(answer) == {1: 500}
    assert answer.reading.value == SEED + SHARE


def test_s_1_13_a_won_jackpot_is_reset_and_increases_again() -> None:
    floor = Floor()
    floor.raise_to(80_000_00)
    win = floor.wins_major("s1", ROYAL["h"])
    assert pay(floor, win) == [(win, 80_000_00 + SHARE)]
    assert floor.value == SEED
    assert floor.bets("s1").reading.value == SEED + SHARE


def test_s_1_20_a_voided_round_has_no_result() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    win = win_of(floor.hands("s1", {1: STRAIGHT_FLUSH, 2: QUADS}))
    floor.void("s1")
    assert win not in floor.link.queue
    assert not floor.link.held
    assert floor.balance(Account.PRIZES) == 0
    assert refused(lambda: floor.hands("s1", {1: ROYAL["h"]})) == ("round_voided", "5.22")


# 2. Mode of play


@pytest.mark.parametrize("box", [0, 8])
def test_s_2_1_1_only_boxes_of_the_layout_can_be_bet_on(box: int) -> None:
    floor = Floor(boxes=7)
    assert refused(lambda: floor.bets("s1", [1, box])) == ("box_unknown", "2.1.1")
    assert floor.value == SEED
    assert accepted(floor.bets("s1", [1, 7])) == {1: 500, 7: 500}


@pytest.mark.parametrize(
    ("hands", "dealer"),
    [
        ({1: FLUSH, 2: "9h Qd 8c 7c 3s"}, ""),
        ({1: FLUSH, 2: NOTHING}, "9h"),
        ({1: "9h 9h 6h 4h 2h", 2: NOTHING}, ""),
    ],
)
def test_s_2_2_1_a_card_seen_twice_in_a_round_is_refused(hands: dict[int, str], dealer: str) -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    before = floor.link.sequence
    assert refused(lambda: floor.hands("s1", hands, dealer=dealer)) == ("card_repeated", "2.2.1")
    assert floor.link.sequence == before
    assert floor.balance(Account.PRIZES) == 0


def test_s_2_2_1_a_card_that_does_not_exist_is_refused() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    assert refused(lambda: floor.hands("s1", {1: NOTHING}, dealer="1h")) == ("card_unknown", "2.2.1")
    report = ReportHands(
        table="s1",
        round=1,
        hands=(HandReport(box=1, revealed=False),),
        dealer=(52,),
        sent_at=floor.now,
        received_at=floor.now,
    )
    assert refused(lambda: floor.send(report)) == ("card_unknown", "2.2.1")


# 3. How to play


def test_s_3_4_a_bet_below_the_prescribed_amount_is_returned() -> None:
    floor = Floor()
    answer = floor.bets("s1", {1: 499, 2: 500})
    assert returned(answer) == [(1, 499, "under_prescribed", "3.4")]
    assert accepted(answer) == {2: 500}


def test_s_3_4_a_bet_beyond_all_reason_is_refused_with_the_whole_message() -> None:
    floor = Floor()
    assert refused(lambda: floor.bets("s1", {1: 500, 2: 50_001})) == ("amount_unreasonable", "3.4")
    assert floor.value == SEED
    assert returned(floor.bets("s1", {1: 50_000})) == [(1, 49_500, "over_prescribed", "5.1")]


def test_s_3_5_a_box_takes_the_bets_of_one_player() -> None:
    floor = Floor()
    mine, another = BoxBets(box=3, ante=2500, progressive=500), BoxBets(box=3, ante=5000)
    assert refused(lambda: close(floor, mine, another)) == ("box_repeated", "3.5")
    assert floor.value == SEED
    assert accepted(close(floor, mine)) == {3: 500}


def test_s_3_6_an_ante_alone_takes_part_but_not_in_the_jackpot() -> None:
    floor = Floor()
    answer = floor.bets("s1", {}, ante={1: 2500})
    assert (accepted(answer), returned(answer), floor.value) == ({}, [], SEED)
    dealt = result(floor.hands("s1", {1: FLUSH}))
    assert (dealt.hand, dealt.level, dealt.award) == (Hand.FLUSH, None, None)


def test_s_3_7_each_hand_of_a_player_has_its_own_bet() -> None:
    floor = Floor()
    floor.bets("s1", {2: 500}, ante={1: 2500, 2: 2500})
    answer = floor.hands("s1", {1: STRAIGHT, 2: FLUSH})
    assert result(answer, 1).award is None
    assert result(answer, 2).award == 200_00


def test_s_3_8_a_royal_flush_without_a_progressive_bet_wins_no_jackpot() -> None:
    floor = Floor()
    floor.bets("s1", {2: 500}, ante={1: 2500, 2: 2500})
    dealt = result(floor.hands("s1", {1: ROYAL["h"], 2: NOTHING}))
    assert (dealt.hand, dealt.level, dealt.win) == (Hand.ROYAL_FLUSH, None, None)
    assert not floor.link.held


def test_s_3_8_1_a_bet_on_another_hand_needs_the_ante_of_that_hand() -> None:
    floor = Floor()
    answer = floor.bets("s1", {1: 500, 2: 500, 3: 500}, ante={1: 2500, 3: 2500})
    assert accepted(answer) == {1: 500, 3: 500}
    assert returned(answer) == [(2, 500, "no_ante", "5.4")]
    assert floor.value == SEED + 2 * SHARE


def test_s_3_9_no_hand_is_dealt_before_no_more_bets() -> None:
    floor = Floor()
    floor.wait(5)
    floor.bets("s1")
    early = floor.link.tables["s1"].round.closed_at - STAMPS_MAY_CROSS - 1
    code = refused(lambda: floor.hands("s1", {1: ROYAL["h"]}, dealt=early))
    assert code == ("dealt_before_bets_closed", "5.11")
    assert win_of(floor.hands("s1", {1: ROYAL["h"]}, dealt=early + 1)) == "s1.1.1.1"


def test_s_3_10_the_deal_goes_clockwise() -> None:
    floor = Floor()
    floor.bets("s1", [2, 5])
    hands = {2: NOTHING, 5: FLUSH}
    assert refused(lambda: floor.hands("s1", hands, order={2: 2, 5: 1})) == ("deal_order_wrong", "4.5.1")
    assert result(floor.hands("s1", hands, order={2: 1, 5: 2}), 5).award == 200_00


def test_s_3_12_1_a_folded_hand_stays_eligible() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    answer = floor.hands("s1", {1: FULL_HOUSE, 2: STRAIGHT_FLUSH}, folded=[1, 2], dealer="Ac Ad")
    assert result(answer, 1).award == 400_00
    assert pay(floor, win_of(answer, 2)) == [("s1.1.2.1", 5_000_40)]


@pytest.mark.parametrize("dealer", DEALERS.values(), ids=DEALERS)
def test_s_3_13_the_jackpot_does_not_ask_whether_the_dealer_qualifies(dealer: str) -> None:
    floor = Floor()
    floor.bets("s1")
    main = {1: STAYS} if dealer else {}
    assert result(floor.hands("s1", {1: FLUSH}, dealer=dealer, main=main, final=True)).award == 200_00
    assert floor.balance(Account.PRIZES) == to_units(200_00)


def test_s_3_14_2_a_hand_that_loses_to_the_dealer_still_wins_the_jackpot() -> None:
    floor = Floor()
    floor.bets("s1")
    answer = floor.hands("s1", {1: STRAIGHT_FLUSH}, dealer=ROYAL["h"], main={1: STAYS}, final=True)
    win = win_of(answer)
    assert pay(floor, win) == [(win, 5_000_20)]


def test_s_3_14_3_a_stand_off_does_not_return_the_progressive_bet() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    hands, main = {1: STRAIGHT, 2: "Kc Qd 9c 4h 3d"}, dict.fromkeys((1, 2), STAYS)
    answer = floor.hands("s1", hands, dealer="6d 5d 4s 3s 2s", main=main, final=True)
    assert returned(answer) == []
    assert [one.award for one in answer.results] == [100_00, None]
    assert floor.value == SEED + 2 * SHARE


@pytest.mark.parametrize(
    ("cards", "hand", "level"),
    [
        ("Ad Kd Qd Jd Td", Hand.ROYAL_FLUSH, Level.MAJOR),
        ("Qc Jc Tc 9c 8c", Hand.STRAIGHT_FLUSH, Level.MAJOR),
        ("5s 4s 3s 2s As", Hand.STRAIGHT_FLUSH, Level.MAJOR),
        ("Kc Kh Kd Ks Jh", Hand.FOUR_OF_A_KIND, Level.MINOR),
        ("Kc Kh Kd Js Jh", Hand.FULL_HOUSE, Level.MINOR),
        ("Kh Jh 9h 5h 2h", Hand.FLUSH, Level.MINOR),
        ("5c 4d 3c 2h As", Hand.STRAIGHT, Level.MINOR),
        ("Ac Kd Qc Jh Ts", Hand.STRAIGHT, Level.MINOR),
        ("2c Ad Kc Qh Js", Hand.FIVE_ODD_CARDS, None),
        ("Qs Qh Qd 8h 3d", Hand.THREE_OF_A_KIND, None),
        ("7s 7h 4c 4h Jd", Hand.TWO_PAIRS, None),
        ("Tc Th Kd 6h 3s", Hand.ONE_PAIR, None),
    ],
)
def test_s_3_15_hands_are_ranked_for_the_jackpot(cards: str, hand: Hand, level: Level | None) -> None:
    floor = Floor()
    floor.bets("s1")
    dealt = result(floor.hands("s1", {1: cards}))
    assert (dealt.hand, dealt.level) == (hand, level)
    assert floor.link.held == (level is Level.MAJOR)


# 4. Settlement


def test_s_4_2_a_royal_flush_is_paid_all_of_the_jackpot() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.raise_to(123_456_78)
    win = win_of(floor.hands("s1", {1: ROYAL["s"]}))
    assert pay(floor, win) == [(win, 123_456_78)]
    assert floor.balance(Account.METER) == to_units(SEED)


@pytest.mark.parametrize(("shown", "paid"), [(50_000_04, 5_000_00), (50_000_05, 5_000_01)])
def test_s_4_2_a_straight_flush_is_paid_a_tenth_rounded_half_up(shown: int, paid: int) -> None:
    floor = Floor()
    floor.bets("s1")
    floor.raise_to(shown)
    win = win_of(floor.hands("s1", {1: STRAIGHT_FLUSH}))
    assert pay(floor, win) == [(win, paid)]
    assert floor.balance(Account.METER) == to_units(shown - paid)


@pytest.mark.parametrize(
    ("cards", "award"), [(QUADS, 2_000_00), (FULL_HOUSE, 400_00), (FLUSH, 200_00), (STRAIGHT, 100_00)]
)
def test_s_4_2_a_minor_is_paid_for_one_by_the_house(cards: str, award: int) -> None:
    floor = Floor()
    floor.bets("s1")
    house = floor.balance(Account.HOUSE)
    answer = floor.hands("s1", {1: cards}, final=True)
    assert (result(answer).award, returned(answer)) == (award, [])
    assert floor.balance(Account.PRIZES) == to_units(award)
    assert floor.balance(Account.HOUSE) == house - to_units(award)
    assert floor.value == SEED + SHARE


def test_s_4_2_1_the_bet_must_be_of_the_same_round() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.bets("s1", {}, ante={1: 2500})
    assert result(floor.hands("s1", {1: ROYAL["h"]})).win is None
    assert refused(lambda: floor.hands("s1", {2: ROYAL["h"]})) == ("box_not_in_round", "4.2.1")
    assert not floor.link.held


def test_s_4_3_a_hand_not_revealed_wins_nothing_and_its_bet_stays() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    answer = floor.hands("s1", {1: None, 2: FLUSH})
    assert answer.state is RoundState.HANDS_KNOWN
    assert result(answer, 1) == HandResult(box=1)
    assert returned(answer) == []
    assert floor.value == SEED + 2 * SHARE


def test_s_4_3_a_hand_never_shown_counts_as_not_revealed_when_the_next_round_begins() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    assert floor.hands("s1", {2: FLUSH}).state is RoundState.BETS_CLOSED
    floor.bets("s1", [1])
    assert refused(lambda: floor.hands("s1", {1: QUADS, 2: FLUSH}, round=1)) == ("round_stands", "5.20")
    assert floor.balance(Account.PRIZES) == to_units(200_00)


@pytest.mark.parametrize("dealer", DEALERS.values(), ids=DEALERS)
def test_s_4_4_a_major_waits_for_people_to_look_at_it_whatever_the_dealer_holds(dealer: str) -> None:
    floor = Floor()
    floor.bets("s1")
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}, dealer=dealer))
    floor.wait(1)
    floor.approve(win, "ana")
    assert floor.paid == []
    floor.approve(win, "ben")
    assert floor.paid == [(win, SEED + SHARE)]


def test_s_4_5_wins_are_paid_strictly_in_order() -> None:
    floor = Floor()
    first = floor.wins_major("s1", STRAIGHT_FLUSH)
    floor.wait(1)
    second = floor.wins_major("s2", STRAIGHT_FLUSH)
    assert pay(floor, second) == []
    assert refused(lambda: floor.decide(second, first)) == ("not_ambiguous", "4.5.2")
    assert [win for win, _ in pay(floor, first)] == [first, second]


def test_s_4_5_1_one_round_is_paid_clockwise_each_what_the_screen_shows() -> None:
    floor = Floor()
    floor.bets("s1", [2, 6])
    floor.raise_to(80_000_00)
    answer = floor.hands("s1", {6: STRAIGHT_FLUSH, 2: ROYAL["h"]})
    royal, straight_flush = win_of(answer, 2), win_of(answer, 6)
    assert pay(floor, straight_flush, royal) == [(royal, 80_000_00), (straight_flush, 5_000_00)]
    assert floor.value == 45_000_00


def test_s_4_5_1_a_straight_flush_dealt_first_comes_off_the_royal_flush() -> None:
    floor = Floor()
    floor.bets("s1", [2, 6])
    floor.raise_to(80_000_00)
    answer = floor.hands("s1", {2: STRAIGHT_FLUSH, 6: ROYAL["h"]})
    straight_flush, royal = win_of(answer, 2), win_of(answer, 6)
    assert pay(floor, royal, straight_flush) == [(straight_flush, 8_000_00), (royal, 72_000_00)]
    assert floor.value == SEED


def test_s_4_5_1_two_royal_flushes_are_paid_the_jackpot_and_then_its_reset_value() -> None:
    floor = Floor()
    floor.bets("s1", [1, 7])
    floor.raise_to(80_000_00)
    answer = floor.hands("s1", {1: ROYAL["h"], 7: ROYAL["c"]})
    first, last = win_of(answer, 1), win_of(answer, 7)
    assert pay(floor, last, first) == [(first, 80_000_00), (last, SEED)]


def test_s_4_5_2_the_first_dealt_across_tables_is_paid_first() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.bets("s2")
    floor.raise_to(80_000_00)
    floor.wait(10)
    later = win_of(floor.hands("s2", {1: ROYAL["h"]}))
    first = win_of(floor.hands("s1", {1: STRAIGHT_FLUSH}, dealt=floor.now - 2_000_000))
    assert pay(floor, later, first) == [(first, 8_000_00), (later, 72_000_00)]


def test_s_4_5_2_bets_after_a_win_never_raise_it() -> None:
    floor = Floor(meter_ppm=1_000_000, reserve_ppm=0, progressive_bet=300_00)
    floor.bets("s1")
    floor.raise_to(80_000_00)
    royal = win_of(floor.hands("s1", {1: ROYAL["h"]}))
    floor.wait(1)
    later = floor.wins_major("s2", STRAIGHT_FLUSH)
    assert floor.value == 80_000_00
    assert pay(floor, royal, later) == [(royal, 80_000_00), (later, 5_030_00)]
    assert floor.value == 45_270_00


def test_s_4_5_2_the_house_determines_an_order_that_clocks_cannot_tell() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.bets("s2")
    floor.raise_to(80_000_00)
    floor.wait(1)
    moment = floor.now
    one = win_of(floor.hands("s1", {1: ROYAL["h"]}, dealt=moment))
    other = win_of(floor.hands("s2", {1: STRAIGHT_FLUSH}, dealt=moment))
    assert pay(floor, one, other) == []
    assert refused(lambda: floor.decide(other)) == ("order_incomplete", "4.5.2")
    floor.decide(other, one)
    assert floor.paid == [(other, 8_000_00), (one, 72_000_00)]


def test_s_4_5_2_the_house_cannot_turn_round_what_is_certain() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.bets("s2")
    floor.wait(1)
    moment = floor.now
    floor.hands("s1", {1: ROYAL["h"], 2: STRAIGHT_FLUSH}, dealt=moment)
    floor.hands("s2", {1: STRAIGHT_FLUSH}, dealt=moment)
    wrong = ("s1.1.2.1", "s2.1.1.1", "s1.1.1.1")
    assert refused(lambda: floor.decide(*wrong)) == ("order_contradicts_deal", "4.5")
    floor.decide(*sorted(wrong))
    assert floor.line == ["s1.1.1.1", "s1.1.2.1", "s2.1.1.1"]


# 5. Irregularities


def test_s_5_1_the_excess_over_the_prescribed_amount_is_returned() -> None:
    floor = Floor()
    answer = floor.bets("s1", {1: 800})
    assert returned(answer) == [(1, 300, "over_prescribed", "5.1")]
    assert accepted(answer) == {1: 500}
    assert floor.value == SEED + SHARE


def test_s_5_1_1_an_excessive_bet_wins_on_the_prescribed_amount() -> None:
    floor = Floor()
    floor.bets("s1", {1: 800})
    assert result(floor.hands("s1", {1: FLUSH})).award == 40 * 500


def test_s_5_2_a_bet_too_low_takes_no_part_in_the_jackpot() -> None:
    floor = Floor()
    floor.bets("s1", {1: 400})
    dealt = result(floor.hands("s1", {1: FLUSH}, final=True))
    assert (dealt.level, dealt.award) == (None, None)
    assert floor.balance(Account.WAGERS) == 0


def test_s_5_4_a_progressive_bet_without_an_ante_is_returned() -> None:
    floor = Floor()
    answer = floor.bets("s1", {1: 500, 2: 500}, ante={1: 0, 2: 2500})
    assert returned(answer) == [(1, 500, "no_ante", "5.4")]
    assert floor.value == SEED + SHARE


def test_s_5_5_who_walks_away_before_deciding_has_folded_but_keeps_the_jackpot_hand() -> None:
    floor = Floor()
    floor.bets("s1", [3])
    win = win_of(floor.hands("s1", {3: STRAIGHT_FLUSH}, folded=[3]), 3)
    assert floor.link.tables["s1"].round.boxes[3].record.folded
    assert pay(floor, win) == [(win, 5_000_20)]


def test_s_5_6_who_walks_away_after_deciding_is_settled_accordingly() -> None:
    floor = Floor()
    floor.bets("s1", [3])
    floor.hands("s1", {3: QUADS}, main={3: MainGame(decision="bet")})
    floor.wait(1)
    left = {3: MainGame(decision="walk_away")}
    answer = floor.hands("s1", {3: QUADS}, main=left, dealer="Ac Ad 8h 5s 3c", final=True)
    assert (answer.state, result(answer, 3).award) == (RoundState.SETTLED, 2_000_00)
    assert floor.balance(Account.PRIZES) == to_units(2_000_00)
    assert {line.rule for line in answer.settlement} == {"3.14.1"}


def test_s_5_7_1_play_continues_after_a_power_failure() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    moment, hands = floor.now, {1: FLUSH, 2: ROYAL["c"]}
    answer = floor.hands("s1", hands, dealt=moment)
    floor.book.restart()
    assert floor.hands("s1", hands, dealt=moment) == answer
    assert pay(floor, win_of(answer, 2)) == [("s1.1.2.1", SEED + 2 * SHARE)]
    assert floor.balance(Account.PRIZES) == to_units(200_00 + SEED + 2 * SHARE)


def test_s_5_7_1_a_round_with_an_outcome_is_not_voided_for_an_interruption() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH})
    assert refused(lambda: floor.void("s1", "5.7.2"))[1] == "5.7.1"
    assert floor.balance(Account.PRIZES) == to_units(200_00)


def test_s_5_7_2_a_round_without_an_outcome_is_voided_for_an_interruption() -> None:
    floor = Floor()
    floor.bets("s1", [1, 4])
    answer = floor.void("s1", "5.7.2")
    assert returned(answer) == [(1, 500, "round_voided", "5.22"), (4, 500, "round_voided", "5.22")]
    assert answer.reading.value == SEED


@pytest.mark.parametrize("paragraph", [f"5.8.{number}" for number in range(1, 8)])
def test_s_5_8_the_current_round_is_voided_and_earlier_ones_stand(paragraph: str) -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH}, final=True)
    before = balances(floor)
    floor.bets("s1", [1, 2])
    answer = floor.void("s1", paragraph)
    assert [one.amount for one in answer.returned] == [500, 2500, 500, 2500]
    assert floor.facts(RoundVoided)[0].reason == paragraph
    assert balances(floor) == before
    assert floor.balance(Account.PRIZES) == to_units(200_00)


@pytest.mark.parametrize("paragraph", ["5.8.8", "5.16", "5.23", "4.5"])
def test_s_5_8_a_paragraph_that_voids_nothing_is_refused(paragraph: str) -> None:
    floor = Floor()
    floor.bets("s1")
    assert refused(lambda: floor.void("s1", paragraph)) == ("void_reason_unknown", "5.8")
    assert floor.value == SEED + SHARE


def test_s_5_8_a_round_with_a_paid_major_is_not_voided() -> None:
    floor = Floor()
    win = floor.wins_major("s1", ROYAL["h"])
    pay(floor, win)
    assert refused(lambda: floor.void("s1", "5.8.3"))[0] == "win_paid"
    assert floor.paid == [(win, SEED + SHARE)]


@pytest.mark.parametrize("paragraph", ["5.8.2", "5.8.6"])
def test_s_5_8_a_hand_that_a_shoe_reported_need_not_have_been_seen(
    paragraph: str,
) -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH})
    assert floor.void("s1", paragraph).state is RoundState.VOIDED
    assert floor.balance(Account.PRIZES) == 0


def test_s_5_8_7_a_dealer_with_too_many_cards_is_refused() -> None:
    floor = Floor()
    floor.bets("s1")
    six = "Ad Ks 9d 4s 3s Td"
    said = refused(lambda: floor.hands("s1", {1: FLUSH}, dealer=six))
    assert said == ("wrong_number_of_cards", "5.8.7")
    assert floor.balance(Account.PRIZES) == 0


def test_s_5_9_a_round_without_its_burnt_card_can_be_voided() -> None:
    floor = Floor()
    floor.bets("s1", [2])
    assert returned(floor.void("s1", "5.9")) == [(2, 500, "round_voided", "5.22")]
    assert floor.facts(RoundVoided)[0].reason == "5.9"


def test_s_5_10_2_a_reconstructed_hand_takes_the_place_of_the_one_reported() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: FLUSH, 2: STRAIGHT})
    answer = floor.hands("s1", {1: STRAIGHT, 2: FULL_HOUSE})
    assert [one.award for one in answer.results] == [100_00, 400_00]
    assert floor.balance(Account.PRIZES) == to_units(500_00)


def test_s_5_10_3_a_player_may_have_the_bet_back_and_the_hand_invalidated() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    win = win_of(floor.hands("s1", {1: ROYAL["h"], 2: FLUSH}))
    answer = floor.hands("s1", {1: ("5.10.3",), 2: FLUSH})
    assert returned(answer) == [(1, 500, "hand_invalidated", "5.10.3")]
    assert win not in floor.link.queue
    assert [one.award for one in answer.results] == [None, 200_00]
    assert floor.value == SEED + SHARE


@pytest.mark.parametrize("bets", [{1: 500, 2: 500}, {1: 700}, {}], ids=["placed", "increased", "withdrawn"])
def test_s_5_11_after_no_more_bets_no_bet_changes(bets: dict[int, int]) -> None:
    floor = Floor()
    floor.bets("s1", [1])
    assert refused(lambda: floor.bets("s1", bets, round=1, ante={1: 2500})) == ("conflict", "5.11")
    assert floor.value == SEED + SHARE


def test_s_5_15_a_wrong_number_of_cards_is_refused_and_changes_nothing() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    before = floor.link.sequence
    said = refused(lambda: floor.hands("s1", {1: "Ah Kh Qh Jh", 2: FLUSH}))
    assert said == ("wrong_number_of_cards", "5.15")
    assert floor.link.sequence == before


def test_s_5_15_the_hand_is_invalidated_and_its_bet_returned() -> None:
    floor = Floor()
    floor.bets("s1", [2])
    before = balances(floor)
    floor.bets("s2", [1])
    answer = floor.hands("s2", {1: ("5.15",)})
    assert returned(answer) == [(1, 500, "hand_invalidated", "5.15")]
    assert result(answer) == HandResult(box=1)
    assert balances(floor) == before


def test_s_5_15_once_the_next_round_has_begun_the_hand_stands() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH})
    floor.bets("s1")
    assert refused(lambda: floor.hands("s1", {1: ("5.15",)}, round=1)) == ("round_stands", "5.20")
    assert floor.value == SEED + 2 * SHARE


def test_s_5_17_a_malfunction_before_cards_are_seen_voids_the_round() -> None:
    floor = Floor()
    floor.bets("s1", [1, 3])
    floor.malfunction("s1", seen={"s1": False})
    [voided] = floor.facts(RoundVoided)
    assert (voided.table, voided.round, voided.reason) == ("s1", 1, "5.17")
    assert [(one.box, one.amount, one.rule) for one in voided.returned if one.wager == PROGRESSIVE] == [
        (1, 500, "5.22"),
        (3, 500, "5.22"),
    ]
    assert floor.value == SEED


def test_s_5_17_a_malfunction_of_the_link_voids_each_round_by_the_number_in_its_own_game() -> None:
    floor = Floor(tables={"s1": STUD, "h1": HOLDEM})
    floor.bets("s1")
    floor.bets("h1")
    floor.malfunction(seen={"s1": False, "h1": False})
    assert {fact.table: fact.reason for fact in floor.facts(RoundVoided)} == {"s1": "5.17", "h1": "5.16"}
    assert floor.reading.state is MeterState.OFF


def test_s_5_17_the_house_says_whether_cards_were_seen_a_report_does_not() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: FLUSH})
    assert refused(lambda: floor.malfunction("s1"))[0] == "cards_seen_missing"
    floor.malfunction("s1", seen={"s1": False})
    assert floor.link.tables["s1"].round.state is RoundState.VOIDED
    assert floor.balance(Account.PRIZES) == 0


def test_s_5_17_a_table_may_void_by_it_after_a_shoe_reported_the_hands() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH})
    assert floor.void("s1", "5.17").state is RoundState.VOIDED
    assert floor.balance(Account.PRIZES) == 0


def test_s_5_17_a_table_that_lost_the_service_has_voided_a_round_nobody_saw() -> None:
    floor = Floor()
    floor.bets("s1", [1, 3])
    assert floor.lost("s1", cards_seen=False).voided == 1
    assert returned(floor.void("s1", "5.17", live=False)) == [
        (1, 500, "round_voided", "5.22"),
        (3, 500, "round_voided", "5.22"),
    ]
    assert floor.value == SEED


def test_s_5_18_1_a_round_whose_cards_were_seen_is_paid_the_registered_amount() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.raise_to(80_000_00)
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.wait(1)
    floor.bets("s2")
    floor.hands("s2", {1: NOTHING})
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}))
    assert floor.value == 80_000_00 + SHARE
    assert pay(floor, win) == [(win, 80_000_00)]
    assert floor.value == SEED + SHARE


def test_s_5_18_1_minors_of_the_round_are_paid_by_the_pay_table() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.malfunction("s1", seen={"s1": True})
    answer = floor.hands("s1", {1: QUADS, 2: STRAIGHT}, final=True)
    assert [one.award for one in answer.results] == [2_000_00, 100_00]
    assert answer.state is RoundState.SETTLED


def test_s_5_18_1_with_another_win_pending_the_registered_amount_is_what_it_leaves() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.bets("s2")
    floor.raise_to(80_000_00)
    royal = win_of(floor.hands("s2", {1: ROYAL["h"]}))
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.wait(1)
    win = win_of(floor.hands("s1", {1: STRAIGHT_FLUSH}))
    assert pay(floor, win, royal) == [(royal, 80_000_00), (win, 5_000_00)]


def test_s_5_18_1_a_win_registered_before_the_malfunction_is_paid_what_the_screen_showed() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.raise_to(80_000_00)
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}))
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    assert pay(floor, win) == [(win, 80_000_00)]


def test_s_5_18_1_a_win_still_waiting_is_paid_from_what_was_registered_before_the_fault() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.raise_to(80_000_00)
    floor.wait(1)
    fault = floor.now
    floor.bets("s2")
    floor.hands("s2", {1: NOTHING})
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}))
    floor.malfunction("s1", observed_at=fault)
    assert floor.value == 80_000_00 + SHARE
    assert pay(floor, win) == [(win, 80_000_00)]


def test_s_5_18_1_what_the_pool_cannot_give_needs_two_people() -> None:
    floor = Floor(royal_flush_approvals=1)
    floor.bets("s1")
    floor.bets("s2")
    floor.raise_to(80_000_00)
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    first = win_of(floor.hands("s2", {1: STRAIGHT_FLUSH}))
    assert pay(floor, first) == [(first, 8_000_00)]
    floor.bets("s2")
    floor.hands("s2", {1: NOTHING})
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}))
    floor.wait(1)
    floor.approve(win, "ana")
    assert floor.paid == [(first, 8_000_00)]
    floor.approve(win, "ben")
    assert floor.paid == [(first, 8_000_00), (win, 80_000_00)]
    assert floor.value == SEED + SHARE


def test_s_5_18_1_a_table_that_lost_the_service_pays_what_it_was_last_told() -> None:
    floor = Floor()
    floor.bets("s1")
    promise, lost = floor.told, floor.now
    floor.wait(9)
    floor.bets("s2")
    floor.hands("s2", {1: NOTHING})
    floor.lost("s1", since=lost, registered=promise)
    win = win_of(floor.hands("s1", {1: ROYAL["h"]}, sent_at=lost + 1, live=False))
    assert pay(floor, win) == [(win, SEED + SHARE)]
    assert floor.value == SEED + SHARE


def test_s_5_18_1_what_a_table_promised_and_the_journal_denies_is_for_the_house_to_decide() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.wait(1)
    floor.lost("s1", registered=Promise(value=90_000_00, sequence=floor.link.sequence))
    claim = result(floor.hands("s1", {1: ROYAL["h"]}, live=False)).claim
    assert claim is not None
    assert (floor.link.claims[claim].registered, floor.link.claims[claim].promised) == (
        SEED + SHARE,
        90_000_00,
    )
    assert floor.line == []


def test_s_5_18_2a_the_house_may_close_the_table() -> None:
    floor = Floor()
    floor.malfunction("s1", then=Then.CLOSE)
    assert returned(floor.bets("s1")) == [(1, 500, "table_closed", "5.18.2a")]
    beat = floor.beat("s1")
    assert (beat.progressive, beat.notice) == (False, NOTICE_CLOSED)
    assert accepted(floor.bets("s2")) == {1: 500}


def test_s_5_18_2b_the_house_may_block_the_box() -> None:
    floor = Floor()
    floor.malfunction("s1", box=2, then=Then.BLOCK_BOX)
    answer = floor.bets("s1", [1, 2])
    assert returned(answer) == [(2, 500, "box_blocked", "5.18.2b")]
    assert accepted(answer) == {1: 500}


def test_s_5_18_2c_the_house_may_play_on_without_the_jackpot() -> None:
    floor = Floor()
    malfunction = floor.malfunction("s1", then=Then.PROGRESSIVE_OFF)
    answer = floor.bets("s1")
    assert returned(answer) == [(1, 500, "progressive_off", "5.18.2c")]
    assert result(floor.hands("s1", {1: QUADS}, final=True)).award is None
    assert floor.beat("s1").notice == NOTICE_OFF
    floor.clear(malfunction)
    assert floor.beat("s1").notice is None
    assert accepted(floor.bets("s1")) == {1: 500}


def test_s_5_18_2c_a_table_that_lost_the_service_takes_no_progressive_bets_until_it_is_back() -> None:
    floor = Floor()
    floor.lost("s1")
    assert returned(floor.bets("s1", live=False)) == [(1, 500, "progressive_off", "5.18.2c")]
    floor.back("s1")
    assert accepted(floor.bets("s1")) == {1: 500}


def test_s_5_19_an_additional_hand_examined_is_invalidated_and_the_first_stays() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    assert refused(lambda: floor.hands("s1", {1: FLUSH, 2: ("5.19",)})) == ("supervisor_needed", "5.19")
    answer = floor.hands("s1", {1: FLUSH, 2: NOTHING})
    declared = floor.irregularity("s1", "5.19", boxes=(2,))
    assert [(one.box, one.wager, one.amount) for one in declared.returned] == [
        (2, "progressive", 500),
        (2, "ante", 2500),
    ]
    assert result(answer, 1).award == 200_00
    assert floor.value == SEED + SHARE


def test_s_5_19_the_number_of_another_game_invalidates_nothing() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    assert refused(lambda: floor.hands("s1", {1: FLUSH, 2: ("5.18",)}))[0] == "invalidation_unknown"
    assert floor.value == SEED + 2 * SHARE


def test_s_5_20_an_error_noticed_in_the_next_round_changes_neither() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: FLUSH})
    floor.bets("s1", [1, 2])
    assert refused(lambda: floor.void("s1", "5.8.3", round=1)) == ("round_stands", "5.8")
    assert refused(lambda: floor.hands("s1", {1: QUADS}, round=1)) == ("round_stands", "5.20")
    assert result(floor.hands("s1", {1: STRAIGHT, 2: NOTHING})).award == 100_00
    assert floor.balance(Account.PRIZES) == to_units(200_00 + 100_00)
    assert floor.value == SEED + 3 * SHARE


def test_s_5_20_a_major_reported_after_settlement_is_a_late_claim() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.hands("s1", {1: NOTHING}, final=True)
    dealt = result(floor.hands("s1", {1: ROYAL["h"]}))
    assert (dealt.win, dealt.claim) == (None, "s1.1.1.royal_flush")
    assert floor.link.claims["s1.1.1.royal_flush"].in_order == SEED + SHARE
    assert not floor.link.held


def test_s_5_21_a_bet_is_settled_where_it_lay() -> None:
    floor = Floor()
    floor.bets("s1", {1: 500}, ante={1: 2500, 2: 2500})
    answer = floor.hands("s1", {1: NOTHING, 2: ROYAL["h"]}, final=True)
    assert [(one.level, one.win, one.award) for one in answer.results] == [(None, None, None)] * 2
    assert floor.value == SEED + SHARE


def test_s_5_22_a_void_returns_all_bets_and_reverses_their_contributions() -> None:
    floor = Floor(progressive_bet=7, meter_ppm=333_333, reserve_ppm=11_111)
    before = balances(floor)
    floor.bets("s1", [1, 2, 5])
    assert balances(floor) != before
    answer = floor.void("s1")
    assert returned(answer) == [(box, 7, "round_voided", "5.22") for box in (1, 2, 5)]
    assert balances(floor) == before


def test_s_5_22_a_bet_already_returned_is_not_returned_again() -> None:
    floor = Floor()
    floor.bets("s1", {1: 500, 2: 500, 3: 800}, ante={1: 2500, 3: 2500})
    floor.hands("s1", {1: ("5.15",), 3: NOTHING})
    assert returned(floor.void("s1")) == [(3, 500, "round_voided", "5.22")]
    assert floor.balance(Account.WAGERS) == 0


def test_s_5_22_a_contribution_that_a_major_has_won_is_returned_by_the_house() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.wait(1)
    win = floor.wins_major("s2", ROYAL["h"])
    floor.malfunction("s1", seen={"s1": True})
    assert pay(floor, win) == [(win, SEED + 2 * SHARE)]
    house = floor.balance(Account.HOUSE)
    assert returned(floor.void("s1")) == [(1, 500, "round_voided", "5.22")]
    assert floor.value == SEED
    assert floor.balance(Account.HOUSE) == house - to_units(500)


def test_s_5_24_the_house_may_void_what_the_rules_do_not_foresee() -> None:
    floor = Floor()
    floor.bets("s1")
    assert refused(lambda: floor.void("s1", "5.24")) == ("supervisor_needed", "5.24")
    declared = floor.irregularity("s1", "5.24", resolution=Resolution.VOID, note="the roof leaks")
    assert [(one.wager, one.rule) for one in declared.returned] == [("progressive", "5.22"), ("ante", "5.22")]
    assert floor.value == SEED
