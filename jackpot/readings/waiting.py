"""The wins that wait, each with everything that still keeps it from being paid."""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum

from jackpot.core.records import frozen
from jackpot.link.awards import Policy
from jackpot.link.parameters import Basis
from jackpot.link.state import Link
from jackpot.link.wins import Win, WinState
from jackpot.pools.order import Cluster
from jackpot.pools.payout import (
    approvals_needed,
    clusters,
    first_in_line,
    place_rests_on,
    prospects,
    waiting_for,
)


class Obstacle(StrEnum):
    """Why a win is not paid yet."""

    ROUNDS_OPEN = "rounds_open"
    ORDER_AMBIGUOUS = "order_ambiguous"
    EARLIER_WIN = "earlier_win"
    APPROVALS_MISSING = "approvals_missing"
    OTHERS_NOT_READY = "others_not_ready"
    """It is paid together with wins that something else keeps waiting."""
    WINDOW_OPEN = "window_open"
    """A hand that is dealt within the window would count as simultaneous."""


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
    policy: Policy
    """By which it is paid: a hold keeps the one with which it began."""

    @property
    def together(self) -> tuple[str, ...]:
        """The wins that are paid together with it, itself among them; none if it is paid by itself."""
        return self.cluster.wins if self.cluster.together and len(self.cluster.wins) > 1 else ()


def waiting_wins(link: Link) -> list[WaitingWin]:
    """The line, and for each win in it everything that still keeps it from being paid."""
    expected = prospects(link)
    needed = {name: approvals_needed(link, link.queue[name], paid) for name, paid in expected.items()}
    line = [(cluster, name) for cluster in clusters(link) for name in cluster.wins]
    own = {name: _own_obstacles(link, cluster, link.queue[name], needed[name]) for cluster, name in line}
    return [
        WaitingWin(
            win=link.queue[name],
            position=position,
            cluster=cluster,
            waiting_for=_awaited(link, cluster, link.queue[name]),
            basis=place_rests_on(link, name),
            amount=expected[name].amount,
            base=expected[name].base,
            shown=expected[name].before,
            needed=needed[name],
            obstacles=tuple(one for one in Obstacle if one in own[name] | _of_line(link, cluster, name, own)),
            policy=link.awards.policy,
        )
        for position, (cluster, name) in enumerate(line, start=1)
    ]


def _awaited(link: Link, cluster: Cluster, win: Win) -> dict[str, int]:
    return waiting_for(link, cluster) if win.state is WinState.PENDING else {}


def _own_obstacles(link: Link, cluster: Cluster, win: Win, needed: int) -> set[Obstacle]:
    rounds = _awaited(link, cluster, win)
    pending = win.state is WinState.PENDING and cluster.decided and not rounds
    present = {
        Obstacle.ROUNDS_OPEN: bool(rounds),
        Obstacle.ORDER_AMBIGUOUS: not cluster.decided,
        Obstacle.APPROVALS_MISSING: len(win.approvals) < needed,
        # Nothing else keeps it pending: `jackpot.house.queue` orders it once the window has passed.
        Obstacle.WINDOW_OPEN: pending and link.awards.window is not None,
    }
    return {one for one, there in present.items() if there}


def _of_line(link: Link, cluster: Cluster, name: str, own: Mapping[str, set[Obstacle]]) -> set[Obstacle]:
    """What other wins keep it waiting with."""
    present = {
        Obstacle.EARLIER_WIN: name not in first_in_line(link),
        Obstacle.OTHERS_NOT_READY: cluster.together and any(own[one] for one in cluster.wins if one != name),
    }
    return {one for one, there in present.items() if there}
