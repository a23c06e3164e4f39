"""How much a test tries that could go on for ever: `JACKPOT_EFFORT=10 make test` tries ten times as much."""

from __future__ import annotations

import os

EFFORT = int(os.environ.get("JACKPOT_EFFORT", "1"))


def times(usual: int) -> int:
    return usual * EFFORT
