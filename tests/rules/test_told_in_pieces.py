"""Rounds told in pieces, in whatever order a table comes to know them: a line that was told is never undone
by a message that contradicts nothing, and the last piece leaves what one message of the whole round says."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

import pytest

from jackpot.cards.cards import names
from jackpot.games.lines import Line
from jackpot.games.rulebook import Game
from jackpot.link.answers import HandsAnswer
from jackpot.link.rounds import RoundState
from tests.effort import times
from tests.floor import STUD
from tests.telling import Telling

BOXES = (1, 2, 3)
ROUNDS = 40
Piece = tuple[int | str, dict[str, Any]]
"""A box and what is told of it, or the dealer or community and their cards."""


@dataclass
class Script:
    """What happened in a round, in strands; each is told in its own order, whatever the others do."""

    strands: list[list[Piece]] = field(default_factory=list)

    def pieces(self, rng: random.Random) -> list[Piece]:
        left = [list(strand) for strand in self.strands if strand]
        told = []
        while left:
            strand = rng.choice(left)
            told.append(strand.pop(0))
            left = [one for one in left if one]
        return told


def stud_script(rng: random.Random) -> Script:
    deck = rng.sample(range(52), 52)
    dealer = [deck.pop() for _ in range(5)]
    strands: list[list[Piece]] = [[("dealer", {"cards": dealer[:1]}), ("dealer", {"cards": dealer})]]
    for box in BOXES:
        cards = [deck.pop() for _ in range(5)]
        strands.append([(box, _shown(rng, cards))])
        ways: list[list[dict[str, Any]]] = [
            [{"folded": True}],
            [{"decision": "fold"}],
            [{"bet": 0}],
            [{"bet": 5000}],
            [{"decision": "bet"}],
            [{"decision": "bet"}, {"bet": 5000}],
            [{"bet": 7000}, {"decision": "bet"}],
            [{"decision": "walk_away"}],
            [{"decision": "bet"}, {"decision": "walk_away"}],
            [{"folded": True}, {"decision": "walk_away"}],
            [{"decision": "fold"}, {"folded": True}],
        ]
        strands.append([(box, said) for said in rng.choice(ways)])
    return Script(strands)


def holdem_script(rng: random.Random) -> Script:
    """A hand is told with its flop, which is why they are one strand; that it was folded may come before."""
    deck = rng.sample(range(52), 52)
    board, dealer = [deck.pop() for _ in range(5)], [deck.pop(), deck.pop()]
    shown: list[Piece] = [("community", {"cards": board[:3]})]
    shown += [(box, _shown(rng, [deck.pop(), deck.pop()])) for box in BOXES]
    shown += [("community", {"cards": board[:4]}), ("community", {"cards": board})]
    strands: list[list[Piece]] = [shown, [("dealer", {"cards": dealer[:1]}), ("dealer", {"cards": dealer})]]
    for box in BOXES:
        played: list[dict[str, Any]] = [
            rng.choice(({"flop": 5000}, {"decision": "bet"}, {"flop": 6000})),
            {"turn": rng.choice((0, 2500, 2600))},
            {"river": rng.choice((0, 2500))},
        ]
        played = played[: rng.randrange(4)]
        if not played:
            played = [rng.choice(({"folded": True}, {"decision": "fold"}, {"flop": 0}))]
        if rng.random() < 0.4 or 0 < len(played) < 3:
            played.append({"decision": "walk_away"})
        strands.append([(box, said) for said in played])
    return Script(strands)


def _shown(rng: random.Random, cards: list[int]) -> dict[str, Any]:
    return {"revealed": False} if rng.random() < 0.2 else {"cards": " ".join(names(cards))}


def says(table: Telling, pieces: list[Piece], *, final: bool = False) -> HandsAnswer:
    boxes: dict[int, dict[str, Any]] = {}
    shown: dict[str, str] = {}
    for place, said in pieces:
        if isinstance(place, str):
            shown[place] = " ".join(names(said["cards"]))
        else:
            boxes[place] = _announced(table.game, boxes.get(place, {}), said) | said
    return table.says(boxes, **shown, final=final)


def _announced(game: Game, before: dict[str, Any], said: dict[str, Any]) -> dict[str, Any]:
    """A message has one decision for a box: with another one the announced bet is told by its amount."""
    if before.get("decision") != "bet" or "decision" not in said:
        return before
    return {("bet" if game is STUD else "flop"): 5000} | before


def outcome(line: Line) -> tuple[Any, ...]:
    """Without the paragraph: of two reasons for the same loss the one that was told first is named."""
    return line.box, line.wager, line.outcome, line.stake, line.payout


@pytest.mark.untraced
@pytest.mark.parametrize("seed", range(times(3)))
@pytest.mark.parametrize("game", Game)
def test_no_piece_undoes_a_line_that_was_told(game: Game, seed: int) -> None:
    rng = random.Random(f"{game} {seed}")
    early = 0
    for _ in range(ROUNDS):
        script = stud_script(rng) if game is STUD else holdem_script(rng)
        pieces, table = script.pieces(rng), Telling(game, begun=False)
        table.bets(BOXES)
        before: HandsAnswer | None = None
        while pieces:
            many = rng.choice((1, 1, 2, 5))
            said, pieces = pieces[:many], pieces[many:]
            answer = says(table, said)
            assert answer.adjustments == (), said
            assert answer.returned == (), said
            if before is not None:
                assert set(before.settlement) <= set(answer.settlement), said
                assert {one.box: one for one in before.results}.items() <= {
                    one.box: one for one in answer.results
                }.items()
            early += len(answer.settlement) if pieces else 0
            before = answer
        assert before is not None
        final = table.says({}, final=True)
        assert (final.state, final.settlement) == (RoundState.SETTLED, before.settlement)
        whole = Telling(game, begun=False)
        whole.bets(BOXES)
        at_once = says(whole, [piece for strand in script.strands for piece in strand], final=True)
        assert sorted(map(outcome, at_once.settlement)) == sorted(map(outcome, final.settlement))
        assert at_once.results == final.results
    assert early > ROUNDS
