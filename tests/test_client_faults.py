"""The client on a bad network, with the service killed, and killed itself: nothing lost, nothing twice."""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from api.client import Bets, Hand, Patience
from jackpot import facts
from jackpot.book.book import Book
from jackpot.book.verify import Verifier
from tests.proxy import KINDS, proxied
from tests.service import SEED, FloorFile, Service, full_floor
from tests.table_player import TablePlayer, client_of

TABLES = ("stud-01", "stud-02", "holdem-01")
LINK = "main"
KILLS = 5
PATIENT = Patience(whole=20, attempt=0.4, first_wait=0.02, longest_wait=0.1)
ROYAL = ("Ah", "Kh", "Qh", "Jh", "10h")
BETS = [Bets(box=1, ante=2500, progressive=500), Bets(box=2, ante=2500, progressive=500)]
KINDS_OF_FACT = {facts.BetsClosed: "bets", facts.HandsReported: "hands", facts.RoundVoided: "void"}


def floor_file() -> FloorFile:
    floor = full_floor()
    floor.link.append(
        {
            "id": LINK,
            "name": "Multi-Link Progressive",
            "currency": "SGD",
            "seed": SEED,
            "progressive_bet": 500,
            "meter_ppm": 400_000,
            "reserve_ppm": 50_000,
        }
    )
    for table in TABLES:
        floor.add_table(table, LINK)
    return floor


@pytest.fixture
def service(url: str, tmp_path: Path) -> Iterator[Service]:
    served = Service(url, floor_file(), tmp_path)
    try:
        served.start()
        yield served
    finally:
        served.close()


def about(found: list[facts.Fact], table: str) -> list[Any]:
    return [fact for fact in found if type(fact) in KINDS_OF_FACT and getattr(fact, "table", "") == table]


def story(found: list[facts.Fact], table: str) -> list[tuple[str, int]]:
    return [(KINDS_OF_FACT[type(fact)], fact.round) for fact in about(found, table)]


def accepted(found: list[facts.Fact], table: str) -> dict[int, int]:
    """What stands of each round's progressive bets."""
    stands: dict[int, int] = {}
    for fact in about(found, table):
        if isinstance(fact, facts.BetsClosed):
            stands[fact.round] = sum(box.progressive for box in fact.boxes)
        elif isinstance(fact, facts.RoundVoided):
            stands[fact.round] = 0
    return stands


async def settled(service: Service) -> list[facts.Fact]:
    """The journal, once the service has stopped and the book is found in order."""
    assert await asyncio.to_thread(service.stop) == 0
    book = await Book.open(service.url)
    try:
        await Verifier(book.store, LINK).verify()
        return [entry.fact async for entry in book.since(LINK)]
    finally:
        await book.close()


def check_told(found: list[facts.Fact], players: dict[str, TablePlayer]) -> None:
    """On record is what was said, in that order and nothing else."""
    for table, player in players.items():
        assert story(found, table) == player.said
        assert accepted(found, table) == player.accepted


async def back(player: TablePlayer) -> None:
    async with asyncio.timeout(60):
        while player.client.offline or player.client.trouble is not None:
            await asyncio.sleep(0.05)


async def test_a_network_that_cuts_delays_repeats_and_swallows_changes_nothing(
    service: Service, tmp_path: Path
) -> None:
    rng = Random(f"network {service.url[:6]}")
    players: dict[str, TablePlayer] = {}
    async with proxied(service.port, rng, mischief=0.35) as proxy:
        for table in TABLES[1:]:
            async with client_of(proxy.url, table, tmp_path, patience=PATIENT) as client:
                players[table] = TablePlayer(client, table, rng)
                await players[table].play(rounds=15)
                assert players[table].local == 0
                await proxy.finish()
    assert set(proxy.befell) == {*KINDS, "pass"}, proxy.befell
    check_told(await settled(service), players)


