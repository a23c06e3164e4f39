"""The map of the code names all of it, and nothing that is not there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text()
GENERATED = "jackpot/book/migrations/"
"""One module for each release: named as a whole."""


def modules() -> set[str]:
    found = {
        path.relative_to(ROOT).with_suffix("").as_posix()
        for package in ("jackpot", "api", "displays")
        for path in (ROOT / package).rglob("*.py")
        if path.stem != "__init__"
    }
    return {one for one in found if not one.startswith(GENERATED)} | {GENERATED}


def named() -> list[str]:
    """The first column of the table under each folder's heading."""
    sections = re.findall(r"^### `([\w/]+/)`.*?\n(.*?)(?=^##)", MAP, flags=re.DOTALL | re.MULTILINE)
    return [
        folder + name
        for folder, text in sections
        for row in re.findall(r"^\| (`.*?) \|", text, flags=re.MULTILINE)
        for name in re.findall(r"`([\w/]+)`", row)
    ]


def test_every_module_is_on_the_map_once() -> None:
    assert sorted(named()) == sorted(modules())
