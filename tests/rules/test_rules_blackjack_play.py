"""The games of blackjack, paragraph by paragraph: draws, splits and doubles. An Initial Bet is 10.00."""

from __future__ import annotations

from jackpot.games.blackjack import BlackjackRules, hands_view
from tests.blackjack import ONE, Json, beside, hand, judged, no, part, settled
from tests.paragraphs import paragraph

# Draws


@paragraph(B="3.17", P="3.18", F="3.18")
def test_any_number_of_cards_is_drawn_up_to_21_also_on_a_hard_21(rules: BlackjackRules, rule: str) -> None:
    """A16."""
    many = judged(rules, ONE, [hand(1, "2c 2d 2h 2s 3c 3d 3h 3s")], "9c")
    assert (hands_view(many.play)[0].total, many.lines) == (20, ()), rule
    assert settled(rules, hand(1, "Th 5s 6d 5c"), dealer="9c")[0][:2] == ("bet", "lose")


@paragraph(B="3.17", P="3.18", F="3.18")
def test_no_card_is_drawn_on_a_natural_or_a_soft_21(rules: BlackjackRules, rule: str) -> None:
    for cards in ("Ah Kd 2c", "Ah 5s 5d Kc", "Ah 9s Ad 5c"):
        assert no(rules, hand(1, cards), dealer="9c") == ("draw_not_allowed", rule, "hands[0].cards")


@paragraph(B="3.18", P="3.19", F="3.19")
def test_a_bust_loses_at_once_and_whatever_the_dealer_draws(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, beside(5_00)]
    for dealer in ("6c", "6c Td Th", "Kc As"):
        assert settled(rules, hand(1, "Th 6s 9h"), dealer=dealer, boxes=boxes) == [
            ("bet", "lose", 10_00, 0, rule),
            ("B", "bet", "lose", 5_00, 0, rule),
        ]


@paragraph(B="3.18", P="3.19", F="3.19")
def test_no_card_follows_a_bust(rules: BlackjackRules, rule: str) -> None:
    assert no(rules, hand(1, "Th 6s 9h 2c"), dealer="9c") == ("draw_not_allowed", rule, "hands[0].cards")


@paragraph(B="3.19", P="3.20", F="3.20")
def test_below_12_a_card_must_be_drawn(rules: BlackjackRules, rule: str) -> None:
    assert no(rules, hand(1, "6c 5d", "stand"), dealer="9c") == ("draw_missing", rule, "hands[0].decision")
    assert no(rules, hand(1, "6c 5d"), dealer="9c 8d") == ("draw_missing", rule, "hands[0].cards")
    split = hand(1, "4c 4d", "split", part("4c 9d"), part("4d 7h"))
    assert no(rules, split, dealer="9c 8d") == ("draw_missing", rule, "hands[0].split[1].cards")


@paragraph(B="3.19 3.23.3", P="3.20 3.24.3", F="3.20 3.24.3")
def test_a_doubled_hand_may_stay_below_12(rules: BlackjackRules, rule: str, also: str) -> None:
    doubled = hand(1, "6c 3d 2h", "double")
    assert settled(rules, doubled, dealer="9c 8d", final=True) == [
        ("bet", "lose", 10_00, 0, also),
        ("double", "lose", 10_00, 0, also),
    ], rule


