"""Who is calling: the credentials of the book, held in memory and read again every second."""

from __future__ import annotations

import asyncio
import hmac
import logging
from dataclasses import dataclass, replace
from hashlib import sha256

from jackpot.book.beside.identities import Credential, Session, all_credentials, find_session, hashed
from jackpot.book.beside.roles import Role
from jackpot.book.book import Book
from jackpot.book.stores.tasks import end
from jackpot.book.writing.writer import TROUBLE
from jackpot.core.texts import folded

REFRESHED_EVERY = 1.0
"""Seconds until a revocation made elsewhere is seen here."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Caller:
    """An authenticated caller. Two callers are different people if their `person` differs."""

    name: str
    role: Role
    person: str
    table: str | None = None
    by_cookie: bool = False
    proof: tuple[str, str] = ("", "")
    """What proved it, for the audit: a `session` or a `token`, and a short hash that tells it from others."""
    site: str | None = None
    tables: frozenset[str] = frozenset()
    """Of a gateway."""

    def speaks_for(self, table: object) -> bool:
        return table == self.table or table in self.tables


class Identity:
    def __init__(self, book: Book) -> None:
        self._book = book
        self._by_token: dict[bytes, Caller] = {}
        self._by_name: dict[str, Credential] = {}
        self._by_folded_name: dict[str, Credential] = {}
        self._sessions: dict[str, Session] = {}
        self._task: asyncio.Task[None] | None = None

    async def start(self) -> None:
        await self.refresh()
        self._task = asyncio.create_task(self._keep(), name="identity")

    async def stop(self) -> None:
        await end(self._task)

    async def refresh(self) -> None:
        async with self._book.store.reading() as connection:
            known = await all_credentials(connection)
        self._by_name = {one.name: one for one in known}
        self._by_folded_name = {folded(one.name): one for one in known}
        self._by_token = {
            bytes.fromhex(one.token_sha256): _caller(one, "token", one.token_sha256)
            for one in known
            if one.token_sha256 is not None
        }
        self._sessions.clear()  # asked for again when they are used

    async def _keep(self) -> None:
        while True:
            await asyncio.sleep(REFRESHED_EVERY)
            try:
                await self.refresh()
            except TROUBLE as trouble:
                _log.warning("credentials could not be read again: %s", type(trouble).__name__)

    def of_token(self, token: bytes) -> Caller | None:
        """By its hash: how long looking it up takes says nothing about any token."""
        return self._by_token.get(sha256(token).digest())

    async def of_session(self, token: str) -> Caller | None:
        """Any replica may have opened it, so it is looked up in the book once a second."""
        key = hashed(token)
        session = self._sessions.get(key)
        if session is None:
            session = await asyncio.shield(self._found(key))  # who hangs up meanwhile cuts no line
        if session is None or session.expires_at <= self._book.clock.now():
            return None
        self._sessions[key] = session
        owner = self._by_name.get(session.name)
        return None if owner is None else replace(_caller(owner, "session", key), by_cookie=True)

    async def _found(self, key: str) -> Session | None:
        async with self._book.store.reading() as connection:
            return await find_session(connection, key)

    async def of_sign(self, token: str) -> Caller | None:
        """An enrolled sign, by the cookie it got."""
        found = self.of_token(token.encode("utf-8", "surrogateescape"))
        return None if found is None or found.role is not Role.SIGN else replace(found, by_cookie=True)

    def forget_session(self, token: str) -> None:
        self._sessions.pop(hashed(token), None)

    def credential(self, name: str) -> Credential | None:
        """However its name is written."""
        return self._by_folded_name.get(folded(name))


def _caller(one: Credential, proof: str, token_sha256: str) -> Caller:
    return Caller(
        one.name,
        one.role,
        one.person,
        one.table,
        proof=(proof, proof_of(token_sha256)),
        site=one.site,
        tables=frozenset(one.tables),
    )


def proof_of(token_sha256: str) -> str:
    """Short, and not enough to find the token by what is kept of it."""
    return hashed(token_sha256)[:16]


def csrf_token(session_token: str) -> str:
    """What a page must say besides its cookie. Only who has the cookie's content can work it out."""
    return sha256(b"csrf " + session_token.encode("utf-8", "surrogateescape")).hexdigest()


def is_csrf_token(given: str, session_token: str) -> bool:
    return hmac.compare_digest(given.encode("utf-8", "surrogateescape"), csrf_token(session_token).encode())
