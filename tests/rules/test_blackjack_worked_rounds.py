# ruff: noqa: E501  the rounds stand as they are on the wire
"""The six worked rounds of the specification, line for line: bets, reports, and the settlement of each."""

from __future__ import annotations

import json
from typing import Any

import pytest

from jackpot.games.blackjack import (
    BLACKJACK,
    FREE_BET,
    PERFECT_PAIRS,
    BlackjackRules,
    Report,
    check_bets,
    close,
    judge,
    open_wagers,
    shown,
)
from tests.blackjack import Json, bets_of, hand, judged, layout, part, report_of

ROUND_1 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 2500, "player_pair": 500},
   {"box": 2, "bet": 5000},
   {"box": 2, "player": "B", "standing": true, "bet": 1000, "over_13": 500},
   {"box": 4, "bet": 2500}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["Ah", "Kd"]},
   {"box": 2, "cards": ["9c", "2d", "8s"], "decision": "double", "wagers": [{"player": "B", "double": 400}]},
   {"box": 4, "cards": ["Th", "6s", "9h"]}],
 "dealer": {"cards": ["6d", "Tc", "3h"]},
 "shoe": {"id": "bj-01/2026-03-01/7", "drawn": ["Ah", "9c", "Th", "6d", "Kd", "2d", "6s", "8s", "9h", "Tc", "3h"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": null, "wager": "player_pair", "outcome": "lose", "stake": 500, "pays": null, "payout": 0, "won": 0, "collected": 500, "rule": "3.13.1"},
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "win", "stake": 2500, "pays": "3 to 2", "payout": 6250, "won": 3750, "collected": 0, "rule": "3.15"},
 {"box": 2, "player": "2", "hand": 1, "wager": "bet", "outcome": "stand_off", "stake": 5000, "pays": null, "payout": 5000, "won": 0, "collected": 0, "rule": "3.23.4"},
 {"box": 2, "player": "2", "hand": 1, "wager": "double", "outcome": "stand_off", "stake": 5000, "pays": null, "payout": 5000, "won": 0, "collected": 0, "rule": "3.23.4"},
 {"box": 2, "player": "B", "hand": null, "wager": "over_13", "outcome": "lose", "stake": 500, "pays": null, "payout": 0, "won": 0, "collected": 500, "rule": "3.13.2"},
 {"box": 2, "player": "B", "hand": 1, "wager": "bet", "outcome": "stand_off", "stake": 1000, "pays": null, "payout": 1000, "won": 0, "collected": 0, "rule": "3.23.4"},
 {"box": 2, "player": "B", "hand": 1, "wager": "double", "outcome": "stand_off", "stake": 400, "pays": null, "payout": 400, "won": 0, "collected": 0, "rule": "3.23.4"},
 {"box": 4, "player": "4", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 2500, "pays": null, "payout": 0, "won": 0, "collected": 2500, "rule": "3.18"}]}
