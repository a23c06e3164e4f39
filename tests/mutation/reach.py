"""Which test reaches which line of the rules, and how long each test takes: every test is run once."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from dataclasses import dataclass, field
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path

import coverage
import pytest
from hypothesis import Phase, settings

from tests.mutation.mutations import ROOT, RULES, Mutation

TESTS = ROOT / "tests" / "rules"
PLUGINS = ["-p", "no:cacheprovider", "-p", "no:xdist", "-p", "no:cov"]
IMPORTED_BEFORE = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
OPTIONS = ["-q", *PLUGINS, *IMPORTED_BEFORE, "-m", "not proof", "-k", "not postgres"]
"""Nothing that takes minutes, and no server that a mutant would leave behind."""


@dataclass
class Reach:
    seconds: dict[str, float] = field(default_factory=dict)
    """Of every test, by its id."""
    lines: dict[str, dict[int, set[str]]] = field(default_factory=lambda: defaultdict(dict))
    """The tests of a line, by its file. Lines that only an import runs have none of their own."""
    failed: list[str] = field(default_factory=list)

    def tests(self, mutation: Mutation) -> list[str]:
        """Those that reach its line, the quickest first. What is run at the import, such as a constant, is
        reached by all that reach its file; where the file has nothing else, by all tests."""
        lines = self.lines[mutation.file]
        found = lines.get(mutation.line) or lines.get(mutation.statement)
        if found is not None and not found:
            found = set().union(*lines.values()) or set(self.seconds)
        return sorted(found or (), key=lambda test: (self.seconds[test], test))

    def add(self, other: Reach) -> None:
        self.seconds |= other.seconds
        self.failed += other.failed
        for file, lines in other.lines.items():
            for line, tests in lines.items():
                self.lines[file][line] = self.lines[file].get(line, set()) | tests


def reach(jobs: int) -> Reach:
    """In processes of their own: this one must not import the rules before they are mutated."""
    files = sorted(TESTS.glob("test_*.py"))
    context = get_context("fork")
    pipes = [context.Pipe(duplex=False) for _ in range(jobs)]
    for number, (_, writing) in enumerate(pipes):
        context.Process(target=_record, args=(files[number::jobs], writing)).start()
        writing.close()
    whole = Reach(lines=defaultdict(dict))
    for reading, _ in pipes:
        whole.add(reading.recv())
    return whole


def _record(files: list[Path], answer: Connection) -> None:
    quiet(0, 1)
    rules = {str(ROOT / "jackpot" / file): file for file in RULES}
    watching = coverage.Coverage(data_file=None, config_file=False, include=list(rules), messages=False)
    watching.start()
    recorder = _Recorder(watching)
    pytest.main([*OPTIONS, *map(str, files)], plugins=[recorder])
    watching.stop()
    data = watching.get_data()
    for path in data.measured_files():
        for line, tests in data.contexts_by_lineno(path).items():
            recorder.reach.lines[rules[path]][line] = {test for test in tests if test}
    recorder.reach.lines = dict(recorder.reach.lines)
    answer.send(recorder.reach)


class _Recorder:
    def __init__(self, watching: coverage.Coverage) -> None:
        self.reach = Reach(lines=defaultdict(dict))
        self._watching, self._trace = watching, sys.gettrace()

    def pytest_sessionstart(self) -> None:
        load_profile()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_setup(self, item: pytest.Item) -> None:
        """Here also tests are traced that `make test` spares."""
        self._watching.switch_context(item.nodeid)
        sys.settrace(self._trace)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reach.seconds[report.nodeid] = self.reach.seconds.get(report.nodeid, 0.0) + report.duration
        if report.failed:
            self.reach.failed.append(report.nodeid)


def load_profile() -> None:
    """Before tests are imported: the same examples each time, and none sought that is smaller."""
    phases = (Phase.explicit, Phase.generate)
    settings.register_profile(
        "mutation", settings.get_profile("unhurried"), phases=phases, derandomize=True, database=None
    )
    settings.load_profile("mutation")


def quiet(*descriptors: int) -> None:
    nothing = os.open(os.devnull, os.O_RDWR)
    for descriptor in descriptors:
        os.dup2(nothing, descriptor)
