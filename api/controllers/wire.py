"""The messages of tables as they come over the wire, and the commands they mean.

What is not of the right shape is refused here, with the field; whether it may stand is for the rules.
"""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Annotated, Any, NamedTuple, TypeVar, cast

import msgspec
from msgspec import Meta, Struct

from api.http.errors import Invalid
from jackpot.cards.cards import parse_all
from jackpot.core.instants import parse_instant
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.records import maker
from jackpot.games.lines import Decision
from jackpot.link import clocks, commands, meters
from jackpot.link.rounds import MainGame, Promise
from jackpot.link.wins import ClockWord

# The rules say of an amount what is wrong with it; here it must only be a number that a book can hold.
_AMOUNT = {"minimum": 0, "maximum": LARGEST_AMOUNT}
Amount = Annotated[int, Meta(ge=-(2**62), le=2**62, extra_json_schema=_AMOUNT)]
Number = Annotated[int, Meta(ge=-(2**62), le=2**62)]
Instant = Annotated[
    str,
    Meta(max_length=64, description="RFC 3339 with an offset", extra_json_schema={"format": "date-time"}),
]
Card = Annotated[str, Meta(max_length=20, examples=["Ah", "10d"])]
Cards = Annotated[list[Card], Meta(max_length=16)]
Paragraph = Annotated[str, Meta(max_length=20, examples=["5.15"])]
Text = Annotated[str, Meta(max_length=1000)]
# Which decisions a game has is for the rules to say.
DecisionText = Annotated[
    str, Meta(max_length=1000, extra_json_schema={"enum": [one.value for one in Decision]})
]
MOST_HANDS = 64
_HAND_FIELDS = [(f"hands[{place}].cards", f"hands[{place}].dealt_at") for place in range(MOST_HANDS)]
T = TypeVar("T")
_new_echo, _new_heartbeat = maker(clocks.Echo), maker(commands.Heartbeat)
_new_meters, _new_told = maker(meters.Meters), maker(meters.MetersTold)
_new_bets, _new_report, _new_main = maker(commands.BoxBets), maker(commands.HandReport), maker(MainGame)


_own_stamp = lru_cache(64)(parse_instant)
"""All tables of a gateway echo the same answer."""


class Said(Struct, forbid_unknown_fields=True):
    pass


class Echo(Said):
    """The last answer the table heard: its `replied_at`, and when the table's clock had it."""

    replied_at: Instant
    heard_at: Instant

    def heard(self) -> clocks.Echo:
        return _new_echo(
            replied_at=_own_stamp(self.replied_at, field="echo.replied_at"),
            heard_at=parse_instant(self.heard_at, field="echo.heard_at"),
        )


class Arrived(NamedTuple):
    """How a message came: when, in house time give or take the error of whoever received it."""

    at: int
    error: int
    live: bool = True


class MessageSaid(Said, kw_only=True):
    sent_at: Instant
    seq: Number | None = None
    echo: Echo | None = None

    def delivery(self, table: str, arrived: Arrived) -> dict[str, Any]:
        return {
            "table": table,
            "sent_at": parse_instant(self.sent_at, field="sent_at"),
            "received_at": arrived.at,
            "error": arrived.error,
            "seq": self.seq,
            "live": arrived.live,
            "echo": None if self.echo is None else self.echo.heard(),
        }


class BoxBets(Said):
    box: Number
    ante: Amount = 0
    progressive: Amount = 0
    bonus: Amount = 0


class Bets(MessageSaid, kw_only=True):
    """All bets of a round, sent once when the dealer has said "No more bets"."""

    closed_at: Instant
    boxes: Annotated[list[BoxBets], Meta(max_length=64)]

    def command(self, table: str, round: int, arrived: Arrived) -> commands.CloseBets:
        return commands.CloseBets(
            **self.delivery(table, arrived),
            round=round,
            closed_at=parse_instant(self.closed_at, field="closed_at"),
            boxes=tuple(
                [
                    _new_bets(box=one.box, ante=one.ante, progressive=one.progressive, bonus=one.bonus)
                    for one in self.boxes
                ]
            ),
        )