"""
ROUND_2 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 1000}, {"box": 1, "player": "B", "standing": true, "bet": 500}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["8c", "8d"], "decision": "split", "split": [{"cards": ["8c", "5d", "Tc"]}, {"cards": ["8d", "8h"], "decision": "split", "split": [{"cards": ["8d", "3c", "Kh"], "decision": "double"}, {"cards": ["8h", "Th"]}]}], "wagers": [{"player": "B", "split": "none"}]}],
 "dealer": {"cards": ["Kd", "Ac"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 1000, "pays": null, "payout": 0, "won": 0, "collected": 1000, "rule": "3.21.3"},
 {"box": 1, "player": "1", "hand": 2, "wager": "split", "outcome": "lose", "stake": 1000, "pays": null, "payout": 0, "won": 0, "collected": 1000, "rule": "3.21.3"},
 {"box": 1, "player": "1", "hand": 2, "wager": "double", "outcome": "returned", "stake": 1000, "pays": null, "payout": 1000, "won": 0, "collected": 0, "rule": "3.21.3"},
 {"box": 1, "player": "1", "hand": 3, "wager": "split", "outcome": "returned", "stake": 1000, "pays": null, "payout": 1000, "won": 0, "collected": 0, "rule": "3.21.3"},
 {"box": 1, "player": "B", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 500, "pays": null, "payout": 0, "won": 0, "collected": 500, "rule": "3.21.3"}]}
"""
ROUND_3 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 2000}, {"box": 1, "player": "B", "standing": true, "bet": 3000}, {"box": 3, "bet": 2500, "under_13": 500}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": false,
 "hands": [{"box": 1, "cards": ["Ac", "Tc"], "wagers": [{"even_money": true}, {"player": "B", "insurance": 1500}]},
   {"box": 3, "cards": ["9c", "3d"], "wagers": [{"insurance": 1500}]}],
 "dealer": {"cards": ["As"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "win", "stake": 2000, "pays": "1 to 1", "payout": 4000, "won": 2000, "collected": 0, "rule": "3.14.1"},
 {"box": 3, "player": "3", "hand": null, "wager": "under_13", "outcome": "win", "stake": 500, "pays": "1 to 1", "payout": 1000, "won": 500, "collected": 0, "rule": "3.13.2"}]}
{"sent_at": "2026-03-01T20:15:08.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["Ac", "Tc"], "wagers": [{"even_money": true}, {"player": "B", "insurance": 1500}]},
   {"box": 3, "cards": ["9c", "3d", "7h"], "wagers": [{"insurance": 1500}]}],
 "dealer": {"cards": ["As", "Kh"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "win", "stake": 2000, "pays": "1 to 1", "payout": 4000, "won": 2000, "collected": 0, "rule": "3.14.1"},
 {"box": 1, "player": "B", "hand": null, "wager": "insurance", "outcome": "win", "stake": 1500, "pays": "2 to 1", "payout": 4500, "won": 3000, "collected": 0, "rule": "3.14.2"},
 {"box": 1, "player": "B", "hand": 1, "wager": "bet", "outcome": "stand_off", "stake": 3000, "pays": null, "payout": 3000, "won": 0, "collected": 0, "rule": "3.14.1"},
 {"box": 3, "player": "3", "hand": null, "wager": "insurance", "outcome": "returned", "stake": 250, "pays": null, "payout": 250, "won": 0, "collected": 0, "rule": "3.14.2"},
 {"box": 3, "player": "3", "hand": null, "wager": "insurance", "outcome": "win", "stake": 1250, "pays": "2 to 1", "payout": 3750, "won": 2500, "collected": 0, "rule": "3.14.2"},
 {"box": 3, "player": "3", "hand": null, "wager": "under_13", "outcome": "win", "stake": 500, "pays": "1 to 1", "payout": 1000, "won": 500, "collected": 0, "rule": "3.13.2"},
 {"box": 3, "player": "3", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 2500, "pays": null, "payout": 0, "won": 0, "collected": 2500, "rule": "3.23.3"}]}
