"""The six worked rounds, line for line: bets, reports, and the settlement of each."""

from __future__ import annotations

from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    FREE_BET,
    Closing,
    Report,
    check_bets,
    close,
    judge,
    open_wagers,
    shown,
)
from tests.blackjack import Json, bets_of, hand, judged, layout, part, report_of
from tests.blackjack_rounds import EVERY_WORKED_ROUND, WorkedRound


def closed(worked: WorkedRound) -> Closing:
    limits = {name: value for name, value in worked.table.items() if name != "game"}
    at = layout(BLACKJACK_GAMES[worked.table["game"]], **limits)
    check_bets(at, bets_of(worked.bets))
    return close(at, bets_of(worked.bets))


@EVERY_WORKED_ROUND
def test_a_worked_round_settles_line_for_line(worked: WorkedRound) -> None:
    closing = closed(worked)
    before: Report | None = None
    for told in worked.told:
        found = judge(closing, report_of(told["report"]), before=before)
        assert [shown(line) for line in found.lines] == told["settlement"]
        assert bool(found.open) is not told["report"]["final"]
        assert found.open == open_wagers(found.play, found.lines)
        before = found.report


@EVERY_WORKED_ROUND
def test_of_every_line_stake_and_winnings_are_payout_and_collected(worked: WorkedRound) -> None:
    for line in judge(closed(worked), report_of(worked.told[-1]["report"])).lines:
        assert line.stake + line.won == line.payout + line.collected


def test_f_3_23_1_a_standing_player_named_first_may_take_a_marker_where_the_caller_pays() -> None:
    """Nobody is seated: the highest Initial Bet calls (3.8), and who is named before it changes no call."""
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
