"""What a table says and is told, as on the wire; times are whole microseconds of the table's own clock."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from msgspec import Struct, structs, to_builtins

from jackpot.core.instants import spoken_instant
from jackpot.link.awards import Awards
from jackpot.link.rounds import PROGRESSIVE
from jackpot.link.table_terms import TableTerms

Body = dict[str, Any]


class Bets(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A box's bets, in minor units of the currency."""

    box: int
    ante: int = 0
    progressive: int = 0
    bonus: int = 0


class Hand(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A box's hand; the fields after `invalidated` are for the main game. What is left out stays as told;
    no cards at all (`()`) and `folded=False` retract."""

    box: int
    cards: tuple[str, ...] | None = None
    dealt_at: int | None = None
    deal_order: int | None = None
    folded: bool | None = None
    revealed: bool | None = None
    invalidated: str | None = None
    bet: int | None = None
    flop: int | None = None
    turn: int | None = None
    river: int | None = None
    decision: str | None = None
    examined: bool | None = None
    player: str | None = None


class Meter(Struct, frozen=True, omit_defaults=True):
    value: int
    sequence: int
    next: int | None = None
    """What is left once the wins that wait are paid; None while none waits."""

    @property
    def registered(self) -> int:
        """The amount from which a major is promised (S 5.18.1, H 5.17.1)."""
        return self.value if self.next is None else self.next


class AcceptedBet(Struct, frozen=True):
    box: int
    progressive: int


class ReturnedBet(Struct, frozen=True):
    box: int
    amount: int
    code: str
    rule: str | None = None
    wager: str = PROGRESSIVE


class HandResult(Struct, frozen=True, kw_only=True):
    box: int
    hand: str | None = None
    level: str | None = None
    award: int | None = None
    win: str | None = None
    claim: str | None = None
    promised: int | None = None
    """Of a major in a local answer: its share of the last registered value that this table was told."""


class Line(Struct, frozen=True, kw_only=True):
    """A wager of the main game, or a part of it that goes back on its own."""

    box: int
    wager: str
    outcome: str
    stake: int
    payout: int
    """All that the player is handed."""
    won: int
    collected: int
    rule: str
    pays: str | None = None


class Adjusted(Struct, frozen=True, kw_only=True):
    """What a correction or a void changes in what a box was handed for a wager."""

    box: int
    wager: str
    before: int
    after: int
    difference: int


class Answer(Struct, frozen=True, kw_only=True):
    meter: Meter | None = None
    local: bool = False
    """Given by the fallback rule, without the service; the meter is then the last registered value."""
    replied_at: str | None = None
    """When the House gave it; the next message is an echo of it."""


class BetsAnswer(Answer, frozen=True, kw_only=True):
    table: str
    round: int
    state: str
    accepted: tuple[AcceptedBet, ...] = ()
    returned: tuple[ReturnedBet, ...] = ()
    awards: Awards | None = None
    """What the round's hands win, if not what the rule book says."""


class HandsAnswer(Answer, frozen=True, kw_only=True):
    state: str
    results: tuple[HandResult, ...] = ()
    returned: tuple[ReturnedBet, ...] = ()
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


class VoidAnswer(Answer, frozen=True, kw_only=True):
    state: str
    returned: tuple[ReturnedBet, ...] = ()
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


class HeartbeatAnswer(Answer, frozen=True, kw_only=True):
    received_at: str
    table_state: str
    progressive: str | None
    """None at a table without a jackpot."""
    notice: str | None = None
    terms: TableTerms | None = None
    """Of the rounds to come; None from an older service."""


def bets_body(closed_at: int, boxes: Sequence[Bets]) -> Body:
    return {"closed_at": spoken_instant(closed_at), "boxes": to_builtins(boxes)}


def hands_body(
    hands: Sequence[Hand], community: Sequence[str] | None, dealer: Sequence[str] | None, *, final: bool
) -> Body:
    body: Body = {"final": final, "hands": [_hand_body(hand) for hand in hands]}
    if community is not None:
        body["community"] = list(community)
    if dealer is not None:
        body["dealer"] = {"cards": list(dealer)}
    return body


def _hand_body(hand: Hand) -> Body:
    body: Body = to_builtins(structs.replace(hand, dealt_at=None))
    return body if hand.dealt_at is None else body | {"dealt_at": spoken_instant(hand.dealt_at)}


def void_body(reason: str, note: str) -> Body:
    return {"reason": reason, "note": note}
