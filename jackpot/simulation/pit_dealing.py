"""A simulated round of blackjack as it is dealt and played, hand by hand, from a shoe that is rigged now and
then so that what is rare comes often. What is told of it is always what has happened so far."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from random import Random
from typing import Any

from jackpot.cards.cards import NAMES
from jackpot.games.blackjack import (
    Bets,
    BoxHand,
    Closing,
    Decision,
    Discarded,
    Follows,
    PlayerWagers,
    Report,
    Shoe,
    SplitHand,
)
from jackpot.games.blackjack.closing import BoxClosed
from jackpot.games.blackjack.play import ACE, DOUBLE, INSURANCE, SPLIT, TEN, Whose
from jackpot.games.blackjack.points import PICTURES, POINTS, is_blackjack, points

ANY = range(2, ACE + 1)
"""What a card may count."""
Laid = Counter[tuple[int | None, str, str]]
"""By box, player and wager, in minor units."""
_MOST_HANDS = 4


class SimulatedShoe:
    def __init__(self, rng: Random, decks: int, id: str | None) -> None:
        self.id = id
        self.left = list(NAMES * decks)
        rng.shuffle(self.left)
        self.drawn: list[str] = []
        """In the current round."""

    def draw(self, worth: Sequence[int] = ANY) -> int:
        """The next card, or the next that counts so much, if there is one: its place among those drawn."""
        places = range(len(self.left))
        at = next((place for place in places if POINTS[self.left[place]] in worth), 0)
        self.drawn.append(self.left.pop(at))
        return len(self.drawn) - 1


@dataclass(slots=True)
class PlayedHand:
    cards: list[int]
    """Their places among the cards drawn."""
    decision: str | None = None
    split: list[PlayedHand] = field(default_factory=list)
    wagers: dict[str, PlayerWagers] = field(default_factory=dict)

    def say(self, box: int, player: str, **what: Any) -> None:
        """The player whose name is the box's number needs none."""
        named = None if player == str(box) else player
        said = self.wagers.get(player, PlayerWagers(player=named))
        self.wagers[player] = replace(said, **what)

    def leaves(self) -> Iterator[PlayedHand]:
        if not self.split:
            yield self
        for one in self.split:
            yield from one.leaves()


