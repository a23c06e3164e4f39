"""The one way in for all that tables send: who is calling, what is said, the command, the answer.

Plain ASGI in front of FastAPI, which would cost more than the rules of most messages; it only describes them
(`described`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, NamedTuple

from starlette.requests import Request
from starlette.types import Receive, Scope

from api.callers.auditor import said_in, who
from api.callers.identity import Caller
from api.controllers import wire
from api.controllers.delivery import at_site, encode, replay, speech_of, take
from api.http.errors import Forbidden
from api.http.raw import Answer, as_json, check_method, header, whole_body
from api.routing.auth import SMALL, Guard, caller_at_door, check_content_type
from api.service import Service
from jackpot.book.beside.roles import Role

EVENTS_LIMIT = 1024 * 1024
_SPEAKERS = Guard(Role.TABLE, Role.GATEWAY)
_GATEWAYS = Guard(Role.GATEWAY)


class Call(NamedTuple):
    """One request of a table controller."""

    kind: Kind
    table: str | None
    round: str | None = None
    site: str | None = None

    @property
    def number(self) -> int | None:
        return None if self.round is None else wire.round_number(self.round)


class Said(NamedTuple):
    service: Service
    scope: Scope
    caller: Caller
    call: Call
    round: int | None
    body: bytes

    @property
    def table(self) -> str:
        return self.call.table or ""


@dataclass(frozen=True, slots=True)
class Kind:
    """What can be sent to one address."""

    act: str
    """Its name in the audit."""
    method: str
    route: str
    answer: Callable[[Said], Awaitable[tuple[int, Any]]]
    most: int = SMALL
    """Bytes of a body."""


async def _bets(said: Said) -> tuple[int, Any]:
    message = wire.decode((await speech_of(said.service, said.table)).bets, said.body)
    return await take(said.service, said.table, said.round, message)


async def _hands(said: Said) -> tuple[int, Any]:
    message = wire.decode((await speech_of(said.service, said.table)).hands, said.body)
    return await take(said.service, said.table, said.round, message)


async def _void(said: Said) -> tuple[int, Any]:
    return await take(said.service, said.table, said.round, wire.decode(wire.Void, said.body))


async def _heartbeat(said: Said) -> tuple[int, Any]:
    return await take(said.service, said.table, None, wire.decode(wire.Heartbeat, said.body))


async def _events(said: Said) -> tuple[int, Any]:
    events = wire.decode(wire.Events, said.body)
    return 200, {"answers": await replay(said.service, said.caller, said.table, events, _sender(said))}


async def _site_events(said: Said) -> tuple[int, Any]:
    return 200, {"answers": await at_site(said.service, said.caller, said.body, _sender(said))}


def _sender(said: Said) -> dict[str, object]:
    return {"path": said.scope["path"][:200]} | who(Request(said.scope), said.caller)


_ROUND = "/v1/tables/{table}/rounds/{round}"
_OF_ROUND = {
    "bets": Kind("close_bets", "PUT", f"{_ROUND}/bets", _bets),
    "hands": Kind("report_hands", "PUT", f"{_ROUND}/hands", _hands),
    "void": Kind("void_round", "POST", f"{_ROUND}/void", _void),
}
_OF_TABLE = {
    "heartbeat": Kind("heartbeat", "POST", "/v1/tables/{table}/heartbeat", _heartbeat),
    "events": Kind("replay_events", "POST", "/v1/tables/{table}/events", _events, EVENTS_LIMIT),
}
_OF_SITE = Kind("site_events", "POST", "/v1/sites/{site}/events", _site_events, EVENTS_LIMIT)


def call_of(path: str) -> Call | None:
    """None if nothing that a table sends goes there."""
    match path.split("/"):
        case ["", "v1", "tables", table, "rounds", round, what] if table and round and what in _OF_ROUND:
            return Call(_OF_ROUND[what], table, round)
        case ["", "v1", "tables", table, what] if table and what in _OF_TABLE:
            return Call(_OF_TABLE[what], table)
        case ["", "v1", "sites", site, "events"] if site:
            return Call(_OF_SITE, None, site=site)
    return None


async def answer(service: Service, scope: Scope, receive: Receive, call: Call) -> Answer:
    """The caller is asked who he is before his body is read or anything is looked up."""
    check_method(scope, call.kind.method)
    caller = await caller_at_door(service, scope)
    body = b""
    try:
        _check(caller, call)
        body = await whole_body(receive, call.kind.most)
        check_content_type((header(scope, b"content-type") or b"").decode("latin-1"))
        if call.table is not None:
            await service.link_of(call.table)
        status, told = await call.kind.answer(Said(service, scope, caller, call, call.number, body))
    except Exception as error:
        detail = {"path": scope["path"][:200]} | who(Request(scope), caller) | said_in(body)
        service.auditor.refusal(caller, call.kind.act, error, detail)
        raise
    return as_json(status, encode(told))


def _check(caller: Caller, call: Call) -> None:
    if call.site is None:
        _SPEAKERS.check(caller, call.table)
        return
    _GATEWAYS.check(caller, None)
    if call.site != caller.site:
        raise Forbidden("a gateway's token works for its own site only", "other_site")
