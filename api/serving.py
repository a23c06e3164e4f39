"""Serving until told to stop, and then finishing what was accepted."""

from __future__ import annotations

import asyncio
import gc
import logging
import os
import signal
import socket
import threading
from collections.abc import Callable
from contextlib import ExitStack

import uvloop

from api.app import create_app, serving
from api.http import logs
from api.http.certificate import CertificateUnusable, Renewal
from api.http.crowding import raise_limit
from api.http.listening import CannotListen, Edge, listen
from api.metrics.health import for_monitoring
from api.service import Service
from api.settings import Settings
from jackpot.book.stores.tasks import end
from jackpot.book.webhooks.secrets import KeyUnusable

CLOSING = 5.0
"""Seconds of a stop that are kept for closing the book, when callers would take all of them."""
LOOK_EVERY = 30.0
"""Seconds between two looks at the files of the certificate; SIGHUP makes it look at once."""
CANNOT_SERVE = CannotListen, CertificateUnusable, KeyUnusable
_log = logging.getLogger(__name__)


def serve(settings: Settings) -> None:
    """Returns when it was told to stop and has done so."""
    logs.configure(settings.log_level)
    raise_limit()
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        runner.run(_serve(settings))


async def _serve(settings: Settings) -> None:
    def heed(stop: Callable[[], None], renew: Callable[[], None]) -> None:
        loop = asyncio.get_running_loop()
        for one in (signal.SIGTERM, signal.SIGINT):
            loop.add_signal_handler(one, _stop_in_time, stop, settings.stop_seconds)
        loop.add_signal_handler(signal.SIGHUP, renew)
        collect_seldom()

    await serve_until_stopped(settings, heed)


def _stop_in_time(stop: Callable[[], None], seconds: float) -> None:
    """Whatever hangs (a disk, a caller, a library), the process has ended when its time is over."""
    last = threading.Timer(seconds, _end_now)
    last.daemon = True
    last.start()
    stop()


def _end_now() -> None:
    _log.error("the stop took too long and was cut short; nothing that was acknowledged is lost")
    os._exit(1)


Heed = Callable[[Callable[[], None], Callable[[], None]], None]


async def serve_until_stopped(settings: Settings, heed: Heed) -> None:
    """`heed` is handed what stops the service and what makes it look for a newer certificate, both to be
    called in its loop."""
    renewal = None if settings.tls is None else Renewal(*settings.tls)
    with ExitStack() as sockets:
        listening = sockets.enter_context(listen(settings.host, settings.port))
        monitored = _monitored(settings, sockets)
        async with serving(settings) as service:
            most, look = service.crowd.most_connections, asyncio.Event()
            edges = [Edge(listening, create_app(service), settings, most)]
            if monitored is not None:
                edges.append(Edge(monitored, for_monitoring(service), settings, most))

            def stop() -> None:
                service.hub.close()  # whoever waits for a newer reading must not hold up the stop
                for edge in edges:
                    edge.stop()

            for edge in edges:
                await edge.serve(None if renewal is None else renewal.pair)
            service.renewal = renewal
            port = listening.getsockname()[1]
            beside = [asyncio.create_task(service.crowd.watch(port), name="crowd")]
            if renewal is not None:
                beside.append(asyncio.create_task(_renew(edges, renewal, look), name="renewal"))
            scheme = "http" if renewal is None else "https"
            if monitored is not None:
                _log.info("metrics on %s://%s:%d", scheme, *monitored.getsockname()[:2])
            heed(stop, look.set)
            _log.info("serving on %s://%s:%d", scheme, *listening.getsockname()[:2])
            await edges[0].stopped.wait()
            await end(*beside)
            await _finish(service, settings.stop_seconds)
            for edge in edges:
                await edge.close()


def _monitored(settings: Settings, sockets: ExitStack) -> socket.socket | None:
    """Where metrics alone are served."""
    if settings.metrics_port is None:
        return None
    return sockets.enter_context(listen(settings.metrics_host or settings.host, settings.metrics_port))


async def _renew(edges: list[Edge], renewal: Renewal, look: asyncio.Event) -> None:
    """A newer certificate is shown to who connects from now on; who is connected stays with the old one."""
    while True:
        try:
            async with asyncio.timeout(LOOK_EVERY):
                await look.wait()
        except TimeoutError:
            pass
        look.clear()
        pair = await asyncio.to_thread(renewal.look)
        if pair is None:
            continue
        try:
            for edge in edges:
                await edge.renew(pair)
        except CertificateUnusable as unusable:
            renewal.refuse(unusable)
        else:
            renewal.pair = pair
            _log.info("a new certificate is in use, valid until %s", pair.expires.isoformat())


def collect_seldom() -> None:
    """What is there now stays: no collection need look at it again. A batch makes thousands of objects and
    drops them all; to look for cycles among them every few hundred costs more than it frees."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 5, 5)


async def _finish(service: Service, seconds: float) -> None:
    """What was accepted is answered. Who takes too long to ask or to listen is cut off, so that the book is
    closed in time."""
    requests = service.counters.requests
    try:
        async with asyncio.timeout(max(seconds - CLOSING, seconds / 2)):
            while requests:
                await asyncio.sleep(0.01)
    except TimeoutError:
        _log.warning("%d requests were not finished", len(requests))
        await end(*requests)
