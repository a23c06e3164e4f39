"""Facts about wins of the pool and their order: what each does, and how it is computed again."""

from __future__ import annotations

from dataclasses import replace

from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import hand_of, strength
from jackpot.core.versions import RULES_OF_0_1
from jackpot.link.awards import Policy
from jackpot.link.facts import (
    OrderDecided,
    OrderReopened,
    Stamp,
    WinApproved,
    WinPaid,
    WinRegistered,
    WinRejected,
    WinsOrdered,
    WinWithdrawn,
)
from jackpot.link.state import Link, Segment
from jackpot.link.wins import Approval, Decision, Hit, Win, WinState, said_percent
from jackpot.machine import events
from jackpot.machine.kind import (
    Denied,
    Kind,
    MeterMay,
    WinBegan,
    WinEnded,
    every_table,
    must_equal,
    must_hold,
    no_table,
    own_table,
    round_at,
)
from jackpot.machine.kinds_handovers import begin_handover, recompute_slip
from jackpot.machine.kinds_rounds import forget_registers, mark_paid
from jackpot.machine.telling import Telling, noted, spaced
from jackpot.pools import pool
from jackpot.pools.order import Cluster, contradicted, witnessed_interval
from jackpot.pools.payout import (
    approvals_needed,
    clusters,
    first_in_line,
    first_payout,
    knowing,
    open_rounds,
    place_rests_on,
    simultaneous,
    waiting_for,
    without,
)
from jackpot.pools.pool import released

HITS_KEPT = 25
"""New Jersey and New York want the last 25 hits at hand."""


def _register(link: Link, fact: WinRegistered, stamp: Stamp) -> None:
    if fact.segment == link.pool.next_segment:
        link.pool.segments.append(Segment(number=fact.segment, amount=0))
        link.pool.next_segment += 1
    if link.held_since is None:
        link.held_since = stamp.sequence
    if fact.replaces is not None:
        _succeed(link, fact.replaces, fact)
    link.queue[fact.win] = Win(
        id=fact.win,
        table=fact.table,
        round=fact.round,
        box=fact.box,
        hand=fact.hand,
        cards=fact.cards,
        bet=fact.bet,
        interval=fact.interval,
        witnessed=fact.witnessed,
        evidence=fact.evidence,
        segment=fact.segment,
        registered_at=stamp.at,
        sequence=stamp.sequence,
        registered=fact.registered,
        rules=stamp.rules,
        said_percent=fact.percent,
    )


def _succeed(link: Link, predecessor: str, fact: WinRegistered) -> None:
    """Where the predecessor was pending, its successor was."""
    for sequence, one in link.registers.items():
        pending = tuple(
            replace(then, win=fact.win, hand=fact.hand, said_percent=fact.percent)
            if then.win == predecessor
            else then
            for then in one.pending
        )
        link.registers[sequence] = replace(one, pending=pending)


def _recompute_registration(link: Link, fact: WinRegistered) -> None:
    must_equal("the major", fact.hand, hand_of(strength(parse_all(fact.cards))))
    current = round_at(link, fact.table)
    percent = said_percent(fact.hand, current.awards.share_of(fact.hand))
    must_equal("the percentage", fact.percent, percent)
    if current.rules != RULES_OF_0_1 and current.number == fact.round:
        witnessed = witnessed_interval(fact.evidence, dealt_from=current.dealt_from)
        must_equal("what was witnessed of the deal", fact.witnessed, witnessed)
        start, end = fact.interval.start, fact.interval.end
        within = witnessed.start <= start <= end <= max(start, witnessed.end)
        must_equal("a deal within what was witnessed", within, True)  # noqa: FBT003
        must_equal("the reading it is paid from", fact.registered, current.registered)
    segments = {one.number for one in link.pool.segments}
    places = {link.pool.next_segment} if fact.replaces is None else segments
    must_hold("its segment is another", holds=fact.segment in places)


def _say_registration(fact: WinRegistered, _at: Telling) -> str:
    instead = "" if fact.replaces is None else f" It takes the place of {fact.replaces}."
    return f"Box {fact.box}: {spaced(fact.hand)}, win {fact.win} is registered.{instead}"


WIN_REGISTERED = Kind(
    WinRegistered,
    place=Link,
    apply=_register,
    recompute=_recompute_registration,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=lambda fact: WinBegan(fact.win, fact.table, fact.round, fact.box, fact.hand),
    words=_say_registration,
    foretold=None,
    event=events.WIN_REGISTERED,
)


