"""Tables: how they are heard, what their clocks are worth, and when they are in play."""

from __future__ import annotations

import re
from dataclasses import dataclass

from jackpot.answers import Done, HeartbeatAnswer
from jackpot.commands import AddTable, CloseTable, Heartbeat, OpenTable, TableMessage
from jackpot.desk import Desk, reasoned
from jackpot.facts import TableAdded, TableClosed, TableJoined, TableLeft, TableOpened
from jackpot.instants import SECOND
from jackpot.money import LARGEST_AMOUNT
from jackpot.ordering import SUSPECT_AFTER, house_time
from jackpot.refusals import (
    ClockOutOfRange,
    ParameterWrong,
    SentAtFell,
    SequenceGap,
    SequencePassed,
    SequenceWrong,
    TableAlreadyClosed,
    TableAlreadyKnown,
    TableAlreadyOpen,
    TimeInFuture,
)
from jackpot.state import Contact, Table, TableSetup, TableStatus
from jackpot.views import notice, table_closed
from jackpot.wins import Clock

FAR_FUTURE = 60 * SECOND
MOST_BOXES = 20
LARGEST_OFFSET = 10 * 366 * 24 * 3600 * SECOND
LARGEST_ERROR = 3600 * SECOND
LARGEST_SEQ = 2**62
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


@dataclass(frozen=True, slots=True)
class Arrival:
    """A table's message as far as its time can be known."""

    clock: Clock
    sent_from: int | None
    """The earliest house time at which it can have been sent; None while nothing is known."""
    suspect: bool
    future: bool = False
    """Stamped so late that nothing can be concluded from when it was sent."""


def arrive(desk: Desk, command: TableMessage) -> Arrival:
    contact = desk.table(command.table).contact
    _check_sequence(command, contact)
    clock = _clock(desk, command, contact)
    moment, error = house_time(command.sent_at, clock)
    future = moment - command.received_at > FAR_FUTURE
    # A heartbeat is how a wrong clock is measured, and a spool cannot be stamped anew.
    if future and command.live and not isinstance(command, Heartbeat):
        raise TimeInFuture("sent_at is in the future: is the table's clock wrong?", field="sent_at")
    suspect = future or (command.live and abs(moment - command.received_at) > SUSPECT_AFTER)
    sent_from = contact.spoke_from if suspect else min(moment - error, command.received_at)
    return Arrival(clock, sent_from, suspect, future)


def _check_sequence(command: TableMessage, contact: Contact) -> None:
    if command.seq is None:
        if contact.sent_at is not None and command.sent_at < contact.sent_at:
            raise SentAtFell("sent_at is earlier than that of the table's last message")
        return
    if not 0 <= command.seq <= LARGEST_SEQ:
        raise SequenceWrong("messages are numbered from 0", field="seq")
    expected = command.seq if contact.seq is None else contact.seq + 1
    if command.seq > expected:
        raise SequenceGap(f"message {expected} has not arrived yet", expected=expected)
    again = isinstance(command, Heartbeat) and command.seq == contact.seq
    if command.seq < expected and not again:
        raise SequencePassed(f"message {command.seq} was another one", expected=expected)


def said_before(contact: Contact, command: Heartbeat) -> bool:
    """A spool is sent again. A controller that counts anew has sent it later than all it said before."""
    if command.seq is None or contact.seq is None or contact.sent_at is None:
        return False
    return command.seq < contact.seq and command.sent_at <= contact.sent_at


def is_next(contact: Contact, command: TableMessage) -> bool:
    """Sent after everything the table has said so far."""
    if command.seq is None:
        return contact.sent_at is None or command.sent_at > contact.sent_at
    return contact.seq is None or command.seq == contact.seq + 1


