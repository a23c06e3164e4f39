"""The dry runs of a serving process: one at a time, in a child process, the last few kept."""

from __future__ import annotations

import asyncio
import json
import sys
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from api.dryruns.asked import Asked
from jackpot.core.codec import to_bytes

KEPT = 8
LONGEST_LINE = 64 * 1024 * 1024
"""Bytes of what was found: a curve and the payments of a year are far less."""
_CHILD = sys.executable, "-m", "api.dryruns.child"
Json = dict[str, Any]


class State(StrEnum):
    RUNNING = "running"
    DONE = "done"
    FAILED = "failed"
    STOPPED = "stopped"


class StillRunning(Exception):
    """One at a time: it reads as much of the book as it can."""

    def __init__(self, running: Job) -> None:
        super().__init__(f"dry run {running.id} of link {running.asked.link} is running")
        self.running = running


@dataclass(slots=True)
class Job:
    id: str
    asked: Asked
    by: str
    at: int
    """House time."""
    state: State = State.RUNNING
    read: int = 0
    of: int = 0
    found: Json | None = None
    problem: Json | None = None


@dataclass(slots=True)
class DryRuns:
    database: str
    _jobs: dict[str, Job] = field(default_factory=dict)
    _task: asyncio.Task[None] | None = None
    _process: asyncio.subprocess.Process | None = None

    def of_link(self, link: str) -> list[Job]:
        """The latest first."""
        return [job for job in reversed(self._jobs.values()) if job.asked.link == link]

    def get(self, link: str, id: str) -> Job | None:
        job = self._jobs.get(id)
        return job if job is not None and job.asked.link == link else None

    def check_free(self) -> None:
        for job in self._jobs.values():
            if job.state is State.RUNNING:
                raise StillRunning(job)

    def start(self, job: Job) -> Job:
        self.check_free()
        self._jobs[job.id] = job
        for old in list(self._jobs)[:-KEPT]:
            del self._jobs[old]
        self._task = asyncio.create_task(self._run(job), name=f"dry run {job.id}")
        return job

    async def stop(self, job: Job) -> None:
        """Whoever asked for it need not wait for its end."""
        if job.state is State.RUNNING:
            job.state = State.STOPPED
            await self._end()

    async def close(self) -> None:
        for job in self._jobs.values():
            await self.stop(job)
        await self._end()

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.kill()
        if self._task is not None:
            await asyncio.wait({self._task})

    async def _run(self, job: Job) -> None:
        """Whatever becomes of the child, the job ends."""
        try:
            await self._heard(job)
        finally:
            if job.state is State.RUNNING:
                job.state = State.FAILED
                job.problem = {"code": "dryrun_lost", "detail": "its process ended before it was done"}

    async def _heard(self, job: Job) -> None:
        pipe = asyncio.subprocess.PIPE
        process = await asyncio.create_subprocess_exec(*_CHILD, stdin=pipe, stdout=pipe, limit=LONGEST_LINE)
        self._process = process
        if job.state is not State.RUNNING:
            process.kill()  # it was stopped while it started
        wanted = b'{"database":%b,"asked":%b}\n' % (json.dumps(self.database).encode(), to_bytes(job.asked))
        if process.stdin is not None and process.stdout is not None:
            with suppress(ConnectionError):
                process.stdin.write(wanted)
                await process.stdin.drain()
            process.stdin.close()
            async for line in process.stdout:
                self._hear(job, json.loads(line))
        await process.wait()

    @staticmethod
    def _hear(job: Job, line: Json) -> None:
        if job.state is not State.RUNNING:
            return
        if "read" in line:
            job.read, job.of = line["read"], line["of"]
        elif "found" in line:
            job.state, job.found, job.read = State.DONE, line["found"], job.of
        else:
            job.state, job.problem = State.FAILED, line["problem"]
