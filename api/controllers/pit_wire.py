"""The messages of blackjack tables as they come over the wire, and the commands they mean.

What is not of the right shape is refused here, with the field; whether it may stand is for the rules. Fields
of the poker games are known by name, so that a controller set up for another game is told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from operator import attrgetter
from typing import Annotated, Any

from msgspec import Meta

from api.controllers.wire import Amount, Arrived, Card, MessageSaid, Number, Said, TableName, Text
from jackpot.cards.cards import NAMES, names, parse_all
from jackpot.core.instants import parse_instant
from jackpot.core.refusals import WagerNotInGame
from jackpot.games import blackjack
from jackpot.games.blackjack import Decision, Follows
from jackpot.link import commands

Cards = Annotated[tuple[Card, ...], Meta(max_length=64)]
Call = Annotated[str, Meta(max_length=1000, extra_json_schema={"enum": [one.value for one in Decision]})]
Follow = Annotated[str, Meta(max_length=1000, extra_json_schema={"enum": [one.value for one in Follows]})]
Other = Annotated[Any, Meta(extra_json_schema={"deprecated": True}, description="Of another game: refused")]
_CANONICAL = frozenset(NAMES)
_SIDE = tuple(sorted({name for rules in blackjack.BLACKJACK_GAMES.values() for name in rules.side}))
_side_of = attrgetter(*_SIDE)


class _OtherGame:
    """Fields of the poker games' entries."""

    def __init__(self, *names: str) -> None:
        self._names, self._of = names, attrgetter(*names)
        self._nothing = (None,) * len(names)

    def check_unsaid(self, entry: Any, place: str) -> None:
        values = self._of(entry)
        if values != self._nothing:
            name = next(name for name, value in zip(self._names, values, strict=True) if value is not None)
            raise _of_another_game(name, f"{place}.{name}")


def _of_another_game(name: str, field: str) -> WagerNotInGame:
    return WagerNotInGame(f"{name} is of another game", field=field, rule="2.1.1")


_BETS_OF_POKER = _OtherGame("ante", "bonus", "progressive")


class PitBoxBets(Said, kw_only=True):
    """What one player has laid on one box. Side bets are those of the table's game."""

    box: Number
    bet: Amount = 0
    player: Text | None = None
    standing: bool = False
    player_pair: Amount = 0
    under_13: Amount = 0
    over_13: Amount = 0
    perfect_pairs: Amount = 0
    rws_pairs: Amount = 0
    lucky_stash: Amount = 0
    ante: Other = None
    bonus: Other = None
    progressive: Other = None

    def laid(self, place: int) -> blackjack.BoxBet:
        _BETS_OF_POKER.check_unsaid(self, f"boxes[{place}]")
        return blackjack.BoxBet(
            box=self.box,
            player=_name(self.player, self.box),
            standing=self.standing,
            bet=self.bet,
            side={name: amount for name, amount in zip(_SIDE, _side_of(self), strict=True) if amount},
        )


class BoomBusted(Said, kw_only=True):
    player: Text
    bet: Amount


class PitBets(MessageSaid, kw_only=True):
    """All bets of a round of blackjack, sent once when the dealer has said "No more bets": an entry for each
    player and box."""

    closed_at: Annotated[str, Meta(max_length=64, extra_json_schema={"format": "date-time"})]
    boxes: Annotated[tuple[PitBoxBets, ...], Meta(max_length=256)]
    boom_busted: Annotated[tuple[BoomBusted, ...], Meta(max_length=256)] = ()

    def command(self, table: str, round: int, arrived: Arrived) -> commands.ClosePitBets:
        return commands.ClosePitBets(
            **self.delivery(table, arrived),
            round=round,
            closed_at=parse_instant(self.closed_at, field="closed_at"),
            bets=blackjack.Bets(
                boxes=tuple([one.laid(place) for place, one in enumerate(self.boxes)]),
                boom_busted=tuple(
                    [blackjack.BoomBet(player=one.player, bet=one.bet) for one in self.boom_busted]
                ),
            ),
        )


class WagersSaid(Said, kw_only=True):
    """What only a player can say of a hand; who is not named follows the call in full."""

    player: Text | None = None
    insurance: Amount | None = None
    even_money: bool | None = None
    split: Follow | None = None
    double: Amount | None = None
    free_double: bool | None = None
    invalidated: Text | None = None

    def told(self, box: int) -> blackjack.PlayerWagers:
        return blackjack.PlayerWagers(
            player=_name(self.player, box),
            insurance=self.insurance,
            even_money=self.even_money,
            split=self.split,
            double=self.double,
            free_double=self.free_double,
            invalidated=self.invalidated,
        )


