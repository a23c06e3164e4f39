"""What must hold after every fact, in production too. A broken invariant stops the link."""

from __future__ import annotations

from typing import NamedTuple

from jackpot.core.money import Account, to_units
from jackpot.link import facts
from jackpot.link.fact import Fact
from jackpot.link.pit_facts import PitSettling
from jackpot.link.state import Link, Pit, PitTable
from jackpot.link.wins import WinState
from jackpot.machine.kind import MeterMay
from jackpot.machine.kinds import kind_of
from jackpot.play.pit_rounds import mistold as mistold_in_pit
from jackpot.play.settlement import mistold
from jackpot.pools.payout import clusters


class InvariantBroken(Exception):
    """The books deny themselves. Nobody may act on them before a person has looked."""


def _must(holds: bool, message: str) -> None:  # noqa: FBT001  a predicate reads best in first place
    if not holds:
        raise InvariantBroken(message)


def check(pit: Pit) -> None:
    """Everything that is true of a link at rest, in time that does not grow with its history."""
    if not isinstance(pit, Link):
        return
    link = pit
    _check_money(link)
    _check_hold(link)
    _check_queue(link)
    _must(link.retired is None or link.closed, "retired, but not closed")


def _check_money(link: Link) -> None:
    accounts, pool = link.pool.accounts, link.pool
    _must(sum(accounts.values()) == 0, f"the accounts sum to {sum(accounts.values())} units")
    for account in (Account.METER, Account.RESERVE, Account.OVERFLOW, Account.PRIZES, Account.UNCLAIMED):
        _must(accounts[account] >= 0, f"{account} is below zero: {accounts[account]}")
    _must(accounts[Account.WAGERS] <= 0, "more was returned than was wagered")
    segments = sum(one.amount for one in pool.segments)
    _must(
        accounts[Account.CARRYOVER] == segments, f"carryover {accounts[Account.CARRYOVER]} is not {segments}"
    )
    if link.handovers or accounts[Account.UNCLAIMED]:
        unclaimed = sum(one.amount for one in link.handovers.values() if one.unclaimed is not None)
        _must(
            accounts[Account.UNCLAIMED] == to_units(unclaimed),
            "the unclaimed money is not what nobody claimed",
        )
    ceiling = link.parameters.ceiling
    _must(ceiling is None or accounts[Account.METER] <= to_units(ceiling), "the meter is above its ceiling")


def _check_hold(link: Link) -> None:
    numbers = [one.number for one in link.pool.segments]
    _must(numbers == sorted(set(numbers)), f"carryover segments out of order: {numbers}")
    _must(link.held == bool(link.queue), "held without a win, or a win without a hold")
    _must(bool(numbers) == bool(link.queue), "carryover without a win waiting, or the other way round")
    for win in link.queue.values():
        _must(numbers[0] <= win.segment < link.pool.next_segment, f"{win.id} began no segment that is there")


def _check_queue(link: Link) -> None:
    _must(not link.due, "some of a cluster was paid, and not all of it")
    if not link.queue:
        return
    waiting = clusters(link)
    _must(
        sorted(win for one in waiting for win in one.wins) == sorted(link.queue), "the line is not the queue"
    )
    for cluster in waiting:
        states = {link.queue[win].state for win in cluster.wins}
        _must(states <= {WinState.PENDING, WinState.ORDERED}, f"{cluster.wins} are in the queue but {states}")
        _must(cluster.decided or WinState.ORDERED not in states, f"{cluster.wins} ordered without a decision")
    for win in link.queue.values():
        _must(
            win.registered is None or win.registered in link.registers,
            f"{win.id} is to be paid from an unknown amount",
        )
        _must(
            (win.ordered_by is None) == (win.state is WinState.PENDING), f"{win.id} is ordered without proof"
        )
        people = [approval.person for approval in win.approvals]
        _must(len(people) == len(set(people)), f"{win.id} was approved twice by one person")


class Before(NamedTuple):
    """What a fact is compared with."""

    sequence: int
    at: int
    meter: int
    held: bool

    @classmethod
    def of(cls, pit: Pit) -> Before:
        if isinstance(pit, Link):
            return cls(pit.sequence, pit.time, pit.pool.meter, pit.held)
        return cls(pit.sequence, pit.time, 0, held=False)


def check_step(pit: Pit, fact: Fact, before: Before) -> None:
    """What must hold between two facts."""
    if pit.sequence != before.sequence + 1:
        raise InvariantBroken(f"entry {pit.sequence} after {before.sequence}")
    if pit.time < before.at:
        raise InvariantBroken("journal time fell")
    if isinstance(pit, Link):
        _check_link_step(pit, fact, before)
    elif isinstance(fact, PitSettling):
        _check_pit_settlement(pit, fact)


def _check_link_step(link: Link, fact: Fact, before: Before) -> None:
    if isinstance(fact, facts.Posted) and sum(fact.moves.values()) != 0:
        raise InvariantBroken(f"{type(fact).__name__} does not balance")
    if isinstance(fact, facts.Settling) and fact.settlement:
        _check_settlement(link, fact)
    moved = link.pool.meter - before.meter
    if not moved:
        return
    may = kind_of(fact).meter
    if moved < 0 and may < MeterMay.FALL:
        raise InvariantBroken(f"{type(fact).__name__} lowered the meter by {-moved}")
    if before.held and may < MeterMay.MOVE_WHILE_HELD:
        raise InvariantBroken(f"{type(fact).__name__} moved a held meter by {moved}")


def _check_settlement(link: Link, fact: facts.Settling) -> None:
    table = link.tables[fact.table]
    wrong = None if table.round is None else mistold(table.played, table.round, fact.settlement)
    if wrong is not None:
        raise InvariantBroken(f"the {wrong.wager} of box {wrong.box} is not conserved: {wrong}")


def _check_pit_settlement(pit: Pit, fact: PitSettling) -> None:
    table = pit.tables[fact.table]
    if not isinstance(table, PitTable) or table.round is None or not fact.settlement:
        return
    wrong = mistold_in_pit(table.played, table.round, fact.settlement)
    if wrong is not None:
        raise InvariantBroken(f"the {wrong.wager} of {wrong.player} is not conserved: {wrong}")
