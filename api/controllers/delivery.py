"""A table's message on its way into the book, and what the table is told, whichever door it came by."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from contextlib import suppress
from typing import Any

import msgspec

from api.callers.identity import Caller
from api.controllers import wire
from api.controllers.pit_answers import told_in_pit
from api.controllers.settlement_answers import told_adjustments, told_lines
from api.controllers.skimming import skimmed
from api.controllers.speech import OF_LINKS, OF_PITS, Message, Speech
from api.http.errors import problem_of
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
    outcome = await service.submit(table, command)
    return _status(command, outcome), _answered(outcome, arrived)


def _answered(outcome: Outcome, arrived: wire.Arrived) -> dict[str, Any]:
    replied_at = spoken_instant(outcome.replied_at or arrived.at)
    if isinstance(outcome.answer, HeartbeatAnswer):
        return _told_beat(outcome.answer, spoken_instant(arrived.at), replied_at)
    told = _told(outcome.answer)
    told["replied_at"] = replied_at
    return told


def _status(command: TableMessage, outcome: Outcome) -> int:
    return 201 if isinstance(command, CloseBets | ClosePitBets) and not outcome.repeated else 200


def _told(answer: Answer) -> dict[str, Any]:
    """In the words of the wire."""
    if isinstance(answer, BetsAnswer):
        told = _of_round(answer) | {"accepted": answer.accepted}
        return told if answer.awards is None else told | {"awards": answer.awards}
    if isinstance(answer, HandsAnswer):
        return _of_round(answer) | {"results": answer.results} | _settled(answer)
    if isinstance(answer, VoidAnswer):
        return _of_round(answer) | _settled(answer)
    return told_in_pit(answer)


def _told_beat(answer: HeartbeatAnswer, received_at: str, replied_at: str) -> dict[str, Any]:
    return {
        "received_at": received_at,
        "table_state": answer.table_state,
        "progressive": None if answer.progressive is None else "on" if answer.progressive else "off",
        "notice": answer.notice,
        "terms": answer.terms,
        "meter": answer.meter,
        "replied_at": replied_at,
    }


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
    service: Service, caller: Caller, body: bytes, who: dict[str, object]
) -> list[dict[str, Any] | None]:
    """What several tables say now, each answered by itself, in order for each table. Most are heartbeats that
    change nothing: only the others wait for the book."""
    answers, busy = _beaten(service, caller, skimmed(body))
    waiting = [place for place, answer in enumerate(answers) if answer is None]
    if not waiting:
        return answers
    # Known beforehand: whoever is looked up on the way would be overtaken.
    for table in filter(caller.speaks_for, busy):
        with suppress(Refused, LinkUnknown, *TROUBLE):
            await service.in_pit(table)
    events = wire.decode(wire.SiteEvents, body).events
    for start in range(0, len(waiting), AT_ONCE):
        several = waiting[start : start + AT_ONCE]
        told = await asyncio.gather(*[_of_table(service, caller, events[place], who) for place in several])
        for place, answer in zip(several, told, strict=True):
            answers[place] = answer
    return answers


def _beaten(
    service: Service, caller: Caller, events: Iterable[wire.SiteHeartbeatEvent | wire.Whose | None]
) -> tuple[list[dict[str, Any] | None], set[str]]:
    """The answers to heartbeats from memory, and the tables that are busy: an event of theirs waits."""
    answers: list[dict[str, Any] | None] = []
    busy: set[str] = set()
    arrived = wire.Arrived(*service.book.clock.moment())
    now = spoken_instant(arrived.at)
    for event in events:
        if isinstance(event, wire.SiteHeartbeatEvent) and event.table not in busy:
            told = _beat(service, caller, event, arrived)
            if told is not None:
                answers.append({"table": event.table, "status": 200, "answer": _told_beat(told, now, now)})
                continue
        answers.append(None)
        if event is not None:
            busy.add(event.table)
    return answers, busy


def _beat(
    service: Service, caller: Caller, beat: wire.SiteHeartbeatEvent, arrived: wire.Arrived
) -> HeartbeatAnswer | None:
    link = service.place_of(beat.table)
    if link is None or not caller.speaks_for(beat.table):
        return None
    try:
        return service.book.beat(link, beat.command(beat.table, None, arrived))
    except Refused:
        return None  # it will be refused again, and that goes into the audit


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
    speech = await speech_of(service, table)
    if said.offline is not None:
        await service.submit(table, said.offline.command(table, caller.person))
    answers: list[Any] = []
    for start in range(0, len(said.events), AT_ONCE):
        several = said.events[start : start + AT_ONCE]
        answers += await asyncio.gather(
            *[_event(service, caller, table, speech, one, who) for one in several]
        )
    if said.offline is not None:
        await service.submit(table, ReturnOnline(person=caller.person, table=table))
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
