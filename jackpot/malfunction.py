"""When the jackpot or a betting device is not fully functional (S 5.17 to 5.18, H 5.16 to 5.17)."""

from __future__ import annotations

from jackpot.answers import Done, MalfunctionAnswer
from jackpot.commands import ClearMalfunction, DeclareMalfunction
from jackpot.desk import Desk, bounded
from jackpot.facts import MalfunctionCleared, MalfunctionDeclared, RoundAffected
from jackpot.play import void_current
from jackpot.refusals import (
    BoxUnknown,
    CardsSeenContradictory,
    CardsSeenMissing,
    MalfunctionUnknown,
    ObservedOutOfRange,
    ScopeWrong,
)
from jackpot.state import Round, Scope, Table, Then


def declare_malfunction(desk: Desk, command: DeclareMalfunction) -> MalfunctionAnswer:
    tables = _in_scope(desk, command)
    note = bounded(command.note, field="note")
    going_on = [
        (table, table.round) for table in tables if table.round is not None and not table.round.stands
    ]
    _check_observed(desk, command.observed_at, [current for _, current in going_on])
    affected = _affected(command, going_on)
    malfunction = desk.next_id("m")
    desk.write(
        MalfunctionDeclared(
            malfunction=malfunction,
            scope=command.scope,
            then=command.then,
            observed_at=command.observed_at,
            by=command.person,
            note=note,
            rounds=affected,
            registered=desk.past.reading_before(command.observed_at),
        )
    )
    unseen = {one.table for one in affected if not one.seen}
    for table, current in going_on:
        if table.setup.id in unseen:
            rule = table.setup.paragraphs.not_seen_voids
            void_current(desk, table, current, reason=rule, note=note, by=command.person)
    return MalfunctionAnswer(malfunction=malfunction, meter=desk.meter())


def _in_scope(desk: Desk, command: DeclareMalfunction) -> list[Table]:
    tables = _scope_tables(desk, command.scope)
    if command.then is Then.BLOCK_BOX and command.scope.box is None:
        raise ScopeWrong("a box is blocked by naming it", field="scope.box")
    names = {table.setup.id for table in tables}
    for name in command.cards_seen:
        if name not in names:
            raise ScopeWrong(f"table {name[:40]!r} is not in the scope", field="cards_seen")
    return tables


def _scope_tables(desk: Desk, scope: Scope) -> list[Table]:
    if scope.table is None:
        if scope.box is not None:
            raise ScopeWrong("a box belongs to a table", field="scope.table")
        return list(desk.link.tables.values())
    table = desk.table(scope.table)
    if scope.box is not None and not 1 <= scope.box <= table.setup.boxes:
        raise BoxUnknown(f"the layout has boxes 1 to {table.setup.boxes}", field="scope.box")
    return [table]


def _check_observed(desk: Desk, observed_at: int, rounds: list[Round]) -> None:
    earliest = min((current.closed_from for current in rounds), default=desk.link.created_at)
    if not earliest <= observed_at <= desk.at:
        raise ObservedOutOfRange(
            "observed_at lies between the closing of the current round's bets and now", field="observed_at"
        )


def _affected(command: DeclareMalfunction, going_on: list[tuple[Table, Round]]) -> tuple[RoundAffected, ...]:
    """Whether cards were seen must be said of every open round; where hands are known, they were."""
    affected = []
    for table, current in going_on:
        name = table.setup.id
        shown = any(box.record is not None and box.record.cards for box in current.boxes.values())
        if current.open and name not in command.cards_seen:
            raise CardsSeenMissing(f"say whether cards were seen at {name}", field=f"cards_seen.{name}")
        seen = command.cards_seen.get(name, True)
        if shown and not seen:
            raise CardsSeenContradictory(f"hands of {name} were reported", field=f"cards_seen.{name}")
        affected.append(RoundAffected(table=name, round=current.number, seen=seen))
    return tuple(affected)


def clear_malfunction(desk: Desk, command: ClearMalfunction) -> Done:
    note = bounded(command.note, field="note")
    if command.malfunction not in desk.link.malfunctions:
        raise MalfunctionUnknown(f"no malfunction {command.malfunction[:80]!r} is open")
    desk.write(MalfunctionCleared(malfunction=command.malfunction, person=command.person, note=note))
    return Done(meter=desk.meter())
