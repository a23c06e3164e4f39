"""The archive of a link as one batch asks it: what was never there, what was fetched, what the batch did."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Select, select, tuple_
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.meters import figures_between
from jackpot.book.stores.rows import entry_bytes, implied_key, reading_of, round_of_key
from jackpot.book.stores.schema import claims, handovers, journal, wins
from jackpot.link.answers import Answer, read_said
from jackpot.link.commands import (
    ByPerson,
    CloseBets,
    ClosePitBets,
    Command,
    ReportHands,
    ReportPlay,
    VoidRound,
)
from jackpot.link.days import Played
from jackpot.link.facts import Entry, read_entry
from jackpot.link.handovers import Ended
from jackpot.link.rounds import RoundOfPlay, RoundState
from jackpot.link.state import Pit, Registered
from jackpot.machine.applying import round_that_left

VOIDED = RoundState.VOIDED
_BETS = (CloseBets, ClosePitBets)
_HANDS = (ReportHands, ReportPlay)
_OF_ROUNDS = (*_BETS, *_HANDS, VoidRound)


@dataclass(frozen=True)
class Missing(BaseException):
    """A command asked for something that was not fetched. It is, and the batch is played again.

    Not an Exception: no rule may catch it."""

    key: str | None = None
    round: tuple[str, int] | None = None
    reading_before: int | None = None
    reading_at: int | None = None
    claim: str | None = None
    paid: tuple[str, int, int] | None = None
    kind_of: int | None = None
    handover: str | None = None
    played: tuple[int, int] | None = None


class Lookup:
    def __init__(self, before: Lookup | None = None) -> None:
        """With what another one has read of the journal, which stays as it is."""
        self._answers: dict[str, dict[str, Answer]] = {}
        self._known: set[str] = set()
        self._rounds: dict[tuple[str, int], RoundOfPlay | None] = {}
        self._readings: dict[int, Registered] = {} if before is None else before._readings
        self._readings_at: dict[int, Registered | None] = {} if before is None else before._readings_at
        self._kinds: dict[int, str | None] = {}
        self._played: dict[tuple[int, int], Played] = {}
        self._claims: dict[str, bool] = {}
        self._paid: dict[tuple[str, int, int], bool] = {}
        self._ended: dict[str, Ended | None] = {}
        self.written: Mapping[int, Registered] = {}
        """The readings at the entries of this batch, which the store has not got yet."""
        self.stamped: Sequence[Entry] = ()
        """Its entries so far."""

    # What the rules ask (the port `jackpot.link.archive.Archive`)

    def answer(self, key: str, content: str) -> Answer | None:
        self._must_know(key)
        return self._answers.get(key, {}).get(content)

    def taken(self, key: str) -> bool:
        self._must_know(key)
        return key in self._answers

    def round(self, table: str, number: int) -> RoundOfPlay | None:
        if (table, number) not in self._rounds:
            raise Missing(round=(table, number))
        return self._rounds[table, number]

    def reading_before(self, at: int) -> Registered:
        if at not in self._readings:
            raise Missing(reading_before=at)
        for entry in reversed(self.stamped):  # a deal may have ended later, as far as house time is known
            if entry.at < at:
                return self.written[entry.sequence]
        return self._readings[at]

    def reading_at(self, sequence: int) -> Registered | None:
        if sequence in self.written:
            return self.written[sequence]
        if sequence not in self._readings_at:
            raise Missing(reading_at=sequence)
        return self._readings_at[sequence]

    def paid(self, table: str, number: int, box: int) -> bool:
        if (table, number, box) not in self._paid:
            raise Missing(paid=(table, number, box))
        return self._paid[table, number, box]

    def claimed(self, claim: str) -> bool:
        if claim not in self._claims:
            raise Missing(claim=claim)
        return self._claims[claim]

    def handover(self, win: str) -> Ended | None:
        if win not in self._ended:
            raise Missing(handover=win)
        return self._ended[win]

    def kind_of(self, sequence: int) -> str | None:
        if sequence not in self._kinds:
            raise Missing(kind_of=sequence)
        return self._kinds[sequence]

    def played(self, start: int, end: int) -> Played:
        if (start, end) not in self._played:
            raise Missing(played=(start, end))
        return self._played[start, end]

    def _must_know(self, key: str) -> None:
        if key not in self._known:
            raise Missing(key=key)

    # What the writer tells

    def is_new(self, command: Command) -> None:
        """The state says that nothing was ever answered under this command's key."""
        if command.key is not None:
            self._known.add(command.key)

    def keep(self, key: str, content: str, answer: Answer) -> None:
        self._known.add(key)
        self._answers.setdefault(key, {})[content] = answer

    def keep_round(self, table: str, found: RoundOfPlay) -> None:
        self._rounds[table, found.number] = found

    def keep_paid(self, table: str, number: int, box: int) -> None:
        self._paid[table, number, box] = True

    def keep_ended(self, win: str, ended: Ended) -> None:
        self._ended[win] = ended

    def keep_claim(self, claim: str, *, raised: bool) -> None:
        self._claims[claim] = raised

    async def fetch(self, connection: AsyncConnection, state: Pit, missing: Iterable[Missing]) -> None:
        several, link = list(missing), state.id
        await self._fetch_answers(connection, link, {one.key for one in several if one.key is not None})
        for one in several:
            if one.round is not None:
                self._rounds[one.round] = await _round(connection, state, *one.round)
            if one.reading_before is not None and one.reading_before not in self._readings:
                self._readings[one.reading_before] = await reading_before(
                    connection, link, one.reading_before
                )
            if one.reading_at is not None and one.reading_at not in self._readings_at:
                self._readings_at[one.reading_at] = await reading_at(connection, link, one.reading_at)
            if one.paid is not None:
                self._paid[one.paid] = await _paid(connection, link, *one.paid)
            if one.kind_of is not None:
                self._kinds[one.kind_of] = await _kind_of(connection, link, one.kind_of)
            if one.played is not None:
                self._played[one.played] = await played_between(connection, link, *one.played)
            if one.claim is not None:
                self._claims[one.claim] = await _claimed(connection, link, one.claim)
            if one.handover is not None:
                self._ended[one.handover] = await _ended(connection, link, one.handover)

    async def _fetch_answers(self, connection: AsyncConnection, link: str, keys: set[str]) -> None:
        if not keys:
            return
        self._known.update(keys)
        found = [row for one in _keyed(link, keys) for row in await connection.execute(one)]
        # Sorted here: asked to sort, SQLite would rather read the whole journal in its order.
        for row in sorted(found, key=lambda row: row.sequence):
            if row.key is None and implied_key(row.kind, row.tbl, row.round) not in keys:
                continue
            said = read_said(entry_bytes(row.data))
            if said is not None and said.key is not None and said.content is not None:
                self.keep(said.key, said.content, said.answer)


