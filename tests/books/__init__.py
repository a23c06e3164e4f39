"""Old books: each release keeps a small book of its own making, which every later release must still open.

`python -m tests.books RELEASE` plays the story of `tests.books.story` on a real service, once on SQLite and
once on PostgreSQL, and keeps of each store the book, its anchors, and what the service said of it at the end.
A release that is out is never written again.
"""

from __future__ import annotations

import gzip
import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.servers import Postgres

FOLDER = Path(__file__).parent
SQLITE, POSTGRES = "sqlite", "postgres"
STORES = (SQLITE, POSTGRES)


@dataclass(frozen=True, slots=True)
class OldBook:
    """A book as a release left it."""

    release: str
    store: str

    def __str__(self) -> str:
        return f"{self.release}-{self.store}"

    @property
    def folder(self) -> Path:
        return FOLDER / self.release

    @property
    def floor_file(self) -> Path:
        """The one that was applied last."""
        return self.folder / "floor.toml"

    @property
    def key(self) -> Path:
        """The public half of what the anchors were signed with; the other half is kept by nobody."""
        return self.folder / "anchor.pub"

    @property
    def anchors(self) -> Path:
        return self.folder / f"{self.store}.anchors.jsonl"

    @property
    def data(self) -> Path:
        """The file of SQLite, or the statements that make the book of PostgreSQL."""
        return self.folder / ("sqlite.db.gz" if self.store == SQLITE else "postgres.sql.gz")

    @property
    def answers(self) -> Path:
        return self.folder / f"{self.store}.answers.json.gz"

    def said(self) -> dict[str, Any]:
        """What the service answered at the end, by what it was asked."""
        told: dict[str, Any] = json.loads(gzip.decompress(self.answers.read_bytes()))
        return told

    def heads(self) -> dict[str, tuple[int, str]]:
        """By link: its last entry and that one's hash, as the last anchor has them."""
        lines = [json.loads(line) for line in self.anchors.read_text().splitlines()]
        return {line["link"]: (line["sequence"], line["head"]) for line in lines}

    def unpacked(self) -> bytes:
        return gzip.decompress(self.data.read_bytes())


def releases() -> list[str]:
    return sorted(path.parent.name for path in FOLDER.glob("*/floor.toml"))


def kept() -> list[OldBook]:
    return [OldBook(release, store) for release in releases() for store in STORES]


def restore_file(book: OldBook, target: Path) -> str:
    """The book of SQLite put back; its address."""
    target.write_bytes(book.unpacked())
    return f"sqlite+aiosqlite:///{target}"


async def restore_database(book: OldBook, server: Postgres, name: str) -> str:
    """The book of PostgreSQL put back, into a new database of that name; its address."""
    url = await server.create(name)
    await server.execute(book.unpacked().decode(), name)
    return url
