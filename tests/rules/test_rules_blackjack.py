"""The games of blackjack, paragraph by paragraph: what words mean, the layout, the cards, bets and the deal.

Where the three say the same the test is one, and its ids are the numbers in each. An Initial Bet is 10.00
unless a test says otherwise. A line is: wager, outcome, stake, payout, paragraph.
"""

from __future__ import annotations

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    BLACKJACK,
    BlackjackRules,
    dealer_view,
    hands_view,
    playing,
)
from jackpot.games.blackjack.points import points
from tests.blackjack import (
    ONE,
    SIDE,
    Json,
    beside,
    brief,
    closed,
    hand,
    judged,
    part,
    refusal,
    returned,
    settled,
)
from tests.paragraphs import paragraph

# What words mean


@paragraph(B="1.2 3.15", P="1.2 3.16", F="1.2 3.16")
def test_a_natural_is_an_ace_and_a_ten_in_the_first_two_cards(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    for cards in ("Ah Td", "Jc As", "Ad Qd", "Ks Ac"):
        assert settled(rules, hand(1, cards), dealer="9c") == [("bet", "win", 10_00, 25_00, also)]
    drawn = judged(rules, ONE, [hand(1, "Ah 5c 5d")], "9c")
    assert (drawn.lines, hands_view(drawn.play)[0].blackjack) == ((), False), rule


@paragraph(B="1.2 3.23.2", P="1.2 3.24.2", F="1.2 3.24.2")
def test_ace_and_ten_of_a_split_are_no_natural(rules: BlackjackRules, rule: str, also: str) -> None:
    split = hand(1, "Ac Ad", "split", part("Ac Kd"), part("Ad Th"))
    assert settled(rules, split, dealer="9c Th") == [
        ("bet", "win", 10_00, 20_00, also),
        ("split 2", "win", 10_00, 20_00, also),
    ]
    shown = hands_view(judged(rules, ONE, [split], "9c Th").play)
    assert [(one.total, one.soft, one.blackjack) for one in shown] == [(21, True, False)] * 2, rule


@paragraph(B="1.3 3.18", P="1.3 3.19", F="1.4 3.19")
def test_a_player_is_bust_over_21(rules: BlackjackRules, rule: str, also: str) -> None:
    assert settled(rules, hand(1, "Th 6s 6h"), dealer="9c") == [("bet", "lose", 10_00, 0, also)]
    assert settled(rules, hand(1, "Th 6s 5h"), dealer="9c") == [], rule


@paragraph(B="1.3 3.23.1", P="1.3 3.24.1")
def test_the_dealer_is_bust_over_21(rules: BlackjackRules, rule: str, also: str) -> None:
    assert settled(rules, hand(1, "Th 2s"), dealer="9c 6d 7h") == [("bet", "win", 10_00, 20_00, also)], rule


@paragraph(B="1.9 3.18 3.14.2", P="1.9 3.19 3.15.2", F="1.10 3.19 3.15.2")
def test_the_final_settlement_tells_each_bet_as_its_outcome_becomes_certain(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    """A bust at once, insurance with the dealer's second card, the rest with his finished hand."""
    boxes = [{"box": 1, "bet": 10_00}, {"box": 2, "bet": 10_00}]
    hands = [hand(1, "Th 6s 9h", wagers=[{"insurance": 5_00}]), hand(2, "Tc 9s")]
    bust, insured = ("bet", "lose", 10_00, 0, also), ("insurance", "lose", 5_00, 0, besides)
    assert settled(rules, *hands, dealer="As", boxes=boxes) == [bust]
    assert settled(rules, *hands, dealer="As 3d", boxes=boxes) == [insured, bust]
    last = settled(rules, *hands, dealer="As 3d 6d", boxes=boxes, final=True)
    assert [line[:2] for line in last] == [("insurance", "lose"), ("bet", "lose"), ("bet", "lose")], rule


@paragraph(B="1.11", P="1.11", F="1.15")
def test_a_hard_total_has_no_ace_or_counts_each_as_one(rules: BlackjackRules, rule: str) -> None:
    shown = [
        hands_view(judged(rules, ONE, [hand(1, cards)], "").play)[0]
        for cards in ("Th 6s", "Th 6s Ad", "5c 6d Ah Ac 8c")
    ]
    assert [(one.total, one.soft) for one in shown] == [(16, False), (17, False), (21, False)], rule


@paragraph(B="1.28", P="1.27", F="1.32")
def test_a_soft_total_counts_an_ace_as_11(rules: BlackjackRules, rule: str) -> None:
    shown = [
        hands_view(judged(rules, ONE, [hand(1, cards)], "").play)[0]
        for cards in ("Ah 6s", "Ah Ad", "Ah 4s Ad")
    ]
    assert [(one.total, one.soft) for one in shown] == [(17, True), (12, True), (16, True)], rule


@paragraph(B="1.17 3.15 3.16", P="1.17 3.16 3.17", F="1.21 3.16 3.17")
def test_the_interim_settlement_tells_side_bets_naturals_and_surrendered_halves(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    boxes = [
        {"box": 1, "bet": 10_00},
        {"box": 2, "bet": 10_00, SIDE[rules.game]: 1_00},
        {"box": 3, "bet": 10_00},
    ]
    hands = [hand(1, "Ah Kd"), hand(2, "9c 8d"), hand(3, "Th 6s", "surrender")]
    told = judged(rules, boxes, hands, "6c")
    assert [(line.box, *line_of) for line, line_of in zip(told.lines, brief(told.lines), strict=True)] == [
        (1, "bet", "win", 10_00, 25_00, also),
        (2, SIDE[rules.game], "lose", 1_00, 0, "3.13.1" if rules is BLACKJACK else "3.14"),
        (3, "bet", "lose", 5_00, 0, besides),
        (3, "bet", "returned", 5_00, 5_00, besides),
    ]
    assert [(one.box, one.wager) for one in told.open] == [(2, "bet")], rule


@paragraph(B="1.25", P="1.24", F="1.28")
def test_a_round_ends_with_no_wager_open(rules: BlackjackRules, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        judged(rules, ONE, [hand(1, "Th 9s")], "9c 5d", final=True)
    assert refusal(refused) == ("play_incomplete", None, "final")
    assert refused.value.data["open"] == [{"box": 1, "player": "1", "hand": 1, "wager": "bet"}], rule
    assert judged(rules, ONE, [hand(1, "Th 9s")], "9c 5d 6c", final=True).open == ()


@paragraph(B="1.26 3.8", P="1.25 3.8", F="1.30 3.8")
def test_the_seated_player_calls_whatever_others_bet_there(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    boxes = [beside(90_00), {"box": 1, "player": "A", "bet": 10_00}]
    doubled = hand(1, "6c 5d Th", "double", wagers=[{"player": "B", "double": 0}])
    assert [line[:2] for line in settled(rules, doubled, dealer="9c", boxes=boxes)] == []
    with pytest.raises(Refused) as refused:
        settled(rules, hand(1, "6c 5d Th", "double", wagers=[{"player": "A", "double": 0}]), boxes=boxes)
    assert refusal(refused) == ("decision_contradictory", also, "hands[0].wagers[0].double"), rule


@paragraph(B="1.26 3.8", P="1.25 3.8", F="1.30 3.8")
def test_without_a_seated_player_the_highest_bet_calls_of_equal_ones_the_first(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A23."""
    for bets, caller in (((5_00, 10_00, 10_00), "C"), ((10_00, 5_00, 10_00), "B")):
        boxes = [beside(bet, player) for bet, player in zip(bets, "BCD", strict=True)]
        for player in "BCD":
            split = hand(
                1, "8c 8d", "split", part("8c"), part("8d"), wagers=[{"player": player, "split": "none"}]
            )
            if player != caller:
                assert settled(rules, split, boxes=boxes) == []
                continue
            with pytest.raises(Refused) as refused:
                settled(rules, split, boxes=boxes)
            assert refusal(refused) == ("decision_contradictory", also, "hands[0].wagers[0].split"), rule


@paragraph(B="1.26 3.8", P="1.25 3.8", F="1.30 3.8")
def test_the_highest_bet_is_what_was_laid_not_what_plays(rules: BlackjackRules, rule: str, also: str) -> None:
    """Over the maximum both play the minimum of 6.00; C has laid more."""
    boxes, limits = [beside(10_00), beside(10_01, "C")], {"minimum": 6_00, "maximum": 10_00}
    assert [one.stake for one in playing(closed(rules, *boxes, minimum=6_00, maximum=10_00))] == [6_00, 6_00]
    said = [{"player": "C", "split": "none"}]
    split = hand(1, "8c 8d", "split", part("8c"), part("8d"), wagers=said)
    with pytest.raises(Refused) as refused:
        settled(rules, split, boxes=boxes, limits=limits)
    assert refusal(refused)[:2] == ("decision_contradictory", also), rule


@paragraph(B="1.27 3.17", P="1.26 3.18", F="1.31 3.18")
def test_soft_21_is_any_other_21_with_an_ace_at_11(rules: BlackjackRules, rule: str, also: str) -> None:
    """Also of split aces, pictures and tens."""
    split = hand(1, "Kc Qd", "split", part("Kc Ad"), part("Qd 5h"))
    shown = hands_view(judged(rules, ONE, [split], "9c").play)
    assert [(one.total, one.soft, one.blackjack) for one in shown] == [(21, True, False), (15, False, False)]
    for first in (hand(1, "Ah 5c 5d 2h"), hand(1, "Kc Qd", "split", part("Kc Ad 2h"), part("Qd"))):
        with pytest.raises(Refused) as refused:
            settled(rules, first, dealer="9c")
        assert refusal(refused)[:2] == ("draw_not_allowed", also), rule


@paragraph(B="1.31 3.23.4", P="1.30 3.24.4", F="1.35 3.24.4")
def test_in_a_stand_off_a_bet_is_neither_paid_nor_collected(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = judged(rules, ONE, [hand(1, "Th 9s")], "9c Td", final=True).lines
    assert [(line.outcome.value, line.won, line.collected, line.payout) for line in found] == [
        ("stand_off", 0, 0, 10_00)
    ]
    assert found[0].rule == also, rule


@paragraph(B="1.36 5.17", P="1.34 5.17", F="1.39 5.18")
def test_a_voided_round_has_no_result(rules: BlackjackRules, rule: str, also: str) -> None:
    assert returned(rules, hand(1, "Ah Kd"), dealer="9c") == [("bet", "returned", 10_00, 10_00, also)], rule


# The layout and the cards


@paragraph("2.1.1")
def test_only_boxes_of_the_layout_can_be_bet_on_and_dealt_to(rules: BlackjackRules, rule: str) -> None:
    for box in (0, -1, 6, 99):
        with pytest.raises(Refused) as refused:
            closed(rules, {"box": box, "bet": 10_00}, boxes=5)
        assert refusal(refused) == ("box_unknown", rule, "boxes[0].box")
        with pytest.raises(Refused) as refused:
            judged(rules, ONE, [hand(1, "Th 9s"), hand(box, "Tc 9d")], "", limits={"boxes": 5})
        assert refusal(refused) == ("box_unknown", rule, "hands[1].box")


@paragraph("2.1.1")
def test_a_side_bet_of_another_layout_is_refused(rules: BlackjackRules, rule: str) -> None:
    every = ("player_pair", "under_13", "over_13", "perfect_pairs", "rws_pairs", "lucky_stash")
    own = {
        "blackjack": every[:3],
        "blackjack_perfect_pairs": every[3:4],
        "free_bet_blackjack": every[4:],
    }[rules.game]
    for wager in every:
        bets = {"box": 1, "bet": 10_00, wager: 1_00}
        if wager in own:
            assert [(one.wager, one.stake) for one in playing(closed(rules, bets))] == [
                ("bet", 10_00),
                (wager, 1_00),
            ]
            continue
        with pytest.raises(Refused) as refused:
            closed(rules, bets)
        assert refusal(refused) == ("wager_not_in_game", rule, f"boxes[0].{wager}")


@paragraph(B="2.2.1 4-8", P="2.2.1 4-8", F="2.2.1 4-10")
def test_the_game_is_played_with_so_many_decks(rules: BlackjackRules, rule: str, also: str) -> None:
    least, most = (int(number) for number in also.split("-"))
    assert (min(rules.decks), max(rules.decks)) == (least, most), rule


@paragraph("2.2.1")
def test_a_card_turns_up_no_more_often_than_there_are_decks(rules: BlackjackRules, rule: str) -> None:
    five = [hand(1, "5c 5c 5c"), hand(2, "5c Th")]
    boxes = [{"box": 1, "bet": 10_00}, {"box": 2, "bet": 10_00}]
    assert settled(rules, *five, dealer="9c", boxes=boxes, limits={"decks": 4}) == []
    with pytest.raises(Refused) as refused:
        settled(rules, *five, dealer="5c", boxes=boxes, limits={"decks": 4})
    assert refusal(refused) == ("card_repeated", rule, "hands")


@paragraph("2.2.1")
def test_a_card_of_no_deck_is_refused(rules: BlackjackRules, rule: str) -> None:
    for cards, dealer, field in (("1h 9s", "", "hands[0].cards"), ("Th 9s", "Joker", "dealer.cards")):
        with pytest.raises(Refused) as refused:
            settled(rules, hand(1, cards), dealer=dealer)
        code, number, where = refusal(refused)
        assert (code, number) == ("card_unknown", rule)
        assert str(where).startswith(field)


# What cards count


@paragraph(B="3.1 3.23.2", P="3.1 3.24.2", F="3.1 3.24.2")
def test_the_nearer_to_21_the_better(rules: BlackjackRules, rule: str, also: str) -> None:
    for cards in ("Th 8s", "Ah 7s", "Th 5s 6d"):
        assert settled(rules, hand(1, cards), dealer="9c 8d") == [("bet", "win", 10_00, 20_00, also)], rule


@paragraph("3.2")
def test_values_are_those_of_the_cards_whatever_their_suit(rules: BlackjackRules, rule: str) -> None:
    hands = [hand(1, cards) for cards in ("9c Kc", "9d Kd", "9h Kh", "9s Ks")]
    totals = [hands_view(judged(rules, ONE, [one], "").play)[0].total for one in hands]
    assert totals == [19] * 4, rule


@paragraph("3.2.1")
def test_an_ace_counts_11_unless_the_hand_is_then_over_21(rules: BlackjackRules, rule: str) -> None:
    """A5: for the dealer too. Nobody chooses to count it 1 where 11 fits."""
    for cards, total, soft in (
        ("Ah 9s", 20, True),
        ("Ah Ad", 12, True),
        ("Ah 9s 5d", 15, False),
        ("Ah Ad 9c", 21, True),
        ("Ah Ad Ac As 7h", 21, True),
        ("Ah Ad Ac As 8h", 12, False),
    ):
        found = judged(rules, ONE, [hand(1, cards)], "")
        assert (hands_view(found.play)[0].total, hands_view(found.play)[0].soft) == (total, soft), rule
        assert points(cards.split()) == (total, soft)
    shown = dealer_view(judged(rules, ONE, [hand(1, "Th 9s")], "Ac 7d").play)
    assert (shown.total, shown.soft, shown.finished) == (18, True, True)


@paragraph("3.2.2")
def test_cards_from_2_to_10_count_their_number(rules: BlackjackRules, rule: str) -> None:
    counted = [
        hands_view(judged(rules, ONE, [hand(1, f"{face}c")], "").play)[0].total
        for face in (2, 3, 4, 5, 6, 7, 8, 9, 10)
    ]
    assert counted == [2, 3, 4, 5, 6, 7, 8, 9, 10], rule


@paragraph("3.2.3")
def test_pictures_count_ten(rules: BlackjackRules, rule: str) -> None:
    counted = [
        hands_view(judged(rules, ONE, [hand(1, f"{face}s 2h")], "").play)[0].total for face in ("J", "Q", "K")
    ]
    assert counted == [12, 12, 12], rule


# Bets


@paragraph("3.6")
def test_a_box_takes_the_bets_of_several_up_to_its_maximum(rules: BlackjackRules, rule: str) -> None:
    closing = closed(rules, *ONE, beside(5_00), beside(85_00, "C"), maximum=100_00)
    assert [(one.player, one.stake) for one in playing(closing)] == [
        ("1", 10_00),
        ("B", 5_00),
        ("C", 85_00),
    ], rule


@paragraph(B="3.7 3.23.2", P="3.7 3.24.2", F="3.7 3.24.2")
def test_a_player_may_bet_on_other_boxes_too(rules: BlackjackRules, rule: str, also: str) -> None:
    boxes = [*ONE, beside(5_00, "1", box=3), {"box": 3, "bet": 20_00}]
    found = judged(rules, boxes, [hand(1, "Th 9s"), hand(3, "Tc 9d")], "9c 8d", final=True)
    assert [(line.box, line.player, line.payout, line.rule) for line in found.lines] == [
        (1, "1", 20_00, also),
        (3, "1", 10_00, also),
        (3, "3", 40_00, also),
    ], rule


@paragraph("3.8")
def test_what_is_called_for_a_box_binds_all_its_players(rules: BlackjackRules, rule: str) -> None:
    """A3: nobody surrenders alone."""
    boxes = [*ONE, beside(5_00)]
    surrender = "3.16" if rules is BLACKJACK else "3.17"
    assert settled(rules, hand(1, "Th 6s", "surrender"), dealer="9c", boxes=boxes) == [
        ("bet", "lose", 5_00, 0, surrender),
        ("bet", "returned", 5_00, 5_00, surrender),
        ("B", "bet", "lose", 2_50, 0, surrender),
        ("B", "bet", "returned", 2_50, 2_50, surrender),
    ]
    for called, said in (("stand", {"split": "paid"}), (None, {"double": 5_00})):
        with pytest.raises(Refused) as refused:
            settled(rules, hand(1, "8c 8d", called, wagers=[{"player": "B", **said}]), boxes=boxes)
        code, number, _ = refusal(refused)
        assert (code, number) == ("decision_contradictory", rule)


@paragraph("3.8")
def test_two_players_are_not_seated_at_one_box(rules: BlackjackRules, rule: str) -> None:
    with pytest.raises(Refused) as refused:
        closed(rules, *ONE, {"box": 1, "player": "B", "bet": 5_00})
    assert refusal(refused) == ("seat_taken", rule, "boxes[1].standing")


@paragraph("3.9")
def test_anybody_may_bet_on_the_side_of_a_box_with_an_initial_bet(rules: BlackjackRules, rule: str) -> None:
    wager = SIDE[rules.game]
    closing = closed(rules, *ONE, {"box": 1, "player": "X", "standing": True, wager: 2_00})
    assert [(one.player, one.wager, one.stake) for one in playing(closing)] == [
        ("1", "bet", 10_00),
        ("X", wager, 2_00),
    ], rule


@paragraph("3.10 3.11")
def test_who_has_no_bet_at_the_closing_gets_no_hand(rules: BlackjackRules, rule: str, also: str) -> None:
    with pytest.raises(Refused) as refused:
        settled(rules, hand(1, "Th 9s"), hand(2, "Tc 9d"))
    assert refusal(refused) == ("box_not_in_round", also, "hands[1].box"), rule


# The deal


def dealt(*drawn: str, **more: object) -> Json:
    return {"shoe": {"drawn": list(drawn)}, **more}


@paragraph("3.11")
def test_the_deal_goes_round_the_boxes_to_the_dealer_and_round_again(
    rules: BlackjackRules, rule: str
) -> None:
    boxes = [{"box": number, "bet": 10_00} for number in (2, 5)]
    hands = [hand(5, "8c 9c"), hand(2, "Th 2d 5s")]
    right = ("Th", "8c", "7h", "2d", "9c", "5s", "Jc")
    assert settled(rules, *hands, dealer="7h Jc", boxes=boxes, **dealt(*right)) != []
    for wrong in (
        ("8c", "Th", "7h", "2d", "9c", "5s", "Jc"),  # not clockwise
        ("Th", "8c", "2d", "7h", "9c", "5s", "Jc"),  # the dealer's card after the second round
        ("Th", "8c", "7h", "2d", "9c", "Jc", "5s"),  # the dealer before the boxes have played
    ):
        with pytest.raises(Refused) as refused:
            settled(rules, *hands, dealer="7h Jc", boxes=boxes, **dealt(*wrong))
        assert refusal(refused) == ("shoe_differs", rule, "shoe.drawn")


@paragraph("3.11")
def test_a_box_without_an_initial_bet_gets_no_cards(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, {"box": 2, SIDE[rules.game]: 1_00}]
    with pytest.raises(Refused) as refused:
        settled(rules, hand(1, "Th 9s"), hand(2, "Tc 9d"), boxes=boxes)
    assert refusal(refused) == ("box_not_in_round", rule, "hands[1].box")


@paragraph("3.11")
def test_every_box_with_an_initial_bet_has_two_cards_before_the_dealers_second(
    rules: BlackjackRules, rule: str
) -> None:
    with pytest.raises(Refused) as refused:
        settled(rules, hand(1, "Th"), dealer="9c 8d")
    assert refusal(refused) == ("wrong_number_of_cards", rule, "hands[0].cards")


@paragraph("3.13")
def test_side_bets_are_told_with_the_second_card_and_not_before(rules: BlackjackRules, rule: str) -> None:
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}]
    assert settled(rules, hand(1, "Th"), dealer="9c", boxes=boxes) == []
    found = settled(rules, hand(1, "Th 9s"), dealer="9c", boxes=boxes)
    assert [line[:2] for line in found] == [(SIDE[rules.game], "lose")], rule
