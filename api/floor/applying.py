"""The floor file meets the book: what is new is added, what is changed is told, and money is left alone."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import structlog
from sqlalchemy import select
from sqlalchemy.ext.asyncio import AsyncConnection

from api.callers.passwords import hash_password
from api.floor.file import CredentialEntry, Floor, LinkEntry, PitEntry, TableEntry
from jackpot.book.beside import identities
from jackpot.book.beside.applied_floor import Value, alone, applied, apply_values, forget_value
from jackpot.book.beside.audit import Act, write_acts
from jackpot.book.beside.calendar import ALWAYS, Calendar, calendar_of
from jackpot.book.beside.calendar import KIND as GAMING_DAY
from jackpot.book.beside.identities import Credential, hashed
from jackpot.book.book import Book
from jackpot.book.stores.schema import links, tables
from jackpot.core.refusals import ParameterWrong
from jackpot.core.texts import spelled_differently
from jackpot.house.profiles import RULE_BOOK
from jackpot.link.commands import AddTable
from jackpot.maths.warnings import warnings

ACTOR = "floor file"
FREELY_CHANGED = frozenset({"public_readings", "theme", "language"})
FROM_PROFILE = frozenset({"policy", "window_ms", "approvals"})
"""What the profile says where a link does not."""
WHOLE_FLOOR = ("profile", "floor")
"""As what the keys of the file itself are kept."""
KEPT_OF_THE_FLOOR = {"profile", "changes_when", "sign_seconds", "retention_years", "loosened"}
BY_TWO_PEOPLE = frozenset(
    {"seed", "meter_ppm", "reserve_ppm", "ceiling", "level", "policy", "window_ms", "cap", "approvals"}
)
WHILE_IT_RUNS = frozenset({"boxes", "minimum", "maximum", "name", "side", "link", "pit"})
"""What people change of a table; the file's word on it is compared with what is in force, and told."""
TABLES_AT_ONCE = 1_000
"""Added together; of more, a writer would say that it is busy."""
_log = structlog.get_logger(__name__)


async def apply_floor(book: Book, floor: Floor) -> None:
    """Bring the book to what the file says, or refuse with nothing changed. Again and at once is as once."""
    async with alone(book.store):
        async with book.store.reading() as connection:
            known = await applied(connection)
            there = await _what_is_there(connection)
            plan = _planned(floor, known)
            await _check_tokens(connection, plan)
            await _check_names(connection, plan)
        for link in floor.link:
            await _add_link(book, link, there)
        for pit in floor.pit:
            await _add_pit(book, pit, there)
        for first in range(0, len(floor.table), TABLES_AT_ONCE):
            some = floor.table[first : first + TABLES_AT_ONCE]
            await asyncio.gather(*(_add_table(book, table, there) for table in some))
        await _keep(book, floor, plan, known)
    _warn(floor, known)


@dataclass(slots=True)
class Plan:
    """What the file wants of the credentials."""

    added: list[CredentialEntry] = field(default_factory=list)
    rotated: list[CredentialEntry] = field(default_factory=list)
    revoked: list[str] = field(default_factory=list)


def _planned(floor: Floor, known: Mapping[tuple[str, str], Value]) -> Plan:
    for link in floor.link:
        _check_link(link, known.get(("link", link.id)), _changed_profile(floor, known))
    for pit in floor.pit:
        _check_pit(pit, known.get(("pit", pit.id)))
    for table in floor.table:
        _check_table(table, known.get(("table", table.id)))
    plan = Plan()
    for one in floor.credential:
        before = known.get(("credential", one.name))
        if before is None:
            plan.added.append(one)
        elif before != _credential_value(one):
            plan.rotated.append(one)
    named = {one.name for one in floor.credential}
    plan.revoked = sorted(name for kind, name in known if kind == "credential" and name not in named)
    return plan


def _changed_profile(floor: Floor, known: Mapping[tuple[str, str], Value]) -> str | None:
    """The profile, if the file named another one when it was applied; before there were profiles, it was the
    default."""
    before = known.get(WHOLE_FLOOR, {}).get("profile", RULE_BOOK.name)
    return None if floor.profile == before else floor.profile


