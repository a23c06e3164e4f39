"""A table that could not reach the service, and is back (S 5.17 to 5.18, H 5.16 to 5.17).

While it was alone its controller voided a round of which no cards were seen, finished a seen one on the value
it was last told, and took no progressive bets. What it says of that time is a malfunction of its own, in the
past: it comes first, then what the table has to tell, then its return to play.
"""

from __future__ import annotations

from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.records import frozen
from jackpot.core.refusals import CardsSeenMissing, PromiseWrong
from jackpot.house.malfunction import FallenBack, continue_round, known_to_have_heard, reading_before
from jackpot.link.answers import Done, OfflineAnswer
from jackpot.link.commands import ReportOffline, ReturnOnline
from jackpot.link.execution import Desk
from jackpot.link.facts import MalfunctionCleared, MalfunctionDeclared
from jackpot.link.rounds import Promise, Round
from jackpot.link.state import Offline, Registered, Scope, Table, Then
from jackpot.play.void import void_current
from jackpot.pools.payout import due_parameters, registered_next

LARGEST_SEQUENCE = 2**62


@frozen()
class _Lost:
    """When the service was lost: most likely, and at the latest."""

    observed: int
    latest: int


def report_offline(desk: Desk, command: ReportOffline) -> OfflineAnswer:
    table = desk.table(command.table)
    _check_promise(command.registered)
    current = _interrupted(table, command)
    lost = _lost(desk, table, current, command.since)
    seen = current is not None and _seen(current, command.cards_seen)
    confirmed: bool | None = None
    if current is not None and seen and command.registered is not None:
        confirmed = _confirmed(desk, table, current, command.registered, lost)
    malfunction = _declare(desk, command, lost, confirmed=confirmed)
    voided: int | None = None
    if current is not None and seen:
        _continue(desk, table, current, malfunction, command, lost, confirmed=confirmed)
    elif current is not None and current.open:
        rule = table.setup.paragraphs.not_seen_voids
        voided = current.number
        void_current(desk, table, current, reason=rule, note="", by=command.table, malfunction=malfunction)
    return OfflineAnswer(malfunction=malfunction, voided=voided, confirmed=confirmed)


def _check_promise(promised: Promise | None) -> None:
    if promised is None:
        return
    amounts = (promised.value, promised.amount)
    if (
        not all(0 <= one <= LARGEST_AMOUNT for one in amounts)
        or not 1 <= promised.sequence <= LARGEST_SEQUENCE
    ):
        raise PromiseWrong("no reading is like that", field="registered")


def _interrupted(table: Table, command: ReportOffline) -> Round | None:
    """The round that was in play when the service was lost, if the service knows of it."""
    current = table.round
    if current is None or current.stands or command.round not in (None, current.number):
        return None
    if current.open and command.cards_seen is None:
        raise CardsSeenMissing(f"say whether cards were seen at {command.table}", field="cards_seen")
    return current


def _seen(current: Round, said: bool | None) -> bool:  # noqa: FBT001  it is what the table says
    """A major that has been paid was seen, and so was a round of which a decision was told, whatever is said
    now. The report is taken all the same: a table that is refused could never come back. Its round goes on,
    its own void is refused, and an alert tells the House that players may have had their bets back."""
    return said is not False or current.seen or any(box.paid for box in current.boxes.values())


def _lost(desk: Desk, table: Table, current: Round | None, since: int) -> _Lost:
    """The table's own word, cut to what is possible: whatever its clock, it must be able to come back."""
    earliest = desk.link.created_at if current is None else current.dealt_from
    measured = table.contact.bounds.offset(desk.at)
    if table.contact.era != desk.link.broke_at or measured.most is None:
        return _Lost(earliest, desk.at)
    least = measured.most if measured.least is None else measured.least
    latest = min(max(since + measured.most, earliest), desk.at)
    return _Lost(min(max(since + (least + measured.most) // 2, earliest), latest), latest)


def _confirmed(desk: Desk, table: Table, current: Round, promised: Promise, lost: _Lost) -> bool:
    """The journal has that reading, and it is one that the table can have been told last: not older than what
    it is known to have heard, nor newer than what it was ever told."""
    reading = desk.archive.reading_at(promised.sequence)
    if reading is None or (promised.value, promised.next) != (reading.value, _next(desk, reading)):
        return False
    told = table.contact.told
    newest = told[-1].sequence if told else desk.archive.reading_before(lost.latest + 1).sequence
    return known_to_have_heard(table, current) <= promised.sequence <= newest


def _next(desk: Desk, reading: Registered) -> int | None:
    """As the table was told it: by the parameters that its hold ends with, or has ended with."""
    link = desk.link
    parameters = due_parameters(link) if link.held else link.parameters
    return registered_next(reading, parameters)


def _declare(desk: Desk, command: ReportOffline, lost: _Lost, *, confirmed: bool | None) -> str:
    malfunction = desk.next_id("m")
    desk.write(
        MalfunctionDeclared(
            malfunction=malfunction,
            scope=Scope(table=command.table),
            then=Then.PROGRESSIVE_OFF,
            observed_at=lost.observed,
            by=command.table,
            note="",
            offline=Offline(
                since=command.since,
                round=command.round,
                cards_seen=command.cards_seen,
                promised=command.registered,
                confirmed=confirmed,
            ),
        )
    )
    return malfunction


def _continue(
    desk: Desk,
    table: Table,
    current: Round,
    malfunction: str,
    command: ReportOffline,
    lost: _Lost,
    *,
    confirmed: bool | None,
) -> None:
    """The majors of the round are paid from what its table promised, if the journal has that reading. If it
    denies it they are cases for the House, with the journal's own reading beside the promise."""
    if current.registered is not None:
        return
    promised = command.registered
    told = desk.archive.reading_at(promised.sequence) if promised is not None and confirmed else None
    heard = known_to_have_heard(table, current)
    reading: Registered = told or reading_before(desk, current, lost.observed, heard)
    denied = promised if confirmed is False else None
    alone = FallenBack(reading, heard, denied, void_denied=command.cards_seen is False)
    continue_round(desk, table, current, malfunction, alone)


def return_online(desk: Desk, command: ReturnOnline) -> Done:
    """What the House has declared stays until the House clears it."""
    table = desk.table(command.table)
    for one in desk.link.malfunctions_at(table.setup.id):
        if one.offline is not None:
            desk.write(MalfunctionCleared(malfunction=one.id, person=command.table, note="back"))
    return Done()
