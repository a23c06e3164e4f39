"""The state machine of a link: command + state -> facts, or a refusal that changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any

from jackpot.core.refusals import ContentConflict, LinkIsRetired, ParameterWrong, Refused
from jackpot.house import acts, queue
from jackpot.link import commands
from jackpot.link.answers import Answer, Meter, Said
from jackpot.link.archive import Archive
from jackpot.link.execution import Desk, Witness, bounded, named
from jackpot.link.facts import Entry, Fact, LinkCreated, Stamp, chain
from jackpot.link.parameters import Parameters, check_currency, check_parameters
from jackpot.link.state import Link
from jackpot.machine.applying import apply, created
from jackpot.machine.invariants import InvariantBroken, check, check_step
from jackpot.play import bets, contact, hands, void
from jackpot.play.contact import Arrival
from jackpot.pools.payout import meter_of
from jackpot.pools.pool import opening

_AT_TABLES: dict[type[commands.TableMessage], Callable[[Desk, Any, Arrival], Answer]] = {
    commands.CloseBets: bets.close_bets,
    commands.ReportHands: hands.report_hands,
    commands.VoidRound: void.void_round,
    commands.Heartbeat: contact.heartbeat,
}


class _Machine:
    def apply(self, link: Link, fact: Fact, stamp: Stamp) -> None:
        sequence, at, meter, held = link.sequence, link.time, link.pool.meter, link.held
        apply(link, fact, stamp)
        check_step(link, fact, sequence=sequence, at=at, meter=meter, held=held)

    def meter(self, link: Link) -> Meter:
        return meter_of(link)


_MACHINE = _Machine()


@dataclass(frozen=True, slots=True)
class Outcome:
    answer: Answer
    entries: tuple[Entry, ...]
    repeated: bool = False
    """The message was known: the answer is the one it was given then."""
    said: Said | None = None
    replied_at: int | None = None
    """To a table: when the House answered, in house time. A repeat has its own."""


_LINK_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def create_link(id: str, name: str, currency: str, parameters: Parameters, *, at: int) -> tuple[Link, Entry]:
    if not _LINK_ID.fullmatch(id):
        raise ParameterWrong("a link's id is letters, digits, - and _", field="id")
    fact = LinkCreated(
        id=id,
        name=bounded(name, field="name"),
        currency=check_currency(currency),
        parameters=check_parameters(parameters),
        moves=opening(parameters.seed),
    )
    entry = chain(id, fact, Stamp(1, at), head="")
    link = created(entry)
    check(link)
    return link, entry


def execute(
    link: Link,
    command: commands.Command,
    *,
    at: int,
    archive: Archive,
    error: int = 0,
    witness: Witness | None = None,
    checked: bool = True,
) -> Outcome:
    """Carry out one command on the link, at a time of the House known give or take `error`. Raises its
    refusal. Who carries out several before they count may check the link once for all of them."""
    key = command.key
    content = None if key is None else commands.content_of(command)
    known = None if key is None or content is None else _answered_before(link, command, key, content, archive)
    desk = Desk(link, _MACHINE, at=at, error=error, archive=archive, witness=witness)
    if known is not None:
        return _told_again(desk, command, known)
    try:
        answer = _carried_out(desk, command)
    except Refused as refusal:
        if desk.facts:
            raise InvariantBroken(f"refused {refusal.code} after writing facts") from refusal
        raise
    queue.advance(desk)
    if checked:
        check(link)
    meter = desk.meter()
    if answer.meter != meter:
        answer = replace(answer, meter=meter)
    said = Said(key, content, answer)
    return Outcome(answer, desk.seal(said), said=said, replied_at=_replied_at(desk, command, answer))


def _replied_at(desk: Desk, command: commands.Command, answer: Answer) -> int | None:
    if not isinstance(command, commands.TableMessage):
        return None
    return contact.answered(desk, command, answer)


def _told_again(desk: Desk, command: commands.Command, known: Answer) -> Outcome:
    """A repeat is answered as the first time. Sent anew, it is still a sign of life of its table."""
    if isinstance(command, commands.TableMessage) and contact.is_next(
        desk.table(command.table).contact, command
    ):
        with suppress(Refused):
            contact.heard(desk, command, contact.arrive(desk, command))
            queue.advance(desk)
            check(desk.link)
    return Outcome(known, desk.seal(None), repeated=True, replied_at=_replied_at(desk, command, known))


def _carried_out(desk: Desk, command: commands.Command) -> Answer:
    if desk.link.retired is not None:
        raise LinkIsRetired(f"link {desk.link.id} is retired; it can only be read")
    if isinstance(command, commands.ByPerson):
        named(command.person)
        bounded(command.act_id or "", field="act_id")
        return acts.carry_out(desk, command)
    table = desk.table(command.table)
    if isinstance(command, commands.Heartbeat) and contact.said_before(table.contact, command):
        return contact.told_now(desk, table)
    arrival = contact.arrive(desk, command)
    answer = _AT_TABLES[type(command)](desk, command, arrival)
    contact.heard(desk, command, arrival)
    return answer


def _answered_before(
    link: Link, command: commands.Command, key: str, content: str, archive: Archive
) -> Answer | None:
    known = archive.answer(key, content)
    if known is None:
        if isinstance(command, commands.ByPerson) and archive.taken(key):
            raise ContentConflict(f"{command.act_id!r} was another act")
        return None
    return None if _corrects_back(link, command, content) else known


def _corrects_back(link: Link, command: commands.Command, content: str) -> bool:
    """Hands that were replaced and are now said again, later: a new correction, not a repeat."""
    if not isinstance(command, commands.ReportHands) or command.table not in link.tables:
        return False
    current = link.tables[command.table].round
    if current is None or current.number != command.round or current.stands:
        return False
    if current.hands_content is None or current.hands_content == content:
        return False
    return contact.is_next(link.tables[command.table].contact, command)
