"""The state machine of a link or pit: command + state -> facts, or a refusal that changes nothing."""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from typing import Any

from jackpot.core.records import frozen
from jackpot.core.refusals import ContentConflict, LinkIsRetired, ParameterWrong, Refused
from jackpot.house import acts, handovers, queue
from jackpot.link import commands
from jackpot.link.answers import Answer, HeartbeatAnswer, Meter, Said
from jackpot.link.archive import Archive
from jackpot.link.execution import Desk, Witness, bounded, named
from jackpot.link.fact import Fact
from jackpot.link.facts import Entry, LinkCreated, Stamp, chain
from jackpot.link.parameters import Parameters, check_currency, check_parameters
from jackpot.link.pit_facts import PitCreated
from jackpot.link.state import Link, Pit
from jackpot.machine.applying import apply, created
from jackpot.machine.invariants import Before, InvariantBroken, check, check_step
from jackpot.play import beats, bets, contact, hands, pit_rounds, void
from jackpot.play.contact import Arrival
from jackpot.pools.payout import meter_of
from jackpot.pools.pool import opening


def _void_round(desk: Desk, command: commands.VoidRound, arrival: Arrival) -> Answer:
    void_here = void.void_round if isinstance(desk.pit, Link) else pit_rounds.void_round
    return void_here(desk, command, arrival)


_AT_TABLES: dict[type[commands.TableMessage], Callable[[Desk, Any, Arrival], Answer]] = {
    commands.CloseBets: bets.close_bets,
    commands.ReportHands: hands.report_hands,
    commands.ClosePitBets: pit_rounds.close_bets,
    commands.ReportPlay: pit_rounds.report_play,
    commands.VoidRound: _void_round,
    commands.Heartbeat: contact.heartbeat,
}


class _Machine:
    def apply(self, pit: Pit, fact: Fact, stamp: Stamp) -> None:
        before = Before.of(pit)
        apply(pit, fact, stamp)
        check_step(pit, fact, before)

    def meter(self, pit: Pit) -> Meter | None:
        return meter_of(pit) if isinstance(pit, Link) else None


_MACHINE = _Machine()


@frozen()
class Outcome:
    answer: Answer
    entries: tuple[Entry, ...]
    repeated: bool = False
    """The message was known: the answer is the one it was given then."""
    said: Said | None = None
    replied_at: int | None = None
    """To a table: when the House answered, in house time. A repeat has its own."""


_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def _check_id(id: str, of: str) -> str:
    if not _ID.fullmatch(id):
        raise ParameterWrong(f"a {of}'s id is letters, digits, - and _", field="id")
    return id


def create_pit(id: str, name: str, currency: str, *, at: int) -> tuple[Pit, Entry]:
    fact = PitCreated(
        id=_check_id(id, "pit"), name=bounded(name, field="name"), currency=check_currency(currency)
    )
    entry = chain(id, fact, Stamp(1, at), head="")
    return created(entry), entry


def create_link(id: str, name: str, currency: str, parameters: Parameters, *, at: int) -> tuple[Link, Entry]:
    fact = LinkCreated(
        id=_check_id(id, "link"),
        name=bounded(name, field="name"),
        currency=check_currency(currency),
        parameters=check_parameters(parameters),
        moves=opening(parameters.seed),
    )
    entry = chain(id, fact, Stamp(1, at), head="")
    link = created(entry)
    assert isinstance(link, Link)  # noqa: S101  what a LinkCreated creates
    check(link)
    return link, entry


