"""The games of blackjack, paragraph by paragraph: errors of the deal and their options (section 5).

An Initial Bet is 10.00 unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    BlackjackRules,
    Choice,
    RoundFollows,
    adjusted,
)
from tests.blackjack import (
    ONE,
    SIDE,
    TWO,
    Json,
    Told,
    beside,
    brief,
    declared,
    follows,
    hand,
    judged,
    no,
    not_declared,
    part,
    refusal,
    settled,
)
from tests.paragraphs import paragraph

CONTINUE, RETURN = Choice.CONTINUE, Choice.RETURN


# Dealing errors


@paragraph("5.7")
def test_after_a_dealing_error_every_player_of_the_table_chooses_for_each_of_his_boxes(
    rules: BlackjackRules, rule: str
) -> None:
    said = {"reconstructed": True, "interim_settled": False}
    with pytest.raises(Refused) as refused:
        declared(rules, rule, boxes=TWO, choices={"1": CONTINUE}, **said)
    assert refusal(refused) == ("choice_missing", rule, "choices")
    assert refused.value.data["players"] == ["3/3"]
    found = declared(rules, rule, boxes=TWO, choices={"1": CONTINUE, "1/B": RETURN, "3": RETURN}, **said)
    assert (found.follows, found.rule) == (RoundFollows.OPTIONS, rule)
    assert [one.returned for one in found.players] == [False, True, True]


@paragraph("5.7")
def test_the_house_says_whether_the_cards_are_put_right_and_side_bets_were_settled(
    rules: BlackjackRules, rule: str
) -> None:
    choices = {"1": CONTINUE}
    unsaid = not_declared(rules, rule, choices=choices, interim_settled=False)
    assert unsaid == ("reconstructed_missing", None, "reconstructed")
    unsaid = not_declared(rules, rule, choices=choices, reconstructed=True)
    assert unsaid == ("interim_settled_missing", None, "interim_settled")


@paragraph("5.7")
def test_who_is_not_in_the_round_has_no_options(rules: BlackjackRules, rule: str) -> None:
    said = {"reconstructed": True, "interim_settled": False}
    for key in ("2", "1/X", "boom_busted/1"):
        found = not_declared(rules, rule, choices={"1": CONTINUE, key: RETURN}, **said)
        assert found == ("choice_not_offered", rule, f"choices.{key}")


@paragraph("5.7.1 5.7")
def test_who_goes_on_with_the_hand_as_it_is_is_settled_by_it(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = declared(rules, also, choices={"1": CONTINUE}, reconstructed=False, interim_settled=False)
    assert follows(found) == [(1, "1", rule, False)]
    assert found.returned == {}


@paragraph("5.7.2 5.7")
def test_who_goes_on_with_the_hand_put_right_is_settled_by_that(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = declared(rules, also, choices={"1": CONTINUE}, reconstructed=True, interim_settled=False)
    assert follows(found) == [(1, "1", rule, False)]
    before = judged(rules, ONE, [hand(1, "Th 6s 9h")], "9c")
    after = judged(rules, ONE, [hand(1, "Th 6s 5h")], "9c 9h", before=before.report, irregular=True)
    changed = adjusted(before.lines, after.lines)
    assert [(one.before, one.after, one.difference) for one in changed] == [(0, 20_00, 20_00)]


def _invalid(rules: BlackjackRules, *, settled_before: bool) -> list[Told]:
    """Box 1 has bets on the side, B has not; the first has his bets back."""
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}, beside(5_00)]
    found = declared(
        rules,
        "5.7",
        boxes=boxes,
        choices={"1/1": RETURN, "1/B": CONTINUE},
        reconstructed=False,
        interim_settled=settled_before,
    )
    play = judged(rules, boxes, [hand(1, "9h 3d 7s")], "9c 9d", returned=found.returned, final=True)
    return brief(play.lines)


@paragraph(B="5.7.3 3.23.2", P="5.7.3 3.24.2", F="5.7.3 3.24.2")
def test_who_has_his_bets_back_has_no_hand_and_the_others_play_on(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    assert _invalid(rules, settled_before=False) == [
        (SIDE[rules.game], "returned", 1_00, 1_00, rule),
        ("bet", "returned", 10_00, 10_00, rule),
        ("B", "bet", "win", 5_00, 10_00, also),
    ]


@paragraph("5.7.3")
def test_what_the_interim_settlement_decided_stands(rules: BlackjackRules, rule: str) -> None:
    """A20."""
    found = _invalid(rules, settled_before=True)
    assert found[0][:4] == (SIDE[rules.game], "lose", 1_00, 0)
    assert found[1] == ("bet", "returned", 10_00, 10_00, rule)


@paragraph(B="5.7.3 3.15 3.16", P="5.7.3 3.16 3.17", F="5.7.3 3.16 3.17")
def test_so_do_a_natural_paid_at_once_and_a_surrender(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    """A20."""
    found = declared(rules, "5.7", choices={"1": RETURN}, reconstructed=False, interim_settled=True)
    natural = judged(rules, ONE, [hand(1, "Ah Kd")], "9c", returned=found.returned)
    assert brief(natural.lines) == [("bet", "win", 10_00, 25_00, also)], rule
    given_up = judged(rules, ONE, [hand(1, "Th 6s", "surrender")], "9c", returned=found.returned)
    assert [line[1:] for line in brief(given_up.lines)] == [
        ("lose", 5_00, 0, besides),
        ("returned", 5_00, 5_00, besides),
    ]


@paragraph("5.7.3")
def test_all_that_lies_on_the_hands_goes_back_with_the_insurance(rules: BlackjackRules, rule: str) -> None:
    found = declared(rules, "5.7", choices={"1": RETURN}, reconstructed=False, interim_settled=False)
    split = hand(1, "8c 8d", "split", part("8c 3d Th", "double"), part("8d 9s"), wagers=[{"insurance": 5_00}])
    back = judged(rules, ONE, [split], "As 5c", returned=found.returned, final=True)
    assert brief(back.lines) == [
        ("insurance", "returned", 5_00, 5_00, rule),
        ("bet", "returned", 10_00, 10_00, rule),
        ("double", "returned", 10_00, 10_00, rule),
        ("split 2", "returned", 10_00, 10_00, rule),
    ]


@paragraph(B="5.7.3 3.21.3", P="5.7.3 3.22.3", F="5.7.3 3.22.3")
def test_but_a_hand_that_was_told_as_bust_stays_lost(rules: BlackjackRules, rule: str, also: str) -> None:
    """A20: that too was settled."""
    split = hand(1, "8c 8d", "split", part("8c 5d Tc"), part("8d 9s"))
    told = judged(rules, ONE, [split], "6c").lines
    found = declared(
        rules, "5.7", told=told, choices={"1": RETURN}, reconstructed=False, interim_settled=True
    )
    back = judged(rules, ONE, [split], "6c", returned=found.returned, final=True)
    assert brief(back.lines) == [
        ("bet", "lose", 10_00, 0, also),
        ("split 2", "returned", 10_00, 10_00, rule),
    ]


@paragraph("5.7.3")
def test_a_table_may_say_so_with_the_hands_of_a_box_or_of_one_player(
    rules: BlackjackRules, rule: str
) -> None:
    """With the first two cards told the side bets on them stand; without cards everything goes back."""
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}, beside(5_00)]
    box = settled(rules, hand(1, "9h 3d", invalidated=rule), dealer="9c 8d", boxes=boxes, final=True)
    assert [line[-4] for line in box] == ["lose", "returned", "returned"]
    bare = settled(rules, hand(1, "", invalidated=rule), dealer="9c", boxes=boxes, final=True)
    assert [line[-4:] for line in bare] == [
        ("returned", 1_00, 1_00, rule),
        ("returned", 10_00, 10_00, rule),
        ("returned", 5_00, 5_00, rule),
    ]
    one = hand(1, "9h 3d 7s", wagers=[{"player": "B", "invalidated": rule}])
    found = settled(rules, one, dealer="9c 9d", boxes=boxes, final=True)
    assert [line[-4] for line in found] == ["lose", "win", "returned"]


@paragraph("5.8")
def test_no_bet_is_placed_raised_or_withdrawn_after_the_closing(rules: BlackjackRules, rule: str) -> None:
    """Hands carry no Initial Bet: who had none at the closing has no wager. Other bets for a round that has
    bets are refused by the journal, as at the poker tables."""
    late = hand(1, "6c 5d 2h", "double", wagers=[{"player": "X", "double": 5_00}])
    assert no(rules, late, dealer="9c") == ("player_not_on_box", None, "hands[0].wagers[0].player"), rule


@paragraph("5.9 5.7.1 5.7.2")
def test_whether_cards_are_put_right_is_the_word_of_the_house(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    for put_right, goes_on in ((False, also), (True, besides)):
        for settled_before in (False, True):
            found = declared(
                rules,
                "5.7",
                choices={"1": CONTINUE},
                reconstructed=put_right,
                interim_settled=settled_before,
            )
            assert [one.rule for one in found.players] == [goes_on], rule


@paragraph("5.10.1 5.7.2")
def test_an_error_of_the_later_deal_is_put_right_until_the_hand_is_settled(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A19: side bets settled before stand; a report that puts the later cards right changes the rest."""
    found = declared(rules, "5.7", choices={"1": CONTINUE}, reconstructed=True, interim_settled=True)
    assert follows(found) == [(1, "1", also, False)]
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}]
    before = judged(rules, boxes, [hand(1, "9h 3d Th")], "9c")
    after = judged(rules, boxes, [hand(1, "9h 3d 2c")], "9c Th", before=before.report, irregular=True)
    assert [one.wager for one in adjusted(before.lines, after.lines)] == [], rule
    assert [line[0] for line in brief(after.lines)] == [SIDE[rules.game], "bet"]


