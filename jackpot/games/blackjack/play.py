"""A round as it is played: hands numbered in the order of play, and what each player has on each.

Built from what was told without judging it: `legality` says what cannot be.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from jackpot.core.records import frozen
from jackpot.games.blackjack.closing import BET, BoxClosed, Closing, Placed
from jackpot.games.blackjack.points import POINTS, is_blackjack, points
from jackpot.games.blackjack.rules import Paragraphs
from jackpot.games.blackjack.told import BoxHand, Decision, Follows, Hand, PlayerWagers, Report

ACE = 11
TEN = 10
SPLITS = frozenset({Decision.SPLIT, Decision.FREE_SPLIT})
DOUBLES = frozenset({Decision.DOUBLE, Decision.FREE_DOUBLE})
LAYS_MORE = SPLITS | DOUBLES
SPLIT, FREE_SPLIT = Decision.SPLIT.value, Decision.FREE_SPLIT.value
DOUBLE, FREE_DOUBLE = Decision.DOUBLE.value, Decision.FREE_DOUBLE.value
INSURANCE = "insurance"


@frozen(kw_only=True)
class Back:
    """Why a player's bets on a box go back, and what of them stands all the same."""

    rule: str
    side_stands: bool = False
    """Side bets on the first two cards are decided."""
    interim_stands: bool = False
    """So are naturals paid at once, even money and surrenders."""
    busted: tuple[int, ...] = ()
    """Hands that were lost before."""


Whose = tuple[int | None, str]
"""Box and player; no box for Boom Busted."""
Returned = Mapping[Whose, Back]


class Dealer(NamedTuple):
    cards: tuple[str, ...]
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    has_drawn: bool
    finished: bool
    up: int
    """What the first card counts; 0 if it is not known."""


class Holding(NamedTuple):
    """What a player has on a hand: how he came to it, his double, or his marker for a double."""

    main: str
    double: int = 0
    free: bool = False


_INITIAL = Holding(BET)
_UNTOLD = BoxHand(box=0)
Holdings = dict[str, Holding]


class Leaf(NamedTuple):
    """A hand that was not split further."""

    number: int
    cards: tuple[str, ...]
    total: int
    soft: bool
    decision: str | None
    holdings: Holdings
    split: bool = False
    """It came of a split."""
    aces: bool = False
    """Of aces."""

    @property
    def blackjack(self) -> bool:
        return self.total == 21 and len(self.cards) == 2 and not self.split

    @property
    def bust(self) -> bool:
        return self.total > 21

    @property
    def doubled(self) -> bool:
        return self.decision in DOUBLES

    @property
    def ended(self) -> bool:
        """No card can follow, or none was wanted."""
        if len(self.cards) < 2:
            return False
        if self.total > 21 or (self.total == 21 and self.soft) or self.aces:
            return True
        if self.doubled:
            return len(self.cards) > 2
        walked = self.decision == Decision.WALK_AWAY and self.total >= 12
        return walked or self.decision in (Decision.STAND, Decision.SURRENDER)


class Stake(NamedTuple):
    """A wager of a player on a hand, or a marker."""

    leaf: Leaf
    wager: str
    placed: Placed
    marker: int | None = None


class BoxPlay(NamedTuple):
    closed: BoxClosed
    told: BoxHand | None
    leaves: tuple[Leaf, ...]
    stakes: dict[str, list[Stake]]
    """By player with an Initial Bet: all that he has on his hands."""
    insurance: dict[str, int]
    even_money: set[str]
    back: dict[str, Back]
    """By player: whose bets go back."""

    @property
    def first_two(self) -> tuple[str, ...]:
        return self.told.cards[:2] if self.told is not None and len(self.told.cards) > 1 else ()

    @property
    def all_back(self) -> Back | None:
        """Nobody plays the hand any more."""
        if not self.back or any(name not in self.back for name in self.closed.players):
            return None
        return next(iter(self.back.values()))

    def markers(self, name: str) -> int:
        """Used by a player, or by the caller of the box for a bettor without an Initial Bet (F 3.27)."""
        whose = name if name in self.closed.players else self.closed.caller(frozenset(self.back))
        held = [leaf.holdings[whose] for leaf in self.leaves if whose in leaf.holdings]
        return sum([one.free + (one.main == FREE_SPLIT) for one in held])


class Play(NamedTuple):
    closing: Closing
    report: Report
    dealer: Dealer
    boxes: dict[int, BoxPlay]
    returned: Returned


def played(closing: Closing, report: Report, returned: Returned | None = None) -> Play:
    hands = {hand.box: hand for hand in report.hands}
    returned, own = returned or {}, closing.rules.paragraphs
    return Play(
        closing=closing,
        report=report,
        dealer=dealer_of(closing, report.dealer),
        boxes={
            number: box_play(own, closed, hands.get(number), returned)
            for number, closed in closing.boxes.items()
        },
        returned=returned,
    )


def dealer_of(closing: Closing, cards: tuple[str, ...]) -> Dealer:
    found, has_drawn = points(cards), len(cards) > 1
    return Dealer(
        cards,
        found.total,
        found.soft,
        is_blackjack(cards),
        found.total > closing.rules.bust_over,
        has_drawn,
        has_drawn and closing.rules.dealer_stands(found),
        POINTS[cards[0]] if cards else 0,
    )


