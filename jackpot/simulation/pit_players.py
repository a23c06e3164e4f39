"""Simulated players of blackjack: what they lay on their boxes before the deal."""

from __future__ import annotations

from random import Random

from jackpot.games.blackjack import Bets, BlackjackRules, BoomBet, BoxBet, PitGame, SideLimits
from jackpot.games.blackjack.games import BLACKJACK_GAMES
from jackpot.link.state import PitSetup

STANDING = ("B", "C", "D", "E")
_LIMITS = (None, SideLimits(maximum=1000), SideLimits(minimum=500, maximum=2000), SideLimits(minimum=100))
_SIDE = (500, 500, 100, 1, 333, 999, 1001, 3000, 60_000)
"""Minor units; some of it over every limit."""


def any_setup(rng: Random, game: PitGame) -> PitSetup:
    rules = BLACKJACK_GAMES[game]
    limits = {wager: rng.choice(_LIMITS) for wager in rules.side_bets}
    return PitSetup(
        id=f"{rules.short}-01",
        game=game,
        boxes=rng.randrange(2, 7),
        decks=rng.choice(rules.decks),
        minimum=rng.choice((None, 1000, 2500)),
        maximum=rng.choice((None, 10_000, 50_001)),
        side={wager: one for wager, one in limits.items() if one is not None},
    )


def any_bets(rng: Random, setup: PitSetup) -> Bets:
    """Mostly some boxes with Initial Bets; now and then nobody has one, or a side bet lies alone."""
    numbers = list(range(1, setup.boxes + 1))
    chosen = rng.sample(numbers, rng.randrange(1, min(4, setup.boxes) + 1))
    empty = rng.random() < 0.02
    several: list[BoxBet] = []
    for number in sorted(chosen):
        several += _on_box(rng, setup, number, empty=empty)
    several += [
        _bet(rng, setup, number, empty=True)
        for number in numbers
        if number not in chosen and rng.random() < 0.06
    ]
    return Bets(boxes=tuple(several), boom_busted=_boom_busted(rng, setup.rules))


def _boom_busted(rng: Random, rules: BlackjackRules) -> tuple[BoomBet, ...]:
    if rules.table_bet is None or rng.random() < 0.5:
        return ()
    names = rng.sample(["1", "2", "B", "X", "Y"], rng.randrange(1, 4))
    return tuple(BoomBet(player=name, bet=rng.choice(_SIDE)) for name in names)


def _on_box(rng: Random, setup: PitSetup, box: int, *, empty: bool) -> list[BoxBet]:
    """One is seated, or nobody; others stand behind him, one of them with a side bet only."""
    count = rng.choice((1, 1, 1, 2, 2, 3))
    others = rng.sample(STANDING, len(STANDING))
    found: list[BoxBet] = []
    if rng.random() < 0.85:
        name = others.pop() if rng.random() < 0.1 else None
        found.append(_bet(rng, setup, box, player=name, empty=empty))
    while len(found) < count:
        found.append(_bet(rng, setup, box, player=others.pop(), standing=True, empty=empty))
    if rng.random() < 0.1:
        found.append(_bet(rng, setup, box, player=others.pop(), standing=True, empty=True))
    return found


def _bet(
    rng: Random,
    setup: PitSetup,
    box: int,
    *,
    player: str | None = None,
    standing: bool = False,
    empty: bool = False,
) -> BoxBet:
    wanted = 0.6 if empty else 0.25
    side = {wager: rng.choice(_SIDE) for wager in setup.rules.side if rng.random() < wanted}
    bet = 0 if empty else _amount(rng, setup)
    return BoxBet(box=box, player=player, standing=standing, bet=bet, side=side)


def _amount(rng: Random, setup: PitSetup) -> int:
    minimum, maximum = setup.minimum or 0, setup.maximum or 50_000
    return rng.choice(
        (
            minimum + 1000,
            minimum + rng.randrange(1, 5000),
            rng.randrange(2, 20_000),
            2505,
            maximum // 2 + 1,
            maximum + rng.randrange(1000),
            rng.choice((1, 2, 3, max(1, minimum - 1))),
        )
    )
