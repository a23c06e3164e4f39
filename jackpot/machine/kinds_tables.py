"""Facts about tables: that they are added, in play or not, and on what terms they play."""

from __future__ import annotations

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import WAGERS, SideLimits
from jackpot.house.moving import check_idle
from jackpot.house.tables import check_terms
from jackpot.link.facts import (
    Stamp,
    TableAdded,
    TableChanged,
    TableClosed,
    TableJoined,
    TableLeft,
    TableMoved,
    TableOpened,
)
from jackpot.link.state import Link, Pit, Table, TableStatus
from jackpot.machine import events
from jackpot.machine.arrivals import arrived, say_added
from jackpot.machine.kind import Denied, Kind, MeterMay, must_equal, must_hold, no_table, own_table
from jackpot.machine.telling import Telling, noted


def _add_table(link: Link, fact: TableAdded, _stamp: Stamp) -> None:
    link.tables[fact.setup.id] = Table(setup=fact.setup, **arrived(link, fact.setup.id, fact.source))


def _recompute_added_table(link: Link, fact: TableAdded) -> None:
    must_hold(f"table {fact.setup.id} was there already", holds=fact.setup.id not in link.tables)


TABLE_ADDED = Kind(
    TableAdded,
    place=Link,
    apply=_add_table,
    recompute=_recompute_added_table,
    meter=MeterMay.RISE,
    touches=lambda fact, _link: (fact.setup.id,),
    shown_at_tables=True,
    history=None,
    words=lambda fact, _: say_added(fact.setup.id, fact.source, fact.reason),
    foretold=None,
    event=events.TABLE_ADDED,
)


def _join(pit: Pit, fact: TableJoined, _stamp: Stamp) -> None:
    pit.tables[fact.table].status = TableStatus.IN_PLAY


def _recompute_joining(pit: Pit, fact: TableJoined) -> None:
    """That it was heard is known from its contact, which stands beside the journal."""
    away = pit.tables[fact.table].status in (TableStatus.UNHEARD, TableStatus.AWAY)
    must_hold(f"table {fact.table} was in play or closed", holds=away)


TABLE_JOINED = Kind(
    TableJoined,
    place=Pit,
    apply=_join,
    recompute=_recompute_joining,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Table {fact.table} is in play.",
    foretold=None,
    event=events.TABLE_JOINED,
)


def _leave(pit: Pit, fact: TableLeft, _stamp: Stamp) -> None:
    pit.tables[fact.table].status = TableStatus.AWAY


def _recompute_leaving(pit: Pit, fact: TableLeft) -> None:
    table = pit.tables[fact.table]
    must_hold(f"table {fact.table} was not in play", holds=table.status is TableStatus.IN_PLAY)
    must_hold(
        f"table {fact.table} had an open round", holds=not (table.round is not None and table.round.open)
    )


TABLE_LEFT = Kind(
    TableLeft,
    place=Pit,
    apply=_leave,
    recompute=_recompute_leaving,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Table {fact.table} is out of play.",
    foretold=None,
    event=events.TABLE_LEFT,
)


def _open_table(pit: Pit, fact: TableOpened, _stamp: Stamp) -> None:
    pit.tables[fact.table].status = TableStatus.IN_PLAY if fact.in_play else TableStatus.AWAY


def _recompute_opened_table(pit: Pit, fact: TableOpened) -> None:
    """Whether it is in play at once depends on its contact, which stands beside the journal."""
    closed = pit.tables[fact.table].status is TableStatus.CLOSED
    must_hold(f"table {fact.table} was not closed", holds=closed)


def _say_opened_table(fact: TableOpened, _at: Telling) -> str:
    when = "at once" if fact.in_play else "as soon as it sends its next message"
    return f"Table {fact.table} is in play {when}."


TABLE_OPENED = Kind(
    TableOpened,
    place=Pit,
    apply=_open_table,
    recompute=_recompute_opened_table,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=True,
    history=None,
    words=_say_opened_table,
    foretold=None,
    event=events.TABLE_OPENED,
)


def _close_table(pit: Pit, fact: TableClosed, _stamp: Stamp) -> None:
    pit.tables[fact.table].status = TableStatus.CLOSED


