"""What a blackjack table says and is told, as on the wire.

A controller speaks in the records of the rules (`BoxBet`, `BoxHand`, ...); the lines, adjustments and hands
of answers are records of the rules too.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from msgspec import Struct, to_builtins

from jackpot.client.messages import Answer, Body
from jackpot.core.codec import names_of
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import (
    Adjusted,
    Bets,
    BoomBet,
    BoxBet,
    BoxHand,
    DealerView,
    Discarded,
    HandView,
    Line,
    PlayerWagers,
    Playing,
    Report,
    Shoe,
    SplitHand,
)

_OWN = frozenset(names_of(BoxBet)) - {"side"}


class ReturnedWager(Struct, frozen=True, kw_only=True):
    """A wager that a void hands back and that no earlier answer contained."""

    box: int | None
    player: str
    hand: int | None
    wager: str
    amount: int
    code: str
    rule: str


class BlackjackAnswer(Answer, frozen=True, kw_only=True):
    table: str
    round: int
    state: str
    settlement: tuple[Line, ...] = ()
    """The round as it is now; with the bets what goes back at once."""


class BlackjackBetsAnswer(BlackjackAnswer, frozen=True, kw_only=True):
    playing: tuple[Playing, ...] = ()
    """The part of each bet that plays."""
    notice: str | None = None


class BlackjackHandsAnswer(BlackjackAnswer, frozen=True, kw_only=True):
    hands: tuple[HandView, ...] = ()
    dealer: DealerView
    adjustments: tuple[Adjusted, ...] = ()


class BlackjackVoidAnswer(BlackjackAnswer, frozen=True, kw_only=True):
    returned: tuple[ReturnedWager, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


# What is said


def bets_body(closed_at: int, bets: Bets) -> Body:
    boxes = [{**_said(bet, without="side"), **_laid(bet.side)} for bet in bets.boxes]
    body: Body = {"closed_at": spoken_instant(closed_at), "boxes": boxes}
    return body | {"boom_busted": [_said(bet) for bet in bets.boom_busted]} if bets.boom_busted else body


def _laid(side: Mapping[str, int]) -> Body:
    return {wager: amount for wager, amount in side.items() if amount}


def hands_body(report: Report) -> Body:
    body = {"final": report.final, "hands": [_said(hand) for hand in report.hands]}
    if report.dealer:
        body["dealer"] = {"cards": list(report.dealer)}
    if report.discarded:
        body["discarded"] = [_said(one) for one in report.discarded]
    return body if report.shoe is None else body | {"shoe": _shoe(report.shoe)}


def _shoe(shoe: Shoe) -> Body:
    named: Body = {} if shoe.id is None else {"id": shoe.id}
    return named if shoe.drawn is None else named | {"drawn": list(shoe.drawn)}


def _said(record: object, without: str = "") -> Body:
    """Without what says nothing."""
    fields: Body = to_builtins(record)
    return {name: _spoken(value) for name, value in fields.items() if name != without and _tells(value)}


def _tells(value: Any) -> bool:
    return value is not None and value != ()


def _spoken(value: Any) -> Any:
    if isinstance(value, dict):
        return {name: _spoken(one) for name, one in value.items() if _tells(one)}
    return [_spoken(one) for one in value] if isinstance(value, tuple | list) else value


# And read again, from a spool


def bets_of(body: Body) -> Bets:
    return Bets(
        boxes=tuple(
            BoxBet(
                **{name: value for name, value in box.items() if name in _OWN},
                side={wager: amount for wager, amount in box.items() if wager not in _OWN},
            )
            for box in body["boxes"]
        ),
        boom_busted=tuple(BoomBet(**bet) for bet in body.get("boom_busted", ())),
    )


def report_of(body: Body) -> Report:
    shoe = body.get("shoe")
    return Report(
        final=body["final"],
        hands=tuple(BoxHand(**_hand(hand)) for hand in body["hands"]),
        dealer=tuple(body.get("dealer", {}).get("cards", ())),
        discarded=tuple(Discarded(**one) for one in body.get("discarded", ())),
        shoe=None if shoe is None else Shoe(id=shoe.get("id"), drawn=_cards(shoe.get("drawn"))),
    )


def _hand(said: Body) -> Body:
    return {
        **said,
        "cards": tuple(said.get("cards", ())),
        "split": tuple(SplitHand(**_hand(one)) for one in said.get("split", ())),
        "wagers": tuple(PlayerWagers(**one) for one in said.get("wagers", ())),
    }


def _cards(said: Sequence[str] | None) -> tuple[str, ...] | None:
    return None if said is None else tuple(said)


def handed_back(lines: Iterable[Line]) -> tuple[ReturnedWager, ...]:
    return tuple(
        ReturnedWager(
            box=line.box,
            player=line.player,
            hand=line.hand,
            wager=line.wager,
            amount=line.stake,
            code="round_voided",
            rule=line.rule,
        )
        for line in lines
    )
