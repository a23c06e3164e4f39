"""The meters of table controllers in the book: compared from memory, kept with contacts, and verified."""

from __future__ import annotations

import pytest

from jackpot.book.checking.verify import Verifier
from jackpot.book.writing import writer
from jackpot.link.commands import Heartbeat, MendMeters
from jackpot.link.meters import Difference, Meters, MetersTold
from tests.book_floor import LINK, BookFloor, furnished_floor


@pytest.fixture(autouse=True)
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writer, "MARKED_FOR", 3600.0)
    monkeypatch.setattr(writer, "FRESH", 3600.0)


def telling(floor: BookFloor, round: int, bets: int) -> Heartbeat:
    meters = Meters(rounds=round, bets=bets)
    return floor.heartbeat("s1", meters=MetersTold(round=round, first=1, meters=meters))


async def lost(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    floor.wait(1)
    await floor.submit(floor.hands("s1", {1: None}, final=True))


async def difference(floor: BookFloor) -> Difference | None:
    return (await floor.state()).tables["s1"].difference


async def test_meters_that_agree_commit_nothing_and_a_new_process_knows_how_far(url: str) -> None:
    async with furnished_floor(url) as floor:
        for number in (1, 2, 3):
            await lost(floor)
            for _ in range(2):
                await floor.submit(telling(floor, number, 500 * number))
            before = await floor.versions()
            await floor.submit(telling(floor, number, 500 * number))
            assert await floor.versions() == before
        await floor.reopen()
        await lost(floor)
        await floor.submit(telling(floor, 4, 1500))
        found = await difference(floor)
        assert found is not None
        assert (found.after, found.rounds) == (3, (4,))
        await floor.submit(telling(floor, 4, 1500))
        before = await floor.versions()
        await floor.submit(telling(floor, 4, 1500))
        assert await floor.versions() == before, "a difference is written once"


async def test_a_book_with_differences_is_verified_and_made_anew_from_its_journal(url: str) -> None:
    async with furnished_floor(url) as floor:
        for number, bets in ((1, 500), (2, 900), (3, 1400)):
            await lost(floor)
            await floor.submit(telling(floor, number, bets))
        first = await difference(floor)
        assert first is not None
        assert first.rounds == (2,)
        await floor.act(MendMeters(person="sue", difference=first.id, reason="seen on camera"))
        await lost(floor)
        await floor.submit(telling(floor, 4, 2100))
        await Verifier(floor.book.store, LINK).verify()
        second = await difference(floor)
        assert second is not None
        assert (second.told, second.house) == (Meters(rounds=4, bets=2100), Meters(rounds=4, bets=1900))
