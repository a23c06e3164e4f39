"""Serving until told to stop, and then finishing what was accepted."""

from __future__ import annotations

import asyncio
import contextlib
import signal
from collections.abc import Iterator

import uvicorn
import uvloop
from starlette.types import ASGIApp

from api import logs
from api.app import create_app, serving
from api.settings import Settings

GRACE = 20
"""Seconds for what is under way when the service stops."""


class _Server(uvicorn.Server):
    """Signals are ours: whoever waits for a newer reading must not hold up the stop."""

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield


def serve(settings: Settings) -> bool:
    """Whether it started; it returns when it was told to stop."""
    logs.configure(settings.log_level)
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(_serve(settings))


async def _serve(settings: Settings) -> bool:
    async with serving(settings) as service:
        server = _Server(_config(settings, create_app(service)))

        def stop() -> None:
            server.should_exit = True
            service.hub.close()

        for one in (signal.SIGTERM, signal.SIGINT):
            asyncio.get_running_loop().add_signal_handler(one, stop)
        await server.serve()
        return server.started


def _config(settings: Settings, app: ASGIApp) -> uvicorn.Config:
    return uvicorn.Config(
        app,
        host=settings.host,
        port=settings.port,
        loop="none",
        http="httptools",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        forwarded_allow_ips=settings.trusted_proxies,
        timeout_graceful_shutdown=GRACE,
    )