def _keyed(link: str, keys: set[str]) -> Iterator[Select[Any]]:
    """Where those keys can stand: as keys of their own, and in the entries of rounds."""
    columns = (
        journal.c.sequence,
        journal.c.kind,
        journal.c.tbl,
        journal.c.round,
        journal.c.key,
        journal.c.data,
    )
    entries = select(*columns).where(journal.c.link == link)
    yield entries.where(journal.c.key.in_(keys))
    if rounds := {place for key in keys if (place := round_of_key(key)) is not None}:
        here = tuple_(journal.c.tbl, journal.c.round).in_(rounds)
        yield entries.where(here, journal.c.round.is_not(None), journal.c.key.is_(None))


def storable(text: str) -> bool:
    """Whether a database can hold it; what cannot be held is refused by the rules."""
    return "\0" not in text and not any("\ud800" <= one <= "\udfff" for one in text)


def surely_new(link: Pit, command: Command) -> bool:
    """The state alone tells that this message's key was never answered."""
    if isinstance(command, ByPerson):
        return not storable(command.key or "")
    table = link.tables.get(command.table)
    if table is None or not isinstance(command, _OF_ROUNDS):
        return command.table not in link.departed  # what it said here before may be said again
    if command.round > table.last_round:
        return True
    current = table.round
    if current is None or current.number != command.round or isinstance(command, _BETS):
        return False
    return current.hands_content is None if isinstance(command, _HANDS) else current.state is not VOIDED


