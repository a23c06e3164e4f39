"""What the House sets for a link, and which settings are possible."""

from __future__ import annotations

from dataclasses import replace
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.core.money import LARGEST_AMOUNT, PARTS_PER_MILLION, Rates
from jackpot.core.records import frozen
from jackpot.core.refusals import ParameterWrong


class Basis(StrEnum):
    """What the place of a win in the line rests on."""

    WITNESSED = "witnessed"
    """The House saw it: by journal times and receipts alone no other order is possible."""
    STAMPED = "stamped"
    """A table's stamps decide it."""


@frozen(kw_only=True)
class Parameters:
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

    @property
    def rates(self) -> Rates:
        return Rates(self.meter_ppm, self.reserve_ppm)

    def approvals_for(self, hand: Hand) -> int:
        return self.royal_flush_approvals if hand is Hand.ROYAL_FLUSH else self.straight_flush_approvals


@frozen(kw_only=True)
class Changes:
    """New values for some of the settings that may change; the others stay as they are."""

    seed: int | None = None
    meter_ppm: int | None = None
    reserve_ppm: int | None = None
    ceiling: int | None = None
    no_ceiling: bool = False

    def followed_by(self, later: Changes) -> Changes:
        """Both, the later where they differ."""
        ceiling_said = later.no_ceiling or later.ceiling is not None
        return Changes(
            seed=self.seed if later.seed is None else later.seed,
            meter_ppm=self.meter_ppm if later.meter_ppm is None else later.meter_ppm,
            reserve_ppm=self.reserve_ppm if later.reserve_ppm is None else later.reserve_ppm,
            ceiling=later.ceiling if ceiling_said else self.ceiling,
            no_ceiling=later.no_ceiling if ceiling_said else self.no_ceiling,
        )

    def applied_to(self, parameters: Parameters) -> Parameters:
        changed = replace(
            parameters,
            seed=parameters.seed if self.seed is None else self.seed,
            meter_ppm=parameters.meter_ppm if self.meter_ppm is None else self.meter_ppm,
            reserve_ppm=parameters.reserve_ppm if self.reserve_ppm is None else self.reserve_ppm,
            ceiling=parameters.ceiling if self.ceiling is None else self.ceiling,
        )
        return replace(changed, ceiling=None) if self.no_ceiling else changed


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
    _within("silent_after", parameters.silent_after, SECOND, 24 * 3600 * SECOND)
    return parameters


def _within(field: str, value: int, least: int, most: int) -> None:
    if not least <= value <= most:
        raise ParameterWrong(f"{field} must be from {least} to {most}, not {value}", field=field)


_NO_DECIMALS = "BIF CLP CVE DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"
_THREE_DECIMALS = "BHD IQD JOD KWD LYD OMR TND"
_FOUR_DECIMALS = "CLF UYW"


def check_currency(currency: str) -> str:
    """Amounts are cents: a currency without two decimals is refused."""
    known = len(currency) == 3 and currency.isascii() and currency.isupper() and currency.isalpha()
    if not known or currency in f"{_NO_DECIMALS} {_THREE_DECIMALS} {_FOUR_DECIMALS}":
        raise ParameterWrong(f"{currency[:10]!r} is not a currency of two decimals", field="currency")
    return currency