class BoxHand(Said, kw_only=True):
    """What is left out stays as told; `"cards": []` and `"folded": false` retract."""

    box: Number
    cards: Cards | None = None
    dealt_at: Instant | None = None
    deal_order: Number | None = None
    folded: bool | None = None
    revealed: bool | None = None
    invalidated: Paragraph | None = None
    # Of the main game, for its settlement.
    bet: Amount | None = None
    flop: Amount | None = None
    turn: Amount | None = None
    river: Amount | None = None
    decision: DecisionText | None = None
    examined: bool | None = None
    player: Text | None = None

    def report(self, place: int) -> commands.HandReport:
        cards_field, dealt_field = _HAND_FIELDS[place]
        return _new_report(
            box=self.box,
            cards=_cards(self.cards, cards_field),
            dealt_at=_instant(self.dealt_at, dealt_field),
            deal_order=self.deal_order,
            folded=self.folded,
            revealed=self.revealed,
            invalidated=self.invalidated,
            main=self._main(),
        )

    def _main(self) -> MainGame | None:
        main = _new_main(
            bet=self.bet,
            flop=self.flop,
            turn=self.turn,
            river=self.river,
            decision=self.decision,
            examined=self.examined,
            player=self.player,
        )
        return None if main.silent else main


class Dealer(Said):
    cards: Cards | None = None


class Hands(MessageSaid, kw_only=True):
    """What is known of a round's hands, and what was told wrongly before, until a message says that it is
    final. What it leaves out stays as told."""

    hands: Annotated[list[BoxHand], Meta(max_length=MOST_HANDS)]
    community: Cards | None = None
    dealer: Dealer | None = None
    final: bool = False

    def command(self, table: str, round: int, arrived: Arrived) -> commands.ReportHands:
        return commands.ReportHands(
            **self.delivery(table, arrived),
            round=round,
            hands=tuple([one.report(place) for place, one in enumerate(self.hands)]),
            community=_cards(self.community, "community"),
            dealer=_cards(self.dealer.cards if self.dealer else None, "dealer.cards"),
            final=self.final,
        )


class Void(MessageSaid, kw_only=True):
    reason: Paragraph
    note: Text = ""

    def command(self, table: str, round: int, arrived: Arrived) -> commands.VoidRound:
        return commands.VoidRound(
            **self.delivery(table, arrived),
            round=round,
            reason=self.reason,
            note=self.note,
        )


class Clock(Said):
    """The table's own word of its clock: house time is table time plus `offset_us`, give or take `error_us`.
    It is kept and decides nothing."""

    offset_us: Number
    error_us: Number

    def word(self) -> ClockWord:
        return ClockWord(offset=self.offset_us, error=self.error_us)


class Meters(Said, kw_only=True):
    """What the controller has counted, up to the last round that is over."""

    round: Number
    rounds: Number
    bets: Number
    returned: Number
    awards: Number
    first: Number | None = None
    """The first round counted; left out, it goes on counting as before."""

    def told(self) -> meters.MetersTold:
        counted = _new_meters(rounds=self.rounds, bets=self.bets, returned=self.returned, awards=self.awards)
        return _new_told(round=self.round, meters=counted, first=self.first)


class Heartbeat(MessageSaid, kw_only=True):
    clock: Clock | None = None
    in_play: bool = True
    meters: Meters | None = None

    def command(self, table: str, _round: int | None, arrived: Arrived) -> commands.Heartbeat:
        clock, echo, told = self.clock, self.echo, self.meters
        return _new_heartbeat(
            table=table,
            sent_at=parse_instant(self.sent_at, field="sent_at"),
            received_at=arrived.at,
            error=arrived.error,
            seq=self.seq,
            live=arrived.live,
            echo=None if echo is None else echo.heard(),
            clock=None if clock is None else clock.word(),
            in_play=self.in_play,
            meters=None if told is None else told.told(),
        )


class BetsEvent(Bets, kw_only=True, tag_field="kind", tag="bets"):
    round: Number


class HandsEvent(Hands, kw_only=True, tag_field="kind", tag="hands"):
    round: Number


class VoidEvent(Void, kw_only=True, tag_field="kind", tag="void"):
    round: Number


class HeartbeatEvent(Heartbeat, kw_only=True, tag_field="kind", tag="heartbeat"):
    round: Number | None = None


Event = BetsEvent | HandsEvent | VoidEvent | HeartbeatEvent


class Registered(Said):
    """The `meter` that the table was told last."""

    value: Amount
    sequence: Number
    next: Amount | None = None

    def promise(self) -> Promise:
        return Promise(value=self.value, sequence=self.sequence, next=self.next)


