"""Entries read quickly: for whoever reads all of them.

What an entry means is said by `read_entry` and `read_said`. This gives the same for what this release writes,
several times as fast: msgspec makes the records at once, and refuses what is not exactly of their types. What
it refuses, and what it cannot make, goes the ordinary way, which says what is wrong.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import MISSING, Field, fields, is_dataclass
from functools import cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Union, cast, get_args, get_origin, get_type_hints

import msgspec
from msgspec import Raw

from jackpot.core.codec import decoder
from jackpot.core.records import SPARSE
from jackpot.core.versions import RULES, SCHEMA
from jackpot.link import answers, facts
from jackpot.link.answers import Said, read_said
from jackpot.link.fact import Fact
from jackpot.link.facts import Entry, chained, read_entry

Reader = Callable[[Any], Any]


class _Envelope(msgspec.Struct):
    at: int
    fact: Raw
    link: str
    rules: int
    said: Raw
    schema: int
    sequence: int


class _Said(msgspec.Struct):
    answer: Raw
    content: str | None
    key: str | None


class _OfKind(msgspec.Struct):
    kind: str


_envelope = msgspec.json.Decoder(_Envelope).decode
_said = msgspec.json.Decoder(_Said | None).decode
_of_kind = msgspec.json.Decoder(_OfKind).decode
_untyped = msgspec.json.Decoder().decode


def read_whole(link: str, data: bytes, head: str) -> tuple[Entry, Said | None]:
    """An entry chained to the one before it, and what was said with it."""
    try:
        told = _envelope(data)
        if told.schema == SCHEMA and told.link == link and 0 < told.rules <= RULES:
            return _entry(told, data, head), _read_said(told.said)
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, RecursionError):
        pass  # asked again, it says what is wrong
    return read_entry(link, data, head), read_said(data)


def _entry(told: _Envelope, data: bytes, head: str) -> Entry:
    fact = _reader(facts.KINDS[_of_kind(told.fact).kind])(told.fact)
    return Entry(told.sequence, told.at, fact, data, chained(head, data), told.rules)


def _read_said(told: Raw) -> Said | None:
    found = _said(told)
    if found is None:
        return None
    answer = _reader(answers.KINDS[_of_kind(found.answer).kind])(found.answer)
    return Said(found.key, found.content, answer)


def _reader_of(kind: Any) -> Reader:
    if _is_plain(kind):
        return msgspec.json.Decoder(kind).decode
    if is_dataclass(kind):
        return _piecewise(kind)
    made = decoder(kind)
    return lambda data: made(_untyped(data))


_reader = cast(Callable[[Any], Reader], cache(_reader_of))
"""A function from bytes to a value of that type."""


def _piecewise(kind: Any) -> Reader:
    """A record of which some parts go the ordinary way."""
    hints, names = get_type_hints(kind), [one.name for one in fields(kind) if one.init]
    apart = {name: _reader(hints[name]) for name in names if not _is_plain(hints[name])}
    rare = {one.name: one.default for one in fields(kind) if one.metadata == SPARSE}
    parts = [(name, Raw if name in apart else hints[name]) for name in names]
    several = [(*part, rare[part[0]]) if part[0] in rare else part for part in parts]
    read = msgspec.json.Decoder(msgspec.defstruct(f"{kind.__name__}Parts", several, kw_only=True)).decode

    def build(data: Any) -> Any:
        found = read(data)
        told = {name: getattr(found, name) for name in names}
        written = {name: made for name, made in apart.items() if isinstance(told[name], Raw)}
        return kind(**told | {name: made(told[name]) for name, made in written.items()})

    return build


@cache
def _is_plain(kind: Any) -> bool:
    """Whether msgspec makes of it what our own decoder does. It cannot tell records of one field apart by
    their `kind`, and leaves boxes named by numbers in the order of their names."""
    origin, parts = get_origin(kind), [one for one in get_args(kind) if one not in (NoneType, Ellipsis)]
    if origin in (Union, UnionType):
        return len(parts) == 1 and _is_plain(parts[0])
    if origin is not None and issubclass(origin, Mapping):
        return parts[0] is not int and _is_plain(parts[1])
    if is_dataclass(kind):
        parts = list(get_type_hints(kind).values())
    return all(map(_is_plain, parts))


# Only what happened, without who said it and what the chain made of it


class _Lightly(msgspec.Struct):
    fact: Raw
    rules: int
    said: Raw
    schema: int


_lightly = msgspec.json.Decoder(_Lightly).decode
_NOTHING = b"null"
_OF_THE_MAIN_GAME = frozenset(("settlement", "adjustments", "left_open"))
"""Half of an entry, and nothing of the jackpot."""


def _light_reader_of(kind: Any) -> Reader:
    hints, several = get_type_hints(kind), [one for one in fields(kind) if one.init]
    wanted = [one for one in several if one.name not in _OF_THE_MAIN_GAME]
    if wanted == several or not all(_is_plain(hints[one.name]) for one in wanted):
        return _reader(kind)
    parts = [(one.name, hints[one.name], _unsaid(one)) for one in wanted]
    names = [one.name for one in wanted]
    made = msgspec.defstruct(f"{kind.__name__}Lightly", parts, kw_only=True)
    read, told = msgspec.json.Decoder(made).decode, attrgetter(*names)
    return lambda data: kind(**dict(zip(names, told(read(data)), strict=True)))


def _unsaid(one: Field[Any]) -> Any:
    """What an entry means that says nothing of it."""
    if one.default_factory is not MISSING:
        return msgspec.field(default_factory=one.default_factory)
    return msgspec.NODEFAULT if one.default is MISSING else one.default


_light_reader = cast(Callable[[Any], Reader], cache(_light_reader_of))


def read_fact(link: str, kind: str, data: bytes) -> tuple[Fact, int, bool]:
    """The fact of an entry but for its main game, the version of the rules it was made by, and whether it is
    the last of its command. Nothing is hashed or compared: whoever doubts the journal verifies it."""
    try:
        told = _lightly(data)
        if told.schema == SCHEMA and 0 < told.rules <= RULES:
            return _light_reader(facts.KINDS[kind])(told.fact), told.rules, bytes(told.said) != _NOTHING
    except (msgspec.MsgspecError, KeyError, TypeError, ValueError, RecursionError):
        pass  # asked again, it says what is wrong
    entry = read_entry(link, data, "")
    return entry.fact, entry.rules, read_said(data) is not None
