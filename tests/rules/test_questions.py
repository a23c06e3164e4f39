"""What the House is asked of an irregularity: enough for the rules, and nothing they do not ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from jackpot.irregularities import Case, Choice, Irregularity, Resolution, consequence, rules
from jackpot.questions import Instead, Question, paragraphs
from jackpot.refusals import OtherParagraphApplies
from jackpot.rulebook import Game

PLAYING = (2, 5, 6)
Answered = tuple[Irregularity, str | None]


def said_after(said: Irregularity, question: Question, answer: str) -> Irregularity:
    match question.ask:
        case "cards_seen":
            return replace(said, cards_seen=answer == "yes")
        case "reconstructed":
            return replace(said, reconstructed=answer == "yes")
        case "boxes":
            return replace(said, boxes=(5,))
        case "others":
            return replace(said, others=(6,))
        case "resolution":
            return replace(said, resolution=Resolution(answer))
        case "note":
            return replace(said, note="seen on camera")
    whose = {"all": PLAYING, "boxes": said.boxes, "others": said.others}[str(question.of)]
    return replace(said, choices=dict.fromkeys(whose, Choice.RETURN))


def answered(said: Irregularity, needs: Question | Instead | None) -> Iterator[Answered]:
    """Every way through the questions: what is said in the end, and the paragraph that applies instead."""
    if needs is None:
        yield said, None
    elif isinstance(needs, Instead):
        yield said, needs.paragraph
    else:
        if needs.optional:
            yield said, None
        for answer, after in needs.then.items():
            yield from answered(said_after(said, needs, answer), after)


@pytest.mark.parametrize("game", list(Game))
def test_whoever_answers_what_is_asked_is_told_what_follows(game: Game) -> None:
    ways = [
        way for one in paragraphs(game) for way in answered(Irregularity(paragraph=one.number), one.needs)
    ]
    assert len(ways) > len(rules(game))
    for said, instead in ways:
        case = Case(game=game, said=said, playing=PLAYING, established=False)
        if instead is None:
            assert consequence(case).rule
        else:
            with pytest.raises(OtherParagraphApplies) as refusal:
                consequence(case)
            assert refusal.value.rule == instead


@pytest.mark.parametrize("game", list(Game))
def test_each_paragraph_is_offered_once_in_the_order_of_the_rules(game: Game) -> None:
    numbers = [[int(part) for part in one.number.split(".")] for one in paragraphs(game)]
    assert all(one < other for one, other in pairwise(numbers))
    assert {one.number for one in paragraphs(game)} == rules(game).keys()


def test_a_burnt_card_asks_who_saw_cards_then_whether_they_go_back_then_everybody() -> None:
    (burnt,) = [one for one in paragraphs(Game.CASINO_STUD) if one.number == "5.9"]
    choices = Question(ask="choices", of="all", then={"chosen": None})
    reconstructed = Question(ask="reconstructed", then={"yes": choices, "no": None})
    assert burnt.needs == Question(ask="cards_seen", then={"yes": None, "no": reconstructed})
