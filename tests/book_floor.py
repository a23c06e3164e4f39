"""A floor whose messages go through a book, dealers who keep it busy, and what must hold of every book."""

from __future__ import annotations

import asyncio
import os
from collections import Counter, defaultdict
from collections.abc import AsyncIterator, Callable, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, replace
from random import Random
from typing import Any

from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.book import Book
from jackpot.book.checking.verify import Verifier
from jackpot.book.stores.base import Store
from jackpot.book.stores.house_time import Kept, Moment
from jackpot.book.stores.rows import Versions, column_that_differs, read_link, read_row
from jackpot.book.stores.schema import journal, links
from jackpot.book.writing.clock import HouseClock
from jackpot.book.writing.writer import TROUBLE, Unavailable
from jackpot.cards.cards import parse_all
from jackpot.core.codec import from_bytes, names_of
from jackpot.core.instants import SECOND
from jackpot.core.refusals import ContentConflict, Refused, SentAtFell
from jackpot.games.rulebook import Game
from jackpot.link import commands
from jackpot.link.answers import Answer, HandsAnswer, Said, read_said
from jackpot.link.clocks import Echo
from jackpot.link.facts import Entry, read_entry
from jackpot.link.proposals import Adjustment
from jackpot.link.rounds import Round
from jackpot.link.state import Link, Registered, TableSetup
from jackpot.machine.applying import replayed
from jackpot.machine.execute import Outcome
from jackpot.machine.invariants import check
from jackpot.pools.payout import clusters
from tests.floor import DEFAULTS, HOLDEM, START, STUD

LINK = "main"
TABLES = {"s1": STUD, "s2": STUD, "h1": HOLDEM}


class StoryClock(HouseClock):
    """House time, as a story tells it; the server's clock is right."""

    def __init__(self, time: int = START) -> None:
        super().__init__()
        self.time = time

    def moment(self) -> Moment:
        return Moment(self.time, 0)

    async def server(self, store: Store, connection: AsyncConnection) -> tuple[int, Kept]:
        return self.time, (await super().server(store, connection))[1]

    async def measure(self) -> None:
        """There is nothing to find out."""

    async def keep_up(self, broke_at: int) -> None:
        """There is nothing to find out."""


