"""When the jackpot or a betting device is not fully functional (S 5.17 to 5.18, H 5.16 to 5.17)."""

from __future__ import annotations

from dataclasses import replace
from itertools import groupby

from jackpot.core.records import frozen
from jackpot.core.refusals import (
    BoxUnknown,
    CardsSeenMissing,
    MalfunctionIsCleared,
    MalfunctionUnknown,
    ScopeWrong,
)
from jackpot.link.answers import Done, MalfunctionAnswer
from jackpot.link.awards import Policy
from jackpot.link.commands import ClearMalfunction, DeclareMalfunction
from jackpot.link.execution import Desk, bounded
from jackpot.link.facts import MalfunctionCleared, MalfunctionDeclared, RoundContinued
from jackpot.link.rounds import Promise, Round
from jackpot.link.state import Link, PendingThen, Registered, Scope, Table, Then
from jackpot.link.wins import Hit
from jackpot.play.void import check_unpaid, check_unseen, void_current
from jackpot.pools.claims import emptied_since, place_of, put_before_the_house
from jackpot.pools.pool import Leaving, registered_after


def declare_malfunction(desk: Desk, command: DeclareMalfunction) -> MalfunctionAnswer:
    tables = _in_scope(desk, command)
    note = bounded(command.note, field="note")
    going_on = [
        (table, table.round) for table in tables if table.round is not None and not table.round.stands
    ]
    observed_at = _observed(desk, command.observed_at, [current for _, current in going_on])
    seen = _seen(command, going_on)
    fallen_back = {
        table.setup.id: _fallen_back(desk, table, current, observed_at, by_table=command.by_table)
        for table, current in going_on
        if seen[table.setup.id] and current.registered is None
    }
    malfunction = desk.next_id("m")
    desk.write(
        MalfunctionDeclared(
            malfunction=malfunction,
            scope=command.scope,
            then=command.then,
            observed_at=observed_at,
            by=command.person,
            note=note,
        )
    )
    # First what goes on: the registered amount then follows what the voids take out of the line.
    for table, current in going_on:
        if table.setup.id in fallen_back:
            continue_round(desk, table, current, malfunction, fallen_back[table.setup.id])
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


def _observed(desk: Desk, observed_at: int, rounds: list[Round]) -> int:
    """Cut to what is possible: between the bets of the current round and now."""
    earliest = min((current.dealt_from for current in rounds), default=desk.link.created_at)
    return min(max(observed_at, earliest), desk.at)


@frozen()
class FallenBack:
    """The reading from which a round's majors are paid, and what it was chosen by."""

    reading: Registered
    heard: int | None
    promised: Promise | None = None
    void_denied: bool = False


def _fallen_back(
    desk: Desk, table: Table, current: Round, observed_at: int, *, by_table: str | None
) -> FallenBack:
    heard = None if by_table is None else known_to_have_heard(table, current)
    return FallenBack(reading_before(desk, current, observed_at, heard), heard)


def known_to_have_heard(table: Table, current: Round) -> int:
    """The newest reading that the table is known to have been told: an older one it cannot fall back to."""
    return max(table.contact.heard, current.sequence)


def reading_before(desk: Desk, current: Round, moment: int, heard: int | None) -> Registered:
    """The last one before a moment; but none older than the answer to the round's own bets, or than what its
    table had heard."""
    found = desk.archive.reading_before(moment)
    oldest = max(current.sequence, heard or 0)
    if found.sequence >= oldest:
        return found
    return desk.archive.reading_at(oldest) or found


def continue_round(
    desk: Desk, table: Table, current: Round, malfunction: str, fallen_back: FallenBack
) -> None:
    """Its majors are paid from the amount registered before (S 5.18.1, H 5.17.1). Is that from before a royal
    flush that has been paid since, they are cases for the House instead, also those in line already."""
    emptied = emptied_since(desk.link, fallen_back.reading)
    desk.write(
        RoundContinued(
            table=table.setup.id,
            round=current.number,
            malfunction=malfunction,
            rule=table.setup.paragraphs.registered_amount,
            registered=still_registered(desk.link, fallen_back.reading),
            heard=fallen_back.heard,
            emptied=emptied,
            promised=fallen_back.promised,
            void_denied=fallen_back.void_denied,
        )
    )
    for name in current.wins if emptied else ():
        if name in desk.link.queue:
            put_before_the_house(desk, desk.link.queue[name])


def _seen(command: DeclareMalfunction, going_on: list[tuple[Table, Round]]) -> dict[str, bool]:
    """Whether cards were seen must be said of every open round; where all hands are known, they were."""
    seen: dict[str, bool] = {}
    for table, current in going_on:
        name = table.setup.id
        if current.open and name not in command.cards_seen:
            raise CardsSeenMissing(f"say whether cards were seen at {name}", field=f"cards_seen.{name}")
        seen[name] = command.cards_seen.get(name, True)
        if not seen[name]:
            check_unseen(table.played, current, field=f"cards_seen.{name}")
            check_unpaid(current)
    return seen


def still_registered(link: Link, found: Registered) -> Registered:
    """A reading before a malfunction, less what the wins that were pending then have been paid since."""
    found = replace(found, pending=tuple(_now_called(link, then) for then in found.pending))
    pending = {then.win for then in found.pending}
    for _, several in groupby(link.hits, key=_paid_with):
        hits = list(several)
        policy = Policy.ORDERED if hits[0].proof is None else hits[0].proof.policy
        paid = [Leaving(hit.win, hit.hand, hit.percent, from_it=hit.win in pending) for hit in hits]
        if any(one.from_it for one in paid):
            found = registered_after(found, link.parameters, paid, policy)
    for then in found.pending:
        if then.win not in link.queue:
            left = [Leaving(then.win, then.hand, then.percent)]
            found = registered_after(found, link.parameters, left, None)
    return found


def _paid_with(hit: Hit) -> int:
    return hit.sequence if hit.cluster is None else hit.cluster


def _now_called(link: Link, then: PendingThen) -> PendingThen:
    """A win that was corrected since has a successor at the same box, which may have been paid."""
    place = place_of(then.win)
    called = [(win.id, win.hand, win.said_percent) for win in link.queue.values()]
    called += [(hit.win, hit.hand, hit.said_percent) for hit in link.hits]
    for win, hand, percent in called:
        if place_of(win) == place:
            return replace(then, win=win, hand=hand, said_percent=percent)
    return then


def clear_malfunction(desk: Desk, command: ClearMalfunction) -> Done:
    note = bounded(command.note, field="note")
    known = command.malfunction in desk.link.malfunctions
    if not known and desk.was_made(command.malfunction, "m", MalfunctionDeclared):
        raise MalfunctionIsCleared(f"malfunction {command.malfunction} was cleared")
    if not known:
        raise MalfunctionUnknown(f"no malfunction {command.malfunction[:80]!r} is open")
    desk.write(MalfunctionCleared(malfunction=command.malfunction, person=command.person, note=note))
    return Done()
