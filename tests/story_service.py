"""The service on a port of its own, in a story's time: hours pass when the story says so.

Everything else is real: the store, the server, those who call it. `tests.house` has the same without a port.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Any

import httpx
import uvloop

from api.app import create_app, serving
from api.http.listening import Edge, listen
from api.service import Service
from api.settings import Settings
from jackpot.book.beside.applied_floor import calendar
from jackpot.book.beside.calendar import Calendar
from jackpot.book.writing.rollups import RollUps
from jackpot.core.instants import MILLISECOND, SECOND, spoken_instant
from tests.book_floor import StoryClock
from tests.callers import done
from tests.house import PEOPLE, floor_file
from tests.service import HASHED_PASSWORD, Json
from tests.waiting import PATIENCE


def floor_with_passwords() -> str:
    """That of `tests.house`, whose people may log in to the console."""
    text = floor_file()
    for name, role in PEOPLE.items():
        told = f'name = "{name}"\nrole = "{role}"\n'
        text = text.replace(told, f'{told}password_hash = "{HASHED_PASSWORD}"\n')
    return text


class StoryService:
    """`base` is where it serves. Its clock stands still between two messages."""

    def __init__(self, url: str, folder: Path) -> None:
        self.url, self.clock = url, StoryClock()
        self._floor_file = folder / "floor.toml"
        self._floor_file.write_text(floor_with_passwords())
        self._loop = uvloop.new_event_loop()
        self._stop = asyncio.Event()
        self._ready = threading.Event()
        self._broken: BaseException | None = None
        self._thread = threading.Thread(target=self._run, name="a story's service", daemon=True)
        self.base = ""
        self.service: Service
        self.http = httpx.Client(timeout=PATIENCE)

    def start(self) -> None:
        self._thread.start()
        assert self._ready.wait(PATIENCE)
        assert self._broken is None, self._broken

    def close(self) -> None:
        self.http.close()
        if self._thread.is_alive():
            self._loop.call_soon_threadsafe(self._stop.set)
        self._thread.join(PATIENCE)

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self._loop) as runner:
            try:
                runner.run(self._serve())
            except BaseException as broken:
                self._broken = broken
                self._ready.set()

    async def _serve(self) -> None:
        settings = Settings(floor=self._floor_file, database_url=self.url, demo=True)
        with listen("127.0.0.1", 0) as listening:
            async with serving(settings) as self.service:
                self._set_clock()
                edge = Edge(
                    listening, create_app(self.service), settings, self.service.crowd.most_connections
                )
                await edge.serve()
                self.base = f"http://127.0.0.1:{listening.getsockname()[1]}"
                self._ready.set()
                await self._stop.wait()
                self.service.hub.close()
                edge.stop()
                await edge.close()

    def _set_clock(self) -> None:
        book = self.service.book
        self.clock.time = book.clock.now()
        book.clock = self.clock
        for writer in book._writers.values():
            writer._clock = self.clock

    # Time

    @property
    def now(self) -> str:
        return spoken_instant(self.clock.time)

    def wait(self, seconds: float) -> None:
        self.clock.time += round(seconds * SECOND)

    def days(self) -> Calendar:
        async def told() -> Calendar:
            async with self.service.book.store.reading() as connection:
                return await calendar(connection)

        found: Calendar = self._asked(told())
        return found

    def until_shift(self, day: date, number: int) -> None:
        """A second into it."""
        begins = self.days().day(day).shifts[number].start
        assert begins > self.clock.time
        self.clock.time = begins + SECOND

    def roll_up(self) -> None:
        """Now, and not when the service finds that it is due."""
        self._asked(RollUps(self.service.book.store).roll())

    def _asked(self, work: Any) -> Any:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(PATIENCE)

    # Callers

    def call(self, method: str, path: str, by: str, body: Json | None = None, **more: Any) -> httpx.Response:
        headers = {"Authorization": f"Bearer {by}"} | more.pop("headers", {})
        return self.http.request(method, self.base + path, headers=headers, json=body, **more)

    def told(self, path: str, by: str = "ada", **params: str | int) -> Json:
        return done(self.call("GET", path, by, params=params))

    def does(self, path: str, by: str, said: Json | None = None) -> Json:
        return done(self.call("POST", path, by, said or {}))


class StoryTable:
    """A table's controller, with meters of its own."""

    def __init__(self, service: StoryService, name: str) -> None:
        self._service, self.name = service, name
        self.round = 0
        self.meters: Json = {"first": 1, "round": 0, "rounds": 0, "bets": 0, "returned": 0, "awards": 0}

    def says(self, what: str, body: Json) -> Json:
        service = self._service
        stamp = {"sent_at": service.now} | ({"closed_at": service.now} if what == "bets" else {})
        place = what if what == "heartbeat" else f"rounds/{self.round}/{what}"
        method = "POST" if what == "heartbeat" else "PUT"
        path = f"/v1/tables/{self.name}/{place}"
        answer = done(service.call(method, path, self.name, stamp | body))
        service.clock.time += 10 * MILLISECOND
        return answer

    def beats(self, **wrong: int) -> Json:
        """With its meters, once it has played; `wrong` is what they show by mistake."""
        meters = {"meters": self.meters | wrong} if self.round else {}
        return self.says("heartbeat", {"in_play": True} | meters)

    def plays(self, hands: dict[int, str | None], *, final: bool = True) -> Json:
        """A round with the prescribed bet on each of these boxes."""
        self.round += 1
        boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in hands]
        taken = self.says("bets", {"boxes": boxes})
        shown = [
            {"box": box} | ({"revealed": False} if cards is None else {"cards": cards.split()})
            for box, cards in hands.items()
        ]
        answer = self.says("hands", {"hands": shown, "final": final})
        self.meters["round"] = self.round
        self.meters["rounds"] += 1
        self.meters["bets"] += sum(one["progressive"] for one in taken["accepted"])
        self.meters["awards"] += sum(one["award"] for one in answer["results"] if one["level"] == "minor")
        return answer


@contextmanager
def telling(url: str, folder: Path) -> Iterator[StoryService]:
    service = StoryService(url, folder)
    try:
        service.start()
        yield service
    finally:
        service.close()
