"""Free Bet Blackjack: RWS Pairs, Lucky Stash and Boom Busted. Each is a bet of 1.00 beside one of 10.00."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.games.blackjack import FREE_BET, playing, returned_at_once
from tests.blackjack import ONE, Json, Told, beside, brief, closed, hand, judged, no, part, settled

BUSTS = {
    3: "9c 6d 8h",
    4: "9c 4d 3h Ts",
    5: "2c 3d 4h 5s Tc",
    6: "2c 3d 4h 2s 3c Td",
    7: "2c 2d 3h 3s 2h 4c Td",
    8: "2c 2d 2h 2s 3c 3d 2c Kh",
    9: "2c 2d 2h 2s 2c 2d 2h 2s Kd",
}
"""Hands of the dealer, by their number of cards."""
PAYS = {3: 2, 4: 2, 5: 4, 6: 12, 7: 50, 8: 200, 9: 200}


def boomed(dealer: str, *hands: Json, **more: Any) -> list[Told]:
    """What is told of 1.00 on Boom Busted by X."""
    boom = [{"player": "X", "bet": 1_00}]
    found = settled(FREE_BET, *(hands or (hand(1, "Th 9s"),)), dealer=dealer, boom=boom, **more)
    return [line for line in found if "boom_busted" in line]


# RWS Pairs


def pair(cards: str) -> Told:
    boxes = [{"box": 1, "bet": 10_00, "rws_pairs": 1_00}]
    return settled(FREE_BET, hand(1, cards), dealer="9c", boxes=boxes)[0]


@pytest.mark.parametrize("rank", "23456789TJQKA")
def test_f_1_29_two_cards_of_any_one_rank_are_a_pair(rank: str) -> None:
    assert pair(f"{rank}c {rank}s")[:4] == ("rws_pairs", "win", 1_00, 13_00)


@pytest.mark.parametrize("cards", ["Tc Kc", "Qh Jh", "6h 7h", "Ah Kd"])
def test_f_3_14_cards_of_two_ranks_lose_also_of_equal_value(cards: str) -> None:
    assert pair(cards) == ("rws_pairs", "lose", 1_00, 0, "3.14")


def test_f_3_14_the_pair_does_not_touch_the_hand() -> None:
    boxes = [{"box": 1, "bet": 10_00, "rws_pairs": 1_00}]
    found = settled(FREE_BET, hand(1, "9h 9d"), dealer="9c Td", boxes=boxes, final=True)
    assert found == [("rws_pairs", "win", 1_00, 13_00, "3.14.3"), ("bet", "lose", 10_00, 0, "3.24.3")]


@pytest.mark.parametrize("suit", "cdhs")
def test_f_3_14_1_suited_aces_are_a_pair_of_their_own(suit: str) -> None:
    assert pair(f"A{suit} A{suit}") == ("rws_pairs", "win", 1_00, 51_00, "3.14.1")


@pytest.mark.parametrize("rank", "23456789TJQK")
def test_f_3_14_2_any_other_pair_of_one_suit_is_a_suited_one(rank: str) -> None:
    assert pair(f"{rank}h {rank}h") == ("rws_pairs", "win", 1_00, 21_00, "3.14.2")


@pytest.mark.parametrize("cards", ["Qc Qs", "5h 5d", "As Ac"])
def test_f_3_14_3_a_coloured_pair_is_of_one_colour_and_two_suits(cards: str) -> None:
    assert pair(cards) == ("rws_pairs", "win", 1_00, 13_00, "3.14.3")


@pytest.mark.parametrize("cards", ["Qc Qh", "5d 5s", "Ah Ac"])
def test_f_3_14_4_a_mixed_pair_is_of_two_colours(cards: str) -> None:
    assert pair(cards) == ("rws_pairs", "win", 1_00, 7_00, "3.14.4")


def test_f_4_1_2_pairs_pay_50_20_12_and_6_to_1() -> None:
    boxes = [{"box": 1, "bet": 10_00, "rws_pairs": 1_00}]
    lines = [
        judged(FREE_BET, boxes, [hand(1, cards)], "9c").lines[0]
        for cards in ("Ah Ah", "8h 8h", "8h 8d", "8h 8c")
    ]
    assert [(line.pays, line.won) for line in lines] == [
        ("50 to 1", 50_00),
        ("20 to 1", 20_00),
        ("12 to 1", 12_00),
        ("6 to 1", 6_00),
    ]


# Boom Busted


def test_f_1_3_boom_busted_counts_the_cards_of_the_dealers_bust() -> None:
    """A9: with the first one."""
    for count, dealer in BUSTS.items():
        assert boomed(dealer) == [("X", "boom_busted", "win", 1_00, (PAYS[count] + 1) * 1_00, "3.26")]


def test_f_3_9_1_it_needs_an_initial_bet_on_any_box_and_not_the_bettors_own() -> None:
    closing = closed(FREE_BET, *ONE, boom=[{"player": "X", "bet": 1_00}])
    assert [(one.box, one.player, one.wager, one.stake) for one in playing(closing)][1:] == [
        (None, "X", "boom_busted", 1_00)
    ]
    alone = closed(FREE_BET, {"box": 1, "rws_pairs": 1_00}, boom=[{"player": "X", "bet": 1_00}])
    assert brief(returned_at_once(alone)) == [
        ("rws_pairs", "returned", 1_00, 1_00, "5.16"),
        ("X", "boom_busted", "returned", 1_00, 1_00, "3.9.1"),
    ]


def test_f_3_25_boom_busted_is_settled_with_the_round() -> None:
    assert boomed("9c 6d") == []
    assert boomed("9c 6d 8h") != []
    busted = hand(1, "Th 6s 9h")
    refused = no(FREE_BET, busted, dealer="9c 6d", boom=[{"player": "X", "bet": 1_00}], final=True)
    assert refused == ("play_incomplete", None, "final")


def test_f_3_26_it_wins_by_the_number_of_cards_of_a_bust() -> None:
    assert boomed(BUSTS[5]) == [("X", "boom_busted", "win", 1_00, 5_00, "3.26")]
    assert boomed(BUSTS[6]) == [("X", "boom_busted", "win", 1_00, 13_00, "3.26")]


def test_f_3_26_1_the_dealer_draws_on_for_it_when_every_hand_is_bust() -> None:
    """A21: as nothing else would make him."""
    busted = hand(1, "Th 6s 9h")
    assert settled(FREE_BET, busted, dealer="9c", final=True) == [("bet", "lose", 10_00, 0, "3.19")]
    assert (
        no(FREE_BET, busted, dealer="9c", boom=[{"player": "X", "bet": 1_00}], final=True)[0]
        == "play_incomplete"
    )
    assert boomed("9c 6d 8h", busted, final=True) == [("X", "boom_busted", "win", 1_00, 3_00, "3.26")]


@pytest.mark.parametrize("dealer", ["9c 8d", "Kc As", "9c 6d 6h", "9c 6d 7h", "2c 3d 4h 5s 8c"])
def test_f_3_26_2_without_a_bust_it_loses_to_a_22_too(dealer: str) -> None:
    """A9: bust is over 22."""
    assert boomed(dealer, final=True) == [("X", "boom_busted", "lose", 1_00, 0, "3.26.2")]


def test_f_3_26_3_it_does_not_touch_the_hands() -> None:
    boom = [{"player": "1", "bet": 1_00}]
    found = settled(FREE_BET, hand(1, "Th 9s"), dealer="9c 6d 8h", boom=boom, final=True)
    assert found[:1] == settled(FREE_BET, hand(1, "Th 9s"), dealer="9c 6d 8h", final=True)


def test_f_4_1_3_a_bust_pays_2_to_200_to_1_by_its_cards() -> None:
    assert {count: boomed(dealer)[0][4] for count, dealer in BUSTS.items()} == {
        3: 3_00,
        4: 3_00,
        5: 5_00,
        6: 13_00,
        7: 51_00,
        8: 201_00,
        9: 201_00,
    }


# Lucky Stash


def stashed(told: Json, dealer: str = "9c", boxes: list[Json] | None = None, **more: Any) -> list[Told]:
    """What is told of 1.00 on Lucky Stash."""
    boxes = boxes or [{"box": 1, "bet": 10_00, "lucky_stash": 1_00}]
    return [
        line for line in settled(FREE_BET, told, dealer=dealer, boxes=boxes, **more) if "lucky_stash" in line
    ]


def test_f_1_22_one_marker_wins_and_none_loses() -> None:
    assert stashed(hand(1, "6c 5d 2h", "free_double")) == [("lucky_stash", "win", 1_00, 3_00, "3.27")]
    assert stashed(hand(1, "6c 5d 2h", "double")) == [("lucky_stash", "lose", 1_00, 0, "3.27")]
    assert stashed(hand(1, "Ah Kd")) == [("lucky_stash", "lose", 1_00, 0, "3.27")]


def test_f_3_27_it_is_told_when_the_box_is_played_out() -> None:
    first = part("8c 3d Th", "free_double")
    assert stashed(hand(1, "8c 8d", "free_split", first, part("8d"))) == []
    assert stashed(hand(1, "8c 8d", "free_split", first, part("8d 9s"))) == []
    played = hand(1, "8c 8d", "free_split", first, part("8d 9s", "stand"))
    assert stashed(played) == [("lucky_stash", "win", 1_00, 11_00, "3.27")]


def test_f_3_27_markers_of_busted_hands_and_against_a_blackjack_count() -> None:
    """A8."""
    busted = hand(1, "8c 8d", "free_split", part("8c 5d Td"), part("8d 5s Ts"))
    assert stashed(busted) == [("lucky_stash", "win", 1_00, 3_00, "3.27")]
    assert stashed(busted, dealer="Kc As", final=True) == [("lucky_stash", "win", 1_00, 3_00, "3.27")]


def test_f_3_27_the_bettors_own_markers_count_and_of_one_without_a_bet_there_the_callers() -> None:
    """A8."""
    boxes: list[Json] = [
        {"box": 1, "bet": 10_00},
        beside(5_00, lucky_stash=1_00),
        {"box": 1, "player": "X", "standing": True, "lucky_stash": 1_00},
    ]
    said = [{"player": "B", "split": "paid"}]
    split = hand(1, "8c 8d", "free_split", part("8c 9s"), part("8d 3s Td", "free_double"), wagers=said)
    assert stashed(split, dealer="9c 8h", boxes=boxes) == [
        ("B", "lucky_stash", "win", 1_00, 3_00, "3.27"),
        ("X", "lucky_stash", "win", 1_00, 11_00, "3.27"),
    ]


def markers(count: int) -> Json:
    """Sevens split up to three times, then doubles on the hands: so many markers in all."""
    doubles = max(0, count - 3)
    ends = [
        part(f"7{suit} 3{suit} 9{suit}", "free_double") if place < doubles else part(f"7{suit} T{suit}")
        for place, suit in enumerate("cdhs")
    ]
    if count == 1:
        return hand(1, "7c 7d", "free_split", ends[0], ends[1])
    second = part("7d 7h", "free_split", ends[1], ends[2])
    if count > 2:
        third = part("7h 7s", "free_split", ends[2], ends[3])
        second = part("7d 7h", "free_split", ends[1], third)
    return hand(1, "7c 7d", "free_split", ends[0], second)


def test_f_4_1_4_one_to_seven_markers_pay_2_to_1000_to_1() -> None:
    paid = {count: stashed(markers(count), dealer="9c 8d", final=True)[0][3] for count in range(1, 8)}
    assert paid == {1: 3_00, 2: 11_00, 3: 26_00, 4: 51_00, 5: 101_00, 6: 201_00, 7: 1_001_00}
