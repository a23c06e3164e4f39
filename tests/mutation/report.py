"""docs/mutation.md: how many mutants were killed, and which survive."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence

from tests.mutation.mutations import ROOT, RULES, Mutation
from tests.mutation.trials import Outcome

PAGE = ROOT / "docs" / "mutation.md"
HEAD = """# Mutants

Do the tests notice when a rule is wrong? `make mutate` makes one small mistake at a time in the rules and
runs the tests of `tests/rules` that reach its line, until one fails. What no test notices is listed here.
The word on each is written by hand, and kept from run to run as long as the function has that line.

"""
NO_WORD = "**no word yet**"


def score(outcomes: Sequence[Outcome]) -> float:
    """Per cent."""
    return 100 * sum(one.killed_by is not None for one in outcomes) / len(outcomes)


def page(outcomes: Sequence[Outcome], seed: int, possible: int, before: str) -> str:
    survivors = [one for one in outcomes if one.killed_by is None]
    words, killed = _words(before), len(outcomes) - len(survivors)
    told = [
        f"{len(outcomes)} of {possible} mutants, seed {seed}: {killed} killed, **{score(outcomes):.1f} %**.",
        "",
        *_by_module(outcomes),
        "",
        "## Survivors",
        "",
        "| where | mistake | tests | a word on it |",
        "|---|---|---|---|",
        *(
            f"| {_place(one.mutation)} | {_change(one.mutation)} | {one.tests} "
            f"| {words.get((_place(one.mutation), _change(one.mutation)), NO_WORD)} |"
            for one in sorted(survivors, key=lambda one: (one.mutation.file, one.mutation.line))
        ),
    ]
    return HEAD + "\n".join(told) + "\n"


def _by_module(outcomes: Sequence[Outcome]) -> list[str]:
    tried = Counter(one.mutation.file for one in outcomes)
    killed = Counter(one.mutation.file for one in outcomes if one.killed_by is not None)
    rows = [f"| `{file}` | {tried[file]} | {killed[file]} |" for file in RULES if tried[file]]
    return ["| of `jackpot/` | mutants | killed |", "|---|---|---|", *rows]


def _place(mutation: Mutation) -> str:
    """Without its line, which any change above it moves."""
    return f"`{mutation.file}` `{mutation.where or 'module'}`"


def _change(mutation: Mutation) -> str:
    return f"`{mutation.change}`".replace("|", "\\|")


def _words(before: str) -> dict[tuple[str, str], str]:
    """What was written by hand about each survivor that the page lists now."""
    rows = re.findall(r"^\| (`[^|]*`) \| (`.*`) \| \d+ \| (.*) \|$", before, flags=re.MULTILINE)
    return {(place, change): word for place, change, word in rows}
