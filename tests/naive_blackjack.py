"""A second settlement of the three blackjack games, to hold the first one against: written from the rule
books, plain and slow. It shares no code with `jackpot`: it reads the messages of a table as they are on the
wire and answers the lines of the settlement as they are on the wire. It refuses nothing; a round that the
rules make impossible settles to something or other.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

Json = dict[str, Any]
Line = dict[str, Any]

BLACKJACK = "blackjack"
PERFECT_PAIRS = "blackjack_perfect_pairs"
FREE_BET = "free_bet_blackjack"

PARAGRAPHS: dict[str, dict[str, str]] = {
    BLACKJACK: {
        "player pair": "3.13.1",
        "under and over": "3.13.2",
        "even money": "3.14.1",
        "insurance": "3.14.2",
        "natural": "3.15",
        "surrender": "3.16",
        "bust": "3.18",
        "split": "3.21",
        "split lost": "3.21.3",
        "double": "3.22",
        "double lost": "3.22.2",
        "dealer bust": "3.23.1",
        "higher": "3.23.2",
        "lower": "3.23.3",
        "equal": "3.23.4",
        "no initial bet": "5.15",
        "void": "5.17",
    },
    PERFECT_PAIRS: {
        "even money": "3.15.1",
        "insurance": "3.15.2",
        "natural": "3.16",
        "surrender": "3.17",
        "bust": "3.19",
        "split": "3.22",
        "split lost": "3.22.3",
        "double": "3.23",
        "double lost": "3.23.2",
        "dealer bust": "3.24.1",
        "higher": "3.24.2",
        "lower": "3.24.3",
        "equal": "3.24.4",
        "no initial bet": "5.15",
        "void": "5.17",
    },
    FREE_BET: {
        "even money": "3.15.1",
        "insurance": "3.15.2",
        "natural": "3.16",
        "surrender": "3.17",
        "bust": "3.19",
        "split": "3.22",
        "split lost": "3.22.3",
        "double": "3.23",
        "double lost": "3.23.3",
        "dealer bust": "3.24.1",
        "higher": "3.24.2",
        "lower": "3.24.3",
        "equal": "3.24.4",
        "dealer 22": "3.24.5",
        "no initial bet": "5.16",
        "void": "5.18",
    },
}
SIDE_BETS = {
    BLACKJACK: ("player_pair", "under_13", "over_13"),
    PERFECT_PAIRS: ("perfect_pairs",),
    FREE_BET: ("rws_pairs", "lucky_stash"),
}
LUCKY_STASH_PAYS = {1: 2, 2: 10, 3: 25, 4: 50, 5: 100, 6: 200, 7: 1000}
INVALID = "5.7.3"


@dataclass(kw_only=True)
class Chips:
    """One wager of one player on one hand. Of a marker `laid` and `plays` are 0."""

    wager: str
    laid: int = 0
    plays: int = 0
    excess_rule: str = ""
    marker: int | None = None


@dataclass(kw_only=True)
class Played:
    """A hand that was played to its end, and what each player has on it."""

    cards: list[str]
    split: bool
    doubled: bool
    chips: dict[str, list[Chips]]


@dataclass(kw_only=True)
class Box:
    """A box of the round: who laid what there, and which hands came of it."""

    number: int
    entries: list[Json]
    top: Json
    """The hand as it was told, with its splits inside; empty if it was not told."""
    plays: dict[str, int]
    """The part of each player's Initial Bet that plays; only of players who have one."""
    hands: list[Played] = field(default_factory=list)


def settle(table: Json, bets: Json, hands: Json) -> list[Line]:
    game = table["game"]
    dealer = hands.get("dealer", {}).get("cards", [])
    lines: list[Line] = []
    for box in boxes_of(table, bets, hands):
        for entry in box.entries:
            lines += _of_player(table, box, entry, dealer)
    if game == FREE_BET:
        lines += _boom_busted(table, bets, dealer)
    return lines