@paragraph(B="3.20 3.23.2", P="3.21 3.24.2", F="3.21 3.24.2")
def test_from_12_a_player_may_stand_and_who_has_not_drawn_when_the_dealer_draws_has_stood(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    for decision in ("stand", None):
        won = settled(rules, hand(1, "Th 8s", decision), dealer="9c 8d", final=True)
        assert won == [("bet", "win", 10_00, 20_00, also)], rule
    assert settled(rules, hand(1, "Th 2s", "stand"), dealer="9c") == []


# Splits


@paragraph(B="3.21 3.23.2", P="3.22 3.24.2", F="3.22 3.24.2")
def test_two_cards_of_one_value_are_split_for_an_equal_bet(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A25: another amount cannot be told. A15: nor does the new bet count to the maximum of the box."""
    for first, second in (("8c", "8d"), ("Kc", "Td"), ("Jc", "Qd")):
        split = hand(1, f"{first} {second}", "split", part(f"{first} Th"), part(f"{second} 9h Ac"))
        assert settled(rules, split, dealer="7c Ts", final=True, limits={"maximum": 10_00}) == [
            ("bet", "win", 10_00, 20_00, also),
            ("split 2", "win", 10_00, 20_00, also),
        ], rule


@paragraph(B="3.21", P="3.22", F="3.22")
def test_cards_of_unlike_value_are_not_split(rules: BlackjackRules, rule: str) -> None:
    for cards in ("8c 9d", "Ac Kd", "9c Td"):
        first, second = cards.split()
        split = hand(1, cards, "split", part(f"{first} 5h"), part(second))
        assert no(rules, split, dealer="9c") == ("split_not_allowed", rule, "hands[0].decision")


@paragraph(B="3.21 3.16", P="3.22 3.17", F="3.22 3.17")
def test_a_split_hand_is_not_surrendered(rules: BlackjackRules, rule: str, also: str) -> None:
    split = hand(1, "8c 8d", "split", part("8c 7d", "surrender"), part("8d"))
    assert no(rules, split, dealer="9c") == ("surrender_not_allowed", also, "hands[0].split[0].decision"), (
        rule
    )


@paragraph(B="3.21 5.1.1 3.23.2", P="3.22 5.1.1 3.24.2", F="3.22 5.1.1 3.24.2")
def test_a_split_plays_the_part_of_the_initial_bet_that_plays(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    split = hand(1, "8c 8d", "split", part("8c Th"), part("8d Ts"))
    assert settled(rules, split, dealer="7c Ts", final=True, limits={"maximum": 8_00}) == [
        ("bet", "returned", 2_00, 2_00, also),
        ("bet", "win", 8_00, 16_00, besides),
        ("split 2", "returned", 2_00, 2_00, rule),
        ("split 2", "win", 8_00, 16_00, besides),
    ]


@paragraph(B="3.21.1 3.21.3 3.23.2", P="3.22.1 3.22.3 3.24.2", F="3.22.1 3.22.3 3.24.2")
def test_who_does_not_follow_a_split_stays_on_the_first_hand(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    split = hand(
        1, "8c 8d", "split", part("8c 5d Tc"), part("8d Th"), wagers=[{"player": "B", "split": "none"}]
    )
    assert settled(rules, split, dealer="9c 8d", boxes=[*ONE, beside(5_00)], final=True) == [
        ("bet", "lose", 10_00, 0, also),
        ("split 2", "win", 10_00, 20_00, besides),
        ("B", "bet", "lose", 5_00, 0, also),
    ], rule


@paragraph(B="3.21.1", P="3.22.1", F="3.22.1")
def test_who_declined_once_follows_no_later_split_of_that_box(rules: BlackjackRules, rule: str) -> None:
    """A17. What he has on hands formed before stays: B followed the first split, not the second."""
    boxes = [*ONE, beside(5_00)]
    again = part("8d 8h", "split", part("8d Th"), part("8h 9h"), wagers=[{"player": "B", "split": "none"}])
    first = part("8c 8s", "split", part("8c Tc"), part("8s Ts"))
    found = settled(rules, hand(1, "8c 8d", "split", first, again), dealer="9c 8s", boxes=boxes, final=True)
    assert [line[1] for line in found if line[0] == "B"] == ["bet", "split 2", "split 3"]
    declines = first | {"wagers": [{"player": "B", "split": "none"}]}
    follows = again | {"wagers": []}
    found = settled(
        rules, hand(1, "8c 8d", "split", declines, follows), dealer="9c 8s", boxes=boxes, final=True
    )
    assert [line[1] for line in found if line[0] == "B"] == ["bet", "split 3"]
    back_in = again | {"wagers": [{"player": "B", "split": "paid"}]}
    assert no(rules, hand(1, "8c 8d", "split", declines, back_in), dealer="9c", boxes=boxes) == (
        "decision_contradictory",
        rule,
        "hands[0].split[1].wagers[0].split",
    )


def of_eights(*hands: str) -> Json:
    """Three splits, four hands: the first split again and again."""
    first = part("8c 8h", "split", part("8c 8s", "split", part(hands[0]), part(hands[1])), part(hands[2]))
    return hand(1, "8c 8d", "split", first, part(hands[3]))


@paragraph(B="3.21.2 3.23.2", P="3.22.2 3.24.2", F="3.22.2 3.24.2")
def test_three_splits_make_four_hands_numbered_as_they_are_played(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A18: a hand split again stands right behind the one it came from."""
    four = of_eights("8c Tc", "8s Ts", "8h Th", "8d Td")
    assert settled(rules, four, dealer="9c 8d", final=True) == [
        ("bet", "win", 10_00, 20_00, also),
        ("split 2", "win", 10_00, 20_00, also),
        ("split 3", "win", 10_00, 20_00, also),
        ("split 4", "win", 10_00, 20_00, also),
    ], rule
    shown = hands_view(judged(rules, ONE, [four], "9c").play)
    assert [one.cards[0] for one in shown] == ["8c", "8s", "8h", "8d"]


@paragraph(B="3.21.2", P="3.22.2", F="3.22.2")
def test_a_fourth_split_is_refused(rules: BlackjackRules, rule: str) -> None:
    five = of_eights("8c Tc", "8s Ts", "8h Th", "8d 8h")
    five["split"][1] |= {"decision": "split", "split": [part("8d Td"), part("8h Tc")]}
    assert no(rules, five, dealer="9c") == ("split_not_allowed", rule, "hands[0].split[1].decision")


@paragraph(B="3.21.2", P="3.22.2", F="3.22.2")
def test_each_split_hand_draws_a_card_and_the_first_is_played_before_the_second(
    rules: BlackjackRules, rule: str
) -> None:
    lone = hand(1, "8c 8d", "split", part("8c Th"), part("8d"))
    assert no(rules, lone, dealer="9c 8d") == ("wrong_number_of_cards", rule, "hands[0].split[1].cards")
    early = hand(1, "8c 8d", "split", part("8c"), part("8d Th"))
    assert no(rules, early, dealer="9c") == ("draw_not_allowed", rule, "hands[0].split[1].cards")


@paragraph(B="3.21.2", P="3.22.2", F="3.22.2")
def test_aces_are_split_once_and_get_one_card_each(rules: BlackjackRules, rule: str) -> None:
    third = hand(1, "Ac Ad", "split", part("Ac 5d 3h"), part("Ad"))
    assert no(rules, third, dealer="9c") == ("draw_not_allowed", rule, "hands[0].split[0].cards")
    again = hand(1, "Ac Ad", "split", part("Ac Ah", "split", part("Ac Td"), part("Ah")), part("Ad"))
    assert no(rules, again, dealer="9c") == ("split_not_allowed", rule, "hands[0].split[0].decision")


@paragraph(B="3.21.2 3.21.3", P="3.22.2 3.22.3", F="3.22.2 3.22.3")
def test_split_aces_and_tens_make_no_natural(rules: BlackjackRules, rule: str, also: str) -> None:
    """A 21 of them loses to a dealer's blackjack, as no natural does."""
    split = hand(1, "Kc Td", "split", part("Kc Ad"), part("Td Ah"))
    assert settled(rules, split, dealer="Qc As", final=True) == [
        ("bet", "lose", 10_00, 0, also),
        ("split 2", "returned", 10_00, 10_00, also),
    ], rule


@paragraph(B="3.21.3 3.23.2", P="3.22.3 3.24.2", F="3.22.3 3.24.2")
def test_all_bets_on_split_hands_that_bust_are_lost(rules: BlackjackRules, rule: str, also: str) -> None:
    split = hand(1, "8c 8d", "split", part("8c 5d Tc"), part("8d 5s Ts"))
    lost = [("bet", "lose", 10_00, 0, rule), ("split 2", "lose", 10_00, 0, rule)]
    assert settled(rules, split, dealer="6c") == lost
    assert settled(rules, split, dealer="Kc As", final=True) == lost
    one = hand(1, "8c 8d", "split", part("8c 5d Tc"), part("8d Ts"))
    assert settled(rules, one, dealer="9c 8d", final=True) == [
        lost[0],
        ("split 2", "win", 10_00, 20_00, also),
    ]


@paragraph(B="3.21.3", P="3.22.3", F="3.22.3")
def test_a_dealers_blackjack_takes_one_initial_bet_of_all_split_hands_that_are_not_bust(
    rules: BlackjackRules, rule: str
) -> None:
    """A2: once for each player and box, besides what was bust."""
    split = hand(
        1,
        "8c 8d",
        "split",
        part("8c 5d Tc"),
        part("8d 8h", "split", part("8d 3c Kh", "double"), part("8h Th")),
    )
    assert settled(rules, split, dealer="Kd Ac", final=True) == [
        ("bet", "lose", 10_00, 0, rule),
        ("split 2", "lose", 10_00, 0, rule),
        ("double 2", "returned", 10_00, 10_00, rule),
        ("split 3", "returned", 10_00, 10_00, rule),
    ]


# Doubles


@paragraph(B="3.22 3.23.2", P="3.23 3.24.2", F="3.23 3.24.2")
def test_a_double_is_made_on_any_two_cards_for_up_to_the_initial_bet(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    for amount in (10_00, 4_00, 1):
        for cards in ("6c 3d Th", "Ac 7d 2h", "Tc 6h 4s"):
            said = [{"double": amount}]
            assert settled(rules, hand(1, cards, "double", wagers=said), dealer="9c 8d", final=True) == [
                ("bet", "win", 10_00, 20_00, also),
                ("double", "win", amount, 2 * amount, also),
            ], rule


@paragraph(B="3.22 3.23.2", P="3.23 3.24.2", F="3.23 3.24.2")
def test_what_a_double_lays_above_the_initial_bet_goes_back(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A13."""
    doubled = hand(1, "6c 3d Th", "double", wagers=[{"double": 12_50}])
    assert settled(rules, doubled, dealer="9c 8d", final=True)[1:] == [
        ("double", "returned", 2_50, 2_50, rule),
        ("double", "win", 10_00, 20_00, also),
    ]


@paragraph(B="3.22", P="3.23", F="3.23")
def test_a_natural_a_soft_21_and_split_aces_are_not_doubled(rules: BlackjackRules, rule: str) -> None:
    natural = hand(1, "Ah Kd", "double")
    assert no(rules, natural, dealer="9c") == ("double_not_allowed", rule, "hands[0].decision")
    for pair, cards in (("Kc Td", "Kc Ad"), ("Ac Ad", "Ac 5h")):
        split = hand(1, pair, "split", part(cards, "double"), part(pair[3:]))
        assert no(rules, split, dealer="9c") == ("double_not_allowed", rule, "hands[0].split[0].decision")


@paragraph(B="3.22", P="3.23", F="3.23")
def test_one_card_follows_a_double_and_no_more(rules: BlackjackRules, rule: str) -> None:
    none, two = hand(1, "6c 5d", "double"), hand(1, "6c 5d 2h 5h", "double")
    assert no(rules, none, dealer="9c 8d") == ("wrong_number_of_cards", rule, "hands[0].cards")
    assert no(rules, two, dealer="9c") == ("draw_not_allowed", rule, "hands[0].cards")


@paragraph(B="3.22", P="3.23", F="3.23")
def test_a_double_is_not_withdrawn(rules: BlackjackRules, rule: str) -> None:
    doubled = judged(rules, ONE, [hand(1, "6c 5d 2h", "double")], "9c").report
    silent = no(rules, hand(1, "6c 5d 2h"), dealer="9c", before=doubled)
    assert silent == ("told_before", None, "hands[0].decision"), rule


@paragraph(B="3.22 3.23.2", P="3.23 3.24.2", F="3.23 3.24.2")
def test_a_split_hand_is_doubled_like_any_other(rules: BlackjackRules, rule: str, also: str) -> None:
    split = hand(1, "8c 8d", "split", part("8c 3d Th", "double"), part("8d Ts"))
    assert settled(rules, split, dealer="9c 8d", final=True) == [
        ("bet", "win", 10_00, 20_00, also),
        ("double", "win", 10_00, 20_00, also),
        ("split 2", "win", 10_00, 20_00, also),
    ], rule


@paragraph(B="3.22.1 3.23.2", P="3.23.1 3.24.2", F="3.23.2 3.24.2")
def test_a_standing_player_may_stay_out_of_a_double_or_lay_another_amount(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    boxes = [*ONE, beside(5_00), beside(6_00, "C"), beside(7_00, "D")]
    said = [{"player": "B", "double": 0}, {"player": "C", "double": 2_00}]
    assert settled(
        rules, hand(1, "6c 3d Th", "double", wagers=said), dealer="9c 8d", boxes=boxes, final=True
    ) == [
        ("bet", "win", 10_00, 20_00, also),
        ("double", "win", 10_00, 20_00, also),
        ("B", "bet", "win", 5_00, 10_00, also),
        ("C", "bet", "win", 6_00, 12_00, also),
        ("C", "double", "win", 2_00, 4_00, also),
        ("D", "bet", "win", 7_00, 14_00, also),
        ("D", "double", "win", 7_00, 14_00, also),
    ], rule


@paragraph(B="3.22.1", P="3.23.1", F="3.23.2")
def test_what_a_player_has_doubled_is_not_taken_back_by_silence(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, beside(5_00)]
    said = [{"player": "B", "double": 3_00}]
    before = judged(rules, boxes, [hand(1, "6c 3d Th", "double", wagers=said)], "9c").report
    silent = no(rules, hand(1, "6c 3d Th", "double"), dealer="9c", boxes=boxes, before=before)
    assert silent == ("told_before", None, "hands[0].wagers"), rule


@paragraph(B="3.22.2", P="3.23.2", F="3.23.3")
def test_a_doubled_hand_that_busts_loses_both_bets(rules: BlackjackRules, rule: str) -> None:
    assert settled(rules, hand(1, "Tc 6h 9s", "double", wagers=[{"double": 4_00}]), dealer="9c") == [
        ("bet", "lose", 10_00, 0, rule),
        ("double", "lose", 4_00, 0, rule),
    ]


@paragraph(B="3.22.2", P="3.23.2", F="3.23.3")
def test_of_a_doubled_hand_a_dealers_blackjack_takes_the_initial_bet(
    rules: BlackjackRules, rule: str
) -> None:
    assert settled(rules, hand(1, "6c 5d Th", "double"), dealer="Kc As", final=True) == [
        ("bet", "lose", 10_00, 0, rule),
        ("double", "returned", 10_00, 10_00, rule),
    ]
