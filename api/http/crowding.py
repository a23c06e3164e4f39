"""How many connections there may be, and who goes first when they run out.

A process may have so many files open, and a connection is one. At the limit nothing could be opened any
more: no file of the book, no line to its store. So fewer connections than that are accepted, the others wait
in the kernel's queue, and the last fifth of them is kept for those who play and decide.
"""

from __future__ import annotations

import asyncio
import logging
import os
import resource
import socket
import stat
import struct
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack, suppress
from operator import itemgetter

from api.http.places import network_of

MOST_CONNECTIONS = 20_000
"""At once. A sign's stream is one that never ends: a full house of signs must leave room for the tables."""
OWN = 128
"""Files for the book, its store, Redis and the server itself, which may be shaking 64 hands."""
IDLE = 5.0
"""Seconds of silence after which a connection is closed when they run out. A table in play says more."""
LOOK_EVERY = 0.5
SAID_AGAIN_AFTER = 60.0
_OPEN = "/proc/self/fd"
_SILENT = struct.Struct("=B43xI4xI")
"""Of the kernel's `tcp_info`: the state, and milliseconds since data was last sent, and last received."""
_ESTABLISHED = 1
_log = logging.getLogger(__name__)


def raise_limit() -> None:
    """As many open files as this process may give itself."""
    _, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


class Crowd:
    def __init__(self, per_address: int = 0) -> None:
        self._per_address = per_address
        self.limit, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
        self.most_connections = min(MOST_CONNECTIONS, max(self.limit - OWN, self.limit // 2))
        self.open = 0
        self.crowded = False
        """Whether only those are served who play and decide."""
        self._told_at = float("-inf")

    async def watch(self, port: int) -> None:
        while True:
            self.open = len(_open_files())
            # Above four fifths until below three: who is let in again must not be sent away at once.
            self.crowded = self.open >= self.most_connections * (3 if self.crowded else 4) // 5
            if self.crowded:
                self._tell()
                await asyncio.to_thread(close_idle, port)
            if self._per_address:
                await asyncio.to_thread(close_excess, port, self._per_address)
            await asyncio.sleep(LOOK_EVERY)

    def _tell(self) -> None:
        if time.monotonic() - self._told_at >= SAID_AGAIN_AFTER:
            self._told_at = time.monotonic()
            _log.warning(
                "%d of %d files are open: idle connections are closed, signs and strangers refused",
                self.open,
                self.limit,
            )


def _open_files() -> list[int]:
    with os.scandir(_OPEN) as entries:
        return [int(one.name) for one in entries]


def close_idle(port: int) -> None:
    """Connections to this port on which nobody has said anything for a while."""
    for connection, silent in _connections(port):
        if silent > IDLE:
            connection.shutdown(socket.SHUT_RDWR)


def close_excess(port: int, most: int) -> None:
    """Of one address no more than so many connections: those that have been silent longest go."""
    by_address: defaultdict[str, list[tuple[float, socket.socket]]] = defaultdict(list)
    with ExitStack() as looked_at:
        for connection, silent in _connections(port):
            copy = looked_at.enter_context(connection.dup())
            by_address[network_of(connection.getpeername()[0])].append((silent, copy))
        for found in by_address.values():
            found.sort(key=itemgetter(0))
            for _, connection in found[most:]:
                with suppress(OSError):
                    connection.shutdown(socket.SHUT_RDWR)


def _connections(port: int) -> Iterator[tuple[socket.socket, float]]:
    """To this port, as long as they are looked at, with the seconds since anything was last said."""
    for file in _open_files():
        with suppress(OSError):
            copy = os.dup(file)  # so that it stays this one while it is looked at
            if not stat.S_ISSOCK(os.fstat(copy).st_mode):
                os.close(copy)
                continue
            with socket.socket(fileno=copy) as connection:
                if connection.getsockname()[1:2] == (port,) and (silent := _silent(connection)) is not None:
                    yield connection, silent


def _silent(connection: socket.socket) -> float | None:
    """Seconds; None of one that listens or has ended."""
    told = connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _SILENT.size)
    state, sent, received = _SILENT.unpack(told)
    return min(sent, received) / 1000 if state == _ESTABLISHED else None
