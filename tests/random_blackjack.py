"""Legal rounds of the three blackjack games at random, as a table would report them: dealt from a shoe in the
prescribed order, with the shoe rigged now and then so that what is rare comes often. Everything a table may
say is said sooner or later; nothing that the rules forbid is."""

from __future__ import annotations

import datetime as dt
import json
import random
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from tests.naive_blackjack import (
    FREE_BET,
    SIDE_BETS,
    boxes_of,
    caller_of,
    hard_value,
    is_blackjack,
    is_soft,
    player_of,
    rank,
    total,
)

Json = dict[str, Any]
Laid = dict[tuple[int | None, str, str], int]

TENS = "TJQK"
PICTURES = "JQK"
START = dt.datetime(2026, 3, 1, 20, 15, tzinfo=dt.UTC)


@dataclass(frozen=True, kw_only=True, slots=True)
class RandomRound:
    table: Json
    bets: Json
    prefixes: tuple[Json, ...]
    """The messages of hands as the table tells them; each tells the round so far, the last one is final."""
    laid: Laid
    """By box, player and wager: what lay there in all, as the table counted it itself."""

    @property
    def hands(self) -> Json:
        return self.prefixes[-1]


def random_round(
    rng: random.Random, game: str, *, plain: bool = False, table: Json | None = None
) -> RandomRound:
    """At this table, or at any. With `plain` one that knows no players: one entry a box, without names."""
    table = table or _table(rng, game)
    bets = _bets(rng, table, plain=plain)
    return _Play(rng, table, bets).round()


# The table and its bets


def _table(rng: random.Random, game: str) -> Json:
    table: Json = {
        "game": game,
        "boxes": rng.randint(1, 6 if game == FREE_BET else 7),
        "decks": rng.randint(4, 10 if game == FREE_BET else 8),
        "minimum": rng.choice((1000, 2500, 2500)),
        "maximum": rng.choice((10_000, 50_000, 50_001, 1_000_000)),
        "side": {},
    }
    if rng.random() < 0.25:
        del table["minimum"]
    wagers = [*SIDE_BETS[game], *(["boom_busted"] if game == FREE_BET else [])]
    for wager in wagers:
        limits = rng.choice(({}, {"maximum": 1000}, {"minimum": 500, "maximum": 2000}, {"minimum": 100}))
        if limits:
            table["side"][wager] = dict(limits)
    return table


def _bets(rng: random.Random, table: Json, *, plain: bool) -> Json:
    without_initial_bets = not plain and rng.random() < 0.02
    numbers = list(range(1, table["boxes"] + 1))
    chosen = rng.sample(numbers, rng.randint(1, min(len(numbers), rng.choice((1, 2, 3, 7)))))
    entries: list[Json] = []
    for number in sorted(chosen):
        entries += _box_entries(rng, table, number, plain=plain, empty=without_initial_bets)
    for number in numbers:
        if number not in chosen and rng.random() < 0.08:
            entries += _box_entries(rng, table, number, plain=plain, empty=True)
    if rng.random() < 0.1:
        rng.shuffle(entries)
    bets: Json = {"sent_at": _at(0), "closed_at": _at(0), "boxes": entries}
    if table["game"] == FREE_BET and rng.random() < 0.5:
        names = rng.sample(["1", "2", "B", "C", "X", "Y"], rng.randint(1, 3))
        bets["boom_busted"] = [{"player": name, "bet": _side_amount(rng)} for name in names]
    return bets


def _at(message: int) -> str:
    return (START + dt.timedelta(seconds=4 * message)).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _side_amount(rng: random.Random) -> int:
    return rng.choice((500, 500, 100, 1, 333, 999, 1000, 1001, 3000, 60_000))


def _bet_amount(rng: random.Random, table: Json) -> int:
    minimum, maximum = table.get("minimum", 0), table["maximum"]
    ways = (
        lambda: minimum + 1000,
        lambda: minimum + rng.randint(1, 5000),
        lambda: rng.randint(2, 20_000),
        lambda: maximum // 2,
        lambda: maximum + rng.randint(0, 1000),
        lambda: max(1, minimum - rng.randint(1, 999)),
        lambda: rng.choice((1, 2, 3, 2505)),
    )
    amount: int = rng.choices(ways, weights=(6, 6, 6, 2, 1, 1, 1))[0]()
    return amount


