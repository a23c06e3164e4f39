"""Webhooks: others who listen, made, paused, replayed and deleted by supervisors."""

from __future__ import annotations

from dataclasses import replace
from hashlib import sha256
from secrets import token_hex
from typing import Annotated

from fastapi import Body, Path, Query, Request
from sqlalchemy.ext.asyncio import AsyncConnection

from api.callers.identity import Caller
from api.http.errors import Invalid, Problem
from api.operators import examples
from api.operators.acts import Key
from api.operators.examples import example
from api.operators.webhook_answers import (
    Deleted,
    Deliveries,
    Replayed,
    ReplaySaid,
    TriedTold,
    WebhookMade,
    Webhooks,
    WebhookSaid,
    WebhookTold,
)
from api.routing.auth import allowed, guarded_router
from api.service import Service, service_of
from api.webhooks.address import AddressWrong, check_url
from api.webhooks.courier import Busy
from jackpot.book.beside.audit import write_acts
from jackpot.book.beside.roles import Role
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.webhooks import lanes, outbox, subscriptions
from jackpot.book.webhooks.lanes import TESTS
from jackpot.book.webhooks.lanes import Key as LaneKey
from jackpot.book.webhooks.secrets import Secret, new_secret, renewed
from jackpot.book.webhooks.subscriptions import Paused, Webhook, WebhookUnknown
from jackpot.core.instants import parse_instant

router = guarded_router(prefix="/v1/webhooks", tags=["webhooks"])
Supervisor = Annotated[Caller, allowed(Role.SUPERVISOR)]
Looker = Annotated[Caller, allowed(Role.SUPERVISOR, Role.AUDITOR)]
Id = Annotated[str, Path(examples=["5b1c2f4e9a7d4c10"], max_length=32)]
_EXAMPLE = {"name": "Floor monitor", "url": "https://monitor.example/jackpot", "topics": ["wins", "payments"]}


@router.get("", summary="Every webhook, and how far it is", responses=examples.WEBHOOKS)
async def webhooks(request: Request, _caller: Looker) -> Webhooks:
    service = service_of(request.app)
    async with service.book.store.reading() as connection:
        known = await subscriptions.all_webhooks(connection)
    return Webhooks(webhooks=await _told(service, known))


async def _told(service: Service, known: list[Webhook]) -> list[WebhookTold]:
    async with service.book.store.reading() as connection:
        there = await lanes.all_lanes(connection)
    waiting = await service.deliveries.lags.waiting_since(known, there)
    now = service.book.clock.now()
    return [WebhookTold.of(one, there, waiting, now) for one in known]


async def _one_told(service: Service, id: str) -> WebhookTold:
    async with service.book.store.reading() as connection:
        known = await _found(connection, id)
    return (await _told(service, [known]))[0]


async def _found(connection: AsyncConnection, id: str, *, locked: bool = False) -> Webhook:
    try:
        return await subscriptions.find_webhook(connection, id, locked=locked)
    except WebhookUnknown:
        raise Problem(404, "webhook_unknown", f"there is no webhook {id[:40]!r}") from None


@router.post("", status_code=201, summary="Tell somebody else what happens", responses=examples.WEBHOOK_MADE)
async def make_webhook(
    request: Request,
    caller: Supervisor,
    said: Annotated[WebhookSaid, Body(openapi_examples=example(_EXAMPLE))],
    key: Key = None,
) -> WebhookMade:
    """From now on, each event of those topics is posted to that address, in the order of its link. The answer
    has the secret with which events are signed; it is shown to nobody again."""
    service, now = service_of(request.app), service_of(request.app).book.clock.now()
    await _check_address(service, said.url)
    secret, made = new_secret(), _id_of(caller, key)
    one = Webhook(
        id=made,
        name=said.name,
        url=said.url,
        secrets=(Secret(service.deliveries.terms.vault.seal(made, secret)),),
        topics=frozenset(said.topics),
        links=None if said.links is None else frozenset(said.links),
        made_by=caller.person,
        made_at=now,
    )
    is_new = await _added(request, service, one)
    service.deliveries.wake()
    return WebhookMade(webhook=await _one_told(service, made), secret=secret if is_new else None)


def _id_of(caller: Caller, key: str | None) -> str:
    """The same request again makes nothing twice."""
    return token_hex(8) if key is None else sha256(f"{caller.person}\0{key}".encode()).hexdigest()[:16]


async def _added(request: Request, service: Service, one: Webhook) -> bool:
    async with service.book.store.transaction() as connection:
        known = {there.id: there for there in await subscriptions.all_webhooks(connection)}
        if one.id in known:
            same = replace(known[one.id], secrets=one.secrets, made_at=one.made_at, paused=None)
            if replace(same, paused_by=None, paused_at=None) != one:
                raise Problem(409, "key_used", "another webhook was made with this key")
            return False
        if len(known) >= subscriptions.MOST:
            raise Problem(409, "webhooks_many", f"there are {len(known)} webhooks, and can be no more")
        heads = await outbox.heads(connection)
        for link in sorted(one.links or ()):
            if link not in heads:
                raise LinkUnknown(link)
        await subscriptions.add_webhook(connection, one)
        await lanes.add_lanes(connection, one.id, {link: at for link, at in heads.items() if one.hears(link)})
        await write_acts(connection, [service.auditor.allowed(request)])
    return True


async def _check_address(service: Service, url: str) -> None:
    try:
        await service.deliveries.terms.allowed.resolve(check_url(url))
    except AddressWrong as wrong:
        raise Invalid(str(wrong), "url", wrong.code) from None


