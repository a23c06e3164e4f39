"""Whether a fact is what the rules make of the state before it.

Applying a fact never works a rule out again; this does, for an auditor: every contribution, award, reversal,
payment and reset of a journal is computed a second time and compared with what was written.
"""

from __future__ import annotations

from jackpot.link.fact import Fact
from jackpot.link.state import Pit
from jackpot.machine.kind import Denied, Evidence
from jackpot.machine.kinds import kind_of

__all__ = ["Denied", "audit"]


def audit(pit: Pit, fact: Fact, at: int | None = None) -> None:
    """Compare a fact, written at that house time, with what the rules give, the link or pit being as it was
    before it."""
    kind = kind_of(fact)
    if not isinstance(pit, kind.place):
        raise Denied(f"{type(fact).__name__} does not happen in a pit")
    if not isinstance(kind.recompute, Evidence):
        kind.recompute(pit, fact)
    if kind.earliest is not None and at is not None and at < kind.earliest(pit, fact):
        raise Denied(f"{type(fact).__name__} was written too early")
