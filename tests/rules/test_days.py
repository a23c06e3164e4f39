"""A gaming day is closed by a person when it is over: once, in its order, with what was counted otherwise."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpot.core import refusals
from jackpot.core.instants import SECOND
from jackpot.figures.meters import Figures, Meters
from jackpot.house.days import SETTLED_AFTER
from jackpot.link import commands
from jackpot.link.days import ClosedDay, Counted
from jackpot.link.facts import DayClosed, Entry
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.kinds import told
from jackpot.machine.telling import Telling
from jackpot.simulation.pits import PitSimulation
from jackpot.simulation.run import Simulation
from tests.effort import times
from tests.floor import FLUSH, NOTHING, START, Floor
from tests.pit_floor import PitFloor

LENGTH = 100
"""Seconds of a day here."""


def of_day(number: int, **more: Any) -> commands.CloseDay:
    start, end = (START + LENGTH * SECOND * one for one in (number, number + 1))
    said: dict[str, Any] = {"day": f"2026-01-{number + 1:02d}", "start": start, "end": end, "person": "sue"}
    return commands.CloseDay(**said | more)


def last_closing(floor: Floor | PitFloor) -> DayClosed:
    fact = floor.book.entries[-1].fact
    assert isinstance(fact, DayClosed)
    return fact


def after(floor: Floor, days: int) -> None:
    """Nothing can be written into the first days any more."""
    floor.now = START + days * LENGTH * SECOND + SETTLED_AFTER


@pytest.fixture
def floor() -> Floor:
    """A bet and a flush on the first day, another bet on the second, on which it is."""
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: FLUSH, 2: NOTHING}, final=True)
    floor.now = START + LENGTH * SECOND
    floor.bets("s1")
    after(floor, 1)
    return floor


def test_a_closing_has_the_figures_of_its_day_and_those_since_the_link_began(floor: Floor) -> None:
    floor.act(of_day(0, note="all slips there"))
    closing = last_closing(floor)
    assert (closing.figures["bets"], closing.figures["wagered"], closing.figures["minors"]) == (
        2,
        1000,
        20_000,
    )
    assert closing.figures["minor.flush.count"] == 1
    assert closing.figures == closing.lifetime, "it is the first day"
    assert floor.link.closed_day == ClosedDay(day="2026-01-01", end=START + LENGTH * SECOND)
    after(floor, 2)
    floor.act(of_day(1))
    second = last_closing(floor)
    assert (second.first, second.figures["bets"], second.lifetime["bets"]) == (closing.last + 1, 1, 3)
    assert second.figures["facts.DayClosed.count"] == 1, "the day before was closed in it"


def test_a_difference_is_noted_beside_what_was_recorded(floor: Floor) -> None:
    counted = (
        Counted(figure="wagered", counted=1500, note="a chip was found"),
        Counted(figure="minors", counted=20_000, note=""),
    )
    floor.act(of_day(0, counted=counted))
    wagered, minors = last_closing(floor).compared
    assert (wagered.recorded, wagered.counted, wagered.note) == (1000, 1500, "a chip was found")
    assert (minors.recorded, minors.counted) == (20_000, 20_000)
    assert told(last_closing(floor), Telling("SGD")) == (
        "Gaming day 2026-01-01 is closed. Counted otherwise: wagered."
    )


@pytest.mark.parametrize(
    ("command", "refusal"),
    [
        (of_day(1), refusals.DayNotOver),
        (of_day(0, day="today"), refusals.DayUnknown),
        (of_day(0, end=START), refusals.DayUnknown),
        (of_day(-3), refusals.DayUnknown),
        (of_day(0, note="x" * 501), refusals.TextTooLong),
        (of_day(0, person=" "), refusals.PersonMissing),
        (of_day(0, counted=(Counted(figure="luck", counted=1, note=""),)), refusals.FigureUnknown),
        (of_day(0, counted=(Counted(figure="laid", counted=1, note=""),)), refusals.FigureUnknown),
        (of_day(0, counted=(Counted(figure="bets", counted=2, note=""),) * 2), refusals.FigureRepeated),
        (of_day(0, counted=(Counted(figure="bets", counted=3, note=" "),)), refusals.ReasonMissing),
        (of_day(0, counted=(Counted(figure="bets", counted=10**13, note="?"),)), refusals.AmountTooLarge),
    ],
    ids=lambda one: getattr(one, "code", ""),
)
def test_what_cannot_be_closed_is_refused_and_nothing_changes(
    floor: Floor, command: commands.CloseDay, refusal: type[refusals.Refused]
) -> None:
    before = len(floor.book.entries)
    with pytest.raises(refusal):
        floor.act(command)
    assert len(floor.book.entries) == before
    assert floor.link.closed_day is None


def test_a_day_that_is_closed_is_not_closed_again_nor_one_before_it(floor: Floor) -> None:
    after(floor, 3)
    floor.act(of_day(1))
    for number in (0, 1):
        with pytest.raises(refusals.DayAlreadyClosed, match="2026-01-02 was closed last"):
            floor.act(of_day(number))


def test_no_day_is_left_out(floor: Floor) -> None:
    after(floor, 3)
    floor.act(of_day(0))
    with pytest.raises(refusals.EarlierDayOpen):
        floor.act(of_day(2))
    floor.act(of_day(1))
    floor.act(of_day(2))


def test_a_day_is_over_only_when_no_replica_can_write_into_it(floor: Floor) -> None:
    floor.now -= 1
    with pytest.raises(refusals.DayNotOver):
        floor.act(of_day(0))
    floor.now += 1
    floor.act(of_day(0))


def test_the_same_closing_again_is_answered_as_the_first_time(floor: Floor) -> None:
    closing = of_day(0, act_id="k1")
    first = floor.act(closing)
    before = len(floor.book.entries)
    assert floor.act(closing) == first
    assert len(floor.book.entries) == before
    with pytest.raises(refusals.ContentConflict):
        floor.act(of_day(0, act_id="k1", note="another"))


def test_a_day_of_a_pit_is_closed_by_what_its_wagers_came_to() -> None:
    floor = PitFloor()
    floor.bets("bj", {"boxes": [{"box": 2, "bet": 1000}]})
    at = floor.now + 1
    closing = of_day(0, start=0, end=at, counted=(Counted(figure="rounds", counted=2, note="by the slips"),))
    floor.book.submit(closing, at=at + SETTLED_AFTER)
    assert [one.recorded for one in last_closing(floor).compared] == [1]
    late = of_day(1, start=at, end=at + 1, counted=(Counted(figure="minors", counted=0, note=""),))
    with pytest.raises(refusals.FigureUnknown):
        floor.book.submit(late, at=at + 2 * SETTLED_AFTER)


@pytest.mark.parametrize(
    "forged",
    [
        {"day": "2026-01-01"},
        {"start": START + 1},
        {"end": START + LENGTH * SECOND - 1},
        {"end": START + 3 * LENGTH * SECOND},
        {"figures": {"wagered": 7}},
    ],
    ids=str,
)
def test_a_made_up_closing_is_denied(floor: Floor, forged: dict[str, Any]) -> None:
    floor.act(of_day(0))
    after(floor, 2)
    floor.act(of_day(1, counted=(Counted(figure="wagered", counted=500, note=""),)))
    entry = floor.book.entries.pop()
    assert isinstance(entry.fact, DayClosed)
    floor.link.closed_day = ClosedDay(day="2026-01-01", end=START + LENGTH * SECOND)
    audit(floor.link, entry.fact, entry.at)
    with pytest.raises(Denied):
        audit(floor.link, replace(entry.fact, **forged), entry.at)


@pytest.mark.parametrize("kind", [Simulation, PitSimulation])
@pytest.mark.parametrize("seed", range(times(5)))
def test_days_closed_on_simulated_floors_came_to_what_their_entries_say(kind: Any, seed: int) -> None:
    run = kind(8_000 + seed)
    run.run(300)
    entries: list[Entry] = run.stage.book.entries
    for entry in entries:
        if isinstance(entry.fact, DayClosed):
            found = entry.fact
            inside = [one.sequence for one in entries if found.start <= one.at < found.end]
            assert (
                [found.first, found.last] == [inside[0], inside[-1]]
                if inside
                else [found.last + 1, found.last]
            )
            recount = Figures.between(_counted(entries, found.first - 1), _counted(entries, found.last))
            assert (found.figures, found.lifetime) == (recount.totals, recount.lifetime)


def _counted(entries: list[Entry], upto: int) -> Meters:
    meters = Meters()
    for entry in entries[:upto]:
        meters.hear(type(entry.fact).__name__, entry.fact)
    return meters
