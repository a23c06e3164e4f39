"""Everything the journal says of one round of play, as one document: what its table reported, what the House
decided about it, the wins and late claims it brought, and how it came to stand."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.history import PastClaim, Proof, Told, past_claim, proof, times_read
from jackpot.book.reading.pages import Recorded, entries_of, entries_of_kinds, entries_of_round, recorded
from jackpot.book.stores.rows import hash_of
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.core.refusals import RoundUnknown, TableUnknown
from jackpot.link import facts
from jackpot.link.fact import Fact
from jackpot.link.facts import read_entry
from jackpot.link.pit_facts import PitBetsClosed, PitTableAdded
from jackpot.link.pit_rounds import PitRound
from jackpot.link.proposals import ClaimDecision
from jackpot.link.rounds import Round, RoundOfPlay
from jackpot.link.state import Link, Pit, PitTable, Table, TableOfPlay
from jackpot.link.table_terms import TableTerms
from jackpot.link.wins import Claim
from jackpot.machine.applying import round_that_left

_DECISIONS = facts.names_of(
    facts.ClaimWithdrawn | facts.Proposed | facts.ProposalConfirmed | facts.ProposalWithdrawn
)
_BETS = facts.names_of(facts.BetsClosed | PitBetsClosed)
_MALFUNCTIONS = facts.names_of(facts.MalfunctionDeclared | facts.MalfunctionCleared)


@dataclass(frozen=True, kw_only=True, slots=True)
class RoundEvidence:
    round: Round
    seat: Table
    """Its table, or what is known of it if it was moved away."""
    story: list[Told]
    """In the order of the journal."""
    before: dict[int, str]
    """By sequence, the hash to which that entry is chained."""
    wins: dict[str, Proof]
    """Every win it ever had, also those that were withdrawn."""
    claims: dict[str, Claim | PastClaim]
    read_at: dict[int, int]
    """When the readings were registered from which its wins are or were paid, by their sequence."""


async def round_evidence(connection: AsyncConnection, link: Link, table: str, number: int) -> RoundEvidence:
    """A round as it stands, or stood when it left the state, and every entry about it."""
    own = await entries_of_round(connection, link.id, table, number)
    seat = link.tables.get(table) or await _seat(connection, link, table, last=link.sequence)
    found = await _round(connection, link, seat, number, own)
    if not isinstance(found, Round) or not isinstance(seat, Table):
        raise RoundUnknown(f"table {table} had no round {number}")
    told = [Told(entry, entry.fact(link.id)) for entry in own]
    wins = {name: await proof(connection, link, name) for name in _named(told, facts.WinRegistered, "win")}
    claims = {
        name: link.claims.get(name) or await past_claim(connection, link.id, name)
        for name in _named(told, facts.ClaimRaised, "claim")
    }
    story = [*told, *(one for win in wins.values() for one in win.story)]
    for claim in claims.values():
        story += await _decisions(connection, link, claim)
    story += await _malfunctions(connection, link, told)
    story += await _next_round(connection, link, table, number)
    by_sequence = {one.entry.sequence: one for one in story}
    return RoundEvidence(
        round=found,
        seat=seat,
        story=[by_sequence[sequence] for sequence in sorted(by_sequence)],
        before=await _hashes_before(connection, link.id, by_sequence),
        wins=wins,
        claims=claims,
        read_at=await times_read(connection, link, [one.ended for one in wins.values() if one.ended]),
    )


@dataclass(frozen=True, kw_only=True, slots=True)
class PitRoundEvidence:
    round: PitRound
    seat: PitTable
    story: list[Told]
    """In the order of the journal."""
    before: dict[int, str]
    """By sequence, the hash to which that entry is chained."""


async def pit_round_evidence(
    connection: AsyncConnection, pit: Pit, table: str, number: int
) -> PitRoundEvidence:
    """The same of a round in a pit, which has no wins and no claims."""
    own = await entries_of_round(connection, pit.id, table, number)
    seat = pit.tables.get(table) or await _seat(connection, pit, table, last=pit.sequence)
    found = await _round(connection, pit, seat, number, own)
    if not isinstance(found, PitRound) or not isinstance(seat, PitTable):
        raise RoundUnknown(f"table {table} had no round {number}")
    story = [Told(entry, entry.fact(pit.id)) for entry in own]
    story += await _next_round(connection, pit, table, number)
    sequences = [one.entry.sequence for one in story]
    return PitRoundEvidence(
        round=found, seat=seat, story=story, before=await _hashes_before(connection, pit.id, sequences)
    )


async def _round(
    connection: AsyncConnection, link: Pit, present: TableOfPlay, number: int, entries: list[Recorded]
) -> RoundOfPlay:
    table = present.setup.id
    if present.round is not None and present.round.number == number:
        return present.round
    found = round_that_left(present.setup, [read_entry(link.id, one.data, "") for one in entries])
    if found is None:
        raise RoundUnknown(f"table {table} had no round {number}")
    if present.came_from is not None or table not in link.tables:
        found.terms = (await _seat(connection, link, table, last=found.sequence)).setup.terms
    else:
        found.terms = await _terms_then(connection, link.id, table, found.sequence)
    return found


async def _seat(connection: AsyncConnection, link: Pit, table: str, *, last: int) -> TableOfPlay:
    """A table as the journal of this place knew it at an entry: it may have been moved away since."""
    kinds = facts.names_of(facts.TableAdded | PitTableAdded | facts.TableChanged)
    known: TableOfPlay | None = None
    for entry in await entries_of_kinds(connection, link.id, kinds, first=1, last=last):
        fact: Any = entry.fact(link.id)
        if isinstance(fact, facts.TableAdded) and fact.setup.id == table:
            known = Table(setup=fact.setup)
        elif isinstance(fact, PitTableAdded) and fact.setup.id == table:
            known = PitTable(setup=fact.setup)
        elif isinstance(fact, facts.TableChanged) and fact.table == table and known is not None:
            known.setup = known.setup.under(fact.terms)
    if known is None:
        raise TableUnknown(f"no link has a table {table[:80]!r}", table=table[:80])
    return known


async def _terms_then(connection: AsyncConnection, link: str, table: str, bets: int) -> TableTerms | None:
    """Those in force as its bets were taken; None if they have not changed since."""
    later = entries_of(link).where(
        text(SELDOM),
        journal.c.kind == facts.TableChanged.__name__,
        journal.c.tbl == table,
        journal.c.sequence > bets,
    )
    for entry in await recorded(connection, later.order_by(journal.c.sequence).limit(1)):
        fact = entry.fact(link)
        assert isinstance(fact, facts.TableChanged)  # noqa: S101  as its row says
        return fact.was
    return None


def _named(told: list[Told], kind: type[Fact], name: str) -> list[str]:
    return [getattr(fact, name) for _, fact in told if isinstance(fact, kind)]


async def _decisions(connection: AsyncConnection, link: Link, claim: Claim | PastClaim) -> list[Told]:
    """Who proposed and confirmed what becomes of a claim, and its withdrawal."""
    if isinstance(claim, PastClaim):
        name, last = claim.raised.claim, claim.ended.sequence
    else:
        name, last = claim.id, link.sequence
    entries = await entries_of_kinds(connection, link.id, _DECISIONS, first=claim.sequence, last=last)
    known = {name}
    told = [Told(entry, entry.fact(link.id)) for entry in entries]
    return [one for one in told if _decides(one.fact, known)]


def _decides(fact: Fact, known: set[str]) -> bool:
    """Whether it is about the claim, or about a proposal to decide it; such a proposal is then known too."""
    match fact:
        case facts.Proposed(change=ClaimDecision(claim=claim), proposal=proposal) if claim in known:
            known.add(proposal)
            return True
        case facts.ProposalConfirmed() | facts.ProposalWithdrawn():
            return fact.proposal in known
        case facts.ClaimWithdrawn():
            return fact.claim in known
    return False


async def _malfunctions(connection: AsyncConnection, link: Link, told: list[Told]) -> list[Told]:
    """Those that voided it or had it go on."""
    named = {getattr(fact, "malfunction", None) for _, fact in told} - {None}
    if not named:
        return []
    first = told[0].entry.sequence
    entries = await entries_of_kinds(connection, link.id, _MALFUNCTIONS, first=first, last=link.sequence)
    every: list[Any] = [Told(entry, entry.fact(link.id)) for entry in entries]
    return [one for one in every if one.fact.malfunction in named]


async def _next_round(connection: AsyncConnection, link: Pit, table: str, number: int) -> list[Told]:
    """The bets of the round after it, if only their coming made it stand."""
    found = entries_of(link.id).where(
        journal.c.tbl == table, journal.c.round > number, journal.c.kind.in_(_BETS)
    )
    entries = await recorded(connection, found.order_by(journal.c.round).limit(1))
    told: list[Any] = [Told(entry, entry.fact(link.id)) for entry in entries]
    return [one for one in told if one.fact.settles == number]


async def _hashes_before(connection: AsyncConnection, link: str, sequences: Iterable[int]) -> dict[int, str]:
    """The first entry of a journal is chained to nothing."""
    wanted = {sequence - 1 for sequence in sequences}
    found = select(journal.c.sequence, journal.c.hash, journal.c.digest).where(
        journal.c.link == link, journal.c.sequence.in_(wanted)
    )
    hashes: dict[int, str] = {0: ""}
    hashes |= {row.sequence: hash_of(row) for row in await connection.execute(found)}
    return {sequence + 1: hashes[sequence] for sequence in wanted}
