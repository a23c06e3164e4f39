"""Entries read quickly are what the ordinary way makes of them, in value and in order."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from jackpot.book.reading import entries
from jackpot.book.reading.entries import read_whole
from jackpot.core.versions import SCHEMA
from jackpot.link import answers, facts
from jackpot.link.answers import read_said
from jackpot.link.facts import ForeignEntry, UnknownVersion, read_entry
from tests import golden


def _entries(release: str) -> list[bytes]:
    return [data for one in golden.kept(release) for data in one.entries]


def _ordinary(link: str, data: bytes) -> object:
    return read_entry(link, data, "head"), read_said(data)


@pytest.mark.parametrize("release", golden.releases())
def test_every_entry_of_the_golden_journals_is_read_the_same(release: str) -> None:
    for data in _entries(release):
        link = json.loads(data)["link"]
        found, expected = read_whole(link, data, "head"), _ordinary(link, data)
        assert repr(found) == repr(expected)
        assert found == expected


def test_what_this_release_writes_is_read_quickly(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("the ordinary way")

    monkeypatch.setattr(entries, "read_entry", refuse)
    for data in _entries(golden.releases()[-1]):
        if json.loads(data)["schema"] == SCHEMA:
            read_whole(json.loads(data)["link"], data, "head")


def test_every_kind_of_fact_and_answer_can_be_read() -> None:
    for kind in [*facts.KINDS.values(), *answers.KINDS.values()]:
        assert callable(entries._reader(kind))


@pytest.mark.parametrize(
    "change",
    [
        lambda told: told | {"fact": told["fact"] | {"round": str(told["fact"]["round"])}},
        lambda told: told | {"fact": told["fact"] | {"round": True}},
        lambda told: told | {"fact": told["fact"] | {"more": 1}},
        lambda told: told | {"fact": {name: one for name, one in told["fact"].items() if name != "moves"}},
        lambda told: told | {"said": None},
    ],
)
def test_what_is_written_oddly_is_read_as_ever(change: Callable[[Any], Any]) -> None:
    data = next(one for one in _entries(golden.releases()[-1]) if b'"kind":"BetsClosed"' in one)
    told = change(json.loads(data))
    odd = json.dumps(told).encode()
    assert read_whole(told["link"], odd, "head") == _ordinary(told["link"], odd)


@pytest.mark.parametrize(
    ("change", "refused"),
    [
        (lambda told: told | {"link": "other"}, ForeignEntry),
        (lambda told: told | {"schema": 99}, UnknownVersion),
        (lambda told: told | {"rules": 0}, UnknownVersion),
        (lambda told: told | {"fact": told["fact"] | {"kind": "Nothing"}}, KeyError),
        (lambda told: told | {"fact": told["fact"] | {"round": "x"}}, ValueError),
        (lambda told: told | {"fact": {"kind": "BetsClosed"}}, TypeError),
        (lambda told: told | {"said": {"answer": {"kind": "Done"}}}, KeyError),
    ],
)
def test_what_cannot_be_read_is_refused_as_ever(
    change: Callable[[Any], Any], refused: type[Exception]
) -> None:
    data = next(one for one in _entries(golden.releases()[-1]) if b'"kind":"BetsClosed"' in one)
    link = json.loads(data)["link"]
    with pytest.raises(refused):
        read_whole(link, json.dumps(change(json.loads(data))).encode(), "head")