class PitSplitHand(Said, kw_only=True):
    """A hand that came of a split; its first card is the one it was formed with."""

    cards: Cards = ()
    decision: Call | None = None
    split: Annotated[tuple[PitSplitHand, ...], Meta(max_length=8)] = ()
    wagers: Annotated[tuple[WagersSaid, ...], Meta(max_length=64)] = ()

    def told(self, box: int, field: str) -> blackjack.SplitHand:
        return blackjack.SplitHand(
            cards=_cards(self.cards, f"{field}.cards"),
            decision=self.decision,
            split=_split(self.split, box, field),
            wagers=tuple([one.told(box) for one in self.wagers]),
        )


_HANDS_OF_POKER = _OtherGame(
    "dealt_at", "deal_order", "folded", "revealed", "examined", "bet", "flop", "turn", "river", "player"
)


class PitHand(Said, kw_only=True):
    box: Number
    cards: Cards = ()
    decision: Call | None = None
    split: Annotated[tuple[PitSplitHand, ...], Meta(max_length=8)] = ()
    wagers: Annotated[tuple[WagersSaid, ...], Meta(max_length=64)] = ()
    invalidated: Text | None = None
    dealt_at: Other = None
    deal_order: Other = None
    folded: Other = None
    revealed: Other = None
    examined: Other = None
    bet: Other = None
    flop: Other = None
    turn: Other = None
    river: Other = None
    player: Other = None

    def told(self, place: int) -> blackjack.BoxHand:
        field = f"hands[{place}]"
        _HANDS_OF_POKER.check_unsaid(self, field)
        return blackjack.BoxHand(
            box=self.box,
            cards=_cards(self.cards, f"{field}.cards"),
            decision=self.decision,
            split=_split(self.split, self.box, field),
            wagers=tuple([one.told(self.box) for one in self.wagers]),
            invalidated=self.invalidated,
        )


class PitDealer(Said, kw_only=True):
    cards: Cards = ()


class DiscardedSaid(Said, kw_only=True):
    card: Card
    rule: Text


class ShoeSaid(Said, kw_only=True):
    id: Text | None = None
    drawn: Annotated[tuple[Card, ...], Meta(max_length=520)] | None = None


class PitHands(MessageSaid, kw_only=True):
    """A round of blackjack so far, whole; a final one without any hand settles what was last told."""

    hands: Annotated[tuple[PitHand, ...], Meta(max_length=64)] = ()
    dealer: PitDealer | None = None
    discarded: Annotated[tuple[DiscardedSaid, ...], Meta(max_length=64)] = ()
    shoe: ShoeSaid | None = None
    final: bool = False
    community: Other = None

    def command(self, table: str, round: int, arrived: Arrived) -> commands.ReportPlay:
        if self.community is not None:
            raise _of_another_game("community", "community")
        shoe = self.shoe
        return commands.ReportPlay(
            **self.delivery(table, arrived),
            round=round,
            report=blackjack.Report(
                final=self.final,
                hands=tuple([one.told(place) for place, one in enumerate(self.hands)]),
                dealer=_cards(self.dealer.cards, "dealer.cards") if self.dealer else (),
                discarded=tuple(
                    [
                        blackjack.Discarded(
                            card=_cards([one.card], f"discarded[{place}].card")[0], rule=one.rule
                        )
                        for place, one in enumerate(self.discarded)
                    ]
                ),
                shoe=None
                if shoe is None
                else blackjack.Shoe(
                    id=shoe.id, drawn=None if shoe.drawn is None else _cards(shoe.drawn, "shoe.drawn")
                ),
            ),
        )


class PitBetsEvent(PitBets, kw_only=True, tag_field="kind", tag="bets"):
    round: Number


class PitHandsEvent(PitHands, kw_only=True, tag_field="kind", tag="hands"):
    round: Number


class SitePitBetsEvent(PitBetsEvent, kw_only=True, tag_field="kind", tag="bets"):
    table: TableName


class SitePitHandsEvent(PitHandsEvent, kw_only=True, tag_field="kind", tag="hands"):
    table: TableName


PIT_SPOKEN: tuple[Any, ...] = (PitBets, PitHands)


def _name(player: str | None, box: int) -> str | None:
    """The name that a player has without one says nothing."""
    return None if player == str(box) else player


def _cards(said: Sequence[str], field: str) -> tuple[str, ...]:
    """By their canonical names, so that the same cards are the same content."""
    if _CANONICAL.issuperset(said):
        return tuple(said)
    return names(parse_all(said, field=field))


def _split(
    hands: Sequence[PitSplitHand], box: int, field: str
) -> tuple[blackjack.BoxHand | blackjack.SplitHand, ...]:
    return tuple([one.told(box, f"{field}.split[{place}]") for place, one in enumerate(hands)])
