"""Polls of the meter: what is asked most, from memory."""

from __future__ import annotations

import re
from urllib.parse import parse_qsl

from starlette.requests import Request
from starlette.types import Scope

from api.callers.identity import Caller
from api.http.errors import Invalid
from api.http.places import address_of
from api.http.raw import Answer, check_method, header
from api.routing.auth import caller_at_door, while_known
from api.service import Service
from displays.hub.encoding import NO_CACHE, Shown

ROUTE = "/v1/links/{link}/meter"
LONGEST_WAIT = 60.0
_PATH = re.compile(r"/v1/links/([^/]+)/meter")
_SECONDS = re.compile(r"[0-9]{1,3}(\.[0-9]{1,6})?")


def link_polled(path: str) -> str | None:
    found = _PATH.fullmatch(path) if path.endswith("/meter") else None
    return None if found is None else found[1]


async def poll(service: Service, scope: Scope, link: str) -> Answer:
    check_method(scope, "GET", "HEAD")
    caller = None if service.is_public(link) else await caller_at_door(service, scope)
    shown = service.latest(link)
    known = header(scope, b"if-none-match")
    if scope["query_string"]:
        shown = await _awaited(service, scope, caller, link, shown, known)
    if known is not None and not shown.again and _matches(known, shown.etag):
        return 304, (NO_CACHE, (b"etag", shown.etag)), b""
    return 200, shown.headers, shown.body


async def _awaited(
    service: Service, scope: Scope, caller: Caller | None, link: str, shown: Shown, known: bytes | None
) -> Shown:
    after, wait = _waiting(scope["query_string"])
    seen_another = known is not None and not _matches(known, shown.etag)
    if after is None or wait == 0 or shown.sequence > after or seen_another:
        return shown
    with service.waits.taken(address_of(scope)):
        newer = service.hub.after(link, shown, after, within=wait)
        if caller is None:
            return await newer
        return await while_known(service, Request(scope), caller, newer)


def _matches(known: bytes, etag: bytes) -> bool:
    if known == etag:
        return True
    tags = [one.strip().removeprefix(b"W/") for one in known.split(b",")]
    return etag in tags or known.strip() == b"*"


def _waiting(query: bytes) -> tuple[int | None, float]:
    """`?after=SEQ&wait=SECONDS`"""
    try:
        said = dict(parse_qsl(query.decode("latin-1"), keep_blank_values=True, max_num_fields=20))
    except ValueError:
        raise Invalid("there are too many fields in the query", "query") from None
    after, wait = said.get("after"), said.get("wait", "0")
    if after is not None and not (after.isascii() and after.isdigit() and len(after) < 20):
        raise Invalid("a sequence is a whole number", "after")
    if not _SECONDS.fullmatch(wait) or float(wait) > LONGEST_WAIT:
        raise Invalid(f"wait is from 0 to {LONGEST_WAIT:.0f} seconds", "wait")
    return (None if after is None else int(after)), float(wait)
