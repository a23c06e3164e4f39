"""Wins and late claims: what the journal says of them, and what the record of them does."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import and_, or_, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.schema import claims, wins
from jackpot.link.fact import Fact
from jackpot.link.state import Link, Pit
from jackpot.link.wins import WinState
from jackpot.machine.kind import ClaimBegan, ClaimEnded, WinBegan, WinEnded
from jackpot.machine.kinds import remembered


@dataclass(slots=True)
class History:
    """What the journal says of wins and of claims."""

    wins: dict[str, tuple[object, ...]] = field(default_factory=dict)
    claims: dict[str, tuple[object, ...]] = field(default_factory=dict)

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
        )

    def hear(self, fact: Fact, sequence: int) -> None:
        match remembered(fact):
            case WinBegan(win, table, number, box, hand):
                place = (table, number, box, hand.value, sequence)
                self.wins[win] = (*place, WinState.PENDING.value, None, None)
            case WinEnded(win, state, amount):
                self.wins[win] = (*self.wins[win][:5], state.value, amount, sequence)
            case ClaimBegan(claim, table, number, box):
                self.claims[claim] = (table, number, box, sequence, None, None, None)
            case ClaimEnded(claim, decided, amount):
                ending = (None, sequence, amount) if decided else (sequence, None, None)
                self.claims[claim] = (*self.claims[claim][:4], *ending)

    def join(self, later: History) -> None:
        """What was open in between stands in both: the later one knows how it ended."""
        self.wins |= later.wins
        self.claims |= later.claims


async def stored_wins(
    connection: AsyncConnection, link: str, since: int = 0
) -> dict[str, tuple[object, ...]]:
    place = (wins.c.id, wins.c.tbl, wins.c.round, wins.c.box, wins.c.hand, wins.c.registered)
    ends = (wins.c.state, wins.c.amount, wins.c.ended)
    open_then = or_(wins.c.ended.is_(None), wins.c.ended > since)
    found = await connection.execute(select(*place, *ends).where(wins.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}


async def stored_claims(
    connection: AsyncConnection, link: str, since: int = 0
) -> dict[str, tuple[object, ...]]:
    case = (claims.c.id, claims.c.tbl, claims.c.round, claims.c.box, claims.c.raised)
    ends = (claims.c.withdrawn, claims.c.decided, claims.c.amount)
    still_open = and_(claims.c.withdrawn.is_(None), claims.c.decided.is_(None))
    open_then = or_(still_open, claims.c.withdrawn > since, claims.c.decided > since)
    found = await connection.execute(select(*case, *ends).where(claims.c.link == link, open_then))
    return {row[0]: tuple(row[1:]) for row in found}
