"""What is known of a link once a transaction is durable."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from jackpot.book.stores.rows import Versions
from jackpot.book.stores.snapshots import Snapshot
from jackpot.link.facts import Entry
from jackpot.readings.meter import Reading
from jackpot.readings.table_views import TableView


class LinkUnknown(Exception):
    """The book has no such link."""


class PitUnknown(LinkUnknown):
    """The book has no such pit."""


class Head(NamedTuple):
    """The last entry that is known to be durable."""

    sequence: int = 0
    hash: str = ""


@dataclass(frozen=True, slots=True)
class Committed:
    """What listeners are told: the link itself may have gone on already."""

    link: str
    versions: Versions
    entries: list[Entry]
    reading: Reading
    tables: tuple[TableView, ...] | None
    """None if what their displays show is as this process last told."""
    snapshot: Snapshot | None = None
    """If one is to be kept of the state that this left."""
