"""What links and pits have in common about a table that is added, or comes from elsewhere."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from jackpot.link.state import CameFrom, Pit, TableStatus
from jackpot.machine.telling import noted


def arrived(pit: Pit, table: str, source: CameFrom | None) -> dict[str, Any]:
    """What it brings besides its setup; it may have been here before."""
    if table in pit.departed:
        pit.departed = {name: to for name, to in pit.departed.items() if name != table}
    if source is None:
        return {}
    status = TableStatus.CLOSED if source.closed else TableStatus.UNHEARD
    meters = {"counted": source.counted, "baseline": source.baseline}
    came = replace(source, counted=(), baseline=None)
    return {"status": status, "last_round": source.last_round, "came_from": came} | meters


def say_added(table: str, source: CameFrom | None, reason: str) -> str:
    if source is None:
        return f"Table {table} is added{noted(reason)}."
    return f"Table {table} comes from {source.place}{noted(reason)}."
