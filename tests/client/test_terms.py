"""A controller hears of the terms of its table, and plays on by them when nobody answers."""

from __future__ import annotations

from pathlib import Path

import pytest

from jackpot.client import BoxBet, BoxHand, Unreachable
from jackpot.client.jackpot_fallback import JackpotFallback
from jackpot.client.messages import BetsAnswer, HandsAnswer
from jackpot.client.spool import Waiting
from jackpot.games.rulebook import Game
from jackpot.link.state import TableSetup
from jackpot.link.table_terms import TableTerms
from tests.client.test_blackjack_client import at, client, wire_of  # noqa: F401  a fixture
from tests.in_process import House

STAMP = "2026-01-01T00:00:00Z"


async def changed(at: House, table: str, **limits: int) -> None:  # noqa: F811
    said = limits | {"reason": "Friday night"}
    answer = await at.say("POST", f"/v1/tables/{table}/limits", "sue", json=said)
    assert answer.status_code == 200, answer.text


async def test_alone_a_round_is_settled_by_the_limits_with_which_it_began(
    at: House,  # noqa: F811
    tmp_path: Path,
) -> None:
    """And the next one by those that were heard last (5.1.1)."""
    async with client(at, "pp-1", tmp_path) as table:
        await table.close_bets(1, [BoxBet(box=1, bet=600_00)])
        await changed(at, "pp-1", maximum=100_00)
        await table.heartbeat()
        wire_of(table).deaf = True
        hand = BoxHand(box=1, cards=("Tc", "9d"), decision="stand")
        told = await table.report_hands(1, [hand], dealer=["Th", "8s"], final=True)
        assert told.local
        assert sorted(one.stake for one in told.settlement) == [100_00, 500_00]
        alone = await table.close_bets(2, [BoxBet(box=1, bet=600_00)])
        assert [one.stake for one in alone.playing] == [100_00]
        wire_of(table).mend()
        await table.heartbeat()
        assert table.differences() == []


async def test_what_was_heard_outlives_the_controller(at: House, tmp_path: Path) -> None:  # noqa: F811
    async with client(at, "pp-1", tmp_path) as table:
        await changed(at, "pp-1", maximum=100_00)
        await table.heartbeat()
    async with client(at, "pp-1", tmp_path) as table:
        wire_of(table).deaf = True
        with pytest.raises(Unreachable):
            await table.heartbeat()
        alone = await table.close_bets(1, [BoxBet(box=1, bet=600_00)])
        assert [one.stake for one in alone.playing] == [100_00]


def test_a_table_with_a_jackpot_keeps_the_maximum_of_its_round_too() -> None:
    """S 5.1.1."""
    fallback = JackpotFallback(TableSetup(id="s1", game=Game.CASINO_STUD, boxes=20))
    fallback.on_terms(TableTerms(boxes=7, maximum=50_00))
    bets = {"closed_at": STAMP, "boxes": [{"box": 1, "ante": 80_00, "progressive": 0, "bonus": 0}]}
    began = fallback.noted(
        None,
        Waiting(1, "bets", 1, 0, bets, tried=True),
        BetsAnswer(table="s1", round=1, state="bets_closed", accepted=(), returned=(), meter=None),
    )
    fallback.on_terms(TableTerms(boxes=7, maximum=20_00))
    said = {"final": True, "hands": [{"box": 1, "cards": ["9c", "9d", "4h", "6s", "2c"], "decision": "fold"}]}
    told = fallback.alone(began, Waiting(2, "hands", 1, 0, said, tried=False), None)
    assert isinstance(told, HandsAnswer)
    assert sorted(one.stake for one in told.settlement) == [30_00, 50_00]
