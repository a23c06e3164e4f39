"""A round of play in a pit: its bets, its play as it is told, its void (the blackjack games).

What may be told and what it comes to is said by `jackpot.games.blackjack`; here it is taken from a table and
written down.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from jackpot.core.refusals import RoundIsVoid, RoundStands
from jackpot.games.blackjack import (
    Adjusted,
    Back,
    Closing,
    Judged,
    Line,
    OpenWager,
    Outcome,
    Play,
    Report,
    adjusted,
    check_bets,
    check_void,
    close,
    counted,
    dealer_view,
    hands_view,
    judge,
    laid,
    open_wagers,
    played,
    playing,
    returned_at_once,
    settle,
    void_lines,
)
from jackpot.games.blackjack.lines import LOSE, WIN, Place
from jackpot.games.blackjack.play import Whose
from jackpot.link.answers import PitBetsAnswer, PitHandsAnswer, PitVoidAnswer
from jackpot.link.commands import ClosePitBets, ReportPlay, VoidRound, content_of
from jackpot.link.execution import Desk, bounded
from jackpot.link.pit_facts import PitBetsClosed, PitHandsReported, PitRoundVoided
from jackpot.link.pit_rounds import PitRound, ShoeCount
from jackpot.link.rounds import RoundState
from jackpot.link.state import PitSetup, PitTable
from jackpot.play.bets import check_closing_time, check_round_number, closed_at
from jackpot.play.contact import Arrival, join, no_such_round
from jackpot.play.status import notice, table_closed

NOTHING_TOLD = Report()


# Bets


def close_bets(desk: Desk, command: ClosePitBets, _arrival: Arrival) -> PitBetsAnswer:
    table = desk.pit_table(command.table)
    _check_round(desk, table, command)
    layout = table.setup.layout
    check_bets(layout, command.bets)
    closed = table_closed(desk.pit, table)
    closing = close(layout, command.bets)
    lines = returned_with_bets(closing, table_closed=closed)
    join(desk, table)
    desk.write(
        PitBetsClosed(
            table=command.table,
            round=command.round,
            closed_at=closed_at(command.closed_at, command.sent_at),
            dealt_from=desk.now - desk.error,
            sent_at=command.sent_at,
            received_at=command.received_at,
            bets=command.bets,
            table_closed=closed,
            settles=settled_by_the_next(table),
            left_open=left_open(table.played, table.round),
            settlement=lines,
        )
    )
    return PitBetsAnswer(
        table=command.table,
        round=command.round,
        state=RoundState.BETS_CLOSED,
        playing=() if closed else playing(closing),
        settlement=lines,
        notice=notice(desk.pit, table),
    )


def _check_round(desk: Desk, table: PitTable, command: ClosePitBets) -> None:
    late_bet = table.setup.rules.paragraphs.late_bet
    check_round_number(desk, command.round, command.key, table=table, late_bet=late_bet)
    check_closing_time(command.closed_at, command.sent_at)


def returned_with_bets(closing: Closing, *, table_closed: bool) -> tuple[Line, ...]:
    """What goes back as soon as the bets are closed: all of it at a table that the House has closed."""
    return void_lines(played(closing, NOTHING_TOLD)) if table_closed else returned_at_once(closing)


def settled_by_the_next(table: PitTable) -> int | None:
    """The table's round, if it is not over before another one begins."""
    current = table.round
    return None if current is None or current.stands else current.number


def left_open(setup: PitSetup, current: PitRound | None) -> tuple[OpenWager, ...]:
    """Of a round that the next one's bets end."""
    if current is None or current.stands:
        return ()
    return open_wagers(play_of(setup, current), current.settlement)


def counted_shoe(table: PitTable) -> ShoeCount | None:
    """What has left the shoe once the current round is over. Voided rounds count too."""
    current = table.round
    shoe = None if current is None or current.report is None else current.report.shoe
    if current is None or current.report is None or shoe is None or shoe.id is None:
        return table.shoe
    return ShoeCount(id=shoe.id, counts=counted(counts_before(table, shoe.id), current.report))


def counts_before(table: PitTable, shoe: str | None) -> Mapping[str, int]:
    """The cards that left this shoe before the current round."""
    return table.shoe.counts if table.shoe is not None and table.shoe.id == shoe else {}


# The play


def closing_of(setup: PitSetup, current: PitRound) -> Closing:
    return close(setup.layout, current.bets)


def play_of(setup: PitSetup, current: PitRound, returned: Mapping[Whose, Back] | None = None) -> Play:
    """The round as it was last told."""
    back = current.returned if returned is None else returned
    return played(closing_of(setup, current), current.report or NOTHING_TOLD, back)


def report_play(desk: Desk, command: ReportPlay, _arrival: Arrival) -> PitHandsAnswer:
    table = desk.pit_table(command.table)
    current = current_round(desk, table, command.round)
    found = judged(table, current, command.report)
    join(desk, table)
    desk.write(
        PitHandsReported(
            table=command.table,
            round=command.round,
            state=state_after(found),
            content=content_of(command),
            sent_at=command.sent_at,
            received_at=command.received_at,
            report=found.report,
            settlement=found.lines,
            adjustments=adjusted(current.settlement, found.lines),
        )
    )
    return PitHandsAnswer(
        table=command.table,
        round=command.round,
        state=current.state,
        hands=hands_view(found.play),
        dealer=dealer_view(found.play),
        settlement=current.settlement,
        adjustments=current.adjustments,
    )