class BookFloor:
    """The floor of `tests.floor` on a book: the same verbs, each awaited."""

    def __init__(self, url: str, book: Book, clock: StoryClock) -> None:
        self.url, self.book, self.clock = url, book, clock
        self.rounds: Counter[str] = Counter()
        self.echoes: dict[str, Echo] = {}

    @classmethod
    async def opened(cls, url: str, clock: StoryClock | None = None) -> BookFloor:
        told = clock or StoryClock()
        return cls(url, await Book.open(url, clock=told), told)

    def _set_clock(self) -> None:
        self.book.clock = self.clock
        for link in self.book.links:
            self.book._writers[link]._clock = self.clock

    async def reopen(self) -> None:
        await self.book.close()
        self.book = await Book.open(self.url, clock=self.clock)

    async def furnish(self, tables: Mapping[str, Game] | None = None, **parameters: Any) -> None:
        merged = {name: getattr(DEFAULTS, name) for name in names_of(DEFAULTS)} | parameters
        await self.book.create(LINK, "Multi-Link Progressive", "SGD", type(DEFAULTS)(**merged))
        for name, game in (tables or TABLES).items():
            await self.act(commands.AddTable(person="floor", setup=TableSetup(id=name, game=game, boxes=7)))
            await self.beat(name)

    # Messages

    def wait(self, seconds: float) -> None:
        self.clock.time += round(seconds * SECOND)

    async def submit(self, command: commands.Command) -> Outcome:
        """Tables echo the last answer, which they hear at once."""
        if not isinstance(command, commands.TableMessage) or not command.live:
            return await self.book.submit(LINK, command)
        if command.echo is None:
            command = replace(command, echo=self.echoes.get(command.table))
        outcome = await self.book.submit(LINK, command)
        if outcome.replied_at is not None:
            self.echoes[command.table] = Echo(replied_at=outcome.replied_at, heard_at=command.sent_at)
        return outcome

    async def act(self, command: commands.Command) -> Answer:
        return (await self.submit(command)).answer

    def stamps(self, delivery: Mapping[str, Any]) -> dict[str, Any]:
        return {"sent_at": self.clock.time, "received_at": self.clock.time} | dict(delivery)

    def bets(
        self, table: str, boxes: Sequence[int] = (1,), *, round: int | None = None, **more: Any
    ) -> commands.CloseBets:
        self.wait(0.01)
        self.rounds[table] = self.rounds[table] + 1 if round is None else self.rounds[table]
        stamps = self.stamps(more)
        return commands.CloseBets(
            table=table,
            round=self.rounds[table] if round is None else round,
            boxes=tuple(commands.BoxBets(box=box, ante=2500, progressive=500) for box in boxes),
            **({"closed_at": stamps["sent_at"]} | stamps),
        )

    def hands(
        self,
        table: str,
        hands: Mapping[int, str | None],
        *,
        round: int | None = None,
        final: bool = False,
        community: str = "",
        dealt_at: int | None = None,
        **more: Any,
    ) -> commands.ReportHands:
        self.wait(0.01)
        reports = [
            commands.HandReport(
                box=box,
                cards=parse_all((cards or "").split()),
                dealt_at=(dealt_at or self.clock.time) if cards else None,
                revealed=cards is not None,
            )
            for box, cards in hands.items()
        ]
        return commands.ReportHands(
            table=table,
            round=self.rounds[table] if round is None else round,
            hands=tuple(reports),
            final=final,
            community=parse_all(community.split()),
            **self.stamps(more),
        )

    def void(self, table: str, *, round: int | None = None, **more: Any) -> commands.VoidRound:
        self.wait(0.01)
        number = self.rounds[table] if round is None else round
        return commands.VoidRound(table=table, round=number, reason="5.8.1", **self.stamps(more))

    def heartbeat(self, table: str, **more: Any) -> commands.Heartbeat:
        self.wait(0.01)
        return commands.Heartbeat(table=table, **self.stamps(more))

    async def beat(self, table: str) -> Answer:
        return await self.act(self.heartbeat(table))

    # Stories

    async def wins_major(self, table: str, cards: str) -> str:
        """A round in which box 1 is dealt that hand; the win's id."""
        await self.submit(self.bets(table))
        self.wait(1)
        answer = await self.act(self.hands(table, {1: cards}))
        assert isinstance(answer, HandsAnswer)
        assert answer.results[0].win is not None
        return answer.results[0].win

    async def approve(self, win: str, *people: str) -> None:
        for person in people or ("ana", "ben"):
            await self.act(commands.ApproveWin(person=person, win=win, act_id=f"approve {win}"))

    async def agree(self, change: Adjustment) -> None:
        answer = await self.act(commands.Propose(person="ana", change=change, reason="because"))
        await self.act(commands.Confirm(person="ben", proposal=str(getattr(answer, "proposal"))))  # noqa: B009

    async def decide_claim(self, claim: str, outcome: Any) -> None:
        act = commands.DecideClaim(person="sue", claim=claim, outcome=outcome, reason="camera footage")
        proposal = str(getattr(await self.act(act), "proposal"))  # noqa: B009
        await self.act(commands.Confirm(person="tom", proposal=proposal))

    # What is there

    async def state(self) -> Link:
        return await stored(self.book)

    async def version(self) -> int:
        return (await self.versions()).version

    async def versions(self) -> Versions:
        async with self.book.store.reading() as connection:
            return (await self.book.store.load_link(connection, LINK)).versions


@asynccontextmanager
async def furnished_floor(url: str) -> AsyncIterator[BookFloor]:
    """A book with one link and three tables, in a story whose clock the test moves."""
    floor = await BookFloor.opened(url)
    try:
        await floor.furnish()
        yield floor
    finally:
        await floor.book.close()


async def stored(book: Book) -> Link:
    """The link as its rows say."""
    async with book.store.reading() as connection:
        return read_link(*await book.store.load(connection, LINK))


