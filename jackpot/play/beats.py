"""Heartbeats that change nothing but what is remembered of the table's contact."""

from __future__ import annotations

from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import Heartbeat
from jackpot.link.execution import Desk
from jackpot.link.state import Link, Pit, TableStatus
from jackpot.play import contact


def changes_nothing(pit: Pit, beat: Heartbeat) -> bool:
    """Nothing that anybody could see: no fact would be written, nor the number of a message taken."""
    table = pit.tables.get(beat.table)
    if table is None or not beat.live or (isinstance(pit, Link) and pit.retired is not None):
        return False
    if isinstance(pit, Link) and pit.queue and pit.awards.window is not None:
        return False  # the window of a win may have passed meanwhile
    if beat.seq is not None and beat.seq != table.contact.seq:
        return False
    return table.status is TableStatus.CLOSED or (table.status is TableStatus.IN_PLAY) == beat.in_play


def mark(desk: Desk, beat: Heartbeat, answer: HeartbeatAnswer) -> int:
    """Remember the contact, and that the table was told this: when. Raises the refusal of its stamps."""
    contact.heard(desk, beat, contact.arrive(desk, beat))
    return contact.answered(desk, beat, answer)
