"""Records: values that are never changed once they are made."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import Field, dataclass, field, fields, make_dataclass
from typing import Any, TypeVar, cast, dataclass_transform

T = TypeVar("T")


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]:
    """A frozen dataclass with slots. That nobody changes it is proved by mypy and not watched at run time:
    the guard of each field would make a record three times as dear, and a message makes a hundred of them."""

    def made(plain: type[T]) -> type[T]:
        kind: Any = dataclass(frozen=True, kw_only=kw_only, slots=True)(plain)
        kind.__init__ = _init_of(kind)
        kind.__setattr__, kind.__delattr__ = object.__setattr__, object.__delattr__
        return cast(type[T], kind)

    return made


def _init_of(kind: Any) -> Any:
    """As a dataclass has it that may be changed."""
    again = [(one.name, Any, _again(one)) for one in fields(kind)]
    return make_dataclass(kind.__name__, again, eq=False, repr=False, match_args=False).__init__  # type: ignore[misc]


def _again(one: Field[Any]) -> Any:
    return field(default=one.default, default_factory=one.default_factory, init=one.init, kw_only=one.kw_only)