async def _round(connection: AsyncConnection, link: Pit, table: str, number: int) -> RoundOfPlay | None:
    if table not in link.tables or abs(number) >= 2**63:
        return None
    here = journal.c.link == link.id, journal.c.tbl == table, journal.c.round == number
    found = await connection.execute(select(journal.c.sequence, journal.c.data).where(*here))
    entries = [read_entry(link.id, entry_bytes(data), "") for _, data in sorted(tuple(row) for row in found)]
    return round_that_left(link.tables[table].setup, entries)


async def _kind_of(connection: AsyncConnection, link: str, sequence: int) -> str | None:
    found = select(journal.c.kind).where(journal.c.link == link, journal.c.sequence == sequence)
    kind: str | None = (await connection.execute(found)).scalar()
    return kind


async def _claimed(connection: AsyncConnection, link: str, claim: str) -> bool:
    if not storable(claim):
        return False
    found = select(claims.c.raised).where(
        claims.c.link == link, claims.c.id == claim, claims.c.withdrawn.is_(None)
    )
    return (await connection.execute(found)).scalar() is not None


async def _ended(connection: AsyncConnection, link: str, win: str) -> Ended | None:
    """Of a win or late claim that is in the state no more."""
    if not storable(win):
        return None
    slip = select(handovers.c.slip).where(handovers.c.link == link, handovers.c.win == win).limit(1)
    if (await connection.execute(slip)).scalar() is not None:
        return Ended.HANDED_OVER
    return await ended_without_slip(connection, link, win)


async def ended_without_slip(connection: AsyncConnection, link: str, win: str) -> Ended | None:
    if not storable(win):
        return None
    for history in (wins, claims):
        found = select(history.c.amount).where(history.c.link == link, history.c.id == win)
        row = (await connection.execute(found)).one_or_none()
        if row is not None:
            return Ended.WITHOUT_SLIP if row.amount else Ended.UNPAID
    return None


async def _paid(connection: AsyncConnection, link: str, table: str, number: int, box: int) -> bool:
    """Majors and late claims alike: one bet is paid one major."""
    for history in (wins, claims):
        place = history.c.tbl == table, history.c.round == number, history.c.box == box
        found = select(history.c.id).where(history.c.link == link, *place, history.c.amount > 0).limit(1)
        if (await connection.execute(found)).scalar() is not None:
            return True
    return False


async def played_between(connection: AsyncConnection, link: str, start: int, end: int) -> Played:
    first, last = await last_before(connection, link, start), await last_before(connection, link, end)
    found = await figures_between(connection, link, first, last)
    return Played(first=first + 1, last=last, figures=found.totals, lifetime=found.lifetime)


async def last_before(connection: AsyncConnection, link: str, at: int) -> int:
    """The sequence of the last entry before a time, 0 for none. Journal time never falls, so halving the
    sequence finds it."""
    ends = (
        select(journal.c.sequence).where(journal.c.link == link).order_by(journal.c.sequence.desc()).limit(1)
    )
    low, high = 0, int((await connection.execute(ends)).scalar_one())
    stamp = select(journal.c.at).where(journal.c.link == link)
    while low < high:
        middle = (low + high + 1) // 2
        moment = (await connection.execute(stamp.where(journal.c.sequence == middle))).scalar_one()
        low, high = (middle, high) if moment < at else (low, middle - 1)
    return low


async def reading_before(connection: AsyncConnection, link: str, at: int) -> Registered:
    """The first reading, if the link is younger than that."""
    sequence = max(1, await last_before(connection, link, at))
    found = _READING.where(journal.c.link == link, journal.c.sequence == sequence)
    return reading_of((await connection.execute(found)).one())


async def reading_at(connection: AsyncConnection, link: str, sequence: int) -> Registered | None:
    found = _READING.where(journal.c.link == link, journal.c.sequence == sequence)
    row = (await connection.execute(found)).one_or_none()
    return None if row is None else reading_of(row)


_READING = select(journal.c.reading, journal.c.data)