"""
ROUND_4 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 40000, "perfect_pairs": 500},
   {"box": 1, "player": "B", "standing": true, "bet": 20000},
   {"box": 1, "player": "C", "standing": true, "bet": 2000},
   {"box": 2, "bet": 2505}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["Qs", "Qs"]}, {"box": 2, "cards": ["Ts", "6h"], "decision": "surrender"}],
 "dealer": {"cards": ["Kd", "9h"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": null, "wager": "perfect_pairs", "outcome": "win", "stake": 500, "pays": "25 to 1", "payout": 13000, "won": 12500, "collected": 0, "rule": "3.14.1"},
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "returned", "stake": 7742, "pays": null, "payout": 7742, "won": 0, "collected": 0, "rule": "5.1.1"},
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "win", "stake": 32258, "pays": "1 to 1", "payout": 64516, "won": 32258, "collected": 0, "rule": "3.24.2"},
 {"box": 1, "player": "B", "hand": 1, "wager": "bet", "outcome": "returned", "stake": 3871, "pays": null, "payout": 3871, "won": 0, "collected": 0, "rule": "5.1.1"},
 {"box": 1, "player": "B", "hand": 1, "wager": "bet", "outcome": "win", "stake": 16129, "pays": "1 to 1", "payout": 32258, "won": 16129, "collected": 0, "rule": "3.24.2"},
 {"box": 1, "player": "C", "hand": 1, "wager": "bet", "outcome": "win", "stake": 2000, "pays": "1 to 1", "payout": 4000, "won": 2000, "collected": 0, "rule": "3.24.2"},
 {"box": 2, "player": "2", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 1252, "pays": null, "payout": 0, "won": 0, "collected": 1252, "rule": "3.17"},
 {"box": 2, "player": "2", "hand": 1, "wager": "bet", "outcome": "returned", "stake": 1253, "pays": null, "payout": 1253, "won": 0, "collected": 0, "rule": "3.17"}]}
"""
ROUND_5 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 2500, "rws_pairs": 500, "lucky_stash": 500}, {"box": 2, "bet": 1000}, {"box": 3, "bet": 1000}],
 "boom_busted": [{"player": "2", "bet": 500}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["8h", "8d"], "decision": "free_split", "split": [{"cards": ["8h", "3c", "Ks"], "decision": "free_double"}, {"cards": ["8d", "8c"], "decision": "free_split", "split": [{"cards": ["8d", "9s"]}, {"cards": ["8c", "7h", "Td"]}]}]},
   {"box": 2, "cards": ["Ah", "Qd"]},
   {"box": 3, "cards": ["6c", "7d", "Th"]}],
 "dealer": {"cards": ["Kh", "5d", "7s"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": null, "wager": "rws_pairs", "outcome": "win", "stake": 500, "pays": "12 to 1", "payout": 6500, "won": 6000, "collected": 0, "rule": "3.14.3"},
 {"box": 1, "player": "1", "hand": null, "wager": "lucky_stash", "outcome": "win", "stake": 500, "pays": "25 to 1", "payout": 13000, "won": 12500, "collected": 0, "rule": "3.27"},
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "stand_off", "stake": 2500, "pays": null, "payout": 2500, "won": 0, "collected": 0, "rule": "3.24.5"},
 {"box": 1, "player": "1", "hand": 1, "wager": "free_double", "outcome": "stand_off", "stake": 0, "pays": null, "payout": 0, "won": 0, "collected": 0, "rule": "3.24.5", "marker": 2500},
 {"box": 1, "player": "1", "hand": 2, "wager": "free_split", "outcome": "stand_off", "stake": 0, "pays": null, "payout": 0, "won": 0, "collected": 0, "rule": "3.24.5", "marker": 2500},
 {"box": 1, "player": "1", "hand": 3, "wager": "free_split", "outcome": "lose", "stake": 0, "pays": null, "payout": 0, "won": 0, "collected": 0, "rule": "3.22.3", "marker": 2500},
 {"box": 2, "player": "2", "hand": 1, "wager": "bet", "outcome": "win", "stake": 1000, "pays": "3 to 2", "payout": 2500, "won": 1500, "collected": 0, "rule": "3.16"},
 {"box": 3, "player": "3", "hand": 1, "wager": "bet", "outcome": "lose", "stake": 1000, "pays": null, "payout": 0, "won": 0, "collected": 1000, "rule": "3.19"},
 {"box": null, "player": "2", "hand": null, "wager": "boom_busted", "outcome": "lose", "stake": 500, "pays": null, "payout": 0, "won": 0, "collected": 500, "rule": "3.26.2"}]}
"""
ROUND_6 = """
{"sent_at": "2026-03-01T20:15:00.000000Z", "closed_at": "2026-03-01T20:15:00.000000Z",
 "boxes": [{"box": 1, "bet": 2000, "lucky_stash": 100}, {"box": 1, "player": "B", "standing": true, "bet": 1000}],
 "boom_busted": [{"player": "X", "bet": 600}, {"player": "Y", "bet": 700}]}
{"sent_at": "2026-03-01T20:15:04.000000Z", "final": true,
 "hands": [{"box": 1, "cards": ["5c", "5d", "9h"], "decision": "free_double", "wagers": [{"player": "B", "double": 600}]}],
 "dealer": {"cards": ["2c", "3d", "4h", "2s", "3c", "9d"]},
 "discarded": [{"card": "Jc", "rule": "5.10.3"}],
 "shoe": {"drawn": ["5c", "2c", "5d", "Jc", "9h", "3d", "4h", "2s", "3c", "9d"]}}
{"settlement": [
 {"box": 1, "player": "1", "hand": null, "wager": "lucky_stash", "outcome": "win", "stake": 100, "pays": "2 to 1", "payout": 300, "won": 200, "collected": 0, "rule": "3.27"},
 {"box": 1, "player": "1", "hand": 1, "wager": "bet", "outcome": "win", "stake": 2000, "pays": "1 to 1", "payout": 4000, "won": 2000, "collected": 0, "rule": "3.24.1"},
 {"box": 1, "player": "1", "hand": 1, "wager": "free_double", "outcome": "win", "stake": 0, "pays": "1 to 1", "payout": 2000, "won": 2000, "collected": 0, "rule": "1.11.1", "marker": 2000},
 {"box": 1, "player": "B", "hand": 1, "wager": "bet", "outcome": "win", "stake": 1000, "pays": "1 to 1", "payout": 2000, "won": 1000, "collected": 0, "rule": "3.24.1"},
 {"box": 1, "player": "B", "hand": 1, "wager": "double", "outcome": "win", "stake": 600, "pays": "1 to 1", "payout": 1200, "won": 600, "collected": 0, "rule": "3.24.1"},
 {"box": null, "player": "X", "hand": null, "wager": "boom_busted", "outcome": "win", "stake": 600, "pays": "12 to 1", "payout": 7800, "won": 7200, "collected": 0, "rule": "3.26"},
 {"box": null, "player": "Y", "hand": null, "wager": "boom_busted", "outcome": "returned", "stake": 300, "pays": null, "payout": 300, "won": 0, "collected": 0, "rule": "5.1.3"},
 {"box": null, "player": "Y", "hand": null, "wager": "boom_busted", "outcome": "win", "stake": 400, "pays": "12 to 1", "payout": 5200, "won": 4800, "collected": 0, "rule": "3.26"}]}
