"""The address that is served, and the connections that were accepted there."""

from __future__ import annotations

import asyncio
import logging
import socket
import ssl
from contextlib import suppress

from starlette.types import ASGIApp

from api.http.certificate import Pair
from api.http.connection import Connection
from api.http.encryption import encryption
from api.http.proxies import Proxies
from api.settings import Settings
from jackpot.book.stores.tasks import end

BACKLOG = 1024
HANDSHAKE = 10.0
"""Seconds for one of TLS."""
LINGER = 1.0
"""Seconds at the end for callers to read what they were told."""
_NO_FILES_LEFT = 0.1
_log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The address is somebody else's, or nobody's."""


def listen(host: str, port: int) -> socket.socket:
    """0 stands for any free port. Said before anything is opened if somebody else listens there."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.setblocking(False)  # noqa: FBT003
            listening.bind(where)
        except BaseException:
            listening.close()
            raise
    except OSError as trouble:
        raise CannotListen(f"cannot serve on {host}:{port}: {trouble}") from trouble
    return listening


class Edge:
    """One address. Of more connections than there may be, the others wait in the kernel's queue."""

    def __init__(self, listening: socket.socket, app: ASGIApp, settings: Settings, most: int) -> None:
        self.app, self.proxies, self.stopping = app, Proxies(settings.trusted_proxies), False
        self.scheme = "http" if settings.tls is None else "https"
        self._listening, self._settings, self._most = listening, settings, most
        self._tls: ssl.SSLContext | None = None
        self._connections = set[Connection]()
        self._opening = set[asyncio.Task[None]]()
        self._room = asyncio.Event()
        self._tasks: list[asyncio.Task[None]] = []
        self.stopped = asyncio.Event()

    async def serve(self, pair: Pair | None = None) -> None:
        """Refuses a certificate that it cannot use."""
        if pair is not None:
            await self.renew(pair)
        try:
            self._listening.listen(BACKLOG)
        except OSError as trouble:
            raise CannotListen(f"the server did not start: {trouble}") from trouble
        accepting = asyncio.create_task(self._keep_accepting(), name="accepting")
        accepting.add_done_callback(lambda _: self.stopped.set())
        self._tasks = [accepting, asyncio.create_task(self._keep_checking(), name="late callers")]

    async def renew(self, pair: Pair) -> None:
        """For who connects from now on."""
        self._tls = await asyncio.to_thread(encryption, pair)

    def stop(self) -> None:
        """No connection is accepted any more, and none is used again."""
        self.stopping = True
        if self._tasks:
            self._tasks[0].cancel()
        for one in [one for one in self._connections if one.idle]:
            one.end()
        self.stopped.set()

    async def close(self) -> None:
        """Whatever is still open is cut off."""
        for one in list(self._connections):
            one.end()
        with suppress(TimeoutError):
            async with asyncio.timeout(LINGER):
                while self._connections:
                    await asyncio.sleep(0.01)
        for one in list(self._connections):
            one.cut()
        await end(*self._tasks, *self._opening)

    # What connections tell

    def opened(self, connection: Connection) -> None:
        self._connections.add(connection)

    def closed(self, connection: Connection) -> None:
        self._connections.discard(connection)
        self._room.set()

    # Accepting

    async def _keep_accepting(self) -> None:
        with self._listening:
            while True:
                while len(self._connections) + len(self._opening) >= self._most:
                    self._room.clear()
                    await self._room.wait()
                await self._accept(asyncio.get_running_loop())

    async def _accept(self, loop: asyncio.AbstractEventLoop) -> None:
        try:
            accepted, _ = await loop.sock_accept(self._listening)
        except OSError as trouble:
            _log.warning("no connection could be accepted: %s", trouble)
            await asyncio.sleep(_NO_FILES_LEFT)
            return
        task = loop.create_task(self._open(accepted))
        self._opening.add(task)
        task.add_done_callback(self._opened)

    def _opened(self, task: asyncio.Task[None]) -> None:
        self._opening.discard(task)
        self._room.set()

    async def _open(self, accepted: socket.socket) -> None:
        """Who hangs up meanwhile, or does not speak TLS, is no mistake of ours."""
        within = None if self._tls is None else HANDSHAKE
        try:
            accepted.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            loop = asyncio.get_running_loop()
            await loop.connect_accepted_socket(
                lambda: Connection(self), accepted, ssl=self._tls, ssl_handshake_timeout=within
            )
        except (OSError, ssl.SSLError):
            accepted.close()

    async def _keep_checking(self) -> None:
        times = {"head_seconds": self._settings.head_seconds, "body_seconds": self._settings.body_seconds}
        while True:
            await asyncio.sleep(min(1.0, *[seconds / 4 for seconds in times.values()]))
            now = asyncio.get_running_loop().time()
            for one in list(self._connections):
                one.check(now, **times)
