"""What is paid and not yet in the winner's hands: its slip, and how it may be handed over."""

from __future__ import annotations

from dataclasses import field
from enum import StrEnum

from jackpot.cards.evaluator import Hand
from jackpot.core.records import SPARSE, Kept, frozen


class HandoverState(StrEnum):
    DUE = "due"
    HANDED_OVER = "handed_over"
    UNCLAIMED = "unclaimed"
    """Nobody came for it in the time the House has set. It may still be claimed."""


class Method(StrEnum):
    """How an amount is handed over."""

    CASH = "cash"
    CHEQUE = "cheque"
    TRANSFER = "transfer"
    CHIPS = "chips"
    SEVERAL = "several"
    """More than one of these: the note says how much by which."""


@frozen(kw_only=True)
class Handover(Kept):
    """A paid win or late claim until it is handed over. What else its slip says is in the journal."""

    slip: int
    table: str
    hand: Hand
    amount: int
    sequence: int
    """Of its payment."""
    paid_at: int
    percent: int
    """Of the displayed value: who wins all of it is paid out by two people."""
    approved_by: tuple[str, ...]
    printed: int = field(default=0, metadata=SPARSE)
    """How often its slip was printed."""
    unclaimed: int | None = field(default=None, metadata=SPARSE)
    """The journal sequence at which it went to the unclaimed money."""

    @property
    def state(self) -> HandoverState:
        return HandoverState.DUE if self.unclaimed is None else HandoverState.UNCLAIMED


class Ended(StrEnum):
    """Why a win or late claim that has left the state has no slip that could be paid out."""

    UNPAID = "unpaid"
    WITHOUT_SLIP = "without_slip"
    """It was paid before payments had slips."""
    HANDED_OVER = "handed_over"
