"""What the tables of a site say, read in one go: heartbeats, most of it, and whose the others are."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Annotated, cast

import msgspec
from msgspec import Meta

from api.controllers.wire import Said, SiteEvents, SiteHeartbeatEvent, Whose, decode, decode_event
from api.http.errors import Invalid


class OthersBets(Whose, tag_field="kind", tag="bets"):
    pass


class OthersHands(Whose, tag_field="kind", tag="hands"):
    pass


class OthersVoid(Whose, tag_field="kind", tag="void"):
    pass


class SiteBeats(Said, kw_only=True):
    events: Annotated[list[SiteHeartbeatEvent | OthersBets | OthersHands | OthersVoid], Meta(max_length=2000)]


def skimmed(body: bytes) -> Sequence[SiteHeartbeatEvent | Whose | None]:
    """None for what cannot be read."""
    try:
        return decode(SiteBeats, body).events
    except Invalid:
        return [_skimmed(event) for event in decode(SiteEvents, body).events]


def _skimmed(event: msgspec.Raw) -> SiteHeartbeatEvent | Whose | None:
    for kind in (SiteHeartbeatEvent, Whose):
        with suppress(Invalid):
            return cast(SiteHeartbeatEvent | Whose, decode_event(kind, event))
    return None
