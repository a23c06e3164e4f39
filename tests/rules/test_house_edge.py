"""What the main games cost a player: every deal counted, against published figures and against rounds that
are settled as at a table."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from api.cli import app
from api.cli.edge_report import WORDS
from jackpot.cards import bulk
from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import Hand, best_of_seven, hand_of, strength
from jackpot.cards.suit_classes import alike, every
from jackpot.games import GAMES, Game
from jackpot.games.strategies import BETS_FROM, bets_stud, folds_holdem, later_bets
from jackpot.games.stud import QUALIFYING
from jackpot.maths import holdem, stud
from jackpot.maths.bonus import bonus_edge
from jackpot.maths.sampling import Sample, Sampled, sampled
from tests.effort import times
from tests.rules.test_evaluator import COUNTS
from tests.untraced import untraced

DOCS = Path(__file__).parents[2] / "docs"
KEPT = json.loads((DOCS / "house-edge.holdem.json").read_text())
"""Written by `jackpot edge --game holdem --exact --keep`: counting takes minutes."""
ROUNDS = {Game.CASINO_STUD: times(30_000), Game.TEXAS_HOLDEM: times(15_000)}
ONE_PAIR = strength(parse_all(["2c", "2d", "3h", "4s", "5c"]))


def cards(text: str) -> tuple[int, ...]:
    return parse_all(text.split())


@pytest.fixture(scope="module")
def meetings() -> stud.Meetings:
    with untraced():
        return stud.meetings(lambda _part: None)


def settled(game: Game, rounds: int) -> Sampled:
    dealer = random.Random(20)

    def decks() -> Iterator[list[int]]:
        while True:
            yield dealer.sample(range(52), GAMES[game].dealt.to_one_box)

    with untraced():
        return sampled(game, decks(), rounds, lambda _done: None)


def holds(sample: Sample, edge: Fraction) -> bool:
    low, high = sample.interval
    return low <= edge <= high


# Casino Stud


@pytest.mark.proof
@pytest.mark.parametrize(
    ("bets_from", "lost"),
    [
        (BETS_FROM, 1_059_715_400_580),
        (ONE_PAIR, 1_090_272_101_460),
        (QUALIFYING, 1_132_600_203_540),
        (1, 3_310_360_338_060),
    ],
    ids=["A-K-J-8-3", "pair", "A-K", "everything"],
)
def test_with_the_usual_pay_table_stud_loses_what_is_published(
    meetings: stud.Meetings, bets_from: int, lost: int
) -> None:
    """To the unit, over all deals; the published count tells apart which of five cards the dealer shows."""
    usual = {**stud.OUR_PAYS, Hand.ROYAL_FLUSH: 100}
    assert stud.DEALS * 5 == 19_933_230_517_200
    assert meetings.played(pays=usual, bets_from=bets_from).won * 5 == -lost


@pytest.mark.proof
def test_stud_settled_round_by_round_loses_what_every_deal_says(meetings: stud.Meetings) -> None:
    found = settled(Game.CASINO_STUD, ROUNDS[Game.CASINO_STUD]).main
    exact = meetings.played().edge
    assert found.rounds == ROUNDS[Game.CASINO_STUD]
    assert holds(found, exact)
    assert not holds(found, exact + Fraction(1, 10))


def test_the_better_royal_flush_is_worth_what_it_adds(meetings: stud.Meetings) -> None:
    usual = meetings.played(pays={**stud.OUR_PAYS, Hand.ROYAL_FLUSH: 100})
    ours = meetings.played()
    royal = meetings.strengths == 7462
    beaten = int((meetings.ways * (meetings.below - meetings.unqualified))[royal].sum())
    assert ours.won - usual.won == 2 * 150 * beaten > 0


def test_every_dealer_is_counted_once(meetings: stud.Meetings) -> None:
    assert int(meetings.ways.sum()) == sum(COUNTS.values())
    assert int(meetings.unqualified.min()) > 0
    assert (meetings.below <= meetings.up_to).all()
    assert int(meetings.up_to.max()) <= stud.DEALERS
    royal = meetings.strengths == 7462
    assert set(meetings.up_to[royal].tolist()) == {stud.DEALERS}
    assert set((meetings.up_to - meetings.below)[royal].tolist()) == {3}


# Texas Hold'em

PUBLISHED = {
    "32o": "-1.155927",
    "42o": "-1.091604",
    "52o": "-1.019987",
    "62o": "-1.046723",
    "72o": "-1.031301",
    "82o": "-0.896002",
    "92o": "-0.763132",
    "T2o": "-0.613979",
    "J2o": "-0.459414",
    "Q2o": "-0.28969",
    "K2o": "-0.102668",
}


def test_optimal_holdem_is_worth_what_is_published_hand_by_hand() -> None:
    exact: dict[str, Any] = KEPT["exact"]
    assert len(exact["hands"]) == 169
    assert {kind: round(exact["hands"][kind], 6) for kind in PUBLISHED} == {
        kind: float(worth) for kind, worth in PUBLISHED.items()
    }
    assert round(exact["optimal"]["edge"] * 100, 3) == 2.037
    assert {kind for kind, worth in exact["hands"].items() if worth < -1} == {
        "32o",
        "42o",
        "52o",
        "62o",
        "72o",
    }


@pytest.mark.proof
def test_holdem_settled_round_by_round_loses_what_every_deal_says() -> None:
    found = settled(Game.TEXAS_HOLDEM, ROUNDS[Game.TEXAS_HOLDEM])
    exact = Fraction(KEPT["exact"]["main"]["fraction"])
    assert KEPT["strategy"] == GAMES[Game.TEXAS_HOLDEM].strategy.words
    assert found.main.rounds == found.bonus.rounds == ROUNDS[Game.TEXAS_HOLDEM]
    assert holds(found.main, exact)
    assert not holds(found.main, exact + Fraction(1, 5))
    assert holds(found.bonus, bonus_edge())


def test_the_bonus_pays_back_what_its_table_says() -> None:
    """10 to 30 to 1 and the like for 6, 4, 8, 12, 18, 24 and 54 of 1,326 pairs; 1000 to 1 once in 1,225."""
    won = 4 * 25 + 8 * 20 + 12 * 15 + 18 * 10 + 24 * 5 + 54 * 3 - (1326 - 6 - 4 - 8 - 12 - 18 - 24 - 54)
    aces = 6 * Fraction(1000 + 1224 * 30, 1225)
    assert bonus_edge() == -(won + aces) / 1326 == Fraction(KEPT["exact"]["bonus"]["fraction"])


@pytest.mark.parametrize("board", ["Ah Kh Qh Jh 10h", "9c 9d 9h 4s 2c", "2c 5d 8h Js Ad", "Kd 10d 6d 3h 2s"])
def test_on_a_board_every_pair_meets_every_other(board: str) -> None:
    shown = cards(board)
    ahead, flop = holdem.worth(np.array([shown], np.uint8))
    left = [card for card in range(52) if card not in shown]
    best = {pair: best_of_seven([*pair, *shown]) for pair in combinations(left, 2)}
    numbers = {(int(low), int(high)): number for number, (low, high) in enumerate(bulk.PAIRS)}
    for own in random.Random(1).sample(sorted(best), 25):
        dealers = [other for pair, other in best.items() if not set(pair) & set(own)]
        wins, losses = (sum(best[own] > each for each in dealers), sum(best[own] < each for each in dealers))
        paid = wins if hand_of(best[own]) not in BELOW_A_STRAIGHT else 0
        assert len(dealers) == holdem.DEALERS
        assert ahead[0, numbers[own]] == wins - losses
        assert flop[0, numbers[own]] == 2 * (wins - losses) + paid - losses
    assert not ahead[0][[number for pair, number in numbers.items() if set(pair) & set(shown)]].any()


BELOW_A_STRAIGHT = (Hand.FIVE_ODD_CARDS, Hand.ONE_PAIR, Hand.TWO_PAIRS, Hand.THREE_OF_A_KIND)


def test_a_river_is_looked_up_in_the_suits_of_a_board_alike() -> None:
    flop = np.array(cards("Qs 7s 2d"), np.uint8)
    rest = [card for card in range(52) if card not in flop]
    boards = np.array([[*flop, *two] for two in combinations(rest, 2)], np.uint8)
    kinds = alike(boards)
    table = np.vstack([holdem.worth(part)[0] for part in np.array_split(kinds.cards, 20)])
    found = holdem.by_turn(flop, kinds.keys, table, holdem.moved_pairs())
    turn = rest.index(cards("7h")[0])
    own = (boards == cards("7h")[0]).any(axis=1)
    direct = np.vstack([holdem.worth(part)[0] for part in np.array_split(boards[own], 2)])
    assert own.sum() == 48
    assert np.array_equal(found[turn], direct.sum(axis=0))
    assert len(kinds.cards) < len(boards)


def test_turn_and_river_are_counted_as_the_strategy_bets_them() -> None:
    """In each of the twenty orders in which a board can be turned over."""
    rng = random.Random(2)
    for _ in range(200):
        low, high, *board = rng.sample(range(52), 7)
        number = next(number for number, pair in enumerate(bulk.PAIRS) if set(pair.tolist()) == {low, high})
        bets = holdem.later_bets(np.array([board], np.uint8))
        counted = 0
        for river in board:
            for turn in board:
                flop = [card for card in board if card not in (turn, river)]
                if turn != river:
                    counted += sum(later_bets((low, high), [*flop, turn, river]))
        assert bets[0, number] == counted


# Strategies, kinds, and the command


def test_the_strategies_are_those_that_are_said() -> None:
    assert bets_stud(cards("Ac Kd Jh 8s 3c"))
    assert bets_stud(cards("2c 2d 3h 4s 5c"))
    assert not bets_stud(cards("Ac Kd Jh 8s 2c"))
    folded = {pair for pair in combinations(range(52), 2) if folds_holdem(pair)}
    assert len(folded) == 5 * 12
    assert not folds_holdem(cards("2c 7c"))
    assert not folds_holdem(cards("2c 8d"))
    assert folds_holdem(cards("7d 2c"))
    assert later_bets(cards("Ac Kd"), cards("2c 3c 4c Ks 9h")) == (False, True)
    assert later_bets(cards("Ac Ad"), cards("2c 3c 4c Ks 9h")) == (True, True)
    assert later_bets(cards("Ac Qd"), cards("2c 3c 4c Ks Ah")) == (False, False)


def test_cards_alike_but_for_suits_are_counted_once() -> None:
    kinds = alike(every(3))
    assert (len(kinds.cards), int(kinds.ways.sum())) == (1_755, 22_100)
    assert len(alike(every(2)).cards) == 169


def jackpot(*words: str) -> Any:
    return CliRunner().invoke(app, ["edge", *words], env={"COLUMNS": "100", "NO_COLOR": "1"})


@pytest.mark.parametrize(("game", "rows"), [("stud", {"main"}), ("holdem", {"main", "bonus"})])
def test_the_command_settles_rounds_and_keeps_what_it_found(
    game: str, rows: set[str], tmp_path: Path
) -> None:
    file = tmp_path / "edge.json"
    result = jackpot("--game", game, "--rounds", "300", "--keep", str(file))
    kept = json.loads(file.read_text())
    assert result.exit_code == 0
    assert "House edge of" in result.stdout
    assert kept["exact"] is None
    assert kept["settled"].keys() == {"seed"} | rows
    assert all(kept["settled"][row]["rounds"] == 300 for row in rows)


def test_the_command_says_what_it_cannot_do(tmp_path: Path) -> None:
    assert jackpot("--game", "baccarat").exit_code == 2
    result = jackpot("--game", "stud", "--rounds", "100", "--keep", str(tmp_path / "no" / "folder"))
    assert result.exit_code == 1
    assert "Not kept:" in result.stderr


# What the page of rules says


def test_the_page_of_rules_says_what_was_counted(meetings: stud.Meetings) -> None:
    page = (DOCS / "rules.md").read_text()
    told = re.findall(r"^ (of the .+?)  +(\d+\.\d{4} %)", page, re.MULTILINE)
    edges = [float(meetings.played().edge), *_kept_edges()]
    names = [WORDS["main"], WORDS["main"], WORDS["bonus"], WORDS["optimal"]]
    assert told == [(name, f"{edge * 100:.4f} %") for name, edge in zip(names, edges, strict=True)]


def _kept_edges() -> list[float]:
    return [KEPT["exact"][name]["edge"] for name in ("main", "bonus", "optimal")]
