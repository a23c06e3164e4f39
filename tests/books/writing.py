"""The book of the release at hand, written by its own service, and what that service says of it."""

from __future__ import annotations

import asyncio
import gzip
import json
import re
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory

from jackpot.book.beside.anchors import new_key
from tests.books import POSTGRES, SQLITE, OldBook
from tests.books.story import End, first_floor, first_night, last_floor, second_night
from tests.callers import done
from tests.servers import Postgres
from tests.service import FloorFile, Json, Service

OF_THIS_VERSION = re.compile(rb"^(SET |SELECT pg_catalog\.set_config|\\|--).*\n|^\n", re.MULTILINE)
"""Lines of a dump that say how its own version of PostgreSQL reads it, or nothing."""


def write(release: str) -> list[OldBook]:
    """Both books of a release, whole or not at all."""
    with TemporaryDirectory() as made:
        folder = Path(made)
        key = folder / "anchor.pem"
        new_key(key)
        with _postgres() as server:
            stores = {
                SQLITE: f"sqlite+aiosqlite:///{folder / 'book.db'}",
                POSTGRES: asyncio.run(server.create("book")),
            }
            books = [OldBook(release, store) for store in stores]
            ready = folder / "ready"
            ready.mkdir()
            for book, url in zip(books, stores.values(), strict=True):
                _played(book, url, key, folder / book.store, ready)
            (ready / books[0].data.name).write_bytes(_packed(_backup(stores[SQLITE], folder)))
            (ready / books[1].data.name).write_bytes(_packed(_dump(server)))
        shutil.copy(key.with_suffix(".pub"), ready / books[0].key.name)
        shutil.copytree(ready, books[0].folder)
    return books


@contextmanager
def _postgres() -> Iterator[Postgres]:
    server = Postgres(in_memory=True)
    try:
        server.start()
        yield server
    finally:
        server.remove()


def _played(book: OldBook, url: str, key: Path, folder: Path, ready: Path) -> None:
    """The story, and then the questions: to a service that has just been started, as they will be asked
    again."""
    folder.mkdir()
    anchors = ready / book.anchors.name
    signed = {"JACKPOT_ANCHORS": str(anchors), "JACKPOT_ANCHOR_KEY": str(key), "LOGNAME": "admin"}

    def started(floor: FloorFile) -> Service:
        return Service(url, floor, folder, **signed)

    with _serving(started(first_floor())) as service:
        first_night(service)
    with _serving(started(last_floor())) as service:
        end = second_night(service)
    with _serving(started(last_floor())) as service:
        said = answers(service, end)
        shutil.copy(service.floor_file, ready / book.floor_file.name)
        verified = service.jackpot("verify", "--anchors", str(anchors), "--key", str(key))
        assert verified.returncode == 0, verified.stdout + verified.stderr
    (ready / book.answers.name).write_bytes(_packed(json.dumps(said, indent=1).encode()))


@contextmanager
def _serving(service: Service) -> Iterator[Service]:
    """Until the story is told, and then stopped in order: what was noted is durable, and anchored."""
    try:
        service.start()
        yield service
        assert service.stop() == 0, service.log()[-4000:]
    finally:
        service.close()


def answers(service: Service, end: End) -> dict[str, Json]:
    """What an auditor is told, by the path he asks. Times are named: an old book is asked years later."""
    return {path: done(service.get(path, "ada")) for path in questions(end)}


def questions(end: End) -> list[str]:
    until = end.at.replace("+", "%2B")
    asked = ["/v1/links", "/v1/proposals", "/v1/malfunctions", f"/v1/audit?limit=500&to={until}"]
    for link in end.links:
        about = f"/v1/links/{link}"
        asked += [f"{about}/{what}" for what in ("meter", "wins", "claims")]
        asked += [f"{about}/report?from=2026-01-01T00:00:00Z&to={until}", f"{about}/readings?at={until}"]
        asked += [f"{about}/receipts?sign={sign}&at={until}" for sign in end.signs]
    return [*asked, *(f"/v1/links/{link}/wins/{win}" for link, win in end.proved), *end.rounds]


def _backup(url: str, folder: Path) -> bytes:
    service = Service(url, FloorFile(), folder)
    copied = service.jackpot("backup", "copy.db")
    service.close()
    assert copied.returncode == 0, copied.stderr
    return (folder / "copy.db").read_bytes()


def _dump(server: Postgres) -> bytes:
    """As statements, which any client can carry out."""
    how = ["--inserts", "--rows-per-insert=50", "--no-owner", "--no-privileges", "--no-comments"]
    dumped = subprocess.run(
        [server.tool("pg_dump"), *how, "-d", server.dsn("book")], capture_output=True, check=True
    )
    return OF_THIS_VERSION.sub(b"", dumped.stdout)


def _packed(data: bytes) -> bytes:
    return gzip.compress(data, mtime=0)