def _recompute_closed_table(pit: Pit, fact: TableClosed) -> None:
    closed = pit.tables[fact.table].status is TableStatus.CLOSED
    must_hold(f"table {fact.table} was closed already", holds=not closed)


TABLE_CLOSED = Kind(
    TableClosed,
    place=Pit,
    apply=_close_table,
    recompute=_recompute_closed_table,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=True,
    history=None,
    words=lambda fact, _: f"Table {fact.table} is out of play at once. No win waits for it any longer.",
    foretold=None,
    event=events.TABLE_CLOSED,
)


def _change_table(pit: Pit, fact: TableChanged, stamp: Stamp) -> None:
    """A round that has begun keeps the terms with which it began."""
    table = pit.tables[fact.table]
    if table.round is not None and table.round.terms is None:
        table.round.terms = fact.was
    table.setup = table.setup.under(fact.terms)
    table.changed = stamp.sequence


def _recompute_changed_table(pit: Pit, fact: TableChanged) -> None:
    table = pit.tables[fact.table]
    must_equal("the terms before", fact.was, table.setup.terms)
    try:
        check_terms(pit, table, fact.terms)
    except Refused as refusal:
        raise Denied(f"the terms of table {fact.table}: {refusal.message}") from None


def _say_changed_table(fact: TableChanged, at: Telling) -> str:
    was, now = fact.was, fact.terms
    said = []
    if was.name != now.name:
        said.append(f"its name is {now.name}" if now.name else "it has no name but its id")
    if was.boxes != now.boxes:
        said.append(f"{now.boxes} boxes instead of {was.boxes}")
    if (was.minimum, was.maximum) != (now.minimum, now.maximum):
        said.append(_say_limits(now.minimum, now.maximum, was.minimum, was.maximum, at))
    none = SideLimits()
    for name in sorted(now.side):
        one, before = now.side[name], was.side.get(name, none)
        if one != before:
            limits = _say_limits(one.minimum, one.maximum, before.minimum, before.maximum, at)
            said.append(f"{WAGERS[name]}: {limits}")
    return f"Table {fact.table}, from its next round on: {'; '.join(said)}."


def _say_limits(least: int | None, most: int | None, was: int | None, to: int | None, at: Telling) -> str:
    return f"limits {_between(least, most, at)} instead of {_between(was, to, at)}"


def _between(least: int | None, most: int | None, at: Telling) -> str:
    if least is None and most is None:
        return "none"
    if most is None:
        return f"from {at.money(least or 0)}"
    return f"up to {at.money(most)}" if least is None else f"{at.money(least)} to {at.money(most)}"


TABLE_CHANGED = Kind(
    TableChanged,
    place=Pit,
    apply=_change_table,
    recompute=_recompute_changed_table,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=True,
    history=None,
    words=_say_changed_table,
    foretold=None,
    event=events.TABLE_CHANGED,
)


def _move_table(pit: Pit, fact: TableMoved, _stamp: Stamp) -> None:
    pit.tables = {name: one for name, one in pit.tables.items() if name != fact.table}
    pit.departed = pit.departed | {fact.table: fact.to}


def _recompute_moved_table(pit: Pit, fact: TableMoved) -> None:
    table = pit.tables[fact.table]
    must_equal("the number of its last round", fact.last_round, table.last_round)
    must_hold(f"table {fact.table} was there already", holds=fact.to != pit.id)
    try:
        check_idle(pit, table)
    except Refused as refusal:
        raise Denied(f"the move of table {fact.table}: {refusal.message}") from None


TABLE_MOVED = Kind(
    TableMoved,
    place=Pit,
    apply=_move_table,
    recompute=_recompute_moved_table,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda fact, _: f"Table {fact.table} leaves for {fact.to}{noted(fact.reason)}.",
    foretold=None,
    event=events.TABLE_MOVED,
)

TABLE_KINDS = (
    TABLE_ADDED | TABLE_JOINED | TABLE_LEFT | TABLE_OPENED | TABLE_CLOSED | TABLE_CHANGED | TABLE_MOVED
)
