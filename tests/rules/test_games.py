"""A game is one object, and only `jackpot.games` knows which games there are."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from jackpot.cards.cards import parse_all
from jackpot.core.refusals import CardRepeated
from jackpot.games import GAMES, Game
from jackpot.games.holdem import HOLDEM
from jackpot.games.lines import Limits, Outcome, Stakes
from jackpot.games.paytables import MOST_WON
from jackpot.games.stud import STUD
from jackpot.link.rounds import HandRecord
from jackpot.play.merging import TableCards
from jackpot.play.reports import _check_decks

ROOT = Path(__file__).parents[2]
MAY_NAME_A_GAME = {
    "jackpot/maths/edge.py": "the games' enumerations need NumPy, which the rules do without",
    "jackpot/simulation/players.py": "how people misplay is no rule; other draws would be another journal",
}
"""Each has one `match` on the game that mypy holds to be complete."""


def cards(text: str) -> tuple[int, ...]:
    return parse_all(text.split())


def naming_a_game(source: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.value.id == "Game":
            yield node.attr


def test_nothing_outside_the_games_asks_which_game_it_is() -> None:
    found = {
        path.relative_to(ROOT).as_posix()
        for room in ("jackpot", "api", "displays", "loadtests")
        for path in (ROOT / room).rglob("*.py")
        if ROOT / "jackpot" / "games" not in path.parents
        and set(naming_a_game(path.read_text())) & set(Game.__members__)
    }
    assert found == MAY_NAME_A_GAME.keys()


def test_no_page_or_script_lists_the_games() -> None:
    pages = [path for kind in ("*.js", "*.html") for path in (ROOT / "displays").rglob(kind)]
    assert pages
    assert [path.name for path in pages if any(game.value in path.read_text() for game in Game)] == []


def test_2_1_1_and_2_2_1_each_game_has_its_boxes_and_one_deck() -> None:
    """A table says how many boxes its own layout has: this is the usual one."""
    assert [(one.boxes, one.decks) for one in (STUD, HOLDEM)] == [(7, 1), (6, 1)]


def test_each_game_is_listed_with_its_own_rule_book() -> None:
    assert list(GAMES) == list(Game)
    assert [rulebook.game for rulebook in GAMES.values()] == list(Game)
    for names in ([one.name for one in GAMES.values()], [one.short for one in GAMES.values()]):
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", Game)
def test_a_rule_book_speaks_of_no_wager_that_the_game_has_not(game: Game) -> None:
    rulebook = GAMES[game]
    assert rulebook.wagers >= {*rulebook.further, *rulebook.pay_tables}
    assert rulebook.community_told <= set(range(rulebook.dealt.community + 1))
    assert rulebook.shared in rulebook.community_told


def test_a_game_without_a_jackpot_makes_no_progressive_hand() -> None:
    rulebook, royal = replace(GAMES[Game.CASINO_STUD], progressive=None), cards("As Ks Qs Js Ts")
    assert rulebook.shared == 0
    assert rulebook.progressive_cards(royal, ()) == ()
    assert rulebook.progressive_hand(royal, ()) is None


def test_a_card_is_seen_as_often_as_the_decks_have_it() -> None:
    records = [HandRecord(box=box, cards=("As", "Kd")) for box in (1, 2)]
    _check_decks(2, records, TableCards(dealer=("Ks",), community=()))
    with pytest.raises(CardRepeated, match="As was seen 3 times"):
        _check_decks(2, records, TableCards(dealer=("As",), community=()))


def test_a_box_wins_no_more_than_its_table_says() -> None:
    royal = Stakes(box=1, ante=100_000, bet=200_000, known=True, cards=cards("As Ks Qs Js Ts"))
    for limits, most in ((Limits(), MOST_WON), (Limits(most_won=70_000), 70_000)):
        lines = GAMES[Game.CASINO_STUD].settle(limits, [royal], dealer=cards("Ad Kd 2h 3h 4h"))
        assert [line.won for line in lines if line.outcome is Outcome.WIN] == [100_000, most]
