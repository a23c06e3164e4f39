"""Free Bet Blackjack: what is its own, markers for splits and doubles, the dealer's 22 and soft 17.

All else is in `test_rules_blackjack*.py`. An Initial Bet is 10.00.
"""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.games.blackjack import (
    FREE_BET,
    Choice,
    Resolution,
    RoundFollows,
    check_void,
    dealer_view,
    judge,
    playing,
    returned_at_once,
)
from tests.blackjack import (
    ONE,
    Json,
    Told,
    beside,
    brief,
    closed,
    declared,
    hand,
    judged,
    no,
    not_declared,
    part,
    returned,
    settled,
    told,
)

NINETEEN = "Th 9s"


def free(*hands: Json, dealer: str = "9c 8d", **more: Any) -> list[Told]:
    return settled(FREE_BET, *hands, dealer=dealer, **more)


def refused(*hands: Json, dealer: str = "9c", **more: Any) -> tuple[str, str | None, object]:
    return no(FREE_BET, *hands, dealer=dealer, **more)


# Markers


def test_f_1_11_a_marker_stands_for_a_free_split_or_double_and_is_no_money() -> None:
    split = hand(1, "8c 8d", "free_split", part("8c 3d Th", "free_double"), part("8d Ts"))
    lines = judged(FREE_BET, ONE, [split], "9c 8d", final=True).lines
    assert [(line.hand, line.wager, line.stake, line.marker) for line in lines] == [
        (1, "bet", 10_00, None),
        (1, "free_double", 0, 10_00),
        (2, "free_split", 0, 10_00),
    ]


def test_f_1_11_1_a_winning_marker_is_paid_the_initial_bet_with_no_stake_to_return() -> None:
    split = hand(1, "8c 8d", "free_split", part("8c 3d Th", "free_double"), part("8d Ts"))
    assert free(split, final=True) == [
        ("bet", "win", 10_00, 20_00, "3.24.2"),
        ("free_double", "win", 0, 10_00, "1.11.1"),
        ("free_split 2", "win", 0, 10_00, "1.11.1"),
    ]
    assert free(split, dealer="9c 4d Td", final=True) == [
        ("bet", "win", 10_00, 20_00, "3.24.1"),
        ("free_double", "win", 0, 10_00, "1.11.1"),
        ("free_split 2", "win", 0, 10_00, "1.11.1"),
    ]


def test_f_1_11_1_of_a_bet_over_the_maximum_a_marker_is_worth_the_part_that_plays() -> None:
    doubled = hand(1, "6c 5d Th", "free_double")
    assert free(doubled, limits={"maximum": 8_00}, final=True)[1:] == [
        ("bet", "win", 8_00, 16_00, "3.24.2"),
        ("free_double", "win", 0, 8_00, "1.11.1"),
    ]


def test_f_1_11_1_a_marker_that_does_not_win_ends_as_its_hand_and_costs_nothing() -> None:
    doubled = hand(1, "6c 4d 8h", "free_double")
    for dealer, outcome, payout, rule in (
        ("9c Td", "lose", 0, "3.24.3"),
        ("9c 9d", "stand_off", 10_00, "3.24.4"),
        ("9c 6d 7d", "stand_off", 10_00, "3.24.5"),
    ):
        assert free(doubled, dealer=dealer, final=True) == [
            ("bet", outcome, 10_00, payout, rule),
            ("free_double", outcome, 0, 0, rule),
        ]


def test_f_1_12_a_free_double_is_laid_without_money_on_a_hard_9_10_or_11() -> None:
    for cards in ("5c 4d Th", "7c 2d Th", "6c 4d Th", "8c 3d Th"):
        found = free(hand(1, cards, "free_double"), final=True)
        assert [line[0] for line in found] == ["bet", "free_double"]
        assert found[1][2:4] == (0, 10_00)


def test_f_1_13_any_pair_without_a_picture_card_is_split_for_free() -> None:
    """A6: two pip tens have none."""
    for face in ("2", "3", "4", "5", "6", "7", "8", "9", "T", "A"):
        split = hand(1, f"{face}c {face}d", "free_split", part(f"{face}c"), part(f"{face}d"))
        assert free(split, dealer="9c") == []