async def test_a_service_killed_again_and_again_loses_and_doubles_nothing(
    service: Service, tmp_path: Path
) -> None:
    rng = Random(5)
    clients = {table: client_of(service.base, table, tmp_path) for table in TABLES}
    players = {table: TablePlayer(client, table, Random(table)) for table, client in clients.items()}

    async def at_the_table(table: str) -> None:
        async with clients[table]:
            await players[table].play(pause=0.1)
            await back(players[table])
            refused[table] = [
                (one.kind, one.round, one.problem.get("code")) for one in clients[table].refused()
            ]

    refused: dict[str, list[Any]] = {}
    playing = asyncio.gather(*(at_the_table(table) for table in TABLES))
    for _ in range(KILLS):
        await asyncio.sleep(rng.uniform(0.5, 1.5))
        await asyncio.to_thread(service.kill)
        await asyncio.sleep(rng.choice((0, 2.5)))
        await asyncio.to_thread(service.start)
    await asyncio.sleep(1)
    for player in players.values():
        player.stopping = True
    await playing
    found = await settled(service)
    assert refused == {table: [] for table in TABLES}
    check_told(found, players)
    assert sum(player.local for player in players.values()) > 0
    assert any(player.accepted[number] for player in players.values() for number in player.accepted)


@pytest.mark.parametrize("fate", ["cut_before", "cut_after"])
async def test_bets_without_an_answer_are_void_whether_they_arrived_or_not(
    service: Service, tmp_path: Path, fate: str
) -> None:
    async with (
        proxied(service.port, Random(1)) as proxy,
        client_of(proxy.url, "stud-01", tmp_path) as client,
    ):
        player = TablePlayer(client, "stud-01", Random(1))
        await player.round(1)
        before = meter(service)
        proxy.fate = fate
        lost = await client.close_bets(2, BETS)
        assert (lost.local, lost.state) == (True, "voided")
        off = await client.close_bets(3, BETS)
        assert {one.code for one in off.returned} == {"progressive_off"}
        await client.report_hands(3, [Hand(box=1, cards=ROYAL)], final=True)
        proxy.fate = None
        await back(player)
        await player.round(4)
        assert player.local == 0
        assert client.refused() == []
        expected = [*player.said[:3], ("bets", 2), ("void", 2), ("bets", 3), ("hands", 3), *player.said[3:]]
        won = player.accepted[4] * 2 // 5
        assert meter(service) == before + won
    found = await settled(service)
    assert story(found, "stud-01") == expected
    assert accepted(found, "stud-01") == {**player.accepted, 2: 0, 3: 0}
    declared = [fact for fact in found if isinstance(fact, facts.MalfunctionDeclared)]
    assert [fact.offline is not None and fact.offline.cards_seen for fact in declared] == [False]


async def test_a_replay_on_a_bad_network_is_as_good_as_one(service: Service, tmp_path: Path) -> None:
    rng = Random(f"replay {service.url[:6]}")
    hasty = Patience(whole=0.5, attempt=0.3, first_wait=0.02, longest_wait=0.1)
    async with (
        proxied(service.port, rng, mischief=0.3) as proxy,
        client_of(proxy.url, "holdem-01", tmp_path, patience=hasty) as client,
    ):
        player = TablePlayer(client, "holdem-01", rng)
        playing = asyncio.create_task(player.play(pause=0.1))
        for fate in ("cut_before", "cut_after", "swallow", "cut_after"):
            await asyncio.sleep(1.5)
            proxy.fate = fate
            await asyncio.sleep(1.5)
            proxy.fate = None
        player.stopping = True
        await playing
        await back(player)
        await proxy.finish()
        assert client.refused() == []
        assert player.local > 0
    check_told(await settled(service), {"holdem-01": player})


