"""Which hands the rules make impossible, hand by hand in the order of play (3.14 to 3.23).

Of a box whose bets all go back only the players are looked at: its cards may be what went wrong.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from jackpot.core.refusals import (
    BoxNotInRound,
    DecisionContradictory,
    DoubleNotAllowed,
    DrawMissing,
    DrawNotAllowed,
    EvenMoneyNotAllowed,
    FreeDoubleNotAllowed,
    FreeSplitNotAllowed,
    InsuranceNotAllowed,
    PlayerNotOnBox,
    PlayerRepeated,
    PlayIncomplete,
    SplitNotAllowed,
    SurrenderNotAllowed,
    WrongNumberOfCards,
)
from jackpot.games.blackjack.closing import BET
from jackpot.games.blackjack.play import (
    ACE,
    DOUBLES,
    FREE_DOUBLE,
    FREE_SPLIT,
    SPLITS,
    TEN,
    BoxPlay,
    Leaf,
    Play,
)
from jackpot.games.blackjack.points import PICTURES, POINTS, is_blackjack, points
from jackpot.games.blackjack.rules import Paragraphs
from jackpot.games.blackjack.told import BoxHand, Decision, Follows, Hand, PlayerWagers

MOST_HANDS = 4


def check_boxes(play: Play) -> None:
    told = {hand.box: place for place, hand in enumerate(play.report.hands)}
    for number in sorted({*told, *play.boxes}):
        box = play.boxes.get(number)
        if box is None or not box.closed.players:
            if number in told:
                raise _not_in_round(play, number, told[number])
        elif box.told is not None:
            _check_box(play, box, box.told, f"hands[{told[number]}]")
        elif (play.report.final or play.dealer.has_drawn) and box.all_back is None:
            raise PlayIncomplete(f"box {number} is not told", field="hands", box=number, wager=BET)


def _not_in_round(play: Play, number: int, place: int) -> BoxNotInRound:
    rule = play.closing.rules.paragraphs.deal
    return BoxNotInRound(f"box {number} has no Initial Bet", field=f"hands[{place}].box", rule=rule)


def _check_box(play: Play, box: BoxPlay, told: BoxHand, field: str) -> None:
    walk = _Walk(play, box, play.closing.rules.paragraphs)
    for place, said in enumerate(told.wagers):
        walk.check_player(said, f"{field}.wagers[{place}]")
        walk.check_ace_up(told, said, f"{field}.wagers[{place}]")
    if box.all_back is None:
        walk.check(told, field)


@dataclass(slots=True)
class _Walk:
    """Through the hands of a box, in the order of play."""

    play: Play
    box: BoxPlay
    own: Paragraphs
    declined: set[str] = field(default_factory=set)
    hands: int = 1
    leaf: int = 0

    @property
    def caller(self) -> str | None:
        """Who calls once the caller has his bets back, and since when, is not told."""
        return None if self.box.back else self.box.closed.caller()

    def check(self, hand: Hand, field: str, *, split: bool = False, aces: bool = False) -> None:
        if hand.wagers:
            self._check_wagers(hand, field, split=split)
        if hand.decision in SPLITS:
            self._check_split(hand, field, again=aces)
            return
        if hand.split:
            raise DecisionContradictory(
                "two hands come of a split only", field=f"{field}.split", rule=self.own.split
            )
        leaf = self.box.leaves[self.leaf]
        self.leaf += 1
        if leaf.decision is not None:
            self._check_decision(hand, leaf, field)
        count, drawn = len(leaf.cards), self.play.dealer.has_drawn
        if count > 2:
            self._check_draws(leaf, field)
        elif drawn:
            self._check_enough(leaf, count, f"{field}.cards")
        if leaf.total < 12 and count > 1 and (drawn or self.play.report.final):
            self._check_stopped(leaf, f"{field}.cards")

    # What players say

    def check_player(self, said: PlayerWagers, field: str) -> None:
        name = said.name(self.box.closed.box)
        if name not in self.box.closed.players and not _only_invalid(said, name, self.box):
            number = self.box.closed.box
            raise PlayerNotOnBox(f"{name[:80]} has no Initial Bet on box {number}", field=f"{field}.player")

    def check_ace_up(self, told: BoxHand, said: PlayerWagers, field: str) -> None:
        """Insurance and even money: with an ace up, after the second cards."""
        ace = self.play.dealer.up == ACE and len(told.cards) > 1
        if said.insurance and not ace:
            raise InsuranceNotAllowed("no ace up", field=f"{field}.insurance", rule=self.own.ace_up)
        if not said.even_money:
            return
        if not (ace and is_blackjack(told.cards)):
            words = "even money is for a natural against an ace"
            raise EvenMoneyNotAllowed(words, field=f"{field}.even_money", rule=self.own.even_money)
        if said.insurance:
            words = "after even money nothing is left to insure"
            raise DecisionContradictory(words, field=f"{field}.insurance", rule=self.own.even_money)

    def _check_wagers(self, hand: Hand, field: str, *, split: bool) -> None:
        seen: set[str] = set()
        for place, said in enumerate(hand.wagers):
            at = f"{field}.wagers[{place}]"
            name = said.name(self.box.closed.box)
            if name in seen:
                raise PlayerRepeated(f"{name[:80]} is named twice", field=f"{at}.player")
            seen.add(name)
            if split:
                self.check_player(said, at)
                self._check_initial_only(said, at)
            self._check_fits_call(hand, said, at)

    def _check_initial_only(self, said: PlayerWagers, field: str) -> None:
        if said.insurance:
            words = "insurance lies on the initial hand"
            raise InsuranceNotAllowed(words, field=f"{field}.insurance", rule=self.own.ace_up)
        if said.even_money:
            words = "a split hand is no natural"
            raise EvenMoneyNotAllowed(words, field=f"{field}.even_money", rule=self.own.even_money)

    def _check_fits_call(self, hand: Hand, said: PlayerWagers, field: str) -> None:
        """Whether the box is split or doubled is called for all its players."""
        splits = said.split in (Follows.PAID, Follows.FREE)
        if splits and hand.decision not in SPLITS:
            raise self._against_call("the box is not split", f"{field}.split")
        if (said.double or said.free_double) and hand.decision not in DOUBLES:
            raise self._against_call("the box is not doubled", f"{field}.{_doubling(said)}")

    def _against_call(self, words: str, field: str) -> DecisionContradictory:
        return DecisionContradictory(words, field=field, rule=self.own.caller)

    # Splits

    def _check_split(self, hand: Hand, field: str, *, again: bool) -> None:
        self._check_splittable(hand, field, again=again)
        usual = Follows.FREE if hand.decision == FREE_SPLIT else Follows.PAID
        for place, said in enumerate(hand.wagers):
            self._check_following(said, f"{field}.wagers[{place}].split", usual=usual)
        free = [place for place, said in enumerate(hand.wagers) if said.split == Follows.FREE]
        if (usual == Follows.FREE or free) and not PICTURES.isdisjoint(hand.cards):
            at = "decision" if usual == Follows.FREE else f"wagers[{free[0]}].split"
            words = "picture cards are not split for free"
            raise FreeSplitNotAllowed(words, field=f"{field}.{at}", rule=self.own.split)
        first, second = hand.split
        aces = POINTS[hand.cards[0]] == ACE
        self.check(first, f"{field}.split[0]", split=True, aces=aces)
        if len(second.cards) > 1 and not _could_be_done(first):
            words = "the first hand is played before the second gets a card"
            raise DrawNotAllowed(words, field=f"{field}.split[1].cards", rule=self.own.split_limits)
        self.check(second, f"{field}.split[1]", split=True, aces=aces)

    def _check_splittable(self, hand: Hand, field: str, *, again: bool) -> None:
        own, cards = self.own, hand.cards
        if len(cards) != 2 or POINTS[cards[0]] != POINTS[cards[1]]:
            words = "two cards of one value are split"
            raise SplitNotAllowed(words, field=f"{field}.decision", rule=own.split)
        if again:
            raise SplitNotAllowed("aces split once", field=f"{field}.decision", rule=own.split_limits)
        self.hands += 1
        if self.hands > MOST_HANDS:
            words = "no hand is split into more than four"
            raise SplitNotAllowed(words, field=f"{field}.decision", rule=own.split_limits)
        formed = sorted([one.cards[0] for one in hand.split if one.cards])
        if len(hand.split) != 2 or formed != sorted(cards):
            words = "the two hands begin with the two cards"
            raise SplitNotAllowed(words, field=f"{field}.split", rule=own.split)

    def _check_following(self, said: PlayerWagers, field: str, *, usual: str) -> None:
        if said.split is None:
            return
        name = said.name(self.box.closed.box)
        if name == self.caller and said.split != usual:
            raise self._against_call("the caller follows his own call", field)
        if said.split == Follows.NONE:
            self.declined.add(name)
        elif name in self.declined:
            words = f"{name[:80]} has declined an earlier split"
            raise DecisionContradictory(words, field=field, rule=self.own.split_declined)

    # Hands that are not split

    def _check_decision(self, hand: Hand, leaf: Leaf, field: str) -> None:
        at = f"{field}.decision"
        if leaf.doubled:
            self._check_double(hand, leaf, field)
        elif leaf.decision == Decision.SURRENDER:
            self._check_surrender(leaf, at)
        elif leaf.decision == Decision.STAND and leaf.total < 12:
            raise DrawMissing("who has less than 12 draws", field=at, rule=self.own.draw_to_twelve)
        elif leaf.decision == Decision.WALK_AWAY and len(self.box.closed.players.keys() - self.box.back) > 1:
            words = "others bet on this box: the next one calls"
            raise DecisionContradictory(words, field=at, rule=self.own.walked_away)

    def _check_double(self, hand: Hand, leaf: Leaf, field: str) -> None:
        two = leaf.cards[:2]
        if len(two) < 2 or leaf.aces or is_blackjack(two):
            words = "no double here: two cards, no natural, soft 21 or split ace"
            raise DoubleNotAllowed(words, field=f"{field}.decision", rule=self.own.double)
        called_free = leaf.decision == FREE_DOUBLE
        for place, said in enumerate(hand.wagers):
            self._check_doubling(leaf, said, f"{field}.wagers[{place}]", called_free=called_free)
        free = [place for place, said in enumerate(hand.wagers) if said.free_double]
        total, soft = points(two)
        if (called_free or free) and (soft or not 9 <= total <= 11):
            at = "decision" if called_free else f"wagers[{free[0]}].free_double"
            words = "a free double is for a hard 9, 10 or 11"
            raise FreeDoubleNotAllowed(words, field=f"{field}.{at}", rule=self.own.free_double)
        if len(leaf.cards) > 3:
            words = "one card follows a double"
            raise DrawNotAllowed(words, field=f"{field}.cards", rule=self.own.double)

    def _check_doubling(self, leaf: Leaf, said: PlayerWagers, field: str, *, called_free: bool) -> None:
        name = said.name(self.box.closed.box)
        if said.double and said.free_double:
            words = "a double is paid or free"
            raise DecisionContradictory(words, field=f"{field}.double", rule=self.own.double)
        if (said.double or said.free_double) and name not in leaf.holdings:
            words = f"{name[:80]} has no part in this hand"
            at = f"{field}.{_doubling(said)}"
            raise DecisionContradictory(words, field=at, rule=self.own.split_declined)
        if name != self.caller:
            return
        held = leaf.holdings[name]
        if not (held.free if called_free else held.double):
            raise self._against_call("the caller follows his own call", f"{field}.{_doubling(said)}")

    def _check_surrender(self, leaf: Leaf, field: str) -> None:
        up = self.play.dealer.up
        if leaf.split or len(leaf.cards) != 2 or up == ACE:
            words = "only the first two cards are surrendered, and not to an ace"
            raise SurrenderNotAllowed(words, field=field, rule=self.own.surrender)
        if leaf.blackjack and 0 < up < TEN:
            raise SurrenderNotAllowed("this natural has won", field=field, rule=self.own.natural)

    def _check_draws(self, leaf: Leaf, field: str) -> None:
        """No card on a natural, a soft 21 or a bust, and no third on a split ace."""
        if leaf.aces:
            words = "a split ace gets one card"
            raise DrawNotAllowed(words, field=f"{field}.cards", rule=self.own.split_limits)
        for count in range(2, len(leaf.cards)):
            total, soft = points(leaf.cards[:count])
            if total > 21:
                raise DrawNotAllowed("a card after a bust", field=f"{field}.cards", rule=self.own.bust)
            if total == 21 and soft:
                words = "a card after a natural or a soft 21"
                raise DrawNotAllowed(words, field=f"{field}.cards", rule=self.own.no_draw)

    def _check_enough(self, leaf: Leaf, count: int, field: str) -> None:
        """When the dealer draws."""
        if count < 2:
            rule = self.own.split_limits if leaf.split else self.own.deal
            raise WrongNumberOfCards("a hand has two cards when the dealer draws", field=field, rule=rule)
        if leaf.doubled:
            raise WrongNumberOfCards("one card follows a double", field=field, rule=self.own.double)

    def _check_stopped(self, leaf: Leaf, field: str) -> None:
        """Who has drawn no more when the dealer draws has stood."""
        if not leaf.doubled and leaf.decision != Decision.SURRENDER:
            walked = leaf.decision == Decision.WALK_AWAY
            rule = self.own.walked_away if walked else self.own.draw_to_twelve
            raise DrawMissing("who has less than 12 draws", field=field, rule=rule)


def _doubling(said: PlayerWagers) -> str:
    """The field in which he speaks of the double."""
    return "double" if said.free_double is None else "free_double"


def _only_invalid(said: PlayerWagers, name: str, box: BoxPlay) -> bool:
    """Who has a side bet only can be said to have it back."""
    says_more = said.insurance or said.even_money or said.split or said.double or said.free_double
    return said.invalidated is not None and name in box.closed.bettors and not says_more


def _could_be_done(hand: Hand) -> bool:
    """Whether it may have been played: its player stands, or can draw no more."""
    if hand.decision in SPLITS:
        return all(_could_be_done(one) for one in hand.split)
    if len(hand.cards) < 2:
        return False
    if hand.decision in DOUBLES:
        return len(hand.cards) > 2
    return points(hand.cards).total >= 12
