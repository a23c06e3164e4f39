"""Facts about paid wins on their way to the winner: what each does, and how it is computed again."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.refusals import Refused
from jackpot.link.facts import ClaimDecided, SlipPrinted, Stamp, WinHandedOver, WinPaid, WinUnclaimed
from jackpot.link.handovers import Handover, HandoverState
from jackpot.link.state import Link
from jackpot.link.wins import Claim, Win
from jackpot.machine import events
from jackpot.machine.kind import (
    Denied,
    HandoverChanged,
    Kind,
    MeterMay,
    must_equal,
    must_hold,
    no_table,
    post_moves,
)
from jackpot.machine.telling import Telling, noted
from jackpot.pools.handovers import (
    approved_it_alone,
    check_reference,
    claimed_after_all,
    left_unclaimed,
    overdue_from,
    people_needed,
)


def begin_handover(
    link: Link, fact: WinPaid | ClaimDecided, of: Win | Claim, people: tuple[str, ...], stamp: Stamp
) -> None:
    """From now on it is due."""
    if fact.slip is None:
        return
    link.slips = fact.slip
    link.handovers[of.id] = Handover(
        slip=fact.slip,
        table=of.table,
        hand=of.hand,
        amount=fact.amount,
        sequence=stamp.sequence,
        paid_at=stamp.at,
        percent=of.percent,
        approved_by=people,
    )


def recompute_slip(link: Link, fact: WinPaid | ClaimDecided) -> None:
    """What was paid before there were slips has none; from the first on, none is left out."""
    if fact.slip is not None or link.slips:
        must_equal("the number of its slip", fact.slip, link.slip_for(fact.amount))


def _waiting(link: Link, fact: SlipPrinted | WinHandedOver | WinUnclaimed) -> Handover:
    handover = link.handovers.get(fact.win)
    if handover is None:
        raise Denied(f"{fact.win} does not wait to be handed over")
    must_equal("the number of the slip", fact.slip, handover.slip)
    return handover


def _print(link: Link, fact: SlipPrinted, _stamp: Stamp) -> None:
    link.handovers[fact.win] = replace(link.handovers[fact.win], printed=fact.copy)


def _recompute_print(link: Link, fact: SlipPrinted) -> None:
    must_equal("how often it was printed", fact.copy, _waiting(link, fact).printed + 1)


SLIP_PRINTED = Kind(
    SlipPrinted,
    place=Link,
    apply=_print,
    recompute=_recompute_print,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: (
        f"Slip {fact.slip} of {fact.win} is printed by {fact.person}"
        f"{'' if fact.copy == 1 else f', as copy {fact.copy}'}."
    ),
    foretold=None,
    event=None,
)


def _hand_over(link: Link, fact: WinHandedOver, _stamp: Stamp) -> None:
    del link.handovers[fact.win]
    post_moves(link, fact)


def _recompute_handing_over(link: Link, fact: WinHandedOver) -> None:
    """To whom, and how, is people's word."""
    handover = _waiting(link, fact)
    must_equal("the amount that was paid", fact.amount, handover.amount)
    must_equal("the moves", fact.moves, claimed_after_all(link, handover).moves)
    must_hold("more people were needed", holds=len(set(fact.persons)) >= people_needed(link, handover))
    alone = len(fact.persons) == 1 and approved_it_alone(handover, fact.persons[0])
    must_hold("who handed it over had approved it alone", holds=not alone)
    try:
        check_reference(fact.reference)
    except Refused as wrong:
        raise Denied(wrong.message) from wrong


def _say_handing_over(fact: WinHandedOver, at: Telling) -> str:
    people = " and ".join(fact.persons)
    return (
        f"{at.money(fact.amount)} of win {fact.win} (slip {fact.slip}) are handed over by {people}, "
        f"{fact.method.value}, to reference {fact.reference}{noted(fact.note)}."
    )


WIN_HANDED_OVER = Kind(
    WinHandedOver,
    place=Link,
    apply=_hand_over,
    recompute=_recompute_handing_over,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=lambda fact: HandoverChanged(fact.win, HandoverState.HANDED_OVER),
    words=_say_handing_over,
    foretold=None,
    event=events.WIN_HANDED_OVER,
)


def _leave_unclaimed(link: Link, fact: WinUnclaimed, stamp: Stamp) -> None:
    link.handovers[fact.win] = replace(link.handovers[fact.win], unclaimed=stamp.sequence)
    post_moves(link, fact)


def _recompute_leaving(link: Link, fact: WinUnclaimed) -> None:
    handover = _waiting(link, fact)
    must_equal("what it was before", HandoverState.DUE, handover.state)
    must_equal("the amount that was paid", fact.amount, handover.amount)
    must_equal("the moves", fact.moves, left_unclaimed(link, handover).moves)


def _overdue(link: Link, fact: WinUnclaimed) -> int:
    return overdue_from(link, _waiting(link, fact))


WIN_UNCLAIMED = Kind(
    WinUnclaimed,
    place=Link,
    apply=_leave_unclaimed,
    recompute=_recompute_leaving,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=lambda fact: HandoverChanged(fact.win, HandoverState.UNCLAIMED),
    words=lambda fact, at: (
        f"{at.money(fact.amount)} of win {fact.win} (slip {fact.slip}) go to the unclaimed money"
        f"{noted(fact.reason)}."
    ),
    foretold=None,
    event=events.WIN_UNCLAIMED,
    earliest=_overdue,
)

HANDOVER_KINDS = SLIP_PRINTED | WIN_HANDED_OVER | WIN_UNCLAIMED
