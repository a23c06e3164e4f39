"""What the House is asked when it declares an irregularity: each paragraph in words, and what it needs.

Nothing is listed here that `irregularities` decides. The rules are tried with nothing said; what they refuse
for want of an answer is a question, and each answer is tried in turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from jackpot.irregularities import Case, Choice, Irregularity, Resolution, consequence, rules
from jackpot.refusals import BadInput, BoxesUnexpected, ChoiceMissing, OtherParagraphApplies
from jackpot.rulebook import PARAGRAPHS, Game

_WORDS = {
    "5.7": "Play was interrupted, for instance by a loss of power",
    "5.8.1": "A card is found that is not of the set",
    "5.8.2": "Two or more cards wrongly exposed during the deal",
    "5.8.3": "Too few or too many cards in the deck",
    "5.8.4": "Not enough cards left to complete the round",
    "5.8.5": "The cards were not shuffled",
    "5.8.6": "Cards dealt to wrong places",
    "5.8.7": "A wrong number of cards for the dealer",
    "5.9": "The burnt card was not discarded",
    "5.10": "Any other dealing error",
    "5.12": "A card wrongly exposed during the deal",
    "5.13": "A card lies face up in the shoe or shuffler",
    "5.14": "Cards drawn at once, their order unknown",
    "5.15": "A wrong number of cards for a player",
}
_COMMUNITY = {"5.8.7": "A wrong number of cards for the dealer or the community"}
_PLAYING = (1, 2, 3)
_YES_NO: dict[str, Any] = {"yes": True, "no": False}
_ANSWERS: dict[str, dict[str, Any]] = {
    "cards_seen": _YES_NO,
    "reconstructed": _YES_NO,
    "resolution": {one.value: one for one in Resolution},
    "boxes": {"named": (1,)},
    "note": {"said": "what happened"},
}


@dataclass(frozen=True, kw_only=True, slots=True)
class Question:
    """What is needed next, and by answer what is needed after it; None if that is all."""

    ask: str
    """The field of the irregularity."""
    of: str | None = None
    """Choices: of `all` players, or those of the `boxes` or `others` named."""
    optional: bool = False
    then: dict[str, Question | Instead | None] = field(default_factory=dict)


@dataclass(frozen=True, kw_only=True, slots=True)
class Instead:
    paragraph: str
    """It applies after such answers, not the one that was chosen."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Paragraph:
    number: str
    words: str
    needs: Question | Instead | None


def paragraphs(game: Game) -> list[Paragraph]:
    """Those by which an irregularity of that game is resolved, in their order."""
    said = words(game)
    numbers = sorted(rules(game), key=lambda number: [int(part) for part in number.split(".")])
    return [
        Paragraph(number=one, words=said[one], needs=_needs(game, Irregularity(paragraph=one)))
        for one in numbers
    ]


def words(game: Game) -> dict[str, str]:
    own = PARAGRAPHS[game]
    further = {
        own.examined_additional_hand: "A player examined an additional hand on purpose",
        own.house_resolves: "Something the rules do not provide for",
    }
    if own.dealers_card_exposed is not None:
        further[own.dealers_card_exposed] = "One of the dealer's cards exposed as it was dealt"
    return _WORDS | (_COMMUNITY if game is Game.TEXAS_HOLDEM else {}) | further


def _needs(game: Game, said: Irregularity) -> Question | Instead | None:
    try:
        _try(game, said)
    except OtherParagraphApplies as refusal:
        return Instead(paragraph=str(refusal.rule))
    except ChoiceMissing as refusal:
        return _choices(game, said, refusal)
    except BadInput as refusal:
        asked = str(refusal.data["field"])
        told = {answer: replace(said, **{asked: value}) for answer, value in _ANSWERS[asked].items()}
        return Question(ask=asked, then={answer: _needs(game, after) for answer, after in told.items()})
    return _others(game, said) if said.boxes and not said.others else None


def _try(game: Game, said: Irregularity) -> None:
    consequence(Case(game=game, said=said, playing=_PLAYING, established=False))


def _choices(game: Game, said: Irregularity, refusal: ChoiceMissing) -> Question:
    """Of those boxes that the rules miss a choice of."""
    missing = refusal.data["boxes"]
    whose = {str(list(boxes)): name for name, boxes in _named(said).items()}[str(missing)]
    chosen = dict.fromkeys(_named(said)[whose], Choice.CONTINUE)
    return Question(ask="choices", of=whose, then={"chosen": _needs(game, replace(said, choices=chosen))})


def _named(said: Irregularity) -> dict[str, tuple[int, ...]]:
    return {"all": _PLAYING, "boxes": said.boxes, "others": said.others}


def _others(game: Game, said: Irregularity) -> Question | None:
    """Whether further boxes may be named that were affected besides."""
    besides = replace(said, others=(2,))
    try:
        _try(game, besides)
    except BoxesUnexpected:
        return None
    except ChoiceMissing:
        pass
    return Question(ask="others", optional=True, then={"named": _needs(game, besides)})
