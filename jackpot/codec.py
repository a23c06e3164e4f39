"""Records as canonical bytes and back.

The bytes are what the journal hashes and keeps, so they must be the same on every machine: JSON with
sorted keys, no spaces, no floats. A record whose class is one of several possible ones carries the
class's name as `kind`.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

Decoder = Callable[[Any], Any]
T = TypeVar("T")


class Tagged:
    """Mixin for records that are told apart by `kind`."""

    __slots__ = ()


def to_bytes(record: object) -> bytes:
    return _ENCODER.encode(record).encode("utf-8", "surrogatepass")


def from_bytes(kind: type[T], data: bytes) -> T:
    return cast(T, decoder(kind)(json.loads(data)))


def _as_mapping(record: object) -> dict[str, object]:
    kind: Any = type(record)
    names, values = _reader(kind)
    plain = dict(zip(names, values(record), strict=True))
    if isinstance(record, Tagged):
        plain["kind"] = type(record).__name__
    return plain


_ENCODER = json.JSONEncoder(default=_as_mapping, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def names_of(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields."""
    return tuple(field.name for field in fields(kind))


@cache
def _reader(kind: Any) -> tuple[tuple[str, ...], Callable[[object], tuple[object, ...]]]:
    names = names_of(kind)
    if len(names) > 1:
        return names, attrgetter(*names)
    return names, lambda record: tuple(getattr(record, name) for name in names)


def decoder(kind: Any) -> Decoder:
    """A function from parsed JSON to a value of that type."""
    return _decoder(kind)


@cache
def _decoder(kind: Any) -> Decoder:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _one_of(get_args(kind))
    if origin in (tuple, list):
        return _sequence(origin, decoder(get_args(kind)[0]))
    if origin is not None and issubclass(origin, Mapping):
        key, value = (decoder(part) for part in get_args(kind))
        return lambda data: {key(name): value(item) for name, item in data.items()}
    if is_dataclass(kind):
        return _record(kind)
    if issubclass(kind, Enum) or kind is int:
        return cast(Decoder, kind)
    return lambda data: data


def _sequence(origin: Callable[[Any], Any], item: Decoder) -> Decoder:
    return lambda data: origin(item(part) for part in data)


def _one_of(kinds: tuple[Any, ...]) -> Decoder:
    rest = [kind for kind in kinds if kind is not NoneType]
    if len(rest) == 1:
        only = decoder(rest[0])
        return lambda data: None if data is None else only(data)
    by_name = {kind.__name__: kind for kind in rest}
    return lambda data: None if data is None else decoder(by_name[data["kind"]])(data)


def _record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    parts: list[tuple[str, Decoder]] | None = None

    def build(data: Any) -> Any:
        nonlocal parts
        if parts is None:
            parts = [(field.name, decoder(hints[field.name])) for field in fields(kind) if field.init]
        return kind(**{name: convert(data[name]) for name, convert in parts if name in data})

    return build