def _check_link(link: LinkEntry, before: Value | None, profile: str | None) -> None:
    """`profile`: the floor's, if that has changed."""
    for name, was, now in _differences(before, link):
        if name in FREELY_CHANGED:
            continue
        how = (
            f"two people change it (POST /v1/links/{link.id}/{'seed' if name == 'seed' else 'parameters'})"
            if name in BY_TWO_PEOPLE
            else "it cannot be changed once the link exists"
        )
        if profile is not None and name in FROM_PROFILE:
            how += (
                f". The profile {profile} changes no link that exists: write {name} = {was} in the link's"
                " entry, and in [[loosened]] why, if that is looser"
            )
        raise ParameterWrong(
            f"link {link.id}: the file now says {name} = {now}, and said {was} when it was applied: {how}",
            field=f"link.{name}",
        )


def _check_pit(pit: PitEntry, before: Value | None) -> None:
    for name, was, now in _differences(before, pit):
        if name in FREELY_CHANGED:
            continue
        raise ParameterWrong(
            f"pit {pit.id}: the file now says {name} = {now}, and said {was} when it was applied:"
            " it cannot be changed once the pit exists",
            field=f"pit.{name}",
        )


def _check_table(table: TableEntry, before: Value | None) -> None:
    for name, was, now in _differences(before, table):
        if name in WHILE_IT_RUNS:
            _log.warning(
                f"table {table.id}: the file now says {name} = {now}, and said {was} when it was applied:"
                " what is in force stays, people change it",
                table=table.id,
            )
            continue
        raise ParameterWrong(
            f"table {table.id}: the file now says {name} = {now}, and said {was} when it was applied:"
            " a table that has changed is another table, with another id",
            field=f"table.{name}",
        )


def _differences(
    before: Value | None, entry: LinkEntry | PitEntry | TableEntry
) -> list[tuple[str, Any, Any]]:
    """What an earlier release did not know of was as it is by default."""
    if before is None:
        return []
    defaults = {name: one.get_default() for name, one in type(entry).model_fields.items()}
    usual = {name: [] if value == () else value for name, value in defaults.items()}  # as JSON has it
    known = {**usual, **before}
    now = entry.model_dump(mode="json")
    return [(name, known[name], value) for name, value in now.items() if known[name] != value]


def _credential_value(entry: CredentialEntry) -> Value:
    """As it is kept: never with a secret in plain."""
    token = entry.token_sha256 if entry.token is None else hashed(entry.token)
    secret = entry.password_hash if entry.password is None else f"sha256 {hashed(entry.password)}"
    gateway = {"site": entry.site, "tables": list(entry.tables)} if entry.site is not None else {}
    return {
        "role": entry.role.value,
        "table": entry.table,
        "person": entry.person or entry.name,
        "token_sha256": token,
        "password": secret,
        **gateway,
    }


def _credential(entry: CredentialEntry) -> Credential:
    return Credential(
        name=entry.name,
        role=entry.role,
        person=entry.person or entry.name,
        table=entry.table,
        site=entry.site,
        tables=entry.tables,
        token_sha256=entry.token_sha256 if entry.token is None else hashed(entry.token),
        password_hash=entry.password_hash if entry.password is None else hash_password(entry.password),
    )


async def _check_tokens(connection: AsyncConnection, plan: Plan) -> None:
    """What the file itself takes from a credential it may give to another: two that swap, one renamed."""
    known = await identities.tokens_known(connection)
    given_up = {*plan.revoked, *(entry.name for entry in plan.rotated)}
    for entry in (*plan.added, *plan.rotated):
        token = _credential_value(entry)["token_sha256"]
        if token is not None and known.get(token, entry.name) not in {entry.name, *given_up}:
            raise ParameterWrong(
                f"credential {entry.name}: another credential has, or had, this token", field="credential"
            )


async def _check_names(connection: AsyncConnection, plan: Plan) -> None:
    """Credentials that were made by command, or by a sign's enrolment, are not in the file."""
    put = (*plan.added, *plan.rotated)
    gone = {*plan.revoked, *(entry.name for entry in put)}
    kept = [one for one in await identities.all_credentials(connection) if one.name not in gone]
    names = [one.name for one in kept] + [entry.name for entry in put]
    people = [one.person for one in kept] + [entry.person or entry.name for entry in put]
    for same in (*spelled_differently(names), *spelled_differently(people)):
        raise ParameterWrong(f"{' and '.join(same)} are one name: spell it one way", field="credential")


# Carrying it out


async def _what_is_there(connection: AsyncConnection) -> dict[str, str | None]:
    """Tables with their links, and links."""
    found: dict[str, str | None] = {
        f"table {row.id}": row.link for row in await connection.execute(select(tables.c.id, tables.c.link))
    }
    found |= {f"link {name}": None for name in (await connection.execute(select(links.c.id))).scalars()}
    return found


