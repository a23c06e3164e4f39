"""The client on a bad network, with the service killed, and killed itself: nothing lost, nothing twice.

On SQLite: that both stores are alike, the book's own tests prove. No client here falls back because the
machine is slow; what a test waits for is an event, and a minute is its limit.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

from jackpot.book.book import Book
from jackpot.book.checking.verify import Verifier
from jackpot.book.stores.addresses import existing_store
from jackpot.client import Bets, Clocks, Hand
from jackpot.core.instants import SECOND, spoken_instant
from jackpot.link import facts
from tests.callers import Floor, done
from tests.forking import forked
from tests.proxy import CUTS, KINDS, UNDISTURBED, proxied
from tests.service import SEED, Forked, Served, Service, full_floor, tables_of
from tests.table_player import ONE_TRY, PATIENT, TablePlayer, client_of, play_until_killed
from tests.waiting import eventually

LINKS = [f"link-{number}" for number in range(1, 12)]
KILLS = 4
BAD = (*CUTS * 2, "swallow", *UNDISTURBED * 24)
"""A third of all requests; a swallowed one costs as long as an attempt is waited for."""
ROYAL = ("Ah", "Kh", "Qh", "Jh", "10h")
BETS = [Bets(box=1, ante=2500, progressive=500), Bets(box=2, ante=2500, progressive=500)]
SERVED: Callable[[TablePlayer], int] = attrgetter("served")
LOCAL: Callable[[TablePlayer], int] = attrgetter("local")
KINDS_OF_FACT = {facts.BetsClosed: "bets", facts.HandsReported: "hands", facts.RoundVoided: "void"}


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """For the tests that do not kill it, with a link for each."""
    folder = tmp_path_factory.mktemp("service")
    served = Forked(f"sqlite+aiosqlite:///{folder / 'book.db'}", full_floor(*LINKS), folder)
    try:
        served.start()
        yield served
        assert served.stop() == 0
    finally:
        served.close()


@pytest.fixture
def floor(service: Service) -> Floor:
    """Its log may tell of trouble: here callers hang up in the middle of what they say."""
    return Floor(service, service.next_link())


@pytest.fixture
def mortal(sqlite_url: str, tmp_path: Path) -> Iterator[Service]:
    served = Forked(sqlite_url, full_floor("main"), tmp_path)
    try:
        served.start()
        yield served
    finally:
        served.close()


async def until(happens: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not happens():
            await asyncio.sleep(0.01)


async def more(count: Callable[[TablePlayer], int], players: Iterable[TablePlayer]) -> None:
    """Until each of them has heard a few answers more of that kind."""
    wanted = [(player, count(player) + 3) for player in players]
    await until(lambda: all(count(player) >= enough for player, enough in wanted))


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


async def on_record(service: Served, link: str) -> list[facts.Fact]:
    """The link's journal, if its book is found in order."""
    store = existing_store(service.url)
    try:
        await Verifier(store, link).verify()
        return [entry.fact async for entry in Book(store).since(link)]
    finally:
        await store.close()


def check_told(found: list[facts.Fact], players: dict[str, TablePlayer]) -> None:
    """On record is what was said, in that order and nothing else."""
    for table, player in players.items():
        assert story(found, table) == player.said
        assert accepted(found, table) == player.accepted


async def back(player: TablePlayer) -> None:
    await until(lambda: not player.client.offline and player.client.trouble is None)


async def test_a_network_that_cuts_delays_repeats_and_swallows_changes_nothing(
    floor: Floor, tmp_path: Path
) -> None:
    rng, players = Random("network"), dict[str, TablePlayer]()
    # It ends what was swallowed. A machine that needs longer for the rest is only asked more often.
    patience = replace(PATIENT, attempt=1.0)
    async with proxied(floor.service.port, rng, BAD) as proxy:
        for table in (floor.stud2.table, floor.holdem.table):
            async with client_of(
                proxy.url, table, tmp_path, patience=patience, heartbeat_every=1.0
            ) as client:
                players[table] = TablePlayer(client, table, rng)
                await players[table].play(rounds=10)
                assert players[table].local == 0
                await proxy.finish()
                await agree(floor.service, floor.link, [table])
    assert set(proxy.befell) == {*KINDS, *UNDISTURBED}, proxy.befell
    check_told(await on_record(floor.service, floor.link), players)


