"""One transaction: several commands played through the rules, and everything they changed written at once."""

from __future__ import annotations

from dataclasses import dataclass, field

from sqlalchemy import Executable, delete, insert, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.audit import Act, write_acts
from jackpot.book.reading.lookup import Lookup, Missing, surely_new
from jackpot.book.stores.base import Store
from jackpot.book.stores.committed import Committed, Head, LinkUnknown
from jackpot.book.stores.house_time import Timekeeper
from jackpot.book.stores.rows import (
    JournalRow,
    LinkRow,
    Stand,
    TableRow,
    Versions,
    Writing,
    contact_bytes,
    entry_bytes,
    hash_of,
    journal_row,
    link_bytes,
    read_pit,
    read_table,
    table_bytes,
    with_tables,
)
from jackpot.book.stores.schema import claims, handovers, journal, wins
from jackpot.book.stores.snapshots import Snapshot, is_due
from jackpot.core.records import frozen
from jackpot.core.refusals import Refused
from jackpot.link import facts
from jackpot.link.answers import Meter, read_said
from jackpot.link.commands import Command, TableMessage
from jackpot.link.fact import Fact
from jackpot.link.facts import Entry
from jackpot.link.handovers import HandoverState
from jackpot.link.pit_facts import PitTableAdded
from jackpot.link.state import Link, Pit, Registered
from jackpot.link.wins import WinState
from jackpot.machine.execute import Outcome, execute
from jackpot.machine.invariants import InvariantBroken, check
from jackpot.machine.kind import ClaimBegan, ClaimEnded, HandoverChanged, WinBegan, WinEnded
from jackpot.machine.kinds import ended_by, kind_of, remembered
from jackpot.pools.payout import meter_of, registered
from jackpot.readings.meter import reading
from jackpot.readings.table_views import table_view


class EntriesLost(InvariantBroken):
    """What was acknowledged is not in the store any more: an older copy has taken its place."""


@dataclass(slots=True)
class Cached:
    """The state after a commit, or after the one that is under way; and each table's contact as stored."""

    link: Pit
    versions: Versions
    contacts: dict[str, bytes]
    states: dict[str, bytes]
    """Of each table, as stored."""
    marks: set[str] = field(default_factory=set)
    """Tables that were heard since, without a command: the next batch keeps their contact, whatever it is
    of, so that nothing becomes durable that rests on a mark which is not."""

    @property
    def stand(self) -> Stand:
        return Stand(self.versions, self.link.head)

    def forget_departed(self) -> None:
        """Tables that were moved away, by whichever process."""
        gone = self.link.departed.keys() & self.contacts.keys()
        if gone:
            kept = {name: one for name, one in self.link.tables.items() if name not in gone}
            with_tables(self.link, kept)
            for name in gone:
                del self.contacts[name], self.states[name]
            self.marks -= gone


@frozen()
class Submission:
    id: str
    command: Command
    act: Act | None = None
    """What the audit is to say if it is carried out."""


@dataclass(slots=True)
class Page:
    """What a batch is going to write."""

    entries: list[Entry] = field(default_factory=list)
    readings: dict[int, Registered] = field(default_factory=dict)
    said: dict[int, tuple[str, str | None]] = field(default_factory=dict)
    """Which submission an entry was the last of, and that one's key."""
    heard: set[str] = field(default_factory=set)

    def witness(self, sequence: int, _fact: Fact, link: Pit) -> None:
        self.readings[sequence] = registered(link)

    def shown_at_tables(self) -> bool:
        return any(kind_of(entry.fact).shown_at_tables for entry in self.entries)

    def rows(self) -> list[JournalRow]:
        readings, said, nothing = self.readings, self.said, (None, None)
        return [
            journal_row(entry, readings[entry.sequence], *said.get(entry.sequence, nothing))
            for entry in self.entries
        ]

    def touched(self, link: Pit) -> set[str]:
        """The tables whose state these facts may have changed."""
        names: set[str] = set()
        for entry in self.entries:
            names.update(kind_of(entry.fact).touches(entry.fact, link))
        return names

    def histories(self, link: str) -> list[Executable]:
        """Where each major and each claim stands."""
        return [statement for entry in self.entries for statement in history_statements(link, entry)]