def void(table: Json, bets: Json, hands: Json | None = None) -> list[Line]:
    """Everything goes back in full, whatever was settled, over a limit or without an Initial Bet."""
    rule = PARAGRAPHS[table["game"]]["void"]
    lines: list[Line] = []
    for box in boxes_of(table, bets, hands or {}):
        for entry in box.entries:
            number, player = box.number, player_of(entry)
            lines += _back(
                number, player, None, "insurance", said(box.top, box, player, "insurance", 0), rule
            )
            for wager in SIDE_BETS[table["game"]]:
                lines += _back(number, player, None, wager, entry.get(wager, 0), rule)
            lines += _hands_back(box, player, rule)
    for entry in bets.get("boom_busted", []):
        lines += _back(None, entry["player"], None, "boom_busted", entry["bet"], rule)
    return lines


# Cards


def rank(card: str) -> str:
    first = card[:-1].upper()
    return "T" if first == "10" else first


def suit(card: str) -> str:
    return card[-1].lower()


def colour(card: str) -> str:
    return "red" if suit(card) in ("h", "d") else "black"


def hard_value(card: str) -> int:
    """3.2, with aces at 1."""
    if rank(card) == "A":
        return 1
    return 10 if rank(card) in ("T", "J", "Q", "K") else int(rank(card))


def total(cards: Sequence[str]) -> int:
    points = sum(hard_value(card) for card in cards)
    return points + 10 if is_soft(cards) else points


def is_soft(cards: Sequence[str]) -> bool:
    """An ace counts 11 if the hand then is not over 21; two of them never do."""
    has_ace = any(rank(card) == "A" for card in cards)
    return has_ace and sum(hard_value(card) for card in cards) + 10 <= 21


def is_blackjack(cards: Sequence[str]) -> bool:
    """1.2; that the hand does not come of a split is for the caller to know."""
    if len(cards) != 2:
        return False
    values = sorted(hard_value(card) for card in cards)
    return values == [1, 10]


# Boxes, players and what plays


def player_of(entry: Json) -> str:
    name: str = entry.get("player", str(entry["box"]))
    return name


def boxes_of(table: Json, bets: Json, hands: Json) -> list[Box]:
    boxes = []
    for number in sorted({entry["box"] for entry in bets.get("boxes", [])}):
        entries = [entry for entry in bets["boxes"] if entry["box"] == number]
        top: Json = {}
        for hand in hands.get("hands", []):
            if hand["box"] == number:
                top = hand
        box = Box(number=number, entries=entries, top=top, plays=_initial_bets(table, entries))
        box.hands = _hands_of(table["game"], box)
        boxes.append(box)
    return boxes