def meter(service: Service) -> int:
    return int(service.get(f"/v1/links/{LINK}/meter").json()["value"])


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("fate", ["cut_before", "cut_after"])
async def test_a_royal_of_a_seen_round_is_paid_the_value_its_table_was_told(
    service: Service, tmp_path: Path, fate: str, restarted: bool
) -> None:
    async with proxied(service.port, Random(2)) as proxy:
        async with (
            client_of(service.base, "stud-02", tmp_path) as other,
            client_of(proxy.url, "stud-01", tmp_path) as client,
        ):
            await client.close_bets(1, BETS)
            await asyncio.sleep(0.3)
            proxy.fate = fate
            await asyncio.sleep(0.05)
            told = await client.report_hands(
                1, [Hand(box=1, cards=ROYAL, dealt_at=client.now()), Hand(box=2, revealed=False)]
            )
            assert told.local
            promised = told.results[0].promised
            assert promised == SEED + 400
            for number in (1, 2):  # while the first table is alone, another one raises the pool
                await other.close_bets(number, BETS)
                await other.report_hands(number, [], final=True)
            if not restarted:
                proxy.fate = None
                await back(TablePlayer(client, "stud-01", Random()))
        proxy.fate = None
        async with (
            client_of(service.base, "stud-02", tmp_path),
            client_of(proxy.url, "stud-01", tmp_path) as client,
        ):
            assert not client.offline
            await paid(service)
            assert client.refused() == []
    found = await settled(service)
    (win,) = [fact for fact in found if isinstance(fact, facts.WinPaid)]
    assert win.amount == promised
    assert story(found, "stud-01") == [("bets", 1), ("hands", 1)]


async def paid(service: Service) -> None:
    """Two people approve what waits, and it is paid once every table is heard of."""
    wins: list[Any] = []
    async with asyncio.timeout(60):
        while not wins or wins[0]["state"] != "paid":
            wins = service.get(f"/v1/links/{LINK}/wins", by="ana").json()["wins"]
            for person in ("ana", "ben") if wins and not wins[0]["approvals"] else ():
                service.post(f"/v1/links/{LINK}/wins/{wins[0]['id']}/approve", by=person)
            await asyncio.sleep(0.1)


async def test_a_controller_killed_again_and_again_loses_and_doubles_nothing(
    service: Service, tmp_path: Path
) -> None:
    rng, ledger = Random(9), tmp_path / "ledger"
    for number in range(KILLS):
        known = size(ledger)
        worker = subprocess.Popen(
            [sys.executable, "-m", "tests.table_player", service.base, "stud-01", str(tmp_path), str(number)],
            env=os.environ | {"PYTHONPATH": "."},
        )
        try:
            async with asyncio.timeout(60):
                while size(ledger) < known + 300:
                    assert worker.poll() is None
                    await asyncio.sleep(0.01)
            await asyncio.sleep(rng.uniform(0, 0.05))
        finally:
            worker.kill()
            worker.wait()
    async with client_of(service.base, "stud-01", tmp_path) as client:
        last = [(one.kind, one.round) for one, _ in client.delivered]
        assert client.refused() == []
    check_ledger(await settled(service), ledger.read_text(), last)


def size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def check_ledger(found: list[facts.Fact], ledger: str, last: list[tuple[str, int]]) -> None:
    """Everything answered is on record once; nothing is there that was not at least begun."""
    told, begun = story(found, "stud-01"), Counter[tuple[str, int]]()
    answered: Counter[tuple[str, int]] = Counter(last)
    stands = accepted(found, "stud-01")
    for line in ledger.splitlines():
        match line.split():
            case ["closing", number]:
                begun["bets", int(number)] += 1
            case ["hands", number, _]:
                begun["hands", int(number)] += 1
            case ["closed", number, amount, "bets_closed"]:
                answered["bets", int(number)] += 1
                assert stands[int(number)] == int(amount)
            case ["told", number, _]:
                answered["hands", int(number)] += 1
            case ["delivered", kind, number]:
                answered[kind, int(number)] += 1
            case other:
                pytest.fail(f"unforeseen: {other}")
    on_record = Counter(told)
    assert answered <= on_record <= begun
    assert [number for kind, number in told if kind == "bets"] == sorted(stands)
    assert all(count == 1 for (kind, _), count in on_record.items() if kind == "bets")
    assert told == sorted(told, key=lambda one: one[1])