def box_play(own: Paragraphs, closed: BoxClosed, told: BoxHand | None, returned: Returned) -> BoxPlay:
    hand = _UNTOLD if told is None else told
    leaves: list[Leaf] = []
    held = dict.fromkeys(closed.players, _INITIAL)
    if hand.decision in LAYS_MORE:
        _Growth(closed, leaves, set()).grow(hand, held)
    else:
        leaves.append(Leaf(1, hand.cards, *points(hand.cards), hand.decision, held))
    stakes = {name: _stakes(own, one, leaves) for name, one in closed.players.items()}
    insurance: dict[str, int] = {}
    even: set[str] = set()
    back = _back(closed, hand, returned) if returned or hand.wagers or hand.invalidated is not None else {}
    for said in hand.wagers:
        if said.insurance:
            insurance[said.name(closed.box)] = said.insurance
        if said.even_money:
            even.add(said.name(closed.box))
    return BoxPlay(closed, told, tuple(leaves), stakes, insurance, even, back)


def _back(closed: BoxClosed, hand: BoxHand, returned: Returned) -> dict[str, Back]:
    number = closed.box
    back = {name: returned[number, name] for name in closed.bettors if (number, name) in returned}
    stands = len(hand.cards) > 1  # with the first two cards told, side bets on them stand
    for said in hand.wagers:
        if said.invalidated is not None:
            back[said.name(number)] = Back(rule=said.invalidated, side_stands=stands)
    if hand.invalidated is not None:
        back |= dict.fromkeys(closed.bettors, Back(rule=hand.invalidated, side_stands=stands))
    return back


class _Growth(NamedTuple):
    """A box's hands as they came of each other. Who declines a split follows none of that box later (A17)."""

    closed: BoxClosed
    leaves: list[Leaf]
    declined: set[str]

    def grow(self, hand: Hand, held: Holdings, *, split: bool = False, aces: bool = False) -> None:
        call = hand.decision
        if call in SPLITS and len(hand.split) == 2:
            following = self._following(call, held, self._named(hand))
            of_aces = POINTS[hand.cards[0]] == ACE if hand.cards else False
            self.grow(hand.split[0], held, split=True, aces=of_aces)
            self.grow(hand.split[1], following, split=True, aces=of_aces)
            return
        if call in DOUBLES:
            named = self._named(hand)
            held = {name: self._doubled(call, one, name, named) for name, one in held.items()}
        total, soft = points(hand.cards)
        self.leaves.append(Leaf(len(self.leaves) + 1, hand.cards, total, soft, call, held, split, aces))

    def _named(self, hand: Hand) -> Mapping[str, PlayerWagers]:
        return {said.name(self.closed.box): said for said in hand.wagers}

    def _following(self, call: str | None, held: Holdings, named: Mapping[str, PlayerWagers]) -> Holdings:
        """Who has a part in the second hand, and how."""
        usual = Follows.PAID if call == SPLIT else Follows.FREE
        found: Holdings = {}
        for name in held:
            if name in self.declined:
                continue
            said = named.get(name)
            how = usual if said is None or said.split is None else said.split
            if how == Follows.NONE:
                self.declined.add(name)
            else:
                found[name] = Holding(SPLIT if how == Follows.PAID else FREE_SPLIT)
        return found

    def _doubled(
        self, call: str | None, one: Holding, name: str, named: Mapping[str, PlayerWagers]
    ) -> Holding:
        said = named.get(name)
        if said is not None and said.double:
            return one._replace(double=said.double)
        if said is not None and said.free_double:
            return one._replace(free=True)
        called_free = call == FREE_DOUBLE
        if said is not None and (said.double == 0 or (said.free_double is False and called_free)):
            return one
        if called_free:
            return one._replace(free=True)
        return one._replace(double=self.closed.players[name].laid)


def _stakes(own: Paragraphs, one: Placed, leaves: list[Leaf]) -> list[Stake]:
    """What follows from the Initial Bet is measured by the part of it that plays."""
    name, found = one.player, []
    for leaf in leaves:
        held = leaf.holdings.get(name)
        if held is _INITIAL:
            found.append(Stake(leaf, BET, one))
        elif held is not None:
            found += _stakes_of(own, one, leaf, held)
    return found


def _stakes_of(own: Paragraphs, one: Placed, leaf: Leaf, held: Holding) -> Iterator[Stake]:
    name, plays = one.player, one.plays
    if held.main == BET:
        yield Stake(leaf, BET, one)
    elif held.main == SPLIT:
        yield Stake(leaf, SPLIT, bounded(name, one.laid, plays, own.split))
    else:
        yield Stake(leaf, FREE_SPLIT, Placed(name, 0, 0), plays)
    if held.double:
        yield Stake(leaf, DOUBLE, bounded(name, held.double, plays, own.double))
    if held.free:
        yield Stake(leaf, FREE_DOUBLE, Placed(name, 0, 0), plays)


def bounded(name: str, laid: int, most: int, rule: str) -> Placed:
    if laid <= most:
        return Placed(name, laid, laid)
    return Placed(name, laid, most, ((laid - most, rule),))