def _clock(desk: Desk, command: TableMessage, contact: Contact) -> Clock:
    if not isinstance(command, Heartbeat) or command.clock is None:
        default = desk.link.parameters.default_clock_error
        return contact.clock or Clock(offset=0, error=default, measured_at=None)
    if not 0 <= command.clock.error <= LARGEST_ERROR or abs(command.clock.offset) > LARGEST_OFFSET:
        raise ClockOutOfRange("no clock is measured like that", field="clock")
    # It was measured before it was sent, and the message may have been long under way.
    measured_at = min(command.sent_at + command.clock.offset, command.received_at)
    return Clock(offset=command.clock.offset, error=command.clock.error, measured_at=measured_at)


def heard(desk: Desk, command: TableMessage, arrival: Arrival) -> None:
    """Remember the contact, once the message has been taken."""
    contact = desk.table(command.table).contact
    contact.seq = command.seq if command.seq is not None else contact.seq
    if arrival.future:
        return  # or every later message would seem to go back in time
    contact.clock = arrival.clock if arrival.clock.measured_at is not None else contact.clock
    contact.sent_at = command.sent_at
    contact.seen_at = command.received_at
    contact.spoke_from = arrival.sent_from


def heartbeat(desk: Desk, command: Heartbeat, arrival: Arrival) -> HeartbeatAnswer:
    table = desk.table(command.table)
    if arrival.future:
        pass  # it may measure its clock by the answer; in play it is once that is known
    elif command.in_play:
        join(desk, table)
    elif table.status is TableStatus.IN_PLAY and not (table.round is not None and table.round.open):
        desk.write(TableLeft(table=table.setup.id))
    return told_now(desk, table)


def told_now(desk: Desk, table: Table) -> HeartbeatAnswer:
    told = notice(desk.link, table)
    state = TableStatus.CLOSED if table_closed(desk.link, table) else table.status
    return HeartbeatAnswer(table_state=state, progressive=told is None, notice=told)


def join(desk: Desk, table: Table) -> None:
    """A table is in play from its first message, unless the House has closed it."""
    if table.status in (TableStatus.UNHEARD, TableStatus.AWAY):
        desk.write(TableJoined(table=table.setup.id))


def add_table(desk: Desk, command: AddTable) -> Done:
    setup = command.setup
    if setup.id in desk.link.tables:
        raise TableAlreadyKnown(f"link {desk.link.id} has a table {setup.id!r} already", table=setup.id)
    _check_setup(setup)
    desk.write(TableAdded(setup=setup, person=command.person))
    return Done()


def _check_setup(setup: TableSetup) -> None:
    if not _TABLE_ID.fullmatch(setup.id):
        raise ParameterWrong("a table's id is letters, digits, - and _", field="id")
    if not 1 <= setup.boxes <= MOST_BOXES:
        raise ParameterWrong(f"a table has 1 to {MOST_BOXES} boxes", field="boxes")
    least, most = setup.minimum or 0, LARGEST_AMOUNT if setup.maximum is None else setup.maximum
    if not 0 <= least <= most <= LARGEST_AMOUNT:
        raise ParameterWrong("the minimum is not above the maximum, nor below zero", field="minimum")
    if not most:
        raise ParameterWrong("a maximum of nothing lets nobody play", field="maximum")


def open_table(desk: Desk, command: OpenTable) -> Done:
    table = desk.table(command.table)
    reason = reasoned(command.reason)
    if table.status is not TableStatus.CLOSED:
        raise TableAlreadyOpen(f"table {command.table} is not closed")
    heard = table.contact.spoke_from is not None
    desk.write(TableOpened(table=command.table, person=command.person, reason=reason, in_play=heard))
    table.contact.seq = None  # it may come back with another controller, which counts anew
    return Done()


def close_table(desk: Desk, command: CloseTable) -> Done:
    table = desk.table(command.table)
    reason = reasoned(command.reason)
    if table.status is TableStatus.CLOSED:
        raise TableAlreadyClosed(f"table {command.table} is closed already")
    desk.write(TableClosed(table=command.table, person=command.person, reason=reason))
    return Done()
