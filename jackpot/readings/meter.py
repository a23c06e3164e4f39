"""The meter as people and signs are shown it, and what it would pay now."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.link.state import Link, Pit
from jackpot.link.wins import Hit, WinState
from jackpot.play.status import MeterState, meter_state
from jackpot.pools.payout import due_parameters, prospects
from jackpot.pools.pool import Payment, payment


@frozen(kw_only=True)
class PendingWin:
    win: str
    hand: Hand
    table: str
    amount: int | None
    """Known once its place in the order is."""


@frozen(kw_only=True)
class Reading:
    name: str
    currency: str
    value: int
    state: MeterState
    pending: tuple[PendingWin, ...]
    next: int | None
    last_hit: Hit | None
    """The major that was paid last."""
    sequence: int
    at: int
    jackpot: bool = True
    """False for a pit: nothing is shown of it but its tables."""


def reading(pit: Pit) -> Reading:
    if isinstance(pit, Link):
        return _of_link(pit)
    return Reading(
        name=pit.name,
        currency=pit.currency,
        value=0,
        state=MeterState.OPEN,
        pending=(),
        next=None,
        last_hit=None,
        sequence=pit.sequence,
        at=pit.time,
        jackpot=False,
    )


def _of_link(link: Link) -> Reading:
    expected = prospects(link)
    return Reading(
        name=link.name,
        currency=link.currency,
        value=link.pool.value,
        state=meter_state(link),
        pending=tuple(_pending(link, win, payment.amount) for win, payment in expected.items()),
        next=list(expected.values())[-1].after if expected else None,
        last_hit=link.hits[-1] if link.hits else None,
        sequence=link.sequence,
        at=link.time,
    )


def _pending(link: Link, win: str, amount: int) -> PendingWin:
    found = link.queue[win]
    shown = amount if found.state is WinState.ORDERED else None
    return PendingWin(win=win, hand=found.hand, table=found.table, amount=shown)


def royal_now(link: Link) -> Payment | None:
    """What a royal flush would be paid, and what the reset after it would take; None while a win waits."""
    if link.held:
        return None
    return payment(link.pool, due_parameters(link), Hand.ROYAL_FLUSH, waiting=(), registered_amount=None)