def test_f_1_35_a_dealers_22_stands_off_with_every_hand_that_is_not_bust() -> None:
    boxes = [*ONE, {"box": 2, "bet": 10_00}]
    assert free(hand(1, "Th 2s"), hand(2, "Th 6s 9h"), dealer="9c 6d 7h", boxes=boxes, final=True) == [
        ("bet", "stand_off", 10_00, 10_00, "3.24.5"),
        ("bet", "lose", 10_00, 0, "3.19"),
    ]


def test_f_1_4_the_dealer_is_bust_over_22() -> None:
    for dealer, bust in (("9c 6d 7h", False), ("9c 6d 8h", True)):
        shown = dealer_view(judged(FREE_BET, ONE, [hand(1, NINETEEN)], dealer).play)
        assert (shown.bust, shown.finished) == (bust, True)
    assert free(hand(1, "Th 2s"), dealer="9c 6d 8h") == [("bet", "win", 10_00, 20_00, "3.24.1")]


# Free splits


@pytest.mark.parametrize("cards", ["Kc Kd", "Kc Td", "Th Jd", "Qc Jd"])
def test_f_3_22_a_picture_card_is_split_for_money_only(cards: str) -> None:
    """A6."""
    first, second = cards.split()
    hands = part(f"{first} 9s"), part(f"{second} 9h")
    assert refused(hand(1, cards, "free_split", *hands)) == (
        "free_split_not_allowed",
        "3.22",
        "hands[0].decision",
    )
    assert [line[0] for line in free(hand(1, cards, "split", *hands), final=True)] == ["bet", "split 2"]


def test_f_3_22_free_or_paid_is_each_players_own_choice() -> None:
    """A7: whoever says nothing does as the seat."""
    boxes = [*ONE, beside(5_00), beside(6_00, "C")]
    hands = part("8c 9s"), part("8d Ts")
    for call, said, expected in (
        ("free_split", "paid", ["free_split", "split", "free_split"]),
        ("split", "free", ["split", "free_split", "split"]),
    ):
        split = hand(1, "8c 8d", call, *hands, wagers=[{"player": "B", "split": said}])
        lines = judged(FREE_BET, boxes, [split], "9c 8h", final=True).lines
        assert [line.wager for line in lines if line.hand == 2] == expected
        assert [line.player for line in lines if line.hand == 2] == ["1", "B", "C"]


def test_f_3_22_so_may_one_who_is_named_before_the_caller() -> None:
    boxes: list[Json] = [beside(5_00), {"box": 1, "bet": 10_00}]
    said = [{"player": "B", "split": "free"}, {"split": "paid"}]
    split = hand(1, "8c 8d", "split", part("8c 9d"), part("8d Th"), wagers=said)
    lines = judged(FREE_BET, boxes, [split], "2d Td 7c", final=True).lines
    assert [(line.player, line.wager, line.stake) for line in lines] == [
        ("B", "bet", 5_00),
        ("B", "free_split", 0),
        ("1", "bet", 10_00),
        ("1", "split", 10_00),
    ]


def test_f_3_22_1_who_declines_a_free_split_has_no_marker_on_the_second_hand() -> None:
    boxes = [*ONE, beside(5_00)]
    split = hand(
        1, "8c 8d", "free_split", part("8c 9s"), part("8d Ts"), wagers=[{"player": "B", "split": "none"}]
    )
    assert [line[:2] for line in free(split, boxes=boxes, final=True) if line[0] == "B"] == [("B", "bet")]


def test_f_3_22_2_paid_and_free_splits_together_make_four_hands_at_most() -> None:
    four = part("8c 8h", "split", part("8c 8s", "free_split", part("8c Tc"), part("8s Ts")), part("8h Th"))
    fifth = part("8d 8h", "free_split", part("8d Td"), part("8h Tc"))
    assert len(free(hand(1, "8c 8d", "free_split", four, part("8d Td")), final=True)) == 4
    assert refused(hand(1, "8c 8d", "free_split", four, fifth)) == (
        "split_not_allowed",
        "3.22.2",
        "hands[0].split[1].decision",
    )


def test_f_3_22_2_aces_split_for_free_get_one_card_each_and_are_not_split_again() -> None:
    assert refused(hand(1, "Ac Ad", "free_split", part("Ac 5d 3h"), part("Ad")))[:2] == (
        "draw_not_allowed",
        "3.22.2",
    )
    again = part("Ac Ah", "free_split", part("Ac Td"), part("Ah"))
    assert refused(hand(1, "Ac Ad", "free_split", again, part("Ad")))[:2] == ("split_not_allowed", "3.22.2")


