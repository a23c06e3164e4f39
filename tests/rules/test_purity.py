"""The rules are pure: the standard library only, and of it nothing that knows the time or the world."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

import jackpot

pytestmark = pytest.mark.untraced
CORE = Path(jackpot.__file__).parent
NUMPY = {"cards/bulk.py", "cards/suit_classes.py", "maths/forecast.py", "maths/holdem.py", "maths/stud.py"}
"""An optional extra beside the rules."""
CHANCES = {"maths/odds.py", "maths/plausibility.py", "maths/sampling.py"}
"""Probabilities, never money."""
MODULES = sorted(
    path
    for path in CORE.rglob("*.py")
    if str(path.relative_to(CORE)) not in NUMPY and path.relative_to(CORE).parts[0] not in ("book", "client")
)
IMPURE = {
    "asyncio",
    "http",
    "os",
    "pathlib",
    "random",
    "secrets",
    "socket",
    "sqlite3",
    "subprocess",
    "threading",
    "time",
    "uuid",
}
READS_A_CLOCK = {"now", "today", "utcnow", "time", "monotonic", "perf_counter"}


@cache
def parsed(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def imported(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name.split(".")[0] for alias in node.names)
        if isinstance(node, ast.ImportFrom) and node.module is not None:
            yield node.module.split(".")[0]


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(CORE)))
def test_a_rule_needs_nothing_but_the_standard_library(path: Path) -> None:
    tree = parsed(path)
    names = set(imported(tree))
    assert names <= sys.stdlib_module_names | {"jackpot", "__future__"}
    seeded = {"random"} if "simulation" in path.parts else set()
    assert not names & (IMPURE - seeded)
    calls = [
        node.func.attr
        for node in ast.walk(tree)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
    ]
    assert not READS_A_CLOCK & set(calls)


@pytest.mark.parametrize(
    "path",
    [
        path
        for path in MODULES
        if "simulation" not in path.parts and str(path.relative_to(CORE)) not in CHANCES
    ],
    ids=lambda path: str(path.relative_to(CORE)),
)
def test_a_rule_knows_no_fractions(path: Path) -> None:
    constants = [node.value for node in ast.walk(parsed(path)) if isinstance(node, ast.Constant)]
    assert not [value for value in constants if isinstance(value, float)]


def test_examples_in_docstrings_are_true() -> None:
    tried = 0
    for module in pkgutil.walk_packages(jackpot.__path__, "jackpot."):
        if module.name.startswith("jackpot.book.migrations"):
            continue  # run by the migrating tool only
        found = importlib.import_module(module.name)
        if ">>>" not in Path(str(found.__file__)).read_text():
            continue  # to look through all it defines for examples takes longer than to run them
        result = doctest.testmod(found)
        assert result.failed == 0, module.name
        tried += result.attempted
    assert tried > 5


def test_the_core_by_hand_works_as_written() -> None:
    page = CORE.parent / "docs" / "architecture.md"
    result = doctest.testfile(str(page), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 15
