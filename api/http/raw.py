"""Requests and answers as ASGI has them, for the doors that stand in front of FastAPI."""

from __future__ import annotations

import asyncio

from starlette.types import Message, Receive, Scope

from api.http.errors import BodyCutOff, BodyTimeout, Problem, TooLarge

LONGEST_REST = 1024 * 1024
"""Bytes of a refused body that are read although nobody wants them, so that the connection stays usable."""
REST_WITHIN = 1.0
JSON = (b"content-type", b"application/json")
Headers = tuple[tuple[bytes, bytes], ...]
Answer = tuple[int, Headers, bytes]


def as_json(status: int, body: bytes) -> Answer:
    return status, (JSON, (b"content-length", str(len(body)).encode())), body


def header(scope: Scope, name: bytes) -> bytes | None:
    for key, value in scope["headers"]:
        if key == name:
            return bytes(value)
    return None


def check_method(scope: Scope, *methods: str) -> None:
    if scope["method"] not in methods:
        raise Problem(405, "method_not_allowed", "Method Not Allowed", headers={"Allow": ", ".join(methods)})


async def whole_body(receive: Receive, most: int) -> bytes:
    parts: list[bytes] = []
    size = 0
    while True:
        message = await receive()
        part: bytes = message.get("body", b"")
        size += len(part)
        if size > most:
            raise TooLarge(most)
        parts.append(part)
        if not message.get("more_body"):
            return parts[0] if len(parts) == 1 else b"".join(parts)


class Reading:
    """A request's body on its way in. If some of it is left unread the server ends the connection, and the
    caller's next request on it fails."""

    __slots__ = ("_ended", "_late", "_receive")

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self._ended = self._late = False

    async def __call__(self) -> Message:
        if self._ended:
            return await self._receive()  # it tells when the caller has gone, however long that takes
        message = await self._next()
        if message["type"] == "http.disconnect":
            raise BodyCutOff
        return message

    async def _next(self) -> Message:
        try:
            message = await self._receive()
        except BodyTimeout:
            self._late = True
            raise
        self._ended = not message.get("more_body", False)
        return message

    async def finished(self) -> bool:
        """Whether all of it has been read, as what was left now is, within reason."""
        if self._ended or self._late:
            return self._ended
        left = LONGEST_REST
        try:
            async with asyncio.timeout(REST_WITHIN):
                while not self._ended and left > 0:
                    left -= len((await self._next()).get("body", b""))
        except (TimeoutError, BodyTimeout):
            return False
        return self._ended
