"""The bets when they are closed (3.10): which part of each plays, and what goes back (5.1, 5.2, 5.15).

The maximum bounds all Initial Bets of a box together; each side bet has its own, Boom Busted one for the
table.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from jackpot.core.records import frozen
from jackpot.games.blackjack.lines import RETURNED, Line
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.blackjack.told import Bets, BoxBet

BET = "bet"


@frozen(kw_only=True)
class SideLimits:
    minimum: int | None = None
    maximum: int | None = None


@frozen(kw_only=True)
class Layout:
    """A table's game, its boxes and decks, and its limits in minor units."""

    rules: BlackjackRules
    boxes: int
    decks: int
    minimum: int | None = None
    maximum: int | None = None
    side: Mapping[str, SideLimits] = field(default_factory=dict)


class Placed(NamedTuple):
    """A bet as it lies: the part that plays, and the parts that go back whatever happens."""

    player: str
    laid: int
    plays: int
    back: tuple[tuple[int, str], ...] = ()
    """Amounts with the paragraph that says so."""


Share = dict[str, Placed]
"""A wager of a box, by player in the order of placing."""


@frozen(kw_only=True)
class Playing:
    """A wager that plays, told with the bets."""

    box: int | None
    player: str
    wager: str
    stake: int


class BoxClosed(NamedTuple):
    box: int
    bettors: tuple[str, ...]
    """All who have laid anything, in the order of placing."""
    placed: dict[str, Share]
    """By wager, `bet` first."""
    players: Share
    """Whose Initial Bets play; without any the box gets no cards."""
    seated: str | None

    def caller(self, without: frozenset[str] = frozenset()) -> str | None:
        """Who calls for the box: the seated one, else the highest Initial Bet, of equal ones the first placed
        (3.8). `without` those whose bets went back."""
        if self.seated in self.players and self.seated not in without:
            return self.seated
        there = [one for one in self.players.values() if one.player not in without]
        return max(there, key=lambda one: one.laid).player if there else None


class Closing(NamedTuple):
    layout: Layout
    boxes: dict[int, BoxClosed]
    """Clockwise, all on which anything lies."""
    table: tuple[Placed, ...]
    """Boom Busted, in the order of placing."""

    @property
    def rules(self) -> BlackjackRules:
        return self.layout.rules

    @property
    def dealt(self) -> tuple[BoxClosed, ...]:
        """The boxes that get cards (3.11)."""
        return tuple([box for box in self.boxes.values() if box.players])


def close(layout: Layout, bets: Bets) -> Closing:
    """Of bets that `openings.check_bets` lets pass."""
    by_box: dict[int, list[BoxBet]] = {}
    for bet in bets.boxes:
        if bet.bet or any(bet.side.values()):
            by_box.setdefault(bet.box, []).append(bet)
    boxes = {number: close_box(layout, number, by_box[number]) for number in sorted(by_box)}
    return Closing(layout, boxes, _close_table(layout, bets, boxes) if bets.boom_busted else ())


def close_box(layout: Layout, number: int, bets: Sequence[BoxBet]) -> BoxClosed:
    """Of all who have laid anything on it."""
    bettors: list[str] = []
    main: Share = {}
    sides: dict[str, Share] = {}
    seated = None
    for bet in bets:
        name = bet.name
        bettors.append(name)
        if bet.bet:
            main[name] = Placed(name, bet.bet, bet.bet)
        for wager, amount in bet.side.items():
            if amount:
                sides.setdefault(wager, {})[name] = Placed(name, amount, amount)
        if seated is None and not bet.standing:
            seated = name
    main = _apportioned(main, layout.minimum, layout.maximum, layout.rules.paragraphs.over_maximum)
    players = {name: one for name, one in main.items() if one.plays}
    placed = {BET: main} if main else {}
    for wager in layout.rules.bounds:
        if wager in sides:
            placed[wager] = _close_side(layout, wager, sides[wager], players)
    return BoxClosed(number, tuple(bettors), placed, players, seated)