def _box_entries(rng: random.Random, table: Json, number: int, *, plain: bool, empty: bool) -> list[Json]:
    """Who bets on a box. Every Initial Bet is large enough that a cent of it plays."""
    while True:
        entries = [_plain_entry(rng, table, number)] if plain else _players(rng, table, number)
        if empty:
            entries = _without_initial_bet(rng, table, entries)
        parts = boxes_of(table, {"boxes": entries}, {})[0].plays.values()
        if empty or min(parts, default=0) > 0:
            return entries


def _plain_entry(rng: random.Random, table: Json, number: int) -> Json:
    return {"box": number, "bet": _bet_amount(rng, table), **_some_side_bets(rng, table)}


def _some_side_bets(rng: random.Random, table: Json) -> Json:
    return {wager: _side_amount(rng) for wager in SIDE_BETS[table["game"]] if rng.random() < 0.3}


def _players(rng: random.Random, table: Json, number: int) -> list[Json]:
    """A seated player first or nobody seated, then standing ones, then some with side bets only. Now and
    then the seated one came late."""
    entries: list[Json] = []
    count = rng.choice((1, 1, 2, 2, 3, 4))
    others = [name for name in ("B", "C", "D", "E", "1", "2", "3") if name != str(number)]
    rng.shuffle(others)
    if rng.random() < 0.85:
        seated = _plain_entry(rng, table, number)
        if rng.random() < 0.2:
            seated["player"] = rng.choice((str(number), others.pop()))
        entries.append(seated)
    while len(entries) < count:
        entries.append(_plain_entry(rng, table, number) | {"player": others.pop(), "standing": True})
    if rng.random() < 0.15:
        only_side = {wager: _side_amount(rng) for wager in SIDE_BETS[table["game"]]}
        entries.append({"box": number, "player": others.pop(), "standing": True, **only_side})
    if rng.random() < 0.1:
        rng.shuffle(entries)
    return entries


def _without_initial_bet(rng: random.Random, table: Json, entries: Sequence[Json]) -> list[Json]:
    empty = []
    for entry in entries:
        side = {rng.choice(SIDE_BETS[table["game"]]): _side_amount(rng)}
        told = {key: entry[key] for key in ("box", "player", "standing") if key in entry}
        empty.append(told | side | ({"bet": 0} if rng.random() < 0.3 else {}))
    return empty


# The cards


class _Shoe:
    def __init__(self, rng: random.Random, decks: int) -> None:
        ten = "10" if rng.random() < 0.1 else "T"
        deck = [(ten if face == "T" else face) + suit for face in "23456789TJQKA" for suit in "cdhs"]
        self._left = deck * decks
        rng.shuffle(self._left)
        self.drawn: list[str] = []

    def draw(self, ranks: str = "") -> str:
        """The next card; of a rigged shoe the next of these ranks, if there is one."""
        places = range(len(self._left))
        at = next((place for place in places if rank(self._left[place]) in ranks), 0) if ranks else 0
        card = self._left.pop(at)
        self.drawn.append(card)
        return card


def _same_value(card: str) -> str:
    return TENS if hard_value(card) == 10 else rank(card)


def _ranks_to(card: str, low: int, high: int) -> str:
    """Ranks that make a hard total between low and high of a card, as far as there are any."""
    values = range(low - hard_value(card), high + 1 - hard_value(card))
    return "".join(face for face in "23456789" if int(face) in values)


# The play


