"""The map of the code names every room, in the room's own words, and no room that is not there."""

from __future__ import annotations

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
MAP = (ROOT / "docs" / "architecture.md").read_text()
NO_ROOM = {"jackpot/", "displays/", "jackpot/book/migrations/", "jackpot/book/migrations/versions/"}
"""Only hold rooms, or one module for each release."""


def modules() -> list[Path]:
    return [path for package in ("jackpot", "api", "displays") for path in (ROOT / package).rglob("*.py")]


def rooms() -> dict[str, str]:
    """Each package with what it says of itself."""
    return {
        f"{path.parent.relative_to(ROOT).as_posix()}/": _words(path)
        for path in modules()
        if path.stem == "__init__" and f"{path.parent.relative_to(ROOT).as_posix()}/" not in NO_ROOM
    }


def _words(path: Path) -> str:
    return " ".join((ast.get_docstring(ast.parse(path.read_text())) or "").split())


def test_every_room_is_on_the_map_once_with_its_own_words() -> None:
    on_the_map = re.findall(r"^\| `([\w/]+/)` \| (.*) \|$", MAP, flags=re.MULTILINE)
    assert sorted(name for name, _ in on_the_map) == sorted(rooms())
    assert {name: words for name, words in on_the_map if words != rooms()[name]} == {}


def test_every_module_says_what_it_knows() -> None:
    assert [path for path in modules() if path.stat().st_size and not _words(path)] == []


def test_nobody_draws_from_the_generator_that_the_whole_process_shares() -> None:
    """A task of the service beside a game or a test that is seeded would change what they draw."""
    shared = re.compile(
        r"^import random$.*\brandom\.(?!Random\b|SystemRandom\b)\w+\(", re.MULTILINE | re.DOTALL
    )
    assert [path for path in modules() if shared.search(path.read_text())] == []