def pro_rata(bets: Sequence[int], minimum: int, maximum: int | None) -> list[int]:
    """5.1.1 and 5.1.2: what plays of each bet on one box."""
    laid = sum(bets)
    if maximum is None or laid <= maximum:
        return list(bets)
    parts = []
    for bet in bets:
        if bet < minimum:
            parts.append(bet)
        else:
            parts.append(max(bet * maximum // laid, minimum))
    return parts


def _initial_bets(table: Json, entries: Sequence[Json]) -> dict[str, int]:
    with_bet = [entry for entry in entries if entry.get("bet", 0) > 0]
    bets = [entry["bet"] for entry in with_bet]
    parts = pro_rata(bets, table.get("minimum") or 0, table.get("maximum"))
    return {player_of(entry): part for entry, part in zip(with_bet, parts, strict=True)}


def caller_of(entries: Sequence[Json]) -> str | None:
    """3.8: the seated player, else the one with the highest Initial Bet, of equals the first."""
    caller, highest = None, 0
    for entry in entries:
        bet = entry.get("bet", 0)
        if bet > 0 and not entry.get("standing", False):
            return player_of(entry)
        if bet > highest:
            caller, highest = player_of(entry), bet
    return caller


def said(hand: Json, box: Box, player: str, what: str, otherwise: Any) -> Any:
    """What the wagers of a hand say of a player."""
    for entry in hand.get("wagers", []):
        if entry.get("player", str(box.number)) == player and what in entry:
            return entry[what]
    return otherwise


# Hands and what lies on them


def _hands_of(game: str, box: Box) -> list[Played]:
    chips: dict[str, list[Chips]] = {}
    for entry in box.entries:
        player = player_of(entry)
        if player in box.plays:
            bet = Chips(wager="bet", laid=entry["bet"], plays=box.plays[player], excess_rule="5.1.1")
            chips[player] = [bet]
    if not chips:
        return []
    return _play(game, box, box.top, chips, split=False, declined=set())


def _play(
    game: str, box: Box, hand: Json, chips: dict[str, list[Chips]], *, split: bool, declined: set[str]
) -> list[Played]:
    """The hands that came of this one, in the order they were played."""
    call = hand.get("decision")
    if call in ("split", "free_split"):
        new: dict[str, list[Chips]] = {}
        for player in chips:
            added = _split_chips(game, box, hand, player, declined)
            if added is not None:
                new[player] = [added]
        first, second = hand["split"]
        return _play(game, box, first, chips, split=True, declined=declined) + _play(
            game, box, second, new, split=True, declined=declined
        )
    doubled = call in ("double", "free_double")
    if doubled:
        for player in chips:
            chips[player] = chips[player] + _double_chips(game, box, hand, player)
    return [Played(cards=hand.get("cards", []), split=split, doubled=doubled, chips=chips)]


def _laid_by(box: Box, player: str) -> int:
    for entry in box.entries:
        if player_of(entry) == player:
            bet: int = entry["bet"]
            return bet
    raise LookupError(player)


def _split_chips(game: str, box: Box, hand: Json, player: str, declined: set[str]) -> Chips | None:
    """What a player adds for the new hand. Who declined once follows no later split of the box."""
    if player in declined:
        return None
    way = said(hand, box, player, "split", "free" if hand["decision"] == "free_split" else "paid")
    if way == "none":
        declined.add(player)
        return None
    if way == "free":
        return Chips(wager="free_split", marker=box.plays[player])
    return Chips(
        wager="split",
        laid=_laid_by(box, player),
        plays=box.plays[player],
        excess_rule=PARAGRAPHS[game]["split"],
    )


def _double_chips(game: str, box: Box, hand: Json, player: str) -> list[Chips]:
    """What a player adds for a double: money, a marker or nothing."""
    amount = said(hand, box, player, "double", None)
    free = said(hand, box, player, "free_double", None)
    called_free = hand["decision"] == "free_double"
    if free is None:
        free = called_free and amount is None
    if free:
        return [Chips(wager="free_double", marker=box.plays[player])]
    if amount is None:
        amount = 0 if called_free else _laid_by(box, player)
    if amount == 0:
        return []
    return [
        Chips(
            wager="double",
            laid=amount,
            plays=min(amount, box.plays[player]),
            excess_rule=PARAGRAPHS[game]["double"],
        )
    ]


# Lines


def _line(
    box: int | None, player: str, hand: int | None, wager: str, outcome: str, stake: int, rule: str
) -> Line:
    """A line that pays nothing beyond the stake."""
    return {
        "box": box,
        "player": player,
        "hand": hand,
        "wager": wager,
        "outcome": outcome,
        "stake": stake,
        "pays": None,
        "payout": 0 if outcome == "lose" else stake,
        "won": 0,
        "collected": stake if outcome == "lose" else 0,
        "rule": rule,
    }


def _ended(
    box: int | None, player: str, hand: int | None, wager: str, outcome: str, stake: int, rule: str
) -> list[Line]:
    return [_line(box, player, hand, wager, outcome, stake, rule)] if stake > 0 else []


def _back(box: int | None, player: str, hand: int | None, wager: str, stake: int, rule: str) -> list[Line]:
    return _ended(box, player, hand, wager, "returned", stake, rule)


def _won(
    box: int | None, player: str, hand: int | None, wager: str, stake: int, odds: tuple[int, int], rule: str
) -> list[Line]:
    """Odds of 3 to 2 on odd cents leave a half cent; it goes to the player."""
    if stake == 0:
        return []
    times, to = odds
    won = (stake * times + to - 1) // to
    line = _line(box, player, hand, wager, "win", stake, rule)
    return [line | {"pays": f"{times} to {to}", "payout": stake + won, "won": won}]


def _decided(
    box: int | None, player: str, wager: str, stake: int, times: int, rules: tuple[str, str]
) -> list[Line]:
    """A side bet that wins so many times its stake, or loses if that is none."""
    if times == 0:
        return _ended(box, player, None, wager, "lose", stake, rules[1])
    return _won(box, player, None, wager, stake, (times, 1), rules[0])


def _marker(box: int, player: str, hand: int, chips: Chips, outcome: str, rule: str) -> list[Line]:
    line = _line(box, player, hand, chips.wager, outcome, 0, rule) | {"marker": chips.marker}
    if outcome == "win":
        line |= {"pays": "1 to 1", "payout": chips.marker, "won": chips.marker, "rule": "1.11.1"}
    return [line]


def _hands_back(box: Box, player: str, rule: str) -> list[Line]:
    """All that a player has on the hands of a box, whole."""
    lines: list[Line] = []
    for number, hand in enumerate(box.hands, 1):
        for chips in hand.chips.get(player, []):
            if chips.marker is None:
                lines += _back(box.number, player, number, chips.wager, chips.laid, rule)
            else:
                lines += _marker(box.number, player, number, chips, "returned", rule)
    return lines


def _of_player(table: Json, box: Box, entry: Json, dealer: Sequence[str]) -> list[Line]:
    """Insurance, then the side bets, then hand by hand."""
    player, game = player_of(entry), table["game"]
    lines: list[Line] = []
    if player in box.plays:
        lines += _insurance(game, box, player, dealer)
    lines += _side_bets(table, box, entry)
    if player in box.plays:
        lines += _hands(game, box, player, dealer)
    return lines


def _invalid(box: Box, player: str) -> bool:
    return box.top.get("invalidated") == INVALID or said(box.top, box, player, "invalidated", None) == INVALID


def _insurance(game: str, box: Box, player: str, dealer: Sequence[str]) -> list[Line]:
    rule, laid = PARAGRAPHS[game]["insurance"], said(box.top, box, player, "insurance", 0)
    if _invalid(box, player):
        return _back(box.number, player, None, "insurance", laid, INVALID)
    plays = min(laid, box.plays[player] // 2)
    lines = _back(box.number, player, None, "insurance", laid - plays, rule)
    return lines + _decided(
        box.number, player, "insurance", plays, 2 if is_blackjack(dealer[:2]) else 0, (rule, rule)
    )


# Side bets


def _side_bets(table: Json, box: Box, entry: Json) -> list[Line]:
    lines: list[Line] = []
    for wager in SIDE_BETS[table["game"]]:
        if entry.get(wager, 0) > 0:
            lines += _side_bet(table, box, entry, wager)
    return lines


def _side_bet(table: Json, box: Box, entry: Json, wager: str) -> list[Line]:
    game, player, laid = table["game"], player_of(entry), entry[wager]
    if not box.plays:
        return _back(box.number, player, None, wager, laid, PARAGRAPHS[game]["no initial bet"])
    cards = _first_two(box)
    if _invalid(box, player) and (len(cards) < 2 or wager == "lucky_stash"):
        return _back(box.number, player, None, wager, laid, INVALID)
    within, plays = _sizes(table, box, player, wager)
    lines = _back(box.number, player, None, wager, laid - within, "3.13.2")
    lines += _back(box.number, player, None, wager, within - plays, "5.1.1")
    times, rules = _side_pays(box, player, wager, cards)
    return lines + _decided(box.number, player, wager, plays, times, rules)


def _first_two(box: Box) -> list[str]:
    cards: list[str] = box.top.get("cards", [])
    return cards[:2]


def _sizes(table: Json, box: Box, player: str, wager: str) -> tuple[int, int]:
    """What 3.13.2 leaves of a side bet, and what 5.1.1 leaves of that."""
    most = sum(box.plays.values())
    within: dict[str, int] = {}
    for entry in box.entries:
        laid = entry.get(wager, 0)
        if laid > 0:
            within[player_of(entry)] = min(laid, most) if wager in ("under_13", "over_13") else laid
    limits = table.get("side", {}).get(wager, {})
    parts = pro_rata(list(within.values()), limits.get("minimum") or 0, limits.get("maximum"))
    plays = dict(zip(within, parts, strict=True))
    return within[player], plays[player]


def _side_pays(box: Box, player: str, wager: str, cards: Sequence[str]) -> tuple[int, tuple[str, str]]:
    """Times the stake, 0 for a loss, and the paragraphs of win and loss."""
    if wager == "player_pair":
        return (11 if rank(cards[0]) == rank(cards[1]) else 0), ("3.13.1", "3.13.1")
    if wager == "under_13":
        return (1 if sum(map(hard_value, cards)) < 13 else 0), ("3.13.2", "3.13.2")
    if wager == "over_13":
        return (1 if sum(map(hard_value, cards)) > 13 else 0), ("3.13.2", "3.13.2")
    if wager == "perfect_pairs":
        return _perfect_pairs(cards)
    if wager == "rws_pairs":
        return _rws_pairs(cards)
    return LUCKY_STASH_PAYS.get(_markers(box, player), 0), ("3.27", "3.27")


def _perfect_pairs(cards: Sequence[str]) -> tuple[int, tuple[str, str]]:
    one, other = cards
    if rank(one) != rank(other):
        return 0, ("", "3.14")
    if suit(one) == suit(other):
        return 25, ("3.14.1", "")
    if colour(one) == colour(other):
        return 12, ("3.14.2", "")
    return 6, ("3.14.3", "")


def _rws_pairs(cards: Sequence[str]) -> tuple[int, tuple[str, str]]:
    one, other = cards
    if rank(one) != rank(other):
        return 0, ("", "3.14")
    if suit(one) == suit(other):
        return (50, ("3.14.1", "")) if rank(one) == "A" else (20, ("3.14.2", ""))
    if colour(one) == colour(other):
        return 12, ("3.14.3", "")
    return 6, ("3.14.4", "")


def _markers(box: Box, player: str) -> int:
    """F 3.27: the player's own on this box; who has no Initial Bet there follows its caller."""
    whose = player if player in box.plays else caller_of(box.entries)
    count = 0
    for hand in box.hands:
        for chips in hand.chips.get(whose or "", []):
            if chips.marker is not None:
                count += 1
    return count


def _boom_busted(table: Json, bets: Json, dealer: Sequence[str]) -> list[Line]:
    """F 3.26: one limit for the table, in the order of placing."""
    left: int | None = table.get("side", {}).get("boom_busted", {}).get("maximum")
    anywhere = any(entry.get("bet", 0) > 0 for entry in bets.get("boxes", []))
    lines: list[Line] = []
    for entry in bets.get("boom_busted", []):
        player, laid = entry["player"], entry["bet"]
        if not anywhere:
            lines += _back(None, player, None, "boom_busted", laid, "3.9.1")
            continue
        plays = laid if left is None else min(laid, left)
        left = None if left is None else left - plays
        lines += _back(None, player, None, "boom_busted", laid - plays, "5.1.3")
        lines += _decided(None, player, "boom_busted", plays, _boom_pays(dealer), ("3.26", "3.26.2"))
    return lines


def _boom_pays(dealer: Sequence[str]) -> int:
    if total(dealer) <= 22:
        return 0
    if len(dealer) in (3, 4):
        return 2
    if len(dealer) >= 8:
        return 200
    return {5: 4, 6: 12, 7: 50}[len(dealer)]


# Hands


def _hands(game: str, box: Box, player: str, dealer: Sequence[str]) -> list[Line]:
    if _invalid(box, player):
        return _hands_back(box, player, INVALID)
    lost = _lost_to_blackjack(box, player) if is_blackjack(dealer[:2]) else None
    lines: list[Line] = []
    for number, hand in enumerate(box.hands, 1):
        for place, chips in enumerate(hand.chips.get(player, [])):
            where = (box.number, player, number, chips.wager)
            lines += _back(*where, chips.laid - chips.plays, chips.excess_rule)
            if _called_early(box, hand, player):
                lines += _natural_or_surrender(game, box, player, chips, dealer)
            elif total(hand.cards) > 21:
                lines += _fate(where, chips, "lose", _lost_rule(game, hand, "bust"))
            elif lost is not None:
                taken = lost[number, place]
                lines += _taken(where, chips, taken, _lost_rule(game, hand, "lower"))
            else:
                lines += _compared(game, where, chips, total(hand.cards), total(dealer))
    return lines


def _called_early(box: Box, hand: Played, player: str) -> bool:
    if hand.split:
        return False
    even = said(box.top, box, player, "even_money", False)
    return bool(even) or box.top.get("decision") == "surrender" or is_blackjack(hand.cards)


def _natural_or_surrender(
    game: str, box: Box, player: str, chips: Chips, dealer: Sequence[str]
) -> list[Line]:
    """There is one hand, and nothing but the Initial Bet on it."""
    rules, where = PARAGRAPHS[game], (box.number, player, 1, "bet")
    if said(box.top, box, player, "even_money", False):
        return _won(*where, chips.plays, (1, 1), rules["even money"])
    if box.top.get("decision") == "surrender":
        lost = chips.plays // 2
        lines = _ended(*where, "lose", lost, rules["surrender"])
        return lines + _back(*where, chips.plays - lost, rules["surrender"])
    rule = rules["even money"] if rank(dealer[0]) == "A" else rules["natural"]
    if is_blackjack(dealer[:2]):
        return _ended(*where, "stand_off", chips.plays, rule)
    return _won(*where, chips.plays, (3, 2), rule)


def _lost_rule(game: str, hand: Played, plain: str) -> str:
    if hand.split:
        return PARAGRAPHS[game]["split lost"]
    if hand.doubled:
        return PARAGRAPHS[game]["double lost"]
    return PARAGRAPHS[game][plain]


def _lost_to_blackjack(box: Box, player: str) -> dict[tuple[int, int], int]:
    """By hand and place on it: what a dealer's blackjack takes of the hands that are not bust. It is the
    Initial Bet once, first from bets and splits in order of the hands, then from doubles."""
    left = box.plays[player]
    taken: dict[tuple[int, int], int] = {}
    for doubles in (False, True):
        for number, hand in enumerate(box.hands, 1):
            if total(hand.cards) > 21:
                continue
            for place, chips in enumerate(hand.chips.get(player, [])):
                if (chips.wager in ("double", "free_double")) == doubles:
                    taken[number, place] = min(left, chips.plays)
                    left -= taken[number, place]
    return taken


Where = tuple[int, str, int, str]


def _taken(where: Where, chips: Chips, taken: int, rule: str) -> list[Line]:
    """A marker on a hand that meets a dealer's blackjack pays nothing: it is lost."""
    if chips.marker is not None:
        return _fate(where, chips, "lose", rule)
    return _ended(*where, "lose", taken, rule) + _back(*where, chips.plays - taken, rule)


def _fate(where: Where, chips: Chips, outcome: str, rule: str) -> list[Line]:
    box, player, number, _wager = where
    if chips.marker is not None:
        return _marker(box, player, number, chips, outcome, rule)
    if outcome == "win":
        return _won(*where, chips.plays, (1, 1), rule)
    return _ended(*where, outcome, chips.plays, rule)


def _compared(game: str, where: Where, chips: Chips, mine: int, his: int) -> list[Line]:
    rules = PARAGRAPHS[game]
    if game == FREE_BET and his == 22:
        return _fate(where, chips, "stand_off", rules["dealer 22"])
    if his > 21:
        return _fate(where, chips, "win", rules["dealer bust"])
    if mine > his:
        return _fate(where, chips, "win", rules["higher"])
    if mine < his:
        return _fate(where, chips, "lose", rules["lower"])
    return _fate(where, chips, "stand_off", rules["equal"])