def test_f_3_22_3_a_free_hand_that_busts_loses_its_marker_and_no_money() -> None:
    split = hand(1, "8c 8d", "free_split", part("8c 9s"), part("8d 5s Td"))
    assert free(split, dealer="9c") == [("free_split 2", "lose", 0, 0, "3.22.3")]


def test_f_3_22_3_to_a_dealers_blackjack_at_most_one_initial_bet_is_lost() -> None:
    """A2: besides what was bust. Where the money is bust a free hand adds nothing but a paid double."""
    free_hand = hand(1, "8c 8d", "free_split", part("8c 5d Tc"), part("8d Th"))
    assert free(free_hand, dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, "3.22.3"),
        ("free_split 2", "lose", 0, 0, "3.22.3"),
    ]
    doubled = part("8d 3c Th", "double", wagers=[{"double": 6_00}])
    assert free(hand(1, "8c 8d", "free_split", part("8c 5d Tc"), doubled), dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, "3.22.3"),
        ("free_split 2", "lose", 0, 0, "3.22.3"),
        ("double 2", "lose", 6_00, 0, "3.22.3"),
    ]
    both = hand(1, "8c 8d", "free_split", part("8c 3d Tc", "double"), doubled)
    assert free(both, dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, "3.22.3"),
        ("double", "returned", 10_00, 10_00, "3.22.3"),
        ("free_split 2", "lose", 0, 0, "3.22.3"),
        ("double 2", "returned", 6_00, 6_00, "3.22.3"),
    ]


def test_f_3_22_3_it_is_taken_from_bets_and_splits_before_doubles() -> None:
    """The money is bust; of what is left a paid double lies on the second hand, a paid split on the third."""
    doubled = part("8d 3c Th", "double", wagers=[{"double": 6_00}])
    split = hand(1, "8c 8d", "free_split", part("8c 5d Tc"), part("8d 8h", "split", doubled, part("8h Ts")))
    assert free(split, dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, "3.22.3"),
        ("free_split 2", "lose", 0, 0, "3.22.3"),
        ("double 2", "returned", 6_00, 6_00, "3.22.3"),
        ("split 3", "lose", 10_00, 0, "3.22.3"),
    ]


# Free doubles


def test_f_3_23_a_free_hand_may_be_doubled_for_money_and_a_paid_one_for_free() -> None:
    paid = hand(1, "8c 8d", "free_split", part("8c 9s"), part("8d 3s Td", "double"))
    assert [line[0] for line in free(paid, final=True)] == ["bet", "free_split 2", "double 2"]
    for_free = hand(1, "8c 8d", "split", part("8c 9s"), part("8d 3s Td", "free_double"))
    assert [line[0] for line in free(for_free, final=True)] == ["bet", "split 2", "free_double 2"]


@pytest.mark.parametrize("cards", ["5c 3d", "6c 6d", "Ac 8d", "Ac 9d", "Tc 2d"])
def test_f_3_23_1_no_other_total_is_doubled_for_free_and_no_soft_one(cards: str) -> None:
    """A5: an ace and an 8 are a soft 19, no hard 9."""
    assert refused(hand(1, f"{cards} 9h", "free_double")) == (
        "free_double_not_allowed",
        "3.23.1",
        "hands[0].decision",
    )
    boxes = [*ONE, beside(5_00)]
    said = [{"player": "B", "free_double": True}]
    beside_a_paid = hand(1, f"{cards} 9h", "double", wagers=said)
    assert refused(beside_a_paid, boxes=boxes)[:2] == ("free_double_not_allowed", "3.23.1")


def test_f_3_23_1_split_aces_are_not_doubled_for_free() -> None:
    split = hand(1, "Ac Ad", "free_split", part("Ac 9h", "free_double"), part("Ad"))
    assert refused(split)[0] == "double_not_allowed"


def test_f_3_23_1_a_standing_player_may_pay_beside_a_marker_or_take_one_beside_a_paid_double() -> None:
    """A7."""
    boxes = [*ONE, beside(5_00), beside(6_00, "C"), beside(7_00, "D")]
    said: list[Json] = [{"player": "B", "double": 3_00}, {"player": "C", "free_double": False}]
    lines = judged(FREE_BET, boxes, [hand(1, "6c 5d Th", "free_double", wagers=said)], "9c 8h").lines
    assert [(line.player, line.wager, line.stake, line.marker) for line in lines if line.wager != "bet"] == [
        ("1", "free_double", 0, 10_00),
        ("B", "double", 3_00, None),
        ("D", "free_double", 0, 7_00),
    ]
    said = [{"player": "B", "free_double": True}]
    lines = judged(FREE_BET, boxes[:2], [hand(1, "6c 5d Th", "double", wagers=said)], "9c 8h").lines
    assert [(line.player, line.wager, line.stake) for line in lines if line.wager != "bet"] == [
        ("1", "double", 10_00),
        ("B", "free_double", 0),
    ]