def _leave_line(link: Link, fact: WinWithdrawn | WinRejected | WinPaid, _stamp: Stamp) -> None:
    del link.queue[fact.win]
    pool.post(link.pool, fact.moves, fact.contributed, fact.joined)
    link.decisions = [one for one in link.decisions if any(win in link.queue for win in one.wins)]
    link.registers |= {one.sequence: one for one in fact.registers}
    forget_registers(link)
    if not link.queue and not link.pool.segments:
        link.held_since = link.held_awards = None
    if not any(one.win in link.queue for one in link.due):
        link.due = ()


def _recompute_release(link: Link, fact: WinRejected | WinWithdrawn) -> None:
    waiting = [one.segment for one in link.queue.values() if one.id != fact.win]
    alone = released(link.pool, link.parameters, waiting)
    registers = without(link.registers, link.parameters, link.queue[fact.win])
    written = (fact.moves, fact.contributed, fact.joined, fact.registers)
    if isinstance(fact, WinWithdrawn) and fact.reason == "corrected":
        # Another hand may be about to take its place, or that of a win withdrawn just before by the same
        # report: then the carryover since that place stays where it is.
        for place in link.pool.segments:
            replaced = released(link.pool, link.parameters, [*waiting, place.number])
            if written == (replaced.transfer.moves, replaced.transfer.contributed, replaced.joined, ()):
                return
    computed = (alone.transfer.moves, alone.transfer.contributed, alone.joined, registers)
    must_equal("the carryover that joined", written, computed)


WIN_WITHDRAWN = Kind(
    WinWithdrawn,
    place=Link,
    apply=_leave_line,
    recompute=_recompute_release,
    meter=MeterMay.MOVE_WHILE_HELD,  # a reversal made during the hold joins
    touches=no_table,
    shown_at_tables=False,
    history=lambda fact: WinEnded(fact.win, WinState.WITHDRAWN),
    words=lambda fact, _: f"Win {fact.win} is withdrawn: {spaced(fact.reason)}.",
    foretold=None,
    event=events.WIN_WITHDRAWN,
)


WIN_REJECTED = Kind(
    WinRejected,
    place=Link,
    apply=_leave_line,
    recompute=_recompute_release,
    meter=MeterMay.MOVE_WHILE_HELD,  # a reversal made during the hold joins
    touches=no_table,
    shown_at_tables=False,
    history=lambda fact: WinEnded(fact.win, WinState.REJECTED),
    words=lambda fact, _: f"Win {fact.win} is rejected{noted(fact.reason)}.",
    foretold=lambda fact, _: f"Win {fact.win} is rejected and will not be paid.",
    event=events.WIN_REJECTED,
)


def _approve(link: Link, fact: WinApproved, stamp: Stamp) -> None:
    link.queue[fact.win].approvals.append(Approval(person=fact.person, at=stamp.at, note=fact.note))


def _recompute_approval(link: Link, fact: WinApproved) -> None:
    """0.1 told people apart to the letter."""
    before = [approval.person for approval in link.queue[fact.win].approvals]
    must_hold(f"{fact.person} had approved it already", holds=fact.person not in before)


WIN_APPROVED = Kind(
    WinApproved,
    place=Link,
    apply=_approve,
    recompute=_recompute_approval,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Win {fact.win} is approved{noted(fact.note)}.",
    foretold=lambda fact, _: f"The approval by {fact.person} is recorded.",
    event=events.WIN_APPROVED,
)


def _order(link: Link, fact: WinsOrdered, stamp: Stamp) -> None:
    for win in fact.wins:
        link.queue[win].state, link.queue[win].ordered_by = WinState.ORDERED, stamp.sequence


def _of_0_1(link: Link, wins: tuple[str, ...]) -> bool:
    """0.1 waited for marks, which stand outside the journal. The versions of the wins decide."""
    return any(link.queue[win].rules == RULES_OF_0_1 for win in wins)


def _cluster_of(link: Link, wins: tuple[str, ...]) -> Cluster:
    for cluster in clusters(link):
        if set(wins) & set(cluster.wins):
            return cluster
    raise Denied(f"none of the wins {', '.join(wins)} is waiting")


