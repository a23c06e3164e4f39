"""Whether a fact is what the rules make of the state before it.

Applying a fact never works a rule out again; this does, for an auditor: every contribution, award, reversal,
payment and reset of a journal is computed a second time and compared with what was written.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jackpot import facts
from jackpot.cards import parse_all
from jackpot.evaluator import hand_of, strength
from jackpot.games.adjustments import adjusted
from jackpot.games.lines import Line
from jackpot.hands import PERCENT_OF_POOL, Level, minor_award, progressive_hand
from jackpot.irregularities import Consequence, Follows
from jackpot.money import Account, percentage
from jackpot.ordering import witnessed_interval
from jackpot.payout import (
    approvals_needed,
    changed_registers,
    clusters,
    first_payout,
    in_line,
    open_rounds,
    place_rests_on,
    waiting_for,
)
from jackpot.pool import (
    Draft,
    adjustment,
    award,
    changeover,
    claim_payment,
    contribute,
    give_back,
    opening,
    released,
)
from jackpot.refusals import Refused
from jackpot.remedies import undone_by, what_follows
from jackpot.rounds import PROGRESSIVE, Box, ReturnedBet, Round
from jackpot.state import Break, Link
from jackpot.timekeeping import check_quiet
from jackpot.transfers import arrival, departure, whole_pool
from jackpot.versions import RULES_OF_0_1
from jackpot.wagering import (
    handed_back,
    left_open,
    settlement,
    settlement_of_void,
    settlement_without,
)
from jackpot.wins import ClaimOutcome


class Denied(Exception):
    """The rules give something else than the journal says."""


def _must_equal(what: str, written: object, computed: object) -> None:
    if written != computed:
        raise Denied(f"{what}: the journal says {written}, the rules give {computed}")


def audit_creation(fact: facts.LinkCreated) -> None:
    _must_equal("the first seed", fact.moves, opening(fact.parameters.seed))


def audit(link: Link, fact: facts.Fact) -> None:
    """Compare a fact with what the rules give, the link being as it was before it."""
    check = _AUDITS.get(type(fact))
    if check is not None:
        check(link, fact)


def _bets_closed(link: Link, fact: facts.BetsClosed) -> None:
    draft = Draft(link.pool)
    total = sum(box.progressive for box in fact.boxes)
    contribute(draft, total, link.parameters.rates, held=link.held, ceiling=link.parameters.ceiling)
    _must_equal("the contribution", (fact.moves, fact.contributed), _drafted(draft))
    rates = link.parameters.rates
    _must_equal("the rates", (fact.meter_ppm, fact.reserve_ppm), (rates.meter_ppm, rates.reserve_ppm))
    prescribed = link.parameters.progressive_bet
    _must_equal("accepted bets", {box.progressive for box in fact.boxes} - {0, prescribed}, set())
    table = link.tables[fact.table]
    _must_equal("the wagers left open", fact.left_open, left_open(table.setup, table.round))


def _drafted(draft: Draft) -> tuple[dict[Account, int], int]:
    transfer = draft.done()
    return transfer.moves, transfer.contributed


def _hands_reported(link: Link, fact: facts.HandsReported) -> None:
    current, setup = _current(link, fact.table), link.tables[fact.table].setup
    game = setup.game
    community = parse_all(fact.community)
    cards = {record.box: record.cards for record in fact.records}
    for result in fact.results:
        bet = current.boxes[result.box].bet
        if result.hand is not None:
            shown = progressive_hand(game, parse_all(cards[result.box]), community)
            _must_equal(f"the hand of box {result.box}", result.hand, shown)
        if result.hand is not None and result.level is Level.MINOR:
            _must_equal(f"the award of box {result.box}", result.award, minor_award(result.hand, bet))
    draft = Draft(link.pool)
    for returned in fact.returned:
        if returned.wager == PROGRESSIVE:
            _give_back(link, draft, current, current.boxes[returned.box])
    for number in fact.restored:
        bet, ceiling = current.boxes[number].bet, link.parameters.ceiling
        contribute(draft, bet, current.rates, held=link.held, ceiling=ceiling)
    minors = sum(one.award or 0 for one in fact.results if one.level is Level.MINOR)
    award(draft, minors - sum(box.minor for box in current.boxes.values()))
    _must_equal("the moves of the hands", (fact.moves, fact.contributed), _drafted(draft))
    lines = settlement(setup, current, fact.records, dealer=fact.dealer, community=fact.community)
    _settled(current, fact, lines)
    invalid = {record.box: record.invalidated for record in fact.records if record.invalidated}
    _returned(fact.returned, handed_back(current, lines, invalid, "hand_invalidated"))


def _settled(
    current: Round,
    fact: facts.HandsReported | facts.RoundVoided | facts.HandsInvalidated,
    computed: tuple[Line, ...],
) -> None:
    _must_equal("the settlement", fact.settlement, computed)
    _must_equal("the adjustments", fact.adjustments, adjusted(current.settlement, computed))


def _give_back(link: Link, draft: Draft, current: Round, box: Box) -> None:
    mirrored = box.payments == link.pool.payments
    give_back(draft, box.bet, current.rates, held=link.held, mirrored=mirrored)


def _round_voided(link: Link, fact: facts.RoundVoided) -> None:
    current, draft = _current(link, fact.table), Draft(link.pool)
    standing = [box for box in current.boxes.values() if box.stands]
    for box in standing:
        _give_back(link, draft, current, box)
    award(draft, -sum(box.minor for box in current.boxes.values()))
    _must_equal("the reversal", (fact.moves, fact.contributed), _drafted(draft))
    setup = link.tables[fact.table].setup
    lines, rule = settlement_of_void(setup, current), setup.paragraphs.void_returns_all
    _settled(current, fact, lines)
    _returned(fact.returned, handed_back(current, lines, dict.fromkeys(current.boxes, rule), "round_voided"))
    if fact.irregularity is not None:
        _must_equal("what voids the round", fact.reason, _declared(current, Follows.VOIDED).rule)


def _returned(written: tuple[ReturnedBet, ...], computed: tuple[ReturnedBet, ...]) -> None:
    _must_equal("the bets returned", _amounts(written), _amounts(computed))


def _amounts(returned: tuple[ReturnedBet, ...]) -> dict[tuple[int, str], int]:
    return {(one.box, one.wager): one.amount for one in returned}


def _irregularity_declared(link: Link, fact: facts.IrregularityDeclared) -> None:
    current = _current(link, fact.table)
    try:
        found = what_follows(link.tables[fact.table].setup, current, fact.said)
    except Refused as refusal:
        raise Denied(f"the irregularity: {refusal.message}") from None
    _must_equal("what follows from the irregularity", fact.consequence, found)
    _must_equal("what is taken back", fact.undone, undone_by(current, found))


def _hands_invalidated(link: Link, fact: facts.HandsInvalidated) -> None:
    current, draft = _current(link, fact.table), Draft(link.pool)
    _must_equal(
        "the hands invalidated", fact.boxes, _declared(current, Follows.CONTINUES, Follows.OPTIONS).invalid
    )
    boxes = [current.boxes[number] for number in fact.boxes]
    standing = [box for box in boxes if box.stands]
    for box in standing:
        _give_back(link, draft, current, box)
    award(draft, -sum(box.minor for box in boxes))
    _must_equal("the reversal", (fact.moves, fact.contributed), _drafted(draft))
    lines = settlement_without(link.tables[fact.table].setup, current, fact.boxes)
    _settled(current, fact, lines)
    _returned(fact.returned, handed_back(current, lines, fact.boxes, "hand_invalidated"))


def _declared(current: Round, *possible: Follows) -> Consequence:
    found = current.consequence
    if found is None or found.follows not in possible:
        raise Denied(f"round {current.number}: no irregularity was declared that has this consequence")
    return found


def _win_registered(link: Link, fact: facts.WinRegistered) -> None:
    _must_equal("the major", fact.hand, hand_of(strength(parse_all(fact.cards))))
    current = _current(link, fact.table)
    if current.rules != RULES_OF_0_1 and current.number == fact.round:
        witnessed = witnessed_interval(fact.evidence, dealt_from=current.dealt_from)
        _must_equal("what was witnessed of the deal", fact.witnessed, witnessed)
        start, end = fact.interval.start, fact.interval.end
        within = witnessed.start <= start <= end <= max(start, witnessed.end)
        _must_equal("a deal within what was witnessed", within, True)  # noqa: FBT003


def _wins_ordered(link: Link, fact: facts.WinsOrdered) -> None:
    """The versions of its wins decide: 0.1 waited for marks, which stand outside the journal."""
    if any(link.queue[win].rules == RULES_OF_0_1 for win in fact.wins):
        return
    cluster = next(one for one in clusters(link) if fact.wins[0] in one.wins)
    _must_equal("the cluster that was ordered", fact.wins, cluster.wins)
    _must_equal("the rounds that it waits for", {}, waiting_for(link, cluster))
    _must_equal("the rounds that were open", fact.open, open_rounds(link))
    bases = {win: basis for win in fact.wins if (basis := place_rests_on(link, win)) is not None}
    _must_equal("what the places rest on", fact.bases, bases)


def _win_left(link: Link, fact: facts.WinRejected | facts.WinWithdrawn) -> None:
    waiting = [one.segment for one in link.queue.values() if one.id != fact.win]
    alone = released(link.pool, link.parameters, waiting)
    registers = changed_registers(link.registers, link.parameters, link.queue[fact.win], paid=False)
    written = (fact.moves, fact.contributed, fact.joined, fact.registers)
    if isinstance(fact, facts.WinWithdrawn) and fact.reason == "corrected":
        # Another hand may be about to take its place, or that of a win withdrawn just before by the same
        # report: then the carryover since that place stays where it is.
        for place in link.pool.segments:
            replaced = released(link.pool, link.parameters, [*waiting, place.number])
            if written == (replaced.transfer.moves, replaced.transfer.contributed, replaced.joined, ()):
                return
    computed = (alone.transfer.moves, alone.transfer.contributed, alone.joined, registers)
    _must_equal("the carryover that joined", written, computed)


def _win_paid(link: Link, fact: facts.WinPaid) -> None:
    _must_equal("who is first in line", fact.win, in_line(link)[0])
    win, payout = link.queue[fact.win], first_payout(link)
    paid = payout.payment
    computed = (paid.before, paid.percent, paid.amount, paid.after, paid.from_pool)
    written = (fact.before, fact.percent, fact.amount, fact.after, fact.from_pool)
    _must_equal("the payment", written, computed)
    moves = (paid.transfer.moves, paid.transfer.contributed, paid.joined, payout.registers)
    _must_equal(
        "the moves of the payment", (fact.moves, fact.contributed, fact.joined, fact.registers), moves
    )
    needed = approvals_needed(link, win, paid)
    if win.rules != RULES_OF_0_1:
        _must_equal("what its place rests on", fact.basis, place_rests_on(link, fact.win))
    people = {approval.person for approval in fact.approvals}
    _must_equal("the approvals", fact.approvals, tuple(win.approvals))
    if len(people) < needed:
        raise Denied(f"{needed} people had to approve, {len(people)} did")


def _claim_decided(link: Link, fact: facts.ClaimDecided) -> None:
    claim = link.claims[fact.claim]
    amounts = {
        ClaimOutcome.IN_ORDER: claim.in_order,
        ClaimOutcome.REGISTERED: claim.registered,
        ClaimOutcome.PROMISED: claim.promised,
    }
    _must_equal("the late claim's amount", fact.amount, amounts.get(fact.outcome, 0))
    _must_equal("the late claim's moves", fact.moves, claim_payment(link.pool, fact.amount).moves)


def _meter_adjusted(link: Link, fact: facts.MeterAdjusted) -> None:
    change = fact.adjustment
    computed = adjustment(link.pool, link.parameters, change.amount, change.account)
    _must_equal("the adjustment", fact.moves, computed.moves)
    _must_equal("two people", len(set(fact.persons)), 2)


def _parameters_changed(link: Link, fact: facts.ParametersChanged) -> None:
    computed = changeover(link.pool, link.parameters, fact.parameters)
    _must_equal("the change of parameters", fact.moves, computed.moves)


def _claim_raised(link: Link, fact: facts.ClaimRaised) -> None:
    """What a table promised alone is known while the round is there; a later claim brings it along."""
    current = link.tables[fact.table].round
    if current is not None and current.number == fact.round:
        promised = current.promised
        share = None if promised is None else percentage(promised.amount, PERCENT_OF_POOL[fact.hand])[0]
        _must_equal("what was promised", fact.promised, share)


def _pool_departed(link: Link, fact: facts.PoolDeparted) -> None:
    _must_equal("what departed", fact.moves, departure(link.pool, fact.amounts).moves)
    _must_equal("two people", len(set(fact.persons)), 2)


def _pool_arrived(link: Link, fact: facts.PoolArrived) -> None:
    computed = arrival(link.pool, link.parameters, fact.amounts, held=link.held)
    _must_equal("what arrived", (fact.moves, fact.contributed), (computed.moves, computed.contributed))


def _link_retired(link: Link, fact: facts.LinkRetired) -> None:
    _must_equal("what a retired link keeps", whole_pool(link.pool), {})
    _must_equal("two people", len(set(fact.persons)), 2)


def _house_time_broke(link: Link, fact: facts.HouseTimeBroke) -> None:
    if fact.cause is Break.START:
        _must_equal("the time before the start", fact.before, link.time)
        return
    _must_equal("two people", len(set(fact.persons)), 2)
    try:
        check_quiet(link)
    except Refused as refusal:
        raise Denied(f"the setting of the house clock: {refusal.message}") from None


def _current(link: Link, table: str) -> Round:
    current = link.tables[table].round
    if current is None:
        raise Denied(f"table {table} has no round")
    return current


_AUDITS: dict[type[facts.Fact], Callable[[Link, Any], None]] = {
    facts.BetsClosed: _bets_closed,
    facts.HandsReported: _hands_reported,
    facts.RoundVoided: _round_voided,
    facts.IrregularityDeclared: _irregularity_declared,
    facts.HandsInvalidated: _hands_invalidated,
    facts.WinRegistered: _win_registered,
    facts.WinsOrdered: _wins_ordered,
    facts.WinWithdrawn: _win_left,
    facts.WinRejected: _win_left,
    facts.WinPaid: _win_paid,
    facts.ClaimRaised: _claim_raised,
    facts.ClaimDecided: _claim_decided,
    facts.MeterAdjusted: _meter_adjusted,
    facts.ParametersChanged: _parameters_changed,
    facts.PoolDeparted: _pool_departed,
    facts.PoolArrived: _pool_arrived,
    facts.LinkRetired: _link_retired,
    facts.HouseTimeBroke: _house_time_broke,
}
