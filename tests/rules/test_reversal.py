"""What a void or a returned bet undoes: exactly what the settlement and the jackpot had done."""

from __future__ import annotations

from collections.abc import Iterable
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.core.money import Account
from jackpot.games.adjustments import Adjusted
from jackpot.games.irregularities import Choice
from jackpot.games.lines import Line
from jackpot.games.rulebook import Game
from jackpot.link.commands import BoxBets, CloseBets, HandReport, ReportHands
from jackpot.link.rounds import MainGame
from jackpot.simulation.dealing import deal
from tests.effort import times
from tests.floor import HOLDEM, STUD, Floor

ANTE = 2500
GAMES = pytest.mark.parametrize("game", [STUD, HOLDEM])
seeds = given(seed=st.integers(0, 2**32))
quickly = settings(max_examples=times(50), deadline=None)


class Table:
    """A table whose players bet, decide and fold as chance has it; rich in good hands."""

    def __init__(self, game: Game, seed: int, *, without: Iterable[int] = ()) -> None:
        rng = Random(seed)
        self.game, self.floor = game, Floor(tables={"t1": game})
        boxes = sorted(rng.sample(range(1, 8), rng.randrange(2, 6)))
        self.bets = [self._bets(rng, box) for box in boxes]
        dealt = deal(rng, game, boxes, rigged=0.5)
        self.reports = [
            HandReport(box=box, cards=cards, main=self._main(rng)) for box, cards in dealt.hands.items()
        ]
        self.community, self.dealer = dealt.community, dealt.dealer
        self.before = self.accounts
        self._play(set(without))

    def _bets(self, rng: Random, box: int) -> BoxBets:
        bonus = rng.choice((0, 500)) if self.game is HOLDEM else 0
        return BoxBets(box=box, ante=ANTE, progressive=rng.choice((0, 500, 500)), bonus=bonus)

    def _main(self, rng: Random) -> MainGame:
        if rng.random() < 0.3:
            return MainGame(decision=rng.choice(("fold", "walk_away")))
        stake = rng.choice((ANTE, 2 * ANTE, 3 * ANTE))
        if self.game is STUD:
            return MainGame(bet=stake)
        return MainGame(flop=stake, turn=rng.choice((0, ANTE, 2 * ANTE)), river=rng.choice((0, ANTE)))

    def _play(self, without: set[int]) -> None:
        now = self.floor.now
        bets = tuple(one for one in self.bets if one.box not in without)
        self.floor.send(
            CloseBets(table="t1", round=1, closed_at=now, sent_at=now, received_at=now, boxes=bets)
        )
        self.report(one for one in self.reports if one.box not in without)

    def report(self, hands: Iterable[HandReport], *, final: bool = False) -> None:
        self.floor.wait(1)
        self.floor.send(
            ReportHands(
                table="t1",
                round=1,
                sent_at=self.floor.now,
                received_at=self.floor.now,
                hands=tuple(hands),
                community=self.community,
                dealer=self.dealer,
                final=final,
            )
        )

    @property
    def boxes(self) -> list[int]:
        return [one.box for one in self.bets]

    @property
    def accounts(self) -> dict[Account, int]:
        return dict(self.floor.link.pool.accounts)

    @property
    def owed(self) -> dict[Account, int]:
        """While another win waits the meter is frozen: what is reversed then lies in the carryover."""
        found = self.accounts
        return found | {Account.METER: found[Account.METER] + found.pop(Account.CARRYOVER)}

    @property
    def settlement(self) -> tuple[Line, ...]:
        return tuple(self.floor.link.tables["t1"].round.settlement)

    def staked(self, box: int) -> int:
        """In the main game, all of it."""
        placed = next(one for one in self.bets if one.box == box)
        main = next(one.main for one in self.reports if one.box == box) or MainGame()
        further = (main.bet, main.flop, main.turn, main.river)
        return placed.ante + placed.bonus + sum(one or 0 for one in further)


def payouts(lines: Iterable[Line], box: int) -> int:
    return sum(line.payout for line in lines if line.box == box)


def differences(adjustments: Iterable[Adjusted], box: int) -> int:
    return sum(one.difference for one in adjustments if one.box == box)


@pytest.mark.untraced
@GAMES
@seeds
@quickly
def test_a_void_undoes_the_settlement_and_the_jackpot_to_the_unit(game: Game, seed: int) -> None:
    table = Table(game, seed)
    told = table.settlement
    answer = table.floor.irregularity("t1", "5.8.3")
    assert (table.accounts, table.floor.link.queue) == (table.before, {})
    for box in table.boxes:
        after = payouts(answer.settlement, box)
        assert after == table.staked(box) == payouts(told, box) + differences(answer.adjustments, box)


@pytest.mark.proof
@GAMES
@seeds
@quickly
def test_returned_bets_leave_what_would_be_had_they_not_been_placed(game: Game, seed: int) -> None:
    table = Table(game, seed)
    told = table.settlement
    back = tuple(Random(seed).sample(table.boxes, Random(seed).randrange(1, len(table.boxes))))
    choices = dict.fromkeys(back, Choice.RETURN)
    answer = table.floor.irregularity("t1", "5.10", reconstructed=False, boxes=back, choices=choices)
    for box in table.boxes:
        after = payouts(answer.settlement, box)
        assert after == payouts(told, box) + differences(answer.adjustments, box)
        assert after == (table.staked(box) if box in back else payouts(told, box))
    others = Table(game, seed, without=back)
    assert table.owed == others.owed
    assert set(table.floor.link.queue) == set(others.floor.link.queue)


@pytest.mark.untraced
@GAMES
@seeds
@quickly
def test_no_later_report_takes_back_what_was_returned(game: Game, seed: int) -> None:
    table = Table(game, seed)
    box = table.boxes[0]
    table.floor.irregularity("t1", "5.15", reconstructed=False, boxes=(box,))
    left, told = table.accounts, table.settlement
    table.report((one for one in table.reports if one.box != box), final=True)
    assert (table.accounts, table.settlement) == (left, told)
    assert payouts(table.settlement, box) == table.staked(box)


@pytest.mark.proof
@GAMES
@seeds
@quickly
def test_a_hand_that_its_table_invalidates_gets_back_every_wager_told_before(game: Game, seed: int) -> None:
    table = Table(game, seed)
    box = table.boxes[0]
    invalid = HandReport(box=box, invalidated="5.15")
    for _ in range(2):
        table.report([invalid, *(one for one in table.reports if one.box != box)])
        assert payouts(table.settlement, box) == table.staked(box)
    assert table.owed == Table(game, seed, without=[box]).owed
    table.report(table.reports)
    assert (table.settlement, table.owed) == (Table(game, seed).settlement, Table(game, seed).owed)
