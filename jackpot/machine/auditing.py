"""Whether a fact is what the rules make of the state before it.

Applying a fact never works a rule out again; this does, for an auditor: every contribution, award, reversal,
payment and reset of a journal is computed a second time and compared with what was written.
"""

from __future__ import annotations

from jackpot.link.facts import Fact
from jackpot.link.state import Link
from jackpot.machine.kind import Denied, Evidence
from jackpot.machine.kinds import kind_of

__all__ = ["Denied", "audit"]


def audit(link: Link, fact: Fact) -> None:
    """Compare a fact with what the rules give, the link being as it was before it."""
    recompute = kind_of(fact).recompute
    if not isinstance(recompute, Evidence):
        recompute(link, fact)
