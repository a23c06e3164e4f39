"""What a certificate and its key become for connections: tried by shaking hands with ourselves."""

from __future__ import annotations

import os
import ssl
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from api.http.certificate import CertificateUnusable, Pair


def encryption(pair: Pair) -> ssl.SSLContext:
    """From what was checked, and not from what lies in the files by now."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        with ExitStack() as files:
            context.load_cert_chain(
                *[files.enter_context(_file(one)) for one in (pair.certificate, pair.key)]
            )
        _shake_hands(context)
    except ssl.SSLError as wrong:
        raise CertificateUnusable(f"no caller could use this certificate and key: {wrong.reason}") from wrong
    return context


@contextmanager
def _file(content: bytes) -> Iterator[str]:
    """Without a place on any disk: OpenSSL takes a chain by its name only."""
    with os.fdopen(os.memfd_create("pem"), "r+b") as file:
        file.write(content)
        file.flush()
        yield f"/proc/self/fd/{file.fileno()}"


def _shake_hands(context: ssl.SSLContext) -> None:
    """As a caller with today's settings does, but for whom he believes."""
    asking = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    asking.check_hostname, asking.verify_mode = False, ssl.CERT_NONE
    there, back = ssl.MemoryBIO(), ssl.MemoryBIO()
    sides = asking.wrap_bio(back, there), context.wrap_bio(there, back, server_side=True)
    done = set[ssl.SSLObject]()
    for _ in range(4):  # each says at most two things
        for side in sides:
            try:
                side.do_handshake()
                done.add(side)
            except ssl.SSLWantReadError:
                continue
    if len(done) < len(sides):
        raise ssl.SSLError("the handshake does not end")