class SimulatedPlay:
    """A round in play. `events` plays it; whatever has happened can be told after each of them."""

    def __init__(self, rng: Random, closing: Closing, shoe: SimulatedShoe, laid: Laid) -> None:
        self.rng, self.closing, self.shoe, self.laid = rng, closing, shoe, laid
        shoe.drawn = []
        self.hands: dict[int, PlayedHand] = {}
        self.dealer: list[int] = []
        self.discarded: list[tuple[int, str]] = []
        self.returned: set[Whose] = set()
        """Whose bets have gone back."""
        self.invalid: set[int] = set()
        """Boxes that the table has said to be invalid."""
        self._low = rng.random() < 0.15
        """The dealer gets small cards."""

    @property
    def own(self) -> Any:
        return self.closing.rules.paragraphs

    # What is told

    def report(self, *, final: bool = False, shoe: Shoe | None = None) -> Report:
        names = self.shoe.drawn
        return Report(
            final=final,
            hands=tuple(self._told_box(box, hand, names) for box, hand in self.hands.items()),
            dealer=tuple(names[card] for card in self.dealer),
            discarded=tuple(Discarded(card=names[card], rule=rule) for card, rule in self.discarded),
            shoe=shoe,
        )

    def _told_box(self, box: int, hand: PlayedHand, names: Sequence[str]) -> BoxHand:
        return BoxHand(
            box=box,
            cards=tuple(names[card] for card in hand.cards),
            decision=hand.decision,
            split=tuple(_told(one, names) for one in hand.split),
            wagers=tuple(hand.wagers.values()),
            invalidated=self.own.bets_back if box in self.invalid else None,
        )

    def points(self, hand: PlayedHand) -> tuple[int, bool]:
        return points([self.shoe.drawn[card] for card in hand.cards])

    def worth(self, card: int) -> int:
        return POINTS[self.shoe.drawn[card]]

    def natural(self, hand: PlayedHand) -> bool:
        return not hand.split and is_blackjack([self.shoe.drawn[card] for card in hand.cards])

    def players(self, box: BoxClosed) -> list[str]:
        """Who still plays there."""
        return [name for name in box.players if (box.box, name) not in self.returned]

    def finished(self) -> bool:
        """The dealer's hand."""
        cards = [self.shoe.drawn[card] for card in self.dealer]
        return len(cards) > 1 and self.closing.rules.dealer_stands(points(cards))

    # The deal

    def events(self) -> Iterator[None]:
        if not self.closing.dealt:
            return
        yield from self._deal()
        yield from self._before_the_third_card()
        for box in self.closing.dealt:
            hand = self.hands[box.box]
            if hand.decision is None and not self.natural(hand):
                yield from _BoxPlay(self, box).hand(hand)
            if self.rng.random() < 0.01:
                yield from self._invalidate(box)
        yield from self._dealer_plays()

    def _deal(self) -> Iterator[None]:
        chosen = [self.rng.choice(("", "", "pair", "pair", "natural", "low")) for _ in self.closing.dealt]
        for box, plan in zip(self.closing.dealt, chosen, strict=True):
            first = self.shoe.draw((ACE, TEN) if plan == "natural" else ANY)
            self.hands[box.box] = PlayedHand([first])
            yield
        self.dealer.append(self.shoe.draw(self.rng.choice((ANY, ANY, (ACE,), (TEN,)))))
        yield
        for box, plan in zip(self.closing.dealt, chosen, strict=True):
            hand = self.hands[box.box]
            hand.cards.append(self.shoe.draw(self._second(plan, self.worth(hand.cards[0]))))
            yield

    def _second(self, plan: str, first: int) -> Sequence[int]:
        wanted = {"pair": (first,), "natural": (ACE + TEN - first,), "low": range(9 - first, 12 - first)}
        return wanted.get(plan, ANY)

    def _before_the_third_card(self) -> Iterator[None]:
        up = self.worth(self.dealer[0])
        for box in self.closing.dealt:
            hand = self.hands[box.box]
            if up == ACE:
                for name in self.players(box):
                    yield from self._protect(box, hand, name)
            elif self.rng.random() < 0.12 and not (self.natural(hand) and up < TEN):
                hand.decision = Decision.SURRENDER.value
                yield

    def _protect(self, box: BoxClosed, hand: PlayedHand, name: str) -> Iterator[None]:
        laid, half = box.players[name].laid, box.players[name].plays // 2
        if self.natural(hand) and self.rng.random() < 0.4:
            hand.say(box.box, name, even_money=True)
        elif self.rng.random() < 0.35:
            amount = max(1, self.rng.choice((half, half, self.rng.randrange(half + 1), half + 1, laid)))
            hand.say(box.box, name, insurance=amount)
            self.laid[box.box, name, INSURANCE] += amount
        else:
            return
        yield

    def _invalidate(self, box: BoxClosed) -> Iterator[None]:
        """By the table itself: of the whole box, or of one player."""
        number = box.box
        if self.rng.random() < 0.5:
            self.invalid.add(number)
            self.returned |= {(number, name) for name in box.bettors}
        else:
            name = self.rng.choice(box.bettors)
            self.hands[number].say(number, name, invalidated=self.own.bets_back)
            self.returned.add((number, name))
        yield

    def discard(self, rule: str) -> Iterator[None]:
        self.discarded.append((self.shoe.draw(), rule))
        yield

    # The dealer

    def _dealer_plays(self) -> Iterator[None]:
        most = self._needed()
        if most < 2 and self.rng.random() < 0.9:
            return
        second = ACE + TEN - self.worth(self.dealer[0])
        if self.rng.random() < 0.02:
            yield from self.discard(self.own.drawn_at_once_dealer)
        yield from self._dealer_draws((second,) if self.rng.random() < 0.3 else self._small())
        while most > 2 and not self.finished():
            yield from self._dealer_draws(self._small())
        if self.finished() and self.rng.random() < 0.03:
            yield from self.discard(self.own.dealer_overdrawn)

    def _small(self) -> Sequence[int]:
        return (ACE, 2, 3) if self._low else ANY

    def _dealer_draws(self, worth: Sequence[int]) -> Iterator[None]:
        self.dealer.append(self.shoe.draw(worth))
        yield

    def _needed(self) -> int:
        """How many cards somebody wants of the dealer: none but his first, a second, or all."""
        boom = any(one.plays and (None, one.player) not in self.returned for one in self.closing.table)
        return 3 if boom else max(self._needed_by(box) for box in self.closing.dealt)

    def _needed_by(self, box: BoxClosed) -> int:
        hand, players = self.hands[box.box], self.players(box)
        insured = any(name in hand.wagers and hand.wagers[name].insurance for name in players)
        if not players or hand.decision == Decision.SURRENDER:
            return 1
        if self.natural(hand):
            waiting = [
                name for name in players if name not in hand.wagers or not hand.wagers[name].even_money
            ]
            return 2 if insured or (waiting and self.worth(self.dealer[0]) >= TEN) else 1
        if any(self.points(one)[0] <= 21 for one in hand.leaves()):
            return 3
        return 2 if insured else 1


