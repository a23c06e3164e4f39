"""The command line, as people type it."""

from __future__ import annotations

import re

import pytest
from typer.testing import CliRunner

from api.cli import app
from jackpot import pool
from jackpot.money import Account

run = CliRunner()


def test_one_seed_twice_prints_the_same_hash() -> None:
    first, second = (run.invoke(app, ["simulate", "--seed", "5", "--steps", "120"]) for _ in range(2))
    assert first.exit_code == 0
    found = re.search(r"seed 5: journal ([0-9a-f]{64})", first.output)
    assert found is not None
    assert found.group(1) in second.output


def test_several_seeds_in_several_processes_print_counts() -> None:
    result = run.invoke(app, ["simulate", "--seeds", "8", "--steps", "60", "--jobs", "2"])
    assert result.exit_code == 0
    assert "8 seeds, " in result.output
    assert re.search(r"BetsClosed\s+\d+", result.output)
    assert "Never happened:" in result.output


def test_a_failure_exits_with_1_and_tells_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(draft: pool.Draft, *_arguments: object, **_named: object) -> None:
        draft.move(Account.WAGERS, Account.METER, 1)
        draft._now[Account.METER] += 1

    monkeypatch.setattr("jackpot.bets.contribute", careless)
    result = run.invoke(app, ["simulate", "--seeds", "3", "--jobs", "1"])
    assert result.exit_code == 1
    assert "InvariantBroken" in result.output
    assert "CloseBets" in result.output
    assert re.search(r"\d steps\. Again: jackpot simulate --seed 0", result.output)


@pytest.mark.parametrize("command", ["simulate", "demo"])
def test_help_has_an_example(command: str) -> None:
    assert f"Example: jackpot {command}" in run.invoke(app, [command, "--help"]).output