class _Play:
    """A round in play. The hands are kept as they are told, and a message is a copy of them."""

    def __init__(self, rng: random.Random, table: Json, bets: Json) -> None:
        self.rng = rng
        self._table = table
        self.game: str = table["game"]
        self.bets = bets
        self.shoe = _Shoe(rng, table["decks"])
        self._boxes = [box for box in boxes_of(table, bets, {}) if box.plays]
        self.tops: dict[int, Json] = {}
        self._dealer: list[str] = []
        self._discarded: list[Json] = []
        self._messages: list[Json] = []
        self._pace = rng.choice((1.0, 0.3, 0.0))
        self._tells_shoe_late = rng.random() < 0.3
        self._order = rng.choice((1,) * 9 + (-1,))
        self._dealer_is_low = rng.random() < 0.15
        self._laid: Counter[tuple[int | None, str, str]] = Counter()
        self._count_bets()

    def _count_bets(self) -> None:
        for entry in self.bets["boxes"]:
            for wager in ("bet", *SIDE_BETS[self.game]):
                self.lay(entry["box"], player_of(entry), wager, entry.get(wager, 0))
        for entry in self.bets.get("boom_busted", []):
            self.lay(None, entry["player"], "boom_busted", entry["bet"])

    def lay(self, box: int | None, player: str, wager: str, amount: int) -> None:
        if amount > 0:
            self._laid[box, player, wager] += amount

    def round(self) -> RandomRound:
        if self._boxes:
            self._deal()
            for box in self._boxes:
                if self.tops[box.number].get("decision") != "surrender":
                    _BoxPlay(self, box.number).play()
            self._dealer_plays()
        self.tell(final=True)
        return RandomRound(
            table=self._table, bets=self.bets, prefixes=tuple(self._messages), laid=dict(self._laid)
        )

    # What is told

    def tell(self, *, final: bool = False, surely: bool = False) -> None:
        if not (final or surely) and self.rng.random() >= self._pace:
            return
        message: Json = {
            "sent_at": _at(len(self._messages) + 1),
            "final": final,
            "hands": _copied(list(self.tops.values())[:: self._order]),
            "dealer": {"cards": list(self._dealer)},
        }
        if self._discarded:
            message["discarded"] = _copied(self._discarded)
        if final or not self._tells_shoe_late:
            message["shoe"] = {"drawn": list(self.shoe.drawn)}
        self._messages.append(message)

    def say(self, hand: Json, box: int, player: str, **what: Any) -> None:
        """Adds to what the wagers of a hand say of a player. Who has the box's number needs no name."""
        wagers = hand.setdefault("wagers", [])
        for entry in wagers:
            if entry.get("player", str(box)) == player:
                entry.update(what)
                return
        named = player != str(box) or self.rng.random() < 0.1
        wagers.append(({"player": player} if named else {}) | what)

    # The initial deal

    def _deal(self) -> None:
        plans = [
            self.rng.choice(("fair", "fair", "pair", "pair", "aces", "natural", "nine to eleven"))
            for _ in self._boxes
        ]
        for box, plan in zip(self._boxes, plans, strict=True):
            ranks = {"aces": "A", "natural": self.rng.choice(("A", TENS))}.get(plan, "")
            self.tops[box.number] = {"box": box.number, "cards": [self.shoe.draw(ranks)]}
            self.tell()
        self._dealer.append(self.shoe.draw(self.rng.choice(("", "", "A", TENS, "23456"))))
        self.tell()
        for box, plan in zip(self._boxes, plans, strict=True):
            cards = self.tops[box.number]["cards"]
            cards.append(self.shoe.draw(self._second(plan, cards[0])))
            self.tell()
        self._before_the_third_card()
        self.tell(surely=self._pace == 0.0)

    def _second(self, plan: str, card: str) -> str:
        if plan in ("pair", "aces"):
            return _same_value(card)
        if plan == "natural":
            return TENS if rank(card) == "A" else "A"
        return _ranks_to(card, 9, 11) if plan == "nine to eleven" else ""

    def _before_the_third_card(self) -> None:
        for box in self._boxes:
            hand = self.tops[box.number]
            if rank(self._dealer[0]) == "A":
                for player, plays in box.plays.items():
                    self._protect(hand, box.number, player, plays)
            elif self.rng.random() < self._wish_to_surrender(hand["cards"]):
                hand["decision"] = "surrender"
                self.tell()

    def _protect(self, hand: Json, box: int, player: str, plays: int) -> None:
        rng, laid = self.rng, self._laid[box, player, "bet"]
        if is_blackjack(hand["cards"]) and rng.random() < 0.4:
            self.say(hand, box, player, even_money=True)
        elif rng.random() < 0.35 and plays >= 2:
            half = plays // 2
            amount = rng.choice((half, half, rng.randint(1, half), half + 1, max(1, laid // 2), laid))
            self.say(hand, box, player, insurance=amount)
            self.lay(box, player, "insurance", amount)
        else:
            return
        self.tell()

    def _wish_to_surrender(self, cards: Sequence[str]) -> float:
        if is_blackjack(cards):
            return 0.1 if hard_value(self._dealer[0]) == 10 else 0.0
        return 0.25 if 14 <= total(cards) <= 17 else 0.05

    # The dealer

    def _dealer_plays(self) -> None:
        need = self._needed()
        if need == "nothing" and self.rng.random() < 0.9:
            return
        whole = need == "whole" or self.rng.random() < 0.2
        self._dealer_draws(self._rigged_second())
        while whole and not self._dealer_stands():
            self._dealer_draws("A23" if self._dealer_is_low else "")
        if self._dealer_stands() and self.rng.random() < 0.03:
            self._discard("5.10.2")

    def _dealer_draws(self, ranks: str) -> None:
        self._dealer.append(self.shoe.draw(ranks))
        self.tell()

    def _rigged_second(self) -> str:
        if self.rng.random() < 0.35 and hard_value(self._dealer[0]) in (1, 10):
            return TENS if rank(self._dealer[0]) == "A" else "A"
        return "A23" if self._dealer_is_low else ""

    def _dealer_stands(self) -> bool:
        """At 17 and above; in Free Bet not at a soft 17."""
        if self.game == FREE_BET and is_soft(self._dealer):
            return total(self._dealer) > 17
        return total(self._dealer) > 16

    def _needed(self) -> str:
        """What the wagers still want of the dealer: nothing, his second card or his whole hand."""
        needs = {self._needed_by(box.number) for box in self._boxes}
        if self.bets.get("boom_busted") or "whole" in needs:
            return "whole"
        return "second" if "second" in needs else "nothing"

    def _needed_by(self, box: int) -> str:
        hand = self.tops[box]
        wagers = hand.get("wagers", [])
        insured = any("insurance" in entry for entry in wagers)
        if hand.get("decision") == "surrender":
            return "nothing"
        if is_blackjack(hand["cards"]) and "split" not in hand:
            players = sum(1 for entry in self.bets["boxes"] if entry["box"] == box and entry.get("bet", 0))
            taken = sum(1 for entry in wagers if "even_money" in entry)
            open_yet = taken < players and hard_value(self._dealer[0]) in (1, 10)
            return "second" if open_yet or insured else "nothing"
        if any(total(each["cards"]) <= 21 for each in _leaves(hand)):
            return "whole"
        return "second" if insured else "nothing"

    def _discard(self, rule: str) -> None:
        self._discarded.append({"card": self.shoe.draw(), "rule": rule})
        self.tell()

    def perhaps_a_card_to_nobody(self) -> None:
        if len(self._boxes) < self._table["boxes"] and self.rng.random() < 0.01:
            self._discard("5.10.3")


def _copied(messages: list[Json]) -> list[Json]:
    copied: list[Json] = json.loads(json.dumps(messages))
    return copied


def _leaves(hand: Json) -> list[Json]:
    if "split" not in hand:
        return [hand]
    first, second = hand["split"]
    return _leaves(first) + _leaves(second)


class _BoxPlay:
    """One box from its first two cards to its last hand."""

    def __init__(self, play: _Play, number: int) -> None:
        self._play, self._number = play, number
        self._rng, self._shoe, self._game = play.rng, play.shoe, play.game
        self._entries = [entry for entry in play.bets["boxes"] if entry["box"] == number]
        self._bet = {player_of(entry): entry["bet"] for entry in self._entries if entry.get("bet", 0)}
        self._caller = caller_of(self._entries)
        self._declined: set[str] = set()
        self._hands = 1
        self._away = False

    def play(self) -> None:
        top = self._play.tops[self._number]
        if not is_blackjack(top["cards"]):
            self._hand(top, list(self._bet), after_aces=False)

    def _draw(self, hand: Json, ranks: str = "") -> None:
        self._play.perhaps_a_card_to_nobody()
        hand["cards"].append(self._shoe.draw(ranks))

    def _hand(self, hand: Json, players: list[str], *, after_aces: bool) -> None:
        """Plays a hand; `players` have something on it."""
        self._away = self._away or (len(self._entries) == 1 and self._rng.random() < 0.03)
        if len(hand["cards"]) == 1:
            self._draw(hand, self._rigged_after_split(hand["cards"][0]))
            self._play.tell()
        if self._away:
            self._house_draws(hand)
        elif after_aces:
            self._perhaps_says_stand(hand)
        elif self._may_split(hand["cards"]) and self._rng.random() < 0.8:
            self._split(hand, players)
        elif self._may_double(hand["cards"]) and self._rng.random() < self._wish_to_double(hand["cards"]):
            self._double(hand, players)
        else:
            self._hit_or_stand(hand)

    def _rigged_after_split(self, card: str) -> str:
        if self._rng.random() < 0.35:
            return _same_value(card)
        return _ranks_to(card, 9, 11) if self._rng.random() < 0.3 else ""

    # Cards

    def _house_draws(self, hand: Json) -> None:
        """5.3: to 12 or more. The decision is how the hand ended, so it comes with the last card."""
        while total(hand["cards"]) < 12:
            self._draw(hand)
            if total(hand["cards"]) < 12:
                self._play.tell()
        hand["decision"] = "walk_away"
        self._play.tell()

    def _hit_or_stand(self, hand: Json) -> None:
        while self._hits(hand["cards"]):
            self._draw(hand)
            self._play.tell()
        if total(hand["cards"]) <= 21:
            self._perhaps_says_stand(hand)

    def _hits(self, cards: Sequence[str]) -> bool:
        points = total(cards)
        if points > 21 or (points == 21 and is_soft(cards)):
            return False
        chance = 1.0 if points < 12 else 0.5 if points < 17 else 0.15 if points < 21 else 0.05
        return self._rng.random() < chance

    def _perhaps_says_stand(self, hand: Json) -> None:
        if self._rng.random() < 0.3:
            hand["decision"] = "stand"
            self._play.tell()

    # Splits

    def _may_split(self, cards: Sequence[str]) -> bool:
        return self._hands < 4 and hard_value(cards[0]) == hard_value(cards[1])

    def _may_split_free(self, cards: Sequence[str]) -> bool:
        return self._game == FREE_BET and not any(rank(card) in PICTURES for card in cards)

    def _split(self, hand: Json, players: list[str]) -> None:
        cards = hand["cards"]
        free = self._may_split_free(cards) and self._rng.random() < 0.75
        hand["decision"] = "free_split" if free else "split"
        hand["split"] = [{"cards": [cards[0]]}, {"cards": [cards[1]]}]
        self._hands += 1
        following = [player for player in players if self._follows_split(hand, player, free=free)]
        self._play.tell()
        aces = rank(cards[0]) == "A"
        first, second = hand["split"]
        self._hand(first, players, after_aces=aces)
        self._hand(second, following, after_aces=aces)

    def _follows_split(self, hand: Json, player: str, *, free: bool) -> bool:
        if player in self._declined:
            return False
        way = "free" if free else "paid"
        if player != self._caller and self._rng.random() < 0.5:
            ways = ["none", "paid"] + (["free"] if self._may_split_free(hand["cards"]) else [])
            way = self._rng.choice(ways)
            self._play.say(hand, self._number, player, split=way)
        if way == "none":
            self._declined.add(player)
            return False
        if way == "paid":
            self._play.lay(self._number, player, "split", self._bet[player])
        return True

    # Doubles

    def _may_double(self, cards: Sequence[str]) -> bool:
        return total(cards) < 21

    def _may_double_free(self, cards: Sequence[str]) -> bool:
        return self._game == FREE_BET and not is_soft(cards) and 9 <= total(cards) <= 11

    def _wish_to_double(self, cards: Sequence[str]) -> float:
        return 0.7 if 9 <= total(cards) <= 11 else 0.15

    def _double(self, hand: Json, players: list[str]) -> None:
        free = self._may_double_free(hand["cards"]) and self._rng.random() < 0.75
        hand["decision"] = "free_double" if free else "double"
        for player in players:
            self._doubles(hand, player, free=free)
        if self._rng.random() < 0.5:
            self._play.tell()
        self._draw(hand)
        self._play.tell()

    def _doubles(self, hand: Json, player: str, *, free: bool) -> None:
        calls = player == self._caller
        if self._rng.random() < 0.5:
            if not free:
                self._lay_double(player, self._bet[player])
        elif free and not calls:
            self._instead_of_a_marker(hand, player)
        elif not free:
            self._another_amount(hand, player, calls=calls)

    def _instead_of_a_marker(self, hand: Json, player: str) -> None:
        """He pays, or stays out."""
        amount = self._rng.choice((0, self._amount(player)))
        what: Json = self._rng.choice(({}, {"free_double": False}))
        if amount or not what or self._rng.random() < 0.5:
            what = what | {"double": amount}
        self._play.say(hand, self._number, player, **what)
        self._lay_double(player, amount)

    def _another_amount(self, hand: Json, player: str, *, calls: bool) -> None:
        """He doubles for another amount; a standing player may stay out, or take a marker."""
        way = "amount" if calls else self._rng.choice(("amount", "amount", "none", "free"))
        if way == "free" and self._may_double_free(hand["cards"]):
            self._play.say(hand, self._number, player, free_double=True)
            return
        amount = 0 if way == "none" else self._amount(player)
        self._play.say(hand, self._number, player, double=amount)
        self._lay_double(player, amount)

    def _amount(self, player: str) -> int:
        bet = self._bet[player]
        return self._rng.choice((bet, self._rng.randint(1, bet), self._rng.randint(1, bet), bet + 1, 2 * bet))

    def _lay_double(self, player: str, amount: int) -> None:
        self._play.lay(self._number, player, "double", amount)
