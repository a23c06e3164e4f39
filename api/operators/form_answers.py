"""What a form for irregularities asks, so that nobody has to know the rules to draw it."""

from __future__ import annotations

from functools import cache

from pydantic import Field

from api.operators.house_answers import Told
from jackpot.games import GAMES
from jackpot.games.blackjack import BLACKJACK_GAMES, irregularity_forms
from jackpot.games.irregularity_forms import Instead, Paragraph, Question, paragraphs


class Needed(Told):
    ask: str | None = Field(
        description="A field of the irregularity, as cards_seen or choices; null with `instead`."
    )
    of: str | None = Field(description="Choices: of `all` players, or of those at `boxes` or `others`.")
    optional: bool
    instead: str | None = Field(description="After these answers that paragraph applies.")
    then: dict[str, Needed | None] = Field(
        description="By answer, what is asked next; null if that is all. Yes or no for what is true or false."
    )

    @classmethod
    def of_rules(cls, found: Question | Instead | None) -> Needed | None:
        if found is None:
            return None
        if isinstance(found, Instead):
            return cls(ask=None, of=None, optional=False, instead=found.paragraph, then={})
        then = {answer: cls.of_rules(after) for answer, after in found.then.items()}
        return cls(ask=found.ask, of=found.of, optional=found.optional, instead=None, then=then)


class ParagraphTold(Told):
    paragraph: str
    words: str
    needs: Needed | None

    @classmethod
    def told(cls, one: Paragraph) -> ParagraphTold:
        return cls(paragraph=one.number, words=one.words, needs=Needed.of_rules(one.needs))


class Forms(Told):
    games: dict[str, list[ParagraphTold]] = Field(description="By game, in the order of its paragraphs.")


def _by_game() -> dict[str, list[Paragraph]]:
    poker = {game.value: paragraphs(book) for game, book in GAMES.items()}
    return poker | {game.value: irregularity_forms.paragraphs(one) for game, one in BLACKJACK_GAMES.items()}


@cache
def forms() -> Forms:
    return Forms(
        games={game: [ParagraphTold.told(one) for one in found] for game, found in _by_game().items()}
    )