class Offline(Said, kw_only=True):
    """What a table did while it could not reach the service: since when, and what it promised."""

    since: Instant
    cards_seen: bool | None = None
    registered: Registered | None = None
    round: Number | None = None

    def command(self, table: str, person: str) -> commands.ReportOffline:
        told = self.registered
        return commands.ReportOffline(
            person=person,
            table=table,
            since=parse_instant(self.since, field="offline.since"),
            cards_seen=self.cards_seen,
            round=self.round,
            registered=None if told is None else told.promise(),
        )


class Events(Said, kw_only=True):
    """Several messages in order: a spool that is replayed, or one message for several rounds."""

    events: Annotated[list[msgspec.Raw], Meta(max_length=2000)]
    """Each is read by itself: one that is wrong must not keep the others from being heard."""
    offline: Offline | None = None


class EventsSaid(Said, kw_only=True):
    """`Events` as it is documented."""

    events: Annotated[list[Event], Meta(max_length=2000)]
    offline: Offline | None = None


TableName = Annotated[str, Meta(max_length=80)]


class Whose(Struct):
    """Whose an event is; the rest of it is read by what that table may say."""

    table: TableName


class SiteBetsEvent(BetsEvent, kw_only=True, tag_field="kind", tag="bets"):
    table: TableName


class SiteHandsEvent(HandsEvent, kw_only=True, tag_field="kind", tag="hands"):
    table: TableName


class SiteVoidEvent(VoidEvent, kw_only=True, tag_field="kind", tag="void"):
    table: TableName


class SiteHeartbeatEvent(HeartbeatEvent, kw_only=True, tag_field="kind", tag="heartbeat"):
    table: TableName


SiteEvent = SiteBetsEvent | SiteHandsEvent | SiteVoidEvent | SiteHeartbeatEvent


class SiteEvents(Said, kw_only=True):
    """What several tables of a site say, in order for each table; it is said at once, not from a spool."""

    events: Annotated[list[msgspec.Raw], Meta(max_length=2000)]


class SiteEventsSaid(Said, kw_only=True):
    """`SiteEvents` as it is documented."""

    events: Annotated[list[SiteEvent], Meta(max_length=2000)]


SignName = Annotated[str, Meta(min_length=1, max_length=80, pattern=r"^[A-Za-z0-9_.@-]+\Z")]


class Receipt(Said, kw_only=True):
    """What a sign says it showed."""

    sign: SignName
    sequence: Annotated[int, Meta(ge=0, le=2**62)]
    value: Annotated[int, Meta(ge=0, le=LARGEST_AMOUNT)]
    shown_at: Instant


class Login(Said, kw_only=True):
    name: Annotated[str, Meta(max_length=80)]
    password: Annotated[str, Meta(max_length=1000)]


class SignCode(Said, kw_only=True):
    """Which sign a code is wanted for."""

    sign: SignName


class Enrolment(Said, kw_only=True):
    code: Annotated[str, Meta(max_length=40)]


SPOKEN: tuple[Any, ...] = (
    Bets,
    Hands,
    Void,
    Heartbeat,
    EventsSaid,
    SiteEventsSaid,
    Receipt,
    Login,
    SignCode,
    Enrolment,
)
"""What is documented."""


_decoder: Any = cache(msgspec.json.Decoder)


def decode(kind: type[T], body: bytes) -> T:
    return cast(T, _decoded(_decoder(kind), body))


def decode_event(kind: Any, event: msgspec.Raw) -> Any:
    """One of a union of events."""
    return _decoded(_decoder(kind), event)


def _decoded(decoder: Any, body: bytes | msgspec.Raw) -> Any:
    try:
        return decoder.decode(body)
    except msgspec.ValidationError as error:
        raise _wrong_field(str(error)) from None
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise Invalid(f"the body is not JSON: {error}"[:200], "body", "malformed_json") from None


def _wrong_field(message: str) -> Invalid:
    """What is wrong and where, out of `Expected ... - at `$.boxes[0].ante``."""
    what, _, where = message.partition(" - at `$")
    field = where.rstrip("`").lstrip(".")
    if "field `" in what:
        named = what.split("field `")[1].rstrip("`")
        field = f"{field}.{named}" if field else named
    return Invalid(what[:200], field[:200] or "body")


def _instant(text: str | None, field: str) -> int | None:
    return None if text is None else parse_instant(text, field=field)


def _cards(said: list[str] | None, field: str) -> tuple[int, ...] | None:
    return None if said is None else parse_all(said, field=field)


def round_number(text: str) -> int:
    if not (text.isascii() and text.isdigit() and len(text) < 19):
        raise Invalid("a round has a number", "round")
    return int(text)
