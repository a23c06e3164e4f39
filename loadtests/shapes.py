"""What the tables of a floor do over time: play, go home between shifts, or play on without the service."""

from __future__ import annotations

from enum import StrEnum

from loadtests.plan import Plan, Shape

WAVES = 2
"""Shift changes in a run."""
LOST, BACK = 0.3, 0.6
"""Of a burst's time: when the service is lost to every table, and when it is back."""


class Presence(StrEnum):
    PLAYING = "playing"
    CLOSED = "closed"
    ALONE = "alone"


def presence(plan: Plan, seat: int, seconds: float) -> Presence:
    """Of the table at that seat, so many seconds after the start."""
    gone = min(seconds / plan.seconds, 1.0)
    if plan.shape is Shape.SHIFT:
        return _shift(seat / plan.tables, gone)
    if plan.shape is Shape.BURST and LOST <= gone < BACK:
        return Presence.ALONE
    return Presence.PLAYING


def _shift(place: float, gone: float) -> Presence:
    """Each wave closes the tables one after the other from the left, and opens them again in that order."""
    within = (gone * WAVES) % 1.0
    closes, opens = 0.2 + 0.3 * place, 0.4 + 0.3 * place
    return Presence.CLOSED if closes <= within < opens else Presence.PLAYING
