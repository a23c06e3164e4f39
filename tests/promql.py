"""As much of Prometheus as our alert rules use, so that they can be tried where there is no Prometheus.

The expressions are parsed by a parser of the whole language; what this module cannot evaluate it refuses.
Where `promtool` is there, the tests ask it as well.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from functools import cache, partial
from itertools import pairwise
from typing import Any

import promql_parser as promql

LOOKBACK = 300.0
Labels = frozenset[tuple[str, str]]
Vector = dict[Labels, float]
Value = Vector | float
NAME = "__name__"
_COMPARE: dict[str, Callable[[float, float], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    ">": operator.gt,
    "<": operator.lt,
    ">=": operator.ge,
    "<=": operator.le,
}
_COMPUTE: dict[str, Callable[[float, float], float]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": lambda left, right: left / right if right else float("nan"),
}
_GATHER: dict[str, Callable[[list[float]], float]] = {
    "max": max,
    "min": min,
    "sum": sum,
    "count": lambda values: float(len(values)),
}


def labels(**said: str) -> Labels:
    return frozenset(said.items())


@dataclass
class Storage:
    """Scrapes in order, each with all the series it had: one that is missing has ended."""

    scrapes: list[tuple[float, Vector]] = field(default_factory=list)

    def at(self, moment: float) -> Vector:
        found = [series for at, series in self.scrapes if moment - LOOKBACK < at <= moment]
        return found[-1] if found else {}

    def over(self, since: float, until: float, wanted: Callable[[Labels], bool]) -> dict[Labels, list[float]]:
        values: dict[Labels, list[float]] = {}
        for at, series in self.scrapes:
            if since <= at <= until:
                for one in filter(wanted, series):
                    values.setdefault(one, []).append(series[one])
        return values


def evaluate(expression: str, storage: Storage, at: float) -> Vector:
    found = _value(_parsed(expression), storage, at)
    return found if isinstance(found, dict) else {frozenset(): found}


@cache
def _parsed(expression: str) -> Any:
    """Once each: every scrape asks every rule again."""
    return promql.parse(expression)


def names_in(expression: str) -> set[str]:
    """Every metric that an expression asks for."""
    found: set[str] = set()

    def visit(node: Any) -> bool:
        if isinstance(node, promql.MatrixSelector):
            node = node.vector_selector
        if isinstance(node, promql.VectorSelector) and node.name is not None:
            found.add(node.name)
        return True

    promql.walk(_parsed(expression), visit)
    return found


def _value(node: Any, storage: Storage, at: float) -> Value:
    match node:
        case promql.NumberLiteral():
            return float(node.val)
        case promql.ParenExpr():
            return _value(node.expr, storage, at)
        case promql.VectorSelector():
            return {one: value for one, value in storage.at(at).items() if _selected(node, one)}
        case promql.AggregateExpr():
            return _gathered(node, _vector(node.expr, storage, at))
        case promql.BinaryExpr():
            return _combined(node, _value(node.lhs, storage, at), _value(node.rhs, storage, at))
        case promql.Call():
            return _called(node, storage, at)
    raise NotImplementedError(f"{type(node).__name__}: ask a real Prometheus")


def _vector(node: Any, storage: Storage, at: float) -> Vector:
    found = _value(node, storage, at)
    assert isinstance(found, dict), "a vector is needed here"
    return found


def _selected(node: Any, series: Labels) -> bool:
    if node.name is not None and (NAME, node.name) not in series:
        return False
    said = dict(series)
    return all(_matches(one, said.get(one.name, "")) for one in node.matchers.matchers)


def _matches(matcher: Any, value: str) -> bool:
    same = bool(matcher.value == value)
    like = re.fullmatch(matcher.value, value) is not None
    verdicts = {"Equal": same, "NotEqual": not same, "Re": like, "NotRe": not like}
    return verdicts[str(matcher.op).rpartition(".")[2]]


def _gathered(node: Any, vector: Vector) -> Vector:
    by = set() if node.modifier is None else set(node.modifier.labels)
    assert node.modifier is None or "By" in str(node.modifier.type), "only `by` is known here"
    groups: dict[Labels, list[float]] = {}
    for one, value in vector.items():
        groups.setdefault(_only(one, by), []).append(value)
    return {group: _GATHER[str(node.op)](values) for group, values in groups.items()}


def _only(series: Labels, names: Iterable[str]) -> Labels:
    return frozenset((name, value) for name, value in series if name in set(names))


def _nameless(series: Labels) -> Labels:
    return frozenset((name, value) for name, value in series if name != NAME)


def _combined(node: Any, left: Value, right: Value) -> Value:
    sign = str(node.op)
    if sign in ("and", "or"):
        assert isinstance(left, dict)
        assert isinstance(right, dict)
        return _set_operation(node, sign, left, right)
    if isinstance(left, float) and isinstance(right, float):
        return _COMPUTE[sign](left, right)
    pairs = _pairs(left, right)
    if sign in _COMPARE:
        return {one: a if isinstance(left, dict) else b for one, a, b in pairs if _COMPARE[sign](a, b)}
    return {_nameless(one): _COMPUTE[sign](a, b) for one, a, b in pairs}


def _pairs(left: Value, right: Value) -> list[tuple[Labels, float, float]]:
    if isinstance(left, float):
        assert isinstance(right, dict)
        return [(one, left, value) for one, value in right.items()]
    if isinstance(right, float):
        return [(one, value, right) for one, value in left.items()]
    other = {_nameless(one): value for one, value in right.items()}
    return [(one, value, other[_nameless(one)]) for one, value in left.items() if _nameless(one) in other]


def _set_operation(node: Any, sign: str, left: Vector, right: Vector) -> Vector:
    on = None if node.modifier is None or node.modifier.matching is None else node.modifier.matching.labels

    def key(one: Labels) -> Labels:
        return _nameless(one) if on is None else _only(one, on)

    if sign == "and":
        there = {key(one) for one in right}
        return {one: value for one, value in left.items() if key(one) in there}
    here = {key(one) for one in left}
    return left | {one: value for one, value in right.items() if key(one) not in here}


def _called(node: Any, storage: Storage, at: float) -> Value:
    name = str(node.func.name)
    if name == "time":
        return at
    if name == "absent":
        return {} if _vector(node.args[0], storage, at) else {frozenset(): 1.0}
    if name in ("increase", "rate"):
        return _grown(node.args[0], storage, at, per_second=name == "rate")
    if name == "histogram_quantile":
        return {}  # recorded for people to look at; no alert asks for it
    raise NotImplementedError(f"{name}(): ask a real Prometheus")


def _grown(matrix: Any, storage: Storage, at: float, *, per_second: bool) -> Vector:
    """Between the samples that are there, a fall being a restart. Prometheus also guesses what was before the
    first and after the last, so that its figure is never smaller."""
    span = matrix.range.total_seconds()
    found: Vector = {}
    wanted = partial(_selected, matrix.vector_selector)
    for one, values in storage.over(at - span, at, wanted).items():
        if len(values) > 1:
            steps = pairwise(values)
            grown = sum(after - before if after >= before else after for before, after in steps)
            found[_nameless(one)] = grown / span if per_second else grown
    return found


# Rules


@dataclass
class Rules:
    """The rules of a rule file, evaluated scrape by scrape as Prometheus does."""

    groups: list[Mapping[str, Any]]
    storage: Storage = field(default_factory=Storage)
    _since: dict[tuple[str, Labels], float] = field(default_factory=dict)

    def scraped(self, at: float, series: Vector) -> None:
        """The next scrape, and everything that follows from it: what is recorded, and who is alerted."""
        now = dict(series)
        self.storage.scrapes.append((at, now))
        for group in self.groups:
            for rule in group["rules"]:
                name = rule.get("record")
                found = evaluate(str(rule["expr"]), self.storage, at)
                if name is None:
                    found = self._alerts(rule, found, at)
                    now |= found
                else:
                    now |= {_nameless(one) | {(NAME, name)}: value for one, value in found.items()}

    def _alerts(self, rule: Mapping[str, Any], found: Vector, at: float) -> Vector:
        alert, wait = str(rule["alert"]), _seconds(rule["for"]) if "for" in rule else 0.0
        active = {_nameless(one) for one in found}
        for gone in [key for key in self._since if key[0] == alert and key[1] not in active]:
            del self._since[gone]
        raised: Vector = {}
        for one in active:
            lasted = at - self._since.setdefault((alert, one), at)
            state = "firing" if lasted >= wait else "pending"
            told = {NAME: "ALERTS", "alertname": alert, "alertstate": state} | rule["labels"]
            raised[frozenset((dict(one) | told).items())] = 1.0
        return raised

    def firing(self) -> set[tuple[str, Labels]]:
        """Alerts after the last scrape, each with the labels of what it is about."""
        _, last = self.storage.scrapes[-1]
        told = [dict(one) for one in last if dict(one).get("alertstate") == "firing"]
        own = {NAME, "alertname", "alertstate", "severity"}
        return {
            (one["alertname"], frozenset((name, value) for name, value in one.items() if name not in own))
            for one in told
        }


def _seconds(said: str) -> float:
    duration: timedelta = promql.parse_duration(said)
    return duration.total_seconds()