def execute(
    pit: Pit,
    command: commands.Command,
    *,
    at: int,
    archive: Archive,
    error: int = 0,
    witness: Witness | None = None,
    checked: bool = True,
) -> Outcome:
    """Carry out one command on a link or pit, at a time of the House known give or take `error`. Raises its
    refusal. Who carries out several before they count may check it once for all of them."""
    key = command.key
    content = None if key is None else commands.content_of(command)
    known = None if key is None or content is None else _answered_before(pit, command, key, content, archive)
    desk = Desk(pit, _MACHINE, at=at, error=error, archive=archive, witness=witness, content=content or "")
    if known is not None:
        return _told_again(desk, command, known)
    try:
        answer = _carried_out(desk, command)
    except Refused as refusal:
        if desk.facts:
            raise InvariantBroken(f"refused {refusal.code} after writing facts") from refusal
        raise
    _advance(desk)
    if checked:
        check(pit)
    meter = desk.meter()
    if answer.meter is not meter:
        answer = replace(answer, meter=meter)
    said = Said(key, content, answer)
    return Outcome(answer, desk.seal(said), said=said, replied_at=_replied_at(desk, command, answer))


def beat_again(pit: Pit, beat: commands.Heartbeat, told: HeartbeatAnswer) -> bool:
    """A heartbeat of a table that is still told this, the moment it is received; false if it must be carried
    out. It writes no fact."""
    if not beats.changes_nothing(pit, beat):
        return False
    beats.mark(pit, beat, told)
    return True


def _advance(desk: Desk) -> None:
    if isinstance(desk.pit, Link):
        queue.advance(desk)


def _replied_at(desk: Desk, command: commands.Command, answer: Answer) -> int | None:
    if not isinstance(command, commands.TableMessage):
        return None
    if command.table in desk.pit.departed:
        return desk.now
    of_table = desk.any_table(command.table).contact
    return contact.answered(of_table, answer, at=desk.now, error=desk.error, era=desk.pit.broke_at)


def _told_again(desk: Desk, command: commands.Command, known: Answer) -> Outcome:
    """A repeat is answered as the first time. Sent anew, it is still a sign of life of its table."""
    if isinstance(command, commands.TableMessage) and command.table in desk.pit.tables:
        of_table = desk.any_table(command.table).contact
        if contact.is_next(of_table, command):
            with suppress(Refused):
                contact.heard(of_table, command, contact.arrive(of_table, command, desk.pit.broke_at))
                _advance(desk)
                check(desk.pit)
    return Outcome(known, desk.seal(None), repeated=True, replied_at=_replied_at(desk, command, known))


def _carried_out(desk: Desk, command: commands.Command) -> Answer:
    link = desk.pit if isinstance(desk.pit, Link) else None
    if link is not None and link.retired is not None and not handovers.goes_on(link, command):
        raise LinkIsRetired(f"link {link.id} is retired; it can only be read")
    if isinstance(command, commands.ByPerson):
        named(command.person)
        bounded(command.act_id or "", field="act_id")
        return acts.carry_out(desk, command)
    table = desk.any_table(command.table)
    if isinstance(command, commands.Heartbeat) and contact.said_before(table.contact, command):
        return contact.told_now(desk, table)
    arrival = contact.arrive(table.contact, command, desk.pit.broke_at)
    answer = _AT_TABLES[type(command)](desk, command, arrival)
    contact.heard(table.contact, command, arrival)
    return answer


def _answered_before(
    pit: Pit, command: commands.Command, key: str, content: str, archive: Archive
) -> Answer | None:
    known = archive.answer(key, content)
    if known is None:
        if isinstance(command, commands.ByPerson) and archive.taken(key):
            raise ContentConflict(f"{command.act_id!r} was another act")
        return None
    return None if _corrects_back(pit, command, content) else known


def _corrects_back(pit: Pit, command: commands.Command, content: str) -> bool:
    """Hands that were replaced and are now said again, later: a new correction, not a repeat."""
    if not isinstance(command, commands.ReportHands | commands.ReportPlay) or command.table not in pit.tables:
        return False
    current = pit.tables[command.table].round
    if current is None or current.number != command.round or current.stands:
        return False
    if current.hands_content is None or current.hands_content == content:
        return False
    return contact.is_next(pit.tables[command.table].contact, command)