"""
ROUNDS = [
    pytest.param(BLACKJACK, {}, ROUND_1, id="naturals_doubles_busts_and_side_bets"),
    pytest.param(BLACKJACK, {}, ROUND_2, id="split_twice_against_a_dealers_blackjack"),
    pytest.param(BLACKJACK, {}, ROUND_3, id="an_ace_in_two_reports"),
    pytest.param(
        PERFECT_PAIRS, {"minimum": 2500, "maximum": 50000}, ROUND_4, id="over_the_maximum_and_a_surrender"
    ),
    pytest.param(FREE_BET, {}, ROUND_5, id="three_markers_and_a_dealers_22"),
    pytest.param(
        FREE_BET, {"side": {"boom_busted": {"maximum": 1000}}}, ROUND_6, id="a_marker_beside_a_paid_double"
    ),
]


def documents(text: str) -> list[Json]:
    found, place, decoder = [], 0, json.JSONDecoder()
    while text[place:].strip():
        place += len(text[place:]) - len(text[place:].lstrip())
        one, place = decoder.raw_decode(text, place)
        found.append(one)
    return found


@pytest.mark.parametrize(("rules", "limits", "text"), ROUNDS)
def test_a_worked_round_settles_line_for_line(
    rules: BlackjackRules, limits: dict[str, Any], text: str
) -> None:
    bets, *reports = documents(text)
    at = layout(rules, **limits)
    check_bets(at, bets_of(bets))
    closing = close(at, bets_of(bets))
    before: Report | None = None
    for report, answer in zip(reports[::2], reports[1::2], strict=True):
        found = judge(closing, report_of(report), before=before)
        assert [shown(line) for line in found.lines] == answer["settlement"]
        assert bool(found.open) is not report["final"]
        assert found.open == open_wagers(found.play, found.lines)
        before = found.report


@pytest.mark.parametrize(("rules", "limits", "text"), ROUNDS)
def test_of_every_line_stake_and_winnings_are_payout_and_collected(
    rules: BlackjackRules, limits: dict[str, Any], text: str
) -> None:
    bets, *_, report, _ = documents(text)
    closing = close(layout(rules, **limits), bets_of(bets))
    for line in judge(closing, report_of(report)).lines:
        assert line.stake + line.won == line.payout + line.collected


def test_f_3_23_1_a_standing_player_named_first_may_take_a_marker_where_the_caller_pays() -> None:
    """Nobody is seated: the highest Initial Bet calls (3.8), and whoever is named before it changes no call."""
    boxes = [
        {"box": 2, "bet": 7000, "player": "1", "standing": True},
        {"box": 2, "bet": 8000, "player": "D", "standing": True},
    ]
    said = [{"player": "1", "free_double": True}, {"player": "D", "double": 5000}]
    found = judged(FREE_BET, boxes, [hand(2, "2c 7h Qs", "double", wagers=said)], "2d Td 7c", final=True)
    assert [(line.player, line.wager, line.stake, line.marker) for line in found.lines] == [
        ("1", "bet", 7000, None),
        ("1", "free_double", 0, 7000),
        ("D", "bet", 8000, None),
        ("D", "double", 5000, None),
    ]


def test_f_3_22_so_may_one_at_a_split() -> None:
    boxes: list[Json] = [{"box": 1, "bet": 500, "player": "B", "standing": True}, {"box": 1, "bet": 1000}]
    said = [{"player": "B", "split": "free"}, {"split": "paid"}]
    hands = [hand(1, "8c 8d", "split", part("8c 9d"), part("8d Th"), wagers=said)]
    found = judged(FREE_BET, boxes, hands, "2d Td 7c", final=True)
    assert [(line.player, line.wager, line.stake) for line in found.lines] == [
        ("B", "bet", 500),
        ("B", "free_split", 0),
        ("1", "bet", 1000),
        ("1", "split", 1000),
    ]
