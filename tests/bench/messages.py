"""What each message of a table costs the service over HTTP, in polls of the meter.

64 callers on one connection each, that send the next message when the last is answered; one kind of message
after the other, in turns, on one service with PostgreSQL and fsync, beside `pgbench` on one hot row and a
bare group commit of rows as large. What is compared is the CPU of the serving process: it depends little on
what else the machine does, and a poll measured in the same turn is its unit.

With `JACKPOT_BEFORE` an older tree of this project serves too, in the same turns.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import re
import tempfile
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from jackpot.games.blackjack import BLACKJACK_GAMES
from tests.bench.book import Tell, bare_rate, furnished, pgbench_rate, prepare_hot
from tests.bench.polls import Rates, poll_lines, poll_rates
from tests.bench.rounds import DECKS, Json, Round, blackjack_rounds, holdem_rounds, stud_rounds
from tests.bench.timing import cpu_of, machine
from tests.servers import Postgres
from tests.service import FloorFile, Service, link_entry, serving, token_of

TABLES = 64
"""Of each game."""
STUD, HOLDEM = "casino_stud", "texas_holdem"
Request = tuple[str, str, Json | None]
"""Method, path and body."""
Requests = Generator[Request, bytes, None]
"""What somebody says, message by message; it is sent the answer to the last."""
_REPLIED = re.compile(rb'"replied_at":"([^"]+)"')


@dataclass
class Table:
    """The controller of one table: what it says, message by message."""

    name: str
    rounds: Iterator[Round]
    number: int = 0

    def polling(self) -> Requests:
        while True:
            yield "GET", "/v1/links/main/meter", None

    def beating(self) -> Requests:
        while True:
            yield "POST", f"/v1/tables/{self.name}/heartbeat", {"in_play": True}

    def betting(self) -> Requests:
        bets, _ = next(self.rounds)
        while True:
            yield self._bets(bets)

    def playing(self) -> Requests:
        while True:
            bets, hands = next(self.rounds)
            yield self._bets(bets)
            yield "PUT", f"/v1/tables/{self.name}/rounds/{self.number}/hands", hands

    def _bets(self, bets: Json) -> Request:
        self.number += 1
        return "PUT", f"/v1/tables/{self.name}/rounds/{self.number}/bets", bets | {"closed_at": STAMP}


@dataclass(frozen=True)
class Site:
    """A gateway: it speaks for all these tables in each message."""

    tables: list[str]

    def beating(self) -> Requests:
        echoes: dict[str, Json] = {}
        while True:
            events = [{"table": one, "kind": "heartbeat", "sent_at": STAMP} | echoes for one in self.tables]
            told = yield "POST", f"/v1/sites/{SITE}/events", {"events": events}
            answers = json.loads(told.partition(b"\r\n\r\n")[2])["answers"]
            if any(one["status"] != 200 for one in answers):
                raise AssertionError(answers)
            echoes = {"echo": {"replied_at": answers[0]["answer"]["replied_at"], "heard_at": _now()}}


STAMP = "@now@"
SITE, GATEWAY_TABLES = "bench", 100


@dataclass
class Loop:
    """Until when callers go on, and how long each waited."""

    end: float
    waits: list[float] = field(default_factory=list)


class Caller(asyncio.Protocol):
    """One connection: the next request goes out when the last is answered."""

    def __init__(self, token: str, requests: Requests, loop: Loop, done: asyncio.Future[None]) -> None:
        self._requests, self._loop, self._done = requests, loop, done
        self._head = f"Host: bench\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\n"
        self._transport: Any = None
        self._sent = 0.0
        self._echo: Json = {}
        self._heard = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self._transport = transport
        self._say(next(self._requests))

    def data_received(self, data: bytes) -> None:
        self._heard += data
        head, found, body = self._heard.partition(b"\r\n\r\n")
        if not found or len(body) < length_of(head):
            return
        if not head.startswith(b"HTTP/1.1 20"):
            self._fail(self._heard)
            return
        self._answered(time.perf_counter())

    def _answered(self, now: float) -> None:
        self._loop.waits.append(now - self._sent)
        if replied := _REPLIED.search(self._heard[-80:]) or _REPLIED.search(self._heard):
            self._echo = {"echo": {"replied_at": replied[1].decode(), "heard_at": _now()}}
        told, self._heard = self._heard, b""
        if now < self._loop.end:
            self._say(self._requests.send(told))
        else:
            self._transport.close()

    def connection_lost(self, _why: Exception | None) -> None:
        if not self._done.done():
            self._done.set_result(None)

    def _fail(self, data: bytes) -> None:
        if not self._done.done():
            self._done.set_exception(AssertionError(data[:1000].decode()))

    def _say(self, request: Request) -> None:
        method, path, body = request
        said = ""
        if body is not None:
            now = _now()
            whole = body if "events" in body else body | self._echo | {"sent_at": now}
            said = json.dumps(whole, separators=(",", ":")).replace(STAMP, now)
        sent = f"{method} {path} HTTP/1.1\r\n{self._head}Content-Length: {len(said)}\r\n\r\n{said}".encode()
        self._sent = time.perf_counter()
        self._transport.write(sent)


def _now() -> str:
    return datetime.now(UTC).isoformat()


def length_of(head: bytes) -> int:
    at = head.lower().find(b"content-length:")
    return int(head[at + 15 :].split(b"\r\n", 1)[0]) if at >= 0 else 0


@dataclass(frozen=True, slots=True)
class Cost:
    """Of one kind of message in one turn."""

    cpu: float
    """Microseconds of the service a message."""
    rate: float
    middle: float
    slowest: float
    """Milliseconds: the median, and what one answer in a hundred exceeds."""


async def cost_of(service: Service, requests: list[tuple[str, Requests]], seconds: float) -> Cost:
    """Of so many callers, each with its table's token."""
    loop, pid = asyncio.get_running_loop(), service.process.pid
    cpu, began = cpu_of(pid), time.perf_counter()
    shared, waiting = Loop(began + seconds), list[asyncio.Future[None]]()
    for table, said in requests:
        done: asyncio.Future[None] = loop.create_future()
        waiting.append(done)
        caller = Caller(token_of(table), said, shared, done)
        await loop.create_connection(lambda made=caller: made, "127.0.0.1", service.port)  # type: ignore[misc]
    await asyncio.gather(*waiting)
    taken, spent, waits = time.perf_counter() - began, cpu_of(pid) - cpu, sorted(shared.waits)
    count = len(waits)
    return Cost(spent / count * 1e6, count / taken, waits[count // 2] * 1e3, waits[count * 99 // 100] * 1e3)


SPOKEN_FOR = [f"site-{number:03d}" for number in range(GATEWAY_TABLES)]


def tables_of(game: str) -> list[str]:
    return [f"{game}-{number:02d}" for number in range(TABLES)]


def bench_floor() -> FloorFile:
    floor = FloorFile(link=[link_entry("main")])
    floor.pit.append({"id": "pit", "name": "Blackjack", "currency": "SGD"})
    floor.link.append(link_entry("quiet"))
    for table in SPOKEN_FOR:
        floor.table.append({"id": table, "link": "quiet", "game": STUD, "boxes": 7})
    floor.add_credential(SITE, "gateway", site=SITE, tables=SPOKEN_FOR)
    for game in (STUD, HOLDEM):
        for table in tables_of(game):
            floor.table.append({"id": table, "link": "main", "game": game, "boxes": 7})
            floor.add_credential(table, "table", table=table)
    for game, rules in BLACKJACK_GAMES.items():
        about = {"pit": "pit", "game": game.value, "boxes": rules.most_boxes or 7, "decks": DECKS}
        for table in tables_of(game.value):
            floor.table.append({"id": table} | about)
            floor.add_credential(table, "table", table=table)
    return floor


def players(chance: random.Random) -> dict[str, list[Table]]:
    """By game."""
    found = {STUD: [Table(one, stud_rounds(chance)) for one in tables_of(STUD)]}
    found[HOLDEM] = [Table(one, holdem_rounds(chance)) for one in tables_of(HOLDEM)]
    for game, rules in BLACKJACK_GAMES.items():
        found[game.value] = [Table(one, blackjack_rounds(chance, rules)) for one in tables_of(game.value)]
    return found


# The run

PAGE = Path(__file__).parents[2] / "docs" / "benchmarks-messages.md"
SECONDS, TURNS = 4.0, 3
POLL, BETS, BEAT, GATEWAY = "a poll of the meter", "bets", "a heartbeat", "a heartbeat through a gateway"
ROUND = "a whole round of "
BEFORE = os.environ.get("JACKPOT_BEFORE")
"""Where an older tree lies."""
BESIDE = {"pgbench, 16 clients, one hot row": "transactions", "a bare group commit": "calls"}


def kinds(tables: dict[str, list[Table]]) -> dict[str, tuple[list[tuple[str, Requests]], int, int]]:
    """Who says what, how many messages one of it is, and how many of it are in one message."""
    stud = tables[STUD]
    found: dict[str, tuple[list[tuple[str, Requests]], int, int]] = {
        POLL: ([(one.name, one.polling()) for one in stud], 1, 1),
        BETS: ([(one.name, one.betting()) for one in stud], 1, 1),
        BEAT: ([(one.name, one.beating()) for one in stud], 1, 1),
        GATEWAY: ([(SITE, Site(SPOKEN_FOR).beating())], 1, GATEWAY_TABLES),
    }
    for game, players in tables.items():
        found[ROUND + game] = ([(one.name, one.playing()) for one in players], 2, 1)
    return found


async def turn(
    service: Service, tables: dict[str, list[Table]], tell: Tell, but: str = ""
) -> dict[str, Cost]:
    found: dict[str, Cost] = {}
    for name, (requests, messages, each) in kinds(tables).items():
        if name == but:
            continue
        tell(f"  {name}")
        cost = await cost_of(service, requests, SECONDS)
        found[name] = replace(cost, cpu=cost.cpu * messages / each, rate=cost.rate * each / messages)
    return found


class Older:
    """An older tree, that knows no gateways."""

    def __init__(self, tree: str, url: str, folder: Path) -> None:
        floor = bench_floor()
        floor.credential = [one for one in floor.credential if one["role"] != "gateway"]
        folder.mkdir()
        self.service = Service(url, floor, folder, PYTHONPATH=tree)
        self.tables = players(random.Random(1))
        self.costs = defaultdict[str, list[Cost]](list)

    async def turn(self, tell: Tell) -> None:
        for name, cost in (await turn(self.service, self.tables, tell, but=GATEWAY)).items():
            self.costs[name].append(cost)


@contextmanager
def older(url: str, folder: Path) -> Iterator[Older | None]:
    if BEFORE is None:
        yield None
        return
    found = Older(BEFORE, url, folder / "older")
    try:
        found.service.start()
        yield found
    finally:
        found.service.close()


async def measured(server: Postgres, folder: Path, tell: Tell) -> Found:
    await prepare_hot(server)
    tables, found = players(random.Random(1)), defaultdict[str, list[Cost]](list)
    beside: list[list[float]] = [[], []]
    with (
        older(await server.create("older"), folder) as before,
        serving(await server.create("messages"), bench_floor(), folder) as service,
    ):
        for number in range(TURNS):
            tell(f"messages, turn {number + 1} of {TURNS}")
            beside[0].append(await asyncio.to_thread(pgbench_rate, server, "hot"))
            bare = await bare_rate(await furnished(await server.create(f"bare{number}")))
            beside[1].append(bare.bets_per_second / 7)
            if before is not None:
                tell("  the older tree")
                await before.turn(tell)
            for name, cost in (await turn(service, tables, tell)).items():
                found[name].append(cost)
        polls = await asyncio.to_thread(poll_rates, service, folder, tables[STUD][0].name, tell)
        verified = service.verify()
        if verified.returncode:
            raise AssertionError(verified.stdout + verified.stderr)
    return Found(found, beside, polls, {} if before is None else before.costs)


class Found(NamedTuple):
    costs: dict[str, list[Cost]]
    beside: list[list[float]]
    """What a second of pgbench and of the bare group commit does, turn by turn."""
    polls: Rates
    before: dict[str, list[Cost]]
    """Of an older tree."""


def _since(found: Found) -> list[str]:
    if not found.before:
        return []
    rows: list[str] = []
    for name, costs in found.before.items():
        turns = zip(costs, found.before[POLL], found.costs[name], strict=True)
        figures = [
            (old.cpu, new.cpu, new.cpu / old.cpu, old.cpu / poll.cpu, new.cpu / poll.cpu, old.rate)
            for old, poll, new in turns
        ]
        before, now, ratio, then, since, rate = (median(one) for one in zip(*figures, strict=True))
        rows.append(
            f"| {name} | {before:,.1f} | {now:,.1f} | {ratio:.2f} | {then:.2f} | {since:.2f} | {rate:,.0f} |"
        )
    return [
        "An older tree, from before messages had doors of their own, in the same turns on a book of its own.",
        "A poll is cheaper too by now: `polls of then` counts before and now in what a poll cost there.",
        "",
        "| | CPU before, µs | now, µs | ratio | before, in polls of then | now, in these | a second before |",
        "|---|---:|---:|---:|---:|---:|---:|",
        *rows,
        "",
    ]


def page(measured: Found) -> str:
    found, beside = measured.costs, measured.beside
    polls = {
        name: median(one.cpu / poll.cpu for one, poll in zip(costs, found[POLL], strict=True))
        for name, costs in found.items()
    }
    hot = median(beside[0])
    stud, rate = polls[ROUND + STUD], median(one.rate for one in found[ROUND + STUD])
    dearest = max(polls[ROUND + game.value] for game in BLACKJACK_GAMES)
    ratios = [
        ("a whole round of Casino Stud, in polls", stud, "at most 19, better 14"),
        ("a round of Hold'em to one of Casino Stud", polls[ROUND + HOLDEM] / stud, "at most 1.3"),
        ("the dearest round of blackjack to one of Casino Stud", dearest / stud, "at most 1.5"),
        ("bets alone, in polls", polls[BETS], "at most 6"),
        ("a heartbeat, in polls", polls[BEAT], "at most 2.5"),
        (
            f"a heartbeat through a gateway of {GATEWAY_TABLES} tables, in polls",
            polls[GATEWAY],
            "at most 0.5",
        ),
        ("rounds of Casino Stud a second to transactions of pgbench", rate / hot, ""),
        (
            "bets of seven boxes a second to transactions of pgbench",
            7 * median(one.rate for one in found[BETS]) / hot,
            "",
        ),
    ]
    return "\n".join(
        [
            "# Benchmarks of messages",
            "",
            f"Written by `make bench` on: {machine()}; PostgreSQL with fsync, one process of the service,",
            f"and what asks it, on the same machine. {TABLES} callers in a closed loop (the gateway: one,",
            f"for {GATEWAY_TABLES} tables), {SECONDS:.0f} s a turn, medians of {TURNS} turns. A round is two",
            "messages: bets of seven boxes (Free Bet Blackjack: six) and final hands with their settlement.",
            "",
            "| | CPU of the service, µs | in polls | a second | median, ms | 99 of 100 within, ms |",
            "|---|---:|---:|---:|---:|---:|",
            *(_row(name, costs, polls[name]) for name, costs in found.items()),
            *(
                f"| {name} ({unit}) | | | {median(rates):,.0f} | | |"
                for (name, unit), rates in zip(BESIDE.items(), beside, strict=True)
            ),
            "",
            "| ratio | measured | we aim for |",
            "|---|---:|---|",
            *(f"| {name} | {ratio:.2f} | {aim} |" for name, ratio, aim in ratios),
            "",
            *_since(measured),
            *poll_lines(measured.polls),
            "Afterwards `jackpot verify` found no difference in the journals that this wrote.",
            "",
        ]
    )


def _row(name: str, costs: list[Cost], polls: float) -> str:
    cpu, rate, middle, slowest = (
        median(getattr(one, part) for one in costs) for part in ("cpu", "rate", "middle", "slowest")
    )
    return f"| {name} | {cpu:,.1f} | {polls:.2f} | {rate:,.0f} | {middle:.1f} | {slowest:.1f} |"


def main(tell: Tell) -> str:
    server = Postgres()
    try:
        server.start()
        with tempfile.TemporaryDirectory() as folder:
            return page(asyncio.run(measured(server, Path(folder), tell)))
    finally:
        server.remove()
