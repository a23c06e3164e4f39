"""Wins and late claims, also those that have left the state, each with the entries that prove it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from sqlalchemy import ColumnElement, select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.handovers import states_of
from jackpot.book.reading.lookup import last_before, storable
from jackpot.book.reading.pages import Recorded, entries_at, entries_of_kinds
from jackpot.book.stores.rows import reading_of
from jackpot.book.stores.schema import claims, handovers, journal, wins
from jackpot.core.refusals import WinUnknown
from jackpot.link import facts
from jackpot.link.fact import Fact
from jackpot.link.handovers import HandoverState
from jackpot.link.proposals import HandingOver, RoyalRejection
from jackpot.link.state import Link, Registered
from jackpot.link.wins import WinState

_PROPOSALS = facts.Proposed | facts.ProposalConfirmed | facts.ProposalWithdrawn
ABOUT_WINS = facts.names_of(facts.WinFact | facts.HandoverFact | _PROPOSALS)


@dataclass(frozen=True, kw_only=True, slots=True)
class EndedWin:
    """A win that has left the state: how it was registered, and how it ended."""

    id: str
    state: WinState
    registered: facts.WinRegistered
    sequence: int
    registered_at: int
    ended: Recorded
    ending: facts.WinPaid | facts.WinRejected | facts.WinWithdrawn
    handover: HandoverState | None
    """None if it was not paid, or before there were slips."""


@dataclass(frozen=True, kw_only=True, slots=True)
class PastClaim:
    """A late claim that was decided or withdrawn."""

    raised: facts.ClaimRaised
    sequence: int
    raised_at: int
    ended: Recorded
    ending: facts.ClaimDecided | facts.ClaimWithdrawn
    handover: HandoverState | None


async def ended_wins(
    connection: AsyncConnection, link: str, *, before: int | None, limit: int, state: str | None = None
) -> list[EndedWin]:
    """The latest registered first; `before` is the sequence of a registration."""
    found = select(wins.c.id, wins.c.state, wins.c.registered, wins.c.ended).where(
        wins.c.link == link, wins.c.ended.is_not(None), *_only(wins.c.registered, before)
    )
    if state is not None:
        found = found.where(wins.c.state == state)
    rows = (await connection.execute(found.order_by(wins.c.registered.desc()).limit(limit))).all()
    return await _ended_wins(connection, link, rows)


def _only(column: Any, before: int | None) -> list[ColumnElement[bool]]:
    return [] if before is None else [column < before]


async def _ended_wins(connection: AsyncConnection, link: str, rows: Sequence[Any]) -> list[EndedWin]:
    sequences = [sequence for row in rows for sequence in (row.registered, row.ended)]
    entries = await entries_at(connection, link, sequences)
    slips = await states_of(connection, link, [row.id for row in rows])
    return [_ended_win(link, row, entries, slips.get(row.id)) for row in rows]


def _ended_win(link: str, row: Any, entries: dict[int, Recorded], handover: HandoverState | None) -> EndedWin:
    registered: Any = entries[row.registered].fact(link)
    ending: Any = entries[row.ended].fact(link)
    return EndedWin(
        id=row.id,
        state=WinState(row.state),
        registered=registered,
        sequence=row.registered,
        registered_at=entries[row.registered].at,
        ended=entries[row.ended],
        ending=ending,
        handover=handover,
    )


async def past_claims(
    connection: AsyncConnection, link: str, *, before: int | None, limit: int
) -> list[PastClaim]:
    """The latest raised first."""
    ended = claims.c.decided.is_not(None) | claims.c.withdrawn.is_not(None)
    found = select(claims.c.raised, claims.c.decided, claims.c.withdrawn).where(
        claims.c.link == link, ended, *_only(claims.c.raised, before)
    )
    rows = (await connection.execute(found.order_by(claims.c.raised.desc()).limit(limit))).all()
    return await _past_claims(connection, link, rows)


async def _past_claims(connection: AsyncConnection, link: str, rows: Sequence[Any]) -> list[PastClaim]:
    ends = {row.raised: row.decided or row.withdrawn for row in rows}
    entries = await entries_at(connection, link, [*ends, *ends.values()])
    found = [_past_claim(link, entries[raised], entries[end]) for raised, end in ends.items()]
    slips = await states_of(connection, link, [one.raised.claim for one in found])
    return [replace(one, handover=slips.get(one.raised.claim)) for one in found]


async def past_claim(connection: AsyncConnection, link: str, claim: str) -> PastClaim:
    found = select(claims.c.raised, claims.c.decided, claims.c.withdrawn).where(
        claims.c.link == link, claims.c.id == claim
    )
    (told,) = await _past_claims(connection, link, (await connection.execute(found)).all())
    return told


def _past_claim(link: str, raised: Recorded, ended: Recorded) -> PastClaim:
    claim: Any = raised.fact(link)
    ending: Any = ended.fact(link)
    return PastClaim(
        raised=claim,
        sequence=raised.sequence,
        raised_at=raised.at,
        ended=ended,
        ending=ending,
        handover=None,
    )


class Told(NamedTuple):
    """An entry and what it says."""

    entry: Recorded
    fact: Fact


@dataclass(frozen=True, kw_only=True, slots=True)
class Proof:
    """Everything the journal says of one win, in order."""

    ended: EndedWin | None
    """None while it waits."""
    story: list[Told]


async def proof(connection: AsyncConnection, link: Link, win: str) -> Proof:
    row = await _row_of(connection, link.id, win)
    last = await _last_about(connection, link, row)
    entries = await entries_of_kinds(connection, link.id, ABOUT_WINS, first=row.registered, last=last)
    told = [Told(entry, entry.fact(link.id)) for entry in entries]
    known: set[str] = {win}
    story = [one for one in told if _concerns(one.fact, known)]
    ended = None if row.ended is None else (await _ended_wins(connection, link.id, [row]))[0]
    return Proof(ended=ended, story=story)


async def _last_about(connection: AsyncConnection, link: Link, row: Any) -> int:
    """The entry after which nothing can be said of it any more."""
    if row.ended is None or row.id in link.handovers:
        return link.sequence
    here = handovers.c.link == link.id, handovers.c.win == row.id
    changed = (await connection.execute(select(handovers.c.changed).where(*here))).scalar()
    return int(changed or row.ended)


async def times_read(connection: AsyncConnection, link: Link, past: Sequence[EndedWin]) -> dict[int, int]:
    """When the readings were registered from which wins are or were paid, by their sequence."""
    waiting = [one.registered for one in link.queue.values()]
    paid = [one.ending.registered for one in past if isinstance(one.ending, facts.WinPaid)]
    wanted = {one for one in waiting if one is not None} | {one.sequence for one in paid if one is not None}
    entries = await entries_at(connection, link.id, sorted(wanted))
    return {sequence: entry.at for sequence, entry in entries.items()}


async def _row_of(connection: AsyncConnection, link: str, win: str) -> Any:
    found = select(wins.c.id, wins.c.state, wins.c.registered, wins.c.ended).where(
        wins.c.link == link, wins.c.id == win
    )
    row = (await connection.execute(found)).one_or_none() if storable(win) else None
    if row is None:
        raise WinUnknown(f"link {link} has no win {win[:80]!r}", win=win[:80])
    return row


def _concerns(fact: Fact, known: set[str]) -> bool:
    """Whether it is about the win, or about what is proposed of it; such a proposal is then known too."""
    match fact:
        case facts.Proposed(change=RoyalRejection(win=win) | HandingOver(win=win), proposal=proposal) if (
            win in known
        ):
            known.add(proposal)
            return True
        case facts.WinsOrdered() | facts.OrderReopened() | facts.OrderDecided():
            return not known.isdisjoint(fact.wins)
        case facts.ProposalConfirmed() | facts.ProposalWithdrawn():
            return fact.proposal in known
    return getattr(fact, "win", None) in known


class PastReading(NamedTuple):
    at: int
    reading: Registered


async def reading_at(connection: AsyncConnection, link: str, at: int) -> PastReading | None:
    """What the meter read at a time, and since when; None before the link was made."""
    sequence = await last_before(connection, link, at + 1)
    found = select(journal.c.at, journal.c.reading, journal.c.data).where(
        journal.c.link == link, journal.c.sequence == sequence
    )
    row = (await connection.execute(found)).one_or_none()
    return None if row is None else PastReading(row.at, reading_of(row))
