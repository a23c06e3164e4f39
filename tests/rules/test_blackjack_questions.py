"""What the House is asked of an irregularity of blackjack: enough for the rules, nothing they do not ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from jackpot.core.refusals import OtherParagraphApplies
from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    FREE_BET,
    BlackjackRules,
    Case,
    Choice,
    Consequence,
    Irregularity,
    Resolution,
    consequence,
    provisions,
)
from jackpot.games.blackjack.irregularity_forms import paragraphs
from jackpot.games.irregularity_forms import Instead, Question

PLACES = ((2, "2"), (5, "5"), (5, "B"))
EVERY_GAME = pytest.mark.parametrize("rules", BLACKJACK_GAMES.values(), ids=BLACKJACK_GAMES)
Answered = tuple[Irregularity, str | None]


def followed(rules: BlackjackRules, said: Irregularity) -> Consequence:
    table = () if rules.table_bet is None else ((None, "X"),)
    return consequence(Case(rules=rules, said=said, places=(*PLACES, *table)))


def said_after(rules: BlackjackRules, said: Irregularity, question: Question, answer: str) -> Irregularity:
    match question.ask:
        case "reconstructed":
            return replace(said, reconstructed=answer == "yes")
        case "interim_settled":
            return replace(said, interim_settled=answer == "yes")
        case "resolution":
            return replace(said, resolution=Resolution(answer))
        case "note":
            return replace(said, note="seen on camera")
    assert question.of == "all"
    choices = {"2": Choice.CONTINUE, "5": Choice.RETURN, "5/B": Choice.CONTINUE}
    table = {} if rules.table_bet is None else {"boom_busted/X": Choice.RETURN}
    return replace(said, choices=choices | table)


def answered(
    rules: BlackjackRules, said: Irregularity, needs: Question | Instead | None
) -> Iterator[Answered]:
    """Every way through the questions: what is said in the end, and the paragraph that applies instead."""
    if needs is None:
        yield said, None
    elif isinstance(needs, Instead):
        yield said, needs.paragraph
    else:
        if needs.optional:
            yield said, None
        for answer, after in needs.then.items():
            yield from answered(rules, said_after(rules, said, needs, answer), after)


def needs_of(rules: BlackjackRules, number: str) -> Question | Instead | None:
    (found,) = [one.needs for one in paragraphs(rules) if one.number == number]
    return found


@EVERY_GAME
def test_whoever_answers_what_is_asked_is_told_what_follows(rules: BlackjackRules) -> None:
    ways = [
        way
        for one in paragraphs(rules)
        for way in answered(rules, Irregularity(paragraph=one.number), one.needs)
    ]
    assert len(ways) > len(provisions(rules))
    for said, instead in ways:
        if instead is None:
            assert followed(rules, said).rule
        else:
            with pytest.raises(OtherParagraphApplies) as refusal:
                followed(rules, said)
            assert refusal.value.rule == instead


@EVERY_GAME
def test_each_paragraph_is_offered_once_in_the_order_of_the_rules(rules: BlackjackRules) -> None:
    numbers = [[int(part) for part in one.number.split(".")] for one in paragraphs(rules)]
    assert all(one < other for one, other in pairwise(numbers))
    assert {one.number: one.words for one in paragraphs(rules)} == {
        number: provision.words for number, provision in provisions(rules).items()
    }


@EVERY_GAME
def test_a_dealing_error_asks_what_is_put_right_what_was_settled_then_everybody(
    rules: BlackjackRules,
) -> None:
    choices = Question(ask="choices", of="all", then={"chosen": None})
    settled = Question(ask="interim_settled", then={"yes": choices, "no": choices})
    assert needs_of(rules, "5.7") == Question(ask="reconstructed", then={"yes": settled, "no": settled})


@EVERY_GAME
def test_cards_without_a_bet_may_be_told_apart_from_a_dealing_error(rules: BlackjackRules) -> None:
    expected = Question(
        ask="interim_settled", optional=True, then={"yes": None, "no": Instead(paragraph="5.7")}
    )
    assert needs_of(rules, "5.10.3") == expected


@EVERY_GAME
def test_cards_drawn_at_once_ask_everybody_and_what_was_settled_if_it_is_known(
    rules: BlackjackRules,
) -> None:
    settled = Question(ask="interim_settled", optional=True, then={"yes": None, "no": None})
    choices = Question(ask="choices", of="all", then={"chosen": settled})
    assert needs_of(rules, "5.12.1") == choices
    assert needs_of(rules, "5.12") == Question(ask="note", then={"said": choices})


@EVERY_GAME
def test_what_the_house_resolves_asks_why_and_how(rules: BlackjackRules) -> None:
    resolution = Question(ask="resolution", then={"void": None, "continue": None})
    asked = Question(ask="note", then={"said": resolution})
    own = rules.paragraphs
    assert needs_of(rules, own.house_resolves) == asked
    if rules is FREE_BET:
        assert needs_of(rules, "5.13") == asked


@EVERY_GAME
def test_a_paragraph_that_says_it_all_asks_nothing(rules: BlackjackRules) -> None:
    own = rules.paragraphs
    asking = {"5.7", "5.10.3", "5.12", "5.12.1", own.house_resolves, own.damaged_card}
    for one in paragraphs(rules):
        assert (one.needs is None) == (one.number not in asking), one.number