def _close_side(layout: Layout, wager: str, shares: Share, players: Share) -> Share:
    """Bounded by what plays of the Initial Bets on the box; without any a side bet goes back whole."""
    rules = layout.rules
    if not players:
        return {name: _all_back(one, rules.paragraphs.side_without_bet) for name, one in shares.items()}
    bounded = rules.bounds[wager]
    if bounded is not None:
        bound = _sum_playing(players)
        shares = {name: _at_most(one, bound, bounded) for name, one in shares.items()}
    limits = layout.side.get(wager)
    if limits is None:
        return shares
    return _apportioned(shares, limits.minimum, limits.maximum, rules.paragraphs.over_maximum)


def _sum_playing(shares: Share) -> int:
    return sum([one.plays for one in shares.values()])


def _at_most(one: Placed, most: int, rule: str) -> Placed:
    """Of each bet by itself, unlike a maximum of the box."""
    if one.plays <= most:
        return one
    return one._replace(plays=most, back=((one.plays - most, rule),))


def _all_back(one: Placed, rule: str) -> Placed:
    return Placed(one.player, one.laid, 0, ((one.laid, rule),))


def _apportioned(shares: Share, minimum: int | None, maximum: int | None, rule: str) -> Share:
    """Pro rata, down to the minor unit; nobody below the minimum by it (5.1.1), and who was below it already
    plays in full (5.1.2). Nothing else is redistributed."""
    if maximum is None:
        return shares
    total = _sum_playing(shares)
    if total <= maximum:
        return shares
    least = minimum or 0
    found: Share = {}
    for name, one in shares.items():
        plays = one.plays if one.plays < least else max(one.plays * maximum // total, least)
        back = one.plays - plays
        found[name] = one._replace(plays=plays, back=(*one.back, (back, rule))) if back else one
    return found


def _close_table(layout: Layout, bets: Bets, boxes: Mapping[int, BoxClosed]) -> tuple[Placed, ...]:
    """In the order of placing, until the limit is reached (F 5.1.3)."""
    bet = layout.rules.table_bet
    laid = [Placed(one.player, one.bet, one.bet) for one in bets.boom_busted if one.bet]
    if bet is None or not laid:
        return ()
    if not any(box.players for box in boxes.values()):
        return tuple(_all_back(one, bet.no_initial_bet) for one in laid)
    limits = layout.side.get(bet.name)
    room = None if limits is None else limits.maximum
    found = []
    for one in laid:
        plays = one.plays if room is None else min(one.plays, room)
        room = None if room is None else room - plays
        back = ((one.laid - plays, bet.over_maximum),) if plays < one.laid else ()
        found.append(Placed(one.player, one.laid, plays, back))
    return tuple(found)


def playing(closing: Closing) -> tuple[Playing, ...]:
    """The part of each bet that plays."""
    found = [
        Playing(box=box.box, player=name, wager=wager, stake=one.plays)
        for box in closing.boxes.values()
        for name in box.bettors
        for wager, shares in box.placed.items()
        if (one := shares.get(name)) and one.plays
    ]
    table = closing.rules.table_bet
    if table is not None:
        found += [
            Playing(box=None, player=one.player, wager=table.name, stake=one.plays)
            for one in closing.table
            if one.plays
        ]
    return tuple(found)


def returned_at_once(closing: Closing) -> tuple[Line, ...]:
    """The bets that play no part. What is over a limit goes back with the rest of its bet."""
    order = (*closing.rules.side, BET)
    found = [
        line
        for box in closing.boxes.values()
        for name in box.bettors
        for wager in order
        if (share := box.placed.get(wager)) and name in share and not share[name].plays
        for line in went_back(box.box, 1 if wager == BET else None, wager, share[name])
    ]
    table = closing.rules.table_bet
    if table is not None:
        found += [
            line for one in closing.table if not one.plays for line in went_back(None, None, table.name, one)
        ]
    return tuple(found)


def went_back(box: int | None, hand: int | None, wager: str, one: Placed) -> list[Line]:
    """The parts of a bet that do not play."""
    return [
        Line(
            box=box,
            player=one.player,
            hand=hand,
            wager=wager,
            outcome=RETURNED,
            stake=amount,
            payout=amount,
            rule=rule,
        )
        for amount, rule in one.back
    ]


def places(closing: Closing) -> Sequence[tuple[int | None, str]]:
    """Every player with his box, and the table's bet, for which something plays."""
    found = dict.fromkeys((one.box, one.player) for one in playing(closing))
    return tuple(found)
