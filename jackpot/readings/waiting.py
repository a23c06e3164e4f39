"""The wins that wait, each with everything that still keeps it from being paid."""

from __future__ import annotations

from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.link.parameters import Basis
from jackpot.link.state import Link
from jackpot.link.wins import Win, WinState
from jackpot.pools.order import Cluster
from jackpot.pools.payout import approvals_needed, clusters, place_rests_on, prospects, waiting_for
from jackpot.pools.pool import Payment


class Obstacle(StrEnum):
    """Why a win is not paid yet."""

    ROUNDS_OPEN = "rounds_open"
    ORDER_AMBIGUOUS = "order_ambiguous"
    EARLIER_WIN = "earlier_win"
    APPROVALS_MISSING = "approvals_missing"


@frozen(kw_only=True)
class WaitingWin:
    win: Win
    position: int
    """Its place in the line, from 1."""
    cluster: Cluster
    waiting_for: dict[str, int]
    """Open rounds, by table, of which a hand may have been dealt before."""
    basis: Basis | None
    """What its place rests on; None while its order is ambiguous, or if the House decided it."""
    amount: int
    """What it would be paid now in the proposed order."""
    base: int
    """The value that is worked out from."""
    shown: int
    """What the pool would show at that moment."""
    needed: int
    obstacles: tuple[Obstacle, ...]


def waiting_wins(link: Link) -> list[WaitingWin]:
    """The line, and for each win in it everything that still keeps it from being paid."""
    expected = prospects(link)
    line = [(cluster, name) for cluster in clusters(link) for name in cluster.wins]
    return [
        _waiting(link, cluster, link.queue[name], position, expected[name])
        for position, (cluster, name) in enumerate(line, start=1)
    ]


def _waiting(link: Link, cluster: Cluster, win: Win, position: int, paid: Payment) -> WaitingWin:
    rounds = waiting_for(link, cluster) if win.state is WinState.PENDING else {}
    needed = approvals_needed(link, win, paid)
    present = {
        Obstacle.ROUNDS_OPEN: bool(rounds),
        Obstacle.ORDER_AMBIGUOUS: not cluster.decided,
        Obstacle.EARLIER_WIN: position > 1,
        Obstacle.APPROVALS_MISSING: len(win.approvals) < needed,
    }
    return WaitingWin(
        win=win,
        position=position,
        cluster=cluster,
        waiting_for=rounds,
        basis=place_rests_on(link, win.id),
        amount=paid.amount,
        base=paid.base,
        shown=paid.before,
        needed=needed,
        obstacles=tuple(one for one, there in present.items() if there),
    )
