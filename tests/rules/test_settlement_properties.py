"""The settlement of both main games against a second one, written apart from the rules' text, line by line
over 20,000 random rounds; and what holds of every line."""

from __future__ import annotations

from collections import Counter, defaultdict

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.games import GAMES
from jackpot.games.lines import Line, Outcome, Wager
from jackpot.games.rulebook import Game
from tests import naive_settlement as naive
from tests.effort import times
from tests.naive_settlement import Told
from tests.random_rounds import Drawn, Round, Seeded, round_of

SHARDS, ROUNDS = 2, times(5_000)
"""Of each game."""

SEEN = {
    Game.CASINO_STUD: {
        "win": "3.13 3.14.1 4.1.1",
        "lose": "3.12.1 3.14.2 4.3 5.5",
        "stand_off": "3.14.3",
        "returned": "2.1.1 3.6 3.13 5.1.1 5.3.1 5.10.3 5.15 5.19",
    },
    Game.TEXAS_HOLDEM: {
        "win": "3.13 4.1 4.1.1",
        "lose": "3.11.2 3.14 4.1 4.3 5.5",
        "stand_off": "3.15",
        "returned": "3.6 3.9 3.13 5.1.1 5.3.1 5.10.3 5.15 5.18",
    },
}
"""Every outcome with every paragraph that may give it."""
PAYS = {
    Game.CASINO_STUD: {250, 50, 20, 7, 5, 4, 3, 2, 1},
    Game.TEXAS_HOLDEM: {1000, 30, 25, 20, 15, 10, 5, 3, 1},
}


def settled(played: Round) -> tuple[Line, ...]:
    return GAMES[played.game].settle(
        played.limits, played.boxes, dealer=played.dealer, community=played.community
    )


def settled_naively(played: Round) -> list[Told]:
    if played.game is Game.CASINO_STUD:
        return naive.settle_stud(played.limits, played.boxes, played.dealer)
    return naive.settle_holdem(played.limits, played.boxes, played.dealer, played.community)


def told(line: Line) -> Told:
    wager, outcome = line.wager.value, line.outcome.value
    return (line.box, wager, outcome, line.stake, line.payout, line.rule, line.pays)


def check_money(played: Round, lines: tuple[Line, ...]) -> None:
    """Nothing is made or lost on any line, and of a wager all is told or nothing."""
    wagers = naive.stud_wagers if played.game is Game.CASINO_STUD else naive.holdem_wagers
    placed = {box.box: wagers(box) for box in played.boxes}
    stakes: Counter[tuple[int, Wager]] = Counter()
    sides: defaultdict[int, list[int]] = defaultdict(lambda: [0, 0])
    for line in lines:
        assert line.stake > 0
        assert line.payout >= 0
        assert line.stake + line.won == line.payout + line.collected
        assert (line.pays is not None) == (line.outcome is Outcome.WIN)
        stakes[line.box, line.wager] += line.stake
        sides[line.box][0] += line.stake + line.won
        sides[line.box][1] += line.payout + line.collected
    assert all(given == taken for given, taken in sides.values())
    assert all(amount == placed[box][wager.value] for (box, wager), amount in stakes.items())


@pytest.mark.proof
@pytest.mark.parametrize("shard", range(SHARDS))
@pytest.mark.parametrize("game", Game)
def test_both_settlements_agree_on_every_line_and_every_kind_of_line_occurs(game: Game, shard: int) -> None:
    chooser = Seeded(shard)
    seen: Counter[tuple[str, str]] = Counter()
    paid: Counter[str | None] = Counter()
    for _ in range(ROUNDS):
        played = round_of(game, chooser)
        lines = settled(played)
        assert [told(line) for line in lines] == settled_naively(played), played
        check_money(played, lines)
        seen.update((line.outcome.value, line.rule) for line in lines)
        paid.update(line.pays for line in lines)
    expected = {(outcome, rule) for outcome, rules in SEEN[game].items() for rule in rules.split()}
    assert set(seen) == expected
    assert set(paid) == {f"{odds} to 1" for odds in PAYS[game]} | {None}
    assert min(seen.values()) >= 10


@pytest.mark.untraced
@settings(max_examples=times(100), deadline=None)
@given(game=st.sampled_from(Game), data=st.data())
def test_the_smallest_round_on_which_they_differ_would_be_shown(game: Game, data: st.DataObject) -> None:
    played = round_of(game, Drawn(data))
    lines = settled(played)
    assert [told(line) for line in lines] == settled_naively(played)
    check_money(played, lines)


@pytest.mark.untraced
@pytest.mark.parametrize("game", Game)
def test_what_is_told_early_is_told_again_when_all_is_known(game: Game) -> None:
    chooser = Seeded(99)
    early_lines = 0
    for _ in range(500):
        whole = round_of(game, chooser)
        early = GAMES[game].settle(whole.limits, whole.boxes, dealer=(), community=whole.community[:3])
        assert set(early) <= set(settled(whole))
        early_lines += len(early)
    assert early_lines > 500