async def test_a_service_killed_again_and_again_loses_and_doubles_nothing(
    mortal: Service, tmp_path: Path
) -> None:
    """One table waits for it however long that takes; the others go on alone at once."""
    waiting, *hasty = tables_of("main")[:3]
    patience = {waiting: PATIENT} | dict.fromkeys(hasty, ONE_TRY)
    players = {
        table: TablePlayer(client_of(mortal.base, table, tmp_path, patience=own), table, Random(table))
        for table, own in patience.items()
    }
    async with asyncio.TaskGroup() as playing:
        for player in players.values():
            playing.create_task(at_the_table(player))
        for alone in (True, False, True):
            await more(SERVED, players.values())
            await asyncio.to_thread(mortal.kill)
            if alone:
                await more(LOCAL, [players[table] for table in hasty])
            await asyncio.to_thread(mortal.start)
        await more(SERVED, players.values())
        for player in players.values():
            player.stopping = True
    await agree(mortal, "main", players)
    assert await asyncio.to_thread(mortal.stop) == 0
    check_told(await on_record(mortal, "main"), players)
    assert players[waiting].local == 0
    assert all(any(player.accepted.values()) for player in players.values())


async def at_the_table(player: TablePlayer) -> None:
    async with player.client as client:
        await player.play(pause=0.5)
        await back(player)
        assert client.refused() == []
        await client.heartbeat()


async def agree(service: Served, link: str, tables: Iterable[str]) -> None:
    """What the controllers have counted, come what may, is what the House has; marks of heartbeats are in the
    book soon."""

    async def compared() -> bool:
        told = await asyncio.to_thread(service.get, f"/v1/links/{link}/reconciliation", "sue")
        found = [one for one in done(told)["tables"] if one["table"] in tables]
        assert [one for one in found if one["difference"]] == []
        return all(one["agreed"] == one["round"] and one["told"] == one["house"] for one in found)

    await eventually(compared)


@pytest.mark.parametrize("fate", ["cut_before", "cut_after"])
async def test_bets_without_an_answer_are_void_whether_they_arrived_or_not(
    floor: Floor, tmp_path: Path, fate: str
) -> None:
    table = floor.stud.table
    async with (
        proxied(floor.service.port, Random(1)) as proxy,
        client_of(proxy.url, table, tmp_path) as client,
    ):
        player = TablePlayer(client, table, Random(1))
        await player.round(1)
        before = floor.meter()["value"]
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
        assert floor.meter()["value"] == before + won
    found = await on_record(floor.service, floor.link)
    assert story(found, table) == expected
    assert accepted(found, table) == {**player.accepted, 2: 0, 3: 0}
    declared = [fact for fact in found if isinstance(fact, facts.MalfunctionDeclared)]
    assert [fact.offline is not None and fact.offline.cards_seen for fact in declared] == [False]


async def test_a_replay_on_a_bad_network_is_as_good_as_one(floor: Floor, tmp_path: Path) -> None:
    """Every message that is cut takes the table off; its replay is cut, repeated and delayed too."""
    rng, table = Random("replay"), floor.holdem.table
    swallowing = replace(ONE_TRY, attempt=2.0)
    async with (
        proxied(floor.service.port, rng, (*CUTS, *UNDISTURBED * 14)) as proxy,
        client_of(proxy.url, table, tmp_path, patience=swallowing) as client,
    ):
        player = TablePlayer(client, table, rng)
        async with asyncio.TaskGroup() as playing:
            playing.create_task(player.play(pause=0.1))
            for fate in ("cut_before", "cut_after", "swallow", "cut_after"):
                await more(SERVED, [player])
                proxy.fate = fate
                await more(LOCAL, [player])
                proxy.fate = None
            player.stopping = True
        await back(player)
        await proxy.finish()
        assert client.refused() == []
    check_told(await on_record(floor.service, floor.link), {table: player})


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("fate", ["cut_before", "cut_after"])
async def test_a_royal_of_a_seen_round_is_paid_the_value_its_table_was_told(
    floor: Floor, tmp_path: Path, fate: str, restarted: bool
) -> None:
    table, other_table, base = floor.stud.table, floor.stud2.table, floor.service.base
    async with proxied(floor.service.port, Random(2)) as proxy:
        async with (
            client_of(base, other_table, tmp_path) as other,
            client_of(proxy.url, table, tmp_path) as client,
        ):
            await client.close_bets(1, BETS)
            proxy.fate = fate
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
                await back(TablePlayer(client, table, Random()))
        proxy.fate = None
        async with client_of(base, other_table, tmp_path), client_of(proxy.url, table, tmp_path) as client:
            assert not client.offline
            await paid(floor)
            assert client.refused() == []
    found = await on_record(floor.service, floor.link)
    (win,) = [fact for fact in found if isinstance(fact, facts.WinPaid)]
    assert win.amount == promised
    assert story(found, table) == [("bets", 1), ("hands", 1)]


