"""The parameters under which a journal is played again: those named, over whatever the House had set."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.instants import MILLISECOND
from jackpot.core.refusals import ParameterWrong
from jackpot.link.parameters import Changes, Parameters, check_parameters

NOTHING = Changes()
LIKELY_ERROR = 50 * MILLISECOND
"""How well a table's clock is measured on a quiet network: a window below that separates nothing."""


def seed_of(overrides: Changes) -> Changes:
    """What waits for the next reset."""
    return Changes(seed=overrides.seed)


def at_once(overrides: Changes, parameters: Parameters) -> Parameters:
    """All but the seed."""
    return replace(overrides, seed=None).applied_to(parameters)


def over(overrides: Changes, changed: Parameters, before: Parameters) -> Parameters:
    """Parameters that the House changed at once: what is named here stays as it was before."""
    kept = at_once(overrides, changed)
    return kept if overrides.seed is None else replace(kept, seed=before.seed)


def check_overrides(overrides: Changes, parameters: Parameters) -> None:
    """Whether a link with those parameters could run on these instead."""
    if overrides.contradictory:
        raise ParameterWrong("a limit is either named or taken away", field="ceiling")
    check_parameters(overrides.applied_to(parameters))
