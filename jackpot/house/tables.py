"""Tables: that one is added, on what terms it plays, and that it is taken out of play and put back."""

from __future__ import annotations

from jackpot.core.refusals import (
    BoxInUse,
    ParameterWrong,
    TableAlreadyClosed,
    TableAlreadyKnown,
    TableAlreadyOpen,
    TermsChangedMeanwhile,
)
from jackpot.link.answers import Done
from jackpot.link.commands import AddTable, ChangeTable, CloseTable, OpenTable
from jackpot.link.execution import Desk, bounded, reasoned
from jackpot.link.facts import TableAdded, TableChanged, TableClosed, TableOpened
from jackpot.link.pit_facts import PitTableAdded
from jackpot.link.pit_rounds import PitRound
from jackpot.link.rounds import Round
from jackpot.link.state import CameFrom, Link, Pit, PitSetup, TableOfPlay, TableSetup, TableStatus
from jackpot.link.table_terms import TableChanges, TableTerms
from jackpot.play.setup import check_most_won, check_setup


def add_table(desk: Desk, command: AddTable) -> Done:
    reason = bounded(command.reason, field="reason")
    add_setup(desk, command.setup, person=command.person, reason=reason)
    return Done()


def add_setup(
    desk: Desk, setup: TableSetup | PitSetup, *, person: str, reason: str, source: CameFrom | None = None
) -> None:
    """Blackjack is played in a pit, the games with a jackpot on a link."""
    pit = desk.pit
    if setup.id in pit.tables:
        raise TableAlreadyKnown(f"{pit.id} has a table {setup.id!r} already", table=setup.id)
    check_setup(setup)
    if isinstance(setup, PitSetup):
        if isinstance(pit, Link):
            raise ParameterWrong(f"table {setup.id}: {setup.rules.name} is played in a pit", field="game")
        desk.write(PitTableAdded(setup=setup, person=person, reason=reason, source=source))
        return
    if not isinstance(pit, Link):
        raise ParameterWrong(f"table {setup.id}: {setup.rulebook.name} is played on a link", field="game")
    check_most_won(setup, pit.currency)
    desk.write(TableAdded(setup=setup, person=person, reason=reason, source=source))


def change_table(desk: Desk, command: ChangeTable) -> Done:
    """From the next round on: one that has begun keeps the terms with which it began."""
    table = desk.any_table(command.table)
    reason = reasoned(command.reason)
    was = table.setup.terms
    if command.known is not None and command.known != table.changed:
        raise TermsChangedMeanwhile(
            f"the terms of table {command.table} have changed since: look at them again", known=table.changed
        )
    _check_said(command.changes)
    terms = command.changes.applied_to(was)
    check_terms(desk.pit, table, terms)
    desk.write(TableChanged(table=command.table, was=was, terms=terms, person=command.person, reason=reason))
    return Done()


def _check_said(changes: TableChanges) -> None:
    if changes == TableChanges():
        raise ParameterWrong("say what is to change", field="changes")
    for name in ("minimum", "maximum"):
        if getattr(changes, name) is not None and getattr(changes, f"no_{name}"):
            raise ParameterWrong(f"either a {name} or none", field=name)


def check_terms(pit: Pit, table: TableOfPlay, terms: TableTerms) -> None:
    """Whether a table can play on these from its next round on."""
    if terms == table.setup.terms:
        raise ParameterWrong("these are its terms already", field="changes")
    if terms.side and not isinstance(table.setup, PitSetup):
        raise ParameterWrong(f"table {table.setup.id} has no side bets to set", field="side")
    check_setup(table.setup.under(terms))
    used = max([*_blocked(pit, table), *_boxes_in_play(table)], default=0)
    if terms.boxes < used:
        raise BoxInUse(f"box {used} of table {table.setup.id} is blocked, or in play", box=used)


def _blocked(pit: Pit, table: TableOfPlay) -> list[int]:
    found = pit.malfunctions_at(table.setup.id)
    return [one.scope.box for one in found if one.scope.box is not None]


def _boxes_in_play(table: TableOfPlay) -> list[int]:
    current = table.round
    if current is None or current.stands:
        return []
    if isinstance(current, PitRound):
        return [one.box for one in current.bets.boxes]
    return list(current.boxes) if isinstance(current, Round) else []


def open_table(desk: Desk, command: OpenTable) -> Done:
    table = desk.any_table(command.table)
    reason = reasoned(command.reason)
    if table.status is not TableStatus.CLOSED:
        raise TableAlreadyOpen(f"table {command.table} is not closed")
    heard = table.contact.seen_at is not None
    desk.write(TableOpened(table=command.table, person=command.person, reason=reason, in_play=heard))
    # It may come back with another controller, which counts anew and has another clock.
    table.contact.seq = table.contact.sent_at = None
    return Done()


def close_table(desk: Desk, command: CloseTable) -> Done:
    table = desk.any_table(command.table)
    reason = reasoned(command.reason)
    if table.status is TableStatus.CLOSED:
        raise TableAlreadyClosed(f"table {command.table} is closed already")
    desk.write(TableClosed(table=command.table, person=command.person, reason=reason))
    return Done()
