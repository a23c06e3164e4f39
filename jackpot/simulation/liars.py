"""Simulated tables that lie: of their clock, their deals, their closings, what they heard and what broke."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link.clocks import Echo
from jackpot.link.commands import (
    CloseBets,
    DeclareMalfunction,
    HouseAct,
    ReportOffline,
    ReturnOnline,
    TableMessage,
)
from jackpot.link.rounds import Promise
from jackpot.link.state import Link, Scope, Then
from jackpot.simulation.tables import SimulatedTable

SHIFTS = (-90 * SECOND, -1900 * MILLISECOND, -300 * MILLISECOND, 0, 300 * MILLISECOND, 1900 * MILLISECOND)


@dataclass(kw_only=True)
class LyingTable(SimulatedTable):
    """What it does is a round of play like any other; what it says of times is what may help it."""

    behind: int
    """How much too early it stamps what it sends."""
    rivals: list[SimulatedTable] = field(default_factory=list)
    heard_once: list[Echo] = field(default_factory=list)
    readings: list[Promise] = field(default_factory=list)
    """All that it was ever told."""

    def pause(self) -> int:
        if self.rng.random() < 0.05:
            return self.rng.randrange(20, 60) * SECOND
        return super().pause()

    def heard(self, *, replied_at: int, now: int) -> None:
        super().heard(replied_at=replied_at, now=now)
        if self.echo is not None:
            self.heard_once.append(self.echo)

    def stamped(self, message: TableMessage, *, now: int) -> TableMessage:
        honest = super().stamped(message, now=now)
        behind = self.behind if not self.numbered else self.rng.choice((0, self.behind))
        return replace(honest, sent_at=honest.sent_at - behind, echo=self._false_echo())

    def _false_echo(self) -> Echo | None:
        heard = self.echo
        if heard is None:
            return None
        lie = self.rng.randrange(7)
        if lie in (0, 1):
            return replace(heard, heard_at=heard.heard_at + self.rng.choice(SHIFTS))
        if lie == 2:
            return replace(heard, replied_at=heard.replied_at + 1)
        if lie == 3:
            return self.rng.choice(self.heard_once)
        if lie == 4 and self.rivals:
            return self.rng.choice(self.rivals).echo
        return None if lie == 5 else heard

    def _deal_times(self, now: int) -> None:
        if not self.dealt and self.rng.random() < 0.2:
            self.answered -= self.rng.randrange(SECOND)  # it deals before its bets are answered
        fresh = not self.dealt
        super()._deal_times(now)
        if fresh:
            shift = self.rng.choice(SHIFTS)
            self.dealt = {box: at + shift for box, at in self.dealt.items()}

    def _close_bets(self, now: int) -> CloseBets:
        honest = super()._close_bets(now)
        self.bets = replace(honest, closed_at=honest.closed_at - self.rng.choice((0, SECOND, 3000 * SECOND)))
        return self.bets

    def deceit(self, link: Link, house_time: int) -> list[HouseAct]:
        """It has been broken, it says, since before the meter fell; or it was alone, with an old reading."""
        name, long_ago = self.setup.id, self.rng.choice((0, SECOND, 60 * SECOND, 7200 * SECOND))
        current = link.tables[name].round
        if current is None or current.stands:
            return []
        if self.rng.random() < 0.5:
            return [
                DeclareMalfunction(
                    person=name,
                    by_table=name,
                    scope=Scope(table=name),
                    observed_at=house_time - long_ago,
                    cards_seen={name: True},
                    then=Then.PROGRESSIVE_OFF,
                )
            ]
        promise = self.rng.choice(self.readings[-30:]) if self.readings else None
        since = house_time - long_ago
        alone = ReportOffline(person=name, table=name, since=since, cards_seen=True, registered=promise)
        return [alone, ReturnOnline(person=name, table=name)]
