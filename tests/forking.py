"""Processes forked from a server that has imported everything once: to start Python anew for each would cost
more than most of what they do. The server begins with the first of them."""

from __future__ import annotations

import os
import resource
import signal
import subprocess
import sys
from collections.abc import Iterable, Mapping
from multiprocessing import forkserver, get_context
from multiprocessing.context import ForkServerContext, ForkServerProcess
from pathlib import Path
from typing import NamedTuple

forked: ForkServerContext = get_context("forkserver")
forked.set_forkserver_preload(
    [
        "tests.cheap_passwords",
        "tests.crash_worker",
        "tests.table_player",
        "api.cli.service",
        "api.cli.book",
        "api.serving",
        "tests.settled",  # the last: it freezes what the others brought
    ]
)


def end_server() -> None:
    """And wait for it, so that nothing is left behind and what it used is counted."""
    forkserver._forkserver._stop()  # type: ignore[attr-defined]


class Said(NamedTuple):
    """Where a command's output and its errors are added to."""

    out: Path
    errors: Path


class Command:
    """`jackpot` with these arguments in a process and a session of its own, as `Popen` would start it."""

    def __init__(
        self, arguments: Iterable[str], folder: Path, environment: Mapping[str, str], said: Said
    ) -> None:
        self._arguments = ["jackpot", *arguments]
        self._process: ForkServerProcess = forked.Process(
            target=_command, args=(self._arguments, folder, dict(environment), said), daemon=True
        )
        self._process.start()

    @property
    def pid(self) -> int:
        assert self._process.pid is not None
        return self._process.pid

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._arguments, timeout)
        return self._process.exitcode

    def send_signal(self, which: signal.Signals) -> None:
        if self._process.is_alive():
            os.kill(self.pid, which)


def _command(arguments: list[str], folder: Path, environment: dict[str, str], said: Said) -> None:
    os.setsid()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    if (most := os.environ.pop("OPEN_FILES", None)) is not None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (int(most), int(most)))
    for file, descriptor in ((said.out, 1), (said.errors, 2)):
        os.dup2(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600), descriptor)
    sys.argv = arguments
    from api.cli import main  # the server has it, and who only starts a command needs none of it

    main()
