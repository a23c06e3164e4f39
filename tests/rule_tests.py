"""Promtool's files of rule tests, read so that our own evaluator can run them too."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import promql_parser as promql
import yaml

from tests.promql import NAME, Labels, Rules, Vector, evaluate
from tests.scrapes import groups

FOLDER = Path(__file__).parent / "alerts"
_STRETCH = re.compile(r"(-?[\d.]+)(?:([+-][\d.]+))?x(\d+)")


@cache
def cases() -> list[Any]:
    """Every test of every file, with its name."""
    files = [yaml.load(file.read_text(), yaml.CSafeLoader) for file in sorted(FOLDER.glob("*.yaml"))]
    return [one for file in files for one in file["tests"]]


def differences(case: Any) -> list[str]:
    """What the rules do that the test does not expect."""
    step = _seconds(case["interval"])
    told = {_labels(one["series"]): list(_values(one["values"])) for one in case["input_series"]}
    rules, done, wrong = Rules(groups()), 0, []
    for asked in sorted(case["promql_expr_test"], key=lambda one: _seconds(one["eval_time"])):
        moment = _seconds(asked["eval_time"])
        while done * step <= moment:
            rules.scraped(done * step, _scrape(told, done))
            done += 1
        found = evaluate(asked["expr"], rules.storage, moment)
        expected = {_labels(one["labels"]): float(one["value"]) for one in asked["exp_samples"]}
        if found != expected:
            wrong.append(f"at {asked['eval_time']}: {found}, not {expected}")
    return wrong


def _scrape(told: dict[Labels, list[float | None]], number: int) -> Vector:
    taken = {one: values[number] for one, values in told.items() if number < len(values)}
    return {one: value for one, value in taken.items() if value is not None}


def _values(said: str) -> Iterator[float | None]:
    for word in said.split():
        stretch = _STRETCH.fullmatch(word)
        if word in ("_", "stale"):
            yield None
        elif stretch is None:
            yield float(word)
        else:
            first, by = float(stretch[1]), float(stretch[2] or 0)
            yield from (first + by * number for number in range(int(stretch[3]) + 1))


def _labels(said: str) -> Labels:
    """`name{label="value"}`, or the labels alone."""
    name, _, inside = said.partition("{")
    found = dict(re.findall(r'(\w+)="([^"]*)"', inside))
    return frozenset((found | ({NAME: name} if name else {})).items())


def _seconds(said: str) -> float:
    return float(promql.parse_duration(said).total_seconds())
