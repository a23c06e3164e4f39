"""Between replicas: what one of them committed, told to the displays of the others at once.

Losing it loses no money and no display, only a moment: each replica also asks the book (`displays.hub`). And
whoever can write where the news go by is not believed: news is signed with a key that is in the book alone.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

METER, TABLES = "meter", "tables"
_SIGNATURE = 64
"""Bytes: HMAC-SHA256 in hex."""


class NotOurs(ValueError):
    """No replica of this book has told this."""


@dataclass(frozen=True, slots=True)
class News:
    """A reading of a link, or the views of its tables, as of a sequence."""

    kind: str
    link: str
    sequence: int
    data: str


class Seal:
    """What the replicas of one book know one another by. A restored book has another key and epoch."""

    def __init__(self, epoch: str, key: str) -> None:
        self.epoch, self._key = epoch, bytes.fromhex(key)
        if not self._key:
            raise ValueError("the book has no key for its news")

    def encode(self, news: News) -> bytes:
        said = json.dumps([news.kind, news.link, news.sequence, news.data]).encode()
        return self._signature(said) + said

    def decode(self, told: bytes) -> News:
        """Nothing that is not signed is looked at."""
        signature, said = told[:_SIGNATURE], told[_SIGNATURE:]
        if not hmac.compare_digest(signature, self._signature(said)):
            raise NotOurs("news that nobody of ours has signed")
        return News(*json.loads(said))

    def _signature(self, said: bytes) -> bytes:
        return hmac.digest(self._key, self.epoch.encode() + b"\n" + said, "sha256").hex().encode()


Hear = Callable[[News], None]


class Relay(Protocol):
    """The port: tell the others, hear from them, and know whether that works."""

    dropped: int
    """News that were not signed with the book's key, or could not be read."""

    @property
    def healthy(self) -> bool: ...

    def tell(self, news: News) -> None: ...

    async def start(self, hear: Hear) -> None: ...

    async def stop(self) -> None: ...
