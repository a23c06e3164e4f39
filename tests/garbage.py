"""Less of Python's search for garbage, in processes that import much and live for a test or a few minutes."""

from __future__ import annotations

import gc

SELDOM = 20_000
"""New objects between two searches; Python's own 700 is for small programs."""


def settle_down() -> None:
    """What is there now is never searched again."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(SELDOM, 20, 20)
