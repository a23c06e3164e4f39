"""What the floor writes down while it plays, line by line: every request, and every answered message."""

from __future__ import annotations

import csv
from collections.abc import Iterator
from io import TextIOBase
from pathlib import Path
from sys import intern

from msgspec import Struct


class Asked(Struct, frozen=True, array_like=True):
    at: float
    """Seconds since 1970."""
    kind: str
    ms: float
    trouble: str
    """Why it failed; empty if it did not."""


class Answered(Struct, frozen=True, array_like=True):
    """A table's message as it was answered: what must stand in the journal."""

    key: str
    sequence: int
    value: int
    bets: int
    """Accepted progressive bets, how many."""
    amount: int
    """And what they come to."""


class Notes:
    def __init__(self, requests: TextIOBase, answered: TextIOBase) -> None:
        self._requests, self._answered = csv.writer(requests), csv.writer(answered)

    def asked(self, one: Asked) -> None:
        self._requests.writerow([f"{one.at:.3f}", one.kind, f"{one.ms:.2f}", one.trouble])

    def answered(self, one: Answered) -> None:
        self._answered.writerow([one.key, one.sequence, one.value, one.bets, one.amount])


def read_asked(file: Path) -> Iterator[Asked]:
    with file.open(newline="") as lines:
        for at, kind, ms, trouble in csv.reader(lines):
            yield Asked(float(at), intern(kind), float(ms), trouble)


def read_answered(file: Path) -> Iterator[Answered]:
    with file.open(newline="") as lines:
        for key, *numbers in csv.reader(lines):
            yield Answered(key, *[int(number) for number in numbers])
