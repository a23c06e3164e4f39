"""What `jackpot edge` tells about a game of blackjack: figures for machines, and for people."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Any, Literal

from rich import box
from rich.console import Group, RenderableType
from rich.table import Table
from rich.text import Text

from jackpot.games.blackjack import BLACKJACK_GAMES, BlackjackRules
from jackpot.maths.blackjack_exact import Exact, counted
from jackpot.maths.blackjack_rounds import strategy_of
from jackpot.maths.blackjack_sampling import MAIN, SampledGame, known_edge
from jackpot.maths.dealers_hand import BUST, ENDS, TWENTY_TWO, boom_busted
from jackpot.maths.lucky_stash import POLICIES
from jackpot.maths.sampling import Sample
from jackpot.maths.side_bets import SideBet

Figures = dict[str, Any]
WORDS = {
    MAIN: "of the Initial Bet",
    "player_pair": "of Player Pair",
    "under_13": "of Under 13",
    "over_13": "of Over 13",
    "perfect_pairs": "of Perfect Pairs",
    "rws_pairs": "of RWS Pairs",
    "lucky_stash": "of Lucky Stash",
    "boom_busted": "of Boom Busted",
    "insurance": "of insurance",
}
BASIC = POLICIES[-1]
"""The policy of Lucky Stash that basic strategy plays by."""


def figures(rules: BlackjackRules, decks: int, seed: int, settled: SampledGame, *, exact: bool) -> Figures:
    """Parts of a stake; what is exact also as a fraction."""
    count = counted(rules.wagers, decks, draws_to_soft_17=rules.draws_to_soft_17)
    rounds = settled.main.rounds
    return {
        "game": rules.game,
        "decks": decks,
        "strategy": strategy_of(rules).words,
        "known": _known(rules, decks, count),
        "settled": {"seed": seed} | {name: _sample(each) for name, each in settled.wagers.items()},
        "surrendered": settled.surrendered / rounds,
        "split": settled.split / rounds,
        "exact": _exact(rules, count) if exact else None,
        "questions": list(_questions(rules, count)),
    }


def _known(rules: BlackjackRules, decks: int, count: Exact) -> dict[str, float]:
    main = known_edge(rules, decks)
    edges = {} if main is None else {MAIN: main}
    edges |= {bet.name: bet.edge for bet in count.side_bets}
    edges |= {bet.name: bet.edge for policy, bet in count.stashes if policy is BASIC}
    return {name: float(edges[name]) for name in WORDS if name in edges}


def _sample(sample: Sample) -> Figures:
    return {"rounds": sample.rounds, "edge": float(sample.edge), "interval": list(sample.interval)}


def _exact(rules: BlackjackRules, count: Exact) -> Figures:
    bust = (BUST,) if rules.stands_off_with_22 else (BUST, TWENTY_TWO)
    ends = {end: (end,) for end in ENDS if end not in bust} | {BUST: bust}
    return {
        "side_bets": {bet.name: _bet(bet) for bet in count.side_bets},
        "lucky_stash": {policy.words: _bet(bet) for policy, bet in count.stashes},
        "dealer": {end: _part(count.dealer.chance(*those)) for end, those in ends.items()},
    }


def _bet(bet: SideBet) -> Figures:
    paid = [{"what": way.what, "pays": way.pays} | _part(way.chance) for way in bet.paid]
    return {"edge": float(bet.edge), "fraction": str(bet.edge), "paid": paid}


def _part(chance: Fraction) -> Figures:
    return {"chance": float(chance), "fraction": str(chance)}


def _questions(rules: BlackjackRules, count: Exact) -> Iterator[str]:
    """Where the text of the rules may say what the House does not mean."""
    if rules.table_bet is None:
        return
    kept, otherwise = boom_busted(count.dealer).edge, boom_busted(count.dealer, on_22=True).edge
    yield (
        f"Boom Busted keeps {_percent(float(kept), 1)}, because a dealer with 22 is not bust (1.4); if 22"
        f" were a bust it would keep {_percent(float(otherwise), 1)}. Is that meant?"
    )
    yield (
        "Two pip tens have no picture card, so they may be split for free (1.13); tens with a picture card"
        " may not. Is that meant?"
    )


# For people


def page(told: Figures) -> RenderableType:
    rules = BLACKJACK_GAMES[told["game"]]
    grid = _grid(
        f"House edge of {rules.name}, {told['decks']} decks",
        ("", "known", "rounds settled", "edge", "99.9 % interval"),
    )
    for name, words in WORDS.items():
        cells = _known_cell(told, name), *_settled(told, name)
        if any(cells):
            grid.add_row(words, *cells)
    often = f"{_percent(told['surrendered'], 1)} surrendered, {_percent(told['split'], 1)} split"
    notes = [Text(f"Strategy: {told['strategy']}."), Text(f"Hands: {often}.")]
    questions = [Text(f"For the House: {question}") for question in told["questions"]]
    return Group(grid, *notes, *_counted(told), *questions)


def _grid(title: str, columns: tuple[str, ...]) -> Table:
    grid = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    side: Literal["left", "right"] = "left"
    for column in columns:
        fraction = column == "fraction"  # as long as it is, it is told whole
        grid.add_column(
            column, justify=side, no_wrap=not fraction, overflow="fold" if fraction else "ellipsis"
        )
        side = "right"
    return grid


def _known_cell(told: Figures, name: str) -> str:
    known = told["known"].get(name)
    return "" if known is None else _percent(known, 3 if name == MAIN else 4)


def _settled(told: Figures, name: str) -> tuple[str, str, str]:
    found = told["settled"].get(name)
    if found is None:
        return "", "", ""
    low, high = found["interval"]
    return f"{found['rounds']:,}", _percent(found["edge"], 2), f"{_percent(low, 2)} to {_percent(high, 2)}"


def _counted(told: Figures) -> Iterator[RenderableType]:
    exact = told["exact"]
    if exact is None:
        return
    yield Text()
    yield _bets(exact)
    ways = _grid("Ways to win", ("", "pays", "chance", "fraction"))
    dealer = _grid("The dealer's hand", ("", "chance", "fraction"))
    for what, pays, part in _ways(exact):
        ways.add_row(what, pays, *_chance(part))
    for end, part in exact["dealer"].items():
        dealer.add_row(end, *_chance(part))
    yield ways
    yield dealer


def _bets(exact: Figures) -> Table:
    grid = _grid("Every deal", ("", "edge", "fraction"))
    for name, bet in exact["side_bets"].items():
        grid.add_row(WORDS[name], _percent(bet["edge"], 4), bet["fraction"])
    for policy, bet in exact["lucky_stash"].items():
        grid.add_row(f"of Lucky Stash: {policy}", _percent(bet["edge"], 4), bet["fraction"])
    return grid


def _ways(exact: Figures) -> Iterator[tuple[str, str, Figures]]:
    for name, bet in exact["side_bets"].items():
        for way in bet["paid"]:
            yield f"{name}: {way['what']}", f"{way['pays']} to 1", way
    for policy, bet in exact["lucky_stash"].items():
        for way in bet["paid"]:
            yield f"lucky_stash, {policy}: {way['what']}", f"{way['pays']} to 1", way


def _chance(part: Figures) -> tuple[str, str]:
    return f"{part['chance']:.7f}", part["fraction"]


def _percent(part: float, digits: int) -> str:
    return f"{part * 100:.{digits}f} %"
