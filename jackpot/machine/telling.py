"""How facts are told to people: where a sentence stands, and what sentences have in common."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jackpot.core.money import Account, displayed, spoken
from jackpot.core.records import frozen
from jackpot.link.rounds import ReturnedBet


@frozen()
class Telling:
    """Where a fact is told."""

    currency: str
    round: int | None = None
    """The round whose story it is; None if it is not told of one round."""
    again: bool = False
    """Hands were reported before it."""

    def money(self, amount: int) -> str:
        return spoken(amount, self.currency)

    def units(self, amounts: Mapping[Account, int]) -> str:
        several = [f"{self.money(displayed(units))} of {account}" for account, units in amounts.items()]
        return ", ".join(several)

    def returned(self, returned: Iterable[ReturnedBet]) -> list[str]:
        return [
            f"Box {one.box}: {self.money(one.amount)} of the {one.wager} goes back, "
            f"{spaced(one.code)}{_by(one.rule)}."
            for one in returned
        ]


def spaced(code: str) -> str:
    return code.replace("_", " ")


def noted(note: str) -> str:
    return f": {note.rstrip('.')}" if note else ""


def _by(rule: str | None) -> str:
    return "" if rule is None else f" ({rule})"
