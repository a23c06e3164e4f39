"""The README's walk to a first jackpot works as it is written."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path
from typing import Any

import pytest

from tests.servers import free_port

ROOT = Path(__file__).parents[2]
WALK = (ROOT / "README.md").read_text().partition("## A first jackpot")[2].partition("\n## ")[0]


@pytest.fixture(scope="module")
def outputs(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What each block printed. Only the port is another: 8000 may be taken where tests run."""
    blocks = re.findall(r"```sh\n(.*?)```", WALK, flags=re.DOTALL)
    mark = "- - - next block - - -"
    script = f"\necho; echo '{mark}'\n".join(blocks).replace("8000", str(free_port()))
    folder = tmp_path_factory.mktemp("walk")
    for name in ("docs", ".venv"):
        (folder / name).symlink_to(ROOT / name)
    done = subprocess.run(
        ["bash", "-c", f"set -e; trap 'kill %1 2>/dev/null || true' EXIT\n{script}"],  # noqa: S607
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return [one.strip() for one in done.stdout.split(mark)]


def told(output: str) -> list[Any]:
    """JSON documents, one after the other."""
    found, decoder = [], json.JSONDecoder()
    while output := output.strip():
        document, end = decoder.raw_decode(output)
        found.append(document)
        output = output[end:]
    return found


def test_the_meter_begins_at_the_seed(outputs: list[str]) -> None:
    (meter,) = told(outputs[1])
    assert (meter["value"], meter["state"], meter["display"]) == (5_000_000, "open", "SGD 50,000.00")


def test_a_bet_without_ante_is_returned_and_the_other_raises_the_pool(outputs: list[str]) -> None:
    (bets,) = told(outputs[2])
    assert bets["accepted"] == [{"box": 1, "progressive": 500}]
    assert [(one["box"], one["code"], one["rule"]) for one in bets["returned"]] == [(2, "no_ante", "5.4")]
    assert bets["meter"]["value"] == 5_000_200


def test_the_straight_flush_holds_the_meter(outputs: list[str]) -> None:
    (hands,) = told(outputs[3])
    assert [(one["hand"], one["level"], one["win"]) for one in hands["results"]] == [
        ("straight_flush", "major", "stud-01.1.1.1")
    ]
    (meter,) = told(outputs[4])
    assert (meter["state"], meter["value"], meter["next"]) == ("held", 5_000_200, 4_500_180)


def test_it_is_in_order_at_once_and_paid_when_it_is_approved(outputs: list[str]) -> None:
    (approval,) = told(outputs[5])
    assert approval["state"] == "paid"
    wins, meter = told(outputs[6])
    assert [(one["state"], one["amount"]) for one in wins["wins"]] == [("paid", 500_020)]
    assert (meter["state"], meter["value"]) == ("open", 4_500_180)


def test_the_book_is_found_in_order(outputs: list[str]) -> None:
    assert "verified" in outputs[7]
