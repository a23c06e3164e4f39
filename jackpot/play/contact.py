"""Tables: how they are heard, what the House learns of their clocks, and when they are in play."""

from __future__ import annotations

from jackpot.core.instants import SECOND
from jackpot.core.records import frozen, maker
from jackpot.core.refusals import (
    ClockOutOfRange,
    Refused,
    RoundElsewhere,
    RoundUnknown,
    SentAtFell,
    SequenceGap,
    SequencePassed,
    SequenceWrong,
)
from jackpot.link.answers import Answer, HeartbeatAnswer
from jackpot.link.clocks import (
    ANSWERS_KEPT,
    COUNTS_FOR,
    LIVE_WITHIN,
    Bounds,
    Measured,
    Told,
    echoed,
    measured,
)
from jackpot.link.commands import Heartbeat, TableMessage
from jackpot.link.execution import Desk
from jackpot.link.facts import TableJoined, TableLeft
from jackpot.link.state import Contact, Link, TableOfPlay, TableStatus
from jackpot.link.wins import ClockWord
from jackpot.play.reconciliation import agrees, check, hear
from jackpot.play.status import notice, table_closed

FAR_AHEAD = 60 * SECOND
LARGEST_OFFSET = 10 * 366 * 24 * 3600 * SECOND
LARGEST_ERROR = 3600 * SECOND
LARGEST_SEQ = 2**62
_new_told = maker(Told)


@frozen()
class Arrival:
    """What a message tells of its table's clock."""

    measured: Measured
    echoed: Told | None
    """The answer that it is an echo of."""
    live: bool
    """It was received soon after it was sent, as far as that can be known."""
    era: int
    """When house time last broke: nothing is measured of what was before."""
    ahead: bool = False
    """Stamped far later than its clock can have shown."""


def arrive(contact: Contact, command: TableMessage, era: int) -> Arrival:
    """`era` is when house time last broke."""
    sent_at, received_at = command.sent_at, command.received_at
    _check_sequence(command, contact)
    if abs(received_at - sent_at) > LARGEST_OFFSET:
        raise ClockOutOfRange("sent_at is years away from house time", field="sent_at")
    if isinstance(command, Heartbeat) and command.clock is not None:
        _check_word(command.clock)
    known = contact.bounds.since(received_at - COUNTS_FOR) if contact.era == era else Bounds()
    ahead = _far_ahead(command, known)
    if not command.live:
        return Arrival(Measured(known, None), None, live=False, era=era, ahead=ahead)
    echo = echoed(command.echo, contact.told, sent_at=sent_at, received_at=received_at, era=era)
    found = measured(known, sent_at=sent_at, received_at=received_at, error=command.error, echoed=echo)
    age = 0 if found.most is None else received_at - (sent_at + found.most)
    answer = None if echo is None else echo[1]
    return Arrival(found, answer, live=age <= LIVE_WITHIN, era=era, ahead=ahead)


def _far_ahead(command: TableMessage, known: Bounds) -> bool:
    """Later than its clock can have shown. Where nobody has measured it, a live message does."""
    furthest = command.received_at + FAR_AHEAD - command.sent_at
    if not known.most:
        return furthest < 0 and not command.live
    return known.may_exceed(furthest, command.received_at)


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


def _check_word(word: ClockWord) -> None:
    """It decides nothing, but it is kept as it was said."""
    if not 0 <= word.error <= LARGEST_ERROR or abs(word.offset) > LARGEST_OFFSET:
        raise ClockOutOfRange("no clock is measured like that", field="clock")


def heard(contact: Contact, command: TableMessage, arrival: Arrival) -> None:
    """Remember the contact, once the message has been taken."""
    if arrival.echoed is not None:
        contact.heard = max(contact.heard, arrival.echoed.sequence)
    if command.seq is not None:
        _count(contact, command.seq)
    contact.seen_at = command.received_at
    if not arrival.ahead:  # or every later message would seem to go back in time, once the clock is set right
        contact.sent_at = command.sent_at
    contact.era, contact.bounds = arrival.era, arrival.measured.bounds
    if arrival.measured.contradiction:
        contact.clock_set_at = command.received_at
    if isinstance(command, Heartbeat) and command.clock is not None:
        contact.word = command.clock


def _count(contact: Contact, seq: int) -> None:
    """Who numbers a message has heard the answers to those before it."""
    if contact.seq is not None and seq > contact.seq and contact.told:
        contact.heard = max(contact.heard, contact.told[-1].sequence)
    contact.seq = seq


def answered(contact: Contact, answer: Answer, *, at: int, error: int, era: int) -> int:
    """The House's stamp on an answer. It is made before the answer is durable, so it is earlier than a table
    can hear it, and what an echo of it says is true."""
    shown = 0 if answer.meter is None else answer.meter.sequence
    told = _new_told(replied_at=at, error=error, sequence=shown, era=era)
    contact.told = (*contact.told[1 - ANSWERS_KEPT :], told)
    return at


def heartbeat(desk: Desk, command: Heartbeat, _arrival: Arrival) -> HeartbeatAnswer:
    table = desk.any_table(command.table)
    if command.meters is not None and not agrees(table, command.meters):
        check(table, command.meters)
    if command.in_play:
        join(desk, table)
    elif table.status is TableStatus.IN_PLAY and not (table.round is not None and table.round.open):
        desk.write(TableLeft(table=table.setup.id))
    if command.meters is not None:
        hear(desk, table, command.meters)
    return told_now(desk, table)


def told_now(desk: Desk, table: TableOfPlay) -> HeartbeatAnswer:
    told = notice(desk.pit, table)
    state = TableStatus.CLOSED if table_closed(desk.pit, table) else table.status
    progressive = told is None if isinstance(desk.pit, Link) else None
    terms = table.setup.terms
    return HeartbeatAnswer(table_state=state, progressive=progressive, notice=told, terms=terms)


def join(desk: Desk, table: TableOfPlay) -> None:
    """A table is in play from its first message, unless the House has closed it."""
    if table.status in (TableStatus.UNHEARD, TableStatus.AWAY):
        desk.write(TableJoined(table=table.setup.id))


def no_such_round(table: TableOfPlay, number: int) -> Refused:
    """It was never begun; or it was played where the table was before it was moved."""
    name, came = table.setup.id, table.came_from
    if came is not None and 1 <= number <= came.last_round:
        where = f"round {number} of table {name} was played on {came.place}"
        return RoundElsewhere(f"{where}: move it back to report more of that", place=came.place)
    return RoundUnknown(f"table {name} has no round {number}", round=number)
