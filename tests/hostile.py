"""What may be wrong with a message: values that its fields do not want, and bodies that are no message."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from tests.service import Json

Path = tuple[str | int, ...]
MANY_DIGITS = "9" * 5000


@dataclass(frozen=True)
class Raw:
    """A piece of JSON that Python would not write by itself."""

    text: str


NUMBERS = [
    Raw("NaN"),
    Raw("Infinity"),
    Raw("-Infinity"),
    Raw("1e400"),
    Raw(MANY_DIGITS),
    Raw(f"-{MANY_DIGITS}"),
]
NOT_AN_INTEGER: list[Any] = ["1", "", 1.5, True, [], {}, [1], 2**63, -(2**63) - 1, 10**30, *NUMBERS]
NOT_A_TEXT: list[Any] = [
    1,
    1.5,
    True,
    [],
    {},
    ["x"],
    "\0",
    Raw('"\\ud800"'),
    Raw('"\\udc00x"'),
    "x" * 20_000,
    *NUMBERS,
]
NOT_A_TRUTH: list[Any] = [1, 0, "true", "", [], {}, *NUMBERS]
NOT_A_LIST: list[Any] = [1, "x", {}, True, {"0": 1}, *NUMBERS]
NOT_AN_OBJECT: list[Any] = [1, "x", [], True, [[]], *NUMBERS]


def wrong_for(value: object) -> list[Any]:
    """Values of which none can stand where this one does."""
    kinds: list[tuple[type, list[Any]]] = [
        (bool, NOT_A_TRUTH),
        (int, NOT_AN_INTEGER),
        (str, NOT_A_TEXT),
        (list, NOT_A_LIST),
        (dict, NOT_AN_OBJECT),
    ]
    return next(wrong for kind, wrong in kinds if isinstance(value, kind))


def fields_of(value: object, path: Path = ()) -> Iterator[tuple[Path, Any]]:
    """Every field of a message, however deep, with its value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for name, one in inner:
        yield (*path, name), one
        yield from fields_of(one, (*path, name))


def changed(body: Json, path: Path, value: object) -> Json:
    """The message with another value in that place."""
    other = copy.deepcopy(body)
    place: Any = other
    for name in path[:-1]:
        place = place[name]
    place[path[-1]] = value
    return other


def without(body: Json, path: Path) -> Json:
    other = copy.deepcopy(body)
    place: Any = other
    for name in path[:-1]:
        place = place[name]
    del place[path[-1]]
    return other


def written(body: object) -> bytes:
    """As JSON, with raw pieces as they are."""
    raw: list[str] = []

    def mark(value: Any) -> str:
        raw.append(value.text)
        return f"\ue000{len(raw) - 1}\ue000"

    text = json.dumps(body, default=mark, ensure_ascii=False)
    for number, piece in enumerate(raw):
        text = text.replace(f'"\ue000{number}\ue000"', piece)
    return text.encode()


NO_MESSAGES: dict[str, bytes] = {
    "nothing": b"",
    "half": b'{"sent_at": ',
    "text": b"hello",
    "list": b"[]",
    "number": b"7",
    "null": b"null",
    "string": b'"x"',
    "bad utf-8": b'{"note": "\xff\xfe\xfa"}',
    "overlong utf-8": b'{"note": "\xc0\x80"}',
    "utf-16": '{"note": "x"}'.encode("utf-16"),
    "nul": b"\0" * 40,
    "nested lists": b"[" * 30_000 + b"]" * 30_000,
    "nested objects": b'{"a":' * 10_000 + b"1" + b"}" * 10_000,
    "nested and cut": b"[" * 60_000,
    "not a number": b'{"boxes": NaN}',
    "many digits": b'{"seq": ' + MANY_DIGITS.encode() + b"}",
    "surrogate name": b'{"\\ud800": 1}',
    "two documents": b"{}{}",
    "ten megabytes": b'{"note": "' + b"x" * 10_000_000 + b'"}',
    "ten megabytes of lists": b"[" * 10_000_000,
}
