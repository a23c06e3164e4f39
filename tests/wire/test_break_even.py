"""When the displayed value has passed the point from which a bet returns more than it costs."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.watching import break_even
from jackpot.book.reading import meter_chart
from jackpot.maths.odds import Wager
from tests.in_process import LINK, TABLES, House, floor_text, house, machines, now, people

EVEN = 107_994_737
"""By the rule book's pay table, at a bet of 5.00."""
PIT = '[[pit]]\nid = "pit-3"\nname = "Blackjack"\ncurrency = "SGD"\n'


def floor_with(seed: int, *of_link: str) -> str:
    link = LINK.replace("seed = 5000000", f"seed = {seed}") + "".join(of_link)
    return link + PIT + TABLES + machines() + people()


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    """A meter of which one bet lacks little."""
    async with house(sqlite_url, tmp_path, floor_with(EVEN - 100)) as found:
        yield found


async def told(at: House) -> Any:
    [link] = (await at.say("GET", "/v1/links", "ada")).json()["links"]
    return link["break_even"] | {"meter": link["value"], "as_of": link["as_of"]}


async def sampled(at: House) -> dict[str, float]:
    at.service.watch._read_at = 0.0
    lines = [one.rsplit(" ", 1) for one in (await at.client.get("/metrics")).text.splitlines()]
    return {
        name: float(value) for name, value in lines if "break_even{" in name or "break_even_cents{" in name
    }


async def bet(at: House, round: int, *boxes: int) -> None:
    assert (await at.close_bets("stud-01", round, *boxes)).status_code == 201


async def void(at: House, round: int) -> None:
    said = {"sent_at": now(), "reason": "5.8.2"}
    answer = await at.say("POST", f"/v1/tables/stud-01/rounds/{round}/void", "stud-01", json=said)
    assert answer.status_code in (200, 201), answer.text


async def test_the_figure_is_the_one_of_the_odds_rounded_up_to_the_cent(at: House) -> None:
    exact = Wager(parameters=(await at.service.watch.look())[0].link.parameters).break_even  # type: ignore[attr-defined]
    found = await told(at)
    assert (found["value"], found["display"]) == (EVEN, "SGD 1,079,947.37")
    assert EVEN - 1 < exact <= EVEN


async def test_a_bet_passes_it_and_everybody_who_reads_the_meter_may_know(at: House) -> None:
    before = await told(at)
    assert (before["passed"], before["passed_at"]) == (False, None)
    assert before["edge_ppm"] >= 0
    assert (await sampled(at))['jackpot_above_break_even{link="main"}'] == 0
    await bet(at, 1)
    after = await told(at)
    assert (after["passed"], after["passed_at"]) == (True, after["as_of"])
    assert after["edge_ppm"] < 0
    assert await sampled(at) == {
        'jackpot_break_even_cents{link="main"}': EVEN,
        'jackpot_above_break_even{link="main"}': 1,
    }


async def test_since_when_it_is_passed_stays_while_it_rises_and_begins_anew_after_a_fall(at: House) -> None:
    await bet(at, 1)
    first = (await told(at))["passed_at"]
    await void(at, 1)
    assert (await told(at))["passed"] is False
    await bet(at, 2)
    second = await told(at)
    assert second["passed_at"] == second["as_of"] > first
    answer = await at.close_bets("stud-02", 1, 1, 2, 3)
    assert answer.status_code == 201
    assert (await told(at))["passed_at"] == second["passed_at"]


async def test_a_fall_that_nobody_looked_at_is_found_all_the_same(at: House) -> None:
    await bet(at, 1)
    first = (await told(at))["passed_at"]
    await void(at, 1)
    await bet(at, 2)
    assert (await told(at))["passed_at"] == (await told(at))["as_of"] > first


async def test_what_was_looked_at_once_is_not_read_again(at: House, monkeypatch: pytest.MonkeyPatch) -> None:
    spans: list[tuple[int, int]] = []
    search = meter_chart.last_at_or_below

    async def noted(*said: Any, after: int, upto: int) -> int | None:
        spans.append((after, upto))
        return await search(*said, after=after, upto=upto)

    monkeypatch.setattr(break_even, "last_at_or_below", noted)
    await told(at)
    assert spans == [], "below it nobody asks the book"
    await bet(at, 1)
    await told(at)
    await bet(at, 2)
    await told(at)
    await told(at)
    (start, first), (second, third), (fourth, fifth) = spans
    assert (start, second, fourth) == (0, first, third)
    assert fourth == fifth > second


async def test_a_journal_is_looked_through_in_parts_and_only_so_far(
    at: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meter_chart, "LOOKED_AT_ONCE", 2)
    for number in range(1, 8):
        await bet(at, number)
    found = await told(at)
    assert found["passed_at"] is not None
    at.service.break_even._passed.clear()
    monkeypatch.setattr(break_even, "MOST_ENTRIES", 3)
    assert (await told(at))["passed_at"] is None, "that was before the last three entries"
    monkeypatch.setattr(break_even, "MOST_ENTRIES", 1000)
    at.service.break_even._passed.clear()
    assert (await told(at))["passed_at"] == found["passed_at"]


async def test_a_link_that_begins_above_it_has_passed_it_at_its_first_entry(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path, floor_with(2 * EVEN)) as at:
        found = await told(at)
        assert found["passed"] is True
        assert found["passed_at"] is not None
        await bet(at, 1)
        assert (await told(at))["passed_at"] == found["passed_at"]


async def test_at_the_point_itself_a_bet_favours_nobody(sqlite_url: str, tmp_path: Path) -> None:
    """A pay table of royals alone, 4 in 2,598,960: 649,740 bets, to the cent."""
    royal = '[[link.level]]\nhand = "royal_flush"\nshare = 100\n'
    exact = 649_740 * 500
    async with house(sqlite_url, tmp_path, floor_with(exact, royal)) as at:
        found = await told(at)
        assert (found["value"], found["meter"]) == (exact, exact)
        assert (found["passed"], found["edge_ppm"], found["passed_at"]) == (False, 0, None)
        await bet(at, 1)
        assert (await told(at))["passed"] is True


async def test_it_follows_the_pay_table_that_is_in_force(at: House) -> None:
    await told(at)
    closed = await at.say("POST", "/v1/links/main/close", "otto", json={"reason": "new season"})
    assert closed.status_code == 200
    royal = {"level": [{"hand": "royal_flush", "share": 100}], "reason": "new season", "when": "now"}
    proposed = await at.say("POST", "/v1/links/main/parameters", "otto", json=royal)
    confirm = f"/v1/proposals/{proposed.json()['proposal']}/confirm"
    assert (await at.say("POST", confirm, "sue", json={})).status_code == 200
    assert (await told(at))["value"] == 649_740 * 500


async def test_an_operators_floor_without_a_change_is_told_too(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, floor_text()) as at:
        found = await told(at)
        assert (found["value"], found["passed"]) == (EVEN, False)
        assert 0 < found["edge_ppm"] < 1_000_000
