"""A second settlement of both main games, to hold the first one against: written from the rules' own text,
a paragraph at a time, plain and slow. It shares no code with `jackpot.games` or the evaluator, only the
record of a box that goes in (`Stakes`, `Limits`).

What comes out is a tuple a line: box, wager, outcome, stake, payout, rule, pays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from jackpot.games.lines import Limits, Stakes
from tests import plain_evaluator as plain
from tests.plain_evaluator import Hand

Told = tuple[int, str, str, int, int, str, str | None]
Wagers = dict[str, int]

STUD_PAYS = {
    "royal_flush": 250,
    "straight_flush": 50,
    "four_of_a_kind": 20,
    "full_house": 7,
    "flush": 5,
    "straight": 4,
    "three_of_a_kind": 3,
    "two_pairs": 2,
    "one_pair": 1,
    "five_odd_cards": 1,
}
ACE, KING, QUEEN, JACK = 12, 11, 10, 9
ANTE_WINS_WITH = (
    Hand.STRAIGHT,
    Hand.FLUSH,
    Hand.FULL_HOUSE,
    Hand.FOUR_OF_A_KIND,
    Hand.STRAIGHT_FLUSH,
    Hand.ROYAL_FLUSH,
)


def settle_stud(limits: Limits, boxes: Sequence[Stakes], dealer: Sequence[int]) -> list[Told]:
    told: list[Told] = []
    for box in sorted(boxes, key=lambda each: each.box):
        told += _stud_box(limits, box, dealer)
    return told


def settle_holdem(
    limits: Limits, boxes: Sequence[Stakes], dealer: Sequence[int], community: Sequence[int]
) -> list[Told]:
    told: list[Told] = []
    for box in sorted(boxes, key=lambda each: each.box):
        told += _holdem_box(limits, box, dealer, community)
    return told


def stud_wagers(box: Stakes) -> Wagers:
    """What lies on the layout. 3.12.2: a BET that is only announced is twice the Ante."""
    bet = box.bet
    if bet is None:
        bet = box.ante + box.ante if box.decision == "bet" else 0
    return {"ante": box.ante, "bet": bet, "bonus": box.bonus}


def holdem_wagers(box: Stakes) -> Wagers:
    flop = box.flop
    if flop is None:
        flop = box.ante + box.ante if box.decision == "bet" else 0
    return {
        "ante": box.ante,
        "flop": flop,
        "turn": box.turn or 0,
        "river": box.river or 0,
        "bonus": box.bonus,
    }


def _back(box: int, wager: str, amount: int, rule: str) -> list[Told]:
    return [(box, wager, "returned", amount, amount, rule, None)] if amount > 0 else []


def _cut(box: int, wager: str, amount: int, most: int | None, rule: str) -> tuple[list[Told], int]:
    """5.1.1 and 5.3.1: what is too much goes back; the rest plays."""
    if most is None or amount <= most:
        return [], amount
    return _back(box, wager, amount - most, rule), most


def _ended(box: int, wager: str, stake: int, outcome: str, rule: str) -> list[Told]:
    if stake == 0:
        return []
    return [(box, wager, outcome, stake, 0 if outcome == "lose" else stake, rule, None)]


def _paid(box: int, wager: str, stake: int, times: int, rule: str, most: int | None = None) -> list[Told]:
    if stake == 0:
        return []
    won = stake * times
    if most is not None and won > most:
        won, rule = most, "4.1.1"
    return [(box, wager, "win", stake, stake + won, rule, f"{times} to 1")]


# Casino Stud


def _stud_box(limits: Limits, box: Stakes, dealer: Sequence[int]) -> list[Told]:
    lie, number = stud_wagers(box), box.box
    if box.invalidated:  # 5.10.3, 5.15, 5.19
        return [
            told for wager, amount in lie.items() for told in _back(number, wager, amount, box.invalidated)
        ]
    no_such_bet = _back(number, "bonus", lie["bonus"], "2.1.1")
    if box.ante == 0:
        return _back(number, "bet", lie["bet"], "3.6") + no_such_bet
    over_ante, ante = _cut(number, "ante", lie["ante"], limits.maximum, "5.1.1")
    over_bet, bet = _cut(number, "bet", lie["bet"], ante + ante, "5.3.1")
    fate = _stud_fate(box, bet, dealer)
    if fate is None:
        return no_such_bet
    outcome, rule = fate
    if outcome == "win":
        hand = plain.hand_of(plain.strength(box.cards))
        on_ante = _paid(number, "ante", ante, 1, rule)
        on_bet = _paid(number, "bet", bet, STUD_PAYS[hand.value], rule, limits.most_won)
    elif outcome == "dealer out":
        on_ante = _paid(number, "ante", ante, 1, rule)
        on_bet = _back(number, "bet", bet, rule)
    else:
        on_ante = _ended(number, "ante", ante, outcome, rule)
        on_bet = _ended(number, "bet", bet, outcome, rule)
    return over_ante + on_ante + over_bet + on_bet + no_such_bet


def _stud_fate(box: Stakes, bet: int, dealer: Sequence[int]) -> tuple[str, str] | None:
    early = _given_up(box, "3.12.1", decisions_open=bet == 0)
    if early is not None:
        return "lose", early
    if bet == 0 or len(box.cards) == 0 or len(dealer) != 5:
        return None
    if not _qualifies(dealer):
        return "dealer out", "3.13"
    mine, his = plain.strength(box.cards), plain.strength(dealer)
    if mine == his:
        return "stand_off", "3.14.3"
    return ("win", "3.14.1") if mine > his else ("lose", "3.14.2")


def _qualifies(dealer: Sequence[int]) -> bool:
    """1.14: an Ace and a King, or any hand of a higher ranking."""
    ranks = [card // 4 for card in dealer]
    pair_or_better = plain.hand_of(plain.strength(dealer)) is not Hand.FIVE_ODD_CARDS
    return pair_or_better or (ACE in ranks and KING in ranks)


def _given_up(box: Stakes, folding: str, *, decisions_open: bool) -> str | None:
    if not box.known:
        return None
    if box.lost_by is not None:  # whatever was told first, if that is still so
        if box.lost_by == "4.3" and len(box.cards) == 0 and not box.awaited:
            return "4.3"
        if box.lost_by == "5.5" and box.decision == "walk_away" and decisions_open:
            return "5.5"
    if box.folded or box.decision == "fold":
        return folding
    if box.decision is None and 0 in (box.bet, box.flop):  # neither a fold nor a bet: there is nothing else
        return folding
    if box.decision == "walk_away" and decisions_open:
        return "5.5"
    if len(box.cards) == 0 and not box.awaited:
        return "4.3"
    return None


# Texas Hold'em


def _holdem_box(limits: Limits, box: Stakes, dealer: Sequence[int], community: Sequence[int]) -> list[Told]:
    lie, number = holdem_wagers(box), box.box
    if box.invalidated:  # 5.10.3, 5.15, 5.18
        return [
            told for wager, amount in lie.items() for told in _back(number, wager, amount, box.invalidated)
        ]
    if box.ante == 0:
        rules = {"bonus": "3.9"}
        return [
            told
            for wager, each in lie.items()
            for told in _back(number, wager, each, rules.get(wager, "3.6"))
        ]
    over, play = _holdem_sizes(limits, number, lie)
    # 1.11, 3.11.3, 3.11.4: a Flop, then a Turn or a check, then a River or a check. 5.5: who walks away
    # before that has folded, so until then nobody knows of any bet.
    decisions_open = lie["flop"] == 0 or box.turn is None or box.river is None
    lost = _given_up(box, "3.11.2", decisions_open=decisions_open)
    told: list[Told] = []
    for wager, stake in play.items():
        if lost is not None:
            told += over[wager] + _ended(number, wager, stake, "lose", lost)
        elif decisions_open or len(box.cards) == 0:
            continue
        elif wager == "bonus":
            told += _bonus(limits, number, stake, over[wager], box.cards, dealer)
        elif len(dealer) == 2 and len(community) == 5:
            told += over[wager] + _shown_down(number, wager, stake, box.cards, dealer, community)
    return told


def _holdem_sizes(limits: Limits, number: int, lie: Wagers) -> tuple[dict[str, list[Told]], Wagers]:
    over: dict[str, list[Told]] = {}
    play: Wagers = {}
    over["ante"], play["ante"] = _cut(number, "ante", lie["ante"], limits.maximum, "5.1.1")
    over["flop"], play["flop"] = _cut(number, "flop", lie["flop"], play["ante"] * 2, "5.3.1")
    over["turn"], play["turn"] = _cut(number, "turn", lie["turn"], play["ante"], "5.3.1")
    over["river"], play["river"] = _cut(number, "river", lie["river"], play["ante"], "5.3.1")
    over["bonus"], play["bonus"] = _cut(number, "bonus", lie["bonus"], limits.maximum, "5.1.1")
    return over, play


def _shown_down(
    number: int, wager: str, stake: int, own: Sequence[int], dealer: Sequence[int], community: Sequence[int]
) -> list[Told]:
    mine = _best((*own, *community))
    his = _best((*dealer, *community))
    if mine < his:
        return _ended(number, wager, stake, "lose", "3.14")
    if mine == his:
        return _ended(number, wager, stake, "stand_off", "3.15")
    if wager == "ante" and plain.hand_of(mine) not in ANTE_WINS_WITH:
        return _ended(number, wager, stake, "returned", "3.13")
    return _paid(number, wager, stake, 1, "3.13")


@lru_cache(maxsize=16)
def _best(seven: tuple[int, ...]) -> int:
    """Each wager asks anew; the hands of a round are ranked once."""
    return plain.best_of_seven(seven)


def _bonus(
    limits: Limits, number: int, stake: int, over: list[Told], own: Sequence[int], dealer: Sequence[int]
) -> list[Told]:
    if stake == 0:
        return []
    times = _bonus_pays(own, dealer)
    if times is None:
        return []
    if times == 0:
        return over + _ended(number, "bonus", stake, "lose", "4.1")
    return over + _paid(number, "bonus", stake, times, "4.1", limits.most_won)


def _bonus_pays(own: Sequence[int], dealer: Sequence[int]) -> int | None:
    """To 1; 0 if the hole cards are not in the table, None while the dealer's may still raise it."""
    high, low = sorted((card // 4 for card in own), reverse=True)
    suited = own[0] % 4 == own[1] % 4
    if high == low == ACE:
        if len(dealer) != 2:
            return None
        return 1000 if all(card // 4 == ACE for card in dealer) else 30
    if high == low:
        return 10 if high in (KING, QUEEN, JACK) else 3
    if high != ACE:
        return 0
    if low == KING:
        return 25 if suited else 15
    if low in (QUEEN, JACK):
        return 20 if suited else 5
    return 0
