"""What holds of every simulated floor. Each is played once, and looked at in four ways."""

from __future__ import annotations

from collections import Counter

import pytest

from jackpot.core.money import Account, to_units
from jackpot.link import facts
from jackpot.link.awards import Policy
from jackpot.link.facts import KINDS, Entry, names_of, read_entry
from jackpot.link.pit_facts import PitFact
from jackpot.link.rounds import PROGRESSIVE, Round
from jackpot.machine.applying import replayed
from jackpot.machine.memory_book import MemoryBook
from jackpot.simulation.run import Simulation
from tests.effort import times

SHARDS, FLOORS = 2, times(8)


@pytest.mark.proof
@pytest.mark.parametrize("shard", range(SHARDS))
def test_what_simulated_floors_write_adds_up_is_audited_and_read_back_and_all_kinds_occur(shard: int) -> None:
    seen: set[str] = set()
    first = 342 + FLOORS * shard
    for seed in range(first, first + FLOORS):
        run = Simulation(seed)
        run.run(400)
        book = run.stage.book
        every_unit_is_accounted_for_by_what_the_facts_say(book)
        each_payment_is_what_the_sign_showed_before_it(book)
        every_fact_is_applied_and_read_back(book)
        seen |= {type(entry.fact).__name__ for entry in book.entries}
    assert len(seen) > len(KINDS) - len(names_of(PitFact)) - 7  # what is rare, no eight floors show


def every_unit_is_accounted_for_by_what_the_facts_say(book: MemoryBook) -> None:
    """A second set of books, kept from the stories of the facts and not from their moves."""
    staked: Counter[tuple[str, int]] = Counter()
    minors: dict[tuple[str, int], dict[int, int]] = {}
    majors = 0
    for entry in book.entries:
        match entry.fact:
            case facts.BetsClosed(table=table, round=number, boxes=boxes):
                staked[table, number] = sum(box.progressive for box in boxes)
            case facts.HandsReported(table=table, round=number) as fact:
                bets = book.archive.round(table, number)
                assert isinstance(bets, Round)
                restored = sum(bets.boxes[box].bet for box in fact.restored)
                staked[table, number] += restored - _returned(fact)
                minors[table, number] = {one.box: one.award or 0 for one in fact.results}
            case facts.RoundVoided(table=table, round=number) as fact:
                assert _returned(fact) == staked[table, number]
                staked[table, number], minors[table, number] = 0, {}
            case facts.HandsInvalidated(table=table, round=number) as fact:
                staked[table, number] -= _returned(fact)
                now = dict.fromkeys(fact.boxes, 0) | {one.box: one.award or 0 for one in fact.results}
                minors[table, number] = minors.get((table, number), {}) | now
            case facts.WinPaid(amount=amount) | facts.ClaimDecided(amount=amount):
                majors += amount
    accounts = book.link.pool.accounts
    assert accounts[Account.WAGERS] == -to_units(sum(staked.values()))
    assert accounts[Account.PRIZES] + accounts[Account.UNCLAIMED] == to_units(
        sum(sum(awards.values()) for awards in minors.values()) + majors
    )
    assert sum(accounts.values()) == 0


def _returned(fact: facts.HandsReported | facts.RoundVoided | facts.HandsInvalidated) -> int:
    return sum(one.amount for one in fact.returned if one.wager == PROGRESSIVE)


def each_payment_is_what_the_sign_showed_before_it(book: MemoryBook) -> None:
    readings = {one.sequence: one for one in book.archive.readings}
    for entry in book.entries:
        if isinstance(entry.fact, facts.WinPaid):
            fact, shown = entry.fact, readings[entry.sequence - 1]
            assert fact.before == shown.value
            assert fact.proof is not None
            alone = shown.value if fact.registered is None else fact.registered.value
            if fact.proof.policy is Policy.ORDERED or fact.due:
                assert fact.proof.reading == alone
            assert fact.amount == fact.proof.amount
            assert fact.after == readings[entry.sequence].value


def every_fact_is_applied_and_read_back(book: MemoryBook) -> None:
    """Each entry decodes to the very fact and replays to the same head."""
    head = ""
    again: list[Entry] = []
    for entry in book.entries:
        again.append(read_entry("main", entry.data, head))
        head = again[-1].hash
        assert again[-1] == entry
    assert replayed(again).head == book.link.head