def test_f_3_23_1_one_named_before_the_caller_may_take_a_marker_where_he_pays() -> None:
    """Nobody is seated: the highest Initial Bet calls (3.8), and who is named before it changes no call."""
    boxes = [beside(70_00, "1", box=2), beside(80_00, "D", box=2)]
    said = [{"player": "1", "free_double": True}, {"player": "D", "double": 50_00}]
    lines = judged(
        FREE_BET, boxes, [hand(2, "2c 7h Qs", "double", wagers=said)], "2d Td 7c", final=True
    ).lines
    assert [(line.player, line.wager, line.stake, line.marker) for line in lines] == [
        ("1", "bet", 70_00, None),
        ("1", "free_double", 0, 70_00),
        ("D", "bet", 80_00, None),
        ("D", "double", 50_00, None),
    ]


def test_f_3_23_2_who_stays_out_of_a_free_double_takes_its_one_card_all_the_same() -> None:
    boxes = [*ONE, beside(5_00)]
    out = hand(1, "6c 5d 2h", "free_double", wagers=[{"player": "B", "double": 0}])
    assert free(out, boxes=boxes, final=True)[2:] == [("B", "bet", "lose", 5_00, 0, "3.24.3")]
    more = hand(1, "6c 5d 2h 7h", "free_double", wagers=[{"player": "B", "double": 0}])
    assert refused(more, boxes=boxes)[:2] == ("draw_not_allowed", "3.23")


def test_f_3_23_3_of_a_free_double_a_blackjack_takes_the_initial_bet_and_the_marker() -> None:
    assert free(hand(1, "6c 5d Th", "free_double"), dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, "3.23.3"),
        ("free_double", "lose", 0, 0, "3.23.3"),
    ]


# The dealer


def test_f_3_24_the_dealer_draws_to_a_soft_17_and_stands_on_a_hard_one() -> None:
    for dealer, finished in (("6c Ad", False), ("6c Ad Td", True), ("7c Ad", True), ("9c 8d", True)):
        assert dealer_view(judged(FREE_BET, ONE, [hand(1, NINETEEN)], dealer).play).finished is finished
    assert refused(hand(1, NINETEEN), dealer="7c Ad 2h") == ("dealer_draw_wrong", "5.10.2", "dealer.cards[2]")
    assert refused(hand(1, NINETEEN), dealer="6c Ad", final=True)[0] == "play_incomplete"
    assert free(hand(1, NINETEEN), dealer="6c Ad 4h", final=True) == [("bet", "lose", 10_00, 0, "3.24.3")]


def test_f_3_24_5_a_22_is_no_bust_but_a_stand_off() -> None:
    for cards in ("Th 2s", NINETEEN, "Th 6s 5d"):
        assert free(hand(1, cards), dealer="9c 6d 7h", final=True) == [
            ("bet", "stand_off", 10_00, 10_00, "3.24.5")
        ]


def test_f_3_24_5_a_natural_wins_3_to_2_against_22() -> None:
    """A10: the exception is the more special."""
    boxes = [*ONE, {"box": 2, "bet": 10_00}]
    for dealer, rule in (("Kc 5d 7h", "3.16"), ("Ac Ad Kh Th", "3.15.1")):
        found = free(hand(1, "Ah Qd"), hand(2, NINETEEN), dealer=dealer, boxes=boxes, final=True)
        assert found[0] == ("bet", "win", 10_00, 25_00, rule)
        assert found[1] == ("bet", "stand_off", 10_00, 10_00, "3.24.5")


# Damaged or lost cards


def test_f_5_13_the_house_says_what_becomes_of_a_damaged_or_lost_card() -> None:
    assert not_declared(FREE_BET, "5.13", resolution=Resolution.VOID) == ("reason_missing", None, "note")
    assert not_declared(FREE_BET, "5.13", note="torn") == ("resolution_missing", None, "resolution")


