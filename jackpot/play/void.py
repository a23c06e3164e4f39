"""A round that is voided: all its bets go back, and its majors are withdrawn (5.8, S 5.22, H 5.21)."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.refusals import (
    CardsWereSeen,
    OutcomeEstablished,
    RoundIsVoid,
    RoundStands,
    SupervisorNeeded,
    VoidReasonUnknown,
)
from jackpot.games.adjustments import adjusted
from jackpot.link.answers import VoidAnswer
from jackpot.link.commands import VoidRound
from jackpot.link.execution import Desk, bounded
from jackpot.link.facts import RoundVoided
from jackpot.link.rounds import Box, Round, RoundState
from jackpot.link.state import Table, TableSetup
from jackpot.play.contact import Arrival, no_such_round
from jackpot.play.hands import check_paid_stay, give_back_bet, withdraw_claim
from jackpot.play.settlement import established, handed_back, settlement_of_void
from jackpot.pools import majors
from jackpot.pools.pool import Draft, award


def void_round(desk: Desk, command: VoidRound, _arrival: Arrival) -> VoidAnswer:
    """Only the current round can be voided; the outcome of all earlier ones stands (5.8)."""
    table = desk.table(command.table)
    note = bounded(command.note, field="note")
    _check_reason(table.setup, command.reason)
    done = _voided_by_the_house(desk, table, command.round)
    if done is not None:
        return done
    current = current_round(desk, table, command.round)
    check_unpaid(current)
    if command.reason == table.setup.paragraphs.not_seen_voids:
        check_unseen(table.played, current, field="reason")
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


def _check_reason(setup: TableSetup, reason: str) -> None:
    if reason == setup.paragraphs.house_resolves:
        raise SupervisorNeeded(f"the House declares paragraph {reason}", field="reason", rule=reason)
    if reason not in setup.paragraphs.voids:
        raise VoidReasonUnknown(f"paragraph {reason[:20]!r} voids no round", field="reason", rule="5.8")


def check_unseen(setup: TableSetup, current: Round, *, field: str) -> None:
    """A jackpot out of order voids a round only before any player has seen cards (S 5.17, H 5.16)."""
    if current.seen:
        raise CardsWereSeen(
            f"a player of round {current.number} at {setup.id} has seen cards: the round goes on",
            field=field,
            rule=setup.paragraphs.registered_amount,
        )


def _voided_by_the_house(desk: Desk, table: Table, number: int) -> VoidAnswer | None:
    """What the table asks for was done already, when a malfunction or irregularity was declared; so it was,
    as often as the table replays it."""
    if not 1 <= number <= table.last_round:
        return None
    here = table.round is not None and table.round.number == number
    found = table.round if here else desk.past_round(table, number)
    if found is None or found.void_returned is None:
        return None
    return VoidAnswer(
        table=table.setup.id,
        round=number,
        state=RoundState.VOIDED,
        returned=found.void_returned,
        settlement=found.settlement,
        adjustments=found.adjustments,
    )


def current_round(desk: Desk, table: Table, number: int) -> Round:
    """The table's round, while something can still be done about it."""
    current = table.round
    if number > table.last_round or current is None:
        raise no_such_round(table, number)
    if current.number != number or current.state is RoundState.SETTLED:
        if desk.past_round(table, number) is None:
            raise no_such_round(table, number)
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
    check_paid_stay(current, kept)


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
    withdraw_majors(desk, table, current.boxes.values(), reason="round_voided")
    draft = Draft(desk.link.pool)
    standing = [box for box in current.boxes.values() if box.stands]
    for box in standing:
        give_back_bet(desk, draft, current, box)
    award(draft, -sum(box.minor for box in current.boxes.values()))
    transfer = draft.done()
    lines, rule = settlement_of_void(table.played, current), table.played.paragraphs.void_returns_all
    fact = RoundVoided(
        table=table.setup.id,
        round=current.number,
        reason=reason,
        note=note,
        by=by,
        returned=handed_back(current, lines, dict.fromkeys(current.boxes, rule), "round_voided"),
        malfunction=malfunction,
        irregularity=irregularity,
        settlement=lines,
        adjustments=adjusted(current.settlement, lines),
        moves=transfer.moves,
        contributed=transfer.contributed,
    )
    desk.write(fact)
    return fact


def withdraw_majors(desk: Desk, table: Table, boxes: Iterable[Box], *, reason: str) -> None:
    """Of the table's current round: wins in line, and every claim, also one that came after settlement."""
    boxes = list(boxes)
    results = [box.result for box in boxes if box.result is not None]
    places = {(table.setup.id, table.last_round, box.number) for box in boxes}
    claims = [one.id for one in desk.link.claims.values() if (one.table, one.round, one.box) in places]
    for claim in sorted(claims):
        withdraw_claim(desk, claim, reason=reason)
    for win in [result.win for result in results if result.win in desk.link.queue]:
        majors.withdraw(desk, str(win), reason=reason)
