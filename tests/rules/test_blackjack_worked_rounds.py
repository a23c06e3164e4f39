"""The six worked rounds, line for line: bets, reports, and the settlement of each."""

from __future__ import annotations

from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    Closing,
    Report,
    check_bets,
    close,
    judge,
    open_wagers,
    shown,
)
from tests.blackjack import bets_of, layout, report_of
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