def _told(hand: PlayedHand, names: Sequence[str]) -> SplitHand:
    return SplitHand(
        cards=tuple(names[card] for card in hand.cards),
        decision=hand.decision,
        split=tuple(_told(one, names) for one in hand.split),
        wagers=tuple(hand.wagers.values()),
    )


class _BoxPlay:
    """One box from its first two cards to its last hand."""

    def __init__(self, play: SimulatedPlay, box: BoxClosed) -> None:
        self.play, self.box, self.rng = play, box, play.rng
        self.free = play.closing.rules.free_bets
        self.declined: set[str] = set()
        self.hands = 1
        self.away = False

    @property
    def caller(self) -> str | None:
        gone = frozenset(name for name in self.box.players if (self.box.box, name) in self.play.returned)
        return self.box.caller(gone)

    def hand(
        self, hand: PlayedHand, holders: Sequence[str] | None = None, *, aces: bool = False
    ) -> Iterator[None]:
        """`holders` have something on it."""
        holders = list(self.box.players) if holders is None else holders
        if len(hand.cards) == 1:
            yield from self._draw(hand, self._after_split(hand.cards[0]))
        if self.caller is None:
            return  # all have their bets back: nobody plays it
        self.away |= len(self.play.players(self.box)) == 1 and self.rng.random() < 0.03
        if self.away:
            yield from self._house_draws(hand)
        elif aces:
            yield from self._perhaps_says_stand(hand)
        elif self._may_split(hand) and self.rng.random() < 0.8:
            yield from self._split(hand, holders)
        elif self.play.points(hand)[0] < 21 and self.rng.random() < self._wish_to_double(hand):
            yield from self._double(hand, holders)
        else:
            yield from self._hit_or_stand(hand)

    def _draw(self, hand: PlayedHand, worth: Sequence[int] = ANY) -> Iterator[None]:
        if self.rng.random() < 0.005:
            yield from self.play.discard(self.play.own.cards_without_bet)
        hand.cards.append(self.play.shoe.draw(worth))
        yield

    def _after_split(self, card: int) -> Sequence[int]:
        first = self.play.worth(card)
        return self.rng.choice(((first,), (first,), range(9 - first, 12 - first), ANY, ANY))

    # Cards

    def _house_draws(self, hand: PlayedHand) -> Iterator[None]:
        """The player has left (5.3)."""
        while self.play.points(hand)[0] < 12:
            yield from self._draw(hand)
        hand.decision = Decision.WALK_AWAY.value
        yield

    def _hit_or_stand(self, hand: PlayedHand) -> Iterator[None]:
        while self._hits(*self.play.points(hand)):
            yield from self._draw(hand)
        if self.play.points(hand)[0] <= 21:
            yield from self._perhaps_says_stand(hand)

    def _hits(self, total: int, soft: bool) -> bool:  # noqa: FBT001  as points are told
        if total > 21 or (total == 21 and soft) or self.caller is None:
            return False
        likely = 1.0 if total < 12 else 0.5 if total < 17 else 0.15 if total < 21 else 0.05
        return self.rng.random() < likely

    def _perhaps_says_stand(self, hand: PlayedHand) -> Iterator[None]:
        if self.rng.random() < 0.3 and self.play.points(hand)[0] >= 12:
            hand.decision = Decision.STAND.value
            yield

    # Splits

    def _may_split(self, hand: PlayedHand) -> bool:
        first, second = (self.play.worth(card) for card in hand.cards)
        return self.hands < _MOST_HANDS and first == second

    def _may_split_free(self, hand: PlayedHand) -> bool:
        return self.free and PICTURES.isdisjoint(self.play.shoe.drawn[card] for card in hand.cards)

    def _split(self, hand: PlayedHand, holders: Sequence[str]) -> Iterator[None]:
        free = self._may_split_free(hand) and self.rng.random() < 0.75
        hand.decision = (Decision.FREE_SPLIT if free else Decision.SPLIT).value
        hand.split = [PlayedHand([card]) for card in hand.cards]
        self.hands += 1
        following = [name for name in holders if self._follows(hand, name, free=free)]
        yield
        aces = self.play.worth(hand.cards[0]) == ACE
        yield from self.hand(hand.split[0], holders, aces=aces)
        yield from self.hand(hand.split[1], following, aces=aces)

    def _follows(self, hand: PlayedHand, name: str, *, free: bool) -> bool:
        if name in self.declined:
            return False
        how = Follows.FREE if free else Follows.PAID
        gone = (self.box.box, name) in self.play.returned
        if gone or (name != self.caller and self.rng.random() < 0.5):
            ways = [Follows.NONE, Follows.PAID, *([Follows.FREE] if self._may_split_free(hand) else [])]
            how = Follows.NONE if gone else self.rng.choice(ways)
            hand.say(self.box.box, name, split=how.value)
        if how is Follows.NONE:
            self.declined.add(name)
            return False
        if how is Follows.PAID:
            self.play.laid[self.box.box, name, SPLIT] += self.box.players[name].laid
        return True

    # Doubles

    def _may_double_free(self, hand: PlayedHand) -> bool:
        total, soft = self.play.points(hand)
        return self.free and not soft and 9 <= total <= 11

    def _wish_to_double(self, hand: PlayedHand) -> float:
        return 0.7 if 9 <= self.play.points(hand)[0] <= 11 else 0.15

    def _double(self, hand: PlayedHand, holders: Sequence[str]) -> Iterator[None]:
        free = self._may_double_free(hand) and self.rng.random() < 0.75
        may_free = self._may_double_free(hand)
        hand.decision = (Decision.FREE_DOUBLE if free else Decision.DOUBLE).value
        for name in holders:
            self._doubles(hand, name, free=free, may_free=may_free)
        if self.rng.random() < 0.5:
            yield
        yield from self._draw(hand)

    def _doubles(self, hand: PlayedHand, name: str, *, free: bool, may_free: bool) -> None:
        """The caller for any amount, or for free as he has called; others as they like, or not at all."""
        box, laid = self.box.box, self.box.players[name].laid
        calls, gone = name == self.caller, (box, name) in self.play.returned
        amount = 0 if free else laid
        if gone:
            amount = 0
            hand.say(box, name, double=0)
        elif self.rng.random() < 0.5 and not (free and calls):
            ways = ["amount"] if calls else ["amount", "none", *(["free"] if may_free else [])]
            amount = self._another_way(hand, name, self.rng.choice(ways))
        if amount:
            self.play.laid[box, name, DOUBLE] += amount

    def _another_way(self, hand: PlayedHand, name: str, way: str) -> int:
        laid = self.box.players[name].laid
        if way == "free":
            hand.say(self.box.box, name, free_double=True)
            return 0
        less = self.rng.randrange(1, laid + 1)
        amount = 0 if way == "none" else self.rng.choice((laid, less, less, laid + 1, 2 * laid))
        hand.say(self.box.box, name, double=amount)
        return amount


def laid_before(bets: Bets) -> Laid:
    """All that lies there when bets are closed."""
    found: Laid = Counter()
    for bet in bets.boxes:
        for wager, amount in (("bet", bet.bet), *bet.side.items()):
            found[bet.box, bet.name, wager] += amount
    for one in bets.boom_busted:
        found[None, one.player, "boom_busted"] += one.bet
    return found
