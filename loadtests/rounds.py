"""Rounds of every game as a controller tells them: bets, the hands so far, the hands as they end."""

from __future__ import annotations

from random import Random

from msgspec import Struct, structs

from jackpot.cards.cards import names
from jackpot.client import Bets, Hand
from jackpot.client.messages import Body, bets_body, hands_body
from jackpot.games import GAMES, Game
from jackpot.simulation.dealing import Deal, deal, deal_major

ANTE = 2500
PRESCRIBED = 500
BOXES = 7


def game_of(table: str) -> Game:
    return next(game for game, rulebook in GAMES.items() if table.startswith(rulebook.short))


class Round(Struct, frozen=True):
    """A round that is dealt already; only the times of its messages are still to come."""

    game: Game
    bets: tuple[Bets, ...]
    cards: Deal
    folded: frozenset[int]
    raised: frozenset[int]
    """Boxes that place every further wager: at Hold'em also on turn and river."""

    def bets_body(self, closed_at: int) -> Body:
        return bets_body(closed_at, self.bets)

    def first_hands(self, dealt_at: int) -> Body:
        """Everything that wins a jackpot is known: five cards, or two and the flop."""
        hands = [self._hand(box, dealt_at) for box in self.cards.hands]
        return hands_body(hands, names(self.cards.community[: GAMES[self.game].shared]), None, final=False)

    def last_hands(self, dealt_at: int) -> Body:
        hands = [self._later(self._hand(box, dealt_at)) for box in self.cards.hands]
        return hands_body(hands, names(self.cards.community), names(self.cards.dealer), final=True)

    def _hand(self, box: int, dealt_at: int) -> Hand:
        hand = Hand(box=box, cards=names(self.cards.hands[box]), dealt_at=dealt_at)
        if box in self.folded:
            return structs.replace(hand, folded=True, decision="fold")
        return structs.replace(hand, decision="bet", **{GAMES[self.game].further[0]: 2 * ANTE})

    def _later(self, hand: Hand) -> Hand:
        if hand.folded:
            return hand
        amount = ANTE if hand.box in self.raised else 0
        return structs.replace(hand, **dict.fromkeys(GAMES[self.game].further[1:], amount))


def honest_round(rng: Random, game: Game, *, progressive: bool = True) -> Round:
    boxes = sorted(rng.sample(range(1, BOXES + 1), rng.randrange(2, BOXES)))
    return _round(rng, game, boxes, deal(rng, game, boxes, rigged=0), progressive=progressive)


def rigged_round(rng: Random, game: Game, *, royal: bool) -> Round:
    """One box has a major, and a bet on it."""
    boxes = sorted(rng.sample(range(1, BOXES + 1), rng.randrange(2, BOXES)))
    lucky = rng.choice(boxes)
    return _round(rng, game, boxes, deal_major(rng, game, boxes, lucky, royal=royal), sure=lucky)


def _round(
    rng: Random, game: Game, boxes: list[int], cards: Deal, *, progressive: bool = True, sure: int = 0
) -> Round:
    def bet(box: int) -> int:
        return PRESCRIBED if progressive and (box == sure or rng.random() < 0.85) else 0

    return Round(
        game,
        tuple(Bets(box=box, ante=ANTE, progressive=bet(box)) for box in boxes),
        cards,
        frozenset(box for box in boxes if box != sure and rng.random() < 0.2),
        frozenset(box for box in boxes if rng.random() < 0.5),
    )