class Batch:
    """Carried out in one of two ways. `play_ahead` works on the state in memory, while the commit before it
    is still under way, and `save` writes it in one trip if no other process has written. `carry_out` asks
    the store first and holds the link's lock while it plays."""

    def __init__(self, store: Store, link: str, submissions: list[Submission], *, clock: Timekeeper) -> None:
        self._store, self._link, self._clock = store, link, clock
        self._submissions = submissions
        self.outcomes: dict[str, Outcome | Refused] = {}
        self.page = Page()
        self.cached: Cached | None = None
        """The state it was played on, and has changed."""
        self.committed: Committed | None = None
        self.head: Head | None = None
        self.meter: Meter | None = None
        """As it is told to tables."""
        self.overtaken = False
        """Another process has written since the state in memory."""
        self._loaded_anew = False

    def play_ahead(self, cached: Cached) -> bool:
        """False if it cannot be played without asking the store; then nothing was changed. If it raises, the
        state is worth nothing any more."""
        lookup, before = Lookup(), cached.stand
        for submission in self._submissions:
            if submission.act is not None or not surely_new(cached.link, submission.command):
                return False
            lookup.is_new(submission.command)
        for missing in self._play(cached.link, lookup, {}):
            raise missing
        check(cached.link)
        self._close(cached, before)
        return True

    async def save(self) -> bool:
        """False if another process has written meanwhile; then nothing was written."""
        writing, histories = self._writing, self._histories
        if writing.empty:
            async with self._store.reading() as connection:
                return await self._store.stand(connection, self._link) == writing.known
        if not (writing.added or histories):
            return await self._store.write_at_once(self._link, writing)
        async with self._store.transaction() as connection:
            return await self._write(connection)

    async def carry_out(
        self, connection: AsyncConnection, cached: Cached | None, *, known: Head, unsure: bool
    ) -> Cached:
        """Play all and write all; the state it leaves holds once the transaction is committed. If `unsure`,
        an earlier attempt may have been committed: what was done after the known entry is not done again."""
        cached = await self._current(connection, cached)
        await self._clock.keep_up(cached.link.broke_at)
        await self._still_there(connection, cached.link, known, unsure=unsure)
        done = await self._done_since(connection, known) if unsure else {}
        lookup, needed, before = Lookup(), list[Missing](), cached.stand
        while True:
            lookup, foreseen = self._foreseen(cached.link, lookup)
            await lookup.fetch(connection, cached.link, [*foreseen, *needed])
            missing = self._play(cached.link, lookup, done)
            if not missing:
                break
            needed += missing
            cached = await self._loaded(connection)
        check(cached.link)
        self._close(cached, before)
        if not self._writing.empty and not await self._write(connection):
            raise InvariantBroken("the link was written to while we held its lock")
        await write_acts(connection, self._acts())
        return cached

    # Reading

    async def _current(self, connection: AsyncConnection, cached: Cached | None) -> Cached:
        """The link's state, ours alone until the commit: from memory, as far as no other process wrote."""
        stand = await self._store.lock(connection, self._link)
        if stand is None:
            raise LinkUnknown(self._link)
        if cached is None or (stand.versions == cached.versions and stand != cached.stand):
            return await self._loaded(connection)
        if stand != cached.stand:
            await self._catch_up(connection, cached)
        return cached

    async def _loaded(self, connection: AsyncConnection) -> Cached:
        self._loaded_anew = True
        row, tables = await self._store.load(connection, self._link)
        contacts = {one.id: one.contact for one in tables}
        states = {one.id: bytes(one.state) for one in tables}
        return Cached(read_pit(row, tables), row.versions, contacts, states)

    async def _catch_up(self, connection: AsyncConnection, cached: Cached) -> None:
        self.overtaken = True
        row = await self._store.load_link(connection, self._link)
        changed = await self._store.changed_since(connection, self._link, cached.versions)
        link = read_pit(row, ())
        with_tables(link, {**cached.link.tables, **{one.id: read_table(link, one) for one in changed}})
        cached.link, cached.versions = link, row.versions
        cached.contacts |= {one.id: one.contact for one in changed}
        cached.states |= {one.id: bytes(one.state) for one in changed}
        cached.forget_departed()

    async def _done_since(self, connection: AsyncConnection, since: Head) -> dict[str, Outcome]:
        ids = [bytes.fromhex(one.id) for one in self._submissions]
        found = select(journal.c.submitted, journal.c.data).where(
            journal.c.link == self._link, journal.c.sequence > since.sequence, journal.c.submitted.in_(ids)
        )
        rows = await connection.execute(found)
        told = {bytes(row.submitted).hex(): read_said(entry_bytes(row.data)) for row in rows}
        return {
            one: Outcome(said.answer, (), repeated=True) for one, said in told.items() if said is not None
        }

    async def _still_there(
        self, connection: AsyncConnection, link: Pit, known: Head, *, unsure: bool
    ) -> None:
        """Another server may have taken over with less than was acknowledged, and gone on from there."""
        found: str | None = link.head if link.sequence == known.sequence else None
        if link.sequence > known.sequence:
            if not unsure:
                return
            same = journal.c.link == self._link, journal.c.sequence == known.sequence
            row = (await connection.execute(_HASH.where(*same))).one_or_none()
            found = None if row is None else hash_of(row)
        if known.sequence and found != known.hash:
            raise EntriesLost(f"entry {known.sequence} of {self._link} is not as it was acknowledged")

    def _foreseen(self, link: Pit, before: Lookup) -> tuple[Lookup, list[Missing]]:
        """What the state tells of the commands' keys, and the keys that the journal must be asked for."""
        lookup, asked = Lookup(before), list[Missing]()
        for submission in self._submissions:
            if surely_new(link, submission.command):
                lookup.is_new(submission.command)
            elif submission.command.key is not None:
                asked.append(Missing(key=submission.command.key))
        return lookup, asked

    # Playing

    def _play(self, link: Pit, lookup: Lookup, done: dict[str, Outcome]) -> list[Missing]:
        """What was not fetched; then the state is worth nothing, and all is played again. The commands after
        the first that lacked something are still tried: many tables that come back at once ask for much of
        the past, and one at a time that would take as many turns."""
        self.page, self.outcomes = Page(), dict(done)
        lookup.written, lookup.stamped = self.page.readings, self.page.entries
        self._moment = self._clock.moment()
        missing: list[Missing] = []
        for submission in self._submissions:
            if submission.id in done:
                continue
            try:
                self.outcomes[submission.id] = self._execute(link, submission, lookup)
            except Refused as refusal:
                self.outcomes[submission.id] = refusal
            except Missing as one:
                missing.append(one)
            except Exception:
                if not missing:
                    raise
                break  # on a state that is worth nothing this means nothing
        return missing

    def _execute(self, link: Pit, submission: Submission, lookup: Lookup) -> Outcome:
        command, page = submission.command, self.page
        table = link.tables.get(command.table) if isinstance(command, TableMessage) else None
        before = None if table is None else table.round
        at, error = self._moment
        witness = page.witness
        outcome = execute(link, command, at=at, error=error, archive=lookup, witness=witness, checked=False)
        if table is not None:
            page.heard.add(table.setup.id)
            if before is not None and table.round is not before:
                lookup.keep_round(table.setup.id, before)
        self._remember(submission, outcome, lookup)
        return outcome

    def _remember(self, submission: Submission, outcome: Outcome, lookup: Lookup) -> None:
        """For the commands after it in this batch, and for the page."""
        said, page = outcome.said, self.page
        if said is not None and said.key is not None and said.content is not None:
            lookup.keep(said.key, said.content, said.answer)
        for entry in outcome.entries:
            if (ended := ended_by(entry.fact)) is not None:
                lookup.keep_ended(*ended)
            match entry.fact:
                case facts.ClaimRaised(claim=claim):
                    lookup.keep_claim(claim, raised=True)
                case facts.ClaimWithdrawn(claim=claim):
                    lookup.keep_claim(claim, raised=False)
                case facts.WinPaid() | facts.ClaimDecided() as paid if paid.amount:
                    lookup.keep_paid(paid.table, paid.round, paid.box)
        page.entries += outcome.entries
        if outcome.entries:
            key = None if said is None else said.key
            page.said[outcome.entries[-1].sequence] = (submission.id, key)

    # Writing

    def _close(self, cached: Cached, before: Stand) -> None:
        """Work out what will be written, before anything else is played on this state."""
        page, link, known = self.page, cached.link, before.versions
        cached.forget_departed()
        touched = page.touched(link) & link.tables.keys()
        added = touched - cached.contacts.keys()
        spoken_of = (
            (page.heard & link.tables.keys()) | touched | cached.marks
        )  # an opened table's count of messages begins anew
        cached.marks = set()
        contacts = {name: contact_bytes(link.tables[name].contact) for name in spoken_of}
        said = {name: one for name, one in contacts.items() if cached.contacts.get(name) != one}
        cached.contacts |= said
        if page.entries:
            cached.versions = Versions(known.version + 1, known.heard)
            self._writing = self._state_written(cached, before, touched | said.keys(), added)
        else:
            cached.versions = Versions(known.version, known.heard + bool(said))
            self._writing = Writing(before, LinkRow(*cached.versions, b""), [], [], [], said)
        self._histories = page.histories(self._link)
        self.cached, self.head = cached, Head(link.sequence, link.head)
        self.meter = meter_of(link) if isinstance(link, Link) else None
        anew = self.overtaken or self._loaded_anew or page.shown_at_tables()
        views = tuple(table_view(link, one) for one in link.tables.values()) if anew else None
        snapshot = self._snapshot(cached)
        self.committed = Committed(self._link, cached.versions, page.entries, reading(link), views, snapshot)

    def _state_written(self, cached: Cached, known: Stand, names: set[str], added: set[str]) -> Writing:
        page, link = self.page, cached.link
        rows = {
            name: TableRow(name, *cached.versions, table_bytes(link.tables[name]), cached.contacts[name])
            for name in sorted(names)
        }
        cached.states |= {name: row.state for name, row in rows.items()}
        return Writing(
            known=known,
            row=LinkRow(*cached.versions, link_bytes(link)),
            entries=page.rows(),
            added=[row for name, row in rows.items() if name in added],
            changed=[row for name, row in rows.items() if name not in added],
            contacts={},
        )

    def _snapshot(self, cached: Cached) -> Snapshot | None:
        entries, link = self.page.entries, cached.link
        if not entries or not is_due(entries[0].sequence - 1, link.sequence, len(cached.states)):
            return None
        state = self._writing.row.state
        return Snapshot(link.id, link.sequence, link.time, link.head, state, dict(cached.states))

    def _came(self) -> list[facts.TableAdded | PitTableAdded]:
        """Tables that were moved here: their rows are there already."""
        added = (entry.fact for entry in self.page.entries)
        kinds = facts.TableAdded | PitTableAdded
        return [one for one in added if isinstance(one, kinds) and one.source is not None]

    def _acts(self) -> list[Act]:
        """Durable with what they did, or neither is."""
        done = [one for one in self._submissions if not isinstance(self.outcomes[one.id], Refused)]
        return [one.act for one in done if one.act is not None]

    async def _write(self, connection: AsyncConnection) -> bool:
        if not await self._store.write(connection, self._link, self._writing):
            return False
        came = {one.setup.id for one in self._came()}
        new = [one for one in self._writing.added if one.id not in came]
        await self._store.add_tables(connection, self._link, new)
        for one in self._writing.added:
            if one.id in came and not await self._store.take_table(connection, self._link, one):
                raise InvariantBroken(f"table {one.id} comes from elsewhere, and is nowhere")
        for statement in self._histories:
            await connection.execute(statement)
        return True