def judged(table: PitTable, current: PitRound, report: Report) -> Judged:
    """What a report of the table's current round comes to, or its refusal."""
    before = current.report
    shoe = report.shoe or (None if before is None else before.shoe)
    found = judge(
        closing_of(table.played, current),
        report,
        before=before,
        returned=current.returned,
        counts=counts_before(table, None if shoe is None else shoe.id),
        irregular=current.irregular,
    )
    back = current.handed_back
    return found._replace(lines=(*back, *found.lines)) if back else found


def state_after(found: Judged) -> RoundState:
    """Its hands are known once every box that plays has its first two cards."""
    if found.report.final:
        return RoundState.SETTLED
    waiting = [
        box
        for box in found.play.boxes.values()
        if box.closed.players and box.all_back is None and not box.first_two
    ]
    return RoundState.BETS_CLOSED if waiting else RoundState.HANDS_KNOWN


def current_round(desk: Desk, table: PitTable, number: int) -> PitRound:
    """The table's round, while something can still be said of it."""
    current, own = table.round, table.setup.rules.paragraphs
    if number > table.last_round or current is None:
        raise no_such_round(table, number)
    if current.number != number or current.state is RoundState.SETTLED:
        if current.number != number and desk.past_pit_round(table, number) is None:
            raise no_such_round(table, number)
        raise RoundStands(f"round {number} is over and its outcome stands", rule=own.earlier_rounds_stand)
    if current.state is RoundState.VOIDED:
        raise RoundIsVoid(f"round {number} was voided and has no result", rule=own.void_returns_all)
    return current


# The void


def void_round(desk: Desk, command: VoidRound, _arrival: Arrival) -> PitVoidAnswer:
    """By the table itself, for a reason that it may give."""
    table = desk.pit_table(command.table)
    note = bounded(command.note, field="note")
    check_void(table.setup.rules, command.reason, ())
    done = _voided_by_the_house(desk, table, command.round)
    if done is not None:
        return _void_answer(table, done, ())
    current = current_round(desk, table, command.round)
    check_void(table.setup.rules, command.reason, current.settlement)
    told = current.settlement
    void_current(desk, table, current, reason=command.reason, note=note, by=command.table)
    return _void_answer(table, current, told)


def _voided_by_the_house(desk: Desk, table: PitTable, number: int) -> PitRound | None:
    """What the table asks for was done already, when an irregularity was declared."""
    if not 1 <= number <= table.last_round:
        return None
    here = table.round is not None and table.round.number == number
    found = table.round if here else desk.past_pit_round(table, number)
    return found if found is not None and found.voided_by_house else None


def _void_answer(table: PitTable, current: PitRound, told: Sequence[Line]) -> PitVoidAnswer:
    return PitVoidAnswer(
        table=table.setup.id,
        round=current.number,
        state=RoundState.VOIDED,
        settlement=current.settlement,
        adjustments=current.adjustments,
        returned=untold(current.settlement, told or current.adjustments),
    )


def untold(lines: Sequence[Line], told: Iterable[Line | Adjusted]) -> tuple[Line, ...]:
    """What a void hands back of wagers that no earlier answer contained."""
    known = {one.place for one in told}
    return tuple([one for one in lines if one.stake and one.place not in known])


def void_current(
    desk: Desk,
    table: PitTable,
    current: PitRound,
    *,
    reason: str,
    note: str,
    by: str,
    irregularity: str | None = None,
) -> None:
    """All its bets go back (B P 5.17, F 5.18)."""
    lines = lines_of_void(table.played, current)
    desk.write(
        PitRoundVoided(
            table=table.setup.id,
            round=current.number,
            reason=reason,
            note=note,
            by=by,
            irregularity=irregularity,
            settlement=lines,
            adjustments=adjusted(current.settlement, lines),
        )
    )


def lines_of_void(setup: PitSetup, current: PitRound) -> tuple[Line, ...]:
    return (*current.handed_back, *void_lines(play_of(setup, current)))


def settlement_with(setup: PitSetup, current: PitRound, returned: Mapping[Whose, Back]) -> tuple[Line, ...]:
    """What is known of the wagers, once these players have their bets back."""
    return (*current.handed_back, *settle(play_of(setup, current, returned)))


# What must hold


def mistold(setup: PitSetup, current: PitRound, lines: Iterable[Line]) -> Line | None:
    """A line by which money would appear or vanish: each tells all of a wager, and what becomes of it."""
    several: list[tuple[Place, Line]] = []
    left = laid(setup.layout, current.bets, current.report or NOTHING_TOLD)
    for line in current.handed_back:
        left[line.place] = line.stake
    for line in lines:
        place, stake = line.place, line.stake
        left[place] = left.get(place, 0) - stake
        if left[place] < 0 or not _adds_up(line.outcome, stake, line.payout):
            return line
        several.append((place, line))
    return next((line for place, line in several if left[place]), None)


def _adds_up(outcome: Outcome, stake: int, payout: int) -> bool:
    """What is won comes on top of the stake; what is collected is the stake."""
    if outcome is WIN:
        return payout >= stake
    return payout == (0 if outcome is LOSE else stake)
