"""Counters: integers by name, that are added to and taken from one another."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

Counters = dict[str, int]


def add(to: Counters, more: Mapping[str, int], times: int = 1) -> None:
    """With `times` below zero they are taken out again."""
    for name, number in more.items():
        to[name] = to.get(name, 0) + times * number


def difference(later: Mapping[str, int], earlier: Mapping[str, int]) -> Counters:
    """What was counted in between; what did not change is left out.

    >>> difference({"rounds": 5, "voided": 1}, {"rounds": 3, "voided": 1})
    {'rounds': 2}
    """
    names = sorted(later.keys() | earlier.keys())
    return {name: more for name in names if (more := later.get(name, 0) - earlier.get(name, 0))}


def total(several: Iterable[Mapping[str, int]]) -> Counters:
    found: Counters = {}
    for one in several:
        add(found, one)
    return found


def parts(counters: Mapping[str, int], group: str) -> dict[str, Counters]:
    """Those of a group by what they are of, as `minor.flush.count` of the group `minor`.

    >>> parts({"minor.flush.count": 2, "minor.flush.amount": 40, "rounds": 9}, "minor")
    {'flush': {'count': 2, 'amount': 40}}
    """
    found: dict[str, Counters] = {}
    for name, number in counters.items():
        if name.startswith(f"{group}."):
            one, figure = name.removeprefix(f"{group}.").rsplit(".", 1)
            found.setdefault(one, {})[figure] = number
    return found
