"""Fact + state -> state. No rule is worked out here: a fact says what it changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any

from jackpot import facts, pool
from jackpot.evaluator import Hand
from jackpot.money import Account
from jackpot.parameters import Parameters
from jackpot.proposals import Proposal, Scheduled
from jackpot.rounds import PROGRESSIVE, Box, Round, RoundState
from jackpot.state import Link, Malfunction, Pool, Segment, Table, TableSetup, TableStatus
from jackpot.wins import Approval, Claim, Decision, Hit, Win, WinState

HITS_KEPT = 25
"""New Jersey and New York want the last 25 hits at hand."""


def created(entry: facts.Entry) -> Link:
    """The state after the first entry of a journal."""
    fact = entry.fact
    if not isinstance(fact, facts.LinkCreated):
        raise ValueError("a journal begins with the creation of its link")
    link = Link(
        id=fact.id,
        name=fact.name,
        currency=fact.currency,
        parameters=fact.parameters,
        pool=Pool(accounts=dict.fromkeys(Account, 0)),
        created_at=entry.at,
    )
    pool.post(link.pool, fact.moves, fact.contributed, None)
    link.sequence, link.time, link.head = entry.sequence, entry.at, entry.hash
    return link


def apply(link: Link, fact: facts.Fact, stamp: facts.Stamp) -> None:
    """Change the state as the fact says. The head of the chain is set once the entry has its bytes."""
    _APPLY[type(fact)](link, fact, stamp)
    link.sequence, link.time = stamp.sequence, stamp.at


def replayed(entries: Iterable[facts.Entry], link: Link | None = None) -> Link:
    """The state that a journal implies, from its facts alone; or what more entries make of a state."""
    several = iter(entries)
    link = created(next(several)) if link is None else link
    for entry in several:
        apply(link, entry.fact, entry.stamp)
        link.head = entry.hash
    return link


def round_that_left(setup: TableSetup, entries: Iterable[facts.Entry]) -> Round | None:
    """A round that has left the state, from the facts about it."""
    scratch = Pool(accounts=dict.fromkeys(Account, 0), segments=[Segment(number=0, amount=0)])
    link = Link(id="", name="", currency="", parameters=_NO_PARAMETERS, pool=scratch, created_at=0)
    table = link.tables[setup.id] = Table(setup=setup)
    for entry in entries:
        match entry.fact:
            case (
                facts.BetsClosed()
                | facts.HandsReported()
                | facts.RoundVoided()
                | facts.IrregularityDeclared()
                | facts.HandsInvalidated()
                | facts.RoundContinued() as fact
            ):
                apply(
                    link,
                    replace(fact, settles=None) if isinstance(fact, facts.BetsClosed) else fact,
                    entry.stamp,
                )
            case facts.WinPaid() | facts.ClaimDecided() as fact if fact.amount:
                _mark_paid(link, fact.table, fact.round, fact.box)
    if table.round is not None and not table.round.stands:
        table.round.state = RoundState.SETTLED
    return table.round


_NO_PARAMETERS = Parameters(seed=1, progressive_bet=1, meter_ppm=0, reserve_ppm=0)


def _link_opened(link: Link, _fact: facts.LinkOpened, _stamp: facts.Stamp) -> None:
    link.closed = False


def _link_closed(link: Link, _fact: facts.LinkClosed, _stamp: facts.Stamp) -> None:
    link.closed = True


def _table_added(link: Link, fact: facts.TableAdded, _stamp: facts.Stamp) -> None:
    link.tables[fact.setup.id] = Table(setup=fact.setup)


def _table_joined(link: Link, fact: facts.TableJoined, _stamp: facts.Stamp) -> None:
    link.tables[fact.table].status = TableStatus.IN_PLAY


def _table_opened(link: Link, fact: facts.TableOpened, _stamp: facts.Stamp) -> None:
    link.tables[fact.table].status = TableStatus.IN_PLAY if fact.in_play else TableStatus.AWAY


def _table_left(link: Link, fact: facts.TableLeft, _stamp: facts.Stamp) -> None:
    link.tables[fact.table].status = TableStatus.AWAY


def _table_closed(link: Link, fact: facts.TableClosed, _stamp: facts.Stamp) -> None:
    link.tables[fact.table].status = TableStatus.CLOSED


def _bets_closed(link: Link, fact: facts.BetsClosed, stamp: facts.Stamp) -> None:
    table = link.tables[fact.table]
    payments = link.pool.payments
    boxes = {
        bets.box: Box(
            number=bets.box, ante=bets.ante, bonus=bets.bonus, bet=bets.progressive, payments=payments
        )
        for bets in fact.boxes
    }
    if fact.settles is not None:
        _current(link, fact.table).state = RoundState.SETTLED
        table.wagers_open = stamp.at if fact.left_open else None
    table.last_round = fact.round
    table.round = Round(
        number=fact.round,
        closed_at=fact.closed_at,
        dealt_from=fact.dealt_from,
        sequence=stamp.sequence,
        state=RoundState.BETS_CLOSED,
        boxes=boxes,
        meter_ppm=fact.meter_ppm,
        reserve_ppm=fact.reserve_ppm,
        rules=stamp.rules,
    )
    _forget_registers(link)
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _hands_reported(link: Link, fact: facts.HandsReported, _stamp: facts.Stamp) -> None:
    current = _current(link, fact.table)
    records = {record.box: record for record in fact.records}
    results = {result.box: result for result in fact.results}
    for box in current.boxes.values():
        box.record, box.result = records.get(box.number), results.get(box.number)
        if box.record is not None:
            box.main = box.record.main
        if box.result is not None and box.result.win is not None:
            box.registrations = max(box.registrations, _registration(box.result.win))
    for returned in fact.returned:
        if returned.wager == PROGRESSIVE:
            current.boxes[returned.box].returned = True
    for number in fact.restored:
        current.boxes[number].returned = False
        current.boxes[number].payments = link.pool.payments
    current.state = fact.state
    if fact.state is RoundState.SETTLED:
        link.tables[fact.table].wagers_open = None
    current.hands_content, current.hands_sent_at = fact.content, fact.sent_at
    current.community, current.dealer = fact.community, fact.dealer
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _registration(win: str) -> int:
    return int(win.rsplit(".", 1)[1])


def _round_voided(link: Link, fact: facts.RoundVoided, _stamp: facts.Stamp) -> None:
    current = _current(link, fact.table)
    current.state = RoundState.VOIDED
    if fact.malfunction is not None or fact.irregularity is not None:
        current.void_returned = fact.returned
    for box in current.boxes.values():
        box.returned, box.result = True, None
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _irregularity_declared(link: Link, fact: facts.IrregularityDeclared, _stamp: facts.Stamp) -> None:
    _current(link, fact.table).consequence = fact.consequence


def _hands_invalidated(link: Link, fact: facts.HandsInvalidated, _stamp: facts.Stamp) -> None:
    current = _current(link, fact.table)
    for number, rule in fact.boxes.items():
        box = current.boxes[number]
        box.invalidated, box.returned, box.result = rule, True, None
    current.state, current.hands_content = fact.state, fact.content
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _win_registered(link: Link, fact: facts.WinRegistered, stamp: facts.Stamp) -> None:
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
    )


def _succeed(link: Link, predecessor: str, fact: facts.WinRegistered) -> None:
    """Where the predecessor was pending, its successor was."""
    for sequence, one in link.registers.items():
        pending = tuple(
            replace(then, win=fact.win, hand=fact.hand) if then.win == predecessor else then
            for then in one.pending
        )
        link.registers[sequence] = replace(one, pending=pending)


def _win_left(
    link: Link, fact: facts.WinWithdrawn | facts.WinRejected | facts.WinPaid, _stamp: facts.Stamp
) -> None:
    del link.queue[fact.win]
    pool.post(link.pool, fact.moves, fact.contributed, fact.joined)
    link.decisions = [one for one in link.decisions if any(win in link.queue for win in one.wins)]
    link.registers |= {one.sequence: one for one in fact.registers}
    _forget_registers(link)
    if not link.queue and not link.pool.segments:
        link.held_since = None


def _forget_registers(link: Link) -> None:
    """A registered amount is kept while a round in play or a waiting win may be paid from it."""
    if link.registers:
        needed = {win.registered for win in link.queue.values()}
        needed |= {table.round.registered for table in link.tables.values() if table.round is not None}
        link.registers = {sequence: one for sequence, one in link.registers.items() if sequence in needed}


def _win_approved(link: Link, fact: facts.WinApproved, stamp: facts.Stamp) -> None:
    link.queue[fact.win].approvals.append(Approval(person=fact.person, at=stamp.at, note=fact.note))


def _wins_ordered(link: Link, fact: facts.WinsOrdered, stamp: facts.Stamp) -> None:
    for win in fact.wins:
        link.queue[win].state, link.queue[win].ordered_by = WinState.ORDERED, stamp.sequence


def _order_reopened(link: Link, fact: facts.OrderReopened, _stamp: facts.Stamp) -> None:
    for win in fact.wins:
        link.queue[win].state, link.queue[win].ordered_by = WinState.PENDING, None


def _order_decided(link: Link, fact: facts.OrderDecided, stamp: facts.Stamp) -> None:
    decision = Decision(wins=fact.wins, person=fact.person, reason=fact.reason, sequence=stamp.sequence)
    link.decisions.append(decision)


def _win_paid(link: Link, fact: facts.WinPaid, stamp: facts.Stamp) -> None:
    held_since = link.held_since or 0
    _win_left(link, fact, stamp)
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
    )
    link.hits = [*link.hits, hit][-HITS_KEPT:]
    _mark_paid(link, fact.table, fact.round, fact.box)
    if fact.hand is Hand.ROYAL_FLUSH:
        _empty_readings(link, fact)
    if fact.parameters is not None:
        link.parameters = fact.parameters
        link.scheduled = [one for one in link.scheduled if one.sequence > held_since]


def _empty_readings(link: Link, royal: facts.WinPaid) -> None:
    """Rounds that go on from a reading that knew nothing of this royal flush."""
    knew = {one.sequence for one in royal.registers}
    for table in link.tables.values():
        current = table.round
        if current is not None and current.registered is not None and current.registered not in knew:
            current.emptied = True


def _mark_paid(link: Link, table: str, number: int, box: int) -> None:
    current = link.tables[table].round
    if current is not None and current.number == number:
        current.boxes[box].paid = True


def _claim_raised(link: Link, fact: facts.ClaimRaised, stamp: facts.Stamp) -> None:
    link.claims[fact.claim] = Claim(
        id=fact.claim,
        table=fact.table,
        round=fact.round,
        box=fact.box,
        hand=fact.hand,
        cards=fact.cards,
        bet=fact.bet,
        interval=fact.interval,
        witnessed=fact.witnessed,
        evidence=fact.evidence,
        reason=fact.reason,
        in_order=fact.in_order,
        registered=fact.registered,
        sequence=stamp.sequence,
        promised=fact.promised,
    )
    _now_a_claim(link, fact)


def _now_a_claim(link: Link, fact: facts.ClaimRaised) -> None:
    """Also a win that was in line already may become a case for the House."""
    current = link.tables[fact.table].round
    if current is not None and current.number == fact.round:
        box = current.boxes[fact.box]
        if box.result is not None and box.result.win is not None:
            box.result = replace(box.result, win=None, claim=fact.claim)


def _claim_withdrawn(link: Link, fact: facts.ClaimWithdrawn, _stamp: facts.Stamp) -> None:
    del link.claims[fact.claim]


def _claim_decided(link: Link, fact: facts.ClaimDecided, _stamp: facts.Stamp) -> None:
    claim = link.claims.pop(fact.claim)
    if fact.amount:
        _mark_paid(link, claim.table, claim.round, claim.box)
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _malfunction_declared(link: Link, fact: facts.MalfunctionDeclared, stamp: facts.Stamp) -> None:
    link.malfunctions[fact.malfunction] = Malfunction(
        id=fact.malfunction,
        scope=fact.scope,
        then=fact.then,
        observed_at=fact.observed_at,
        declared_at=stamp.at,
        by=fact.by,
        note=fact.note,
        offline=fact.offline,
    )


def _round_continued(link: Link, fact: facts.RoundContinued, _stamp: facts.Stamp) -> None:
    current = _current(link, fact.table)
    link.registers.setdefault(fact.registered.sequence, fact.registered)
    current.registered = fact.registered.sequence
    current.registered_value = fact.registered.value
    current.promised, current.emptied = fact.promised, fact.emptied
    current.void_denied = fact.void_denied
    for win in current.wins:
        if win in link.queue:
            link.queue[win].registered = current.registered


def _malfunction_cleared(link: Link, fact: facts.MalfunctionCleared, _stamp: facts.Stamp) -> None:
    del link.malfunctions[fact.malfunction]


def _house_time_broke(link: Link, _fact: facts.HouseTimeBroke, stamp: facts.Stamp) -> None:
    link.broke_at = stamp.at


def _proposed(link: Link, fact: facts.Proposed, stamp: facts.Stamp) -> None:
    link.proposals[fact.proposal] = Proposal(
        id=fact.proposal, change=fact.change, reason=fact.reason, person=fact.person, at=stamp.at
    )


def _proposal_ended(
    link: Link, fact: facts.ProposalWithdrawn | facts.ProposalConfirmed, _stamp: facts.Stamp
) -> None:
    del link.proposals[fact.proposal]


def _parameters_scheduled(link: Link, fact: facts.ParametersScheduled, stamp: facts.Stamp) -> None:
    waiting = link.scheduled[-1] if link.scheduled else None
    if waiting is not None and (link.held_since is None or waiting.sequence > link.held_since):
        link.scheduled.pop()  # both wait for the same reset
        fact = replace(fact, changes=waiting.changes.followed_by(fact.changes))
    link.scheduled.append(Scheduled(changes=fact.changes, sequence=stamp.sequence))


def _parameters_changed(link: Link, fact: facts.ParametersChanged, _stamp: facts.Stamp) -> None:
    link.parameters = fact.parameters
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _meter_adjusted(link: Link, fact: facts.MeterAdjusted, _stamp: facts.Stamp) -> None:
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _pool_moved(link: Link, fact: facts.PoolDeparted | facts.PoolArrived, _stamp: facts.Stamp) -> None:
    pool.post(link.pool, fact.moves, fact.contributed, None)


def _link_retired(link: Link, _fact: facts.LinkRetired, stamp: facts.Stamp) -> None:
    link.retired = stamp.sequence


def _current(link: Link, table: str) -> Round:
    current = link.tables[table].round
    if current is None:
        raise ValueError(f"a fact about a round at {table}, which has none")
    return current


_APPLY: dict[type[facts.Fact], Callable[[Link, Any, facts.Stamp], None]] = {
    facts.LinkOpened: _link_opened,
    facts.LinkClosed: _link_closed,
    facts.TableAdded: _table_added,
    facts.TableJoined: _table_joined,
    facts.TableLeft: _table_left,
    facts.TableOpened: _table_opened,
    facts.TableClosed: _table_closed,
    facts.BetsClosed: _bets_closed,
    facts.HandsReported: _hands_reported,
    facts.RoundVoided: _round_voided,
    facts.IrregularityDeclared: _irregularity_declared,
    facts.HandsInvalidated: _hands_invalidated,
    facts.WinRegistered: _win_registered,
    facts.WinWithdrawn: _win_left,
    facts.WinApproved: _win_approved,
    facts.WinRejected: _win_left,
    facts.WinsOrdered: _wins_ordered,
    facts.OrderReopened: _order_reopened,
    facts.OrderDecided: _order_decided,
    facts.WinPaid: _win_paid,
    facts.ClaimRaised: _claim_raised,
    facts.ClaimWithdrawn: _claim_withdrawn,
    facts.ClaimDecided: _claim_decided,
    facts.MalfunctionDeclared: _malfunction_declared,
    facts.RoundContinued: _round_continued,
    facts.MalfunctionCleared: _malfunction_cleared,
    facts.HouseTimeBroke: _house_time_broke,
    facts.Proposed: _proposed,
    facts.ProposalWithdrawn: _proposal_ended,
    facts.ProposalConfirmed: _proposal_ended,
    facts.ParametersScheduled: _parameters_scheduled,
    facts.ParametersChanged: _parameters_changed,
    facts.MeterAdjusted: _meter_adjusted,
    facts.PoolDeparted: _pool_moved,
    facts.PoolArrived: _pool_moved,
    facts.LinkRetired: _link_retired,
}
