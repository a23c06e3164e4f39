"""Journals in memory, played again by a dry run."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from jackpot.core.money import Account, to_units
from jackpot.dryrun.alternative import Alternative, Recorded
from jackpot.dryrun.findings import Findings
from jackpot.dryrun.run import DryRun, commands, readings_asked_for
from jackpot.link.answers import read_said
from jackpot.link.facts import Entry
from jackpot.link.parameters import Changes
from jackpot.link.state import Link


def recorded(entries: Iterable[Entry]) -> Iterator[Recorded]:
    for entry in entries:
        yield Recorded(entry.fact, entry.stamp, read_said(entry.data) is not None)


def dry_run(
    entries: Sequence[Entry], overrides: Changes, *, begin: Link | None = None, checked: bool = False
) -> Findings:
    """With `checked`, the books of the other side are looked at after every command."""
    readings = readings_asked_for([entry.fact for entry in entries])
    run = DryRun(overrides, entries=len(entries), begin=begin, readings=readings)
    for command in commands(recorded(entries)):
        run.hear(command)
        if checked:
            check_books(run.side)
    return run.findings()


def check_books(side: Alternative) -> None:
    """Money is neither made nor lost, and nothing is paid that is not there."""
    link = side.link
    accounts, pool = link.pool.accounts, link.pool
    assert sum(accounts.values()) == 0
    assert min(accounts[name] for name in (Account.METER, Account.RESERVE, Account.OVERFLOW)) >= 0
    assert accounts[Account.CARRYOVER] == sum(one.amount for one in pool.segments)
    assert link.held == bool(link.queue) == bool(pool.segments)


def came_in(findings: Findings) -> int:
    """What bets and the house have put in, in units, on the other side."""
    began, ended = findings.so.began, findings.so.ended
    return sum(began[one] - ended[one] for one in (Account.WAGERS, Account.HOUSE))


def went_out(findings: Findings) -> int:
    so = findings.so
    kept = (Account.METER, Account.CARRYOVER, Account.RESERVE, Account.OVERFLOW)
    remains = sum(so.ended[one] - so.began[one] for one in kept)
    return to_units(so.majors + so.minors) + remains