async def _add_link(book: Book, link: LinkEntry, there: Mapping[str, str | None]) -> None:
    if f"link {link.id}" not in there:
        await book.create(link.id, link.name, link.currency, link.parameters)
    await book.writer(link.id)  # another process may have made it since this one looked


async def _add_pit(book: Book, pit: PitEntry, there: Mapping[str, str | None]) -> None:
    if f"link {pit.id}" not in there:
        await book.create_pit(pit.id, pit.name, pit.currency)
    await book.writer(pit.id)


async def _add_table(book: Book, table: TableEntry, there: Mapping[str, str | None]) -> None:
    if f"table {table.id}" not in there:
        add = AddTable(person=ACTOR, setup=table.setup, act_id=f"add {table.id}")
        writer = await book.writer(table.place)  # which keeps their order; that they are new is known
        await writer.submit(add)


async def _keep(book: Book, floor: Floor, plan: Plan, known: Mapping[tuple[str, str], Value]) -> None:
    """The credentials, what the file said, and the audit of it: all of it or nothing."""
    now = book.clock.now()
    said = [(*WHOLE_FLOOR, floor.model_dump(mode="json", include=KEPT_OF_THE_FLOOR))]
    said += _gaming_day(floor, calendar_of(known), now)
    said += [("link", one.id, one.model_dump(mode="json")) for one in floor.link]
    said += [("pit", one.id, one.model_dump(mode="json")) for one in floor.pit]
    said += [("table", one.id, one.model_dump(mode="json")) for one in floor.table]
    said += [("credential", one.name, dict(_credential_value(one))) for one in floor.credential]
    changed = [(kind, name, value) for kind, name, value in said if known.get((kind, name)) != value]
    async with book.store.transaction() as connection:
        for name in plan.revoked:
            await identities.revoke_credential(connection, name, at=now)
            await forget_value(connection, "credential", name)
        for first in _superseded(known, said):
            await forget_value(connection, GAMING_DAY, first)
        put = [_credential(entry) for entry in (*plan.added, *plan.rotated)]
        await identities.put_credentials(connection, put, at=now)
        await apply_values(connection, changed)
        await write_acts(connection, [*_acts(plan, now), *_changes(changed, known, now)])


def _gaming_day(floor: Floor, days: Calendar, now: int) -> list[tuple[str, str, dict[str, Any]]]:
    """If it was never said, it counts for the past too; another one from the next day on."""
    wanted = floor.gaming_day.setting
    if days.set and days.latest == wanted:
        return []
    first = days.changed(wanted, now=now) if days.set else ALWAYS
    return [(GAMING_DAY, first.isoformat(), wanted.told())]


def _superseded(
    known: Mapping[tuple[str, str], Value], said: list[tuple[str, str, dict[str, Any]]]
) -> list[str]:
    """Settings that would have begun later than the new one."""
    new = [first for kind, first, _ in said if kind == GAMING_DAY]
    return [first for kind, first in known if kind == GAMING_DAY and new and first > new[0]]


def _acts(plan: Plan, now: int) -> list[Act]:
    acts = {"credential_added": plan.added, "credential_rotated": plan.rotated}
    told = [
        Act(
            at=now, actor=ACTOR, act=act, outcome="allowed", detail={"name": one.name, "role": one.role.value}
        )
        for act, entries in acts.items()
        for one in entries
    ]
    told += [
        Act(at=now, actor=ACTOR, act="credential_revoked", outcome="allowed", detail={"name": name})
        for name in plan.revoked
    ]
    return told


def _changes(
    changed: list[tuple[str, str, dict[str, Any]]], known: Mapping[tuple[str, str], Value], now: int
) -> list[Act]:
    return [
        Act(
            at=now,
            actor=ACTOR,
            act=f"{kind}_{'changed' if (kind, name) in known else 'added'}",
            outcome="allowed",
            detail={"id": name, **value},
        )
        for kind, name, value in changed
        if kind != "credential"
    ]


def _warn(floor: Floor, known: Mapping[tuple[str, str], Value]) -> None:
    for link in floor.link:
        boxes = (table.boxes for table in floor.table if table.link == link.id)
        for warning in warnings(link.parameters, boxes, link.currency):
            _log.warning(f"link {link.id}: {warning}", link=link.id)
    named = {("link", one.id) for one in floor.link} | {("table", one.id) for one in floor.table}
    named |= {("pit", one.id) for one in floor.pit} | {WHOLE_FLOOR}
    for kind, name in known.keys() - named:
        if kind not in ("credential", GAMING_DAY):
            _log.warning(f"{kind} {name} is in the book but no longer in the floor file; it stays as it is")
