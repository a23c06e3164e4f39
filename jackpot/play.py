"""A round of play after its bets: hands, their correction, and the void (3.12 to 3.17, 4, 5.8, 5.22)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jackpot import majors
from jackpot.answers import HandsAnswer, VoidAnswer
from jackpot.cards import names
from jackpot.claims import claim_id, house_case, raise_claim
from jackpot.commands import ReportHands, VoidRound, content_of
from jackpot.desk import Desk, bounded
from jackpot.facts import ClaimWithdrawn, HandsReported, ReturnedBet, RoundVoided
from jackpot.games.adjustments import adjusted
from jackpot.hands import Level, minor_award
from jackpot.majors import Major
from jackpot.pool import Draft, award, contribute, give_back
from jackpot.refusals import (
    OutcomeEstablished,
    RoundIsVoid,
    RoundStands,
    RoundUnknown,
    VoidReasonUnknown,
    WinAlreadyPaid,
)
from jackpot.reports import Assessed, as_last_told, assess, dealt_outside, majors_of
from jackpot.rounds import Box, HandResult, Round, RoundState
from jackpot.state import Link, Table
from jackpot.tables import Arrival, join
from jackpot.wagering import established, settlement, settlement_of_void
from jackpot.wins import ClaimReason, Win


def report_hands(desk: Desk, command: ReportHands, arrival: Arrival) -> HandsAnswer:
    table = desk.table(command.table)
    current = _reported_round(desk, table, command.round)
    if current.state is RoundState.VOIDED:
        raise RoundIsVoid(
            f"round {current.number} was voided and has no result",
            rule=table.setup.paragraphs.void_returns_all,
        )
    dealt = assess(table.setup, current, command)
    if current is not table.round or current.state is RoundState.SETTLED:
        return _late_report(desk, table, current, command, arrival, dealt)
    return _report(desk, table, current, command, arrival, dealt)


def _reported_round(desk: Desk, table: Table, number: int) -> Round:
    if table.round is not None and table.round.number == number:
        return table.round
    found = desk.past.round(table.setup.id, number)
    if found is None:
        raise RoundUnknown(f"table {table.setup.id} has not closed bets of round {number}")
    return found


@dataclass(frozen=True, slots=True)
class _Plan:
    """What a report does to the majors of its round."""

    registrations: list[tuple[Major, str, Win | None]]
    claims: list[tuple[Major, ClaimReason]]
    withdrawn: list[Win]
    claims_withdrawn: list[str]
    results: tuple[HandResult, ...]


def _report(
    desk: Desk, table: Table, current: Round, command: ReportHands, arrival: Arrival, dealt: list[Assessed]
) -> HandsAnswer:
    plan = _planned(desk, table, current, command, arrival, dealt)
    if dealt_outside(current, command, arrival, dealt):
        table.contact.dealt_outside_at = command.received_at
    successors = {old.id: old.segment for _, _, old in plan.registrations if old is not None}
    join(desk, table)
    for claim in plan.claims_withdrawn:
        withdraw_claim(desk, claim, reason="corrected")
    for win in plan.withdrawn:
        majors.withdraw(desk, win.id, reason="corrected", successors=successors)
    fact = _hands_reported(desk, current, command, dealt, plan)
    desk.write(fact)
    for major, name, old in plan.registrations:
        majors.register(desk, major, win=name, replaces=old)
    for major, reason in plan.claims:
        raise_claim(desk, major, reason)
    return HandsAnswer(
        table=command.table,
        round=command.round,
        state=fact.state,
        results=fact.results,
        returned=fact.returned,
        settlement=fact.settlement,
        adjustments=fact.adjustments,
    )


def _planned(
    desk: Desk, table: Table, current: Round, command: ReportHands, arrival: Arrival, dealt: list[Assessed]
) -> _Plan:
    kept = {one.record.box for one in dealt if _unchanged(desk.link, current, one)}
    _check_paid_stay(current, kept)
    won = [box for box in current.boxes.values() if box.result is not None and box.number not in kept]
    withdrawn = {
        box.number: desk.link.queue[box.result.win]
        for box in won
        if box.result is not None and box.result.win in desk.link.queue
    }
    fresh = [one for one in dealt if _is_major(current, one) and one.record.box not in kept]
    results = {one.record.box: _result(current, one, kept) for one in dealt}
    registrations, claims = [], []
    leaving = {win.id for win in withdrawn.values()}
    staying = [win for win in desk.link.queue.values() if win.id not in leaving]
    for major in majors_of(staying, table, current, command, arrival, fresh):
        reason = house_case(desk, major, in_line=major.box in withdrawn)
        if reason is not None:
            claims.append((major, reason))
            results[major.box] = _with(results[major.box], claim=claim_id(major))
        else:
            win = f"{major.table}.{major.round}.{major.box}.{current.boxes[major.box].registrations + 1}"
            registrations.append((major, win, withdrawn.get(major.box)))
            results[major.box] = _with(results[major.box], win=win)
    claimed = [box.result.claim for box in won if box.result is not None]
    return _Plan(
        registrations=registrations,
        claims=claims,
        withdrawn=list(withdrawn.values()),
        claims_withdrawn=[claim for claim in claimed if claim in desk.link.claims],
        results=tuple(results.values()),
    )


def _with(result: HandResult, *, win: str | None = None, claim: str | None = None) -> HandResult:
    return HandResult(box=result.box, hand=result.hand, level=result.level, win=win, claim=claim)


def _unchanged(link: Link, current: Round, one: Assessed) -> bool:
    """A box keeps its major while the cards are the same; one that still waits, while also its deal is."""
    box = current.boxes[one.record.box]
    old, result = box.record, box.result
    if old is None or result is None or result.level is not Level.MAJOR or not one.progressive:
        return False
    open_case = result.win in link.queue or result.claim in link.claims
    same_deal = (old.dealt_at, old.deal_order) == (one.record.dealt_at, one.record.deal_order)
    return {*old.cards, *current.community[:3]} == set(one.progressive) and (same_deal or not open_case)


def _check_paid_stay(current: Round, kept: set[int]) -> None:
    for box in current.boxes.values():
        if box.paid and box.number not in kept:
            raise WinAlreadyPaid(
                f"the major of box {box.number} has been paid and cannot change", box=box.number
            )


def _is_major(current: Round, one: Assessed) -> bool:
    return one.level is Level.MAJOR and current.boxes[one.record.box].bet > 0


def _result(current: Round, one: Assessed, kept: set[int]) -> HandResult:
    box = current.boxes[one.record.box]
    if one.record.box in kept and box.result is not None:
        return box.result
    if one.hand is None or not box.bet:
        return HandResult(box=box.number, hand=one.hand)
    award = minor_award(one.hand, box.bet)
    return HandResult(box=box.number, hand=one.hand, level=one.level, award=award or None)


def _hands_reported(
    desk: Desk, current: Round, command: ReportHands, dealt: list[Assessed], plan: _Plan
) -> HandsReported:
    invalidated = {one.record.box: one.record.invalidated for one in dealt if one.record.invalidated}
    known = {one.record.box for one in dealt}
    bets = {box.number: box for box in current.boxes.values() if box.bet}
    returned = [box for box in bets.values() if box.number in invalidated and not box.returned]
    restored = [box for box in bets.values() if box.returned and box.number in known - invalidated.keys()]
    minors = sum(one.award or 0 for one in plan.results if one.level is Level.MINOR)
    draft = Draft(desk.link.pool)
    for box in returned:
        give_back_bet(desk, draft, current, box)
    for box in restored:
        ceiling = desk.link.parameters.ceiling
        contribute(draft, box.bet, current.rates, held=desk.link.held, ceiling=ceiling)
    award(draft, minors - sum(box.minor for box in current.boxes.values()))
    transfer = draft.done()
    open_boxes = {number for number, box in bets.items() if not box.returned} - known
    state = RoundState.BETS_CLOSED if open_boxes else RoundState.HANDS_KNOWN
    records, setup = tuple(one.record for one in dealt), desk.table(command.table).setup
    shown = as_last_told(current, command)
    dealer, community = names(shown.dealer), names(shown.community)
    lines = settlement(setup, current, records, dealer=dealer, community=community)
    return HandsReported(
        table=command.table,
        round=command.round,
        state=RoundState.SETTLED if command.final else state,
        content=content_of(command),
        sent_at=command.sent_at,
        received_at=command.received_at,
        records=records,
        results=plan.results,
        community=community,
        dealer=dealer,
        returned=tuple(
            ReturnedBet(box=box.number, amount=box.bet, code="hand_invalidated", rule=invalidated[box.number])
            for box in returned
        ),
        restored=tuple(box.number for box in restored),
        settlement=lines,
        adjustments=adjusted(current.settlement, lines),
        moves=transfer.moves,
        contributed=transfer.contributed,
    )


def give_back_bet(desk: Desk, draft: Draft, current: Round, box: Box) -> None:
    mirrored = box.payments == desk.link.pool.payments
    give_back(draft, box.bet, current.rates, held=desk.link.held, mirrored=mirrored)


def _late_report(
    desk: Desk, table: Table, current: Round, command: ReportHands, arrival: Arrival, dealt: list[Assessed]
) -> HandsAnswer:
    """The round stands, but a major that nobody knew of is never dropped."""
    unknown = [one for one in dealt if _is_major(current, one) and _was_not(current, one)]
    claims = [
        major
        for major in majors_of(desk.link.queue.values(), table, current, command, arrival, unknown)
        if not desk.past.claimed(claim_id(major))
    ]
    for major in claims:
        if desk.past.paid(major.table, major.round, major.box):
            raise WinAlreadyPaid(
                f"the major of box {major.box} has been paid and cannot change", box=major.box
            )
    if not claims:
        rule = table.setup.paragraphs.earlier_rounds_stand
        raise RoundStands(f"round {current.number} is settled and its outcome stands", rule=rule)
    known = {box.number: box.result for box in current.boxes.values() if box.result is not None}
    for major in claims:
        claim = raise_claim(desk, major, ClaimReason.ROUND_SETTLED)
        known[major.box] = HandResult(box=major.box, hand=major.hand, level=Level.MAJOR, claim=claim)
    return HandsAnswer(
        table=command.table,
        round=command.round,
        state=RoundState.SETTLED,
        results=tuple(known[number] for number in sorted(known)),
        returned=(),
        settlement=current.settlement,
    )


def _was_not(current: Round, one: Assessed) -> bool:
    box = current.boxes[one.record.box]
    return not box.returned and (box.result is None or box.result.hand is not one.hand)


def withdraw_claim(desk: Desk, claim: str, *, reason: str) -> None:
    desk.write(ClaimWithdrawn(claim=claim, reason=reason))
    majors.drop_proposals(desk, claim)


def withdraw_majors(desk: Desk, boxes: Iterable[Box], *, reason: str) -> None:
    results = [box.result for box in boxes if box.result is not None]
    for claim in [result.claim for result in results if result.claim in desk.link.claims]:
        withdraw_claim(desk, str(claim), reason=reason)
    for win in [result.win for result in results if result.win in desk.link.queue]:
        majors.withdraw(desk, str(win), reason=reason)


def void_round(desk: Desk, command: VoidRound, _arrival: Arrival) -> VoidAnswer:
    """Only the current round can be voided; the outcome of all earlier ones stands (5.8)."""
    table = desk.table(command.table)
    note = bounded(command.note, field="note")
    if command.reason not in table.setup.paragraphs.voids:
        raise VoidReasonUnknown(f"paragraph {command.reason[:20]!r} voids no round", field="reason")
    done = _voided_by_the_house(desk, table, command.round)
    if done is not None:
        return done
    current = current_round(desk, table, command.round)
    check_unpaid(current)
    if command.reason == "5.7.2" and outcome_established(current):
        raise OutcomeEstablished("an interruption voids no round of which a bet is won or lost already")
    voided = void_current(desk, table, current, reason=command.reason, note=note, by=command.table)
    return VoidAnswer(
        table=command.table,
        round=command.round,
        state=RoundState.VOIDED,
        returned=voided.returned,
        settlement=voided.settlement,
        adjustments=voided.adjustments,
    )


def _voided_by_the_house(desk: Desk, table: Table, number: int) -> VoidAnswer | None:
    """What the table asks for was done already, when a malfunction or irregularity was declared; so it was,
    as often as the table replays it."""
    if not 1 <= number <= table.last_round:
        return None
    here = table.round is not None and table.round.number == number
    found = table.round if here else desk.past.round(table.setup.id, number)
    if found is None or found.void_returned is None:
        return None
    boxes = [found.boxes[box] for box in found.void_returned]
    return VoidAnswer(
        table=table.setup.id,
        round=number,
        state=RoundState.VOIDED,
        returned=_returned_by_void(table, boxes),
        settlement=found.settlement,
        adjustments=found.adjustments,
    )


def _returned_by_void(table: Table, boxes: list[Box]) -> tuple[ReturnedBet, ...]:
    rule = table.setup.paragraphs.void_returns_all
    return tuple(ReturnedBet(box=box.number, amount=box.bet, code="round_voided", rule=rule) for box in boxes)


def current_round(desk: Desk, table: Table, number: int) -> Round:
    """The table's round, while something can still be done about it."""
    current = table.round
    if number > table.last_round or current is None:
        raise RoundUnknown(f"table {table.setup.id} has not closed bets of round {number}")
    if current.number != number or current.state is RoundState.SETTLED:
        if desk.past.round(table.setup.id, number) is None:
            raise RoundUnknown(f"table {table.setup.id} had no round {number}")
        raise RoundStands(f"round {number} stands: only the current round can be voided or resolved")
    if current.state is RoundState.VOIDED:
        raise RoundIsVoid(
            f"round {current.number} was voided before", rule=table.setup.paragraphs.void_returns_all
        )
    return current


