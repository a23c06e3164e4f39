"""The archive of a link or pit, as the rules ask it: what left the state and the book remembers."""

from __future__ import annotations

from typing import Protocol

from jackpot.link.answers import Answer
from jackpot.link.days import Played
from jackpot.link.handovers import Ended
from jackpot.link.rounds import RoundOfPlay
from jackpot.link.state import Registered


class Archive(Protocol):
    def answer(self, key: str, content: str) -> Answer | None:
        """The answer this very message was given before."""
        ...

    def taken(self, key: str) -> bool:
        """Whether a message with this key was answered before, whatever it said."""
        ...

    def round(self, table: str, number: int) -> RoundOfPlay | None:
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

    def handover(self, win: str) -> Ended | None:
        """Why a win or late claim that has left the state cannot be handed over; None if there was none."""
        ...

    def played(self, start: int, end: int) -> Played:
        """What happened from one time on and before another, and had happened by then."""
        ...

    def kind_of(self, sequence: int) -> str | None:
        """The kind of fact that a journal entry holds; None if the journal has no such entry."""
        ...
