"""What the House sets for a link, and which settings are possible."""

from __future__ import annotations

from dataclasses import field, replace
from enum import StrEnum
from typing import Any

from jackpot.cards.evaluator import Hand
from jackpot.core.currencies import DECIMALS, FOUR_DECIMALS
from jackpot.core.instants import SECOND
from jackpot.core.money import LARGEST_AMOUNT, PARTS_PER_MILLION, Rates
from jackpot.core.records import SPARSE, Kept, frozen
from jackpot.core.refusals import ParameterWrong
from jackpot.games.progressive import ALL_OF_IT, Prize
from jackpot.link.awards import RULE_BOOK, Awards, Policy, check_awards

UNCLAIMED_AFTER_DAYS = 365
LONGEST_UNCLAIMED_AFTER = 3650


class Basis(StrEnum):
    """What the place of a win in the line rests on."""

    WITNESSED = "witnessed"
    """The House saw it: by journal times and receipts alone no other order is possible."""
    STAMPED = "stamped"
    """A table's stamps decide it."""


@frozen(kw_only=True)
class Parameters(Kept):
    seed: int
    progressive_bet: int
    meter_ppm: int
    reserve_ppm: int
    ceiling: int | None = None
    top_up_to_seed: bool = False
    straight_flush_approvals: int = 1
    royal_flush_approvals: int = 2
    silent_after: int = 10 * SECOND
    order_basis: Basis = Basis.STAMPED
    """Which certainty is enough: with `witnessed`, no table's stamp decides an order."""
    awards: Awards = RULE_BOOK
    said_unclaimed_after_days: int | None = field(default=None, metadata=SPARSE)

    @property
    def unclaimed_after_days(self) -> int:
        """How long a paid win waits for its winner before it may go to the unclaimed money."""
        return self.said_unclaimed_after_days or UNCLAIMED_AFTER_DAYS

    @property
    def rates(self) -> Rates:
        return Rates(self.meter_ppm, self.reserve_ppm)

    def approvals_for(self, share: int) -> int:
        """Who wins all of it is approved like a royal flush, whatever hand a link names for that."""
        return self.royal_flush_approvals if share == ALL_OF_IT else self.straight_flush_approvals


@frozen(kw_only=True)
class Changes:
    """New values for some of the settings that may change; the others stay as they are."""

    seed: int | None = None
    meter_ppm: int | None = None
    reserve_ppm: int | None = None
    ceiling: int | None = None
    no_ceiling: bool = False
    levels: dict[Hand, Prize] | None = None
    """The whole pay table, as it is to be."""
    policy: Policy | None = None
    window: int | None = None
    no_window: bool = False
    cap: int | None = None
    no_cap: bool = False
    straight_flush_approvals: int | None = field(default=None, metadata=SPARSE)
    royal_flush_approvals: int | None = field(default=None, metadata=SPARSE)

    @property
    def contradictory(self) -> bool:
        """Something is to have a value and to be gone."""
        return any(getattr(self, name) is not None and getattr(self, f"no_{name}") for name in _MAY_GO)

    def followed_by(self, later: Changes) -> Changes:
        """Both, the later where they differ."""
        merged: dict[str, Any] = {}
        for name in (*_STAY, *_MAY_GO):
            gone = name in _MAY_GO and getattr(later, f"no_{name}")
            by = later if gone or getattr(later, name) is not None else self
            merged[name] = getattr(by, name)
            if name in _MAY_GO:
                merged[f"no_{name}"] = getattr(by, f"no_{name}")
        return Changes(**merged)

    def beside(self, named: Changes) -> Changes:
        """As much of these as the others do not name."""
        left: dict[str, Any] = {}
        for name in (*_STAY, *_MAY_GO):
            gone = name in _MAY_GO and getattr(named, f"no_{name}")
            if not gone and getattr(named, name) is None:
                left[name] = getattr(self, name)
                if name in _MAY_GO:
                    left[f"no_{name}"] = getattr(self, f"no_{name}")
        return Changes(**left)

    def applied_to(self, parameters: Parameters) -> Parameters:
        new = {name: getattr(self, name) for name in (*_STAY, *_MAY_GO) if getattr(self, name) is not None}
        new |= {name: None for name in _MAY_GO if getattr(self, f"no_{name}")}
        awards = {name: new.pop(name) for name in _OF_AWARDS if name in new}
        return replace(parameters, **new, awards=replace(parameters.awards, **awards))


_APPROVALS = "straight_flush_approvals", "royal_flush_approvals"
_STAY = "seed", "meter_ppm", "reserve_ppm", "levels", "policy", *_APPROVALS
_MAY_GO = "ceiling", "window", "cap"
"""What a link may be without."""
_OF_AWARDS = "levels", "policy", "window", "cap"


def check_parameters(parameters: Parameters) -> Parameters:
    """The parameters, if a link can run on them."""
    _within("seed", parameters.seed, 1, LARGEST_AMOUNT)
    _within("progressive_bet", parameters.progressive_bet, 1, LARGEST_AMOUNT // 100)
    _within("meter_ppm", parameters.meter_ppm, 0, PARTS_PER_MILLION)
    _within("reserve_ppm", parameters.reserve_ppm, 0, PARTS_PER_MILLION - parameters.meter_ppm)
    if parameters.ceiling is not None:
        _within("ceiling", parameters.ceiling, parameters.seed, LARGEST_AMOUNT)
    _within("straight_flush_approvals", parameters.straight_flush_approvals, 0, 10)
    _within("royal_flush_approvals", parameters.royal_flush_approvals, 0, 10)
    check_awards(parameters.awards)
    if parameters.said_unclaimed_after_days is not None:
        _within("unclaimed_after_days", parameters.said_unclaimed_after_days, 1, LONGEST_UNCLAIMED_AFTER)
    _within("silent_after", parameters.silent_after, SECOND, 24 * 3600 * SECOND)
    return parameters


def _within(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ParameterWrong(f"{field} must be from {least} to {most}, not {value}", field=field)


def check_currency(currency: str) -> str:
    """Amounts are minor units, and everybody must know how many of them are one."""
    if currency in FOUR_DECIMALS:
        raise ParameterWrong(
            f"{currency} has four decimals: a currency has none, two or three", field="currency"
        )
    if currency not in DECIMALS:
        raise ParameterWrong(f"{currency[:10]!r} is not a currency that ISO 4217 lists", field="currency")
    return currency
