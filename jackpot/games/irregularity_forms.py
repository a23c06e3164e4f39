"""What the House is asked when it declares an irregularity: what each paragraph needs to be told.

Nothing is listed here that `irregularities` decides. The rules are tried with nothing said; what they refuse
for want of an answer is a question, and each answer is tried in turn.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from jackpot.core.refusals import BadInput, BoxesUnexpected, ChoiceMissing, OtherParagraphApplies
from jackpot.games.irregularities import Choice, Irregularity, Resolution
from jackpot.games.rulebook import Rulebook

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


def paragraphs(rulebook: Rulebook) -> list[Paragraph]:
    """Those by which an irregularity of that game is resolved, in their order."""
    by_number = sorted(rulebook.irregularities, key=lambda number: [int(part) for part in number.split(".")])
    return [
        Paragraph(
            number=number,
            words=rulebook.irregularities[number].words,
            needs=_needs(rulebook, Irregularity(paragraph=number)),
        )
        for number in by_number
    ]


def _needs(rulebook: Rulebook, said: Irregularity) -> Question | Instead | None:
    try:
        _try(rulebook, said)
    except OtherParagraphApplies as refusal:
        return Instead(paragraph=str(refusal.rule))
    except ChoiceMissing as refusal:
        return _choices(rulebook, said, refusal)
    except BadInput as refusal:
        asked = str(refusal.data["field"])
        told = {answer: replace(said, **{asked: value}) for answer, value in _ANSWERS[asked].items()}
        return Question(ask=asked, then={answer: _needs(rulebook, after) for answer, after in told.items()})
    return _others(rulebook, said) if said.boxes and not said.others else None


def _try(rulebook: Rulebook, said: Irregularity) -> None:
    rulebook.consequence(said, playing=_PLAYING, established=False)


def _choices(rulebook: Rulebook, said: Irregularity, refusal: ChoiceMissing) -> Question:
    """Of those boxes that the rules miss a choice of."""
    missing = refusal.data["boxes"]
    whose = {str(list(boxes)): name for name, boxes in _named(said).items()}[str(missing)]
    chosen = dict.fromkeys(_named(said)[whose], Choice.CONTINUE)
    return Question(ask="choices", of=whose, then={"chosen": _needs(rulebook, replace(said, choices=chosen))})


def _named(said: Irregularity) -> dict[str, tuple[int, ...]]:
    return {"all": _PLAYING, "boxes": said.boxes, "others": said.others}


def _others(rulebook: Rulebook, said: Irregularity) -> Question | None:
    """Whether further boxes may be named that were affected besides."""
    besides = replace(said, others=(2,))
    try:
        _try(rulebook, besides)
    except BoxesUnexpected:
        return None
    except ChoiceMissing:
        pass
    return Question(ask="others", optional=True, then={"named": _needs(rulebook, besides)})