@router.get("/{webhook}", summary="One webhook, and how far it is", responses=examples.WEBHOOK)
async def webhook(request: Request, webhook: Id, _caller: Looker) -> WebhookTold:
    return await _one_told(service_of(request.app), webhook)


@router.get(
    "/{webhook}/deliveries",
    summary="What was sent lately, and what came of it",
    responses=examples.DELIVERIES,
)
async def deliveries(
    request: Request,
    webhook: Id,
    _caller: Looker,
    limit: Annotated[int, Query(ge=1, le=500, description="How many.")] = 100,
) -> Deliveries:
    async with service_of(request.app).book.store.reading() as connection:
        await _found(connection, webhook)
        found = await lanes.tries(connection, webhook, limit)
    return Deliveries(deliveries=[TriedTold.of(link, one) for link, one in found])


@router.post("/{webhook}/pause", summary="Send nothing until it is resumed", responses=examples.WEBHOOK_ACT)
async def pause_webhook(request: Request, webhook: Id, caller: Supervisor) -> WebhookTold:
    """Answered once nobody sends any more: not one event follows. What happens meanwhile is sent later."""
    service = service_of(request.app)
    await _pause(request, service, webhook, caller)
    return await _one_told(service, webhook)


async def _pause(request: Request, service: Service, id: str, caller: Caller) -> None:
    async with service.book.store.transaction() as connection:
        await _found(connection, id, locked=True)
        now = service.book.clock.now()
        await subscriptions.pause(connection, id, Paused.PERSON, by=caller.person, at=now)
        await write_acts(connection, [service.auditor.allowed(request)])
    await service.deliveries.quiesce(id)


@router.post("/{webhook}/resume", summary="Go on where it was paused", responses=examples.WEBHOOK_ACT)
async def resume_webhook(request: Request, webhook: Id, _caller: Supervisor) -> WebhookTold:
    """Also tries at once what waits for its next attempt."""
    service = service_of(request.app)
    async with service.book.store.transaction() as connection:
        await _found(connection, webhook, locked=True)
        await subscriptions.resume(connection, webhook)
        await write_acts(connection, [service.auditor.allowed(request)])
    service.deliveries.wake()
    return await _one_told(service, webhook)


@router.post("/{webhook}/replay", summary="Send again from an entry or a time", responses=examples.REPLAYED)
async def replay_webhook(
    request: Request,
    webhook: Id,
    _caller: Supervisor,
    said: Annotated[ReplaySaid, Body(openapi_examples=example({"from": "2026-10-01T00:00:00+08:00"}))],
) -> Replayed:
    """Every event keeps its id, so that a receiver knows those that it has. Nothing is left out: where it is
    not yet that far, it stays."""
    service = service_of(request.app)
    since = None if said.start is None else parse_instant(said.start, field="from")
    async with service.book.store.transaction() as connection:
        one = await _found(connection, webhook, locked=True)
        mine = [lane for lane in await lanes.all_lanes(connection, webhook) if lane.key.link != TESTS]
        if said.link is not None:
            mine = [lane for lane in mine if lane.key.link == said.link and one.hears(said.link)]
            if not mine:
                raise LinkUnknown(said.link)
        for lane in mine:
            link = lane.key.link
            if since is not None:
                to = await outbox.before_time(connection, link, since)
            else:
                to = await outbox.before_entry(connection, link, said.sequence or 1)
            await lanes.rewind(connection, LaneKey(webhook, link), to)
        places = {lane.key.link: lane.cursor for lane in await lanes.all_lanes(connection, webhook)}
        await write_acts(connection, [service.auditor.allowed(request)])
    service.deliveries.wake()
    return Replayed.of(webhook, {link: at for link, at in places.items() if link != TESTS})


@router.post("/{webhook}/secret", summary="Sign with a new secret", responses=examples.WEBHOOK_MADE_ANEW)
async def renew_secret(request: Request, webhook: Id, _caller: Supervisor) -> WebhookMade:
    """For a day events have two signatures, so that the receiver can change over when it suits it."""
    service, secret = service_of(request.app), new_secret()
    async with service.book.store.transaction() as connection:
        one = await _found(connection, webhook, locked=True)
        kept = service.deliveries.terms.vault.seal(webhook, secret)
        several = renewed(one.secrets, kept, at=service.book.clock.now())
        await subscriptions.keep_secrets(connection, webhook, several)
        await write_acts(connection, [service.auditor.allowed(request)])
    return WebhookMade(webhook=await _one_told(service, webhook), secret=secret)


@router.post("/{webhook}/test", summary="Send an event that says nothing", responses=examples.WEBHOOK_TRIED)
async def try_webhook(request: Request, webhook: Id, _caller: Supervisor) -> TriedTold:
    """Once, and now; answered with what came of it."""
    service = service_of(request.app)
    async with service.book.store.reading() as connection:
        one = await _found(connection, webhook)
    if one.paused is not None:
        raise Problem(409, "webhook_paused", "a webhook that is paused is sent nothing")
    try:
        return TriedTold.of(TESTS, await service.deliveries.test(one))
    except Busy:
        raise Problem(409, "webhook_busy", "it was paused, or is being tested by somebody else") from None


@router.delete("/{webhook}", summary="Tell them nothing any more", responses=examples.WEBHOOK_DELETED)
async def delete_webhook(request: Request, webhook: Id, caller: Supervisor) -> Deleted:
    """For good, once nobody sends any more."""
    service = service_of(request.app)
    await _pause(request, service, webhook, caller)
    async with service.book.store.transaction() as connection:
        await _found(connection, webhook, locked=True)
        await subscriptions.delete_webhook(connection, webhook)
    return Deleted(deleted=webhook)
