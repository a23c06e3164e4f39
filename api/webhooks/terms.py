"""How events are sent: where to, signed with what, for how long, and when again."""

from __future__ import annotations

from dataclasses import dataclass
from random import SystemRandom

from api.webhooks.address import Allowed
from jackpot.book.webhooks.secrets import Vault
from jackpot.core.instants import SECOND

FIRST = 1.0
"""Seconds before the second attempt."""
_random = SystemRandom()


@dataclass(frozen=True, kw_only=True, slots=True)
class Terms:
    allowed: Allowed
    vault: Vault
    seconds: float
    """For one attempt."""
    most: float
    """Seconds between two of them at most."""

    @property
    def lease(self) -> int:
        """Microseconds after which an attempt that has begun is over, also if its process cannot say so."""
        return round((self.seconds * 1.5 + 1) * SECOND)

    def pause_after(self, failures: int, *, wished: int | None = None) -> int:
        """Microseconds: twice as long with each failure, up to the most; of that at least half, at random, so
        that not all come at once. A receiver that wants to be left alone for longer is."""
        longest = min(self.most, FIRST * 2.0 ** min(failures - 1, 40))
        chosen: float = longest * _random.uniform(0.5, 1)
        return round(max(chosen, wished or 0) * SECOND)
