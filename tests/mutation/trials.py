"""Mutants on trial, each in a process of its own, forked from one that has imported all but the project."""

from __future__ import annotations

import importlib
import resource
import sys
from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_loader
from multiprocessing import get_context
from multiprocessing.connection import Connection, wait
from multiprocessing.context import ForkProcess
from time import monotonic
from types import CodeType

import pytest

from tests.mutation.mutations import ROOT, Mutation
from tests.mutation.reach import OPTIONS, Reach, load_profile, quiet

IMPORTED_ONCE = (
    "alembic",
    "argon2",
    "fastapi",
    "httptools",
    "httpx",
    "hypothesis.strategies",
    "jinja2",
    "msgspec",
    "numpy",
    "playwright.sync_api",
    "prometheus_client",
    "pydantic_settings",
    "pytest_asyncio.plugin",
    "redis.asyncio",
    "sqlalchemy.ext.asyncio",
    "structlog",
    "typer.testing",
    "uvloop",
)
"""What the tests' own imports take longest for."""
MEMORY = 8 << 30
"""Bytes for a mutant: one may collect without end."""
FIRST = 12
"""Tests that are tried before the files of all others are imported: most mutants do not live longer."""
PASSED, NOTHING_RUN = 0, 5
"""How pytest ends."""


@dataclass(frozen=True)
class Outcome:
    mutation: Mutation
    killed_by: str | None
    """A test, or what else went wrong; None for a mutant that survives."""
    tests: int
    """How many reach its line."""


@dataclass(frozen=True)
class _Trial:
    mutation: Mutation
    tests: Sequence[str]
    process: ForkProcess
    ends: float


def trials(mutants: Sequence[Mutation], reached: Reach, jobs: int) -> Iterator[Outcome]:
    """As they end, in any order."""
    for name in IMPORTED_ONCE:
        importlib.import_module(name)
    waiting, running = list(reversed(mutants)), dict[Connection, _Trial]()
    while waiting or running:
        while waiting and len(running) < jobs:
            mutation = waiting.pop()
            tests = reached.tests(mutation)
            if tests:
                answer, trial = _begun(mutation, tests, reached)
                running[answer] = trial
            else:
                yield Outcome(mutation, None, 0)
        yield from _ended(running)


def _begun(mutation: Mutation, tests: Sequence[str], reached: Reach) -> tuple[Connection, _Trial]:
    context = get_context("fork")
    reading, writing = context.Pipe(duplex=False)
    seconds = {test: reached.seconds[test] for test in tests}
    process = context.Process(target=_try, args=(mutation, seconds, writing), daemon=True)
    process.start()
    writing.close()
    return reading, _Trial(mutation, tests, process, monotonic() + 120 + 3 * sum(seconds.values()))


def _ended(running: dict[Connection, _Trial]) -> Iterator[Outcome]:
    answered = wait(list(running), timeout=0.5)
    for answer, trial in list(running.items()):
        late = monotonic() > trial.ends
        if answer in answered or late:
            killed_by: str | None = "time" if late else "its process ended"
            with suppress(EOFError):
                killed_by = answer.recv() if answer in answered else killed_by
            trial.process.kill()
            trial.process.join()
            del running[answer]
            yield Outcome(trial.mutation, killed_by, len(trial.tests))


def _try(mutation: Mutation, seconds: dict[str, float], answer: Connection) -> None:
    quiet(0, 1, 2)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    sys.meta_path.insert(0, _Finder(mutation))
    tests = list(seconds)
    for some in (tests[:FIRST], tests[FIRST:]):
        if killed_by := _failed({test: seconds[test] for test in some}):
            answer.send(killed_by)
            return
    answer.send(None)


def _failed(seconds: dict[str, float]) -> str | None:
    """The first of these tests that fails, if one does."""
    if not seconds:
        return None
    chosen = _Chosen(seconds)
    files = dict.fromkeys(str(ROOT / test.partition("::")[0]) for test in seconds)
    status = pytest.main([*OPTIONS, "-x", *files], plugins=[chosen])
    if status == NOTHING_RUN:
        raise AssertionError("no test was found")
    return None if status == PASSED else chosen.failed or "the import"


class _Chosen:
    """The tests that reach the mutant's line, in the order given, each with ten times its usual time."""

    def __init__(self, seconds: dict[str, float]) -> None:
        self._seconds, self.failed = seconds, ""

    def pytest_sessionstart(self) -> None:
        load_profile()

    @pytest.hookimpl(trylast=True)
    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        found = {item.nodeid: item for item in items}
        items[:] = [found[test] for test in self._seconds if test in found]
        for item in items:
            item.add_marker(pytest.mark.timeout(10 + 10 * self._seconds[item.nodeid]))

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed:
            self.failed = report.nodeid


class _Finder:
    """Finds the mutant where its module is asked for."""

    def __init__(self, mutation: Mutation) -> None:
        self._mutation = mutation

    def find_spec(self, name: str, _path: object = None, _target: object = None) -> ModuleSpec | None:
        return spec_from_loader(name, _Loader(self._mutation)) if name == self._mutation.module else None


class _Loader(SourceFileLoader):
    def __init__(self, mutation: Mutation) -> None:
        super().__init__(mutation.module, str(mutation.path))
        self._mutation = mutation

    def get_code(self, _name: str) -> CodeType:
        return self._mutation.code()