@paragraph(B="5.10.2 3.23.2", P="5.10.2 3.24.2", F="5.10.2 3.24.2")
def test_what_the_dealer_drew_on_a_finished_hand_is_discarded_and_his_total_before_counts(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    """A22: nobody has options."""
    found = declared(rules, rule)
    assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, rule, ())
    assert not_declared(rules, rule, choices={"1": RETURN})[0] == "choice_not_offered"
    drawn = {"discarded": [{"card": "2h", "rule": rule}], "shoe": {"drawn": ["Th", "9c", "9s", "8d", "2h"]}}
    assert no(rules, hand(1, "Th 9s"), dealer="9c 8d 2h")[:2] == ("dealer_draw_wrong", rule)
    won = settled(rules, hand(1, "Th 9s"), dealer="9c 8d", final=True, **drawn)
    assert won == [("bet", "win", 10_00, 20_00, also)]


@paragraph("5.10.3 5.7")
def test_cards_dealt_to_a_place_without_a_bet_are_discarded(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = declared(rules, rule, interim_settled=True)
    assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, rule, ())
    before = not_declared(rules, rule, interim_settled=False)
    assert before == ("other_paragraph_applies", also, "paragraph")
    drawn = ["Th", "9c", "9s", "Jc", "8d"]
    shoe: Json = {"shoe": {"drawn": drawn}}
    assert no(rules, hand(1, "Th 9s"), dealer="9c 8d", **shoe)[0] == "shoe_differs"
    shoe["discarded"] = [{"card": "Jc", "rule": rule}]
    assert settled(rules, hand(1, "Th 9s"), dealer="9c 8d", **shoe)[0][1] == "win"


