"""When the jackpot or a betting device is not fully functional (S 5.17 to 5.18, H 5.16 to 5.17)."""

from __future__ import annotations

from dataclasses import replace

from jackpot.answers import Done, MalfunctionAnswer
from jackpot.commands import ClearMalfunction, DeclareMalfunction
from jackpot.desk import Desk, bounded
from jackpot.facts import MalfunctionCleared, MalfunctionDeclared, RoundContinued
from jackpot.play import check_unpaid, check_unseen, void_current
from jackpot.pool import registered_after
from jackpot.refusals import (
    BoxUnknown,
    CardsSeenMissing,
    MalfunctionIsCleared,
    MalfunctionUnknown,
    ObservedOutOfRange,
    ScopeWrong,
)
from jackpot.rounds import Round
from jackpot.state import Link, PendingThen, Registered, Scope, Table, Then


def declare_malfunction(desk: Desk, command: DeclareMalfunction) -> MalfunctionAnswer:
    tables = _in_scope(desk, command)
    note = bounded(command.note, field="note")
    going_on = [
        (table, table.round) for table in tables if table.round is not None and not table.round.stands
    ]
    _check_observed(desk, command.observed_at, [current for _, current in going_on])
    seen = _seen(command, going_on)
    registered = still_registered(desk, desk.past.reading_before(command.observed_at))
    malfunction = desk.next_id("m")
    desk.write(
        MalfunctionDeclared(
            malfunction=malfunction,
            scope=command.scope,
            then=command.then,
            observed_at=command.observed_at,
            by=command.person,
            note=note,
        )
    )
    # First what goes on: the registered amount then follows what the voids take out of the line.
    for table, current in going_on:
        if seen[table.setup.id] and current.registered is None:
            desk.write(
                RoundContinued(
                    table=table.setup.id,
                    round=current.number,
                    malfunction=malfunction,
                    rule=table.setup.paragraphs.registered_amount,
                    registered=registered,
                )
            )
    for table, current in going_on:
        if not seen[table.setup.id]:
            rule, by = table.setup.paragraphs.not_seen_voids, command.person
            void_current(desk, table, current, reason=rule, note=note, by=by, malfunction=malfunction)
    return MalfunctionAnswer(malfunction=malfunction)


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
        return [desk.link.tables[name] for name in sorted(desk.link.tables)]
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


def _seen(command: DeclareMalfunction, going_on: list[tuple[Table, Round]]) -> dict[str, bool]:
    """Whether cards were seen must be said of every open round; where all hands are known, they were."""
    seen: dict[str, bool] = {}
    for table, current in going_on:
        name = table.setup.id
        if current.open and name not in command.cards_seen:
            raise CardsSeenMissing(f"say whether cards were seen at {name}", field=f"cards_seen.{name}")
        seen[name] = command.cards_seen.get(name, True)
        if not seen[name]:
            check_unseen(table.setup, current, field=f"cards_seen.{name}")
            check_unpaid(current)
    return seen


def still_registered(desk: Desk, found: Registered) -> Registered:
    """A reading before a malfunction, less what the wins that were pending then have been paid since."""
    link = desk.link
    found = replace(found, pending=tuple(_now_called(link, then) for then in found.pending))
    for hit in link.hits:
        if any(then.win == hit.win for then in found.pending):
            found = registered_after(found, link.parameters, hit.win, hit.hand)
    for then in found.pending:
        if then.win not in link.queue:
            found = registered_after(found, link.parameters, then.win, None)
    return found


def _now_called(link: Link, then: PendingThen) -> PendingThen:
    """A win that was corrected since has a successor at the same box, which may have been paid."""
    place = _place(then.win)
    called = [(win.id, win.hand) for win in link.queue.values()] + [(hit.win, hit.hand) for hit in link.hits]
    for win, hand in called:
        if _place(win) == place:
            return PendingThen(win=win, hand=hand, segment=then.segment)
    return then


def _place(win: str) -> str:
    """Table, round and box: what a win has in common with its successor."""
    return win.rsplit(".", 1)[0]


def clear_malfunction(desk: Desk, command: ClearMalfunction) -> Done:
    note = bounded(command.note, field="note")
    known = command.malfunction in desk.link.malfunctions
    if not known and desk.was_made(command.malfunction, "m", MalfunctionDeclared):
        raise MalfunctionIsCleared(f"malfunction {command.malfunction} was cleared")
    if not known:
        raise MalfunctionUnknown(f"no malfunction {command.malfunction[:80]!r} is open")
    desk.write(MalfunctionCleared(malfunction=command.malfunction, person=command.person, note=note))
    return Done()
