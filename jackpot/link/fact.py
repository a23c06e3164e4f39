"""What every fact is."""

from __future__ import annotations

from dataclasses import dataclass

from jackpot.core.codec import Tagged


@dataclass(frozen=True, kw_only=True, slots=True)
class Fact(Tagged):
    pass
