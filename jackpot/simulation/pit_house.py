"""What the House does in a simulated pit: tables are closed and opened, irregularities declared, rightly more
often than wrongly."""

from __future__ import annotations

from random import Random

from jackpot.games.blackjack import Choice, Closing, Irregularity, Resolution, close, places, provisions
from jackpot.games.irregularities import Irregularity as OfPoker
from jackpot.link.commands import (
    AddTable,
    CloseTable,
    DeclareIrregularity,
    DeclareMalfunction,
    HouseAct,
    MendMeters,
    OpenTable,
    Propose,
)
from jackpot.link.proposals import LinkOpening
from jackpot.link.state import Pit, PitTable, Scope, TableStatus, Then
from jackpot.simulation.days import any_closing
from jackpot.simulation.house import PEOPLE
from jackpot.simulation.terms import any_change_of


class SimulatedPitHouse:
    def __init__(self, rng: Random) -> None:
        self.rng = rng

    def act(self, pit: Pit, now: int) -> HouseAct:
        differing = [one.difference for one in pit.tables.values() if one.difference is not None]
        if differing and self.rng.random() < 0.4:
            chosen = self.rng.choice(differing)
            return MendMeters(person=self._person(), difference=chosen.id, reason="counted again")
        table = self.rng.choice([one for one in pit.tables.values() if isinstance(one, PitTable)])
        luck = self.rng.random()
        if luck < 0.1:
            return self._elsewhere(table, now)
        if luck < 0.3:
            return self._close_or_open(table)
        if luck < 0.4:
            return any_change_of(self.rng, table)
        if luck < 0.42:
            return any_closing(self.rng, pit, now)
        return self._irregularity(table)

    def _person(self) -> str:
        return self.rng.choice(PEOPLE)

    def _close_or_open(self, table: PitTable) -> HouseAct:
        """Seldom closed, and soon open again."""
        closed = table.status is TableStatus.CLOSED
        act = OpenTable if closed or self.rng.random() < 0.3 else CloseTable
        return act(person=self._person(), table=table.setup.id, reason="simulated")

    def _elsewhere(self, table: PitTable, now: int) -> HouseAct:
        """What is of a link, or of another game."""
        name = table.setup.id
        return self.rng.choice(
            (
                DeclareMalfunction(
                    person="eve", scope=Scope(table=name), observed_at=now, cards_seen={}, then=Then.CLOSE
                ),
                Propose(person="eve", change=LinkOpening(), reason="why"),
                AddTable(person="eve", setup=table.setup),
                DeclareIrregularity(
                    person="eve", table=name, round=table.last_round, said=OfPoker(paragraph="5.8.1")
                ),
            )
        )

    def _irregularity(self, table: PitTable) -> DeclareIrregularity:
        number = max(1, table.last_round - self.rng.choice((0,) * 19 + (1,)))
        said = self._said(table)
        return DeclareIrregularity(person=self._person(), table=table.setup.id, round=number, said=said)

    def _said(self, table: PitTable) -> Irregularity:
        rng, rules = self.rng, table.setup.rules
        options = ("5.7", "5.12", "5.12.1")
        paragraph = rng.choice([*provisions(rules), *options, "1.1"])
        closing = None if table.round is None else close(table.played.layout, table.round.bets)
        asked = paragraph in options or rng.random() < 0.03
        return Irregularity(
            paragraph=paragraph,
            reconstructed=self._maybe(),
            interim_settled=self._maybe(),
            choices={} if closing is None or not asked else self._choices(closing),
            resolution=rng.choice((*Resolution, Resolution.CONTINUE, None)),
            note="simulated" if rng.random() < 0.85 else " ",
        )

    def _maybe(self) -> bool | None:
        return None if self.rng.random() < 0.12 else self.rng.random() < 0.6

    def _choices(self, closing: Closing) -> dict[str, Choice]:
        """Of everybody, mostly to continue; now and then somebody is not asked, or one who is not there."""
        found: dict[str, Choice] = {}
        for box, player in places(closing):
            choice = self.rng.choice((Choice.CONTINUE, Choice.CONTINUE, Choice.RETURN))
            if box is None:
                found[f"boom_busted/{player}"] = choice
            elif self.rng.random() < 0.5:
                found[f"{box}/{player}"] = choice
            else:
                found.setdefault(str(box), choice)
        luck = self.rng.random()
        if luck < 0.15 and found:
            found.pop(next(iter(found)))
        elif luck < 0.2:
            found["99/B"] = Choice.RETURN
        return found
