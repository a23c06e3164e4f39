"""The floor in the terminal shows what the state says."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from displays.terminal import FloorView, big
from jackpot.commands import CloseLink
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, Floor


def shown(floor: Floor, view: FloorView | None = None) -> str:
    page = (view or FloorView()).page(floor.book.link, floor.now)
    console = Console(file=io.StringIO(), width=220, height=40, record=True)
    console.print(page, height=40)
    return console.export_text()


def test_an_idle_floor_shows_the_meter_and_the_tables() -> None:
    text = shown(Floor())
    assert "Multi-Link Progressive · SGD · open" in text
    assert "none is waiting" in text
    for table in ("s1", "s2", "h1"):
        assert table in text
    assert str(big("50,000.00", "")).splitlines()[0].strip() in text


def test_a_waiting_win_says_what_it_waits_for() -> None:
    floor = Floor()
    win = floor.wins_major("s1", ROYAL["h"])
    assert "s1, s2, h1" in shown(floor)
    floor.everybody_beats()
    assert "2 approvals" in shown(floor)
    floor.approve(win, "ana")
    assert "1 approval" in shown(floor)
    assert "the next jackpot stands at SGD 50,000.00" in shown(floor)


def test_a_win_that_is_ready_waits_for_its_turn() -> None:
    floor = Floor()
    floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    later = floor.wins_major("s2", STRAIGHT_FLUSH["h"])
    floor.everybody_beats()
    floor.approve(later)
    assert "its turn" in shown(floor)


def test_an_ambiguous_order_is_the_houses() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.bets("s2", [1])
    floor.wait(1)
    for table in ("s1", "s2"):
        floor.hands(table, {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(0.5))
    assert "the House's order" in shown(floor)


def test_a_closed_link_and_an_unheard_table_are_shown_as_such() -> None:
    floor = Floor(seen=False)
    assert "unheard" in shown(floor)
    assert "not measured" in shown(floor)
    floor.act(CloseLink(person="ana", reason="night"))
    assert "SGD · closed" in shown(floor)


@pytest.mark.parametrize(
    "words",
    [
        "ROYAL FLUSH at s1",
        "STRAIGHT FLUSH at s2",
        "ana approves",
        "is void by 5.8.1",
        "is paid SGD",
        "withdrawn",
        "is certain",
        "sue decides",
        "late claim",
    ],
)
def test_the_feed_tells_what_happened(words: str) -> None:
    floor, view = Floor(), FloorView(feed_lines=99)
    floor.bets("s1", [1])
    floor.bets("s2", [1])
    floor.wait(1)
    royal = floor.hands("s1", {1: ROYAL["h"]}, dealt=floor.at(0.5)).results[0].win
    flush = floor.hands("s2", {1: STRAIGHT_FLUSH["h"]}, dealt=floor.at(0.5)).results[0].win
    floor.decide(str(royal), str(flush))
    floor.everybody_beats()
    floor.approve(str(royal))
    floor.hands("s2", {1: NOTHING}, final=True)
    floor.hands("s2", {1: ROYAL["c"]})
    floor.bets("h1", [1])
    floor.void("h1")
    lines = view.hear(floor.book.entries, "SGD")
    assert any(words in line.plain for line in lines)
