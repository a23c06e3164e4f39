"""What comes in: what is asked most goes a short way, all the rest to FastAPI. And every request's id, its
answer, and the last resort.

Two doors stand in front of FastAPI, in plain ASGI: `api.controllers.door` for all that tables send, and
`api.signage.polls` for the meter. FastAPI only describes them.
"""

from __future__ import annotations

import asyncio
import itertools
import re
from uuid import uuid4

import structlog
from fastapi import FastAPI
from starlette.requests import Request
from starlette.types import Message, Receive, Scope, Send

from api.controllers import door
from api.http.errors import CONTENT_TYPE, UNFORESEEN, Crowded, problem_of
from api.http.raw import Answer, Reading, header
from api.routing.auth import goes_first
from api.service import Service
from api.signage import polls

_SANE_ID = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_ALWAYS_SERVED = frozenset({"/healthz", "/readyz", "/metrics"})
_METHODS = frozenset({"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"})
_OTHER = "other"
_ENCRYPTED_ONLY = (b"strict-transport-security", b"max-age=31536000")
_log = structlog.get_logger("request")


class Doors:
    def __init__(self, app: FastAPI, service: Service) -> None:
        self._app, self._service = app, service
        self._ids, self._prefix = itertools.count(1), uuid4().hex[:12]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        reading = Reading(receive, self._service.settings.body_seconds)
        answering = _Answering(scope, send, self._request_id(scope), self._service, reading)
        requests, this = self._service.counters.requests, asyncio.current_task()
        requests.add(this)
        try:
            if self._service.crowd.crowded and scope["path"] not in _ALWAYS_SERVED:
                await self._check_first(scope)
            await self._serve(scope, reading, answering)
        except Exception as error:
            await self._tell(scope, answering, error)
        finally:
            requests.discard(this)

    async def _serve(self, scope: Scope, reading: Reading, answering: _Answering) -> None:
        path: str = scope["path"]
        if call := door.call_of(path):
            answering.route = call.kind.route
            await answering.say(await door.answer(self._service, scope, reading, call))
        elif link := polls.link_polled(path):
            answering.route = polls.ROUTE
            answer = await polls.poll(self._service, scope, link)
            answering.link = link
            await answering.say(answer)
        else:
            structlog.contextvars.bind_contextvars(request=answering.id.decode())
            await self._app(scope, reading, answering.pass_on)

    async def _check_first(self, scope: Scope) -> None:
        if not await goes_first(self._service, Request(scope)):
            raise Crowded

    def _request_id(self, scope: Scope) -> bytes:
        given = header(scope, b"x-request-id")
        if given is not None and _SANE_ID.fullmatch(given):
            return given
        return f"{self._prefix}-{next(self._ids):x}".encode()

    async def _tell(self, scope: Scope, answering: _Answering, error: Exception) -> None:
        problem = problem_of(error)
        if problem is None:
            _log.error("unforeseen", request=answering.id.decode(), path=scope["path"][:200], exc_info=error)
            problem = UNFORESEEN
        if not answering.begun:
            headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
            content = (b"content-type", CONTENT_TYPE.encode())
            await answering.say((problem.status, [content, *headers], problem.body()))


class _Answering:
    """The answer of one request, with the id it is asked about by."""

    begun = False
    route = ""
    link = ""
    """The link whose meter was polled; empty for other routes."""

    def __init__(self, scope: Scope, send: Send, id: bytes, service: Service, reading: Reading) -> None:
        self._scope, self._send, self.id, self._service = scope, send, id, service
        self._reading = reading

    async def say(self, answer: Answer) -> None:
        status, headers, body = answer
        if status != 304:
            headers = [*headers, (b"content-length", str(len(body)).encode())]
        await self.pass_on({"type": "http.response.start", "status": status, "headers": headers})
        bare = self._scope["method"] == "HEAD"
        await self._send({"type": "http.response.body", "body": b"" if bare else body})

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            method = self._scope["method"] if self._scope["method"] in _METHODS else _OTHER
            asked = self.route or _route(self._scope), method, message["status"], self.link
            self._service.counters.answered[asked] += 1
            always = ((b"x-request-id", self.id), (b"x-content-type-options", b"nosniff"))
            message["headers"] = [*message.get("headers", ()), *always]
            if self._service.settings.tls_cert is not None:
                message["headers"].append(_ENCRYPTED_ONLY)
            if message["status"] >= 400 and not await self._reading.finished():
                message["headers"].append((b"connection", b"close"))
        await self._send(message)


def _route(scope: Scope) -> str:
    """The template that FastAPI found: of what is asked for and is not there, one name for all."""
    return getattr(scope.get("route"), "path", None) or _OTHER
