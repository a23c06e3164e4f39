"""What one journal says of another, or of its own past: transfers have two sides, promises a reading."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass, field

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import played_between
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import entry_bytes
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.link.days import Played
from jackpot.link.facts import (
    DayClosed,
    Fact,
    MalfunctionDeclared,
    PoolArrived,
    PoolDeparted,
    TableAdded,
    TableMoved,
    read_entry,
)
from jackpot.link.pit_facts import PitTableAdded
from jackpot.link.rounds import Promise
from jackpot.link.state import Offline

Found = tuple[int, str]


@dataclass(slots=True)
class Pairs:
    """Collected while a link's journal is read, compared with the store at its end."""

    link: str
    departures: dict[int, PoolDeparted] = field(default_factory=dict)
    arrivals: dict[int, PoolArrived] = field(default_factory=dict)
    promises: dict[int, Promise] = field(default_factory=dict)
    moves: dict[int, TableMoved] = field(default_factory=dict)
    moved_here: dict[int, TableAdded | PitTableAdded] = field(default_factory=dict)
    closings: dict[int, DayClosed] = field(default_factory=dict)

    def hear(self, fact: Fact, sequence: int) -> None:
        match fact:
            case PoolDeparted() if fact.to is not None:
                self.departures[sequence] = fact
            case PoolArrived():
                self.arrivals[sequence] = fact
            case DayClosed():
                self.closings[sequence] = fact
            case TableMoved():
                self.moves[sequence] = fact
            case TableAdded() | PitTableAdded() if fact.source is not None:
                self.moved_here[sequence] = fact
            case MalfunctionDeclared(offline=Offline(confirmed=True, promised=Promise() as promised)):
                self.promises[sequence] = promised

    def join(self, later: Pairs) -> None:
        self.departures |= later.departures
        self.arrivals |= later.arrivals
        self.promises |= later.promises
        self.moves |= later.moves
        self.moved_here |= later.moved_here
        self.closings |= later.closings

    async def difference(self, store: Store) -> Found | None:
        """The first entry that something else in the book denies, and why."""
        async with store.reading() as connection:
            for sequence, check in sorted(self._checks(), key=lambda one: one[0]):
                denied = await check(connection)
                if denied is not None:
                    return sequence, denied
        return None

    def _checks(self) -> Iterator[tuple[int, Callable[[AsyncConnection], Awaitable[str | None]]]]:
        for sequence, left in self.departures.items():
            yield sequence, lambda connection, left=left: self._departed(connection, left)  # type: ignore[misc]
        for sequence, came in self.arrivals.items():
            yield sequence, lambda connection, came=came: self._arrived(connection, came)  # type: ignore[misc]
        for sequence, closed in self.closings.items():
            yield sequence, lambda connection, closed=closed: self._closed(connection, closed)  # type: ignore[misc]
        for sequence, moved in self.moves.items():
            yield sequence, lambda connection, at=sequence, moved=moved: self._moved(connection, at, moved)  # type: ignore[misc]
        for sequence, added in self.moved_here.items():
            yield sequence, lambda connection, added=added: self._came(connection, added)  # type: ignore[misc]
        for sequence, told in self.promises.items():
            yield sequence, lambda connection, told=told: self._promised(connection, told)  # type: ignore[misc]

    async def _departed(self, connection: AsyncConnection, fact: PoolDeparted) -> str | None:
        to = str(fact.to)
        keyed = select(journal.c.sequence).where(
            journal.c.link == to, journal.c.key == f"transfer/{fact.transfer}"
        )
        last = (await connection.execute(keyed)).scalar()
        here = journal.c.link == to, journal.c.sequence <= (last or 0), journal.c.kind == PoolArrived.__name__
        found = select(journal.c.data).where(*here).order_by(journal.c.sequence.desc()).limit(1)
        arrived = _read(to, (await connection.execute(found)).scalar())
        return _compared(fact, arrived, self.link)

    async def _arrived(self, connection: AsyncConnection, fact: PoolArrived) -> str | None:
        sequence = fact.transfer.rpartition(".t")[2]
        at = int(sequence) if sequence.isascii() and sequence.isdigit() and len(sequence) < 19 else 0
        found = select(journal.c.data).where(journal.c.link == fact.source, journal.c.sequence == at)
        departed = _read(fact.source, (await connection.execute(found)).scalar())
        if not isinstance(departed, PoolDeparted) or departed.to != self.link:
            return f"transfer {fact.transfer} has not departed from link {fact.source}"
        return _compared(departed, fact, fact.source)

    async def _closed(self, connection: AsyncConnection, fact: DayClosed) -> str | None:
        """What the day came to, counted again; the roll-ups that it is counted from are checked elsewhere."""
        found = await played_between(connection, self.link, fact.start, fact.end)
        said = Played(first=fact.first, last=fact.last, figures=fact.figures, lifetime=fact.lifetime)
        return None if found == said else f"gaming day {fact.day} did not come to what it was closed with"

    async def _moved(self, connection: AsyncConnection, sequence: int, fact: TableMoved) -> str | None:
        kinds = TableAdded.__name__, PitTableAdded.__name__
        added = select(journal.c.data).where(
            journal.c.link == fact.to, text(SELDOM), journal.c.kind.in_(kinds)
        )
        for row in await connection.execute(added):
            found = _read(fact.to, row.data)
            if isinstance(found, TableAdded | PitTableAdded) and _same_move(self.link, sequence, fact, found):
                return None
        return f"table {fact.table} has not come to {fact.to} as it left"

    async def _came(self, connection: AsyncConnection, fact: TableAdded | PitTableAdded) -> str | None:
        source = fact.source
        if source is None:
            return None
        at = journal.c.link == source.place, journal.c.sequence == source.sequence
        found = _read(source.place, (await connection.execute(select(journal.c.data).where(*at))).scalar())
        if not isinstance(found, TableMoved) or found.to != self.link:
            return f"table {fact.setup.id} has not left {source.place}"
        if _same_move(source.place, source.sequence, found, fact):
            return None
        return f"table {fact.setup.id} has not left {source.place} as it came"

    async def _promised(self, connection: AsyncConnection, promised: Promise) -> str | None:
        at = journal.c.link == self.link, journal.c.sequence == promised.sequence
        value = (await connection.execute(select(journal.c.value).where(*at))).scalar()
        return (
            None if value == promised.value else f"entry {promised.sequence} reads {value}, not as promised"
        )


def _read(link: str, data: bytes | None) -> Fact | None:
    return None if data is None else read_entry(link, entry_bytes(data), "").fact


def _same_move(place: str, sequence: int, moved: TableMoved, added: TableAdded | PitTableAdded) -> bool:
    """Whether a departure, the entry of that number there, and an arrival are of one move."""
    came = added.source
    if came is None or (came.place, came.sequence) != (place, sequence):
        return False
    return (added.setup.id, came.last_round, added.person) == (moved.table, moved.last_round, moved.person)


def _compared(departed: PoolDeparted, arrived: Fact | None, source: str) -> str | None:
    if not isinstance(arrived, PoolArrived) or arrived.transfer != departed.transfer:
        return f"transfer {departed.transfer} has not arrived at link {departed.to}"
    same = (arrived.source, arrived.amounts, arrived.persons) == (source, departed.amounts, departed.persons)
    return None if same else f"transfer {departed.transfer} did not arrive as it departed"
