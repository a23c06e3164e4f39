"""What a table says, by whether it plays on a link or in a pit."""

from __future__ import annotations

from typing import Any, NamedTuple

from api.controllers import pit_wire, wire

Message = wire.Bets | wire.Hands | wire.Void | wire.Heartbeat | pit_wire.PitBets | pit_wire.PitHands


class Speech(NamedTuple):
    """The shapes of its messages."""

    bets: type[wire.Bets | pit_wire.PitBets]
    hands: type[wire.Hands | pit_wire.PitHands]
    event: Any
    """A union, told apart by `kind`."""
    site_event: Any
    """The same, each with its table."""


OF_LINKS = Speech(wire.Bets, wire.Hands, wire.Event, wire.SiteEvent)
OF_PITS = Speech(
    pit_wire.PitBets,
    pit_wire.PitHands,
    pit_wire.PitBetsEvent | pit_wire.PitHandsEvent | wire.VoidEvent | wire.HeartbeatEvent,
    pit_wire.SitePitBetsEvent | pit_wire.SitePitHandsEvent | wire.SiteVoidEvent | wire.SiteHeartbeatEvent,
)
SPOKEN = (*wire.SPOKEN, *pit_wire.PIT_SPOKEN)
"""What is documented."""