def test_f_5_13_1_a_card_whose_value_is_established_lets_the_round_go_on() -> None:
    found = declared(FREE_BET, "5.13", note="the camera shows a nine", resolution=Resolution.CONTINUE)
    assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, "5.13.1", ())


def test_f_5_13_2_otherwise_the_round_is_voided() -> None:
    found = declared(FREE_BET, "5.13", note="no camera saw it", resolution=Resolution.VOID)
    assert (found.follows, found.rule) == (RoundFollows.VOIDED, "5.13.2")
    assert [(one.rule, one.returned) for one in found.players] == [("5.18", True)]
    check_void(FREE_BET, "5.13.2", ())


def test_f_5_18_a_void_takes_markers_back() -> None:
    split = hand(1, "8c 8d", "free_split", part("8c 3d Th", "free_double"), part("8d Ts"))
    assert returned(FREE_BET, split, dealer="9c", boom=[{"player": "X", "bet": 2_00}]) == [
        ("bet", "returned", 10_00, 10_00, "5.18"),
        ("free_double", "returned", 0, 0, "5.18"),
        ("free_split 2", "returned", 0, 0, "5.18"),
        ("X", "boom_busted", "returned", 2_00, 2_00, "5.18"),
    ]


def test_f_5_7_3_a_bet_on_boom_busted_has_the_options_too() -> None:
    boom = [{"player": "X", "bet": 2_00}]
    said: Json = {"reconstructed": False, "interim_settled": False, "boom": boom}
    assert not_declared(FREE_BET, "5.7", choices={"1": Choice.CONTINUE}, **said)[0] == "choice_missing"
    choices = {"1": Choice.CONTINUE, "boom_busted/X": Choice.RETURN}
    found = declared(FREE_BET, "5.7", choices=choices, **said)
    closing = closed(FREE_BET, *ONE, boom=boom)
    report = told(hand(1, NINETEEN), dealer="9c 8d", final=True)
    assert brief(judge(closing, report, returned=found.returned).lines) == [
        ("bet", "win", 10_00, 20_00, "3.24.2"),
        ("X", "boom_busted", "returned", 2_00, 2_00, "5.7.3"),
    ]


def test_f_5_7_3_lucky_stash_goes_back_with_the_hand_also_after_the_interim_settlement() -> None:
    """A20: the bet on the pair was settled and stands."""
    boxes = [{"box": 1, "bet": 10_00, "rws_pairs": 1_00, "lucky_stash": 1_00}]
    back = declared(
        FREE_BET, "5.7", boxes=boxes, choices={"1": Choice.RETURN}, reconstructed=False, interim_settled=True
    )
    doubled = hand(1, "6c 5d 2h", "free_double")
    lines = judged(FREE_BET, boxes, [doubled], "9c", returned=back.returned, final=True).lines
    assert brief(lines) == [
        ("rws_pairs", "lose", 1_00, 0, "3.14"),
        ("lucky_stash", "returned", 1_00, 1_00, "5.7.3"),
        ("bet", "returned", 10_00, 10_00, "5.7.3"),
        ("free_double", "returned", 0, 0, "5.7.3"),
    ]


def test_f_2_1_1_the_layout_has_one_to_six_boxes() -> None:
    assert FREE_BET.most_boxes == 6


def test_f_5_1_3_what_is_over_the_limit_of_boom_busted_goes_back_to_who_came_last() -> None:
    boom = [{"player": "X", "bet": 6_00}, {"player": "Y", "bet": 7_00}, {"player": "Z", "bet": 1_00}]
    limits: Json = {"side": {"boom_busted": {"maximum": 10_00}}}
    closing = closed(FREE_BET, *ONE, boom=boom, **limits)
    assert [(one.player, one.stake) for one in playing(closing)[1:]] == [("X", 6_00), ("Y", 4_00)]
    assert brief(returned_at_once(closing)) == [("Z", "boom_busted", "returned", 1_00, 1_00, "5.1.3")]
    found = free(hand(1, NINETEEN), boom=boom, limits=limits, final=True)
    assert found[1:] == [
        ("X", "boom_busted", "lose", 6_00, 0, "3.26.2"),
        ("Y", "boom_busted", "returned", 3_00, 3_00, "5.1.3"),
        ("Y", "boom_busted", "lose", 4_00, 0, "3.26.2"),
        ("Z", "boom_busted", "returned", 1_00, 1_00, "5.1.3"),
    ]
