"""Facts about a link and house time: what each does, and how it is computed again."""

from __future__ import annotations

from jackpot.core.refusals import Refused
from jackpot.figures.compared import recorded
from jackpot.house.timekeeping import check_quiet
from jackpot.house.transfers import whole_pool
from jackpot.link.days import ClosedDay
from jackpot.link.facts import (
    DayClosed,
    HouseTimeBroke,
    LinkClosed,
    LinkCreated,
    LinkOpened,
    LinkRetired,
    Stamp,
)
from jackpot.link.state import Break, Link, Pit
from jackpot.machine import events
from jackpot.machine.kind import (
    Denied,
    Kind,
    MeterMay,
    must_equal,
    must_hold,
    no_table,
    post_moves,
    two_people,
)
from jackpot.machine.telling import Telling, noted
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


def _close_day(pit: Pit, fact: DayClosed, _stamp: Stamp) -> None:
    pit.closed_day = ClosedDay(day=fact.day, end=fact.end)


def _recompute_closed_day(pit: Pit, fact: DayClosed) -> None:
    """What it came to lies in the journal before; it is counted again at the end of the check."""
    before = pit.closed_day
    must_hold(f"gaming day {fact.day} was closed already", holds=before is None or before.day < fact.day)
    must_equal("where the day begins", fact.start, fact.start if before is None else before.end)
    must_hold("a day ends after it begins", holds=fact.start < fact.end)
    for one in fact.compared:
        must_equal(f"the recorded {one.figure}", one.recorded, recorded(fact.figures, one.figure))


def _say_closed_day(fact: DayClosed, _at: Telling) -> str:
    differ = [one.figure for one in fact.compared if one.counted != one.recorded]
    otherwise = f" Counted otherwise: {', '.join(differ)}." if differ else ""
    return f"Gaming day {fact.day} is closed{noted(fact.note)}.{otherwise}"


DAY_CLOSED = Kind(
    DayClosed,
    place=Pit,
    apply=_close_day,
    recompute=_recompute_closed_day,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=_say_closed_day,
    foretold=None,
    event=events.DAY_CLOSED,
    earliest=lambda _pit, fact: fact.end,
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

LINK_KINDS = LINK_CREATED | LINK_OPENED | LINK_CLOSED | LINK_RETIRED | DAY_CLOSED | HOUSE_TIME_BROKE
