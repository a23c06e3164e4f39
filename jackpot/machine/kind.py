"""What the house must know of a kind of fact. Every part is required: forgetting one is a type error."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import KW_ONLY
from enum import IntEnum
from typing import Any, Generic, Protocol, TypeVar

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.link.fact import Fact
from jackpot.link.facts import Posted, Stamp
from jackpot.link.handovers import HandoverState
from jackpot.link.rounds import Round
from jackpot.link.state import Link, Pit
from jackpot.link.wins import WinState
from jackpot.machine.event import Event
from jackpot.machine.telling import Telling
from jackpot.pools import pool

F = TypeVar("F", bound=Fact)
G = TypeVar("G", bound=Fact)
P = TypeVar("P", bound=Pit)
F_contra = TypeVar("F_contra", bound=Fact, contravariant=True)


class Denied(ValueError):
    """The rules give something else than the journal says."""


@frozen()
class Evidence:
    """Nothing of the fact can be computed again, for this reason; the hash chain alone protects it."""

    reason: str


class MeterMay(IntEnum):
    """How a fact may move the meter; each permits what the one before it does."""

    RISE = 0
    FALL = 1
    MOVE_WHILE_HELD = 2


@frozen()
class WinBegan:
    """A row in the record of wins."""

    win: str
    table: str
    round: int
    box: int
    hand: Hand


@frozen()
class WinEnded:
    win: str
    state: WinState
    amount: int | None = None
    slip: int | None = None
    """By which it is to be handed over."""


@frozen()
class ClaimBegan:
    """A row in the record of late claims, in place of an earlier one that was withdrawn."""

    claim: str
    table: str
    round: int
    box: int


@frozen()
class ClaimEnded:
    claim: str
    decided: bool
    """Otherwise it was withdrawn."""
    amount: int | None = None
    slip: int | None = None


@frozen()
class HandoverChanged:
    """Of a win or a late claim."""

    win: str
    state: HandoverState


Remembered = WinBegan | WinEnded | ClaimBegan | ClaimEnded | HandoverChanged


class AtTable(Protocol):
    @property
    def table(self) -> str: ...


def no_table(_fact: Fact, _pit: Pit) -> Iterable[str]:
    return ()


def own_table(fact: AtTable, _pit: Pit) -> Iterable[str]:
    return (fact.table,)


def every_table(_fact: Fact, pit: Pit) -> Iterable[str]:
    return pit.tables


@frozen()
class Kind(Generic[F, P]):
    fact: type[F]
    _: KW_ONLY
    place: type[P]
    """In whose journal it may stand: a link's, or any pit's, a link's among them."""
    apply: Callable[[P, F, Stamp], None]
    """Change the state as the fact says. No rule is worked out here: a fact says what it changed."""
    recompute: Callable[[P, F], None] | Evidence
    """For an auditor: compare the fact with what the rules make of the state before it."""
    meter: MeterMay
    touches: Callable[[F, P], Iterable[str]]
    """The tables whose state it may have changed: their rows are written."""
    shown_at_tables: bool
    """Whether it may change what a table's display shows besides the meter."""
    history: Callable[[F], Remembered] | None
    """What it changes in the record of wins, late claims and their slips, which outlives the state."""
    words: Callable[[F, Telling], str]
    """The sentence that tells it to people."""
    foretold: Callable[[F, Telling], str] | None
    """What is said of it before an act is confirmed, if that is not `words`; nothing, if it is empty."""
    event: Event[F] | None
    """What others who listen are told of it; None if they are not: it comes with every round, or says
    nothing to them."""
    earliest: Callable[[P, F], int] | None = None
    """For an auditor: the house time before which it cannot have been written, if time has to pass first."""

    def __or__(self, other: Kind[G, Any]) -> Kinds[F | G]:
        return Kinds(self, other)


class Kinds(Generic[F_contra]):
    """Several kinds, and in the type the union of their facts: `Kinds[RoundFact]` lacks none of them."""

    def __init__(self, *kinds: Kind[Any, Any]) -> None:
        self._kinds = kinds

    def __or__(self, other: Kind[G, Any]) -> Kinds[F_contra | G]:
        return Kinds(*self, other)

    def __iter__(self) -> Iterator[Kind[Any, Any]]:
        return iter(self._kinds)


def post_moves(link: Link, fact: Posted) -> None:
    pool.post(link.pool, fact.moves, fact.contributed, None)


def round_at(link: Link, table: str) -> Round:
    current = link.tables[table].round
    if current is None:
        raise Denied(f"a fact about a round at {table}, which has none")
    return current


def must_equal(what: str, written: object, computed: object) -> None:
    if written != computed:
        raise Denied(f"{what}: the journal says {written}, the rules give {computed}")


def must_hold(what: str, *, holds: bool) -> None:
    if not holds:
        raise Denied(f"the journal says otherwise, but {what}")


def two_people(persons: tuple[str, ...]) -> None:
    must_equal("two people", len(set(persons)), 2)
