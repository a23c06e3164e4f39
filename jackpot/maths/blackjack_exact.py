"""What can be counted of a game of blackjack, as fractions: its side bets and the dealer's hand."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from jackpot.maths.dealers_hand import Finished, boom_busted, finished
from jackpot.maths.lucky_stash import POLICIES, Policy, lucky_stash
from jackpot.maths.side_bets import (
    SideBet,
    insurance,
    over_13,
    perfect_pairs,
    player_pair,
    rws_pairs,
    under_13,
)

ON_TWO_CARDS: Mapping[str, Callable[[int], SideBet]] = {
    "player_pair": player_pair,
    "under_13": under_13,
    "over_13": over_13,
    "perfect_pairs": perfect_pairs,
    "rws_pairs": rws_pairs,
    "insurance": insurance,
}
"""By the name of the wager and the number of decks."""


@dataclass(frozen=True, kw_only=True, slots=True)
class Exact:
    side_bets: tuple[SideBet, ...]
    """Whatever the player does."""
    stashes: tuple[tuple[Policy, SideBet], ...]
    """Lucky Stash, by what the player does."""
    dealer: Finished


def counted(wagers: Iterable[str], decks: int, *, draws_to_soft_17: bool) -> Exact:
    """Of these wagers those that have one exact figure; the main game has none here."""
    asked = set(wagers)
    dealer = finished(decks, draws_to_soft_17=draws_to_soft_17)
    on_two = [bet(decks) for name, bet in ON_TWO_CARDS.items() if name in asked]
    busted = [boom_busted(dealer)] if "boom_busted" in asked else []
    stashes = [(policy, lucky_stash(decks, policy)) for policy in POLICIES if "lucky_stash" in asked]
    return Exact(side_bets=(*on_two, *busted), stashes=tuple(stashes), dealer=dealer)
