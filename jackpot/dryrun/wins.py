"""The line as it would have been: which wins stand in it, when they leave it, and what they are paid.

A win of the journal is registered, put in order and approved as it was recorded. Its recorded payment is the
word that it is ready; it is paid here once it is first in line. A win that only other levels make has its
witnessed interval, and is ready as soon as no open round can bring an earlier one.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Protocol

from jackpot.cards.evaluator import Hand
from jackpot.dryrun.alternative import Alternative
from jackpot.games.progressive import MAJOR
from jackpot.house.queue import payment_of
from jackpot.link.awards import Awards
from jackpot.link.clocks import Offset
from jackpot.link.facts import (
    HandsReported,
    OrderDecided,
    OrderReopened,
    WinApproved,
    WinPaid,
    WinRegistered,
    WinRejected,
    WinsOrdered,
    WinWithdrawn,
)
from jackpot.link.rounds import HandResult, Round
from jackpot.link.wins import DealEvidence, Win, said_percent
from jackpot.pools.order import witnessed_interval
from jackpot.pools.payout import clusters, first_in_line, first_payout, waiting_for, without
from jackpot.pools.pool import released

Cards = tuple[str, ...]


class OfARound(Protocol):
    @property
    def table(self) -> str: ...
    @property
    def round(self) -> int: ...
    @property
    def hand(self) -> Hand: ...


def is_major(side: Alternative, fact: OfARound) -> bool:
    """Whether a major of the journal is one here too, by the awards of its round."""
    return side.overrides.levels is None or awards_of(side, fact).level_of(fact.hand) is MAJOR


def awards_of(side: Alternative, fact: OfARound) -> Awards:
    current = side.link.tables[fact.table].round
    here = current is not None and current.number == fact.round
    return current.awards if current is not None and here else side.link.parameters.awards


# Wins of the journal


def win_registered(side: Alternative, fact: WinRegistered) -> None:
    link, notes = side.link, side.notes
    known_to = fact.interval.end - fact.interval.start
    notes.best_known = known_to if notes.best_known is None else min(notes.best_known, known_to)
    if not is_major(side, fact):
        notes.fell_away.add(fact.win)
        return
    known = fact.replaces is not None and fact.replaces in side.places
    segment = side.places[str(fact.replaces)] if known else link.pool.next_segment
    side.write(
        replace(
            fact,
            segment=segment,
            replaces=fact.replaces if known else None,
            registered=fact.registered if fact.registered in link.registers else None,
            percent=said_percent(fact.hand, awards_of(side, fact).share_of(fact.hand)),
        )
    )


def win_left(side: Alternative, fact: WinWithdrawn | WinRejected) -> None:
    """Withdrawn or rejected: the carryover joins as this line has it."""
    win = side.link.queue.get(fact.win)
    if win is None:
        return
    side.places[win.id] = win.segment
    replaced = _replaced(side)
    side.write(_leaving(side, fact, win, replaced))


def _replaced(side: Alternative) -> dict[str, int]:
    """Wins that the same report replaces, here too, with their segments."""
    facts = [one.fact for one in side.following]
    several = [one for one in facts if isinstance(one, WinRegistered) and is_major(side, one)]
    named = {one.replaces for one in several}
    found = {one.id: one.segment for one in side.link.queue.values() if one.id in named}
    return found | {name: segment for name, segment in side.places.items() if name in named}


def _leaving(
    side: Alternative, fact: WinWithdrawn | WinRejected, win: Win, replaced: Mapping[str, int]
) -> WinWithdrawn | WinRejected:
    link = side.link
    waiting = [one.segment for one in link.queue.values() if one.id != win.id]
    release = released(link.pool, link.parameters, [*waiting, *replaced.values()])
    kept = win.id in replaced
    registers = () if kept else without(link.registers, link.parameters, win)
    return replace(
        fact,
        moves=release.transfer.moves,
        contributed=release.transfer.contributed,
        joined=release.joined,
        registers=registers,
    )


def win_approved(side: Alternative, fact: WinApproved) -> None:
    if fact.win in side.link.queue:
        side.write(fact)


def wins_ordered(side: Alternative, fact: WinsOrdered | OrderReopened) -> None:
    here = tuple([win for win in fact.wins if win in side.link.queue])
    if here:
        side.write(replace(fact, wins=here))


def order_decided(side: Alternative, fact: OrderDecided) -> None:
    if any(win in side.link.queue for win in fact.wins):
        side.write(fact)


def win_paid(side: Alternative, fact: WinPaid) -> None:
    """Those that were paid together were ready together."""
    several = {fact.win, *[one.win for one in fact.due]}
    side.signalled |= several & side.link.queue.keys()
    if fact.win in side.link.queue:
        pay_first(side)


# Wins of other levels


def is_only_here(win: str | None) -> bool:
    """Those of the journal are numbered from 1."""
    return win is not None and win.endswith(".0")


def name_only_here(table: str, number: int, box: int) -> str:
    return f"{table}.{number}.{box}.0"


def waiting_only_here(side: Alternative, current: Round) -> dict[int, Cards]:
    """By box, with the cards they were registered with."""
    found = [side.link.queue.get(win) for win in current.wins if is_only_here(win)]
    return {win.box: win.cards for win in found if win is not None}


def majors_only_here(
    side: Alternative, current: Round, fact: HandsReported, results: Iterable[HandResult]
) -> dict[int, Cards]:
    """What a report leaves of such wins, or brings of them: by box, with the cards that make the hand."""
    setup, own = side.link.tables[fact.table].played, {one.box: one.cards for one in fact.records}
    return {
        one.box: setup.rulebook.progressive_cards(own[one.box], fact.community)
        for one in results
        if is_only_here(one.win) and not current.boxes[one.box].paid
    }


def drop_only_here(side: Alternative, current: Round, stand: Mapping[int, Cards], *, reason: str) -> None:
    """Those of a round that do not stand."""
    if not side.link.queue:
        return
    for number, cards in waiting_only_here(side, current).items():
        if stand.get(number) != cards:
            win = next(
                one for one in side.link.queue.values() if one.id in current.wins and one.box == number
            )
            fact = WinWithdrawn(win=win.id, reason=reason, joined=())
            left = _leaving(side, fact, win, {})
            side.write(left)
            side.only_here.pop(win.id, None)


def register_only_here(
    side: Alternative, current: Round, fact: HandsReported, results: Iterable[HandResult]
) -> None:
    for box, cards in majors_only_here(side, current, fact, results).items():
        win = name_only_here(fact.table, current.number, box)
        hand = next(one.hand for one in results if one.box == box)
        if win in side.link.queue or hand is None:
            continue
        evidence = DealEvidence(
            dealt_at=None,
            sent_at=fact.sent_at,
            received_at=max(fact.received_at, side.stamp.at),
            error=0,
            offset=Offset(),
            live=False,
            spooled=False,
        )
        witnessed = witnessed_interval(evidence, dealt_from=current.dealt_from)
        side.only_here[win] = side.stamp.sequence
        side.write(
            WinRegistered(
                win=win,
                table=fact.table,
                round=current.number,
                box=box,
                hand=hand,
                cards=cards,
                bet=current.boxes[box].bet,
                interval=witnessed,
                witnessed=witnessed,
                evidence=evidence,
                segment=side.link.pool.next_segment,
                replaces=None,
                registered=current.registered,
                percent=said_percent(hand, current.awards.share_of(hand)),
            )
        )


# Payment


def pay_what_is_ready(side: Alternative) -> None:
    while pay_first(side):
        pass


def pay_first(side: Alternative) -> bool:
    """The first in line, if it and all that are paid together with it are ready."""
    link, portion = side.link, first_in_line(side.link)
    if not portion or not all(_ready(side, win) for win in portion):
        return False
    win = link.queue[portion[0]]
    cluster = next(one for one in clusters(link) if win.id in one.wins)
    if not cluster.decided:
        side.notes.proposed.add(win.id)
    side.write(replace(payment_of(link, win, first_payout(link)), slip=None))
    side.signalled.discard(win.id)
    return True


def _ready(side: Alternative, win: str) -> bool:
    """Approvals of a win that the journal does not know are assumed as soon as its place is certain."""
    if win in side.signalled or win not in side.only_here:
        return win in side.signalled
    link = side.link
    cluster = next(one for one in clusters(link) if win in one.wins)
    over = link.awards.window is None or side.stamp.at > cluster.end
    return over and not waiting_for(link, cluster)
