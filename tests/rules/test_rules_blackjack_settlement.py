"""The games of blackjack, paragraph by paragraph: insurance, naturals, surrender, the comparison with the
dealer, and the side bets of Blackjack. An Initial Bet is 10.00 unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from jackpot.games.blackjack import BLACKJACK, FREE_BET, BlackjackRules, dealer_view
from tests.blackjack import ONE, Json, beside, hand, judged, no, part, settled
from tests.paragraphs import paragraph

# With an ace up


@paragraph(B="3.14", P="3.15", F="3.15")
def test_insurance_takes_an_ace_as_the_dealers_first_card(rules: BlackjackRules, rule: str) -> None:
    insured = hand(1, "Th 9s", wagers=[{"insurance": 5_00}])
    assert settled(rules, insured, dealer="As") == []
    for dealer in ("Kc", "9c", ""):
        assert no(rules, insured, dealer=dealer) == (
            "insurance_not_allowed",
            rule,
            "hands[0].wagers[0].insurance",
        )


@paragraph(B="3.14.1", P="3.15.1", F="3.15.1")
def test_a_natural_may_take_even_money_before_the_dealer_draws(rules: BlackjackRules, rule: str) -> None:
    even = hand(1, "Ah Kd", wagers=[{"even_money": True}])
    for dealer in ("As", "As Kc", "As 9c"):
        assert settled(rules, even, dealer=dealer) == [("bet", "win", 10_00, 20_00, rule)]


@paragraph(B="3.14.1", P="3.15.1", F="3.15.1")
def test_who_does_not_stands_off_with_a_blackjack_and_wins_3_to_2_otherwise(
    rules: BlackjackRules, rule: str
) -> None:
    assert settled(rules, hand(1, "Ah Kd"), dealer="As") == []
    assert settled(rules, hand(1, "Ah Kd"), dealer="As Kc") == [("bet", "stand_off", 10_00, 10_00, rule)]
    assert settled(rules, hand(1, "Ah Kd"), dealer="As 9c") == [("bet", "win", 10_00, 25_00, rule)]


@paragraph(B="3.14.1 3.14.2", P="3.15.1 3.15.2", F="3.15.1 3.15.2")
def test_even_money_is_each_players_own_and_leaves_nothing_to_insure(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A4."""
    boxes = [*ONE, beside(6_00), beside(8_00, "C")]
    said = [{"even_money": True}, {"player": "C", "insurance": 4_00}]
    assert settled(rules, hand(1, "Ah Kd", wagers=said), dealer="As Kc", boxes=boxes) == [
        ("bet", "win", 10_00, 20_00, rule),
        ("B", "bet", "stand_off", 6_00, 6_00, rule),
        ("C", "insurance", "win", 4_00, 12_00, also),
        ("C", "bet", "stand_off", 8_00, 8_00, rule),
    ]
    both = hand(1, "Ah Kd", wagers=[{"even_money": True, "insurance": 5_00}])
    assert no(rules, both, dealer="As") == ("decision_contradictory", rule, "hands[0].wagers[0].insurance")


@paragraph(B="3.14.1", P="3.15.1", F="3.15.1")
def test_even_money_takes_a_natural_and_an_ace(rules: BlackjackRules, rule: str) -> None:
    said = [{"even_money": True}]
    field = "hands[0].wagers[0].even_money"
    for cards, dealer in (("Ah 9d", "As"), ("Ah Kd", "Kc"), ("Ah 5d 5c", "As"), ("Ah", "As")):
        assert no(rules, hand(1, cards, wagers=said), dealer=dealer) == (
            "even_money_not_allowed",
            rule,
            field,
        )


