"""What a broken controller of a blackjack table would send, and the refusal that it must be given."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

from jackpot.cards.cards import NAMES
from jackpot.core import refusals as no
from jackpot.core.instants import SECOND
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    Bets,
    BoomBet,
    BoxBet,
    BoxHand,
    Decision,
    Discarded,
    Follows,
    PlayerWagers,
    Report,
    Shoe,
    SplitHand,
    established,
)
from jackpot.games.blackjack.closing import BoxClosed
from jackpot.games.blackjack.play import ACE, DOUBLES, SPLITS, TEN
from jackpot.games.blackjack.points import PICTURES, POINTS, is_blackjack, points
from jackpot.games.blackjack.retelling import cards_told
from jackpot.link.commands import CloseBets, ClosePitBets, Heartbeat, ReportHands, ReportPlay, VoidRound
from jackpot.pools.order import STAMPS_MAY_CROSS
from jackpot.simulation.pit_dealing import SimulatedPlay
from jackpot.simulation.pit_tables import SimulatedPitTable

Message = ClosePitBets | ReportPlay | VoidRound | CloseBets | ReportHands | Heartbeat
Kinds = type[Refused] | tuple[type[Refused], ...]
_DEALER_DREW = (no.WrongNumberOfCards, no.DrawMissing, no.PlayIncomplete)
"""Of a dealer who draws before his time: which of them depends on the boxes before."""


class Wrong(NamedTuple):
    message: Message
    codes: tuple[str, ...]


def any_wrong(rng: Random, table: SimulatedPitTable, now: int, shown: Counter[str]) -> Wrong | None:
    """Of its bets, its play or anything else; rather what has been refused seldom yet."""
    said = _Said(table, now)
    ways: list[Callable[[], list[Wrong]]] = [said.bets, said.others]
    if table.play is not None and not table.void_unheard:
        ways += [said.told_before, *[_OfPlay(rng, said, table.play).all] * 6]
    found = rng.choice(ways)()
    rng.shuffle(found)
    return min(found, key=lambda one: shown[one.codes[0]]) if found else None


def _wrong(message: Message, kinds: Kinds) -> Wrong:
    several = kinds if isinstance(kinds, tuple) else (kinds,)
    return Wrong(message, tuple(kind.code for kind in several))


class _Said:
    """Messages of a table, as they would come now."""

    def __init__(self, table: SimulatedPitTable, now: int) -> None:
        self.table = table
        self.rules = table.setup.rules
        self.shown = table.clock.shows(now, table.start)
        self.delivery: dict[str, Any] = {
            "table": table.setup.id,
            "sent_at": self.shown,
            "received_at": now,
            "seq": table.seq if table.numbered else None,
        }

    def report(self, report: Report, kinds: Kinds) -> Wrong:
        return _wrong(ReportPlay(**self.delivery, round=self.table.round, report=report), kinds)

    def bets(self) -> list[Wrong]:
        """Of the next round, or of an earlier one once more."""
        right = ClosePitBets(
            **self.delivery, round=self.table.round + 1, closed_at=self.shown, bets=Bets(boxes=(_ONE,))
        )
        found = [_wrong(replace(right, bets=bets), kinds) for bets, kinds in self._wrong_bets()]
        found += [
            _wrong(replace(right, closed_at=self.shown + STAMPS_MAY_CROSS + 1), no.BetsClosedAfterSent),
            _wrong(replace(right, closed_at=self.shown - 7200 * SECOND), no.BetsClosedTooEarly),
            _wrong(replace(right, round=0), no.RoundNumberWrong),
            _wrong(replace(right, table="nowhere"), no.TableUnknown),
            _wrong(
                CloseBets(**self.delivery, round=self.table.round + 1, closed_at=self.shown, boxes=()),
                no.WagerNotInGame,
            ),
        ]
        if self.table.round:
            found.append(_wrong(replace(right, round=self.table.round), no.ContentConflict))
        return found

    def _wrong_bets(self) -> list[tuple[Bets, Kinds]]:
        strange = "perfect_pairs" if "perfect_pairs" not in self.rules.side else "player_pair"
        behind = replace(_ONE, player="B", standing=True)
        boxes: list[tuple[tuple[BoxBet, ...], Kinds]] = [
            ((replace(_ONE, side={strange: 500}),), no.WagerNotInGame),
            ((replace(_ONE, box=99),), no.BoxUnknown),
            ((replace(_ONE, box=0),), no.BoxUnknown),
            ((_ONE, behind, behind), no.PlayerRepeated),
            ((_ONE, replace(behind, standing=False)), no.SeatTaken),
            ((replace(_ONE, bet=-1),), no.AmountNegative),
            ((replace(_ONE, bet=LARGEST_AMOUNT + 1),), no.AmountTooLarge),
            ((replace(_ONE, player=" "),), no.TextMalformed),
            ((replace(_ONE, player="x" * 81),), no.TextTooLong),
            ((replace(_ONE, player="a\u200bb"),), no.TextInvisible),
        ]
        twice = (BoomBet(player="X", bet=100), BoomBet(player="X", bet=100))
        boom = no.WagerNotInGame if self.rules.table_bet is None else no.PlayerRepeated
        return [
            *((Bets(boxes=several), kinds) for several, kinds in boxes),
            (Bets(boxes=(_ONE,), boom_busted=twice), boom),
        ]

    def others(self) -> list[Wrong]:
        """Of rounds that are over or were never begun, by reasons that are none, at the wrong moment."""
        number = self.table.round
        void = VoidRound(**self.delivery, round=number, reason="5.5.1")
        found = [
            _wrong(replace(void, reason="5.8.1"), no.VoidReasonUnknown),
            _wrong(replace(void, round=number + 9), no.RoundUnknown),
            _wrong(ReportPlay(**self.delivery, round=number + 9, report=Report()), no.RoundUnknown),
            _wrong(ReportHands(**self.delivery, round=number + 1, hands=()), no.WagerNotInGame),
        ]
        if number > 1:
            found.append(_wrong(replace(void, round=number - 1, note="x" * 501), no.TextTooLong))
            earlier = ReportPlay(**self.delivery, round=number - 1, report=Report(dealer=("2c",)))
            found.append(_wrong(earlier, no.RoundStands))
        if self.table.play is not None and established(self.table.lines) and not self.table.void_unheard:
            interrupted = replace(void, reason=self.rules.paragraphs.interruption_voids)
            found.append(_wrong(interrupted, no.OutcomeEstablished))
        if self.table.numbered and self.table.seq > 1 and not self.table.reopened:
            beat = Heartbeat(**self.delivery)
            found.append(_wrong(replace(beat, seq=self.table.seq + 10), no.SequenceGap))
        return found

    def told_before(self) -> list[Wrong]:
        """Something of the last report is missing in the next one."""
        told = self.table.told
        if told is None:
            return []
        found = [replace(told, hands=told.hands[1:])] if told.hands else []
        found += [replace(told, dealer=told.dealer[:-1])] if told.dealer else []
        for place, hand in enumerate(told.hands):
            if hand.decision not in (None, Decision.STAND) and hand.invalidated is None:
                found.append(replace(told, hands=_with(told.hands, place, replace(hand, decision=None))))
        return [self.report(one, no.ToldBefore) for one in found]


_ONE = BoxBet(box=1, bet=2500)


class _Leaf(NamedTuple):
    """A hand of a report, and how the report reads with another in its place."""

    hand: BoxHand | SplitHand
    box: BoxClosed
    split: bool
    aces: bool
    inside: Callable[[Any], BoxHand]


class _OfPlay:
    """Wrong reports of a round in play: what has happened, but for one thing."""

    def __init__(self, rng: Random, said: _Said, play: SimulatedPlay) -> None:
        self.rng, self.said, self.play = rng, said, play
        self.rules, self.right = said.rules, play.report()
        self.up = POINTS[self.right.dealer[0]] if self.right.dealer else 0
        self.boxes = {box.box: box for box in play.closing.dealt}
        self.found: list[Wrong] = []

    def all(self) -> list[Wrong]:
        for ways in (self._words, self._shoe, self._dealer, self._leaves, self._people):
            ways()
        return self.found

    def _is(self, kinds: Kinds, **changed: Any) -> None:
        self.found.append(self.said.report(replace(self.right, **changed), kinds))

    def _hand_is(self, hand: BoxHand, kinds: Kinds, **changed: Any) -> None:
        place = [one.box for one in self.right.hands].index(hand.box)
        self._is(kinds, hands=_with(self.right.hands, place, hand), **changed)

    def _unlike(self) -> str:
        """A card that has not been seen often."""
        seen = Counter(cards_told(self.right))
        return min(NAMES, key=lambda card: seen[card])

    # The message

    def _words(self) -> None:
        hands, unlike = self.right.hands, self._unlike()
        self._is(no.DiscardUnknown, discarded=(*self.right.discarded, Discarded(card=unlike, rule="5.5")))
        self._is(no.CardUnknown, dealer=(*self.right.dealer, "1x"))
        self._is(no.BoxUnknown, hands=(*hands, BoxHand(box=99)))
        self._is(no.TextTooLong, shoe=Shoe(id="x" * 81))
        without = [box for box in range(1, self.said.table.setup.boxes + 1) if box not in self.boxes]
        if without:
            self._is(
                (no.BoxNotInRound, no.BoxUnknown), hands=(*hands, BoxHand(box=without[0], cards=(unlike,)))
            )
        for hand in hands[:1]:
            self._is(no.BoxToldTwice, hands=(*hands, hand))
            self._hand_is(replace(hand, decision="raise"), no.DecisionUnknown)
            self._hand_is(replace(hand, invalidated="5.7.1"), no.InvalidationUnknown)
            many = (unlike,) * (self.said.table.setup.decks + 1)
            self._hand_is(replace(hand, cards=(*hand.cards, *many)), no.CardRepeated)
            if not self.rules.free_bets:
                self._hand_is(replace(hand, decision="free_split"), no.DecisionUnknown)
                self._named(hand, PlayerWagers(player="B", free_double=True), no.WagerNotInGame)
            self._named(hand, PlayerWagers(player="B", split="perhaps"), no.DecisionUnknown)
            self._named(hand, PlayerWagers(player="stranger", double=1), no.PlayerNotOnBox)

    def _named(self, hand: BoxHand, said: PlayerWagers, kinds: Kinds) -> None:
        """Said by somebody besides all that was said."""
        self._hand_is(replace(hand, wagers=(*hand.wagers, said)), kinds)

    def _shoe(self) -> None:
        drawn = tuple(self.play.shoe.drawn)
        if not drawn:
            return
        name = self.play.shoe.id
        self._is(no.ShoeDiffers, shoe=Shoe(id=name, drawn=drawn[:-1]))
        regular = not (self.play.returned or self.play.discarded or self.said.table.irregular)
        pairs = [place for place in range(1, len(drawn)) if drawn[place] != drawn[place - 1]]
        if regular and pairs:
            place = self.rng.choice(pairs)
            swapped = (*drawn[: place - 1], drawn[place], drawn[place - 1], *drawn[place + 1 :])
            self._is(no.ShoeDiffers, shoe=Shoe(id=name, drawn=swapped))

    def _dealer(self) -> None:
        dealer = self.right.dealer
        if self.play.finished():
            self._is(no.DealerDrawWrong, dealer=(*dealer, self._unlike()))
            return
        if self._waits():
            self._is((*_DEALER_DREW, no.DrawNotAllowed), final=True)
        if any(len(one.hand.cards) < 2 for one in self._live()):
            early = (*(dealer or (self._unlike(),)), self._unlike())
            self._is(_DEALER_DREW, dealer=early[:2])

    def _waits(self) -> bool:
        """Some hand is not decided before the dealer's is finished."""
        return any(
            points(one.hand.cards).total <= 21 and one.hand.decision != Decision.SURRENDER
            for one in self._live()
            if one.split or not is_blackjack(one.hand.cards)
        )

    # The players

    def _people(self) -> None:
        for hand in self.right.hands:
            box, players = self.boxes[hand.box], self._players(hand.box)
            if not players:
                continue
            name = self.rng.choice(players)
            natural, ace = is_blackjack(hand.cards), self.up == ACE
            if not ace:
                self._says(hand, name, no.InsuranceNotAllowed, insurance=1)
            if not (ace and natural):
                self._says(hand, name, no.EvenMoneyNotAllowed, even_money=True)
            elif len(hand.cards) > 1:
                self._says(hand, name, no.DecisionContradictory, insurance=1, even_money=True)
            if hand.decision not in SPLITS:
                self._says(hand, name, no.DecisionContradictory, split=Follows.PAID.value)
            elif not self._gone(box):
                caller = box.caller() or name
                self._says(hand, caller, no.DecisionContradictory, split=Follows.NONE.value)
            said = hand.wagers[0] if hand.wagers else PlayerWagers(player=name)
            twice = (*hand.wagers, said) if hand.wagers else (said, said)
            self._hand_is(replace(hand, wagers=twice), no.PlayerRepeated)

    def _says(self, hand: BoxHand, name: str, kinds: Kinds, **what: Any) -> None:
        """In what he says, or besides."""
        said = next((one for one in hand.wagers if one.name(hand.box) == name), PlayerWagers(player=name))
        others = tuple(one for one in hand.wagers if one.name(hand.box) != name)
        self._hand_is(replace(hand, wagers=(*others, replace(said, **what))), kinds)

    def _players(self, box: int) -> list[str]:
        return self.play.players(self.boxes[box])

    def _gone(self, box: BoxClosed) -> bool:
        """Some bets there have gone back, and it is not told who calls."""
        return any((box.box, name) in self.play.returned for name in box.bettors)

    # The hands

    def _live(self) -> Iterator[_Leaf]:
        """Hands that somebody plays."""
        for hand in self.right.hands:
            box = self.boxes[hand.box]
            if self.play.players(box):
                yield from _leaves(hand, box, lambda new: new)

    def _leaves(self) -> None:
        for leaf in self._live():
            if leaf.hand.decision in (None, Decision.STAND):
                self._calls(leaf)
            if leaf.hand.decision != Decision.SURRENDER:
                self._draws(leaf)

        for hand in self.right.hands if self.rules.free_bets else ():
            pictures = not PICTURES.isdisjoint(hand.cards[:2])
            if hand.decision == Decision.SPLIT and pictures and self._players(hand.box):
                self._hand_is(replace(hand, decision=Decision.FREE_SPLIT.value), no.FreeSplitNotAllowed)

    def _leaf_is(self, leaf: _Leaf, kinds: Kinds, **changed: Any) -> None:
        self._hand_is(leaf.inside(replace(leaf.hand, **changed)), kinds)

    def _draws(self, leaf: _Leaf) -> None:
        """A card that cannot follow."""
        cards = leaf.hand.cards
        total, soft = points(cards)
        doubled = leaf.hand.decision in DOUBLES and len(cards) > 2
        if len(cards) > 1 and (total > 21 or (total == 21 and soft) or doubled or leaf.aces):
            kinds = (no.DrawNotAllowed, no.EvenMoneyNotAllowed)  # that too, if it was taken
            self._leaf_is(leaf, kinds, cards=(*cards, self._unlike()))

    def _calls(self, leaf: _Leaf) -> None:
        """A call that cannot be made."""
        cards, two = leaf.hand.cards, len(leaf.hand.cards) == 2
        total, soft = points(cards)
        natural = is_blackjack(cards)
        if len(cards) > 1 and total < 12 and not leaf.aces:
            self._leaf_is(leaf, no.DrawMissing, decision=Decision.STAND.value)
        if len(self.play.players(leaf.box)) > 1:
            self._leaf_is(leaf, no.DecisionContradictory, decision=Decision.WALK_AWAY.value)
        if len(cards) < 2 or natural or leaf.aces:
            self._leaf_is(leaf, no.DoubleNotAllowed, decision=Decision.DOUBLE.value)
        elif self.rules.free_bets and two and (soft or not 9 <= total <= 11):
            self._leaf_is(leaf, no.FreeDoubleNotAllowed, decision=Decision.FREE_DOUBLE.value)
        won = natural and not leaf.split and 0 < self.up < TEN
        if leaf.split or not two or self.up == ACE or won:
            self._leaf_is(leaf, no.SurrenderNotAllowed, decision=Decision.SURRENDER.value)
        self._splits(leaf)

    def _splits(self, leaf: _Leaf) -> None:
        cards = leaf.hand.cards
        two = tuple(SplitHand(cards=(card,)) for card in cards[:2])
        alike = len(cards) == 2 and POINTS[cards[0]] == POINTS[cards[1]]
        if not alike or leaf.aces:
            self._leaf_is(leaf, no.SplitNotAllowed, decision=Decision.SPLIT.value, split=two)


def _leaves(
    hand: BoxHand | SplitHand,
    box: BoxClosed,
    inside: Callable[[Any], BoxHand],
    *,
    split: bool = False,
    aces: bool = False,
) -> Iterator[_Leaf]:
    if not hand.split:
        yield _Leaf(hand, box, split, aces, inside)
        return
    of_aces = POINTS[hand.cards[0]] == ACE
    for place, one in enumerate(hand.split):

        def within(new: SplitHand, place: int = place) -> BoxHand:
            return inside(replace(hand, split=_with(hand.split, place, new)))

        yield from _leaves(one, box, within, split=True, aces=of_aces)


def _with(several: Sequence[Any], place: int, one: Any) -> tuple[Any, ...]:
    return (*several[:place], one, *several[place + 1 :])
