"""Serving until told to stop, and then finishing what was accepted.

The server is granian: on one core it answered at least twice as many polls of the meter as uvicorn did.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import signal
import socket
import time
from collections.abc import Callable

import uvloop
from granian.constants import HTTPModes, Interfaces
from granian.server.embed import Server
from granian.utils.proxies import wrap_asgi_with_proxy_headers
from starlette.types import ASGIApp

from api import logs
from api.app import create_app, serving
from api.routes.health import for_monitoring
from api.service import Service
from api.settings import Settings

GRACE = 20.0
"""Seconds for what is under way when the service stops."""
BACKLOG = 1024
MOST_CONNECTIONS = 20_000
"""At once. A sign's stream is one that never ends: a full house of signs must leave room for the tables."""
_log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The address is somebody else's, or nobody's."""


def serve(settings: Settings) -> None:
    """Returns when it was told to stop and has done so."""
    logs.configure(settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    def heed(stop: Callable[[], None]) -> None:
        for one in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(one, stop)
        collect_seldom()

    await serve_until_stopped(settings, heed)


async def serve_until_stopped(settings: Settings, heed: Callable[[Callable[[], None]], None]) -> None:
    """`heed` is handed what stops the service, to be called in its loop."""
    address, port = free_address(settings.host, settings.port)
    monitored = _monitored(settings)
    async with serving(settings) as service:
        servers = [_server(settings, create_app(service), address, port)]
        if monitored is not None:
            servers.append(_server(settings, for_monitoring(service), *monitored))
            _log.info("metrics on http://%s:%d", *monitored)

        def stop() -> None:
            service.hub.close()  # whoever waits for a newer reading must not hold up the stop
            for server in servers:
                server.stop()  # type: ignore[no-untyped-call]

        heed(stop)
        _log.info("serving on http://%s:%d", address, port)
        await asyncio.gather(*[server.serve() for server in servers])
        await _finish(service)


def _monitored(settings: Settings) -> tuple[str, int] | None:
    """Where metrics alone are served."""
    if settings.metrics_port is None:
        return None
    return free_address(settings.metrics_host or settings.host, settings.metrics_port)


def collect_seldom() -> None:
    """What is there now stays: no collection need look at it again. A batch makes thousands of objects and
    drops them all; to look for cycles among them every few hundred costs more than it frees."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5, 5)


def free_address(host: str, port: int) -> tuple[str, int]:
    """Where to listen, 0 standing for any free port. Said before anything is opened if somebody else does."""
    try:
        family, kind, _, _, where = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(where)
            address, free = probe.getsockname()[:2]
    except OSError as trouble:
        raise CannotListen(f"cannot serve on {host}:{port}: {trouble}") from trouble
    return str(address), int(free)


def _server(settings: Settings, app: ASGIApp, address: str, port: int) -> Server:
    if settings.trusted_proxies:
        app = wrap_asgi_with_proxy_headers(app, settings.trusted_proxies)
    return Server(
        app,
        address,
        port,
        interface=Interfaces.ASGINL,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=MOST_CONNECTIONS,
        log_enabled=False,
    )


async def _finish(service: Service) -> None:
    """No connection is accepted any more; what has been is answered."""
    deadline = time.monotonic() + GRACE
    while service.counters.under_way and time.monotonic() < deadline:
        await asyncio.sleep(0.01)
    if service.counters.under_way:
        _log.warning("%d requests were not finished", service.counters.under_way)
    await asyncio.sleep(0.1)  # the last answers leave in another thread