def _recompute_order(link: Link, fact: WinsOrdered) -> None:
    if _of_0_1(link, fact.wins):
        return
    cluster = _cluster_of(link, fact.wins)
    must_equal("the cluster that was ordered", fact.wins, cluster.wins)
    must_equal("the rounds that it waits for", {}, waiting_for(link, cluster))
    must_equal("the rounds that were open", fact.open, open_rounds(link))
    bases = {win: basis for win in fact.wins if (basis := place_rests_on(link, win)) is not None}
    must_equal("what the places rest on", fact.bases, bases)


def _window_over(link: Link, fact: WinsOrdered) -> int:
    """Where there is a window, wins are ordered once no round can begin within it any more."""
    if link.awards.window is None or _of_0_1(link, fact.wins):
        return link.time
    return _cluster_of(link, fact.wins).end + 1


WINS_ORDERED = Kind(
    WinsOrdered,
    place=Link,
    apply=_order,
    recompute=_recompute_order,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"The order of these wins is certain: {', '.join(fact.wins)}.",
    foretold=None,
    event=events.WINS_ORDERED,
    earliest=_window_over,
)


def _reopen(link: Link, fact: OrderReopened, _stamp: Stamp) -> None:
    for win in fact.wins:
        link.queue[win].state, link.queue[win].ordered_by = WinState.PENDING, None


def _recompute_reopening(link: Link, fact: OrderReopened) -> None:
    if not _of_0_1(link, fact.wins):
        together = _cluster_of(link, fact.wins).wins
        ordered = tuple(win for win in together if link.queue[win].state is WinState.ORDERED)
        must_equal("what had an order", fact.wins, ordered)


ORDER_REOPENED = Kind(
    OrderReopened,
    place=Link,
    apply=_reopen,
    recompute=_recompute_reopening,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"The order is undecided again: {', '.join(fact.wins)}.",
    foretold=None,
    event=events.ORDER_REOPENED,
)


def _decide_order(link: Link, fact: OrderDecided, stamp: Stamp) -> None:
    decision = Decision(wins=fact.wins, person=fact.person, reason=fact.reason, sequence=stamp.sequence)
    link.decisions.append(decision)


def _recompute_order_decision(link: Link, fact: OrderDecided) -> None:
    """Which of the possible orders it is, the House determines conclusively (4.5.2)."""
    if _of_0_1(link, fact.wins):
        return
    cluster = _cluster_of(link, fact.wins)
    must_hold("the order was certain", holds=cluster.ambiguous)
    must_equal("the wins that were put in order", sorted(fact.wins), sorted(cluster.wins))
    basis, meeting = link.parameters.order_basis, simultaneous(link)
    turned = contradicted(fact.wins, link.queue.items(), basis, meeting)
    must_hold("one was certainly dealt before another", holds=turned is None)


ORDER_DECIDED = Kind(
    OrderDecided,
    place=Link,
    apply=_decide_order,
    recompute=_recompute_order_decision,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"The order is decided (4.5.2): {', then '.join(fact.wins)}{noted(fact.reason)}.",
    foretold=lambda fact, _: f"The order is decided: {', then '.join(fact.wins)}.",
    event=events.ORDER_DECIDED,
)


def _pay(link: Link, fact: WinPaid, stamp: Stamp) -> None:
    held_since = link.held_since or 0
    cluster = link.hits[-1].cluster if link.due else stamp.sequence
    window, knew = link.awards.window or None, knowing(link, link.queue[fact.win], fact.due)
    if fact.due:
        link.due = fact.due
    if fact.parameters is not None and fact.parameters.awards != link.awards:
        link.held_awards = link.awards
    win = link.queue[fact.win]
    _leave_line(link, fact, stamp)
    link.pool.payments += 1
    link.pool.contributed_before_reset = fact.contributed_before_reset
    hit = Hit(
        win=fact.win,
        table=fact.table,
        round=fact.round,
        box=fact.box,
        hand=fact.hand,
        interval=fact.interval,
        witnessed=fact.witnessed,
        before=fact.before,
        amount=fact.amount,
        after=fact.after,
        at=stamp.at,
        hold=held_since,
        sequence=stamp.sequence,
        said_percent=said_percent(fact.hand, fact.percent),
        proof=fact.proof,
        cluster=cluster,
        window=window,
    )
    link.hits = [*link.hits, hit][-HITS_KEPT:]
    mark_paid(link, fact.table, fact.round, fact.box)
    people = tuple(approval.person for approval in fact.approvals)
    begin_handover(link, fact, win, people, stamp)
    if fact.parameters is not None:
        _empty_readings(link, knew)
        link.parameters = fact.parameters
        link.scheduled = [one for one in link.scheduled if one.sequence > held_since]


