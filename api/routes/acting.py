"""What all acts of the House share: who may, the key that makes a repeat harmless, the way to the book."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Header, Request

from api.auth import allowed
from api.identity import Caller
from api.service import service_of
from jackpot import commands
from jackpot.book.batch import LinkUnknown
from jackpot.book.recall import storable
from jackpot.book.roles import Role
from jackpot.refusals import Unknown

Operator = Annotated[Caller, allowed(Role.OPERATOR, Role.SUPERVISOR)]
Supervisor = Annotated[Caller, allowed(Role.SUPERVISOR)]
Key = Annotated[
    str | None,
    Header(
        alias="Idempotency-Key",
        max_length=200,
        description="The same act again with the same key is answered as the first time.",
    ),
]


async def carried_out(request: Request, link: str, command: commands.HouseAct) -> Any:
    """Its answer, once what it did is durable, and in the audit with it."""
    if not storable(link):
        raise LinkUnknown(link)
    service = service_of(request.app)
    return (await service.book.submit(link, command, service.auditor.allowed(request))).answer


async def on_its_link(request: Request, id: str, command: commands.HouseAct, unknown: type[Unknown]) -> Any:
    """Ids of proposals and malfunctions begin with their link's."""
    try:
        return await carried_out(request, id.rpartition(".")[0], command)
    except LinkUnknown:
        raise unknown(f"there is no {id[:80]!r}") from None