@dataclass(frozen=True)
class Checked:
    link: Link
    entries: list[Entry]
    said: dict[str, list[Said]]
    """What was answered, by the key of the message."""

    def facts(self, kind: type) -> list[Any]:
        return [entry.fact for entry in self.entries if isinstance(entry.fact, kind)]

    def count(self, kind: type) -> int:
        return len(self.facts(kind))


async def checked(book: Book) -> Checked:
    """A gapless journal, its chain, its readings, and the stored state as what the facts imply."""
    async with book.store.reading() as connection:
        rows = (
            await connection.execute(
                select(journal).where(journal.c.link == LINK).order_by(journal.c.sequence)
            )
        ).all()
        last = (await connection.execute(select(links).where(links.c.id == LINK))).one()
        state = read_link(*await book.store.load(connection, LINK))
    entries: list[Entry] = []
    said: dict[str, list[Said]] = defaultdict(list)
    for row in map(read_row, rows):
        entry = read_entry(LINK, row.data, entries[-1].hash if entries else "")
        told = read_said(row.data)
        reading = from_bytes(Registered, row.reading)
        assert column_that_differs(row, entry, reading, None if told is None else told.key) is None
        entries.append(entry)
        if told is not None and told.key is not None:
            said[told.key].append(told)
    assert [entry.sequence for entry in entries] == list(range(1, len(entries) + 1)), "not gapless"
    assert (last.sequence, last.at, last.head) == (len(entries), entries[-1].at, entries[-1].hash)
    implied = replayed(entries)
    check(implied)
    assert state == implied
    assert await Verifier(book.store, LINK).verify() == implied
    return Checked(state, entries, said)


def check_acknowledged(found: Checked, acknowledged: Mapping[str, set[tuple[int, int]]]) -> None:
    """What was acknowledged is there as it was told, and nothing is there twice."""
    twice = [key for key, said in found.said.items() if len(said) > 1]
    assert not twice, f"carried out twice: {twice[:5]}"
    lost = [key for key in acknowledged if key not in found.said]
    assert not lost, f"{len(lost)} of {len(acknowledged)} acknowledged are lost: {lost[:5]}"
    for key, told in acknowledged.items():
        meter = found.said[key][0].answer.reading
        assert told == {(meter.sequence, meter.value)}, key


# Dealers: load on a book, real or about to be killed

BOXES = range(1, 8)
SHOE = 3
"""Rounds dealt at each table before the House looks at what was won."""
STRAIGHT_FLUSH = "9h 8h 7h 6h 5h"


def dealt(table: str, round: int) -> tuple[tuple[int, ...], ...]:
    """The same hands for the same round, whoever deals it: one round in a shoe has a straight flush."""
    rng = Random(f"{table} {round}")
    won = parse_all(STRAIGHT_FLUSH.split()) if round % (3 * SHOE) == 1 else ()
    deck = [card for card in range(52) if card not in won]
    rng.shuffle(deck)
    hands = [tuple(deck[5 * place : 5 * place + 5]) for place in range(7)]
    return (won or hands[0], *hands[1:])


def _bets(table: str, number: int, closed_at: int, now: int) -> commands.CloseBets:
    boxes = tuple(commands.BoxBets(box=box, ante=2500, progressive=500) for box in BOXES)
    return commands.CloseBets(
        table=table, round=number, closed_at=closed_at, boxes=boxes, sent_at=now, received_at=now
    )


