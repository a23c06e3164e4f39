"""Irregularities, declared by the House: what follows from them is worked out, written and carried out."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace

from jackpot.core.records import frozen
from jackpot.core.refusals import RoundStands
from jackpot.games.adjustments import adjusted
from jackpot.games.irregularities import Consequence, Follows, Irregularity
from jackpot.games.progressive import Level
from jackpot.link.answers import IrregularityAnswer
from jackpot.link.commands import DeclareIrregularity, content_of
from jackpot.link.execution import Desk, bounded
from jackpot.link.facts import HandsInvalidated, IrregularityDeclared, RoundVoided
from jackpot.link.rounds import HandResult, Round, RoundState
from jackpot.link.state import Table, TableSetup
from jackpot.play.hands import give_back_bet
from jackpot.play.settlement import handed_back, settlement_without
from jackpot.play.void import check_unpaid, current_round, outcome_established, void_current, withdraw_majors
from jackpot.pools.pool import Draft, award

NOTICED_LATE = frozenset({"5.8.7", "5.15"})
"""Paragraphs that hold also when the error is noticed after settlement, before the next round."""


def declare_irregularity(desk: Desk, command: DeclareIrregularity, said: Irregularity) -> IrregularityAnswer:
    table = desk.table(command.table)
    bounded(said.note, field="note")
    current = _in_play(desk, table, command.round, said.paragraph)
    found = what_follows(table.played, current, said)
    check_unpaid(current, found.invalid)
    case = _Declared(desk.next_id("i"), command, said.note, table, current, found)
    undone = undone_by(current, found)
    desk.write(
        IrregularityDeclared(
            irregularity=case.id,
            table=table.setup.id,
            round=current.number,
            person=command.person,
            said=said,
            consequence=found,
            undone=undone,
        )
    )
    done = _carried_out(desk, case)
    return IrregularityAnswer(
        irregularity=case.id,
        table=table.setup.id,
        round=current.number,
        state=current.state,
        consequence=found,
        undone=undone,
        returned=() if done is None else done.returned,
        settlement=current.settlement,
        adjustments=() if done is None else done.adjustments,
    )


def what_follows(setup: TableSetup, current: Round, said: Irregularity) -> Consequence:
    known = outcome_established(current)
    return setup.rulebook.consequence(said, playing=current.playing, established=known)


def undone_by(current: Round, found: Consequence) -> tuple[HandResult, ...]:
    """What the boxes had won whose bets go back."""
    results = [box.result for box in current.boxes.values() if box.number in found.invalid and box.result]
    return tuple(one for one in results if one.level is not None)


def _in_play(desk: Desk, table: Table, number: int, paragraph: str) -> Round:
    last = table.round
    settled = last is not None and last.number == number and last.state is RoundState.SETTLED
    if last is not None and settled and paragraph in NOTICED_LATE:
        return last
    try:
        return current_round(desk, table, number)
    except RoundStands as refusal:
        raise RoundStands(refusal.message, rule=table.setup.paragraphs.earlier_rounds_stand) from None


@frozen()
class _Declared:
    id: str
    command: DeclareIrregularity
    note: str
    table: Table
    current: Round
    found: Consequence


def _carried_out(desk: Desk, case: _Declared) -> RoundVoided | HandsInvalidated | None:
    if case.found.follows is not Follows.VOIDED:
        return _invalidate(desk, case) if case.found.invalid else None
    return void_current(
        desk,
        case.table,
        case.current,
        reason=case.found.rule,
        note=case.note,
        by=case.command.person,
        irregularity=case.id,
    )


def _invalidate(desk: Desk, case: _Declared) -> HandsInvalidated:
    """Withdraw their majors, take back their minors and return their bets (5.10.3, 5.15, S 5.19, H 5.18)."""
    current, invalid = case.current, case.found.invalid
    boxes = [current.boxes[number] for number in sorted(invalid)]
    withdraw_majors(desk, case.table, boxes, reason="hand_invalidated")
    standing = [box for box in boxes if box.stands]
    draft = Draft(desk.link.pool)
    for box in standing:
        give_back_bet(desk, draft, current, box)
    results = awards_without(current, invalid)
    more = sum((one.award or 0) - current.boxes[one.box].minor for one in results)
    award(draft, more - sum(box.minor for box in boxes))
    transfer = draft.done()
    lines = settlement_without(case.table.played, current, invalid)
    fact = HandsInvalidated(
        irregularity=case.id,
        table=case.table.setup.id,
        round=current.number,
        state=_state_without(current, invalid),
        content=content_of(case.command),
        boxes=invalid,
        returned=handed_back(current, lines, invalid, "hand_invalidated"),
        results=results,
        settlement=lines,
        adjustments=adjusted(current.settlement, lines),
        moves=transfer.moves,
        contributed=transfer.contributed,
    )
    desk.write(fact)
    return fact


def awards_without(current: Round, invalid: Collection[int]) -> tuple[HandResult, ...]:
    """The minors of a round without these boxes that are no longer what they were: the others share its cap
    alone."""
    standing = [box for box in current.boxes.values() if box.stands and box.number not in invalid]
    minors = {one.number: one.result for one in standing if one.result and one.result.level is Level.MINOR}
    whole = {
        number: current.awards.minor_award(result.hand, current.boxes[number].bet)
        for number, result in minors.items()
        if result.hand is not None
    }
    within = current.awards.within_cap(whole)
    return tuple(
        replace(minors[number], award=award)
        for number, award in within.items()
        if award != minors[number].award
    )


def _state_without(current: Round, invalid: dict[int, str]) -> RoundState:
    """Its hands are known once every bet that stands has one. A settled round stays so."""
    standing = [box for box in current.boxes.values() if box.stands and box.number not in invalid]
    awaited = any(box.awaited for box in standing)
    return current.state if awaited or current.state is RoundState.SETTLED else RoundState.HANDS_KNOWN
