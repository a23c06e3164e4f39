"""Hands as they came of each other, for whoever reads a round as evidence."""

from __future__ import annotations

from collections.abc import Iterator

from jackpot.core.records import frozen
from jackpot.games.blackjack.play import SPLITS, BoxPlay, Leaf
from jackpot.games.blackjack.points import points
from jackpot.games.blackjack.told import BoxHand, Hand, PlayerWagers


@frozen(kw_only=True)
class HandTree:
    number: int | None
    """As it was played; None of a hand that was split."""
    cards: tuple[str, ...]
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    decision: str | None
    wagers: tuple[PlayerWagers, ...]
    """What only players can say of it, as it was told."""
    split: tuple[HandTree, ...] = ()


def hand_tree(box: BoxPlay) -> HandTree:
    """The hand of a box with all that came of it; without cards while none were told."""
    return _tree(box.told or BoxHand(box=box.closed.box), iter(box.leaves))


def _tree(hand: Hand, leaves: Iterator[Leaf]) -> HandTree:
    """`leaves` come in the order of play: the first hand of a split, all that came of it, then the second."""
    if hand.decision in SPLITS and len(hand.split) == 2:
        came_of_it = tuple([_tree(one, leaves) for one in hand.split])
        total, soft = points(hand.cards)
        return HandTree(
            number=None,
            cards=hand.cards,
            total=total,
            soft=soft,
            blackjack=False,
            bust=False,
            decision=hand.decision,
            wagers=hand.wagers,
            split=came_of_it,
        )
    leaf = next(leaves)
    return HandTree(
        number=leaf.number,
        cards=leaf.cards,
        total=leaf.total,
        soft=leaf.soft,
        blackjack=leaf.blackjack,
        bust=leaf.bust,
        decision=hand.decision,
        wagers=hand.wagers,
    )
