"""What an act of the House is: all that the service must know of it, in one declaration.

Routes, previews and the OpenAPI document are made from the declarations, which `api.operators.acts` lists.
Every part is required, so that a forgotten one does not type-check.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

from fastapi import Request

from api.callers.identity import Caller
from api.http.errors import Problem
from api.operators.act_answers import Carried, Reply
from api.service import service_of
from jackpot.book.beside.calendar import Day
from jackpot.book.beside.roles import Role
from jackpot.book.reading.lookup import storable
from jackpot.book.stores.committed import LinkUnknown
from jackpot.core.refusals import TableUnknown, Unknown
from jackpot.house.profiles import ChangesWhen
from jackpot.link.commands import HouseAct, MoveTable, Propose
from jackpot.link.proposals import Change, ParameterChange

DESK = (Role.OPERATOR, Role.SUPERVISOR)
SUPERVISOR = (Role.SUPERVISOR,)
Body = TypeVar("Body")
Body_co = TypeVar("Body_co", covariant=True)
Body_contra = TypeVar("Body_contra", contravariant=True)


class People(StrEnum):
    """How many it takes; the value is the heading in the OpenAPI document."""

    ONE = "acts of the House"
    TWO = "acts of two people"


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked(Generic[Body_co]):
    """An act as somebody asks for it, or for its preview."""

    caller: Caller
    key: str | None
    """The same act again with the same key is answered as the first time."""
    link: str
    """As the path names it; empty where it names none."""
    id: str
    """The win, claim, proposal, table, malfunction or difference in the path."""
    round: int
    said: Body_co
    in_pit: bool = False
    """The table named in the path plays in a pit; known once the place was found."""
    day: Day | None = None
    """The gaming day named in the path; known once the place was found."""

    @property
    def person(self) -> str:
        return self.caller.person


class Target(NamedTuple):
    link: str
    currency: str = ""
    """Of the link, where the answer speaks of money."""
    in_pit: bool = False
    day: Day | None = None
    """The gaming day that the path names."""


@dataclass(frozen=True, slots=True)
class Place(Generic[Body_contra]):
    """How the link is found that an act is carried out on."""

    find: Callable[[Request, Asked[Body_contra]], Awaitable[Target]]
    unknown: type[Unknown] | None = None
    """The refusal if the book has no such link; None if it is the link itself that is unknown."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Act(Generic[Body]):
    name: str
    """In the audit, and in the operation's id of the OpenAPI document."""
    path: str
    people: People
    roles: tuple[Role, ...]
    body: type[Body]
    example: Mapping[str, Any]
    """A body, for the OpenAPI document."""
    place: Place[Body]
    command: Callable[[Asked[Body]], HouseAct]
    preview: str | None
    """Its name for those who ask what it would do; None if nobody can."""
    reply: Reply
    summary: str
    description: str

    async def carry_out(self, request: Request, asked: Asked[Body]) -> Carried:
        """Returns once what it did is durable, and in the audit with it."""
        try:
            return await self._carried_out(request, asked)
        except TableUnknown as unknown:
            table = str(unknown.data.get("table", ""))
            service = service_of(request.app)
            known = service.place_of(table)
            if known is None or not await service.moved(table, known):
                raise
            return await self._carried_out(request, asked)

    async def _carried_out(self, request: Request, asked: Asked[Body]) -> Carried:
        target = await self.place.find(request, asked)
        try:
            command = self.command(replace(asked, in_pit=target.in_pit, day=target.day))
            check_when(request, command)
            answer = await _submitted(request, target.link, command)
        except LinkUnknown:
            if self.place.unknown is None:
                raise
            raise self.place.unknown(f"there is no {asked.id[:80]!r}") from None
        return Carried(answer, asked.id, target.currency)


def check_when(request: Request, command: HouseAct) -> None:
    """Seed, rates and ceiling change only when the floor's profile, or its file, lets them."""
    if not isinstance(command, Propose) or not isinstance(command.change, ParameterChange):
        return
    allowed = service_of(request.app).floor.changes_when
    wanted = ChangesWhen.CLOSED if command.change.now else ChangesWhen.NEXT_RESET
    if wanted not in allowed.ways:
        how = "at once, on a closed link" if allowed is ChangesWhen.CLOSED else "from the next reset on"
        raise Problem(
            409,
            "change_not_then",
            f"on this floor seed, rates and ceiling change only {how} (changes_when = {allowed.value})",
            more={"field": "when"},
        )


async def _submitted(request: Request, link: str, command: HouseAct) -> Any:
    if not storable(link):
        raise LinkUnknown(link)
    service = service_of(request.app)
    outcome = await service.book.submit(link, command, service.auditor.allowed(request))
    if isinstance(command, MoveTable):
        await service.moved(command.table, link)
    return outcome.answer


async def _named_link(request: Request, asked: Asked[object]) -> Target:
    return Target(a_link(request, asked.link))


def a_link(request: Request, name: str) -> str:
    """The name, unless it is a pit's: that is no link."""
    if service_of(request.app).hub.is_pit(name):
        raise LinkUnknown(name)
    return name


async def link_in_id(_request: Request, asked: Asked[object]) -> Target:
    """Ids of proposals and malfunctions begin with their link's."""
    return Target(asked.id.rpartition(".")[0])


NAMED_LINK = Place(_named_link)


class _Reasoned(Protocol):
    @property
    def reason(self) -> str: ...


Reasoned = TypeVar("Reasoned", bound=_Reasoned)


def proposing(change: Callable[[Reasoned], Change]) -> Callable[[Asked[Reasoned]], Propose]:
    """The command of an act that another person has to confirm."""
    return lambda asked: Propose(
        person=asked.person, act_id=asked.key, change=change(asked.said), reason=asked.said.reason
    )
