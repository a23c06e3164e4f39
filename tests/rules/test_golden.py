"""What earlier releases wrote is still read, replayed and verified, to the last unit."""

from __future__ import annotations

import runpy

import pytest

from jackpot.link import facts
from jackpot.link.facts import Entry, read_entry
from jackpot.link.state import Link, Pit
from jackpot.machine.applying import apply, created, unborn
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.invariants import check
from tests.golden import Golden, kept, releases

JOURNALS = [one for release in releases() for one in kept(release)]


def entries_of(golden: Golden) -> list[Entry]:
    read: list[Entry] = []
    for data in golden.entries:
        read.append(read_entry(golden.of, data, read[-1].hash if read else ""))
    return read


def audited(entries: list[Entry]) -> Pit:
    """The link or pit at the end of its journal, every fact of which the rules give again."""
    first = entries[0]
    audit(unborn(first), first.fact, first.at)
    pit = created(first)
    for entry in entries[1:]:
        audit(pit, entry.fact, entry.at)
        apply(pit, entry.fact, entry.stamp)
        pit.head = entry.hash
    check(pit)
    return pit


def test_a_release_keeps_journals_with_every_kind_of_fact() -> None:
    newest = releases()[-1]
    shown = {type(entry.fact).__name__ for one in kept(newest) for entry in entries_of(one)}
    assert shown == set(facts.KINDS)


@pytest.mark.parametrize("golden", JOURNALS, ids=lambda one: f"{one.release}-{one.of}-{one.seed}")
def test_a_golden_journal_is_verified(golden: Golden) -> None:
    entries = entries_of(golden)
    pit = audited(entries)
    assert pit.head == entries[-1].hash == golden.head
    accounts = pit.pool.accounts if isinstance(pit, Link) else {}
    told = {account.value: units for account, units in accounts.items()}
    assert told == (dict.fromkeys(told, 0) | golden.accounts)  # an account that came later is empty


def test_journals_of_a_release_are_kept_and_have_every_kind_of_fact(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["tests.golden", releases()[-1]])
    with pytest.raises(SystemExit, match="is not written again"):
        runpy.run_module("tests.golden.__main__", run_name="__main__")


def test_a_golden_journal_with_another_rate_is_denied() -> None:
    """The verification would notice: here a rate at which bets are said to have raised the meter."""
    entries = entries_of(JOURNALS[0])
    place = next(
        n for n, one in enumerate(entries) if isinstance(one.fact, facts.BetsClosed) and one.fact.moves
    )
    data = entries[place].data
    told = b'"meter_ppm":'
    forged = data.replace(told, told + b"1")
    assert forged != data
    changed = read_entry("main", forged, entries[place - 1].hash)
    with pytest.raises(Denied):
        audited([*entries[:place], changed])
