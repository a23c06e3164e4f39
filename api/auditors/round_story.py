"""What happened to a round, entry by entry, in words that a floor manager and a lawyer read."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pydantic import Field

from api.operators.house_answers import Instant, Told
from jackpot.book.reading.history import Told as Entered
from jackpot.core.instants import spoken_instant
from jackpot.link import facts
from jackpot.link.pit_facts import PitBetsClosed, PitHandsReported
from jackpot.machine.kinds import told
from jackpot.machine.telling import Telling

_HANDS = (facts.HandsReported, PitHandsReported)
_SAID_BY_TABLES = (facts.BetsClosed, PitBetsClosed, *_HANDS)


class Step(Told):
    sequence: int
    at: Instant
    by: str = Field(description="The table, the people of the House, or the service itself.")
    words: str
    hash: str


def steps_of(story: Sequence[Entered], *, table: str, number: int, currency: str) -> list[Step]:
    first = next((entry.sequence for entry, fact in story if isinstance(fact, _HANDS)), 0)
    return [
        Step(
            sequence=entry.sequence,
            at=spoken_instant(entry.at),
            by=_who(fact, table),
            words=told(fact, Telling(currency, number, again=entry.sequence > first)),
            hash=entry.hash,
        )
        for entry, fact in story
    ]


def _who(fact: Any, table: str) -> str:
    """A person where one acted, the table where it spoke; the rest is the service's own work."""
    if isinstance(fact, _SAID_BY_TABLES):
        return table
    people = getattr(fact, "persons", None) or [getattr(fact, "person", None) or getattr(fact, "by", None)]
    named = [one for one in people if one]
    return ", ".join(named) or "the service"
