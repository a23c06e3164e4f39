"""The way to the book's PostgreSQL: of several servers the one that writes, and no other.

Every connection of a store is made here. All its servers are asked at once, so that one which is silent
delays nobody, and each says what it is before it is used.
"""

from __future__ import annotations

import asyncio
import logging
from dataclasses import dataclass
from inspect import signature
from typing import Any

import asyncpg
from sqlalchemy.engine import URL
from sqlalchemy.exc import ArgumentError

from jackpot.book.stores.base import StoreRefused

CONNECT_TIMEOUT = 3
WRITE_TIMEOUT, READ_TIMEOUT = 5, 10
"""Seconds without an answer, after which a server counts as silent and the line is dropped."""
LOCK_TIMEOUT, IDLE_TIMEOUT = 3, 4
"""Seconds for which the server lets a line wait for a row that another holds, and lets one that has begun a
transaction be silent. A node that is lost says nothing: what its replica held, or was about to hold, is free
after both, and that must be less than the ten seconds within which a link commits again."""
NAME = "jackpot"
"""What each of our sessions is called on its server. Those of 0.1 have no name."""
LEAVING = 2.0
"""Seconds: a session ends a moment after the process that had it."""
BROKEN = (asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What the driver raises when a line is of no use any more; the last, when its server has said good-bye but
not hung up yet."""
_WRITING, _ANY = "read-write", "any"
_log = logging.getLogger(__name__)


class ServerRefused(StoreRefused, ConnectionError):
    """Not this server, not now: at the start a reason to stop, later trouble that may pass."""


class Line(asyncpg.Connection):  # type: ignore[misc]
    """A connection that is dropped, not cancelled, when nobody waits for its answer any longer. A cancelled
    COMMIT that waits for its standby is visible on the primary although no other server has it."""

    def _cancel_current_command(self, *_waiters: object) -> None:
        self._aborted = True  # from now on it counts as closed: nothing is asked in the meantime
        self._loop.call_soon(self._hang_up)

    def _hang_up(self) -> None:
        self._abort()
        self._cleanup()


@dataclass(frozen=True, slots=True)
class Found:
    """What a server says of itself."""

    where: str
    line: Any
    writes: bool
    system: int
    timeline: int
    fsync: str
    commits: str
    standbys: str
    """The names of those it must wait for."""
    attached: int
    """How many of them there may be."""

    def objection(self, *, standby_required: bool) -> str | None:
        """Why a commit here would not be durable, or would not end."""
        if self.fsync == "off" or self.commits == "off":
            return (
                f"synchronous_commit is {self.commits}, fsync is {self.fsync}: a commit would not be durable"
            )
        if self.standbys and self.commits == "local":
            return "synchronous_commit is local: a commit would not wait for its standby"
        if self.standbys and not self.attached:
            return "no synchronous standby is connected: commits would wait for one"
        if standby_required and not (self.standbys and self.commits in ("on", "remote_apply")):
            return (
                "a synchronous standby is required, but synchronous_commit is "
                f"{self.commits} and synchronous_standby_names is {self.standbys!r}"
            )
        return None


Asking = asyncio.Task[Found | str]
_ASKED = """
SELECT NOT pg_is_in_recovery() AND current_setting('transaction_read_only') = 'off' AS writes,
    (SELECT system_identifier FROM pg_control_system()) AS system,
    CASE WHEN pg_is_in_recovery() THEN '0' ELSE left(pg_walfile_name(pg_current_wal_insert_lsn()), 8) END
        AS timeline,
    current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commits,
    current_setting('synchronous_standby_names') AS standbys,
    (SELECT count(*) FROM pg_stat_replication WHERE coalesce(sync_state, 'sync') IN ('sync', 'quorum'))
        AS attached,
    set_config('client_connection_check_interval', '1s', false),
    set_config('tcp_keepalives_idle', '3s', false), set_config('tcp_keepalives_interval', '1s', false),
    set_config('tcp_keepalives_count', '3', false),
    set_config('statement_timeout', $1, false), set_config('tcp_user_timeout', $1, false),
    set_config('lock_timeout', $2, false), set_config('idle_in_transaction_session_timeout', $3, false)
"""
"""Who may not read the state of replication sees that there is a standby, but not whether it is in step."""


_NAMELESS = """
SELECT string_agg(DISTINCT usename::text, ', ') FROM pg_stat_activity
WHERE datname = current_database() AND application_name = ''
"""
"""The users who have such a session. The server's own workers have no user."""


async def no_nameless_session(line: Any) -> None:
    """A service of 0.1 holds no lock by which it could be found, but sessions as long as it lives."""
    deadline = asyncio.get_running_loop().time() + LEAVING
    while users := await line.fetchval(_NAMELESS):
        if asyncio.get_running_loop().time() > deadline:
            nameless = f"sessions of {users} on this database have no application_name"
            raise StoreRefused(f"{nameless}, like those of 0.1: stop it first")
        await asyncio.sleep(0.1)


class Servers:
    """The servers of one address, and what is known of them."""

    def __init__(self, url: URL, *, standby_required: bool = False, hurried: bool = True) -> None:
        self._options, self._addresses = _read(url)
        wanted = _WRITING if len(self._addresses) > 1 else _ANY
        self._target = self._options.pop("target_session_attrs", wanted)
        if self._target not in (_WRITING, _ANY):
            raise StoreRefused(f"target_session_attrs is {_WRITING} or {_ANY}, not {self._target}")
        self._standby_required, self._hurried = standby_required, hurried
        self._known: Found | None = None
        self._told = ""
        self.generation = 0
        """Rises when a server was silent: no older connection is used again."""
        self.moved = asyncio.Event()
        """Set when another server has taken over."""

    async def reader(self) -> Any:
        return await self._connect(writing=self._target == _WRITING)

    async def writer(self) -> Any:
        return await self._connect(writing=True)

    def distrust(self, generation: int) -> None:
        """Of several connections that fell silent together the first is enough."""
        if generation == self.generation:
            self.generation += 1

    async def _connect(self, *, writing: bool) -> Any:
        asking = [asyncio.create_task(self._ask(*one, writing=writing)) for one in self._addresses]
        found = None
        try:
            found = await self._first_fit(asking, writing=writing)
        finally:
            await _drop(asking, besides=found)
        if writing:
            self._follow(found)
        return found.line

    async def _first_fit(self, asking: list[Asking], *, writing: bool) -> Found:
        """The first that will do. One that takes writes will do if none that we know of took over from it;
        as long as we know of none, all are heard."""
        fit: list[Found] = []
        silent, unfit = list[str](), list[str]()
        for answer in asyncio.as_completed(asking):
            found = await answer
            if isinstance(found, str):
                silent.append(found)
            elif objection := self._objection(found, writing=writing):
                unfit.append(objection)
            else:
                fit.append(found)
                if not writing or self._known is not None:
                    break
        if not fit:
            raise self._refused(sorted(silent), sorted(unfit))
        self._told = ""
        return max(fit, key=lambda one: one.timeline)

    def _objection(self, found: Found, *, writing: bool) -> str | None:
        if not writing:
            return None
        known = self._known
        if not found.writes:
            return f"{found.where}: takes no writes"
        if known is not None and found.system != known.system:
            return f"{found.where}: another database cluster than before"
        if known is not None and found.timeline < known.timeline:
            return f"{found.where}: timeline {found.timeline}, which {known.where} has taken over from"
        objection = found.objection(standby_required=self._standby_required)
        return objection and f"{found.where}: {objection}"

    def _follow(self, found: Found) -> None:
        known, self._known = self._known, found
        if known is not None and (known.where, known.timeline) == (found.where, found.timeline):
            return
        alone = "" if found.standbys else "; no synchronous standby is configured"
        _log.warning("the book is written to %s, timeline %d%s", found.where, found.timeline, alone)
        if known is not None:
            self.distrust(self.generation)
            self.moved.set()

    def _refused(self, silent: list[str], unfit: list[str]) -> ServerRefused:
        """Logged once, however often it is tried."""
        what = "cannot be written to" if unfit else "cannot be reached"
        why = f"the store {what}: {'; '.join(unfit + silent)}"
        if why != self._told:
            _log.error(why)
        self._told = why
        return ServerRefused(why)

    async def _ask(self, host: str | None, port: int | None, *, writing: bool) -> Found | str:
        """What a server says of itself, or why it says nothing."""
        where = f"{host or 'localhost'}:{port or 5432}"
        within, limits = self._limits(writing=writing)
        options = self._options | {"command_timeout": within, "server_settings": {"application_name": NAME}}
        line = None
        try:
            async with asyncio.timeout(CONNECT_TIMEOUT):
                line = await asyncpg.connect(host=host, port=port, connection_class=Line, **options)
                told = await line.fetchrow(_ASKED, *limits)
        except (*BROKEN, OSError) as trouble:
            _terminate(line)
            return f"{where}: {str(trouble) or type(trouble).__name__}"
        except BaseException:
            _terminate(line)
            raise
        return _found(where, line, told)

    def _limits(self, *, writing: bool) -> tuple[int | None, list[str]]:
        """Seconds for which we wait for the server, and what it is told to wait for us: for a statement, for
        another's row, and between two statements. Who only reads holds no row, and may be slow to read on."""
        if not self._hurried:
            return None, ["0s", "0s", "0s"]
        within, idle = (WRITE_TIMEOUT, IDLE_TIMEOUT) if writing else (READ_TIMEOUT, 0)
        return within, [f"{within}s", f"{LOCK_TIMEOUT}s", f"{idle}s"]


def _found(where: str, line: Any, told: Any) -> Found:
    return Found(
        where=where,
        line=line,
        writes=told["writes"],
        system=told["system"],
        timeline=int(told["timeline"], 16),
        fsync=told["fsync"],
        commits=told["commits"],
        standbys=told["standbys"],
        attached=told["attached"],
    )


async def _drop(asking: list[Asking], *, besides: Found | None) -> None:
    """Those that were not chosen, whether they have answered or not."""
    for one in asking:
        one.cancel()
    for answer in await asyncio.gather(*asking, return_exceptions=True):
        if isinstance(answer, Found) and answer is not besides:
            answer.line.terminate()


def _terminate(line: Any) -> None:
    if line is not None:
        line.terminate()


def _read(url: URL) -> tuple[dict[str, Any], list[tuple[str | None, int | None]]]:
    """The driver's options, and the servers in the order in which they are named."""
    try:
        options = dict(url.get_dialect()().create_connect_args(url)[1])
    except (ArgumentError, ValueError) as wrong:
        raise StoreRefused(f"that is not the address of a store: {wrong}") from None
    if unknown := sorted(set(options) - set(signature(asyncpg.connect).parameters)):
        raise StoreRefused(f"{unknown[0]!r} is no option of a store's address")
    hosts, ports = options.pop("host", None), options.pop("port", None)
    if not isinstance(hosts, list):
        return options, [(hosts, ports)]
    return options, list(zip(hosts, ports, strict=True))
