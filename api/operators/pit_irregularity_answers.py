"""What is told of an irregularity in a pit: what becomes of the round and of each player on each box."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from pydantic import Field

from api.operators.house_answers import Instant, MinorUnits, Told, plain
from jackpot.book.reading.history import Told as Entered
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.games.blackjack import WAGERS, Outcome, PlayerFollows, RoundFollows
from jackpot.link.answers import PitIrregularityAnswer
from jackpot.link.fact import Fact
from jackpot.link.pit_facts import PitBetsReturned, PitIrregularityDeclared, PitRoundVoided

_WORDS = {
    RoundFollows.VOIDED: "The round is voided ({rule}): every bet of it goes back.",
    RoundFollows.CONTINUES: "The round continues ({rule}).",
    RoundFollows.OPTIONS: "The round continues with the players who chose to ({rule}).",
}


class PitReturnedWager(Told):
    wager: str
    name: str = Field(description="What people call it.")
    hand: int | None
    amount: MinorUnits


class PitAdjustedWager(Told):
    """A payout that was told before and is another now: `before` plus `difference` is `after`."""

    wager: str
    name: str
    hand: int | None
    before: MinorUnits
    after: MinorUnits
    difference: MinorUnits


class PlayerConsequence(Told):
    box: int | None = Field(description="Null: his bet on Boom Busted.")
    player: str
    outcome: str = Field(description="continues, or returned: his bets go back and he has no hand there.")
    rule: str
    interim_settled: bool = Field(description="What the interim settlement decided stands.")
    returned: list[PitReturnedWager]
    adjustments: list[PitAdjustedWager] = Field(description="Against what was told before.")


class PitConsequenceTold(Told):
    follows: str = Field(description="voided, continues, or options: with the players who chose to.")
    rule: str = Field(description="The paragraph of the table's own game that says so.")
    players: list[PlayerConsequence] = Field(description="Every player of whom something is decided.")
    words: list[str] = Field(description="All of it in sentences, for people.")


class PitResolved:
    """An irregularity with what was done about it; an answer tells both."""

    def __init__(
        self,
        told: PitIrregularityDeclared | PitIrregularityAnswer,
        done: PitRoundVoided | PitBetsReturned | PitIrregularityAnswer | None,
    ) -> None:
        self.consequence = told.consequence
        self._lines = () if done is None else done.settlement
        self._adjusted = () if done is None else done.adjustments

    def told(self, currency: str) -> PitConsequenceTold:
        players = [self._player(one) for one in self.consequence.players]
        whole = _WORDS[self.consequence.follows].format(rule=self.consequence.rule)
        return PitConsequenceTold(
            follows=self.consequence.follows,
            rule=self.consequence.rule,
            players=players,
            words=[whole, *(" ".join(_sentences(one, currency)) for one in players)],
        )

    def _player(self, one: PlayerFollows) -> PlayerConsequence:
        whose = (one.box, one.player)
        return PlayerConsequence(
            box=one.box,
            player=one.player,
            outcome="returned" if one.returned else "continues",
            rule=one.rule,
            interim_settled=one.interim_settled,
            returned=[
                PitReturnedWager(
                    wager=line.wager, name=WAGERS[line.wager], hand=line.hand, amount=line.payout
                )
                for line in (self._lines if one.returned else ())
                if (line.box, line.player) == whose
                and line.outcome is Outcome.RETURNED
                and line.rule == one.rule
                and line.payout
            ],
            adjustments=[
                PitAdjustedWager(
                    wager=each.wager,
                    name=WAGERS[each.wager],
                    hand=each.hand,
                    before=each.before,
                    after=each.after,
                    difference=each.difference,
                )
                for each in self._adjusted
                if (each.box, each.player) == whose
            ],
        )


def _sentences(one: PlayerConsequence, currency: str) -> Iterator[str]:
    who = f"{WAGERS['boom_busted']} of {one.player}" if one.box is None else _on_box(one.box, one.player)
    if one.outcome == "continues":
        yield f"{who} continues ({one.rule})."
        return
    given = ", ".join(f"{each.name} {spoken(each.amount, currency)}" for each in one.returned)
    yield f"{who} ({one.rule}): {given or 'nothing'} to be returned."
    for each in one.adjustments:
        was, now = spoken(each.before, currency), spoken(each.after, currency)
        yield f"The {each.name} was told to be paid {was}, now {now}."


def _on_box(box: int, player: str) -> str:
    return f"Box {box}" if player == str(box) else f"Box {box}, {player}"


class PitIrregularityTold(Told):
    id: str
    at: Instant
    person: str
    said: dict[str, Any]
    consequence: PitConsequenceTold
    sequence: int

    @classmethod
    def all_of(cls, currency: str, story: Sequence[Entered]) -> list[PitIrregularityTold]:
        done = pit_resolved(fact for _, fact in story)
        declared = [(entry, fact) for entry, fact in story if isinstance(fact, PitIrregularityDeclared)]
        return [
            cls(
                id=fact.irregularity,
                at=spoken_instant(entry.at),
                person=fact.person,
                said=plain(fact.said),
                consequence=followed.told(currency),
                sequence=entry.sequence,
            )
            for (entry, fact), followed in zip(declared, done, strict=True)
        ]


def pit_resolved(facts: Iterable[Fact]) -> list[PitResolved]:
    """The irregularities among these facts, each with the fact that carried it out."""
    several = list(facts)
    done = {one.irregularity: one for one in several if isinstance(one, PitBetsReturned | PitRoundVoided)}
    return [
        PitResolved(one, done.get(one.irregularity))
        for one in several
        if isinstance(one, PitIrregularityDeclared)
    ]