@paragraph(B="3.14.2 3.23.3", P="3.15.2 3.24.3", F="3.15.2 3.24.3")
def test_insurance_is_each_players_own_and_apart_from_his_hand(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    boxes = [*ONE, beside(6_00), beside(8_00, "C")]
    said = [{"insurance": 5_00}, {"player": "C", "insurance": 1_00}]
    assert settled(rules, hand(1, "Th 9s", wagers=said), dealer="As Kc", boxes=boxes, final=True) == [
        ("insurance", "win", 5_00, 15_00, rule),
        ("bet", "lose", 10_00, 0, also),
        ("B", "bet", "lose", 6_00, 0, also),
        ("C", "insurance", "win", 1_00, 3_00, rule),
        ("C", "bet", "lose", 8_00, 0, also),
    ]


@paragraph(B="3.14.2", P="3.15.2", F="3.15.2")
def test_nobody_insures_the_bet_of_another(rules: BlackjackRules, rule: str) -> None:
    other = hand(1, "Th 9s", wagers=[{"player": "X", "insurance": 1_00}])
    assert no(rules, other, dealer="As") == ("player_not_on_box", None, "hands[0].wagers[0].player"), rule


@paragraph(B="3.14.2a 3.14.2", P="3.15.2a 3.15.2", F="3.15.2a 3.15.2")
def test_insurance_is_at_most_half_the_initial_bet_the_excess_goes_back(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A13. Half of odd cents is rounded down: a bet of half or less."""
    boxes = [{"box": 1, "bet": 25_01}]
    for laid, back, plays in ((15_00, 2_50, 12_50), (12_50, 0, 12_50), (12_51, 1, 12_50), (1, 0, 1)):
        insured = hand(1, "Th 9s", wagers=[{"insurance": laid}])
        found = settled(rules, insured, dealer="As 6c", boxes=boxes)[: 2 if back else 1]
        expected = [("insurance", "returned", back, back, also)] if back else []
        assert found == [*expected, ("insurance", "lose", plays, 0, also)], rule


@paragraph(B="3.14.2a 3.14", P="3.15.2a 3.15", F="3.15.2a 3.15")
def test_insurance_is_placed_after_the_second_card_on_the_first_hand_only(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    field = "hands[0].wagers[0].insurance"
    said = [{"insurance": 5_00}]
    assert no(rules, hand(1, "Th", wagers=said), dealer="As") == ("insurance_not_allowed", also, field), rule
    split = hand(1, "8c 8d", "split", part("8c 9d", wagers=said), part("8d"))
    assert no(rules, split, dealer="As")[:2] == ("insurance_not_allowed", also)


@paragraph(B="3.14.2b 3.14.2", P="3.15.2b 3.15.2", F="3.15.2b 3.15.2")
def test_insurance_wins_2_to_1_on_a_blackjack_and_loses_otherwise_with_the_second_card(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    bust = hand(1, "Th 6s 9h", wagers=[{"insurance": 5_00}])
    assert [line[0] for line in settled(rules, bust, dealer="As")] == ["bet"], rule
    assert settled(rules, bust, dealer="As Kc")[0] == ("insurance", "win", 5_00, 15_00, also)
    assert settled(rules, bust, dealer="As 5c")[0] == ("insurance", "lose", 5_00, 0, also)
    assert settled(rules, bust, dealer="As 5c 5d", final=True)[0] == ("insurance", "lose", 5_00, 0, also)


# Naturals against another card


@paragraph(B="3.15", P="3.16", F="3.16")
def test_a_natural_against_2_to_9_wins_3_to_2_at_once(rules: BlackjackRules, rule: str) -> None:
    for face in "23456789":
        won = settled(rules, hand(1, "Ah Kd"), dealer=f"{face}c", final=True)
        assert won == [("bet", "win", 10_00, 25_00, rule)]


@paragraph(B="3.15", P="3.16", F="3.16")
def test_a_natural_against_a_ten_waits_and_stands_off_with_a_blackjack(
    rules: BlackjackRules, rule: str
) -> None:
    for face in ("T", "J", "Q", "K"):
        assert settled(rules, hand(1, "Ah Kd"), dealer=f"{face}c") == []
        stood = settled(rules, hand(1, "Ah Kd"), dealer=f"{face}c As", final=True)
        assert stood == [("bet", "stand_off", 10_00, 10_00, rule)]
        won = settled(rules, hand(1, "Ah Kd"), dealer=f"{face}c 6s", final=True)
        assert won == [("bet", "win", 10_00, 25_00, rule)]


@paragraph(B="3.15", P="3.16", F="3.16")
def test_a_natural_beats_a_drawn_21(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, {"box": 2, "bet": 10_00}]
    found = settled(rules, hand(1, "Ah Kd"), hand(2, "Th 7s"), dealer="Kc 5s 6d", boxes=boxes, final=True)
    assert [line[:4] for line in found] == [("bet", "win", 10_00, 25_00), ("bet", "lose", 10_00, 0)], rule


# Surrender


@paragraph(B="3.16", P="3.17", F="3.17")
def test_a_surrender_loses_half_at_once_whatever_the_dealer_draws(rules: BlackjackRules, rule: str) -> None:
    """A3: a dealer's blackjack later does not touch it. A14: the half cent is the player's."""
    boxes = [{"box": 1, "bet": 25_05}]
    for dealer in ("Kc", "Kc As", "6c", "6c Td Th"):
        assert settled(rules, hand(1, "Th 6s", "surrender"), dealer=dealer, boxes=boxes) == [
            ("bet", "lose", 12_52, 0, rule),
            ("bet", "returned", 12_53, 12_53, rule),
        ]


@paragraph(B="3.16", P="3.17", F="3.17")
def test_nothing_is_surrendered_to_an_ace_or_after_a_third_card(rules: BlackjackRules, rule: str) -> None:
    refused = ("surrender_not_allowed", rule, "hands[0].decision")
    assert no(rules, hand(1, "Th 6s", "surrender"), dealer="As") == refused
    assert no(rules, hand(1, "Th 2s 4d", "surrender"), dealer="Kc") == refused


@paragraph(B="3.16 3.15", P="3.17 3.16", F="3.17 3.16")
def test_a_natural_may_be_surrendered_to_a_ten_and_not_where_it_has_won(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A16."""
    given_up = hand(1, "Ah Kd", "surrender")
    assert settled(rules, given_up, dealer="Qc As") == [
        ("bet", "lose", 5_00, 0, rule),
        ("bet", "returned", 5_00, 5_00, rule),
    ]
    assert no(rules, given_up, dealer="9c") == ("surrender_not_allowed", also, "hands[0].decision")


# The dealer


@paragraph(B="3.23", P="3.24", F="3.24")
def test_the_dealer_draws_to_16_and_stands_on_a_hard_17(rules: BlackjackRules, rule: str) -> None:
    assert not dealer_view(judged(rules, ONE, [hand(1, "Th 9s")], "9c 7d").play).finished
    assert dealer_view(judged(rules, ONE, [hand(1, "Th 9s")], "9c 8d").play).finished, rule
    for dealer, place in (("9c 8d 2h", 2), ("9c 2d 6h 4s", 3), ("Ac 8d 2h", 2)):
        refused = no(rules, hand(1, "Th 9s"), dealer=dealer)
        assert refused == ("dealer_draw_wrong", "5.10.2", f"dealer.cards[{place}]")


@paragraph(B="3.23", P="3.24")
def test_the_dealer_stands_on_a_soft_17(rules: BlackjackRules, rule: str) -> None:
    assert dealer_view(judged(rules, ONE, [hand(1, "Th 9s")], "6c Ad").play).finished, rule
    drawn = no(rules, hand(1, "Th 9s"), dealer="6c Ad 2h")
    assert drawn == ("dealer_draw_wrong", "5.10.2", "dealer.cards[2]")


@paragraph(B="3.23 3.18", P="3.24 3.19", F="3.24 3.19")
def test_the_dealer_need_not_draw_when_nothing_depends_on_it(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A21. Insurance needs his second card and no more."""
    bust = hand(1, "Th 6s 9h")
    assert settled(rules, bust, dealer="9c", final=True) == [("bet", "lose", 10_00, 0, also)], rule
    insured = bust | {"wagers": [{"insurance": 5_00}]}
    assert no(rules, insured, dealer="As", final=True)[0] == "play_incomplete"
    assert len(settled(rules, insured, dealer="As 2c", final=True)) == 2


@paragraph(B="3.23.1", P="3.24.1", F="3.24.1")
def test_a_bust_of_the_dealer_wins_for_all_who_are_not(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, {"box": 2, "bet": 10_00}]
    found = settled(rules, hand(1, "Th 2s"), hand(2, "Th 6s 9h"), dealer="9c 4d Ts", boxes=boxes, final=True)
    assert found[0] == ("bet", "win", 10_00, 20_00, rule)
    assert found[1][:4] == ("bet", "lose", 10_00, 0)


@paragraph(B="3.23.2", P="3.24.2", F="3.24.2")
def test_a_higher_total_wins(rules: BlackjackRules, rule: str) -> None:
    for cards in ("Th 8s", "Ah 9s", "Th 6s 5d"):
        won = settled(rules, hand(1, cards), dealer="9c 8d", final=True)
        assert won == [("bet", "win", 10_00, 20_00, rule)]


@paragraph(B="3.23.3", P="3.24.3", F="3.24.3")
def test_a_lower_total_loses(rules: BlackjackRules, rule: str) -> None:
    for cards in ("Th 7s", "6h 6s", "Ah 6s"):
        lost = settled(rules, hand(1, cards), dealer="9c 9d", final=True)
        assert lost == [("bet", "lose", 10_00, 0, rule)]


@paragraph(B="3.23.3", P="3.24.3", F="3.24.3")
def test_a_21_that_is_no_natural_loses_to_a_blackjack(rules: BlackjackRules, rule: str) -> None:
    """A1."""
    for cards in ("Th 6s 5d", "Ah 5s 5d"):
        lost = settled(rules, hand(1, cards), dealer="Kc As", final=True)
        assert lost == [("bet", "lose", 10_00, 0, rule)]


@paragraph(B="3.23.4", P="3.24.4", F="3.24.4")
def test_equal_totals_stand_off(rules: BlackjackRules, rule: str) -> None:
    for cards, dealer in (("Th 7s", "9c 8d"), ("Th 6s 5d", "9c 2d Ks"), ("Ah 9s", "Kc Td")):
        stood = settled(rules, hand(1, cards), dealer=dealer, final=True)
        assert stood == [("bet", "stand_off", 10_00, 10_00, rule)]


@paragraph(B="3.23.4", P="3.24.4", F="3.24.4")
def test_a_drawn_17_is_as_good_as_another(rules: BlackjackRules, rule: str) -> None:
    """Soft or hard makes no difference to the comparison."""
    dealer = "6c Ad Ts" if rules is FREE_BET else "6c Ad"
    stood = settled(rules, hand(1, "Th 7s"), dealer=dealer, final=True)
    assert stood == [("bet", "stand_off", 10_00, 10_00, rule)]


# The side bets of Blackjack


def of_two_cards(wager: str, cards: str, **more: object) -> list[tuple[object, ...]]:
    boxes = [{"box": 1, "bet": 10_00, wager: 1_00}]
    return settled(BLACKJACK, hand(1, cards), dealer="9c", boxes=boxes, **more)


@pytest.mark.parametrize("cards", ["7h 7h", "7h 7d", "7h 7c", "Kc Ks", "Ah Ad", "Tc Th"])
def test_b_3_13_1_two_cards_of_one_rank_win_11_to_1_whatever_their_suits(cards: str) -> None:
    assert of_two_cards("player_pair", cards) == [("player_pair", "win", 1_00, 12_00, "3.13.1")]


@pytest.mark.parametrize("cards", ["Tc Kc", "Qh Jh", "6h 7h"])
def test_b_3_13_1_cards_of_equal_value_are_no_pair(cards: str) -> None:
    assert of_two_cards("player_pair", cards) == [("player_pair", "lose", 1_00, 0, "3.13.1")]


def test_b_3_13_1_the_pair_does_not_touch_the_hand() -> None:
    boxes = [{"box": 1, "bet": 10_00, "player_pair": 1_00}]
    assert settled(BLACKJACK, hand(1, "9h 9d"), dealer="9c Td", boxes=boxes, final=True) == [
        ("player_pair", "win", 1_00, 12_00, "3.13.1"),
        ("bet", "lose", 10_00, 0, "3.23.3"),
    ]


def test_b_3_13_2_aces_count_one_so_that_a_natural_is_under_13() -> None:
    assert of_two_cards("under_13", "Ah Kd")[0] == ("under_13", "win", 1_00, 2_00, "3.13.2")
    assert of_two_cards("over_13", "Ah Kd")[0] == ("over_13", "lose", 1_00, 0, "3.13.2")
    assert of_two_cards("under_13", "Ah Ad") == [("under_13", "win", 1_00, 2_00, "3.13.2")]


def test_b_3_13_2_it_is_not_above_the_initial_bets_of_its_box() -> None:
    """A11: of all players there together; the excess goes back."""
    boxes: list[Json] = [
        {"box": 1, "bet": 10_00, "under_13": 20_00},
        beside(5_00, over_13=15_00),
        {"box": 1, "player": "X", "standing": True, "over_13": 15_01},
    ]
    assert settled(BLACKJACK, hand(1, "9h 3d"), dealer="9c", boxes=boxes) == [
        ("under_13", "returned", 5_00, 5_00, "3.13.2"),
        ("under_13", "win", 15_00, 30_00, "3.13.2"),
        ("B", "over_13", "lose", 15_00, 0, "3.13.2"),
        ("X", "over_13", "returned", 1, 1, "3.13.2"),
        ("X", "over_13", "lose", 15_00, 0, "3.13.2"),
    ]


def test_b_3_13_2_it_does_not_touch_the_hand() -> None:
    boxes = [{"box": 1, "bet": 10_00, "over_13": 1_00}]
    assert settled(BLACKJACK, hand(1, "9h 3d 9d"), dealer="9c Td", boxes=boxes, final=True) == [
        ("over_13", "lose", 1_00, 0, "3.13.2"),
        ("bet", "win", 10_00, 20_00, "3.23.2"),
    ]


@pytest.mark.parametrize("cards", ["2h 2d", "9h 3d", "Ah Jd", "Th 2d"])
def test_b_3_13_2a_under_13_wins_below_13(cards: str) -> None:
    assert of_two_cards("under_13", cards)[0] == ("under_13", "win", 1_00, 2_00, "3.13.2")
    assert of_two_cards("over_13", cards)[0] == ("over_13", "lose", 1_00, 0, "3.13.2")


@pytest.mark.parametrize("cards", ["9h 5d", "Th 4d", "Kh Qd"])
def test_b_3_13_2b_over_13_wins_above_13(cards: str) -> None:
    assert of_two_cards("over_13", cards)[0] == ("over_13", "win", 1_00, 2_00, "3.13.2")
    assert of_two_cards("under_13", cards)[0] == ("under_13", "lose", 1_00, 0, "3.13.2")


@pytest.mark.parametrize("cards", ["Th 3d", "9h 4d", "Kh 3c", "7h 6c"])
def test_b_3_13_2c_a_13_loses_both(cards: str) -> None:
    assert of_two_cards("over_13", cards)[0] == ("over_13", "lose", 1_00, 0, "3.13.2")
    assert of_two_cards("under_13", cards)[0] == ("under_13", "lose", 1_00, 0, "3.13.2")


# The pay table


@paragraph(B="4.1.1 3.15 3.14.2", P="4.1.1 3.16 3.15.2", F="4.1.1 3.16 3.15.2")
def test_a_natural_pays_3_to_2_a_bet_1_to_1_and_insurance_2_to_1(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    """A14: of 3 to 2 on odd cents the half cent is the player's."""
    natural = judged(rules, [{"box": 1, "bet": 25_05}], [hand(1, "Ah Kd")], "9c").lines
    assert [(line.pays, line.won, line.payout, line.rule) for line in natural] == [
        ("3 to 2", 37_58, 62_63, also)
    ]
    regular = judged(rules, ONE, [hand(1, "Th 9s")], "9c 8d").lines
    assert [(line.pays, line.won, line.payout) for line in regular] == [("1 to 1", 10_00, 20_00)]
    insured = judged(rules, ONE, [hand(1, "Th 9s", wagers=[{"insurance": 5_00}])], "As Kc").lines
    assert [(line.pays, line.won, line.payout, line.rule) for line in insured[:1]] == [
        ("2 to 1", 10_00, 15_00, besides)
    ], rule


def test_b_4_1_1_under_and_over_13_pay_1_to_1_and_a_pair_11_to_1() -> None:
    boxes = [{"box": 1, "bet": 10_00, "player_pair": 1_00, "under_13": 1_00, "over_13": 1_00}]
    for cards, won in (
        ("6h 6d", {"player_pair": "11 to 1", "under_13": "1 to 1"}),
        ("9h 8d", {"over_13": "1 to 1"}),
    ):
        lines = judged(BLACKJACK, boxes, [hand(1, cards)], "9c").lines
        assert {line.wager: line.pays for line in lines if line.won} == won
