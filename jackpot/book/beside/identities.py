"""Who may speak to the house: credentials and sessions. Tokens are kept as hashes only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any

from sqlalchemy import Connection, bindparam, delete, insert, inspect, or_, select, text, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.beside.roles import Role
from jackpot.book.stores.schema import credentials, enrolments, sessions
from jackpot.core.texts import folded, spelled_differently


@dataclass(frozen=True, kw_only=True, slots=True)
class Credential:
    name: str
    role: Role
    person: str
    table: str | None = None
    site: str | None = None
    tables: tuple[str, ...] = ()
    """Of a gateway: its site, and the tables that it speaks for."""
    token_sha256: str | None = None
    password_hash: str | None = None


@dataclass(frozen=True, kw_only=True, slots=True)
class Session:
    token_sha256: str
    name: str
    made_at: int
    expires_at: int


@dataclass(frozen=True, kw_only=True, slots=True)
class Enrolment:
    """A code with which a sign gets its token, once."""

    code_sha256: str
    sign: str
    made_at: int
    expires_at: int


def hashed(token: str) -> str:
    return sha256(token.encode("utf-8", "surrogateescape")).hexdigest()


async def all_credentials(connection: AsyncConnection) -> list[Credential]:
    """Those in force."""
    columns = [column for column in credentials.c if column.name not in ("made_at", "revoked_at")]
    found = await connection.execute(select(*columns).where(credentials.c.revoked_at.is_(None)))
    return [
        Credential(
            name=row.name,
            role=Role(row.role),
            person=row.person,
            table=row.tbl,
            site=row.site,
            tables=() if row.tables is None else tuple(row.tables.split()),
            token_sha256=row.token_sha256,
            password_hash=row.password_hash,
        )
        for row in found
    ]


async def spellings(connection: AsyncConnection, name: str) -> list[str]:
    """How this name was written where it was ever given to a credential."""
    known = (await connection.execute(select(credentials.c.name))).scalars()
    return sorted(one for one in known if folded(one) == folded(name))


class NamesAlike(Exception):
    """Names in force that an earlier release took for different ones, and that are the same."""


def check_names(connection: Connection) -> None:
    """Of a store of any release."""
    if not inspect(connection).has_table("credentials"):
        return
    in_force = text("SELECT name, person FROM credentials WHERE revoked_at IS NULL")
    found = connection.execute(in_force).all()
    alike = spelled_differently(row.name for row in found) + spelled_differently(row.person for row in found)
    if alike:
        told = "; ".join(" and ".join(same) for same in alike)
        raise NamesAlike(
            f"each of these is one name, written in several ways: {told}. Nothing was changed; with the"
            " release that wrote the book, revoke or rename all but one of each"
        )


async def tokens_known(connection: AsyncConnection) -> dict[str, str]:
    """By its hash, whose each token is or was: a revoked one must not come back under another name."""
    found = select(credentials.c.token_sha256, credentials.c.name).where(
        credentials.c.token_sha256.is_not(None)
    )
    return {row.token_sha256: row.name for row in await connection.execute(found)}


async def put_credentials(connection: AsyncConnection, several: Sequence[Credential], *, at: int) -> None:
    """Add them, or let each take the place of what its name stood for; sessions of that name end."""
    if not several:
        return
    names = [{"known": one.name} for one in several]
    await connection.execute(delete(credentials).where(credentials.c.name == bindparam("known")), names)
    tokens = [one.token_sha256 for one in several if one.token_sha256 is not None]
    passed_on = update(credentials).where(
        credentials.c.token_sha256.in_(tokens), credentials.c.revoked_at.is_not(None)
    )
    await connection.execute(passed_on.values(token_sha256=None))
    await connection.execute(insert(credentials), [_credential_row(one, at) for one in several])
    await connection.execute(delete(sessions).where(sessions.c.name == bindparam("known")), names)


def _credential_row(credential: Credential, at: int) -> dict[str, Any]:
    values = asdict(credential) | {"role": credential.role.value, "made_at": at, "revoked_at": None}
    values["tbl"] = values.pop("table")
    values["tables"] = " ".join(credential.tables) or None
    return values


async def revoke_credential(connection: AsyncConnection, name: str, *, at: int) -> bool:
    """Whether there was one to revoke."""
    mine = credentials.c.name == name, credentials.c.revoked_at.is_(None)
    done = await connection.execute(update(credentials).where(*mine).values(revoked_at=at))
    await connection.execute(delete(sessions).where(sessions.c.name == name))
    return done.rowcount > 0


async def open_session(connection: AsyncConnection, session: Session, *, instead_of: str | None) -> None:
    """A login's session; the one that the caller had before ends, and so do all that have expired."""
    ended = or_(sessions.c.expires_at <= session.made_at, sessions.c.token_sha256 == instead_of)
    await connection.execute(delete(sessions).where(ended))
    await connection.execute(insert(sessions).values(asdict(session)))


async def find_session(connection: AsyncConnection, token_sha256: str) -> Session | None:
    found = await connection.execute(select(sessions).where(sessions.c.token_sha256 == token_sha256))
    row = found.one_or_none()
    return None if row is None else Session(**row._mapping)


async def end_session(connection: AsyncConnection, token_sha256: str) -> None:
    await connection.execute(delete(sessions).where(sessions.c.token_sha256 == token_sha256))


async def open_enrolment(connection: AsyncConnection, enrolment: Enrolment) -> None:
    """The sign's earlier code is worth nothing any more, and neither are those that have expired."""
    ended = or_(enrolments.c.expires_at <= enrolment.made_at, enrolments.c.sign == enrolment.sign)
    await connection.execute(delete(enrolments).where(ended))
    await connection.execute(insert(enrolments).values(asdict(enrolment)))


async def take_enrolment(connection: AsyncConnection, code_sha256: str, *, at: int) -> str | None:
    """The sign that this code enrols, if it still does. Whoever takes it first has it alone."""
    good = enrolments.c.code_sha256 == code_sha256, enrolments.c.expires_at > at
    taken = await connection.execute(delete(enrolments).where(*good).returning(enrolments.c.sign))
    found = taken.scalar()
    return None if found is None else str(found)