class Dealers:
    """Rounds of seven boxes at several tables at once; every answer is acknowledged."""

    def __init__(self, book: Book, acknowledge: Callable[[str, int, int], None]) -> None:
        self._book, self._acknowledge = book, acknowledge
        self.stopping = False
        self.refused: Counter[str] = Counter()
        self.unavailable = 0
        self.last_answer = 0.0
        """When, by the loop's clock."""

    async def play(self, tables: Sequence[str]) -> None:
        """Until told to stop: a shoe at every table, then the House."""
        await self._house(tables)
        while not self.stopping:
            link = await self._look()
            async with asyncio.TaskGroup() as group:
                for name in tables:
                    group.create_task(self._shoe(name, link.tables[name].round))
            await self._house(tables)

    async def _shoe(self, table: str, current: Round | None) -> None:
        """From the round that is there, told again, as nobody knows how far it was told."""
        first = 1 if current is None else current.number
        for number in range(first, first + SHOE + 1):
            if self.stopping:
                return
            again = current is not None and current.number == number
            await self._close_bets(table, number, current if again else None)
            await self._deal(table, number)

    async def _close_bets(self, table: str, number: int, known: Round | None) -> None:
        closed_at = self._book.clock.now() if known is None else known.closed_at
        try:
            await self._say(lambda now: _bets(table, number, closed_at, now))
        except ContentConflict:  # another process, at the same table, closed them a moment earlier
            found = (await self._look()).tables[table].round
            if found is not None and found.number == number:
                await self._say(lambda now: _bets(table, number, found.closed_at, now))

    async def _deal(self, table: str, number: int) -> None:
        if number % 10 == 0:
            await self._say(
                lambda now: commands.VoidRound(
                    table=table, round=number, reason="5.8.1", sent_at=now, received_at=now
                )
            )
            return
        await self._say(
            lambda now: commands.ReportHands(
                table=table,
                round=number,
                hands=tuple(
                    commands.HandReport(box=box, cards=cards)
                    for box, cards in zip(BOXES, dealt(table, number), strict=True)
                ),
                final=number % 2 == 0,
                sent_at=now,
                received_at=now,
            )
        )

    async def _house(self, tables: Sequence[str]) -> None:
        for table in tables:
            await self._say(
                lambda now, table=table: commands.Heartbeat(  # type: ignore[misc]
                    table=table, sent_at=now, received_at=now
                )
            )
        link = await self._look()
        for cluster in clusters(link):
            if cluster.ambiguous and not cluster.decided:
                await self._try(
                    lambda _, wins=cluster.wins: commands.DecideOrder(  # type: ignore[misc]
                        person="sue", wins=wins, reason="camera"
                    )
                )
        for win in link.queue:
            await self._try(
                lambda _, win=win: commands.ApproveWin(person="ana", win=win, act_id=win)  # type: ignore[misc]
            )

    async def _look(self) -> Link:
        """Until it is seen: a look that a cut connection ends is taken again."""
        while True:
            with suppress(*TROUBLE):
                return await stored(self._book)
            await asyncio.sleep(0.05)

    async def _try(self, make: Callable[[int], commands.Command]) -> None:
        try:
            await self._say(make)
        except Refused as refusal:
            self.refused[refusal.code] += 1

    async def _say(self, make: Callable[[int], commands.Command]) -> None:
        """Until it is answered: the same message again, stamped anew, as a table controller does."""
        while True:
            command = make(self._book.clock.now())
            try:
                outcome = await self._book.submit(LINK, command)
            except SentAtFell:
                continue
            except Unavailable:
                self.unavailable += 1
                if self.stopping:
                    return
                continue
            self.last_answer = asyncio.get_running_loop().time()
            if command.key is not None:
                self._acknowledge(command.key, outcome.answer.reading.sequence, outcome.answer.reading.value)
            return


class Ledger:
    """What was acknowledged, kept in a file that outlives the process which heard it."""

    def __init__(self, path: str | os.PathLike[str]) -> None:
        self._path = path

    def open(self) -> Callable[[str, int, int], None]:
        file = os.open(self._path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)

        def acknowledge(key: str, sequence: int, value: int) -> None:
            os.write(file, f"{key} {sequence} {value}\n".encode())

        return acknowledge

    @property
    def size(self) -> int:
        try:
            return os.stat(self._path).st_size  # noqa: PTH116
        except FileNotFoundError:
            return 0

    def read(self) -> dict[str, set[tuple[int, int]]]:
        found: dict[str, set[tuple[int, int]]] = defaultdict(set)
        with open(self._path) as lines:  # noqa: PTH123
            for line in lines:
                key, sequence, value = line.split()
                found[key].add((int(sequence), int(value)))
        return found
