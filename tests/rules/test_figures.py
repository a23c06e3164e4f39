"""What is counted fact by fact is what a recount of the whole journal gives, on floors and pits at random."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from random import Random

import pytest

from jackpot.core.money import UNITS_PER_MINOR_UNIT
from jackpot.figures.counters import Counters, parts, total
from jackpot.figures.meters import Figures, Meters
from jackpot.games.blackjack import Line, Outcome
from jackpot.games.progressive import Level
from jackpot.link import facts, pit_facts
from jackpot.link.facts import Entry
from jackpot.link.rounds import PROGRESSIVE
from jackpot.link.state import Link, Pit
from jackpot.simulation.pits import PitSimulation
from jackpot.simulation.run import Simulation
from tests.effort import times

SEEDS = range(9_100, 9_100 + times(6))


def counted(entries: Sequence[Entry], onto: Meters | None = None) -> Meters:
    meters = Meters() if onto is None else onto
    for entry in entries:
        meters.hear(type(entry.fact).__name__, entry.fact)
    return meters


def in_days(entries: Sequence[Entry], chance: Random) -> list[Sequence[Entry]]:
    """Cut at times, as days are: wherever play happens to be."""
    cuts = sorted(chance.sample(range(1, len(entries)), 4))
    return [entries[begin:end] for begin, end in zip([0, *cuts], [*cuts, len(entries)], strict=True)]


def figures_of_days(days: Sequence[Sequence[Entry]]) -> list[Figures]:
    found, meters = [], Meters()
    for day in days:
        before = Meters.from_bytes(meters.to_bytes())
        meters = counted(day, Meters.from_bytes(meters.to_bytes()))
        found.append(Figures.between(before, meters))
    return found


@pytest.mark.parametrize("seed", SEEDS)
def test_days_of_a_link_add_up_to_a_recount_of_its_journal(seed: int) -> None:
    run = Simulation(seed)
    run.run(400)
    entries, link = run.stage.book.entries, run.stage.book.link
    days = figures_of_days(in_days(entries, Random(seed)))
    _adds_up(days, link, entries)
    recount_of_a_link(days[-1].lifetime, link, entries)


@pytest.mark.parametrize("seed", SEEDS)
def test_days_of_a_pit_add_up_to_a_recount_of_its_journal(seed: int) -> None:
    run = PitSimulation(seed)
    run.run(400)
    entries, pit = run.stage.book.entries, run.stage.book.pit
    days = figures_of_days(in_days(entries, Random(seed)))
    _adds_up(days, pit, entries)
    recount_of_a_pit(days[-1], entries)


def _adds_up(days: Sequence[Figures], place: Pit, entries: Sequence[Entry]) -> None:
    whole = counted(entries)
    assert days[-1].after.to_bytes() == whole.to_bytes()
    assert {name: one for name, one in total(day.totals for day in days).items() if one} == days[-1].lifetime
    for name in place.tables:
        by_day = total(day.tables.get(name, {}) for day in days)
        assert +Counter(by_day) == +Counter(whole.tables.get(name, {}))
    kinds = Counter(type(entry.fact).__name__ for entry in entries)
    assert {kind: one["count"] for kind, one in parts(whole.whole, "facts").items()} == kinds


def recount_of_a_link(lifetime: Counters, link: Link, entries: Sequence[Entry]) -> None:
    """From the accounts as they stand, and from each round as it was last told."""
    accounts = {name: one["units"] for name, one in parts(lifetime, "account").items()}
    assert accounts == {account.value: units for account, units in link.pool.accounts.items() if units}
    minors: dict[tuple[str, int], dict[int, tuple[str, int]]] = defaultdict(dict)
    majors: Counter[str] = Counter()
    bets = returned = 0
    for entry in entries:
        match entry.fact:
            case facts.BetsClosed() as fact:
                bets += sum(box.progressive > 0 for box in fact.boxes)
                returned += sum(one.amount for one in fact.returned if one.wager == PROGRESSIVE)
            case facts.HandsReported() as fact:
                minors[fact.table, fact.round] = _won(fact)
            case facts.HandsInvalidated() as fact:
                left = minors[fact.table, fact.round]
                for box in [*fact.boxes, *(one.box for one in fact.results)]:
                    left.pop(box, None)
                left |= _won(fact)
            case facts.RoundVoided() as fact:
                minors[fact.table, fact.round] = {}
            case facts.WinPaid(hand=hand, amount=amount):
                majors[hand] += amount
            case facts.ClaimDecided(claim=claim, amount=amount) if amount:
                majors[claim.rsplit(".", 1)[1]] += amount
    standing = [one for boxes in minors.values() for one in boxes.values()]
    by_hand = {name: one for name, one in parts(lifetime, "minor").items() if one.get("count")}
    assert {name: one["count"] for name, one in by_hand.items()} == Counter(hand for hand, _ in standing)
    assert sum(one["amount"] for one in by_hand.values()) == lifetime.get("minors", 0)
    assert lifetime.get("minors", 0) == sum(award for _, award in standing)
    assert {name: one["amount"] for name, one in parts(lifetime, "major").items()} == majors
    assert lifetime.get("majors", 0) == sum(majors.values())
    paid = lifetime.get("minors", 0) + lifetime.get("majors", 0)
    prizes = accounts.get("prizes", 0) + accounts.get("unclaimed", 0)
    assert prizes == paid * UNITS_PER_MINOR_UNIT
    assert accounts.get("wagers", 0) == -lifetime.get("wagered", 0) * UNITS_PER_MINOR_UNIT
    assert lifetime.get("bets", 0) == bets
    assert lifetime.get("wagered", 0) == _accepted(entries) - (lifetime.get("returned", 0) - returned)


def _won(fact: facts.HandsReported | facts.HandsInvalidated) -> dict[int, tuple[str, int]]:
    return {
        one.box: (str(one.hand), one.award) for one in fact.results if one.level is Level.MINOR and one.award
    }


def _accepted(entries: Sequence[Entry]) -> int:
    closed = [entry.fact for entry in entries if isinstance(entry.fact, facts.BetsClosed)]
    return sum(box.progressive for fact in closed for box in fact.boxes)


def recount_of_a_pit(last: Figures, entries: Sequence[Entry]) -> None:
    """From the settlement of each round as it was last told."""
    stands: dict[tuple[str, int], tuple[Line, ...]] = {}
    back: list[Line] = []
    for entry in entries:
        match entry.fact:
            case pit_facts.PitBetsClosed(table_closed=True) as fact:
                back += fact.settlement
            case pit_facts.PitSettling() as fact:
                stands[fact.table, fact.round] = fact.settlement
    lines = [*back, *(line for lines in stands.values() for line in lines)]
    found = parts(last.lifetime, "wager")
    figures: dict[str, Callable[[Line], int]] = {
        "laid": lambda line: line.stake,
        "won": lambda line: line.won,
        "collected": lambda line: line.collected,
        "returned": lambda line: line.stake if line.outcome is Outcome.RETURNED else 0,
        "markers": lambda line: line.won if line.marker is not None else 0,
    }
    for figure, of in figures.items():
        recounted: Counter[str] = Counter()
        for line in lines:
            recounted[line.wager] += of(line)
        assert {name: one[figure] for name, one in found.items() if one.get(figure)} == +recounted
