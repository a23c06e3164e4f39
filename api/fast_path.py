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
_NO_SNIFFING = (b"x-content-type-options", b"nosniff")
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
        answering = _Answering(scope, receive, send, self._request_id(scope), self._service)
        requests, this = self._service.counters.requests, asyncio.current_task()
        requests.add(this)
        try:
            if self._service.crowd.crowded and scope["path"] not in _ALWAYS_SERVED:
                await self._check_first(scope)
            await self._serve(scope, answering)
        except Exception as error:
            await self._tell(scope, answering, error)
        finally:
            requests.discard(this)

    async def _serve(self, scope: Scope, answering: _Answering) -> None:
        path: str = scope["path"]
        if link := polls.link_polled(path):
            answering.route = polls.ROUTE
            answer = await polls.poll(self._service, scope, link)
            answering.link = link
            await answering.say(answer)
        elif call := door.call_of(path):
            answering.route = call.kind.route
            await answering.say(await door.answer(self._service, scope, answering.reading, call))
        else:
            structlog.contextvars.bind_contextvars(request=answering.id.decode())
            await self._app(scope, answering.reading, answering.pass_on)

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
            body = problem.body()
            headers = [(name.lower().encode(), value.encode()) for name, value in problem.headers.items()]
            content = (b"content-type", CONTENT_TYPE.encode()), (b"content-length", str(len(body)).encode())
            await answering.say((problem.status, (*content, *headers), body))


class _Answering:
    """The answer of one request, with the id it is asked about by."""

    __slots__ = ("_reading", "_receive", "_scope", "_send", "_service", "begun", "id", "link", "route")

    def __init__(self, scope: Scope, receive: Receive, send: Send, id: bytes, service: Service) -> None:
        self._scope, self._receive, self._send, self.id, self._service = scope, receive, send, id, service
        self._reading: Reading | None = None
        self.begun = False
        self.route = self.link = ""
        """`link` is the one whose meter was polled; empty for other routes."""

    @property
    def reading(self) -> Reading:
        """The request's body, which most polls do not have."""
        if self._reading is None:
            self._reading = Reading(self._receive)
        return self._reading

    async def say(self, answer: Answer) -> None:
        status, headers, body = answer
        await self.pass_on({"type": "http.response.start", "status": status, "headers": headers})
        bare = self._scope["method"] == "HEAD"
        await self._send({"type": "http.response.body", "body": b"" if bare else body})

    async def pass_on(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.begun = True
            status, method = message["status"], self._scope["method"]
            asked = self.route or _route(self._scope), method if method in _METHODS else _OTHER
            self._service.counters.answered[*asked, status, self.link] += 1
            headers = [*message.get("headers", ()), (b"x-request-id", self.id), _NO_SNIFFING]
            if self._service.settings.tls_cert is not None:
                headers.append(_ENCRYPTED_ONLY)
            if status >= 400 and not await self.reading.finished():
                headers.append((b"connection", b"close"))
            message["headers"] = headers
        await self._send(message)


def _route(scope: Scope) -> str:
    """The template that FastAPI found: of what is asked for and is not there, one name for all."""
    return getattr(scope.get("route"), "path", None) or _OTHER
