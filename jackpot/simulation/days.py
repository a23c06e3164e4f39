"""Gaming days that are closed on simulated floors: a few seconds long, and not always rightly."""

from __future__ import annotations

from datetime import date, timedelta
from random import Random

from jackpot.core.instants import SECOND
from jackpot.house.days import SETTLED_AFTER, counted_figures
from jackpot.link.commands import CloseDay
from jackpot.link.days import Counted
from jackpot.link.state import Pit

FIRST = date(2026, 1, 1)


def any_closing(rng: Random, pit: Pit, now: int) -> CloseDay:
    """Mostly of the next day; now and then of one that is closed, not over, or not the next."""
    closed, luck = pit.closed_day, rng.random()
    day = FIRST if closed is None else date.fromisoformat(closed.day) + timedelta(days=luck > 0.1)
    start = pit.created_at if closed is None else closed.end + SECOND * (luck > 0.8)
    end = max(start + 1, now - SETTLED_AFTER - rng.choice((0, 0, SECOND, -SECOND)))
    label = "someday" if luck > 0.97 else day.isoformat()
    counted = tuple(_counted(rng, pit) for _ in range(rng.choice((0, 0, 1, 2))))
    person = rng.choice(("ana", "ben"))
    return CloseDay(person=person, day=label, start=start, end=end, counted=counted, note="simulated")


def _counted(rng: Random, pit: Pit) -> Counted:
    figure = rng.choice((*counted_figures(pit), "luck")) if rng.random() < 0.3 else "voided"
    note = rng.choice(("recounted", "recounted", ""))
    return Counted(figure=figure, counted=rng.choice((0, 0, 1, 10**13)), note=note)
