"""What is told of an irregularity: what becomes of the round and of each box, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field

from api.act_answers import Done, MeterNow
from api.house_answers import Cents, Instant, Told, plain
from jackpot.answers import IrregularityAnswer
from jackpot.book.pages import Recorded
from jackpot.facts import Fact, HandsInvalidated, IrregularityDeclared, RoundVoided
from jackpot.instants import spoken_instant
from jackpot.irregularities import Follows
from jackpot.money import spoken
from jackpot.state import HandResult

_WORDS = {
    Follows.VOIDED: "The round is voided ({rule}): every bet of it goes back.",
    Follows.CONTINUES: "The round continues ({rule}).",
    Follows.OPTIONS: "The round continues with the boxes whose players chose to ({rule}).",
}
_NOTHING = HandResult(box=0)


class ReturnedWager(Told):
    wager: str
    amount: Cents


class BoxConsequence(Told):
    box: int
    outcome: str = Field(description="continues, or returned: its bets go back and it has no hand.")
    rule: str
    returned: list[ReturnedWager]
    award_undone: Cents = Field(description="The minor award that is taken back, 0 for none.")
    withdrawn: str | None = Field(description="The win or late claim that is withdrawn.")
    words: str


class ConsequenceTold(Told):
    follows: str = Field(description="voided, continues, or options: with the boxes whose players chose to.")
    rule: str = Field(description="The paragraph of the table's own game that says so.")
    boxes: list[BoxConsequence] = Field(description="Every box of which something is decided.")
    words: list[str]

    @classmethod
    def of(cls, found: Resolved, currency: str) -> ConsequenceTold:
        consequence = found.told.consequence
        boxes = [found.box(number, rule, currency) for number, rule in sorted(found.rules.items())]
        whole = _WORDS[consequence.follows].format(rule=consequence.rule)
        return cls(
            follows=consequence.follows,
            rule=consequence.rule,
            boxes=boxes,
            words=[whole, *(one.words for one in boxes)],
        )


class Resolved:
    """An irregularity with what was done about it; an answer tells both."""

    def __init__(
        self,
        told: IrregularityDeclared | IrregularityAnswer,
        done: RoundVoided | HandsInvalidated | IrregularityAnswer | None,
    ) -> None:
        self.told, self._done = told, done
        self._returned = {} if done is None else {one.box: one.amount for one in done.returned}
        self._undone = {one.box: one for one in told.undone}

    @property
    def rules(self) -> dict[int, str]:
        """The boxes of which something is decided, each with its paragraph."""
        rules = {one.box: one.rule for one in self.told.consequence.boxes}
        if self.told.consequence.follows is Follows.VOIDED and self._done is not None:
            rules = {one.box: str(one.rule) for one in self._done.returned}
        return rules

    def box(self, number: int, rule: str, currency: str) -> BoxConsequence:
        consequence = self.told.consequence
        goes = consequence.follows is Follows.VOIDED or number in consequence.invalid
        undone = self._undone.get(number, _NOTHING) if goes else _NOTHING
        told = BoxConsequence(
            box=number,
            outcome="returned" if goes else "continues",
            rule=rule,
            returned=[
                ReturnedWager(wager="progressive", amount=amount)
                for box, amount in self._returned.items()
                if box == number
            ],
            award_undone=undone.award or 0,
            withdrawn=undone.win or undone.claim,
            words="",
        )
        return told.model_copy(update={"words": " ".join(_sentences(told, currency))})


def _sentences(box: BoxConsequence, currency: str) -> Iterator[str]:
    if box.outcome == "continues":
        yield f"Box {box.box} continues ({box.rule})."
        return
    given = ", ".join(f"{one.wager} {spoken(one.amount, currency)}" for one in box.returned)
    yield f"Box {box.box} ({box.rule}): {given or 'no bet'} goes back."
    if box.award_undone:
        yield f"Its award of {spoken(box.award_undone, currency)} is taken back."
    if box.withdrawn is not None:
        yield f"Its win {box.withdrawn} is withdrawn."


class Declared(Done):
    id: str
    state: str
    consequence: ConsequenceTold

    @classmethod
    def of(cls, answer: IrregularityAnswer, currency: str) -> Declared:
        return cls(
            id=answer.irregularity,
            state=answer.state,
            consequence=ConsequenceTold.of(Resolved(answer, answer), currency),
            meter=MeterNow.of(answer.meter),
        )


class IrregularityTold(Told):
    id: str
    at: Instant
    person: str
    said: dict[str, Any]
    consequence: ConsequenceTold
    sequence: int

    @classmethod
    def all_of(cls, link: str, currency: str, entries: list[Recorded]) -> list[IrregularityTold]:
        by_sequence = {one.sequence: one for one in entries}
        facts = {sequence: one.fact(link) for sequence, one in by_sequence.items() if one.kind in _KINDS}
        done = {id(one.told): one for one in resolved(facts.values())}
        return [
            cls(
                id=fact.irregularity,
                at=spoken_instant(by_sequence[sequence].at),
                person=fact.person,
                said=plain(fact.said),
                consequence=ConsequenceTold.of(done[id(fact)], currency),
                sequence=sequence,
            )
            for sequence, fact in facts.items()
            if isinstance(fact, IrregularityDeclared)
        ]


_KINDS = ("IrregularityDeclared", "HandsInvalidated", "RoundVoided")


def resolved(facts: Iterable[Fact]) -> list[Resolved]:
    """The irregularities among these facts, each with the fact that carried it out."""
    several = list(facts)
    done = {one.irregularity: one for one in several if isinstance(one, HandsInvalidated | RoundVoided)}
    return [
        Resolved(one, done.get(one.irregularity)) for one in several if isinstance(one, IrregularityDeclared)
    ]
