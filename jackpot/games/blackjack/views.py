"""Hands as answers show them."""

from __future__ import annotations

from jackpot.core.records import frozen
from jackpot.games.blackjack.play import Play


@frozen(kw_only=True)
class HandView:
    box: int
    hand: int
    cards: tuple[str, ...]
    total: int
    soft: bool
    blackjack: bool
    bust: bool


@frozen(kw_only=True)
class DealerView:
    cards: tuple[str, ...]
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    finished: bool


def hands_view(play: Play) -> tuple[HandView, ...]:
    """Every hand with cards, numbered in the order of play."""
    return tuple(
        [
            HandView(
                box=number,
                hand=leaf.number,
                cards=leaf.cards,
                total=leaf.total,
                soft=leaf.soft,
                blackjack=leaf.blackjack,
                bust=leaf.bust,
            )
            for number, box in play.boxes.items()
            for leaf in box.leaves
            if leaf.cards
        ]
    )


def dealer_view(play: Play) -> DealerView:
    dealer = play.dealer
    return DealerView(
        cards=dealer.cards,
        total=dealer.total,
        soft=dealer.soft,
        blackjack=dealer.blackjack,
        bust=dealer.bust,
        finished=dealer.finished,
    )
