"""What is told of an irregularity: what becomes of the round and of each box, in figures and in words."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from pydantic import Field

from api.operators.act_answers import Carried, Done, Reply
from api.operators.house_answers import Instant, MinorUnits, Told, plain
from api.operators.pit_irregularity_answers import PitConsequenceTold, PitResolved
from jackpot.book.reading.pages import Recorded
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.games.irregularities import BoxFollows, Follows
from jackpot.link.answers import IrregularityAnswer, PitIrregularityAnswer
from jackpot.link.facts import Fact, HandsInvalidated, IrregularityDeclared, RoundVoided, names_of
from jackpot.link.rounds import PROGRESSIVE, HandResult

_WORDS = {
    Follows.VOIDED: "The round is voided ({rule}): every bet of it goes back.",
    Follows.CONTINUES: "The round continues ({rule}).",
    Follows.OPTIONS: "The round continues with the boxes whose players chose to ({rule}).",
}
_NOTHING = HandResult(box=0)


class ReturnedWager(Told):
    wager: str = Field(description="progressive, or a wager of the main game.")
    amount: MinorUnits


class AdjustedWager(Told):
    """A payout that was told before and is another now: `before` plus `difference` is `after`."""

    wager: str
    before: MinorUnits
    after: MinorUnits
    difference: MinorUnits


class BoxConsequence(Told):
    box: int
    outcome: str = Field(description="continues, or returned: its bets go back and it has no hand.")
    rule: str
    returned: list[ReturnedWager]
    adjustments: list[AdjustedWager] = Field(description="Against what was told of the main game before.")
    award_undone: MinorUnits = Field(description="The minor award that is taken back, 0 for none.")
    withdrawn: str | None = Field(description="The win or late claim that is withdrawn.")


class ConsequenceTold(Told):
    follows: str = Field(description="voided, continues, or options: with the boxes whose players chose to.")
    rule: str = Field(description="The paragraph of the table's own game that says so.")
    boxes: list[BoxConsequence] = Field(description="Every box of which something is decided.")
    words: list[str] = Field(description="All of it in sentences, for people.")


class Resolved:
    """An irregularity with what was done about it; an answer tells both."""

    def __init__(
        self,
        told: IrregularityDeclared | IrregularityAnswer,
        done: RoundVoided | HandsInvalidated | IrregularityAnswer | None,
    ) -> None:
        self.consequence, self._done = told.consequence, done
        self._undone = {one.box: one for one in told.undone}

    def told(self, currency: str) -> ConsequenceTold:
        boxes = [self._box(one) for one in self.consequence.boxes]
        whole = _WORDS[self.consequence.follows].format(rule=self.consequence.rule)
        return ConsequenceTold(
            follows=self.consequence.follows,
            rule=self.consequence.rule,
            boxes=boxes,
            words=[whole, *(" ".join(_sentences(one, currency)) for one in boxes)],
        )

    def _box(self, one: BoxFollows) -> BoxConsequence:
        undone = self._undone.get(one.box, _NOTHING)
        return BoxConsequence(
            box=one.box,
            outcome="returned" if one.returned else "continues",
            rule=one.rule,
            returned=self._returned(one.box) if one.returned else [],
            adjustments=self._adjusted(one.box),
            award_undone=undone.award or 0,
            withdrawn=undone.win or undone.claim,
        )

    def _returned(self, box: int) -> list[ReturnedWager]:
        if self._done is None:
            return []
        back = [one for one in self._done.returned if (one.box, one.wager) == (box, PROGRESSIVE)]
        bets = [(one.wager, one.amount) for one in back]
        bets += [(line.wager, line.payout) for line in self._done.settlement if line.box == box]
        return [ReturnedWager(wager=wager, amount=amount) for wager, amount in bets]

    def _adjusted(self, box: int) -> list[AdjustedWager]:
        found = () if self._done is None else self._done.adjustments
        return [
            AdjustedWager(wager=one.wager, before=one.before, after=one.after, difference=one.difference)
            for one in found
            if one.box == box
        ]


def _sentences(box: BoxConsequence, currency: str) -> Iterator[str]:
    if box.outcome == "continues":
        yield f"Box {box.box} continues ({box.rule})."
        return
    given = ", ".join(f"{one.wager} {spoken(one.amount, currency)}" for one in box.returned)
    yield f"Box {box.box} ({box.rule}): {given} to be returned."
    for one in box.adjustments:
        was, now = spoken(one.before, currency), spoken(one.after, currency)
        yield f"Its {one.wager} was told to be paid {was}, now {now}."
    if box.award_undone:
        yield f"Its award of {spoken(box.award_undone, currency)} is taken back."
    if box.withdrawn is not None:
        yield f"Its win {box.withdrawn} is withdrawn."


class DeclaredIrregularity(Done):
    id: str
    state: str
    consequence: ConsequenceTold | PitConsequenceTold

    @classmethod
    def of(cls, carried: Carried) -> DeclaredIrregularity:
        answer = carried.answer
        in_pit = isinstance(answer, PitIrregularityAnswer)
        resolved = PitResolved(answer, answer) if in_pit else Resolved(answer, answer)
        return cls(
            id=answer.irregularity,
            state=answer.state,
            consequence=resolved.told(carried.currency),
            meter=carried.meter,
        )


_CONSEQUENCE = {
    "follows": "options",
    "rule": "5.10",
    "boxes": [
        {
            "box": 2,
            "outcome": "returned",
            "rule": "5.10.3",
            "returned": [{"wager": "progressive", "amount": 500}, {"wager": "ante", "amount": 2500}],
            "adjustments": [],
            "award_undone": 0,
            "withdrawn": None,
        }
    ],
    "words": [
        "The round continues with the boxes whose players chose to (5.10).",
        "Box 2 (5.10.3): progressive SGD 5.00, ante SGD 25.00 to be returned.",
    ],
}
IRREGULAR = Reply(
    model=DeclaredIrregularity,
    status=201,
    description="Declared and carried out, durable",
    example={"id": "main.i816", "state": "bets_closed", "consequence": _CONSEQUENCE},
    tell=DeclaredIrregularity.of,
    proposes=None,
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
        told = [(one, one.fact(link)) for one in entries if one.kind in _KINDS]
        done = resolved(fact for _, fact in told)
        declared = [(one, fact) for one, fact in told if isinstance(fact, IrregularityDeclared)]
        return [
            cls(
                id=fact.irregularity,
                at=spoken_instant(one.at),
                person=fact.person,
                said=plain(fact.said),
                consequence=followed.told(currency),
                sequence=one.sequence,
            )
            for (one, fact), followed in zip(declared, done, strict=True)
        ]


_KINDS = names_of(IrregularityDeclared | HandsInvalidated | RoundVoided)


def resolved(facts: Iterable[Fact]) -> list[Resolved]:
    """The irregularities among these facts, each with the fact that carried it out."""
    several = list(facts)
    done = {one.irregularity: one for one in several if isinstance(one, HandsInvalidated | RoundVoided)}
    return [
        Resolved(one, done.get(one.irregularity)) for one in several if isinstance(one, IrregularityDeclared)
    ]
