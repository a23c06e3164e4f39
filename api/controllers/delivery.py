"""A table's message on its way into the book, and what the table is told, whichever door it came by."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from typing import Any

import msgspec

from api.callers.identity import Caller
from api.controllers import wire
from api.controllers.pit_answers import told_in_pit
from api.controllers.settlement_answers import told_adjustments, told_lines
from api.controllers.speech import OF_LINKS, OF_PITS, Message, Speech
from api.http.errors import Problem, problem_of
from api.routing.auth import Guard
from api.service import Service
from jackpot.book.beside.roles import Role
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.writing.writer import TROUBLE, Busy, Unavailable
from jackpot.core.instants import spoken_instant
from jackpot.core.refusals import Refused
from jackpot.link.answers import Answer, BetsAnswer, HandsAnswer, HeartbeatAnswer, VoidAnswer
from jackpot.link.commands import CloseBets, ClosePitBets, ReturnOnline, TableMessage
from jackpot.machine.execute import Outcome

AT_ONCE = 64
"""Events handed to the writer together; it keeps their order."""
_SPEAKERS = Guard(Role.TABLE, Role.GATEWAY)
encode = msgspec.json.Encoder().encode


async def speech_of(service: Service, table: str) -> Speech:
    return OF_PITS if await service.in_pit(table) else OF_LINKS


async def take(
    service: Service, table: str, round: int | None, message: Message, *, live: bool = True
) -> tuple[int, Any]:
    """The status and the answer of one message. Raises its refusal."""
    arrived = wire.Arrived(*service.book.clock.moment(), live)
    command = message.command(table, round or 0, arrived)
    outcome = await service.book.submit(await service.link_of(table), command)
    return _status(command, outcome), _answered(outcome, arrived)


def _answered(outcome: Outcome, arrived: wire.Arrived) -> dict[str, Any]:
    told = _told(outcome.answer, arrived.at)
    told["replied_at"] = spoken_instant(outcome.replied_at or arrived.at)
    return told


def _status(command: TableMessage, outcome: Outcome) -> int:
    return 201 if isinstance(command, CloseBets | ClosePitBets) and not outcome.repeated else 200


def _told(answer: Answer, received_at: int) -> dict[str, Any]:
    """In the words of the wire."""
    if isinstance(answer, BetsAnswer):
        told = _of_round(answer) | {"accepted": answer.accepted}
        return told if answer.awards is None else told | {"awards": answer.awards}
    if isinstance(answer, HandsAnswer):
        return _of_round(answer) | {"results": answer.results} | _settled(answer)
    if isinstance(answer, VoidAnswer):
        return _of_round(answer) | _settled(answer)
    if isinstance(answer, HeartbeatAnswer):
        return {
            "received_at": spoken_instant(received_at),
            "table_state": answer.table_state,
            "progressive": None if answer.progressive is None else "on" if answer.progressive else "off",
            "notice": answer.notice,
            "meter": answer.meter,
        }
    return told_in_pit(answer)


def _of_round(answer: BetsAnswer | HandsAnswer | VoidAnswer) -> dict[str, Any]:
    return {
        "table": answer.table,
        "round": answer.round,
        "state": answer.state,
        "returned": answer.returned,
        "meter": answer.meter,
    }


def _settled(answer: HandsAnswer | VoidAnswer) -> dict[str, Any]:
    return {
        "settlement": told_lines(answer.settlement),
        "adjustments": told_adjustments(answer.adjustments),
    }


async def at_site(
    service: Service, caller: Caller, said: wire.SiteEvents, who: dict[str, object]
) -> list[dict[str, Any]]:
    """What several tables say now, each answered by itself, in order for each table. Most are heartbeats that
    change nothing: only the others wait for the book."""
    answers: list[dict[str, Any] | None] = [None] * len(said.events)
    waiting: list[tuple[int, msgspec.Raw]] = []
    busy: set[str] = set()
    for place, event in enumerate(said.events):
        answers[place] = _beaten(service, caller, event, busy)
        if answers[place] is None:
            waiting.append((place, event))
    # Known beforehand: whoever is looked up on the way would be overtaken.
    for table in filter(caller.speaks_for, busy):
        with suppress(Refused, LinkUnknown, *TROUBLE):
            await service.in_pit(table)
    for start in range(0, len(waiting), AT_ONCE):
        several = waiting[start : start + AT_ONCE]
        told = await asyncio.gather(*[_of_table(service, caller, event, who) for _, event in several])
        for (place, _), answer in zip(several, told, strict=True):
            answers[place] = answer
    return [answer for answer in answers if answer is not None]


def _beaten(service: Service, caller: Caller, event: msgspec.Raw, busy: set[str]) -> dict[str, Any] | None:
    """The answer to a heartbeat from memory. A table of which an event before it waits is `busy`."""
    try:
        beat = wire.decode_event(wire.SiteHeartbeatEvent, event)
    except Problem:
        busy.update(_whose(event))
        return None
    table = beat.table
    link = service.place_of(table)
    if table in busy or link is None or not caller.speaks_for(table):
        busy.add(table)
        return None
    try:
        arrived = wire.Arrived(*service.book.clock.moment())
        outcome = service.book.beat(link, beat.command(table, None, arrived))
    except Refused:
        outcome = None  # it will be refused again, and that goes into the audit
    if outcome is None:
        busy.add(table)
        return None
    return {"table": table, "status": 200, "answer": _answered(outcome, arrived)}


def _whose(event: msgspec.Raw) -> list[str]:
    try:
        return [wire.decode_event(wire.Whose, event).table]
    except Problem:
        return []


async def _of_table(
    service: Service, caller: Caller, event: msgspec.Raw, who: dict[str, object]
) -> dict[str, Any]:
    """One event of a site, answered or refused by itself, also when the book cannot serve it now."""
    table: str | None = None
    try:
        table = wire.decode_event(wire.Whose, event).table
        _SPEAKERS.check(caller, table)
        speech = await speech_of(service, table)
        said = wire.decode_event(speech.site_event, event)
        status, answer = await take(service, table, said.round, said)
    except Exception as error:
        return {"table": table, **_refused(service, caller, event, error, who)}
    return {"table": table, "status": status, "answer": answer}


async def replay(
    service: Service, caller: Caller, table: str, said: wire.Events, who: dict[str, object]
) -> list[Any]:
    """Several messages in order, each with its own answer. A refused one does not stop the others; the audit
    has it with `who` sent it."""
    link, speech = await service.link_of(table), await speech_of(service, table)
    if said.offline is not None:
        await service.book.submit(link, said.offline.command(table, caller.person))
    answers: list[Any] = []
    for start in range(0, len(said.events), AT_ONCE):
        several = said.events[start : start + AT_ONCE]
        answers += await asyncio.gather(
            *[_event(service, caller, table, speech, one, who) for one in several]
        )
    if said.offline is not None:
        await service.book.submit(link, ReturnOnline(person=caller.person, table=table))
    return answers


async def _event(
    service: Service,
    caller: Caller,
    table: str,
    speech: Speech,
    event: msgspec.Raw,
    who: dict[str, object],
) -> dict[str, Any]:
    try:
        said = wire.decode_event(speech.event, event)
        status, answer = await take(service, table, said.round, said, live=False)
    except (Busy, Unavailable):
        raise  # the whole is sent again: what was done is then answered as before
    except Exception as error:
        return _refused(service, caller, event, error, who)
    return {"status": status, "answer": answer}


def _refused(
    service: Service, caller: Caller, event: msgspec.Raw, error: Exception, who: dict[str, object]
) -> dict[str, Any]:
    problem = problem_of(error)
    if problem is None:
        raise error
    said_there: dict[str, object] = {"event": bytes(event)[:500].decode(errors="replace")}
    service.auditor.refusal(caller, "event", error, who | said_there)
    return {"status": problem.status, "problem": problem.told()}
