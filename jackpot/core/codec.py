"""Records as canonical bytes and back.

The bytes are what the journal hashes and keeps, so they must be the same on every machine: JSON with
sorted keys, no spaces, no floats. A record whose class is one of several possible ones carries the
class's name as `kind`. Encoders and decoders are made once for each type, from its annotations.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from functools import cache
from json.encoder import encode_basestring
from types import NoneType, UnionType
from typing import Any, TypeVar, Union, cast, get_args, get_origin, get_type_hints

quoted = encode_basestring
Encoder = Callable[[Any], str]
Decoder = Callable[[Any], Any]
T = TypeVar("T")


class Tagged:
    """Mixin for records that are told apart by `kind`."""

    __slots__ = ()


def to_bytes(record: object) -> bytes:
    return encoder(type(record))(record).encode()


def from_bytes(kind: type[T], data: bytes) -> T:
    return cast(T, decoder(kind)(json.loads(data)))


def names_of(kind: Any) -> tuple[str, ...]:
    """The names of a record's fields."""
    return tuple(field.name for field in fields(kind))


def _without_none(kind: Any) -> list[Any]:
    return [part for part in get_args(kind) if part is not NoneType]


# Encoding


def _encoder(kind: Any) -> Encoder:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _encode_one_of(kind)
    if origin in (tuple, list):
        return _encode_sequence(encoder(get_args(kind)[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _encode_mapping(*get_args(kind))
    if is_dataclass(kind):
        return _encode_record(kind, names_of(kind))
    return _SIMPLE.get(kind) or _encode_enum(kind)


encoder = cast(Callable[[Any], Encoder], cache(_encoder))
"""A function from a value of that type to its canonical JSON."""

_SIMPLE: dict[Any, Encoder] = {
    int: int.__repr__,
    str: quoted,
    bool: lambda value: "true" if value else "false",
}


def _encode_enum(kind: Any) -> Encoder:
    texts = {member: quoted(member.value) for member in kind}
    return texts.__getitem__


def _encode_one_of(kind: Any) -> Encoder:
    rest = _without_none(kind)
    if len(rest) == 1:
        only = encoder(rest[0])
        return lambda value: "null" if value is None else only(value)
    return lambda value: encoder(type(value))(value)


def _encode_sequence(item: Encoder) -> Encoder:
    return lambda values: f"[{','.join(map(item, values))}]" if values else "[]"


def _encode_mapping(key: Any, value: Any) -> Encoder:
    item = encoder(value)
    if issubclass(key, Enum):
        return _encode_by_member(sorted(key, key=lambda member: str(member.value)), item)

    def encode(values: Mapping[Any, Any]) -> str:
        pairs = sorted((str(name), value) for name, value in values.items())
        return f"{{{','.join([f'{quoted(name)}:{item(value)}' for name, value in pairs])}}}"

    return encode


def _encode_by_member(members: list[Any], item: Encoder) -> Encoder:
    texts = [(member, quoted(member.value)) for member in members]

    def encode(values: Mapping[Any, Any]) -> str:
        return f"{{{','.join([f'{text}:{item(values[one])}' for one, text in texts if one in values])}}}"

    return encode


def _encode_record(kind: Any, names: tuple[str, ...]) -> Encoder:
    """Written out as one expression: records are encoded with every bet."""
    hints = get_type_hints(kind)
    texts = {name: f"{{{_expression(hints[name], name)}}}" for name in names}
    if issubclass(kind, Tagged):
        texts["kind"] = quoted(kind.__name__)
    body = ",".join(f'"{name}":{texts[name]}' for name in sorted(texts))
    known = {f"encode_{name}": encoder(hints[name]) for name in names}
    return cast(Encoder, eval(f"lambda record: f'{{{{{body}}}}}'", known))  # noqa: S307  our own field names


def _expression(kind: Any, name: str) -> str:
    """What can be written without a call is."""
    if kind is int:
        return f"record.{name}"
    if kind is bool:
        return f'"true" if record.{name} else "false"'
    if kind == int | None:
        return f'"null" if record.{name} is None else record.{name}'
    return f"encode_{name}(record.{name})"


def encoder_without(kind: Any, omitted: frozenset[str]) -> Encoder:
    """The same, leaving some fields out."""
    return _encode_record(kind, tuple(name for name in names_of(kind) if name not in omitted))


# Decoding


def decoder(kind: Any) -> Decoder:
    """A function from parsed JSON to a value of that type."""
    return _decoder(kind)


@cache
def _decoder(kind: Any) -> Decoder:
    origin = get_origin(kind)
    if origin in (Union, UnionType):
        return _decode_one_of(kind)
    if origin in (tuple, list):
        return _decode_sequence(origin, decoder(get_args(kind)[0]))
    if origin is not None and issubclass(origin, Mapping):
        return _decode_mapping(*get_args(kind))
    if is_dataclass(kind):
        return _decode_record(kind)
    if issubclass(kind, Enum) or kind is int:
        return cast(Decoder, kind)
    return lambda data: data


def _decode_mapping(key: Any, value: Any) -> Decoder:
    name_of, item_of = decoder(key), decoder(value)
    if key is not int:
        return lambda data: {name_of(name): item_of(item) for name, item in data.items()}
    # Written by name, "10" stands before "2": box 2 must come before box 10 again.
    return lambda data: {int(name): item_of(data[name]) for name in sorted(data, key=int)}


def _decode_sequence(origin: Callable[[Any], Any], item: Decoder) -> Decoder:
    return lambda data: origin([item(part) for part in data])


def _decode_one_of(kind: Any) -> Decoder:
    rest = _without_none(kind)
    if len(rest) == 1:
        only = decoder(rest[0])
        return lambda data: None if data is None else only(data)
    by_name = {one.__name__: one for one in rest}
    return lambda data: None if data is None else decoder(by_name[data["kind"]])(data)


def _decode_record(kind: Any) -> Decoder:
    hints = get_type_hints(kind)
    parts = [(field.name, decoder(hints[field.name])) for field in fields(kind) if field.init]

    def build(data: Any) -> Any:
        return kind(**{name: convert(data[name]) for name, convert in parts if name in data})

    return build
