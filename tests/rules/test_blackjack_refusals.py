"""What the rules of blackjack make impossible is refused: with a code, the paragraph in the table's own game,
and the part of the message that is wrong. So is what no table can mean.
"""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.core.refusals import BadInput, Conflict, Refused
from jackpot.games.blackjack import BlackjackRules, check_bets, check_void, close, judge
from tests.blackjack import (
    LETTERS,
    ONE,
    SIDE,
    Json,
    beside,
    bets_of,
    closed,
    hand,
    judged,
    layout,
    no,
    part,
    refusal,
    report_of,
    settled,
    told,
)
from tests.blackjack_refusals import EVERY_IMPOSSIBLE_MESSAGE, IMPOSSIBLE, Impossible

CODES = """
box_not_in_round box_repeated box_unknown card_repeated card_unknown dealer_draw_wrong decision_contradictory
decision_unknown discard_unknown double_not_allowed draw_missing draw_not_allowed even_money_not_allowed
free_double_not_allowed free_split_not_allowed insurance_not_allowed invalidation_unknown outcome_established
play_incomplete player_not_on_box player_repeated seat_taken shoe_differs split_not_allowed
surrender_not_allowed told_before void_reason_unknown wager_not_in_game wrong_number_of_cards
"""
EVERY_GAME = pytest.mark.parametrize("rules", LETTERS.values(), ids=[letter.lower() for letter in LETTERS])


def tell(one: Impossible, rules: BlackjackRules) -> None:
    at = layout(rules, **one.table)
    check_bets(at, bets_of(one.bets))
    closing = close(at, bets_of(one.bets))
    if one.report is not None:
        before = None if one.before is None else judge(closing, report_of(one.before)).report
        judge(closing, report_of(one.report), before=before, counts=one.counts, irregular=one.irregular)


@EVERY_IMPOSSIBLE_MESSAGE
def test_what_the_rules_make_impossible_is_refused_with_the_paragraph_of_its_own_game(
    one: Impossible, letter: str
) -> None:
    with pytest.raises(Refused) as refused:
        tell(one, LETTERS[letter])
    assert refusal(refused) == (one.code, one.rule_in(letter), one.field)
    assert isinstance(refused.value, BadInput)
    assert refused.value.message


def test_every_code_of_the_contract_has_its_cases() -> None:
    of_voids = {"void_reason_unknown", "outcome_established"}
    assert {one.code for one in IMPOSSIBLE} == set(CODES.split()) - of_voids


@EVERY_GAME
def test_a_void_is_refused_for_another_paragraph(rules: BlackjackRules) -> None:
    another = {"blackjack": "5.20", "blackjack_perfect_pairs": "5.13.2", "free_bet_blackjack": "5.19"}[
        rules.game
    ]
    for reason in (another, "5.4", "5.7", "5.10.2", "1.1", "x" * 200, ""):
        with pytest.raises(Refused) as refused:
            check_void(rules, reason, ())
        assert refusal(refused) == ("void_reason_unknown", None, "reason")
        assert len(refused.value.message) < 100


@EVERY_GAME
def test_a_void_for_an_interruption_is_refused_once_a_bet_is_won_or_lost(rules: BlackjackRules) -> None:
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1}]
    with pytest.raises(Refused) as refused:
        check_void(rules, "5.4.2", judged(rules, boxes, [hand(1, "9h 3d")], "9c").lines)
    assert refusal(refused)[:2] == ("outcome_established", "5.4.1")
    assert isinstance(refused.value, Conflict)


@EVERY_GAME
def test_what_is_open_at_the_end_is_named(rules: BlackjackRules) -> None:
    boxes = [*ONE, beside(5_00)]
    with pytest.raises(Refused) as refused:
        settled(rules, hand(1, "6c 5d 9h", "double"), dealer="9c", boxes=boxes, final=True)
    assert refused.value.data["open"] == [
        {"box": 1, "player": player, "hand": 1, "wager": wager}
        for player in ("1", "B")
        for wager in ("bet", "double")
    ]
    assert {name: refused.value.data[name] for name in ("box", "player", "wager")} == {
        "box": 1,
        "player": "1",
        "wager": "bet",
    }


