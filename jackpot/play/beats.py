"""Heartbeats that change nothing but what is remembered of the table's contact."""

from __future__ import annotations

from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import Heartbeat
from jackpot.link.state import Link, Pit, TableStatus
from jackpot.play import contact, reconciliation


def changes_nothing(pit: Pit, beat: Heartbeat) -> bool:
    """Nothing that anybody could see: no fact would be written, nor the number of a message taken. Raises the
    refusal of its meters."""
    table = pit.tables.get(beat.table)
    if table is None or not beat.live or (isinstance(pit, Link) and pit.retired is not None):
        return False
    if isinstance(pit, Link) and pit.queue and pit.awards.window is not None:
        return False  # the window of a win may have passed meanwhile
    if beat.seq is not None and beat.seq != table.contact.seq:
        return False
    if beat.meters is not None and not reconciliation.says_nothing_new(table, beat.meters):
        return False
    return (table.status is TableStatus.IN_PLAY) == beat.in_play or table.status is TableStatus.CLOSED


def mark(pit: Pit, beat: Heartbeat, answer: HeartbeatAnswer) -> None:
    """Remember the contact, and that the table was told this the moment it was heard. Raises the refusal of
    its stamps."""
    table, era = pit.tables[beat.table], pit.broke_at
    known = table.contact
    contact.heard(known, beat, contact.arrive(known, beat, era))
    if beat.meters is not None:
        reconciliation.note(table, beat.meters)
    contact.answered(known, answer, at=beat.received_at, error=beat.error, era=era)
