"""How often a password may be tried: by name, and by address."""

from __future__ import annotations

import time
from collections import OrderedDict
from dataclasses import dataclass
from math import ceil

from api.errors import TooMany

FREE = 5
"""Failures before there is anything to wait for."""
FIRST_PAUSE = 1.0
LONGEST_PAUSE = 300.0
FORGOTTEN_AFTER = 900.0
MOST_KNOWN = 50_000


@dataclass(slots=True)
class _Failures:
    count: int = 0
    last: float = 0.0

    def pause(self, now: float, free: int) -> float:
        """Seconds still to wait; each failure beyond the free ones doubles the pause."""
        if self.count < free:
            return 0.0
        pause = min(LONGEST_PAUSE, FIRST_PAUSE * (1 << min(self.count - free, 10)))
        return self.last + pause - now


class Throttle:
    def __init__(self) -> None:
        self._failures: OrderedDict[str, _Failures] = OrderedDict()

    def admit(self, name: str, address: str) -> None:
        """An address may have several people behind it, so it has more tries than a name."""
        now = time.monotonic()
        waits = [self._of(key, now).pause(now, free) for key, free in _keys(name, address)]
        if max(waits) > 0:
            raise TooMany("too many failed logins", ceil(max(waits)), "login_throttled")

    def failed(self, name: str, address: str) -> None:
        now = time.monotonic()
        for key, _ in _keys(name, address):
            known = self._of(key, now)
            known.count, known.last = known.count + 1, now
            self._failures[key] = known
            self._failures.move_to_end(key)
        while len(self._failures) > MOST_KNOWN:
            self._failures.popitem(last=False)

    def succeeded(self, name: str) -> None:
        self._failures.pop(f"name {name}", None)

    def _of(self, key: str, now: float) -> _Failures:
        known = self._failures.get(key)
        return _Failures() if known is None or now - known.last > FORGOTTEN_AFTER else known


def _keys(name: str, address: str) -> list[tuple[str, int]]:
    return [(f"name {name}", FREE), (f"address {address}", 4 * FREE)]
