"""One transaction: several commands played through the rules, and everything they changed written at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Executable, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot import facts
from jackpot.answers import Said, read_said
from jackpot.book.recall import Missing, Recall, surely_new
from jackpot.book.records import (
    JournalRow,
    LinkRow,
    TableRow,
    journal_row,
    link_bytes,
    read_link,
    read_table,
    table_bytes,
)
from jackpot.book.schema import claims, journal, wins
from jackpot.book.stores import Store
from jackpot.codec import from_bytes, to_bytes
from jackpot.commands import Command, TableMessage
from jackpot.facts import Entry
from jackpot.invariants import check
from jackpot.link import Outcome, execute
from jackpot.payout import registered
from jackpot.refusals import Refused
from jackpot.state import Contact, Link, Registered, WinState


class LinkUnknown(Exception):
    """The book has no such link."""


@dataclass(slots=True)
class Cached:
    """The state after a commit, and each table's contact as it is stored."""

    link: Link
    version: int
    contacts: dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Submission:
    id: str
    command: Command


@dataclass(slots=True)
class Page:
    """What a batch is going to write."""

    entries: list[Entry] = field(default_factory=list)
    readings: dict[int, Registered] = field(default_factory=dict)
    said: dict[int, tuple[str, Said | None]] = field(default_factory=dict)
    """Which submission an entry was the last of, and what was said."""
    heard: set[str] = field(default_factory=set)

    def witness(self, sequence: int, _fact: facts.Fact, link: Link) -> None:
        self.readings[sequence] = registered(link)

    def added(self) -> list[str]:
        return [entry.fact.setup.id for entry in self.entries if isinstance(entry.fact, facts.TableAdded)]

    def rows(self) -> list[JournalRow]:
        nothing = (None, None)
        return [
            journal_row(entry, self.readings[entry.sequence], *self.said.get(entry.sequence, nothing))
            for entry in self.entries
        ]

    def touched(self, link: Link) -> set[str]:
        """The tables whose state these facts may have changed."""
        names: set[str] = set()
        for entry in self.entries:
            if isinstance(entry.fact, facts.MalfunctionDeclared | facts.ClaimDecided | facts.WinPaid):
                return set(link.tables)
            names.add(getattr(entry.fact, "table", ""))
        return names - {""}


