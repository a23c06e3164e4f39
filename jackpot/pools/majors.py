"""Royal and straight flushes: registered as wins, replaced, withdrawn or rejected, and put in order by the
House where the clocks cannot tell (4.5.2). `jackpot.house.queue` approves and pays them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jackpot.cards.evaluator import Hand
from jackpot.core.records import frozen
from jackpot.core.refusals import (
    NotAmbiguous,
    OrderContradictsDeal,
    OrderIncomplete,
    WinAlreadyPaid,
    WinUnknown,
)
from jackpot.link.answers import Done
from jackpot.link.commands import DecideOrder
from jackpot.link.execution import Desk, reasoned
from jackpot.link.facts import (
    OrderDecided,
    OrderReopened,
    ProposalWithdrawn,
    WinRegistered,
    WinRejected,
    WinWithdrawn,
)
from jackpot.link.proposals import ClaimDecision, HandingOver, RoyalRejection
from jackpot.link.state import Registered, in_order_made
from jackpot.link.wins import DealEvidence, Interval, Win, WinState, said_percent
from jackpot.pools.order import Cluster, contradicted
from jackpot.pools.payout import clusters, simultaneous, without
from jackpot.pools.pool import Release, released


@frozen(kw_only=True)
class Major:
    """A major hand as it was dealt."""

    table: str
    round: int
    box: int
    hand: Hand
    percent: int
    """Of the displayed value, by the awards that its round was bet on."""
    cards: tuple[str, ...]
    bet: int
    bets: int
    """The journal sequence of its round's bets: it was dealt after all that was paid before, and what its
    players were told then is the least that counts."""
    interval: Interval
    witnessed: Interval
    evidence: DealEvidence
    registered: int | None
    """The reading from which a malfunction has the wins of its round paid."""
    registered_value: int | None
    emptied: bool
    """A royal flush has been paid since that reading."""
    promised: int | None
    """A value that its table promised alone and the journal denies."""


def register(desk: Desk, major: Major, *, win: str, replaces: Win | None) -> None:
    """For money, the hit is now: the pool freezes, and what is bet from here on is carried over."""
    desk.write(
        WinRegistered(
            win=win,
            table=major.table,
            round=major.round,
            box=major.box,
            hand=major.hand,
            cards=major.cards,
            bet=major.bet,
            interval=major.interval,
            witnessed=major.witnessed,
            evidence=major.evidence,
            segment=desk.link.pool.next_segment if replaces is None else replaces.segment,
            replaces=None if replaces is None else replaces.id,
            registered=major.registered,
            percent=said_percent(major.hand, major.percent),
        )
    )


def withdraw(desk: Desk, win: str, *, reason: str, successors: Mapping[str, int] | None = None) -> None:
    """`successors`: the carryover segments of wins that another is about to replace, by their id."""
    replaced = successors or {}
    release = _released(desk, win, replaced.values())
    registers = () if win in replaced else _without(desk, win)
    moves, contributed = release.transfer.moves, release.transfer.contributed
    desk.write(
        WinWithdrawn(
            win=win,
            reason=reason,
            moves=moves,
            contributed=contributed,
            joined=release.joined,
            registers=registers,
        )
    )
    drop_proposals(desk, win)


def reject(desk: Desk, win: str, *, persons: tuple[str, ...], reason: str) -> None:
    release = _released(desk, win)
    desk.write(
        WinRejected(
            win=win,
            persons=persons,
            reason=reason,
            moves=release.transfer.moves,
            contributed=release.transfer.contributed,
            joined=release.joined,
            registers=_without(desk, win),
        )
    )
    drop_proposals(desk, win)


def _released(desk: Desk, win: str, successors: Iterable[int] = ()) -> Release:
    waiting = [one.segment for one in desk.link.queue.values() if one.id != win]
    return released(desk.link.pool, desk.link.parameters, [*waiting, *successors])


def _without(desk: Desk, win: str) -> tuple[Registered, ...]:
    link = desk.link
    return without(link.registers, link.parameters, link.queue[win])


def drop_proposals(desk: Desk, about: str) -> None:
    """What two people were to agree on about this win or claim has become moot."""
    for proposal in in_order_made(desk.link.proposals):
        match proposal.change:
            case RoyalRejection(win=subject) | ClaimDecision(claim=subject) | HandingOver(win=subject) if (
                subject == about
            ):
                desk.write(ProposalWithdrawn(proposal=proposal.id, person=None))


def waiting_win(desk: Desk, win: str) -> Win:
    found = desk.link.queue.get(win)
    if found is not None:
        return found
    if any(hit.win == win for hit in desk.link.hits):
        raise WinAlreadyPaid(f"win {win} has been paid", win=win)
    raise WinUnknown(f"no win {win[:80]!r} is waiting", win=win[:80])


def decide_order(desk: Desk, command: DecideOrder) -> Done:
    """4.5.2: the House determines conclusively what the clocks cannot tell."""
    reason = reasoned(command.reason)
    cluster = _cluster_of(desk, command.wins)
    if not cluster.ambiguous:
        raise NotAmbiguous(f"the place of win {command.wins[0]} is certain")
    if sorted(command.wins) != sorted(cluster.wins):
        raise OrderIncomplete(
            f"one order of the whole cluster is needed: {', '.join(sorted(cluster.wins))}", field="wins"
        )
    link = desk.link
    basis, meeting = link.parameters.order_basis, simultaneous(link)
    turned = contradicted(command.wins, link.queue.items(), basis, meeting)
    if turned is not None:
        raise OrderContradictsDeal(f"{turned[1]} was certainly dealt before {turned[0]}", field="wins")
    ordered = tuple(win for win in cluster.wins if desk.link.queue[win].state is WinState.ORDERED)
    if ordered:
        desk.write(OrderReopened(wins=ordered))
    desk.write(OrderDecided(wins=command.wins, person=command.person, reason=reason))
    return Done()


def _cluster_of(desk: Desk, wins: tuple[str, ...]) -> Cluster:
    if not wins:
        raise OrderIncomplete("an order names its wins", field="wins")
    for win in wins:
        waiting_win(desk, win)
    return next(cluster for cluster in clusters(desk.link) if wins[0] in cluster.wins)
