"""Facts about the meters that table controllers keep: what each does, and how it is computed again."""

from __future__ import annotations

from jackpot.link.facts import MetersBegun, MetersDiffered, MetersMended, Stamp
from jackpot.link.meters import Baseline, Difference, Meters, rounds_named
from jackpot.link.state import Pit, TableOfPlay
from jackpot.machine import events
from jackpot.machine.kind import Kind, MeterMay, must_equal, must_hold, own_table
from jackpot.machine.telling import Telling, noted
from jackpot.play.reconciliation import before, between, expected, house_after


def _begin(pit: Pit, fact: MetersBegun, _stamp: Stamp) -> None:
    offset = fact.told.less(fact.house)
    pit.tables[fact.table].baseline = Baseline(after=fact.after, offset=offset, first=fact.first)


def _recompute_beginning(pit: Pit, fact: MetersBegun) -> None:
    """What a controller has told is evidence; a beginning from zero is not."""
    table, first = pit.tables[fact.table], fact.first
    house = house_after(table, fact.after) if fact.after else Meters()
    must_equal("the House's meters", fact.house, house)
    known = None if first is None else before(table, first)
    if known is not None:
        must_equal("the round before the first that was counted", fact.after, known.round)
        must_equal("meters of no round", fact.told, Meters())


def _say_beginning(fact: MetersBegun, _at: Telling) -> str:
    if fact.first is None or fact.after >= fact.first:
        return f"The controller's meters are compared from round {fact.after} on."
    return f"The controller counts its meters from round {fact.first} on."


METERS_BEGUN = Kind(
    MetersBegun,
    place=Pit,
    apply=_begin,
    recompute=_recompute_beginning,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_beginning,
    foretold=None,
    event=None,
)


def _differ(pit: Pit, fact: MetersDiffered, stamp: Stamp) -> None:
    pit.tables[fact.table].difference = Difference(
        id=fact.difference,
        at=stamp.at,
        after=fact.after,
        round=fact.round,
        house=fact.house,
        told=fact.told,
        rounds=fact.rounds,
    )


def _recompute_difference(pit: Pit, fact: MetersDiffered) -> None:
    table = pit.tables[fact.table]
    baseline, house = table.baseline, house_after(table, fact.round)
    must_hold("no meters had been told", holds=baseline is not None)
    must_hold("another difference was open", holds=table.difference is None)
    must_hold(f"round {fact.round} was not remembered", holds=house is not None)
    if baseline is None or house is None:
        return
    should = expected(table, baseline, house)
    must_equal("the meters as they should be", fact.house, should)
    must_hold("the meters were what they should be", holds=fact.told != should)
    after = fact.round > fact.after >= min(baseline.after, fact.round - 1)
    must_hold(f"nothing was compared after round {fact.after}", holds=after)
    must_equal("the rounds in between", fact.rounds, between(table, fact.after, fact.round))


def _say_difference(fact: MetersDiffered, at: Telling) -> str:
    where = rounds_named(fact.after, fact.round, fact.rounds)
    if fact.told is None:
        return f"The controller counts anew: nobody has told the meters of {where}."
    more = fact.told.less(fact.house)
    parts = (("bets", more.bets), ("returned", more.returned), ("awards", more.awards))
    told = [f"{at.money(amount)} of {name}" for name, amount in parts if amount]
    told += [f"{more.rounds} of rounds"] if more.rounds else []
    return f"The controller's meters differ by {', '.join(told)}: it began in {where}."


METERS_DIFFERED = Kind(
    MetersDiffered,
    place=Pit,
    apply=_differ,
    recompute=_recompute_difference,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_difference,
    foretold=None,
    event=events.METERS_DIFFERED,
)


def _mend(pit: Pit, fact: MetersMended, _stamp: Stamp) -> None:
    table = pit.tables[fact.table]
    table.baseline, table.difference = _baseline_after(table), None


def _baseline_after(table: TableOfPlay) -> Baseline | None:
    """From the difference on; one of meters that nobody told has left its new beginning already."""
    found, baseline = table.difference, table.baseline
    if found is None or found.told is None or baseline is None:
        return baseline
    return Baseline(after=found.round, offset=baseline.offset.plus(found.offset), first=baseline.first)


def _recompute_mending(pit: Pit, fact: MetersMended) -> None:
    found = pit.tables[fact.table].difference
    must_equal("the difference that was open", fact.difference, None if found is None else found.id)


METERS_MENDED = Kind(
    MetersMended,
    place=Pit,
    apply=_mend,
    recompute=_recompute_mending,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"The difference of the controller's meters is settled{noted(fact.reason)}.",
    foretold=None,
    event=events.METERS_MENDED,
)

METERS_KINDS = METERS_BEGUN | METERS_DIFFERED | METERS_MENDED