class Batch:
    def __init__(self, store: Store, link: str, submissions: list[Submission], *, at: int) -> None:
        self._store, self._link, self._at = store, link, at
        self._submissions = submissions
        self.outcomes: dict[str, Outcome | Refused] = {}
        self.page = Page()

    async def carry_out(
        self, connection: AsyncConnection, cached: Cached | None, *, since: int | None
    ) -> Cached:
        """Play all and write all; the state it leaves holds once the transaction is committed. With `since`
        an earlier attempt may have been committed: what was done after that sequence is not done again."""
        cached = await self._current(connection, cached)
        done = {} if since is None else await self._done_since(connection, since)
        needed: list[Missing] = []
        while True:
            recall = Recall()
            foreseen = [] if needed else self._foreseen(cached.link)
            for submission in self._submissions:
                if submission.command.key is not None and surely_new(cached.link, submission.command):
                    recall.is_new(submission.command.key)
            await recall.fetch(connection, cached.link, [*foreseen, *needed])
            try:
                self._play(cached.link, recall, done)
                check(cached.link)
                break
            except Missing as missing:
                needed = [*foreseen, *needed, missing]
                cached = await self._loaded(connection)
        await self._write(connection, cached)
        return cached

    # Reading

    async def _current(self, connection: AsyncConnection, cached: Cached | None) -> Cached:
        """The link's state, ours alone until the commit: from memory, unless another process wrote."""
        locked = await self._store.lock(connection, self._link, self._speaking(cached))
        if locked is None:
            raise LinkUnknown(self._link)
        version, contacts = locked
        if cached is None:
            return await self._loaded(connection)
        if version != cached.version:
            await self._catch_up(connection, cached)
        for name, said in contacts.items():
            if cached.contacts.get(name) != said and name in cached.link.tables:
                cached.contacts[name] = said
                cached.link.tables[name].contact = from_bytes(Contact, said)
        return cached

    def _speaking(self, cached: Cached | None) -> list[str] | None:
        """The tables that may have spoken to other processes meanwhile and matter here: those of this batch,
        and all (None) while a win waits for them or the House acts."""
        commands = [one.command for one in self._submissions]
        names = [one.table for one in commands if isinstance(one, TableMessage)]
        return None if cached is None or cached.link.queue or len(names) < len(commands) else names

    async def _loaded(self, connection: AsyncConnection) -> Cached:
        row, tables = await self._store.load(connection, self._link)
        return Cached(read_link(row, tables), row.version, {one.id: one.contact for one in tables})

    async def _catch_up(self, connection: AsyncConnection, cached: Cached) -> None:
        row = await self._store.load_link(connection, self._link)
        changed = await self._store.changed_since(connection, self._link, cached.version)
        link = read_link(row, ())
        link.tables = cached.link.tables | {one.id: read_table(one) for one in changed}
        cached.link, cached.version = link, row.version
        cached.contacts |= {one.id: one.contact for one in changed}

    async def _done_since(self, connection: AsyncConnection, since: int) -> dict[str, Outcome]:
        ids = [one.id for one in self._submissions]
        found = select(journal.c.submission, journal.c.data).where(
            journal.c.link == self._link, journal.c.sequence > since, journal.c.submission.in_(ids)
        )
        told = {row.submission: read_said(row.data) for row in await connection.execute(found)}
        return {
            one: Outcome(said.answer, (), repeated=True) for one, said in told.items() if said is not None
        }

    def _foreseen(self, link: Link) -> list[Missing]:
        commands = [one.command for one in self._submissions]
        return [Missing(key=one.key) for one in commands if one.key is not None and not surely_new(link, one)]

    # Playing

    def _play(self, link: Link, recall: Recall, done: dict[str, Outcome]) -> None:
        self.page, self.outcomes = Page(), dict(done)
        for submission in self._submissions:
            if submission.id in done:
                continue
            try:
                self.outcomes[submission.id] = self._execute(link, submission, recall)
            except Refused as refusal:
                self.outcomes[submission.id] = refusal

    def _execute(self, link: Link, submission: Submission, recall: Recall) -> Outcome:
        command, page = submission.command, self.page
        table = link.tables.get(command.table) if isinstance(command, TableMessage) else None
        before = None if table is None else table.round
        outcome = execute(link, command, at=self._at, past=recall, witness=page.witness, checked=False)
        if table is not None:
            page.heard.add(table.setup.id)
            if before is not None and table.round is not before:
                recall.keep_round(table.setup.id, before)
        self._remember(submission, outcome, recall)
        return outcome

    def _remember(self, submission: Submission, outcome: Outcome, recall: Recall) -> None:
        """For the commands after it in this batch, and for the page."""
        said, page = outcome.said, self.page
        if said is not None and said.key is not None and said.content is not None:
            recall.keep(said.key, said.content, said.answer)
        for entry in outcome.entries:
            match entry.fact:
                case facts.ClaimRaised(claim=claim):
                    recall.keep_claim(claim, raised=True)
                case facts.ClaimWithdrawn(claim=claim):
                    recall.keep_claim(claim, raised=False)
                case facts.WinPaid() | facts.ClaimDecided() as paid if paid.amount:
                    recall.keep_paid(paid.table, paid.round, paid.box)
        page.entries += outcome.entries
        if outcome.entries:
            page.said[outcome.entries[-1].sequence] = (submission.id, said)

    # Writing

    async def _write(self, connection: AsyncConnection, cached: Cached) -> None:
        store, page, link = self._store, self.page, cached.link
        spoken_of = page.heard | page.touched(link)  # an opened table's count of messages begins anew
        contacts = {name: to_bytes(link.tables[name].contact) for name in spoken_of}
        changed = {name: said for name, said in contacts.items() if cached.contacts.get(name) != said}
        cached.contacts |= changed
        if not page.entries:
            if changed:
                await store.save_contacts(connection, changed)
            return
        cached.version += 1
        added, touched = page.added(), page.touched(link)
        for name in added:
            cached.contacts[name] = to_bytes(link.tables[name].contact)
        rows = {name: self._table_row(cached, name) for name in touched | set(added)}
        journal_rows = page.rows()
        await store.add_tables(connection, self._link, [rows[name] for name in added])
        stored = [rows[name] for name in sorted(touched - set(added))]
        row = LinkRow(cached.version, link_bytes(link))
        await store.write(connection, self._link, row, journal_rows, stored)
        silent = {name: said for name, said in changed.items() if name not in rows}
        if silent:
            await store.save_contacts(connection, silent)
        await self._write_histories(connection)

    def _table_row(self, cached: Cached, name: str) -> TableRow:
        return TableRow(name, cached.version, table_bytes(cached.link.tables[name]), cached.contacts[name])

    async def _write_histories(self, connection: AsyncConnection) -> None:
        """Where each major and each claim stands."""
        for entry in self.page.entries:
            for statement in _history(self._link, entry):
                await connection.execute(statement)


def _history(link: str, entry: Entry) -> list[Executable]:
    match entry.fact:
        case facts.WinRegistered() as fact:
            row = {
                "id": fact.win,
                "tbl": fact.table,
                "round": fact.round,
                "box": fact.box,
                "hand": fact.hand.value,
            }
            known = {"link": link, "state": WinState.PENDING.value, "registered": entry.sequence}
            return [insert(wins).values(row | known)]
        case facts.WinPaid(win=win, amount=amount):
            return [_ended(link, win, WinState.PAID, entry, amount)]
        case facts.WinRejected(win=win):
            return [_ended(link, win, WinState.REJECTED, entry)]
        case facts.WinWithdrawn(win=win):
            return [_ended(link, win, WinState.WITHDRAWN, entry)]
        case facts.ClaimRaised(claim=claim) as fact:
            same = claims.c.link == link, claims.c.id == claim
            place = {"tbl": fact.table, "round": fact.round, "box": fact.box}
            raised = place | {"link": link, "id": claim, "raised": entry.sequence}
            return [delete(claims).where(*same), insert(claims).values(raised)]
        case facts.ClaimWithdrawn(claim=claim):
            same = claims.c.link == link, claims.c.id == claim
            return [update(claims).where(*same).values(withdrawn=entry.sequence)]
        case facts.ClaimDecided(claim=claim, amount=amount):
            same = claims.c.link == link, claims.c.id == claim
            return [update(claims).where(*same).values(decided=entry.sequence, amount=amount)]
    return []


def _ended(link: str, win: str, state: WinState, entry: Entry, amount: int | None = None) -> Executable:
    change = {"state": state.value, "ended": entry.sequence, "amount": amount}
    return update(wins).where(wins.c.link == link, wins.c.id == win).values(change)
