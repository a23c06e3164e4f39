"""Facts about a link, its tables and house time: what each does, and how it is computed again."""

from __future__ import annotations

from jackpot.core.refusals import Refused
from jackpot.house.timekeeping import check_quiet
from jackpot.house.transfers import whole_pool
from jackpot.link.facts import (
    HouseTimeBroke,
    LinkClosed,
    LinkCreated,
    LinkOpened,
    LinkRetired,
    Stamp,
    TableAdded,
    TableClosed,
    TableJoined,
    TableLeft,
    TableOpened,
)
from jackpot.link.state import Break, Link, Pit, Table, TableStatus
from jackpot.machine import events
from jackpot.machine.kind import (
    Denied,
    Kind,
    MeterMay,
    must_equal,
    must_hold,
    no_table,
    own_table,
    post_moves,
    two_people,
)
from jackpot.machine.telling import Telling
from jackpot.pools.pool import opening


def _create(link: Link, fact: LinkCreated, _stamp: Stamp) -> None:
    must_hold("a link is created by the first entry of its journal", holds=link.sequence == 0)
    post_moves(link, fact)


def _recompute_creation(link: Link, fact: LinkCreated) -> None:
    must_hold("a link is created by the first entry of its journal", holds=link.sequence == 0)
    must_equal("the first seed", fact.moves, opening(fact.parameters.seed))


LINK_CREATED = Kind(
    LinkCreated,
    place=Link,
    apply=_create,
    recompute=_recompute_creation,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, at: f"Link {fact.id} is created, with a seed of {at.money(fact.parameters.seed)}.",
    foretold=None,
    event=events.LINK_CREATED,
)


def _open(link: Link, _fact: LinkOpened, _stamp: Stamp) -> None:
    link.closed = False


def _recompute_opening(link: Link, fact: LinkOpened) -> None:
    must_hold("the link was open already", holds=link.closed)
    two_people(fact.persons)


LINK_OPENED = Kind(
    LinkOpened,
    place=Link,
    apply=_open,
    recompute=_recompute_opening,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda _fact, _: "The link accepts progressive bets again.",
    foretold=None,
    event=events.LINK_OPENED,
)


def _close(link: Link, _fact: LinkClosed, _stamp: Stamp) -> None:
    link.closed = True


def _recompute_closing(link: Link, _fact: LinkClosed) -> None:
    must_hold("the link was closed already", holds=not link.closed)


LINK_CLOSED = Kind(
    LinkClosed,
    place=Link,
    apply=_close,
    recompute=_recompute_closing,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda _fact, _: "Progressive bets are returned until two people open the link again.",
    foretold=None,
    event=events.LINK_CLOSED,
)


def _retire(link: Link, _fact: LinkRetired, stamp: Stamp) -> None:
    link.retired = stamp.sequence


def _recompute_retirement(link: Link, fact: LinkRetired) -> None:
    must_equal("what a retired link keeps", whole_pool(link.pool), {})
    two_people(fact.persons)


LINK_RETIRED = Kind(
    LinkRetired,
    place=Link,
    apply=_retire,
    recompute=_recompute_retirement,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=True,
    history=None,
    words=lambda _fact, _: "The link is retired. After that it can only be viewed.",
    foretold=None,
    event=events.LINK_RETIRED,
)


def _add_table(link: Link, fact: TableAdded, _stamp: Stamp) -> None:
    link.tables[fact.setup.id] = Table(setup=fact.setup)


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
    words=lambda fact, _: f"Table {fact.setup.id} is added.",
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


def _break_time(pit: Pit, _fact: HouseTimeBroke, stamp: Stamp) -> None:
    pit.broke_at = stamp.at


def _recompute_break(pit: Pit, fact: HouseTimeBroke) -> None:
    if fact.cause is Break.START:
        must_equal("the time before the start", fact.before, pit.time)
        return
    two_people(fact.persons)
    try:
        check_quiet(pit)
    except Refused as refusal:
        raise Denied(f"the setting of the house clock: {refusal.message}") from None


HOUSE_TIME_BROKE = Kind(
    HouseTimeBroke,
    place=Pit,
    apply=_break_time,
    recompute=_recompute_break,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda _fact, _: "House time begins anew.",
    foretold=None,
    event=None,
)

LINK_KINDS = (
    LINK_CREATED
    | LINK_OPENED
    | LINK_CLOSED
    | LINK_RETIRED
    | TABLE_ADDED
    | TABLE_JOINED
    | TABLE_LEFT
    | TABLE_OPENED
    | TABLE_CLOSED
    | HOUSE_TIME_BROKE
)
