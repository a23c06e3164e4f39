"""A round of play after its bets: hands and their correction (3.12 to 3.17, 4, 5.8)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackpot.core.records import frozen, maker
from jackpot.core.refusals import (
    PlayIncomplete,
    RoundIsVoid,
    RoundStands,
    WinAlreadyPaid,
)
from jackpot.games.adjustments import adjusted
from jackpot.games.lines import Line, OpenWager
from jackpot.games.progressive import MAJOR, MINOR, Level
from jackpot.link.answers import HandsAnswer
from jackpot.link.commands import ReportHands
from jackpot.link.execution import Desk
from jackpot.link.facts import ClaimWithdrawn, HandsReported
from jackpot.link.rounds import PROGRESSIVE, Box, HandRecord, HandResult, Round, RoundState
from jackpot.link.state import Link, Table, TableSetup
from jackpot.link.wins import ClaimReason, Win
from jackpot.play.contact import Arrival, join, no_such_round
from jackpot.play.merging import cards_on_table
from jackpot.play.reports import Assessed, assess, dealt_outside, majors_of
from jackpot.play.settlement import boxes_told, handed_back, open_wagers, settlement
from jackpot.pools import majors
from jackpot.pools.claims import claim_id, house_case, raise_claim
from jackpot.pools.majors import Major
from jackpot.pools.pool import Draft, award, contribute, give_back

_new_result, _new_fact, _new_answer = maker(HandResult), maker(HandsReported), maker(HandsAnswer)


def report_hands(desk: Desk, command: ReportHands, arrival: Arrival) -> HandsAnswer:
    table = desk.table(command.table)
    current = _reported_round(desk, table, command.round)
    if current.state is RoundState.VOIDED:
        raise RoundIsVoid(
            f"round {current.number} was voided and has no result",
            rule=table.setup.paragraphs.void_returns_all,
        )
    dealt = assess(table.played, current, command)
    if current is not table.round or current.state is RoundState.SETTLED:
        return _late_report(desk, table, current, command, arrival, dealt)
    return _report(desk, table, current, command, arrival, dealt)


def _reported_round(desk: Desk, table: Table, number: int) -> Round:
    if table.round is not None and table.round.number == number:
        return table.round
    found = desk.past_round(table, number)
    if found is None:
        raise no_such_round(table, number)
    return found


@frozen()
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
    lines = settled_now(table.played, current, command, dealt)
    plan = _planned(desk, table, current, command, arrival, dealt)
    if dealt_outside(current, command, arrival, dealt):
        table.contact.dealt_outside_at = command.received_at
    successors = {old.id: old.segment for _, _, old in plan.registrations if old is not None}
    join(desk, table)
    for claim in plan.claims_withdrawn:
        withdraw_claim(desk, claim, reason="corrected")
    for win in plan.withdrawn:
        majors.withdraw(desk, win.id, reason="corrected", successors=successors)
    fact = _hands_reported(desk, current, command, dealt, plan, lines)
    desk.write(fact)
    for major, name, old in plan.registrations:
        majors.register(desk, major, win=name, replaces=old)
    for major, reason in plan.claims:
        raise_claim(desk, major, reason)
    return _new_answer(
        meter=desk.meter(),
        table=command.table,
        round=command.round,
        state=fact.state,
        results=fact.results,
        returned=fact.returned,
        settlement=fact.settlement,
        adjustments=fact.adjustments,
    )


def settled_now(
    setup: TableSetup, current: Round, command: ReportHands, dealt: list[Assessed]
) -> tuple[Line, ...]:
    """What is known of the main game once this is reported. The report that ends a round tells all of it."""
    shown, records = cards_on_table(current, command), [one.record for one in dealt]
    boxes = boxes_told(current, records)
    lines = settlement(setup, boxes, dealer=shown.dealer, community=shown.community)
    if command.final:
        wagers = open_wagers(setup, current, boxes, dealer=shown.dealer, lines=lines)
        check_whole(setup, current, records, wagers)
    return lines


def check_whole(
    setup: TableSetup, current: Round, records: list[HandRecord], wagers: Iterable[OpenWager]
) -> None:
    """A round ends when all its players' bets are settled (S 1.16, H 1.25): of a main game that was told no
    wager is left open, and of a hand whose cards were told, not the progressive bet."""
    found = [(one.box, one.wager.value) for one in wagers]
    found += [
        (one.box, PROGRESSIVE) for one in records if one.awaited and one.cards and current.boxes[one.box].bet
    ]
    if found:
        box, wager = found[0]
        raise PlayIncomplete(
            f"the {wager} of box {box} is open: tell what decides it, or void the round",
            field="final",
            rule=setup.paragraphs.round_ends,
            box=box,
            wager=wager,
            open=[{"box": number, "wager": name} for number, name in found],
        )


def _planned(
    desk: Desk, table: Table, current: Round, command: ReportHands, arrival: Arrival, dealt: list[Assessed]
) -> _Plan:
    dealt_majors = [one for one in dealt if _is_major(current, one)]
    kept = {one.record.box for one in dealt_majors if _unchanged(desk.link, table, current, one)}
    check_paid_stay(current, kept)
    won = [box for box in current.boxes.values() if box.result is not None and box.number not in kept]
    withdrawn = {
        box.number: desk.link.queue[box.result.win]
        for box in won
        if box.result is not None and box.result.win in desk.link.queue
    }
    fresh = [one for one in dealt_majors if one.record.box not in kept]
    results = {one.record.box: _result(current, one, kept) for one in dealt if not one.record.awaited}
    registrations, claims = [], []
    leaving = {win.id for win in withdrawn.values()}
    staying = [win for win in desk.link.queue.values() if win.id not in leaving]
    for major in majors_of(staying, table, current, command, arrival, fresh):
        reason = house_case(desk.link, major, in_line=major.box in withdrawn)
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
        results=capped(current, results),
    )


def _with(result: HandResult, *, win: str | None = None, claim: str | None = None) -> HandResult:
    return HandResult(box=result.box, hand=result.hand, level=result.level, win=win, claim=claim)


def _unchanged(link: Link, table: Table, current: Round, one: Assessed) -> bool:
    """A box keeps its major while the cards are the same; one that still waits, while also its deal is."""
    box = current.boxes[one.record.box]
    old, result = box.record, box.result
    if old is None or result is None or result.level is not MAJOR:
        return False
    open_case = result.win in link.queue or result.claim in link.claims
    same_deal = (old.dealt_at, old.deal_order) == (one.record.dealt_at, one.record.deal_order)
    shared = current.community[: table.setup.rulebook.shared]
    return {*old.cards, *shared} == set(one.progressive) and (same_deal or not open_case)


def check_paid_stay(current: Round, kept: set[int]) -> None:
    for box in current.boxes.values():
        if box.paid and box.number not in kept:
            raise WinAlreadyPaid(
                f"the major of box {box.number} has been paid and cannot change", box=box.number
            )


def _is_major(current: Round, one: Assessed) -> bool:
    if one.hand is None or not current.boxes[one.record.box].bet:
        return False
    return current.awards.level_of(one.hand) is MAJOR


def _result(current: Round, one: Assessed, kept: set[int]) -> HandResult:
    box = current.boxes[one.record.box]
    if one.record.box in kept and box.result is not None:
        return box.result
    if one.hand is None or not box.bet:
        return HandResult(box=box.number, hand=one.hand)
    awards = current.awards
    award = awards.minor_award(one.hand, box.bet)
    return _new_result(box=box.number, hand=one.hand, level=awards.level_of(one.hand), award=award or None)


def capped(current: Round, results: dict[int, HandResult]) -> tuple[HandResult, ...]:
    if current.awards.cap is not None:
        within = current.awards.within_cap({box: one.award for box, one in results.items() if one.award})
        results |= {box: replace(results[box], award=award) for box, award in within.items()}
    return tuple(results.values())


def _hands_reported(
    desk: Desk,
    current: Round,
    command: ReportHands,
    dealt: list[Assessed],
    plan: _Plan,
    lines: tuple[Line, ...],
) -> HandsReported:
    invalidated = {one.record.box: one.record.invalidated for one in dealt if one.record.invalidated}
    reported = {one.record.box for one in dealt}
    bets = [box for box in current.boxes.values() if box.bet]
    returned = [box for box in bets if box.number in invalidated and not box.returned]
    restored = [box for box in bets if box.returned and box.number in reported - invalidated.keys()]
    minors = sum([one.award or 0 for one in plan.results if one.level is MINOR])
    draft = Draft(desk.link.pool)
    for box in returned:
        give_back_bet(desk, draft, current, box)
    for box in restored:
        ceiling = desk.link.parameters.ceiling
        contribute(draft, box.bet, current.rates, held=desk.link.held, ceiling=ceiling)
    award(draft, minors - sum([box.minor for box in current.boxes.values()]))
    transfer = draft.done()
    awaited = {box.number for box in bets if not box.returned or box in restored}
    awaited.difference_update([one.record.box for one in dealt if not one.record.awaited])
    state = RoundState.BETS_CLOSED if awaited else RoundState.HANDS_KNOWN
    shown = cards_on_table(current, command)
    return _new_fact(
        table=command.table,
        round=command.round,
        state=RoundState.SETTLED if command.final else state,
        content=desk.content,
        sent_at=command.sent_at,
        received_at=command.received_at,
        records=tuple([one.record for one in dealt]),
        results=plan.results,
        community=shown.community,
        dealer=shown.dealer,
        returned=handed_back(current, lines, invalidated, "hand_invalidated"),
        restored=tuple([box.number for box in restored]),
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
        if not desk.archive.claimed(claim_id(major))
    ]
    for major in claims:
        if desk.archive.paid(major.table, major.round, major.box):
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
