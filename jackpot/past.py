"""What the state no longer holds but the book remembers."""

from __future__ import annotations

from bisect import bisect_left
from typing import Protocol

from jackpot.answers import Answer
from jackpot.rounds import Round
from jackpot.state import Registered


class Past(Protocol):
    def answer(self, key: str, content: str) -> Answer | None:
        """The answer this very message was given before."""
        ...

    def taken(self, key: str) -> bool:
        """Whether a message with this key was answered before, whatever it said."""
        ...

    def round(self, table: str, number: int) -> Round | None:
        """A round that has left the state, as it last stood."""
        ...

    def reading_before(self, at: int) -> Registered:
        """The reading at the last journal entry before a time; the first one, if it is older than that."""
        ...

    def reading_at(self, sequence: int) -> Registered | None:
        """The reading at a journal entry; None if the journal has no such entry."""
        ...

    def paid(self, table: str, number: int, box: int) -> bool:
        """Whether a major or a late claim of this box has been paid."""
        ...

    def claimed(self, claim: str) -> bool:
        """Whether this late claim has been raised and not withdrawn, even if it was decided since."""
        ...

    def kind_of(self, sequence: int) -> str | None:
        """The kind of fact that a journal entry holds; None if the journal has no such entry."""
        ...


class Memory:
    """A past in memory: for simulations, demonstrations and tests. It grows; the book's does not."""

    def __init__(self) -> None:
        self._answers: dict[str, dict[str, Answer]] = {}
        self._rounds: dict[tuple[str, int], Round] = {}
        self._times: list[int] = []
        self.readings: list[Registered] = []
        self._kinds: dict[int, str] = {}
        self._claims: set[str] = set()
        self._paid: set[tuple[str, int, int]] = set()

    def answer(self, key: str, content: str) -> Answer | None:
        return self._answers.get(key, {}).get(content)

    def taken(self, key: str) -> bool:
        return key in self._answers

    def round(self, table: str, number: int) -> Round | None:
        return self._rounds.get((table, number))

    def reading_before(self, at: int) -> Registered:
        return self.readings[max(0, bisect_left(self._times, at) - 1)]

    def reading_at(self, sequence: int) -> Registered | None:
        return self.readings[sequence - 1] if 1 <= sequence <= len(self.readings) else None

    def paid(self, table: str, number: int, box: int) -> bool:
        return (table, number, box) in self._paid

    def claimed(self, claim: str) -> bool:
        return claim in self._claims

    def kind_of(self, sequence: int) -> str | None:
        return self._kinds.get(sequence)

    def keep_kind(self, sequence: int, kind: str) -> None:
        self._kinds[sequence] = kind

    def keep_answer(self, key: str, content: str, answer: Answer) -> None:
        self._answers.setdefault(key, {})[content] = answer

    def keep_round(self, table: str, found: Round) -> None:
        self._rounds[table, found.number] = found

    def keep_reading(self, at: int, reading: Registered) -> None:
        self._times.append(at)
        self.readings.append(reading)

    def keep_paid(self, table: str, number: int, box: int) -> None:
        self._paid.add((table, number, box))

    def keep_claim(self, claim: str) -> None:
        self._claims.add(claim)

    def forget_claim(self, claim: str) -> None:
        self._claims.discard(claim)
