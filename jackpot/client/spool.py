"""What a controller has said and was not answered yet, on disk before it is sent.

A controller that is killed at any moment finds here what it must say again, under which number, and what it
promised without the service. One file belongs to one table and to one process.
"""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from jackpot.client.errors import SpoolUnusable
from jackpot.client.messages import Body, Line, Meter
from jackpot.link.awards import Awards
from jackpot.link.meters import Meters
from jackpot.link.rounds import HandRecord, MainGame
from jackpot.link.table_terms import TableTerms

_SCHEMA = (
    """CREATE TABLE IF NOT EXISTS waiting (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, round INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, body BLOB NOT NULL, tried INTEGER NOT NULL)""",
    """CREATE TABLE IF NOT EXISTS refused (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, round INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, body BLOB NOT NULL, problem BLOB NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS told (id INTEGER PRIMARY KEY, answer BLOB NOT NULL)",
    """CREATE TABLE IF NOT EXISTS different (
    id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT NOT NULL, round INTEGER NOT NULL,
    sent_at INTEGER NOT NULL, body BLOB NOT NULL, alone BLOB NOT NULL, answered BLOB NOT NULL)""",
    "CREATE TABLE IF NOT EXISTS known (name TEXT PRIMARY KEY, value BLOB NOT NULL)",
)
T = TypeVar("T")


class Waiting(Struct, frozen=True):
    """A message without an answer. `tried`: it was sent live, so that the service may know it."""

    id: int
    kind: str
    round: int
    sent_at: int
    body: Body
    tried: bool


class Turned(Struct, frozen=True):
    """A replayed message that the service refused: a person has to look at it."""

    kind: str
    round: int
    sent_at: int
    body: Body
    problem: dict[str, Any]


class Difference(Struct, frozen=True):
    """A replayed message that the service answered otherwise than the table was told alone: chips may have to
    be handed over, and a person has to look at it."""

    kind: str
    round: int
    sent_at: int
    body: Body
    alone: dict[str, Any]
    answered: dict[str, Any]


class Offline(Struct, frozen=True):
    """What the table did without the service, since when, and the value it promised to pay from."""

    since: int
    round: int | None
    """The round in play when the service was lost."""
    cards_seen: bool
    registered: Meter | None


class CountedMeters(Struct, frozen=True, kw_only=True):
    """What the controller has counted of rounds that are over, in minor units; what each sum contains is said
    in docs/table-controllers.md."""

    first: int | None
    """The first round counted: before it all sums were zero. None: it is not known."""
    round: int = 0
    """The last one; 0 while none is over."""
    rounds: int = 0
    bets: int = 0
    returned: int = 0
    awards: int = 0

    def plus(self, round: int, more: Meters) -> CountedMeters:
        return CountedMeters(
            first=self.first,
            round=round,
            rounds=self.rounds + more.rounds,
            bets=self.bets + more.bets,
            returned=self.returned + more.returned,
            awards=self.awards + more.awards,
        )


class Known(Struct, frozen=True, kw_only=True):
    """The table's latest round, as much of it as the fallback of its game needs."""

    number: int
    closed_at: int
    settled: bool = False
    voided: bool = False
    terms: TableTerms | None = None
    """Of its table when its bets were closed."""

    @property
    def over(self) -> bool:
        return self.settled or self.voided


class RoundKnown(Known, frozen=True, kw_only=True):
    """Of a table with a jackpot."""

    boxes: tuple[int, ...]
    bets: dict[int, int]
    """Accepted progressive bets by box."""
    antes: dict[int, int] = {}
    bonuses: dict[int, int] = {}
    records: tuple[HandRecord, ...] = ()
    """The hands as they were last reported."""
    community: tuple[str, ...] = ()
    dealer: tuple[str, ...] = ()
    main: dict[int, MainGame | None] = {}
    """What was last told of each box's main game, in whichever message."""
    handed: tuple[Line, ...] = ()
    """The settlement that was told last."""
    awards: Awards | None = None
    """What its hands win, if not what the rule book says."""
    awarded: int = 0
    """The minor awards that were told last."""
    taken_back: tuple[int, ...] = ()
    """Boxes whose hands the House has invalidated."""


class Spool:
    def __init__(self, file: Path, table: str) -> None:
        with suppress(OSError):  # one that is there already; of another trouble SQLite tells
            os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            self._connection = sqlite3.connect(
                file, timeout=0.2, isolation_level=None, check_same_thread=False
            )
        except sqlite3.Error as error:
            raise SpoolUnusable(f"the spool {file} cannot be opened: {error}") from error
        try:
            self._prepare(table)
        except BaseException:
            self._connection.close()
            raise

    def _prepare(self, table: str) -> None:
        try:
            self._execute("PRAGMA locking_mode=EXCLUSIVE")
            self._execute("PRAGMA journal_mode=WAL")
            self._execute("PRAGMA synchronous=FULL")
            self._execute("BEGIN EXCLUSIVE")
            self._execute("COMMIT")
        except SpoolUnusable as unusable:
            raise SpoolUnusable(f"the spool cannot be had alone: {unusable}") from unusable.__cause__
        for statement in _SCHEMA:
            self._execute(statement)
        owner = self.recall("table", str)
        if owner not in (None, table):
            raise SpoolUnusable(f"the spool belongs to table {owner}")
        self.know("table", table)

    def close(self) -> None:
        self._connection.close()

    def _execute(self, statement: str, values: Sequence[Any] = ()) -> list[Any]:
        try:
            return self._connection.execute(statement, values).fetchall()
        except sqlite3.Error as error:
            raise SpoolUnusable(f"the spool cannot be used: {error}") from error

    @contextmanager
    def together(self) -> Iterator[None]:
        """Everything inside is kept, or nothing is; inside another one, with that."""
        if self._connection.in_transaction:
            yield
            return
        self._execute("BEGIN IMMEDIATE")
        try:
            yield
            self._execute("COMMIT")
        except BaseException:
            self._undo()
            raise

    def _undo(self) -> None:
        if self._connection.in_transaction:  # a disk that is full may have ended it already
            self._execute("ROLLBACK")

    def put(self, kind: str, round: int, sent_at: int, body: Body, *, tried: bool) -> Waiting:
        row = (kind, round, sent_at, msgspec.json.encode(body), tried)
        ((number,),) = self._execute(
            "INSERT INTO waiting (kind, round, sent_at, body, tried) VALUES (?, ?, ?, ?, ?) RETURNING id", row
        )
        return Waiting(number, kind, round, sent_at, body, tried)

    def waiting(self, most: int) -> list[Waiting]:
        rows = self._execute("SELECT * FROM waiting ORDER BY id LIMIT ?", (most,))
        return [
            Waiting(number, kind, played, sent_at, _read(body, dict), bool(tried))
            for number, kind, played, sent_at, body, tried in rows
        ]

    @property
    def empty(self) -> bool:
        return not self._execute("SELECT 1 FROM waiting LIMIT 1")

    def last_stamp(self) -> int:
        """The latest time that this table is known to have said."""
        ((latest,),) = self._execute("SELECT max(sent_at) FROM waiting")
        return max(latest or 0, self.recall("stamp", int) or 0)

    def drop(self, message: Waiting) -> None:
        with self.together():
            self._execute("DELETE FROM waiting WHERE id = ?", (message.id,))
            self._execute("DELETE FROM told WHERE id = ?", (message.id,))

    def tell(self, message: Waiting, answer: object) -> None:
        """What the table was told of a message that waits."""
        self._execute("INSERT INTO told VALUES (?, ?)", (message.id, msgspec.json.encode(answer)))

    def told(self, message: Waiting, kind: type[T]) -> T | None:
        rows = self._execute("SELECT answer FROM told WHERE id = ?", (message.id,))
        return _read(rows[0][0], kind) if rows else None

    def differ(self, message: Waiting, alone: object, answered: object) -> None:
        row = (message.kind, message.round, message.sent_at)
        blobs = tuple(msgspec.json.encode(one) for one in (message.body, alone, answered))
        self._execute(
            "INSERT INTO different (kind, round, sent_at, body, alone, answered) VALUES (?, ?, ?, ?, ?, ?)",
            row + blobs,
        )

    def differences(self) -> list[Difference]:
        rows = self._execute("SELECT kind, round, sent_at, body, alone, answered FROM different ORDER BY id")
        return [
            Difference(kind, played, sent_at, *(_read(blob, dict) for blob in blobs))
            for kind, played, sent_at, *blobs in rows
        ]

    def clear_differences(self) -> None:
        self._execute("DELETE FROM different")

    def answered(self, message: Waiting, seq: int) -> None:
        """Taken by the service under this number; the next one follows."""
        self.drop(message)
        self.know("seq", seq)

    def turned(self, message: Waiting, problem: dict[str, Any]) -> None:
        row = (message.kind, message.round, message.sent_at)
        blobs = (msgspec.json.encode(message.body), msgspec.json.encode(problem))
        self._execute(
            "INSERT INTO refused (kind, round, sent_at, body, problem) VALUES (?, ?, ?, ?, ?)", row + blobs
        )
        self.drop(message)

    def refused(self) -> list[Turned]:
        rows = self._execute("SELECT kind, round, sent_at, body, problem FROM refused ORDER BY id")
        return [
            Turned(kind, played, sent_at, _read(body, dict), _read(problem, dict))
            for kind, played, sent_at, body, problem in rows
        ]

    def clear_refused(self) -> None:
        self._execute("DELETE FROM refused")

    def know(self, name: str, value: object) -> None:
        self._execute(
            "INSERT INTO known VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
            (name, msgspec.json.encode(value)),
        )

    def recall(self, name: str, kind: type[T]) -> T | None:
        rows = self._execute("SELECT value FROM known WHERE name = ?", (name,))
        return _read(rows[0][0], kind) if rows else None

    def forget(self, name: str) -> None:
        self._execute("DELETE FROM known WHERE name = ?", (name,))


def _read(data: bytes, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(data, type=kind)
    except msgspec.MsgspecError as error:
        raise SpoolUnusable(f"the spool is damaged: {error}") from error
