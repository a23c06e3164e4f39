"""What people call the wagers, whichever game they are of."""

from __future__ import annotations

from collections.abc import Mapping

WAGERS: Mapping[str, str] = {
    "bet": "Initial Bet",
    "insurance": "Insurance",
    "split": "Split",
    "double": "Double",
    "free_split": "Free Split",
    "free_double": "Free Double",
    "player_pair": "Player Pair",
    "under_13": "Under 13",
    "over_13": "Over 13",
    "perfect_pairs": "Perfect Pairs",
    "rws_pairs": "RWS Pairs",
    "lucky_stash": "Lucky Stash",
    "boom_busted": "Boom Busted",
}
"""By the name on the wire."""
