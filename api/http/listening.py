"""The address that is served, and the servers behind it: another takes over when the certificate is renewed.

The server is granian: on one core it answered at least twice as many polls of the meter as uvicorn did.
"""

from __future__ import annotations

import asyncio
import os
import socket
import subprocess
import sys
from typing import Any, BinaryIO

from granian._granian import SocketHolder
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.server import embed
from granian.utils.proxies import wrap_asgi_with_proxy_headers
from starlette.types import ASGIApp

from api.http.certificate import CertificateUnusable, Pair
from api.http.certificate_trial import started, tls_of
from api.settings import Settings
from jackpot.book.stores.tasks import end

BACKLOG = 1024
HANDSHAKES = 11.0
"""Seconds in which whoever has begun to connect has done so: the server gives them ten."""


class CannotListen(Exception):
    """The address is somebody else's, or nobody's."""


def listen(host: str, port: int) -> socket.socket:
    """0 stands for any free port. Said before anything is opened if somebody else listens there."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listening = socket.socket(family, kind)
        try:
            listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            listening.bind(where)
        except BaseException:
            listening.close()
            raise
    except OSError as trouble:
        raise CannotListen(f"cannot serve on {host}:{port}: {trouble}") from trouble
    return listening


class Server(embed.Server):
    """Granian on a socket that is ours, so that the next server can have it too."""

    def __init__(
        self, listening: socket.socket, app: ASGIApp, settings: Settings, most: int, pair: Pair | None
    ) -> None:
        address, port = listening.getsockname()[:2]
        super().__init__(
            app,
            address,
            port,
            interface=Interfaces.ASGINL,
            http=HTTPModes.http1,
            websockets=False,
            backlog=BACKLOG,
            backpressure=most,
            http1_settings=HTTP1Settings(header_read_timeout=int(settings.head_seconds * 1000)),
            log_enabled=False,
        )
        self._listening = listening
        self._descriptor = -1
        self._pem: list[BinaryIO] = []
        self._names: list[str] = []
        if pair is not None:
            # What was checked, and not what lies in the files by the time that the server reads them.
            self._pem = [_in_memory(pair.certificate), _in_memory(pair.key)]
            self._names = [f"/proc/self/fd/{one.fileno()}" for one in self._pem]
            self.ssl_ctx = tls_of(*self._names)

    def _init_shared_socket(self) -> None:
        self._descriptor = os.dup(self._listening.fileno())
        holder: Any = SocketHolder
        self._shd = holder(self._descriptor, False, BACKLOG)  # noqa: FBT003

    async def start(self) -> asyncio.Task[None]:
        """Refuses a certificate that it cannot use."""
        try:
            if self._pem and not await asyncio.to_thread(self._usable):
                raise CertificateUnusable("the server cannot use this kind of certificate or key")
            serving = asyncio.create_task(self.serve(), name="server")
            await started(self, serving)
        finally:
            for file in self._pem:
                file.close()
        if serving.done():
            raise CannotListen(f"the server did not start: {serving.exception()}")
        return serving

    def _usable(self) -> bool:
        trial = [sys.executable, "-m", "api.http.certificate_trial", *self._names]
        files = [one.fileno() for one in self._pem]
        return subprocess.run(trial, pass_fds=files, stderr=subprocess.DEVNULL, check=False).returncode == 0  # noqa: S603

    async def retire(self) -> None:
        """From now on it accepts from a socket that nobody knows, finishes the handshakes that have begun and
        what was asked, and then ends."""
        with socket.socket(self._listening.family) as unknown:
            unknown.bind((("::1" if unknown.family == socket.AF_INET6 else "127.0.0.1"), 0))
            unknown.listen()
            unknown.setblocking(False)  # noqa: FBT003
            os.dup2(unknown.fileno(), self._descriptor, inheritable=False)
        await asyncio.sleep(HANDSHAKES)
        self.stop()  # type: ignore[no-untyped-call]


def _in_memory(content: bytes) -> BinaryIO:
    """A file without a place on any disk."""
    file = os.fdopen(os.memfd_create("pem"), "r+b")
    file.write(content)
    file.flush()
    return file


class Edge:
    """The server that accepts connections, and those before it that still have something to finish."""

    def __init__(self, listening: socket.socket, app: ASGIApp, settings: Settings, most: int) -> None:
        if settings.trusted_proxies:
            app = wrap_asgi_with_proxy_headers(app, settings.trusted_proxies)
        self._listening, self._app, self._settings, self._most = listening, app, settings, most
        self._current: Server | None = None
        self._tasks: dict[asyncio.Task[None], Server] = {}
        self.stopped = asyncio.Event()

    async def serve(self, pair: Pair | None = None) -> None:
        """Another server takes over from the one that served until now."""
        server = Server(self._listening, self._app, self._settings, self._most, pair)
        task = await server.start()
        self._keep(task, server)
        if self._current is not None:
            self._keep(asyncio.create_task(self._current.retire(), name="retiring"), self._current)
        self._current = server

    def _keep(self, task: asyncio.Task[None], server: Server) -> None:
        self._tasks[task] = server
        task.add_done_callback(self._done)

    def _done(self, task: asyncio.Task[None]) -> None:
        if self._tasks.pop(task) is self._current:
            self.stopped.set()

    def stop(self) -> None:
        """No connection is accepted any more."""
        self._listening.close()
        for server in set(self._tasks.values()):
            server.stop()  # type: ignore[no-untyped-call]
        self.stopped.set()

    async def close(self) -> None:
        """Whatever is still open is cut off."""
        asyncio.get_running_loop().set_exception_handler(_but_late_stops)
        await end(*self._tasks)


def _but_late_stops(loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    """Granian hands a stop from thread to thread, and is surprised if its server was cut off meanwhile."""
    if not isinstance(context.get("exception"), asyncio.InvalidStateError):
        loop.default_exception_handler(context)
