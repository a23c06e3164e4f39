"""A game's side of a table controller: what it is answered, what it must know of its round, and what its
rules say when nobody answers."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import ClassVar, Generic, Protocol, TypeVar

from msgspec import structs

from jackpot.client.errors import Refused, refusal
from jackpot.client.messages import Answer, Body, Meter
from jackpot.client.spool import Known, Offline, Waiting
from jackpot.core import refusals
from jackpot.core.refusals import RoundIsVoid
from jackpot.link.meters import Meters
from jackpot.link.table_terms import TableTerms

_STATUS = {refusals.BadInput: 422, refusals.Unknown: 404, refusals.NotAllowed: 403, refusals.Conflict: 409}
K = TypeVar("K", bound=Known)
Answers = dict[str, type[Answer]]
"""By the kind of message."""


def as_on_the_wire(refused: refusals.Refused) -> Refused:
    """A refusal of the rules, as the service would have told it."""
    status = next(status for base, status in _STATUS.items() if isinstance(refused, base))
    told = {"code": refused.code, "detail": refused.message, "rule": refused.rule}
    return refusal(status, {**refused.data, **told})


class Paragraphs(Protocol):
    """The paragraphs of any game that end a round."""

    @property
    def earlier_rounds_stand(self) -> str: ...

    @property
    def void_returns_all(self) -> str: ...


class Fallback(ABC, Generic[K]):
    known: type[K]
    answers: ClassVar[Answers]

    def __init__(self, table: str, paragraphs: Paragraphs) -> None:
        self.table, self._ends = table, paragraphs

    @abstractmethod
    def on_terms(self, terms: TableTerms) -> None:
        """The rounds to come are played on these; one that has begun keeps its own."""

    @abstractmethod
    def alone(self, known: K | None, message: Waiting, meter: Meter | None) -> Answer:
        """The answer without the service, or its refusal; `known` is the table's latest round."""

    @abstractmethod
    def noted(self, known: K | None, message: Waiting, told: Answer) -> K | None:
        """The latest round once this was answered, by whomever."""

    @abstractmethod
    def metered(self, known: K) -> Meters:
        """What a round that was not voided adds to the controller's meters."""

    def turned(self, known: K, refused: Refused) -> K:
        """What a refusal tells of the round: the House may have voided it meanwhile."""
        return structs.replace(known, voided=True) if refused.code == RoundIsVoid.code else known

    @abstractmethod
    def offline(self, promised: Offline, batch: list[Waiting]) -> tuple[list[Waiting], Body | None]:
        """How much of what waits is said in one message, and what it says of the time alone."""

    def differs(self, alone: Answer, answered: Answer) -> bool:  # noqa: ARG002  not every game compares
        """Whether the service has found otherwise what the table was told alone."""
        return False

    def check_new(self, known: K | None, number: int) -> None:
        if known is not None and number <= known.number:
            raise as_on_the_wire(
                refusals.RoundPassed(
                    f"round {known.number} has begun; round numbers rise", expected=known.number + 1
                )
            )

    def check_current(self, known: K | None, number: int) -> K:
        """The round that is being played, if it is this one and not void."""
        if known is None or number > known.number:
            raise as_on_the_wire(refusals.RoundUnknown(f"bets of round {number} were not closed"))
        if number < known.number:
            rule = self._ends.earlier_rounds_stand
            raise as_on_the_wire(refusals.RoundStands(f"round {number} is settled", rule=rule))
        if known.voided:
            rule = self._ends.void_returns_all
            raise as_on_the_wire(refusals.RoundIsVoid(f"round {number} was voided", rule=rule))
        return known