_HASH = select(journal.c.hash, journal.c.digest)


def history_statements(link: str, entry: Entry) -> list[Executable]:
    """What an entry changes in the record of wins and claims."""
    match remembered(entry.fact):
        case WinBegan() as begun:
            place = {"tbl": begun.table, "round": begun.round, "box": begun.box, "hand": begun.hand.value}
            known = {"link": link, "id": begun.win, "state": WinState.PENDING.value}
            return [insert(wins).values(place | known | {"registered": entry.sequence})]
        case WinEnded(win=win, state=state, amount=amount, slip=slip):
            change = {"state": state.value, "ended": entry.sequence, "amount": amount}
            ended = update(wins).where(wins.c.link == link, wins.c.id == win).values(change)
            return [ended, *_slip(link, win, amount, slip, entry.sequence)]
        case ClaimBegan(claim=claim) as begun:
            same = claims.c.link == link, claims.c.id == claim
            place = {"tbl": begun.table, "round": begun.round, "box": begun.box}
            raised = place | {"link": link, "id": claim, "raised": entry.sequence}
            return [delete(claims).where(*same), insert(claims).values(raised)]
        case ClaimEnded(claim=claim, decided=decided, amount=amount, slip=slip):
            ending = (
                {"decided": entry.sequence, "amount": amount} if decided else {"withdrawn": entry.sequence}
            )
            ended = update(claims).where(claims.c.link == link, claims.c.id == claim).values(ending)
            return [ended, *_slip(link, claim, amount, slip, entry.sequence)]
        case HandoverChanged(win=win, state=now):
            here = handovers.c.link == link, handovers.c.win == win
            return [update(handovers).where(*here).values(state=now.value, changed=entry.sequence)]
        case None:
            return []


def _slip(link: str, win: str, amount: int | None, slip: int | None, paid: int) -> list[Executable]:
    if slip is None:
        return []
    due = {"state": HandoverState.DUE.value, "amount": amount, "paid": paid}
    return [insert(handovers).values(due | {"link": link, "slip": slip, "win": win})]
