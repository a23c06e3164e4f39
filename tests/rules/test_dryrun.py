"""A dry run: with the journal's own parameters it is the journal, and with others its books hold."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from jackpot.core.money import Account
from jackpot.core.refusals import ParameterWrong
from jackpot.dryrun.overrides import NOTHING, check_overrides
from jackpot.dryrun.playing import Differs
from jackpot.link import facts
from jackpot.link.answers import read_said
from jackpot.link.facts import Entry, read_entry
from jackpot.link.parameters import Changes, Parameters
from jackpot.link.state import Link
from jackpot.machine.applying import replayed
from jackpot.simulation.run import Simulation
from jackpot.simulation.terms import any_awards
from tests.golden import Golden, kept, releases
from tests.replayed import came_in, dry_run, went_out

JOURNALS = [one for release in releases() for one in kept(release) if one.accounts]
SEEDS = range(1, 21)


def entries_of(golden: Golden) -> list[Entry]:
    read: list[Entry] = []
    for data in golden.entries:
        read.append(read_entry(golden.of, data, read[-1].hash if read else ""))
    return read


def simulated(seed: int, steps: int = 400) -> list[Entry]:
    floor = Simulation(seed)
    floor.run(steps)
    return floor.stage.book.entries


def in_the_middle(seed: int) -> tuple[list[Entry], int, Link]:
    """A journal, an entry about in its middle that ends a command, and the state after it."""
    entries = simulated(seed)
    ends = [number for number, entry in enumerate(entries, 1) if read_said(entry.data) is not None]
    cut = ends[len(ends) // 2]
    begin = replayed(entries[:cut])
    assert isinstance(begin, Link)
    return entries, cut, begin


def is_royal(fact: facts.Fact) -> bool:
    return isinstance(fact, facts.WinPaid) and fact.percent == 100


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda one: f"{one.release}-{one.seed}")
def test_a_golden_journal_comes_out_as_it_was_written(golden: Golden) -> None:
    found = dry_run(entries_of(golden), NOTHING, checked=True)
    told, kept_then = {name.value: units for name, units in found.so.ended.items()}, golden.accounts
    prizes = kept_then["prizes"] + kept_then.get("unclaimed", 0)  # a dry run hands nothing over
    assert told == kept_then | {"prizes": prizes, "unclaimed": 0}
    assert found.then == found.so
    assert found.proved


@pytest.mark.parametrize("seed", SEEDS)  # under levels, policies, windows and caps of all kinds
def test_a_simulated_journal_comes_out_as_it_was_written(seed: int) -> None:
    found = dry_run(simulated(seed), NOTHING, checked=True)
    assert found.then == found.so
    assert all(one.then == one.so for one in found.payments)


def test_the_proof_has_seen_every_fact_that_moves_money() -> None:
    """What happens on the journals above; pits have no jackpot."""
    seen = {type(entry.fact) for one in JOURNALS for entry in entries_of(one)}
    seen |= {type(entry.fact) for seed in SEEDS for entry in simulated(seed)}
    money = {kind for kind in facts.KINDS.values() if issubclass(kind, facts.Posted)}
    assert money <= seen | {kind for kind in money if kind.__name__.startswith("Pit")}


@pytest.mark.parametrize("seed", SEEDS)
def test_from_the_middle_it_comes_out_as_it_was_written(seed: int) -> None:
    entries, cut, begin = in_the_middle(seed)
    found = dry_run(entries[cut:], NOTHING, begin=begin, checked=True)
    assert found.so.ended == found.then.ended
    assert found.first == cut + 1


def test_a_journal_that_was_changed_does_not_come_out() -> None:
    entries = entries_of(JOURNALS[0])
    place, bets = next(
        (number, entry.fact)
        for number, entry in enumerate(entries)
        if isinstance(entry.fact, facts.BetsClosed) and entry.fact.moves
    )
    moves = bets.moves | {Account.METER: bets.moves[Account.METER] + 1}
    forged = replace(bets, moves=moves | {Account.HOUSE: moves[Account.HOUSE] - 1})
    entries[place] = replace(entries[place], fact=forged)
    with pytest.raises(Differs, match=f"entry {place + 1}: ") as denied:
        dry_run(entries, NOTHING)
    assert denied.value.sequence == place + 1


def random_overrides(chance: random.Random) -> Changes:
    ceiling = chance.choice((None, None, 250_000))
    awards = any_awards(chance)
    return Changes(
        levels=chance.choice((None, awards.levels)),
        policy=chance.choice((None, awards.policy)),
        window=awards.window,
        no_window=awards.window is None,
        cap=awards.cap,
        no_cap=awards.cap is None,
        seed=chance.choice((None, 1, 60_000, 200_000)),
        meter_ppm=chance.choice((None, 0, 123_456, 800_000)),
        reserve_ppm=chance.choice((None, 0, 199_999)),
        ceiling=ceiling,
        no_ceiling=ceiling is None,
    )


@pytest.mark.parametrize("seed", range(101, 141))
def test_under_any_parameters_the_books_hold(seed: int) -> None:
    chance = random.Random(seed)
    entries = simulated(seed, 250)
    for _ in range(3):
        found = dry_run(entries, random_overrides(chance), checked=True)
        assert came_in(found) == went_out(found)
        assert sum(found.so.ended.values()) == 0
        assert found.so.ended[Account.WAGERS] == found.then.ended[Account.WAGERS]
        assert sum(one.so.amount for one in found.payments if one.so) == found.so.majors


def test_another_seed_raises_what_is_paid_after_the_opening() -> None:
    entries = next(
        entries
        for entries in map(simulated, range(1, 40))
        if any(is_royal(one.fact) for one in entries) and entries[0].fact.parameters.ceiling is None  # type: ignore[attr-defined]
    )
    found = dry_run(entries, Changes(seed=150_000, no_ceiling=True))
    royal = next(one for one in found.payments if one.so is not None and one.so.percent == 100)
    assert royal.difference > 0
    assert found.so.ended[Account.PRIZES] > found.then.ended[Account.PRIZES]
    assert found.curve[0].so - found.curve[0].then == 50_000


def test_a_seed_named_in_mid_journal_counts_from_the_next_reset() -> None:
    entries, begin = next(
        (entries[cut:], begin)
        for entries, cut, begin in map(in_the_middle, range(1, 60))
        if begin.parameters.ceiling is None and any(is_royal(one.fact) for one in entries[cut:])
    )
    found = dry_run(entries, Changes(seed=300_000), begin=begin, checked=True)
    first = found.curve[0]
    assert first.then == first.so
    assert found.so.parameters.seed == 300_000
    assert found.so.highest >= 300_000


def test_what_no_link_could_run_on_is_refused() -> None:
    parameters = Parameters(seed=100_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
    with pytest.raises(ParameterWrong, match="seed"):
        check_overrides(Changes(seed=0), parameters)
    with pytest.raises(ParameterWrong, match="meter_ppm"):
        check_overrides(Changes(meter_ppm=1_000_001), parameters)
    with pytest.raises(ParameterWrong, match="reserve_ppm"):
        check_overrides(Changes(meter_ppm=990_000), parameters)
    with pytest.raises(ParameterWrong, match="ceiling"):
        check_overrides(Changes(ceiling=99_999), parameters)
    check_overrides(Changes(seed=200_000), parameters)


def test_a_lower_ceiling_moves_what_is_above_it_to_overflow_at_once() -> None:
    entries, begin = next(
        (entries[cut:], begin)
        for entries, cut, begin in map(in_the_middle, range(1, 60))
        if begin.pool.value > 100_100
    )
    found = dry_run(entries, Changes(ceiling=100_000), begin=begin, checked=True)
    assert found.then.highest > 100_000
    assert max(one.so for one in found.curve) == 100_000
