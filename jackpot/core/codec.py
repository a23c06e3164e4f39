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

from jackpot.core.records import SPARSE, Kept

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
    written = _Written()
    return written.compiled(
        written.record(kind, names_of(kind), "it") if is_dataclass(kind) else written.value(kind, "it")
    )


encoder = cast(Callable[[Any], Encoder], cache(_encoder))
"""A function from a value of that type to its canonical JSON."""


def encoder_without(kind: Any, omitted: frozenset[str]) -> Encoder:
    """The same, leaving some fields out."""
    written, names = _Written(), tuple(name for name in names_of(kind) if name not in omitted)
    return written.compiled(written.record(kind, names, "it"))


@cache
def _keeping(kind: Any) -> Encoder:
    """Of a record that keeps its text."""
    written = _Written()
    return written.compiled(written.record(kind, names_of(kind), "it"), kept=True)


_BY_CALL: dict[Any, str] = {int: "number", str: "quoted"}
"""What an encoder calls these."""


class _Written:
    """An encoder as one expression of Python, with that of each part in its place: records are encoded with
    every bet, and a call would cost as much as several fields. `source` is what stands for the value."""

    def __init__(self) -> None:
        self._known: dict[str, Any] = {"quoted": quoted, "number": int.__repr__, "encoder": encoder}
        self._names = 0

    def compiled(self, expression: str, *, kept: bool = False) -> Encoder:
        keep = "it.text_kept = " if kept else ""
        exec(f"def encode(it):\n text = {keep}{expression}\n return text", self._known)  # noqa: S102  our own field names
        return cast(Encoder, self._known["encode"])

    def record(self, kind: Any, names: tuple[str, ...], source: str) -> str:
        hints = get_type_hints(kind)
        rare = {one.name for one in fields(kind) if one.metadata == SPARSE}
        parts = {name: (f'"{name}":%s', self._part(hints[name], f"{source}.{name}")) for name in names}
        if issubclass(kind, Tagged):
            parts["kind"] = (f'"kind":{quoted(kind.__name__)}', "")
        template, values = "", list[str]()
        first = min(parts.keys() - rare)
        for name in sorted(parts):
            text, value = parts[name]
            if name in rare:
                said = f"{text}," if name < first else f",{text}"
                template, value = f"{template}%s", f"({said!r} % ({value},) if {source}.{name} else '')"
            else:
                template += text if name == first else f",{text}"
            values += [value] if value else []
        return f"({f'{{{template}}}'!r} % ({''.join([f'{value}, ' for value in values])}))"

    def _part(self, kind: Any, source: str) -> str:
        """As what stands in a template, where a number need not be text."""
        if kind is int:
            return source
        return (
            f'("null" if {source} is None else {source})' if kind == int | None else self.value(kind, source)
        )

    def value(self, kind: Any, source: str) -> str:
        origin: Any = get_origin(kind)
        if origin in (Union, UnionType):
            return self._one_of(kind, source)
        if origin in (tuple, list):
            return (
                f"""('[%s]' % (",".join({self._items(get_args(kind)[0], source)}), ) if {source} else "[]")"""
            )
        if origin is not None and issubclass(origin, Mapping):
            key, item = get_args(kind)
            return self._mapping(key, item, source)
        return self._nested(kind, source) if is_dataclass(kind) else self._simple(kind, source)

    def _items(self, kind: Any, source: str) -> str:
        if kind in _BY_CALL:
            return f"map({_BY_CALL[kind]}, {source})"
        one = self._name()
        return f"[{self.value(kind, one)} for {one} in {source}]"

    def _nested(self, kind: Any, source: str) -> str:
        if issubclass(kind, Kept):
            return f"({source}.text_kept or {self._name(_keeping(kind))}({source}))"
        return self.record(kind, names_of(kind), source)

    def _simple(self, kind: Any, source: str) -> str:
        if kind is bool:
            return f'("true" if {source} else "false")'
        if kind in _BY_CALL:
            return f"{_BY_CALL[kind]}({source})"
        return f"{self._name({member: quoted(member.value) for member in kind})}[{source}]"

    def _one_of(self, kind: Any, source: str) -> str:
        rest = _without_none(kind)
        if NoneType not in get_args(kind):
            return f"encoder(type({source}))({source})"
        found = self._name()
        text = self.value(rest[0], found) if len(rest) == 1 else f"encoder(type({found}))({found})"
        return f'("null" if ({found} := {source}) is None else {text})'

    def _mapping(self, key: Any, kind: Any, source: str) -> str:
        name, item = self._name(), self._name()
        value, template = self.value(kind, item), "'%s:%s'"
        if issubclass(key, Enum):
            members = sorted([(quoted(member.value), member) for member in key])
            text, of_all = self._name(), self._name(members)
            each = f"{template} % ({text}, {value}) for {text}, {name} in {of_all} if {name} in {source}"
        elif key is int:
            each = f"""'"%s":%s' % ({name}, {value}) for {name} in sorted({source}, key=str)"""
        else:
            each = f"{template} % (quoted({name}), {value}) for {name} in sorted({source})"
        return f"""('{{%s}}' % (",".join([{each} for {item} in ({source}[{name}],)]), ))"""

    def _name(self, known: Any = None) -> str:
        """A new one, for a variable or for something that the expression uses."""
        self._names += 1
        name = f"_{self._names}"
        if known is not None:
            self._known[name] = known
        return name


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
