"""What a link and its tables may do now, worked out from the state: the rules ask it, and readings are made
from it."""

from __future__ import annotations

from enum import StrEnum

from jackpot.link.state import Link, Pit, TableOfPlay, TableStatus, Then

NOTICE_OFF = "No Progressive Jackpot Bets are accepted or paid at this table."
NOTICE_CLOSED = "This table is closed."


class MeterState(StrEnum):
    OPEN = "open"
    HELD = "held"
    OFF = "off"
    CLOSED = "closed"


def meter_state(link: Link) -> MeterState:
    if link.closed:
        return MeterState.CLOSED
    whole = {one.then for one in link.malfunctions.values() if one.scope.table is None}
    if whole:
        return MeterState.CLOSED if Then.CLOSE in whole else MeterState.OFF
    return MeterState.HELD if link.held else MeterState.OPEN


def table_closed(pit: Pit, table: TableOfPlay) -> bool:
    if table.status is TableStatus.CLOSED:
        return True
    return any(one.then is Then.CLOSE for one in pit.malfunctions_at(table.setup.id))


def progressive_off(pit: Pit, table: TableOfPlay) -> bool:
    return any(one.then is Then.PROGRESSIVE_OFF for one in pit.malfunctions_at(table.setup.id))


def blocked_boxes(pit: Pit, table: TableOfPlay) -> frozenset[int]:
    return frozenset(
        one.scope.box
        for one in pit.malfunctions_at(table.setup.id)
        if one.then is Then.BLOCK_BOX and one.scope.box is not None
    )


def notice(pit: Pit, table: TableOfPlay) -> str | None:
    """What the table must show its players (S 5.18.2, H 5.17.2)."""
    if table_closed(pit, table):
        return NOTICE_CLOSED
    return NOTICE_OFF if isinstance(pit, Link) and (pit.closed or progressive_off(pit, table)) else None
