"""What the House is asked when it declares an irregularity: what each paragraph needs to be told.

Nothing is listed here that `irregularities` decides. The rules are tried with nothing said; what they refuse
for want of an answer is a question, and each answer is tried in turn.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace
from functools import partial
from typing import Any, Generic, TypeVar

from jackpot.core.records import frozen
from jackpot.core.refusals import BadInput, BoxesUnexpected, ChoiceMissing, OtherParagraphApplies
from jackpot.games.irregularities import Choice, Irregularity, Resolution
from jackpot.games.rulebook import Rulebook

Said = TypeVar("Said", bound=Any)
"""An irregularity, as the game's rules take it."""
Answers = Mapping[str, Mapping[str, Any]]
"""By field of the irregularity and answer: what is said by it."""

YES_NO = {"yes": True, "no": False}
ALL_GAMES: Answers = {
    "reconstructed": YES_NO,
    "resolution": {one.value: one for one in Resolution},
    "note": {"said": "what happened"},
}
_PLAYING = (1, 2, 3)


@frozen(kw_only=True)
class Question:
    """What is needed next, and by answer what is needed after it; None if that is all."""

    ask: str
    """The field of the irregularity."""
    of: str | None = None
    """Choices: of `all` players, or those of the `boxes` or `others` named."""
    optional: bool = False
    then: dict[str, Question | Instead | None] = field(default_factory=dict)


@frozen(kw_only=True)
class Instead:
    paragraph: str
    """It applies after such answers, not the one that was chosen."""


@frozen(kw_only=True)
class Paragraph:
    number: str
    words: str
    needs: Question | Instead | None


@frozen(kw_only=True)
class Search(Generic[Said]):
    """For what a game's rules ask."""

    follows: Callable[[Said], object]
    """Tries them: the consequence, or a refusal for want of an answer."""
    answers: Answers
    optional: Answers
    """What may be left unsaid, and is asked where saying it makes a difference."""
    chosen: Callable[[Said, ChoiceMissing], tuple[str, Mapping[Any, Choice]]]
    """Whose choices are missing, and some that they may make."""

    def paragraphs(self, words: Mapping[str, str], said: Callable[[str], Said]) -> list[Paragraph]:
        """By number what has happened, in the order of the numbers."""
        by_number = sorted(words, key=lambda number: [int(part) for part in number.split(".")])
        return [
            Paragraph(number=number, words=words[number], needs=self._needs(said(number)))
            for number in by_number
        ]

    def _needs(self, said: Said) -> Question | Instead | None:
        try:
            self.follows(said)
        except OtherParagraphApplies as refusal:
            return Instead(paragraph=str(refusal.rule))
        except ChoiceMissing as refusal:
            whose, choices = self.chosen(said, refusal)
            return Question(
                ask="choices", of=whose, then={"chosen": self._needs(replace(said, choices=choices))}
            )
        except BadInput as refusal:
            asked = str(refusal.data["field"])
            told = _told(said, asked, self.answers[asked])
            return Question(ask=asked, then={answer: self._needs(after) for answer, after in told.items()})
        return self._besides(said)

    def _besides(self, said: Said) -> Question | None:
        """What may be said although nothing more is needed."""
        for asked, answers in self.optional.items():
            told = _told(said, asked, answers)
            if getattr(said, asked) in (None, ()) and any(
                self._matters(said, after) for after in told.values()
            ):
                then = {answer: self._needs(after) for answer, after in told.items()}
                return Question(ask=asked, optional=True, then=then)
        return None

    def _matters(self, said: Said, after: Said) -> bool:
        try:
            return self.follows(after) != self.follows(said)
        except BoxesUnexpected:
            return False
        except BadInput:
            return True


def _told(said: Said, asked: str, answers: Mapping[str, Any]) -> dict[str, Said]:
    return {answer: replace(said, **{asked: value}) for answer, value in answers.items()}


def paragraphs(rulebook: Rulebook) -> list[Paragraph]:
    """Those by which an irregularity of that game is resolved, in their order."""
    search = Search(
        follows=partial(rulebook.consequence, playing=_PLAYING, established=False),
        answers={**ALL_GAMES, "cards_seen": YES_NO, "boxes": {"named": (1,)}},
        optional={"others": {"named": (2,)}},
        chosen=_chosen,
    )
    words = {number: provision.words for number, provision in rulebook.irregularities.items()}
    return search.paragraphs(words, lambda number: Irregularity(paragraph=number))


def _chosen(said: Irregularity, refusal: ChoiceMissing) -> tuple[str, dict[int, Choice]]:
    """Of those boxes that the rules miss a choice of."""
    named = {"all": _PLAYING, "boxes": said.boxes, "others": said.others}
    whose = {str(list(boxes)): name for name, boxes in named.items()}[str(refusal.data["boxes"])]
    return whose, dict.fromkeys(named[whose], Choice.CONTINUE)
