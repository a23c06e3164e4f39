"""Between replicas: what one of them committed, told to the displays of the others at once.

Losing it loses no money and no display, only a moment: each replica also asks the book (`displays.hub`).
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

METER, TABLES = "meter", "tables"


@dataclass(frozen=True, slots=True)
class News:
    """A reading of a link, or the views of its tables, as of a sequence."""

    kind: str
    link: str
    sequence: int
    data: str

    def encoded(self) -> str:
        return json.dumps([self.kind, self.link, self.sequence, self.data])

    @classmethod
    def read(cls, said: str | bytes) -> News:
        kind, link, sequence, data = json.loads(said)
        if not (isinstance(link, str) and type(sequence) is int and isinstance(data, str)):
            raise ValueError("not news")
        return cls(kind, link, sequence, data)


Hear = Callable[[News], None]


class Relay(Protocol):
    """The port: tell the others, hear from them, and know whether that works."""

    @property
    def healthy(self) -> bool: ...

    def tell(self, news: News) -> None: ...

    async def start(self, hear: Hear) -> None: ...

    async def stop(self) -> None: ...
