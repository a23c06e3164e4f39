"""The meter as people and signs are shown it, and what it would pay now."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.games.progressive import ALL_OF_IT
from jackpot.link.awards import RULE_BOOK, Awards
from jackpot.link.state import Link, Pit
from jackpot.link.wins import Hit, WinState
from jackpot.play.status import MeterState, meter_state
from jackpot.pools.payout import due_parameters, prospects
from jackpot.pools.policies import Sharer, proof_of
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
    awards: Awards = RULE_BOOK
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
        awards=link.parameters.awards,
    )


def _pending(link: Link, win: str, amount: int) -> PendingWin:
    found = link.queue[win]
    shown = amount if found.state is WinState.ORDERED else None
    return PendingWin(win=win, hand=found.hand, table=found.table, amount=shown)


def royal_now(link: Link) -> Payment | None:
    """What a royal flush, or who else takes all, would be paid; None while a win waits."""
    if link.held:
        return None
    royal = Sharer("", Hand.ROYAL_FLUSH, ALL_OF_IT, link.pool.value)
    proof = proof_of(link.awards.policy, royal)
    return payment(link.pool, due_parameters(link), proof, waiting=(), registered_amount=None)
