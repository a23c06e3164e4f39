"""The cards of a round in a pit as they lay: boxes, hands as they were split, the dealer's, the shoe."""

from __future__ import annotations

from pydantic import Field

from api.operators.house_answers import MinorUnits, Told, plain
from jackpot.games.blackjack import HandTree, PlayerWagers, dealer_view, hand_tree
from jackpot.games.blackjack.play import Play, Returned


class SaidByPlayer(Told):
    """What only a player can say of a hand; what is null he did not say."""

    player: str
    insurance: MinorUnits | None
    even_money: bool | None
    split: str | None
    double: MinorUnits | None
    free_double: bool | None
    invalidated: str | None

    @classmethod
    def of(cls, box: int, one: PlayerWagers) -> SaidByPlayer:
        return cls(
            player=one.name(box),
            insurance=one.insurance,
            even_money=one.even_money,
            split=one.split,
            double=one.double,
            free_double=one.free_double,
            invalidated=one.invalidated,
        )


class HandPlayed(Told):
    number: int | None = Field(description="As it was played, 1 to 4; null of a hand that was split.")
    cards: list[str] = Field(description="In the order received.")
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    decision: str | None = Field(description="How it ended, as called for the box; null: it stood.")
    wagers: list[SaidByPlayer]
    split: list[HandPlayed] = Field(description="The two hands that came of it.")

    @classmethod
    def of(cls, box: int, one: HandTree) -> HandPlayed:
        return cls(
            number=one.number,
            cards=list(one.cards),
            total=one.total,
            soft=one.soft,
            blackjack=one.blackjack,
            bust=one.bust,
            decision=one.decision,
            wagers=[SaidByPlayer.of(box, said) for said in one.wagers],
            split=[cls.of(box, hand) for hand in one.split],
        )


class PlayerOfBox(Told):
    player: str
    seated: bool
    caller: bool = Field(description="Who calls for the box (3.8).")
    plays: MinorUnits = Field(description="The part of his Initial Bet that plays.")
    returned_by: str | None = Field(description="The paragraph by which his bets went back.")


class BoxPlayed(Told):
    box: int
    players: list[PlayerOfBox] = Field(description="Who has anything on it, in the order of placing.")
    hand: HandPlayed | None = Field(description="As it was last told; null while it has no cards.")
    invalidated: str | None


class DealerTold(Told):
    cards: list[str]
    total: int
    soft: bool
    blackjack: bool
    bust: bool
    finished: bool


class DiscardTold(Told):
    card: str
    rule: str


class ShoeTold(Told):
    id: str | None
    drawn: list[str] | None = Field(description="All cards of the round as the shoe counted them out.")


class TableOfCards(Told):
    """A round as far as it was told."""

    boxes: list[BoxPlayed]
    dealer: DealerTold
    discarded: list[DiscardTold] = Field(description="Cards that left the shoe and belong to no hand.")
    shoe: ShoeTold | None

    @classmethod
    def of(cls, play: Play, returned: Returned) -> TableOfCards:
        report = play.report
        return cls(
            boxes=_boxes(play, returned),
            dealer=DealerTold.model_validate(plain(dealer_view(play))),
            discarded=[DiscardTold(card=one.card, rule=one.rule) for one in report.discarded],
            shoe=None
            if report.shoe is None
            else ShoeTold(
                id=report.shoe.id, drawn=None if report.shoe.drawn is None else list(report.shoe.drawn)
            ),
        )


def _boxes(play: Play, returned: Returned) -> list[BoxPlayed]:
    found = []
    for number, box in play.boxes.items():
        closed = box.closed
        caller = closed.caller(frozenset(box.back))
        back = {name: one.rule for name, one in box.back.items()}
        back |= {name: one.rule for (at, name), one in returned.items() if at == number}
        players = [
            PlayerOfBox(
                player=name,
                seated=name == closed.seated,
                caller=name == caller,
                plays=closed.players[name].plays if name in closed.players else 0,
                returned_by=back.get(name),
            )
            for name in closed.bettors
        ]
        hand = HandPlayed.of(number, hand_tree(box)) if box.told is not None and box.told.cards else None
        told = box.told
        found.append(
            BoxPlayed(
                box=number, players=players, hand=hand, invalidated=None if told is None else told.invalidated
            )
        )
    return found
