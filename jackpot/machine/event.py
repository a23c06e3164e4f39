"""What others who listen are told of a fact: a name for programs, and what is in it in the wire's words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, Generic, TypeVar

from jackpot.core.records import frozen
from jackpot.link.fact import Fact

F = TypeVar("F", bound=Fact)
Data = Mapping[str, Any]


class Topic(StrEnum):
    """What a listener may ask for."""

    WINS = "wins"
    PAYMENTS = "payments"
    CLAIMS = "claims"
    ALERTS = "alerts"
    OPENINGS = "openings"
    """Openings and closings of links, tables and gaming days."""
    PARAMETERS = "parameters"
    """Of a link, and its pool's money beside play."""


@frozen()
class Event(Generic[F]):
    type: str
    """Its name for programs; never changed again."""
    topic: Topic
    data: Callable[[F], Data]
    """Amounts in minor units, times as on the wire. Nothing that lets anybody in."""