@paragraph("5.11")
def test_a_card_face_up_in_the_shoe_is_the_next_card(rules: BlackjackRules, rule: str) -> None:
    found = declared(rules, rule)
    assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, rule, ())


@paragraph("5.12 5.12.2 5.7.1")
def test_of_cards_drawn_at_once_the_player_takes_one_first_and_they_are_never_put_right(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    unsaid = not_declared(rules, rule, choices={"1": CONTINUE})
    assert unsaid == ("reason_missing", None, "note")
    said: Json = {"note": "the nine before the four", "reconstructed": True}
    found = declared(rules, rule, choices={"1": CONTINUE}, **said)
    assert (found.follows, found.rule) == (RoundFollows.OPTIONS, also)
    assert follows(found) == [(1, "1", besides, False)]
    drawn = {"shoe": {"drawn": ["Th", "9c", "2s", "4h", "9d", "8d"]}}
    swapped = hand(1, "Th 2s 9d 4h")
    assert no(rules, swapped, dealer="9c 8d", **drawn)[0] == "shoe_differs"
    assert settled(rules, swapped, dealer="9c 8d", irregular=True, **drawn)[0][1] == "lose"


@paragraph("5.12.1 5.12.2")
def test_cards_drawn_at_once_for_the_dealer_are_discarded_and_another_is_drawn(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = declared(rules, rule, choices={"1": CONTINUE})
    assert (found.follows, found.rule) == (RoundFollows.OPTIONS, also)
    gone = [{"card": card, "rule": rule} for card in ("5h", "6h")]
    drawn = {"discarded": gone, "shoe": {"drawn": ["Th", "9c", "9s", "5h", "6h", "8d"]}}
    assert settled(rules, hand(1, "Th 9s"), dealer="9c 8d", **drawn)[0][1] == "win"


@paragraph("5.12.2")
def test_unless_it_is_said_side_bets_were_settled_if_an_outcome_was_told(
    rules: BlackjackRules, rule: str
) -> None:
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}]
    told = judged(rules, boxes, [hand(1, "9h 3d")], "9c").lines
    for lines, said, settled_before in ((told, None, True), ((), None, False), (told, False, False)):
        found = declared(
            rules, "5.12.1", boxes=boxes, told=lines, choices={"1": RETURN}, interim_settled=said
        )
        assert (found.rule, [one.interim_settled for one in found.players]) == (rule, [settled_before])


@paragraph("5.12.2 5.7")
def test_cards_drawn_at_once_give_all_players_the_options(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    for number in ("5.12", "5.12.1"):
        said: Json = {"note": "the nine first", "choices": {"1": CONTINUE}}
        assert not_declared(rules, number, boxes=TWO, **said) == ("choice_missing", also, "choices")
        said["choices"] = {"1": RETURN, "3": CONTINUE}
        found = declared(rules, number, boxes=TWO, **said)
        assert (found.rule, [one.returned for one in found.players]) == (rule, [True, True, False])