def _empty_readings(link: Link, knew: frozenset[int]) -> None:
    """Rounds that go on from a reading that knew nothing of this royal flush."""
    for table in link.tables.values():
        current = table.round
        if current is not None and current.registered is not None and current.registered not in knew:
            current.emptied = True


def _recompute_payment(link: Link, fact: WinPaid) -> None:
    must_equal("who is first in line", fact.win, first_in_line(link)[0])
    win, payout = link.queue[fact.win], first_payout(link)
    paid = payout.payment
    if fact.proof is not None or link.awards.together:  # without one it was paid before there were policies
        must_equal("the proof of its amount", (fact.proof, fact.due), (payout.proof, payout.due))
    must_equal("the reset", fact.parameters, payout.parameters if payout.resets else None)
    computed = (paid.before, paid.percent, paid.amount, paid.after, paid.from_pool)
    written = (fact.before, fact.percent, fact.amount, fact.after, fact.from_pool)
    must_equal("the payment", written, computed)
    moves = (paid.transfer.moves, paid.transfer.contributed, paid.joined, payout.registers)
    must_equal("the moves of the payment", (fact.moves, fact.contributed, fact.joined, fact.registers), moves)
    _must_be_of(link, fact, win)
    resetting = (fact.contributed_before_reset, paid.contributed_before_reset)
    must_equal("what bets had brought before the reset", *resetting)
    recompute_slip(link, fact)
    needed = approvals_needed(link, win, paid)
    if win.rules != RULES_OF_0_1:
        must_equal("what its place rests on", fact.basis, place_rests_on(link, fact.win))
    people = {approval.person for approval in fact.approvals}
    must_equal("the approvals", fact.approvals, tuple(win.approvals))
    if len(people) < needed:
        raise Denied(f"{needed} people had to approve, {len(people)} did")


def _must_be_of(link: Link, fact: WinPaid, win: Win) -> None:
    """Late claims go by what a payment says of its win, and so does the bet that is paid once."""
    said = (fact.table, fact.round, fact.box, fact.hand, fact.interval, fact.witnessed)
    known = (win.table, win.round, win.box, win.hand, win.interval, win.witnessed)
    must_equal("which win was paid", said, known)
    registered = None if win.registered is None else link.registers[win.registered]
    must_equal("the registered amount", fact.registered, registered)
    must_equal("what ordered it", fact.ordered_by, win.ordered_by)
    must_equal("whether it was spooled", fact.spooled, win.evidence.spooled)


def _say_payment(fact: WinPaid, at: Telling) -> str:
    return (
        f"Win {fact.win} is paid {at.money(fact.amount)}: {_share_of(fact, at)}. "
        f"The meter then shows {at.money(fact.after)}."
    )


def _share_of(fact: WinPaid, at: Telling) -> str:
    proof = fact.proof
    share = f"{fact.percent} % of {at.money(fact.before if proof is None else proof.reading)}"
    if proof is None or len(proof.wins) == 1:
        return share
    others = len(proof.wins)
    return f"{share}, shared by {others}" if proof.policy is Policy.SPLIT else f"{share}, as each of {others}"


def _foretell_payment(fact: WinPaid, at: Telling) -> str:
    return (
        f"{spaced(fact.hand).capitalize()} {fact.win} is paid {at.money(fact.amount)} at once. "
        f"The meter then shows {at.money(fact.after)}."
    )


WIN_PAID = Kind(
    WinPaid,
    place=Link,
    apply=_pay,
    recompute=_recompute_payment,
    meter=MeterMay.MOVE_WHILE_HELD,
    touches=every_table,
    shown_at_tables=True,
    history=lambda fact: WinEnded(fact.win, WinState.PAID, fact.amount, fact.slip),
    words=_say_payment,
    foretold=_foretell_payment,
    event=events.WIN_PAID,
)


WIN_KINDS = (
    WIN_REGISTERED
    | WIN_WITHDRAWN
    | WIN_REJECTED
    | WIN_APPROVED
    | WINS_ORDERED
    | ORDER_REOPENED
    | ORDER_DECIDED
    | WIN_PAID
)
