"""Wins and late claims: what the journal says of them, and what the record of them does."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.schema import claims, handovers, wins
from jackpot.link.fact import Fact
from jackpot.link.handovers import HandoverState
from jackpot.link.state import Link, Pit
from jackpot.link.wins import WinState
from jackpot.machine.kind import ClaimBegan, ClaimEnded, HandoverChanged, WinBegan, WinEnded
from jackpot.machine.kinds import remembered


@dataclass(slots=True)
class History:
    """What the journal says of wins and of claims."""

    wins: dict[str, tuple[object, ...]] = field(default_factory=dict)
    claims: dict[str, tuple[object, ...]] = field(default_factory=dict)
    handovers: dict[str, tuple[object, ...]] = field(default_factory=dict)
    """By win or claim: slip, amount, payment, state, and what changed it last."""

    @classmethod
    def of(cls, link: Pit | None) -> History:
        """What is still open there: whatever ends later was open, or has come since."""
        if not isinstance(link, Link):
            return cls()
        pending = (WinState.PENDING.value, None, None)
        return cls(
            wins={
                win: (one.table, one.round, one.box, one.hand.value, one.sequence, *pending)
                for win, one in link.queue.items()
            },
            claims={
                claim: (one.table, one.round, one.box, one.sequence, None, None, None)
                for claim, one in link.claims.items()
            },
            handovers={
                win: (one.slip, one.amount, one.sequence, one.state.value, one.unclaimed)
                for win, one in link.handovers.items()
            },
        )

    def hear(self, fact: Fact, sequence: int) -> None:
        match remembered(fact):
            case WinBegan(win, table, number, box, hand):
                place = (table, number, box, hand.value, sequence)
                self.wins[win] = (*place, WinState.PENDING.value, None, None)
            case WinEnded(win, state, amount, slip):
                self.wins[win] = (*self.wins[win][:5], state.value, amount, sequence)
                self._hear_slip(win, slip, amount, sequence)
            case ClaimBegan(claim, table, number, box):
                self.claims[claim] = (table, number, box, sequence, None, None, None)
            case ClaimEnded(claim, decided, amount, slip):
                ending = (None, sequence, amount) if decided else (sequence, None, None)
                self.claims[claim] = (*self.claims[claim][:4], *ending)
                self._hear_slip(claim, slip, amount, sequence)
            case HandoverChanged(win, now):
                self.handovers[win] = (*self.handovers[win][:3], now.value, sequence)

    def _hear_slip(self, win: str, slip: int | None, amount: int | None, paid: int) -> None:
        if slip is not None:
            self.handovers[win] = (slip, amount, paid, HandoverState.DUE.value, None)

    def join(self, later: History) -> None:
        """What was open in between stands in both: the later one knows how it ended."""
        self.wins |= later.wins
        self.claims |= later.claims
        self.handovers |= later.handovers


async def stored_history(connection: AsyncConnection, link: str, since: int = 0) -> History:
    """What was open after that entry."""
    return History(
        await _stored_wins(connection, link, since),
        await _stored_claims(connection, link, since),
        await _stored_handovers(connection, link, since),
    )


async def _stored_wins(connection: AsyncConnection, link: str, since: int) -> dict[str, tuple[object, ...]]:
    place = (wins.c.id, wins.c.tbl, wins.c.round, wins.c.box, wins.c.hand, wins.c.registered)
    ends = (wins.c.state, wins.c.amount, wins.c.ended)
    open_then = or_(wins.c.ended.is_(None), wins.c.ended > since)
    found = await connection.execute(select(*place, *ends).where(wins.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}


async def _stored_claims(connection: AsyncConnection, link: str, since: int) -> dict[str, tuple[object, ...]]:
    case = (claims.c.id, claims.c.tbl, claims.c.round, claims.c.box, claims.c.raised)
    ends = (claims.c.withdrawn, claims.c.decided, claims.c.amount)
    still_open = and_(claims.c.withdrawn.is_(None), claims.c.decided.is_(None))
    open_then = or_(still_open, claims.c.withdrawn > since, claims.c.decided > since)
    found = await connection.execute(select(*case, *ends).where(claims.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}


async def _stored_handovers(
    connection: AsyncConnection, link: str, since: int
) -> dict[str, tuple[object, ...]]:
    told = (handovers.c.win, handovers.c.slip, handovers.c.amount, handovers.c.paid)
    ends = (handovers.c.state, handovers.c.changed)
    waits = handovers.c.state != HandoverState.HANDED_OVER.value
    open_then = or_(waits, handovers.c.changed > since)
    found = await connection.execute(select(*told, *ends).where(handovers.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}
