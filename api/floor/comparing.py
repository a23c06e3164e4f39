"""What is in force and the floor file does not say so: the file has the first word, people the last."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from api.floor.file import Floor, LinkEntry, TableEntry
from jackpot.core.instants import MILLISECOND
from jackpot.games.progressive import Levels
from jackpot.link.parameters import Parameters
from jackpot.link.state import Link, Pit, Setup
from jackpot.link.table_terms import TableTerms


@dataclass(frozen=True, kw_only=True, slots=True)
class Departure:
    """A setting that is otherwise than the floor file says."""

    kind: str
    """`link` or `table`."""
    id: str
    place: str
    """The link or pit where it is in force."""
    setting: str
    """As the floor file writes it; `table` if the file does not have it at all."""
    file: Any
    in_force: Any


def departures(floor: Floor, places: Sequence[Pit]) -> list[Departure]:
    """Links in the order of the file, then tables, then what only the book has."""
    by_name = {one.id: one for one in places}
    seats = {name: (place, table.setup) for place in places for name, table in place.tables.items()}
    found = [one for link in floor.link for one in _of_link(link, by_name.get(link.id))]
    found += [one for table in floor.table for one in _of_table(table, seats)]
    named = {table.id for table in floor.table}
    return found + [
        Departure(kind="table", id=name, place=place.id, setting="table", file=None, in_force=place.id)
        for name, (place, _) in sorted(seats.items())
        if name not in named
    ]


def _of_link(entry: LinkEntry, link: Pit | None) -> Iterator[Departure]:
    if not isinstance(link, Link):
        return
    said, now = _parameters(entry.parameters), _parameters(link.parameters)
    for setting, value in now.items():
        if said[setting] != value:
            yield Departure(
                kind="link",
                id=link.id,
                place=link.id,
                setting=setting,
                file=said[setting],
                in_force=value,
            )


def _parameters(terms: Parameters) -> dict[str, Any]:
    awards = terms.awards
    return {
        "seed": terms.seed,
        "meter_ppm": terms.meter_ppm,
        "reserve_ppm": terms.reserve_ppm,
        "ceiling": terms.ceiling,
        "approvals.straight_flush": terms.straight_flush_approvals,
        "approvals.royal_flush": terms.royal_flush_approvals,
        "policy": awards.policy.value,
        "window_ms": None if awards.window is None else awards.window // MILLISECOND,
        "cap": awards.cap,
        "level": _levels(awards.levels),
    }


def _levels(levels: Levels) -> list[dict[str, Any]]:
    found = sorted(levels.items(), key=lambda one: one[0].value)
    return [{"hand": hand.value, "share": prize.share, "odds": prize.odds} for hand, prize in found]


def _of_table(entry: TableEntry, seats: Mapping[str, tuple[Pit, Setup]]) -> Iterator[Departure]:
    if entry.id not in seats:
        return
    place, setup = seats[entry.id]
    kind = "link" if entry.link is not None else "pit"
    said = {kind: entry.place} | _terms(entry.setup.terms)
    now = {kind: place.id} | _terms(setup.terms)
    for setting in said | now:
        if said.get(setting) != now.get(setting):
            yield Departure(
                kind="table",
                id=entry.id,
                place=place.id,
                setting=setting,
                file=said.get(setting),
                in_force=now.get(setting),
            )


def _terms(terms: TableTerms) -> dict[str, Any]:
    main = {"name": terms.name, "boxes": terms.boxes, "minimum": terms.minimum, "maximum": terms.maximum}
    least = {f"side.{name}.minimum": one.minimum for name, one in terms.side.items()}
    return main | least | {f"side.{name}.maximum": one.maximum for name, one in terms.side.items()}