# What no table can mean


def not_closed(rules: BlackjackRules, *boxes: Json, **more: Any) -> tuple[str, str | None, object]:
    with pytest.raises(Refused) as refused:
        closed(rules, *boxes, **more)
    return refusal(refused)


@EVERY_GAME
@pytest.mark.parametrize(("amount", "code"), [(-1, "amount_negative"), (10**12 + 1, "amount_too_large")])
def test_no_bet_is_below_zero_or_beyond_all_reason(rules: BlackjackRules, amount: int, code: str) -> None:
    assert not_closed(rules, {"box": 1, "bet": amount}) == (code, None, "boxes[0].bet")
    side = {"box": 1, "bet": 1, SIDE[rules.game]: amount}
    assert not_closed(rules, side) == (code, None, f"boxes[0].{SIDE[rules.game]}")
    if rules.table_bet is not None:
        boom = [{"player": "X", "bet": amount}]
        assert not_closed(rules, *ONE, boom=boom) == (code, None, "boom_busted[0].bet")
    for wager, called, dealer in (("insurance", None, "As"), ("double", "double", "9c")):
        found = no(rules, hand(1, "6c 5d", called, wagers=[{wager: amount}]), dealer=dealer)
        assert found == (code, None, f"hands[0].wagers[0].{wager}")


@EVERY_GAME
def test_the_largest_amounts_are_settled_to_the_cent(rules: BlackjackRules) -> None:
    boxes = [{"box": 1, "bet": 10**12}]
    natural = settled(rules, hand(1, "Ah Kd"), dealer="9c", boxes=boxes)
    assert natural[0][2:4] == (10**12, 25 * 10**11)


@EVERY_GAME
@pytest.mark.parametrize(
    ("name", "code"),
    [
        ("x" * 200, "text_too_long"),
        ("", "text_malformed"),
        ("  ", "text_malformed"),
        ("A\x00", "text_invisible"),
        ("A\nB", "text_invisible"),
        ("\u202eA", "text_invisible"),
        ("A\u200b", "text_invisible"),
    ],
    ids=["200 letters", "none", "blank", "null", "two lines", "turned", "joined"],
)
def test_a_player_has_a_name_that_people_can_read(rules: BlackjackRules, name: str, code: str) -> None:
    assert not_closed(rules, {"box": 1, "bet": 1, "player": name}) == (code, None, "boxes[0].player")
    said = hand(1, "Th 9s", wagers=[{"player": name, "insurance": 1}])
    assert no(rules, said, dealer="As") == (code, None, "hands[0].wagers[0].player")
    if rules.table_bet is not None:
        boom = [{"player": name, "bet": 1}]
        assert not_closed(rules, *ONE, boom=boom) == (code, None, "boom_busted[0].player")


@EVERY_GAME
@pytest.mark.parametrize(
    ("shoe", "code"),
    [("x" * 200, "text_too_long"), ("a\x00", "text_invisible"), ("a\u202eb", "text_invisible")],
)
def test_so_has_a_shoe(rules: BlackjackRules, shoe: str, code: str) -> None:
    assert no(rules, hand(1, "Th 9s"), shoe={"id": shoe}) == (code, None, "shoe.id")


@EVERY_GAME
def test_five_splits_are_refused_however_they_are_told(rules: BlackjackRules) -> None:
    deep = part("8c 8d")
    for _ in range(5):
        deep = part("8c 8d", "split", deep, part("8d"))
    wide = hand(1, "8c 8d", "split", *[part("8c 8d", "split", part("8c"), part("8d"))] * 5)
    for five in ({"box": 1, **deep}, wide):
        code, rule, field = no(rules, five, dealer="9c")
        assert (code, str(field)[:8]) == ("split_not_allowed", "hands[0]")
        assert rule is not None
        assert rule.startswith("3.2")


