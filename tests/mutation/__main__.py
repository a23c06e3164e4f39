"""`make mutate`: try a seeded sample of mutants of the rules, and write docs/mutation.md."""

from __future__ import annotations

import random
import sys
from argparse import ArgumentParser, Namespace
from collections.abc import Sequence
from time import perf_counter

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from tests.mutation.mutations import RULES, Mutation, mutations
from tests.mutation.reach import Reach, reach
from tests.mutation.report import PAGE, page, score
from tests.mutation.trials import Outcome, trials

ENOUGH = 90
"""Per cent of the mutants that the tests have to kill."""
console = Console(stderr=True)


def main() -> None:
    asked, began = _asked(), perf_counter()
    possible = [one for file in RULES for one in mutations(file)]
    chosen = _chosen(possible, asked)
    with console.status(f"which tests reach which line? then {len(chosen)} of {len(possible)} mutants"):
        reached = reach(asked.jobs)
    if reached.failed:
        sys.exit("these tests fail without any mutant:\n" + "\n".join(reached.failed))
    known = perf_counter()
    outcomes = _tried(chosen, reached, asked.jobs)
    spent = f"{known - began:.0f} s to know the tests, {perf_counter() - known:.0f} s to try the mutants"
    console.print(f"{len(outcomes)} mutants, {score(outcomes):.1f} % killed; {spent}")
    if not asked.only:
        before = PAGE.read_text() if PAGE.exists() else ""
        PAGE.write_text(page(outcomes, asked.seed, len(possible), before))
    sys.exit(score(outcomes) < ENOUGH)


def _asked() -> Namespace:
    parser = ArgumentParser(prog="python -m tests.mutation", description=__doc__)
    parser.add_argument("--seed", type=int, default=1, help="of the sample")
    parser.add_argument("--sample", type=int, default=300, help="how many mutants; 0 for all")
    parser.add_argument("--only", metavar="FILE[:LINE]", help="all of these, as in pools/pool.py:75")
    parser.add_argument("--jobs", type=int, default=2, help="processes at a time")
    return parser.parse_args()


def _chosen(possible: Sequence[Mutation], asked: Namespace) -> list[Mutation]:
    if asked.only:
        file, _, line = asked.only.partition(":")
        found = [one for one in possible if one.file == file and line in ("", str(one.line))]
        return found or sys.exit(f"there is nothing to mutate in {asked.only}")
    return random.Random(asked.seed).sample(possible, asked.sample or len(possible))


def _tried(chosen: Sequence[Mutation], reached: Reach, jobs: int) -> list[Outcome]:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    outcomes: list[Outcome] = []
    with Progress(*columns, console=console) as bar:
        task = bar.add_task("mutants", total=len(chosen))
        for one in trials(chosen, reached, jobs):
            outcomes.append(one)
            bar.advance(task)
            if one.killed_by is None:
                told = f"survives: jackpot/{one.mutation.file}:{one.mutation.line} {one.mutation.change}"
                bar.console.print(told, markup=False, highlight=False, soft_wrap=True)
    return outcomes


if __name__ == "__main__":
    main()