def outcome_established(current: Round) -> bool:
    """A bet has conclusively won or lost: the progressive with its hand, or one of the main game (5.7.1)."""
    progressive = any(box.bet and box.result and box.result.hand for box in current.boxes.values())
    return progressive or established(current.settlement)


def check_unpaid(current: Round, boxes: Iterable[int] | None = None) -> None:
    kept = set() if boxes is None else current.boxes.keys() - set(boxes)
    _check_paid_stay(current, kept)


def void_current(
    desk: Desk,
    table: Table,
    current: Round,
    *,
    reason: str,
    note: str,
    by: str,
    malfunction: str | None = None,
    irregularity: str | None = None,
) -> RoundVoided:
    """Withdraw its majors, then return all its bets (S 5.22, H 5.21)."""
    withdraw_majors(desk, current.boxes.values(), reason="round_voided")
    draft = Draft(desk.link.pool)
    standing = [box for box in current.boxes.values() if box.stands]
    for box in standing:
        give_back_bet(desk, draft, current, box)
    award(draft, -sum(box.minor for box in current.boxes.values()))
    transfer = draft.done()
    lines = settlement_of_void(table.setup, current)
    fact = RoundVoided(
        table=table.setup.id,
        round=current.number,
        reason=reason,
        note=note,
        by=by,
        returned=_returned_by_void(table, standing),
        malfunction=malfunction,
        irregularity=irregularity,
        settlement=lines,
        adjustments=adjusted(current.settlement, lines),
        moves=transfer.moves,
        contributed=transfer.contributed,
    )
    desk.write(fact)
    return fact
