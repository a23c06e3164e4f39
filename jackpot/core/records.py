"""Records: values that are never changed once they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import MISSING, Field, dataclass, field, fields
from functools import wraps
from typing import Any, ParamSpec, TypeVar, cast, dataclass_transform

T = TypeVar("T")
P = ParamSpec("P")


class Kept:
    """Mixin for frozen records that are written several times, as in a fact, in its answer and in the state
    after it: once one was encoded, it keeps its canonical text for as long as it lives."""

    __slots__ = ("text_kept",)
    text_kept: str | None

    def __post_init__(self) -> None:
        """Who makes records without calling `__init__`, as msgspec does, calls this."""
        self.text_kept = None


SPARSE = {"sparse": True}
"""Of a field that is written only where it says something: what has none keeps the bytes it always had."""


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """A frozen dataclass with slots. That nobody changes it is proved by mypy and not watched at run time:
    the guard of each field would make a record three times as dear, and a message makes a hundred of them."""

    def made(plain: type[T]) -> type[T]:
        kind: Any = dataclass(frozen=True, kw_only=kw_only, slots=True)(plain)
        kind.__init__ = _init_of(kind)
        kind.__setattr__, kind.__delattr__ = object.__setattr__, object.__delattr__
        del kind.__getstate__, kind.__setstate__  # a copy is made as of any object with slots
        return cast(type[T], kind)

    return made


def maker(kind: Callable[P, T]) -> Callable[P, T]:
    """What makes records of a dataclass as the class does, in less than half the time: Python hands a class
    its keywords in a dictionary, and a function in their places. For records that messages make many of."""
    parameters, stores, known = _parameters_and_stores(kind)
    known |= {"_kind": kind, "_new": object.__new__}
    body = "\n ".join(["self = _new(_kind)", *stores, "return self"])
    exec(f"def make({parameters}):\n {body}", known)  # noqa: S102  our own field names
    return cast(Callable[P, T], known["make"])


def _init_of(kind: Any) -> Any:
    """As a dataclass has it that may be changed."""
    parameters, stores, known = _parameters_and_stores(kind)
    body = "\n ".join(stores or ["pass"])
    exec(f"def __init__(self, {parameters}):\n {body}", known)  # noqa: S102  our own field names
    return wraps(kind.__init__)(known["__init__"])


def _parameters_and_stores(kind: Any) -> tuple[str, list[str], dict[str, Any]]:
    known: dict[str, Any] = {"unsaid": object()}
    told = [one for one in fields(kind) if one.init]
    by_place = [_parameter(one, known) for one in told if not one.kw_only]
    by_name = [_parameter(one, known) for one in told if one.kw_only]
    stores = [f"self.{one.name} = {_value(one)}" for one in told]
    if issubclass(kind, Kept):
        stores.append("self.text_kept = None")
    return ", ".join([*by_place, *(["*", *by_name] if by_name else [])]), stores, known


def _parameter(one: Field[Any], known: dict[str, Any]) -> str:
    if one.default is not MISSING:
        known[f"default_{one.name}"] = one.default
        return f"{one.name}=default_{one.name}"
    if one.default_factory is not MISSING:
        known[f"make_{one.name}"] = one.default_factory
        return f"{one.name}=unsaid"
    return one.name


def _value(one: Field[Any]) -> str:
    if one.default_factory is MISSING:
        return one.name
    return f"make_{one.name}() if {one.name} is unsaid else {one.name}"