@EVERY_GAME
def test_400_cards_are_refused(rules: BlackjackRules) -> None:
    deck = [face + suit for face in "23456789TJQKA" for suit in "cdhs"]
    many = " ".join((deck * 8)[:400])
    assert no(rules, hand(1, many), dealer="9c")[0] in ("card_repeated", "draw_not_allowed")
    assert no(rules, hand(1, "Th 9s"), dealer=many)[0] in ("card_repeated", "dealer_draw_wrong")
    assert no(rules, hand(1, " ".join(["2c"] * 400)), dealer="9c")[:2] == ("card_repeated", "2.2.1")
    assert no(rules, hand(1, "Th 9s"), dealer="9c", shoe={"drawn": many.split()})[0] == "shoe_differs"
    gone = [{"card": "2c", "rule": "5.10.3"}] * 400
    assert no(rules, hand(1, "Th 9s"), dealer="9c", discarded=gone)[:2] == ("card_repeated", "2.2.1")


@EVERY_GAME
def test_long_words_are_not_repeated_in_the_refusal(rules: BlackjackRules) -> None:
    long = "x" * 10_000
    for one in (
        hand(1, "Th 9s", long),
        hand(1, "Th 9s", invalidated=long),
        hand(1, "8c 8d", "split", part("8c"), part("8d"), wagers=[{"split": long}]),
    ):
        with pytest.raises(Refused) as refused:
            settled(rules, one, dealer="9c")
        assert len(refused.value.message) < 200
    with pytest.raises(Refused) as refused:
        closed(rules, {"box": 1, "bet": 1, long: 1})
    assert len(refused.value.message) < 200


@EVERY_GAME
def test_empty_messages_settle_nothing(rules: BlackjackRules) -> None:
    empty = closed(rules)
    assert judge(empty, told()).lines == ()
    assert judge(empty, told(final=True)).open == ()
    assert judge(closed(rules, {"box": 1, "bet": 0}), told(final=True)).lines == ()
    assert judge(closed(rules, *ONE), told()).lines == ()
    assert judge(closed(rules, *ONE), told(hand(1, ""))).lines == ()


@EVERY_GAME
def test_a_final_message_without_hands_settles_what_was_last_told(rules: BlackjackRules) -> None:
    closing = closed(rules, *ONE)
    before = judge(closing, told(hand(1, "Th 9s"), dealer="9c 8d")).report
    assert judge(closing, told(final=True), before=before).lines != ()
    drawn = ("Th", "9c", "9s", "8d")
    last = judge(closing, told(final=True, shoe={"drawn": drawn}), before=before)
    assert last.report.shoe is not None
    assert last.report.shoe.drawn == drawn


@EVERY_GAME
def test_a_shoe_stays_known_once_it_was_named(rules: BlackjackRules) -> None:
    closing = closed(rules, *ONE)
    before = judge(closing, told(hand(1, "Th 9s"), dealer="9c", shoe={"id": "7"})).report
    for more in ({}, {"shoe": {"drawn": ["Th", "9c", "9s", "8d"]}}, {"shoe": {"id": "7"}}):
        after = judge(closing, told(hand(1, "Th 9s"), dealer="9c 8d", **more), before=before).report
        assert after.shoe is not None
        assert after.shoe.id == "7"
        last = judge(closing, told(final=True, **more), before=after).report.shoe
        assert last == after.shoe


@EVERY_GAME
def test_its_shoe_is_held_against_what_was_told(rules: BlackjackRules) -> None:
    closing = closed(rules, *ONE)
    before = judge(closing, told(hand(1, "Th 9s"), dealer="9c 8d")).report
    with pytest.raises(Refused) as refused:
        judge(closing, told(final=True, shoe={"drawn": ["Th", "9c", "9s", "7d"]}), before=before)
    assert refusal(refused) == ("shoe_differs", "3.11", "shoe.drawn")


@EVERY_GAME
def test_cards_are_read_however_they_are_spelled(rules: BlackjackRules) -> None:
    report = told(hand(1, "10h 9S"), dealer="9C 8d", final=True)
    assert judge(closed(rules, *ONE), report).report == told(hand(1, "Th 9s"), dealer="9c 8d", final=True)