async def test_a_deal_reported_as_before_its_bets_were_answered_is_cut_and_alerted(
    floor: Floor, tmp_path: Path
) -> None:
    """The dealer closes the bets, deals at once, and reports the bets ten seconds later."""
    table, later = floor.stud.table, 0
    clocks = Clocks(steady=lambda: time.monotonic_ns() + later)
    settings = {"clocks": clocks, "heartbeat_every": None}
    async with client_of(floor.service.base, table, tmp_path, **settings) as client:
        client.no_more_bets()
        too_early = client.now()
        later = 10 * SECOND * 1000
        await client.close_bets(1, BETS)
        hands = [Hand(box=1, cards=ROYAL, dealt_at=too_early), Hand(box=2, revealed=False)]
        told = await client.report_hands(1, hands)
        assert told.results[0].level == "major"
        (win,), shown = floor.get("wins").json()["wins"], at_the_house(floor, table)
    assert win["interval"] == win["witnessed"]
    assert win["interval"]["from"] == shown["round"]["journalled_at"]
    assert [one["code"] for one in shown["alerts"]] == ["dealt_outside"]
    (closed,) = floor.get(f"journal?kind=BetsClosed&table={table}").json()["entries"]
    assert win["interval"]["from"] <= closed["at"]  # by what the replica's house time may be wrong


async def test_the_house_measures_a_clock_that_is_an_hour_slow(floor: Floor, tmp_path: Path) -> None:
    """By echoes, so that the stamp of an honest deal counts."""
    table, late = floor.stud.table, 3600 * SECOND
    slow = Clocks(wall=lambda: time.time_ns() - late * 1000)
    async with client_of(floor.service.base, table, tmp_path, clocks=slow, heartbeat_every=None) as client:
        await client.close_bets(1, BETS)
        dealt_at = client.now()
        await client.report_hands(1, [Hand(box=1, cards=ROYAL, dealt_at=dealt_at)])
        (win,), shown = floor.get("wins").json()["wins"], at_the_house(floor, table)
    clock = shown["clock"]
    assert clock["offset_from_us"] <= late <= clock["offset_to_us"]
    assert clock["word"] is None
    assert shown["alerts"] == []
    assert win["interval"]["from"] <= spoken_instant(dealt_at + late) <= win["interval"]["to"]


def at_the_house(floor: Floor, table: str) -> Any:
    """The table as people see it."""
    return next(one for one in floor.get("tables").json()["tables"] if one["id"] == table)


async def paid(floor: Floor) -> None:
    """Two people approve what waits, and it is paid."""
    wins: list[Any] = []
    async with asyncio.timeout(60):
        while not wins or wins[0]["state"] != "paid":
            wins = floor.get("wins", "ana").json()["wins"]
            for person in ("ana", "ben") if wins and not wins[0]["approvals"] else ():
                floor.approve(wins[0]["id"], person)
            await asyncio.sleep(0.05)


async def test_a_controller_killed_again_and_again_loses_and_doubles_nothing(
    floor: Floor, tmp_path: Path
) -> None:
    rng, ledger = Random(9), tmp_path / "ledger"
    table, base = floor.stud.table, floor.service.base
    for number in range(KILLS):
        known = size(ledger)
        worker = forked.Process(target=play_until_killed, args=(base, table, tmp_path, number), daemon=True)
        worker.start()
        try:
            await until(lambda: not worker.is_alive() or size(ledger) >= known + 300)  # noqa: B023
            assert worker.is_alive()
            await asyncio.sleep(rng.uniform(0, 0.05))
        finally:
            worker.kill()
            worker.join()
    async with client_of(base, table, tmp_path, patience=PATIENT) as client:
        last = [(one.kind, one.round) for one, _ in client.delivered]
        assert client.refused() == []
    check_ledger(await on_record(floor.service, floor.link), table, ledger.read_text(), last)


def size(file: Path) -> int:
    return file.stat().st_size if file.exists() else 0


def check_ledger(found: list[facts.Fact], table: str, ledger: str, last: list[tuple[str, int]]) -> None:
    """Everything answered is on record once; nothing is there that was not at least begun."""
    told, begun = story(found, table), Counter[tuple[str, int]]()
    answered: Counter[tuple[str, int]] = Counter(last)
    stands = accepted(found, table)
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
