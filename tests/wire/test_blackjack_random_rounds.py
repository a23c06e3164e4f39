"""Random legal rounds of blackjack over HTTP, each at a table of its own layout, told message by message: the
settlement is line for line that of the plain settlement, and the book verifies."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from jackpot.book.checking.verify import Verifier
from jackpot.games.blackjack import PitGame
from tests import naive_blackjack
from tests.effort import times
from tests.in_process import House, credential, house, people
from tests.pit_house import BlackjackTable
from tests.random_blackjack import RandomRound, random_round
from tests.service import FloorFile, Json

ROUNDS = times(12)
PIT = "random"


def furnished(rounds: list[RandomRound]) -> str:
    floor = FloorFile(pit=[{"id": PIT, "name": "Random rounds", "currency": "SGD"}])
    for number, one in enumerate(rounds):
        floor.table.append({"id": f"t{number}", "pit": PIT} | one.table)
    tables = "".join(credential(f"t{number}", "table", table=f"t{number}") for number in range(len(rounds)))
    return floor.text() + "\n" + tables + people()


def unstamped(message: Json) -> Json:
    return {name: value for name, value in message.items() if not name.endswith("_at")}


async def played(at: House, table: str, one: RandomRound) -> Json:
    controller = BlackjackTable(at, table)
    bets = unstamped(one.bets)
    closed = await controller.bets(*bets.pop("boxes"), **bets)
    assert closed.status_code == 201, (one, closed.text)
    answer: Json = {}
    for message in one.prefixes:
        told = unstamped(message)
        cards = " ".join(told.pop("dealer", {}).get("cards", ()))
        response = await controller.hands(*told.pop("hands", ()), dealer=cards, **told)
        assert response.status_code == 200, (one, response.text)
        answer = response.json()
    return answer


@pytest.mark.parametrize("game", list(PitGame))
async def test_random_rounds_are_settled_as_by_the_plain_settlement(
    game: PitGame, sqlite_url: str, tmp_path: Path
) -> None:
    rng = Random(f"wire {game.value}")
    rounds = [random_round(rng, game.value, plain=number % 3 == 0) for number in range(ROUNDS)]
    async with house(sqlite_url, tmp_path, furnished(rounds)) as at:
        for number, one in enumerate(rounds):
            answer = await played(at, f"t{number}", one)
            assert answer["state"] == "settled"
            assert answer["settlement"] == naive_blackjack.settle(one.table, one.bets, one.hands), one
            assert answer["adjustments"] == []
        verified = await Verifier(at.service.book.store, PIT).verify()
        assert all(table.round is not None and table.round.stands for table in verified.tables.values())
