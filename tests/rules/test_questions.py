"""What the House is asked of an irregularity: enough for the rules, and nothing they do not ask."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise

import pytest

from jackpot.core.refusals import OtherParagraphApplies
from jackpot.games import GAMES
from jackpot.games.irregularities import Choice, Irregularity, Resolution
from jackpot.games.irregularity_forms import Instead, Question, paragraphs
from jackpot.games.rulebook import Game

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
        way
        for one in paragraphs(GAMES[game])
        for way in answered(Irregularity(paragraph=one.number), one.needs)
    ]
    assert len(ways) > len(GAMES[game].irregularities)
    for said, instead in ways:
        if instead is None:
            assert GAMES[game].consequence(said, playing=PLAYING, established=False).rule
        else:
            with pytest.raises(OtherParagraphApplies) as refusal:
                GAMES[game].consequence(said, playing=PLAYING, established=False)
            assert refusal.value.rule == instead


@pytest.mark.parametrize("game", list(Game))
def test_each_paragraph_is_offered_once_in_the_order_of_the_rules(game: Game) -> None:
    numbers = [[int(part) for part in one.number.split(".")] for one in paragraphs(GAMES[game])]
    assert all(one < other for one, other in pairwise(numbers))
    assert {one.number for one in paragraphs(GAMES[game])} == GAMES[game].irregularities.keys()


def test_a_burnt_card_asks_who_saw_cards_then_whether_they_go_back_then_everybody() -> None:
    (burnt,) = [one for one in paragraphs(GAMES[Game.CASINO_STUD]) if one.number == "5.9"]
    choices = Question(ask="choices", of="all", then={"chosen": None})
    reconstructed = Question(ask="reconstructed", then={"yes": choices, "no": None})
    assert burnt.needs == Question(ask="cards_seen", then={"yes": None, "no": reconstructed})
