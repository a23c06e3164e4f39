"""What every fact is."""

from __future__ import annotations

from jackpot.core.codec import Tagged
from jackpot.core.records import frozen


@frozen(kw_only=True)
class Fact(Tagged):
    pass
