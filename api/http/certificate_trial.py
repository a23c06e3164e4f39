"""A server that starts with a certificate and ends: `python -m api.http.certificate_trial CERTIFICATE KEY`.

The server aborts its whole process if it cannot use a certificate, so another process tries it first.
"""

from __future__ import annotations

import asyncio
import os
import sys
from typing import Any

from granian.constants import HTTPModes, Interfaces, SSLProtocols
from granian.server.embed import Server


def tls_of(certificate: str, key: str) -> Any:
    """What the server wants to know of TLS; it never asks for certificates of clients."""
    return True, certificate, key, None, str(SSLProtocols.tls12), None, [], False


async def _start(certificate: str, key: str) -> None:
    server = Server(
        None, port=0, interface=Interfaces.ASGINL, http=HTTPModes.http1, websockets=False, log_enabled=False
    )
    server.ssl_ctx = tls_of(certificate, key)
    serving = asyncio.create_task(server.serve())
    await started(server, serving)
    os._exit(0)


async def started(server: Server, serving: asyncio.Task[None]) -> None:
    """Its worker reads the certificate when it starts."""
    while not server.wrks and not serving.done():
        await asyncio.sleep(0)
    for _ in range(3):
        await asyncio.sleep(0)


if __name__ == "__main__":
    asyncio.run(_start(*sys.argv[1:]))
