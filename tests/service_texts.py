"""What the service says to people, gathered from its sources: codes, texts, and sentences with values."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import re
from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path

import api.operators
import jackpot
from api.operators.act import Act
from displays.pages.console import PAGES
from displays.pages.languages import LANGUAGES
from jackpot.book.beside.calendar import DEFAULT
from jackpot.book.beside.roles import PEOPLE
from jackpot.core import refusals
from jackpot.games import GAMES
from jackpot.games.blackjack import BLACKJACK_GAMES, WAGERS, main_rules, side_bets
from jackpot.games.blackjack.irregularities import provisions as blackjack_provisions
from jackpot.house.profiles import PROFILES, SETTINGS
from jackpot.link.facts import KINDS
from jackpot.machine import kinds_cases
from jackpot.readings.alerts import ALERTS, HOUSE_CLOCK

ROOT = Path(__file__).parent.parent
TELLING = ("jackpot/machine/kinds_*.py", "jackpot/machine/telling.py")
"""Where the journal is put into words; everything there but what an auditor is told of a denied entry."""
ANSWERING = (
    "jackpot/play/status.py",
    "api/operators/irregularity_answers.py",
    "api/operators/pit_irregularity_answers.py",
)
REFUSING = (
    "jackpot/house/*.py",
    "jackpot/pools/*.py",
    "jackpot/link/awards.py",
    "jackpot/link/execution.py",
    "jackpot/link/parameters.py",
    "jackpot/machine/execute.py",
    "jackpot/play/void.py",
    "jackpot/games/irregularities.py",
    "jackpot/games/blackjack/irregularities.py",
    "api/operators/*.py",
    "api/callers/*.py",
    "api/routing/*.py",
    "api/http/errors.py",
)
"""Who refuses what people ask for in the console."""
NOT_SAID = frozenset({"field", "code", "headers", "description", "example", "examples", "summary"})
"""Arguments by which something is described, not said to people."""
NOT_TOLD = frozenset({"must_equal", "must_hold", "Denied", "Evidence", "two_people", "InvariantBroken"})


def sentences() -> set[str]:
    """Each with its values numbered: "Win {0} is paid {1}"."""
    found: set[str] = set()
    for file in _files(TELLING):
        found.update(_texts(ast.parse(file.read_text())))
    for file in _files(ANSWERING):
        found.update(one for one in _texts(ast.parse(file.read_text())) if one[:1].isupper() or "{" in one)
    for file in _files(REFUSING):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.Raise) and node.exc is not None:
                found.update(_texts(node.exc))
    return {one for one in found if _is_said(one)} | set(_malfunctions())


def _malfunctions() -> Iterator[str]:
    """What is foretold of one is put together of two parts."""
    yield ", box {0}"
    for then in kinds_cases.FROM_NOW_ON.values():
        yield from (f"The whole link {then}.", f"Table {{0}} {then}.", f"Table {{0}}, box {{1}}: {then}.")


def _files(patterns: tuple[str, ...]) -> list[Path]:
    return sorted({file for pattern in patterns for file in ROOT.glob(pattern)})


def _texts(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call) and _name(node.func) in NOT_TOLD:
        return
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return  # what describes something in the source
    if isinstance(node, ast.JoinedStr):
        yield _template(node)
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                yield from _texts(part.value)
        return
    if isinstance(node, ast.keyword) and node.arg in NOT_SAID:
        return
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield _numbered(node.value)
    for child in ast.iter_child_nodes(node):
        yield from _texts(child)


def _template(node: ast.JoinedStr) -> str:
    places = iter(range(99))
    parts = [part.value if isinstance(part, ast.Constant) else f"{{{next(places)}}}" for part in node.values]
    return "".join(map(str, parts))


def _numbered(text: str) -> str:
    """`{rule}` of a text that is filled in later."""
    places = iter(range(99))
    return re.sub(r"\{\w+\}", lambda _: f"{{{next(places)}}}", text)


def _name(node: ast.expr) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""


def _is_said(text: str) -> bool:
    """Words between values; a lone word is a code, or is listed with them."""
    fixed = re.sub(r"\{\d+\}", "", text)
    return (
        bool(re.search(r"[A-Za-z]{2}", fixed))
        and bool(re.search(r"\s", text.strip()))
        and len(re.sub(r"[^A-Za-z]", "", fixed)) >= FEWEST
    )


FEWEST = 5
"""Letters: what has fewer would be found in everything."""


def texts() -> set[str]:
    """Whole: titles, games and their notices, paragraphs, what profiles say, and every code that is shown."""
    found = {one.title for one in PAGES.values()} | set(PEOPLE) | set(_OF_THE_SERVICE)
    found |= {rules.name for rules in GAMES.values()} | {rules.name for rules in BLACKJACK_GAMES.values()}
    found |= set(WAGERS.values()) | {shift.name for shift in DEFAULT.shifts}
    for rules in BLACKJACK_GAMES.values():
        found |= {*main_rules(rules), *(one.words for one in blackjack_provisions(rules).values())}
        for bet in side_bets(rules):
            found |= {bet.name, *(prize.words for prize in bet.prizes)} | (
                {bet.pays_for} if bet.pays_for else set()
            )
    for game in GAMES.values():
        found |= {one.words for one in game.irregularities.values()}
    found |= set(_profiles())
    return {one for one in found if re.search("[A-Za-z]{2}", one)} | codes()


_OF_THE_SERVICE = (
    "the service",
    "(another person)",
    "floor file",
    "allowed",
    "login failed",
    "forbidden",
    "not found",
)


def _profiles() -> Iterator[str]:
    for profile in PROFILES.values():
        yield profile.title
        for setting in SETTINGS:
            yield setting.what
            yield setting.unit
            yield setting.of(profile).words
            if isinstance(value := setting.of(profile).value, str):
                yield value.replace("_", " ")


def codes() -> set[str]:
    """With spaces: members of enumerations, refusals, alerts, kinds of facts and acts in the audit."""
    found = {member.value for kind in _enumerations() for member in kind}
    found |= {one.code for one in vars(refusals).values() if isinstance(one, type) and hasattr(one, "code")}
    found |= set(ALERTS) | {HOUSE_CLOCK} | set(_RETURNED)
    found |= set(_acts())
    found |= {re.sub(r"\B[A-Z]", r" \g<0>", kind).lower() for kind in KINDS}
    return {code.replace("_", " ") for code in found - LANGUAGES.keys()}


def _acts() -> Iterator[str]:
    """As the audit names them."""
    for module in pkgutil.iter_modules(api.operators.__path__, "api.operators."):
        yield from (
            one.name for one in vars(importlib.import_module(module.name)).values() if isinstance(one, Act)
        )
    for file in (ROOT / "api").rglob("*.py"):
        for node in ast.walk(ast.parse(file.read_text())):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and _is_recorded(node):
                yield node.name
    yield from ("credential_rotated", "credential_revoked")
    for kind in ("link", "pit", "table", "credential", "profile", "gaming_day"):
        yield from (f"{kind}_added", f"{kind}_changed")


def _is_recorded(node: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whatever is asked for may be refused, and is in the audit then."""
    verbs = {_name(one.func) for one in node.decorator_list if isinstance(one, ast.Call)}
    return bool(verbs & {"get", "post", "put", "patch", "delete"})


_RETURNED = (
    "box_blocked",
    "over_prescribed",
    "under_prescribed",
    "table_closed",
    "link_closed",
    "progressive_off",
)
"""Why a bet went back."""


def _enumerations() -> Iterator[type[StrEnum]]:
    for found in pkgutil.walk_packages(jackpot.__path__, "jackpot."):
        if ".migrations" not in found.name:
            for one in vars(importlib.import_module(found.name)).values():
                if isinstance(one, type) and issubclass(one, StrEnum) and one is not StrEnum:
                    yield one
