"""A table that goes to another link or pit.

Each place has its own journal: the departure is written in one, the arrival in the other, and the book
commits both together. The table takes its terms and the number of its last round with it; what was played
stays where it was played.
"""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.instants import SECOND
from jackpot.core.refusals import (
    CurrencyDiffers,
    ReceiverMissing,
    TableBusy,
    TableThere,
)
from jackpot.house.tables import add_setup
from jackpot.link.answers import Done
from jackpot.link.commands import MoveTable, ReceiveTable
from jackpot.link.execution import Desk, reasoned
from jackpot.link.facts import TableMoved
from jackpot.link.state import CameFrom, Link, Pit, TableOfPlay, TableStatus
from jackpot.play.reconciliation import agreed

HEARD_WITHIN = 10 * SECOND
"""Who was heard so lately is not playing alone."""


def move_table(desk: Desk, command: MoveTable) -> Done:
    table = desk.any_table(command.table)
    reason = reasoned(command.reason)
    if command.to == desk.pit.id:
        raise TableThere(f"table {command.table} plays on {desk.pit.id} already")
    check_idle(desk.pit, table)
    _check_heard(table, now=desk.now)
    if command.receiver != command.to:
        raise ReceiverMissing(f"{command.to} has to take part in the same transaction", receiver=command.to)
    desk.write(
        TableMoved(
            table=command.table,
            to=command.to,
            last_round=table.last_round,
            person=command.person,
            reason=reason,
        )
    )
    return Done()


def check_idle(pit: Pit, table: TableOfPlay) -> None:
    """Nothing of it may still be decided here."""
    name = table.setup.id
    if table.round is not None and not table.round.stands:
        raise TableBusy(f"round {table.round.number} of table {name} does not stand yet", open="round")
    if any(one.scope.table == name for one in pit.malfunctions_at(name)):
        raise TableBusy(f"a malfunction of table {name} is not cleared", open="malfunction")
    if table.difference is not None:
        raise TableBusy(f"a difference of the meters of table {name} is not settled", open="meters")
    if not isinstance(pit, Link):
        return
    if any(win.table == name for win in pit.queue.values()):
        raise TableBusy(f"a win of table {name} is waiting", open="win")
    if any(claim.table == name for claim in pit.claims.values()):
        raise TableBusy(f"a late claim of table {name} is open", open="claim")


def _check_heard(table: TableOfPlay, *, now: int) -> None:
    """A table in play that is silent may be playing alone, by what this place has promised it."""
    seen = table.contact.seen_at
    if table.status is TableStatus.IN_PLAY and (seen is None or seen < now - HEARD_WITHIN):
        name = table.setup.id
        raise TableBusy(f"table {name} is silent and may be playing alone: close it first", open="silent")


def departure_of(table: TableOfPlay, fact: TableMoved, *, place: str, sequence: int) -> CameFrom:
    baseline = table.baseline
    if baseline is not None:  # the contact, which remembers how far both agree, stays behind
        baseline = replace(baseline, after=agreed(table, baseline))
    return CameFrom(
        place=place,
        sequence=sequence,
        last_round=fact.last_round,
        closed=table.status is TableStatus.CLOSED,
        counted=table.counted,
        baseline=baseline,
    )


def receive_table(desk: Desk, command: ReceiveTable) -> Done:
    if command.currency != desk.pit.currency:
        raise CurrencyDiffers(
            f"{desk.pit.id} plays in {desk.pit.currency}, and {command.source.place} in {command.currency}"
        )
    reason = reasoned(command.reason)
    add_setup(desk, command.setup, person=command.person, reason=reason, source=command.source)
    return Done()
