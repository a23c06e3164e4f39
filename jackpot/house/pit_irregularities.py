"""Irregularities at the tables of a pit, declared by the House: what follows from them is worked out, written
and carried out."""

from __future__ import annotations

from jackpot.core.refusals import RoundStands
from jackpot.games.blackjack import Consequence, Irregularity, RoundFollows, adjusted, case_of, consequence
from jackpot.link.answers import PitIrregularityAnswer
from jackpot.link.commands import DeclareIrregularity, content_of
from jackpot.link.execution import Desk, bounded
from jackpot.link.pit_facts import PitBetsReturned, PitIrregularityDeclared
from jackpot.link.pit_rounds import PitRound
from jackpot.link.state import PitSetup, PitTable
from jackpot.play.pit_rounds import closing_of, current_round, settlement_with, void_current


def declare(desk: Desk, command: DeclareIrregularity, said: Irregularity) -> PitIrregularityAnswer:
    table = desk.pit_table(command.table)
    bounded(said.note, field="note")
    current = _in_play(desk, table, command.round)
    found = what_follows(table.played, current, said)
    case, told = desk.next_id("i"), current.settlement
    desk.write(
        PitIrregularityDeclared(
            irregularity=case,
            table=table.setup.id,
            round=current.number,
            person=command.person,
            said=said,
            consequence=found,
        )
    )
    if found.follows is RoundFollows.VOIDED:
        void_current(
            desk, table, current, reason=found.rule, note=said.note, by=command.person, irregularity=case
        )
    elif found.returned:
        _return_bets(desk, command, table, current, case)
    changed = current.settlement is not told
    return PitIrregularityAnswer(
        irregularity=case,
        table=table.setup.id,
        round=current.number,
        state=current.state,
        consequence=found,
        settlement=current.settlement,
        adjustments=current.adjustments if changed else (),
    )


def what_follows(setup: PitSetup, current: PitRound, said: Irregularity) -> Consequence:
    return consequence(case_of(closing_of(setup, current), said, current.settlement))


def _in_play(desk: Desk, table: PitTable, number: int) -> PitRound:
    """An error that is noticed after its round changes nothing (B P 5.13, F 5.14)."""
    try:
        return current_round(desk, table, number)
    except RoundStands as refusal:
        raise RoundStands(refusal.message, rule=table.setup.rules.paragraphs.noticed_later) from None


def _return_bets(
    desk: Desk, command: DeclareIrregularity, table: PitTable, current: PitRound, case: str
) -> None:
    lines = settlement_with(table.played, current, current.returned)
    desk.write(
        PitBetsReturned(
            table=table.setup.id,
            round=current.number,
            irregularity=case,
            content=content_of(command),
            settlement=lines,
            adjustments=adjusted(current.settlement, lines),
        )
    )
