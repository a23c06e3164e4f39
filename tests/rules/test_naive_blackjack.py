"""The plain settlement of the blackjack games, against which the service's own is held: six whole rounds line
by line, hand-made corners, and what holds of every random round. Also that the random rounds are what they
claim to be: dealt in order, told without taking anything back, and rich in what is rare."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from tests.blackjack_rounds import EVERY_WORKED_ROUND, WorkedRound
from tests.effort import times
from tests.naive_blackjack import BLACKJACK, FREE_BET, PERFECT_PAIRS, SIDE_BETS, pro_rata, settle, void
from tests.random_blackjack import RandomRound, random_round

Json = dict[str, Any]
GAMES = (BLACKJACK, PERFECT_PAIRS, FREE_BET)
ROUNDS = times(400)
"""Of each game, with several players a box and with one; `JACKPOT_EFFORT=50` tries 20,000."""
pytestmark = pytest.mark.untraced  # nothing of the rules is called here


@EVERY_WORKED_ROUND
def test_the_six_rounds_settle_line_for_line(worked: WorkedRound) -> None:
    for told in worked.told:
        if told["report"]["final"]:
            assert settle(worked.table, worked.bets, told["report"]) == told["settlement"]


# Random rounds


def rounds(game: str, *, plain: bool, count: int = ROUNDS) -> Iterator[RandomRound]:
    for seed in range(count):
        yield random_round(random.Random(f"{game} {plain} {seed}"), game, plain=plain)


EVERY_TABLE = pytest.mark.parametrize(
    ("game", "plain"), [(game, plain) for game in GAMES for plain in (False, True)]
)


@EVERY_TABLE
def test_money_is_kept_and_the_stakes_add_up_to_what_was_laid(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain):
        lines = settle(each.table, each.bets, each.hands)
        assert staked(lines) == each.laid
        for line in lines:
            assert line["stake"] + line["won"] == line["payout"] + line["collected"]
            assert min(line["stake"], line["won"], line["payout"], line["collected"]) >= 0
            assert (line["outcome"] == "win") == (line["won"] > 0) == (line["pays"] is not None)
            assert line["stake"] == 0 if "marker" in line else line["stake"] > 0


@EVERY_TABLE
def test_a_void_hands_back_exactly_what_was_laid(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain, count=ROUNDS // 2):
        lines = void(each.table, each.bets, each.hands)
        assert staked(lines) == each.laid
        assert {line["outcome"] for line in lines} <= {"returned"}
        assert {line["rule"] for line in lines} <= {"5.18" if game == FREE_BET else "5.17"}
        assert sum(line["payout"] for line in lines) == sum(each.laid.values())


@EVERY_TABLE
def test_a_void_of_a_prefix_hands_back_no_less_than_the_one_before(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain, count=ROUNDS // 2):
        before = staked(void(each.table, each.bets))
        for message in each.prefixes:
            now = staked(void(each.table, each.bets, message))
            assert all(now[what] >= amount for what, amount in before.items())
            before = now


def staked(lines: list[Json]) -> Counter[tuple[int | None, str, str]]:
    stakes: Counter[tuple[int | None, str, str]] = Counter()
    for line in lines:
        if "marker" not in line:
            stakes[line["box"], line["player"], line["wager"]] += line["stake"]
    return stakes


@EVERY_TABLE
def test_side_bets_change_nothing_of_the_hands(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain, count=ROUNDS // 2):
        entries = [without(entry, *SIDE_BETS[game]) for entry in each.bets["boxes"]]
        bare = settle(each.table, {"boxes": entries}, each.hands)
        whole = settle(each.table, each.bets, each.hands)
        assert bare == [line for line in whole if line["wager"] not in (*SIDE_BETS[game], "boom_busted")]


def without(entry: Json, *keys: str) -> Json:
    return {key: value for key, value in entry.items() if key not in keys}


@pytest.mark.parametrize("plain", [False, True])
def test_free_bet_without_markers_and_22_settles_as_perfect_pairs(plain: bool) -> None:
    for each in rounds(PERFECT_PAIRS, plain=plain, count=ROUNDS // 2):
        bets = {"boxes": [without(entry, "perfect_pairs") for entry in each.bets["boxes"]]}
        here = settle(each.table, bets, each.hands)
        there = settle(each.table | {"game": FREE_BET}, bets, each.hands)
        if not any(line["rule"] == "3.24.5" for line in there):
            renamed = [line | {"rule": line["rule"].replace("3.23.2", "3.23.3")} for line in here]
            assert there == renamed


SEEN = {
    BLACKJACK: {
        "win": "3.13.1 3.13.2 3.14.1 3.14.2 3.15 3.23.1 3.23.2",
        "lose": "3.13.1 3.13.2 3.14.2 3.16 3.18 3.21.3 3.22.2 3.23.3",
        "stand_off": "3.14.1 3.15 3.23.4",
        "returned": "3.13.2 3.14.2 3.16 3.21 3.21.3 3.22 3.22.2 5.1.1 5.15",
    },
    PERFECT_PAIRS: {
        "win": "3.14.1 3.14.2 3.14.3 3.15.1 3.15.2 3.16 3.24.1 3.24.2",
        "lose": "3.14 3.15.2 3.17 3.19 3.22.3 3.23.2 3.24.3",
        "stand_off": "3.15.1 3.16 3.24.4",
        "returned": "3.15.2 3.17 3.22 3.22.3 3.23 3.23.2 5.1.1 5.15",
    },
    FREE_BET: {
        "win": "1.11.1 3.14.1 3.14.2 3.14.3 3.14.4 3.15.1 3.15.2 3.16 3.24.1 3.24.2 3.26 3.27",
        "lose": "3.14 3.15.2 3.17 3.19 3.22.3 3.23.3 3.24.3 3.26.2 3.27",
        "stand_off": "3.15.1 3.16 3.24.4 3.24.5",
        "returned": "3.9.1 3.15.2 3.17 3.22 3.22.3 3.23 3.23.3 5.1.1 5.1.3 5.16",
    },
}


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_end_in_every_way_that_the_rules_know(game: str) -> None:
    seen: dict[str, set[str]] = {}
    for each in rounds(game, plain=False):
        for line in settle(each.table, each.bets, each.hands):
            seen.setdefault(line["outcome"], set()).add(line["rule"])
    assert seen == {outcome: set(rules.split()) for outcome, rules in SEEN[game].items()}


@EVERY_TABLE
def test_random_rounds_are_dealt_in_the_prescribed_order(game: str, plain: bool) -> None:
    """3.11: first cards, the dealer's, second cards, then hand by hand as played, then the dealer's rest."""
    for each in rounds(game, plain=plain, count=ROUNDS // 2):
        for message in each.prefixes:
            if "shoe" in message:
                assert dealt_in_order(message)
        drawn = each.hands["shoe"]["drawn"]
        assert max(Counter(drawn).values(), default=0) <= each.table["decks"]


def dealt_in_order(message: Json) -> bool:
    """The dealing order is found in what was drawn, and what is left over was discarded."""
    drawn, order = message["shoe"]["drawn"], dealing_order(message)
    cards = iter(drawn)
    discarded = Counter(each["card"] for each in message.get("discarded", []))
    return all(card in cards for card in order) and Counter(drawn) == Counter(order) + discarded


def dealing_order(message: Json) -> list[str]:
    tops = sorted(message["hands"], key=lambda hand: int(hand["box"]))
    dealer: list[str] = message["dealer"]["cards"]
    order: list[str] = [hand["cards"][0] for hand in tops] + dealer[:1]
    order += [card for hand in tops for card in hand["cards"][1:2]]
    for hand in tops:
        order += later_cards(hand, 2)
    return order + dealer[1:]


def later_cards(hand: Json, known: int) -> list[str]:
    own = list(hand["cards"][known:])
    for each in hand.get("split", []):
        own += later_cards(each, 1)
    return own


@EVERY_TABLE
def test_random_rounds_take_back_nothing_that_was_told(game: str, plain: bool) -> None:
    for each in rounds(game, plain=plain, count=ROUNDS // 2):
        assert [message["final"] for message in each.prefixes] == [False] * (len(each.prefixes) - 1) + [True]
        for before, after in zip(each.prefixes, each.prefixes[1:], strict=False):
            assert after["dealer"]["cards"][: len(before["dealer"]["cards"])] == before["dealer"]["cards"]
            later = {hand["box"]: hand for hand in after["hands"]}
            for hand in before["hands"]:
                assert goes_on(hand, later[hand["box"]])


def goes_on(before: Json, after: Json) -> bool:
    """The later report of a hand says all that the earlier one said."""
    if after["cards"][: len(before["cards"])] != before["cards"]:
        return False
    if before.get("decision", after.get("decision")) != after.get("decision"):
        return False
    wagers = {entry.get("player"): entry for entry in after.get("wagers", [])}
    if any(not entry.items() <= wagers[entry.get("player")].items() for entry in before.get("wagers", [])):
        return False
    return all(map(goes_on, before.get("split", []), after.get("split", [])))


@pytest.mark.parametrize("game", GAMES)
def test_random_rounds_are_rich_in_what_is_rare(game: str) -> None:
    wanted = "standing,long dealer's hand,four hands,5.10.2,5.10.3,walk_away,surrender,stand,double,split"
    wanted += ",split none,even_money,insurance"
    if game == FREE_BET:
        wanted += (
            ",free_split,free_double,split free,split paid,free_double True,free_double False,many markers"
        )
    seen: Counter[str] = Counter()
    for each in rounds(game, plain=False, count=2_000):
        seen["standing"] += any(entry.get("standing") for entry in each.bets["boxes"])
        seen["long dealer's hand"] += len(each.hands["dealer"]["cards"]) >= 6
        seen.update(discarded["rule"] for discarded in each.hands.get("discarded", []))
        for hand in each.hands["hands"]:
            seen.update(features(hand))
        lines = settle(each.table, each.bets, each.hands)
        seen["four hands"] += any(line["hand"] == 4 for line in lines)
        seen["many markers"] += any(line["pays"] in ("100 to 1", "200 to 1") for line in lines)
        rare = {what for what in wanted.split(",") if seen[what] < 5}
        if not rare:
            return
    raise AssertionError(rare)


def features(hand: Json) -> Iterator[str]:
    if "decision" in hand:
        yield hand["decision"]
    for entry in hand.get("wagers", []):
        for key, value in entry.items():
            yield key if key in ("insurance", "even_money") else f"{key} {value}"
    for each in hand.get("split", []):
        yield from features(each)


# Hand-made rounds

Short = tuple[str, Any, str, str, int, int, str]


def settled(game: str, entries: list[Json], hands: list[Json], dealer: str, **table: Any) -> list[Short]:
    """Player, hand, wager, outcome, stake, payout and rule of each line; the box is 1 throughout."""
    bets = {"boxes": [{"box": 1} | entry for entry in entries], "boom_busted": table.pop("boom_busted", [])}
    told = {"final": True, "hands": hands, "dealer": {"cards": dealer.split()}}
    lines = settle({"game": game} | table, bets, told)
    keys = ("player", "hand", "wager", "outcome", "stake", "payout", "rule")
    return [tuple(line[key] for key in keys) for line in lines]


def hand(cards: str, **more: Any) -> Json:
    return {"box": 1, "cards": cards.split(), **more}


def part(cards: str, **more: Any) -> Json:
    return {"cards": cards.split(), **more}


def test_free_bet_3_22_3_a_busted_money_hand_and_a_free_one_lose_one_bet_to_a_blackjack() -> None:
    parts = [part("8c 6d Tc"), part("8d Th")]
    lines = settled(FREE_BET, [{"bet": 1000}], [hand("8c 8d", decision="free_split", split=parts)], "Kd Ac")
    assert lines == [
        ("1", 1, "bet", "lose", 1000, 0, "3.22.3"),
        ("1", 2, "free_split", "lose", 0, 0, "3.22.3"),
    ]


def test_free_bet_3_22_3_a_paid_double_on_the_free_hand_is_lost_besides() -> None:
    double = part("8d 3h Th", decision="double", wagers=[{"double": 600}])
    split = hand("8c 8d", decision="free_split", split=[part("8c 6d Tc"), double])
    assert settled(FREE_BET, [{"bet": 1000}], [split], "Kd Ac") == [
        ("1", 1, "bet", "lose", 1000, 0, "3.22.3"),
        ("1", 2, "free_split", "lose", 0, 0, "3.22.3"),
        ("1", 2, "double", "lose", 600, 0, "3.22.3"),
    ]


def test_free_bet_3_22_3_two_paid_doubles_on_free_hands_lose_one_initial_bet_together() -> None:
    doubles = [part(cards, decision="double", wagers=[{"double": 600}]) for cards in ("8d 3h Th", "8h 3d Td")]
    again = part("8d 8h", decision="free_split", split=doubles)
    split = hand("8c 8d", decision="free_split", split=[part("8c 6d Tc"), again])
    assert settled(FREE_BET, [{"bet": 1000}], [split], "Kd Ac") == [
        ("1", 1, "bet", "lose", 1000, 0, "3.22.3"),
        ("1", 2, "free_split", "lose", 0, 0, "3.22.3"),
        ("1", 2, "double", "lose", 600, 0, "3.22.3"),
        ("1", 3, "free_split", "lose", 0, 0, "3.22.3"),
        ("1", 3, "double", "lose", 400, 0, "3.22.3"),
        ("1", 3, "double", "returned", 200, 200, "3.22.3"),
    ]


def test_blackjack_3_22_2_a_double_comes_back_from_a_dealers_blackjack() -> None:
    double = hand("6c 5d Tc", decision="double")
    assert settled(BLACKJACK, [{"bet": 1000}], [double], "Kd Ac") == [
        ("1", 1, "bet", "lose", 1000, 0, "3.22.2"),
        ("1", 1, "double", "returned", 1000, 1000, "3.22.2"),
    ]


@pytest.mark.parametrize(
    ("game", "rule"), [(BLACKJACK, "3.23.3"), (PERFECT_PAIRS, "3.24.3"), (FREE_BET, "3.24.3")]
)
def test_a_21_that_is_no_natural_loses_to_a_dealers_blackjack(game: str, rule: str) -> None:
    lines = settled(game, [{"bet": 1000}], [hand("7c 7d 7h")], "Kd Ac")
    assert lines == [("1", 1, "bet", "lose", 1000, 0, rule)]


def test_ace_and_ten_of_a_split_are_no_natural() -> None:
    aces = hand("Ac Ad", decision="split", split=[part("Ac Kh"), part("Ad 5c")])
    assert settled(BLACKJACK, [{"bet": 1000}], [aces], "6d Tc 5h") == [
        ("1", 1, "bet", "stand_off", 1000, 1000, "3.23.4"),
        ("1", 2, "split", "lose", 1000, 0, "3.23.3"),
    ]


def test_blackjack_3_21_1_who_declined_keeps_his_bet_and_follows_no_later_split() -> None:
    """B follows the first split, declines the second, and so has no part in the third."""
    first = part(
        "8c 8s",
        decision="split",
        split=[part("8c Tc"), part("8s 9s")],
        wagers=[{"player": "B", "split": "none"}],
    )
    second = part("8d 8h", decision="split", split=[part("8d Td"), part("8h 9h")])
    split = hand("8c 8d", decision="split", split=[first, second])
    entries: list[Json] = [{"bet": 1000}, {"player": "B", "standing": True, "bet": 500}]
    lines = settled(BLACKJACK, entries, [split], "Kd 8c")
    assert [line[1:6] for line in lines if line[0] == "1"] == [
        (1, "bet", "stand_off", 1000, 1000),
        (2, "split", "lose", 1000, 0),
        (3, "split", "stand_off", 1000, 1000),
        (4, "split", "lose", 1000, 0),
    ]
    assert [line[1:6] for line in lines if line[0] == "B"] == [
        (1, "bet", "stand_off", 500, 500),
        (3, "split", "stand_off", 500, 500),
    ]


@pytest.mark.parametrize(
    ("dealer", "outcome", "rule"),
    [("Kd 5c 7h", "stand_off", "3.24.5"), ("Kd 5c 8h", "win", "3.24.1"), ("Kd 5c 6h", "lose", "3.24.3")],
)
def test_free_bet_3_24_5_only_22_stands_off(dealer: str, outcome: str, rule: str) -> None:
    [line] = settled(FREE_BET, [{"bet": 1000}], [hand("Tc 9d")], dealer)
    assert (line[3], line[6]) == (outcome, rule)


def test_in_the_other_games_22_is_bust() -> None:
    [line] = settled(PERFECT_PAIRS, [{"bet": 1000}], [hand("Tc 9d")], "Kd 5c 7h")
    assert line[3:] == ("win", 1000, 2000, "3.24.1")


@pytest.mark.parametrize(
    ("dealer", "outcome", "payout", "rule"),
    [
        ("6d", "win", 2503, "3.16"),
        ("Kd 5c 7h", "win", 2503, "3.16"),
        ("Kd 5c 6h", "win", 2503, "3.16"),
        ("Kd Ah", "stand_off", 1001, "3.16"),
        ("Ad Kh", "stand_off", 1001, "3.15.1"),
        ("Ad 5h", "win", 2503, "3.15.1"),
    ],
)
def test_free_bet_a_natural_wins_3_to_2_or_stands_off(
    dealer: str, outcome: str, payout: int, rule: str
) -> None:
    [line] = settled(FREE_BET, [{"bet": 1001}], [hand("Ac Kc")], dealer)
    assert line[3:] == (outcome, 1001, payout, rule)


def test_a_natural_may_be_surrendered_against_a_ten() -> None:
    lines = settled(BLACKJACK, [{"bet": 1001}], [hand("Ac Kc", decision="surrender")], "Kd")
    assert lines == [
        ("1", 1, "bet", "lose", 500, 0, "3.16"),
        ("1", 1, "bet", "returned", 501, 501, "3.16"),
    ]


def test_5_1_1_a_box_over_its_maximum_plays_pro_rata() -> None:
    assert pro_rata([9000, 4001, 1200, 500], 1000, 10000) == [6122, 2721, 1000, 500]


def test_what_is_tied_to_the_initial_bet_is_measured_by_the_part_that_plays() -> None:
    parts = [part("8c 3d Tc", decision="double"), part("8d Td")]
    split = hand("8c 8d", decision="split", split=parts, wagers=[{"insurance": 600}])
    assert settled(BLACKJACK, [{"bet": 1500, "under_13": 1200}], [split], "Ad 6h", maximum=1001) == [
        ("1", None, "insurance", "returned", 100, 100, "3.14.2"),
        ("1", None, "insurance", "lose", 500, 0, "3.14.2"),
        ("1", None, "under_13", "returned", 199, 199, "3.13.2"),
        ("1", None, "under_13", "lose", 1001, 0, "3.13.2"),
        ("1", 1, "bet", "returned", 499, 499, "5.1.1"),
        ("1", 1, "bet", "win", 1001, 2002, "3.23.2"),
        ("1", 1, "double", "returned", 499, 499, "3.22"),
        ("1", 1, "double", "win", 1001, 2002, "3.23.2"),
        ("1", 2, "split", "returned", 499, 499, "3.21"),
        ("1", 2, "split", "win", 1001, 2002, "3.23.2"),
    ]


def test_free_bet_3_27_who_has_no_initial_bet_counts_the_markers_of_the_caller() -> None:
    entries: list[Json] = [
        {"bet": 1000, "lucky_stash": 100},
        {"player": "B", "standing": True, "bet": 1000, "lucky_stash": 100},
        {"player": "C", "standing": True, "lucky_stash": 100},
    ]
    double = hand("5c 5d 9h", decision="free_double", wagers=[{"player": "B", "double": 600}])
    lines = settled(FREE_BET, entries, [double], "Kd 7c")
    stashes = [(line[0], line[3], line[5]) for line in lines if line[2] == "lucky_stash"]
    assert stashes == [("1", "win", 300), ("B", "lose", 0), ("C", "win", 300)]


def test_side_bets_without_an_initial_bet_go_back() -> None:
    lines = settled(
        FREE_BET,
        [{"rws_pairs": 500, "lucky_stash": 100}],
        [],
        "",
        boom_busted=[{"player": "X", "bet": 300}],
    )
    assert lines == [
        ("1", None, "rws_pairs", "returned", 500, 500, "5.16"),
        ("1", None, "lucky_stash", "returned", 100, 100, "5.16"),
        ("X", None, "boom_busted", "returned", 300, 300, "3.9.1"),
    ]


@pytest.mark.parametrize(
    ("dealer", "payout"),
    [
        ("Kd 5c 7h", 0),
        ("Kd 5c 8h", 1500),
        ("5d 5c 5h 8h", 1500),
        ("2d 4c 5h 5c 7h", 2500),
        ("2d 2c 2h 5c 5h 9h", 6500),
        ("2d 2c 2h 2s 2d 6c 7h", 25500),
        ("2d 2c 2h 2s 2d 2c 4h 7h", 100500),
        ("Kd 7c", 0),
    ],
)
def test_free_bet_3_26_boom_busted_pays_by_the_dealers_cards(dealer: str, payout: int) -> None:
    boom = [{"player": "X", "bet": 500}]
    *_, line = settled(FREE_BET, [{"bet": 1000}], [hand("Tc 6d 9c")], dealer, boom_busted=boom)
    assert line[5:] == (payout, "3.26" if payout else "3.26.2")


def test_5_7_3_an_invalid_hand_gives_back_what_lies_on_it_and_side_bets_on_two_cards_stand() -> None:
    entries = [{"bet": 1000, "rws_pairs": 500, "lucky_stash": 100}]
    lines = settled(FREE_BET, entries, [hand("Tc Td 5c", invalidated="5.7.3")], "Kd 7c")
    assert lines == [
        ("1", None, "rws_pairs", "win", 500, 3500, "3.14.4"),
        ("1", None, "lucky_stash", "returned", 100, 100, "5.7.3"),
        ("1", 1, "bet", "returned", 1000, 1000, "5.7.3"),
    ]
