"""What is certain is true, whatever becomes of house time and however well a replica knows it."""

from __future__ import annotations

from dataclasses import replace

from jackpot.cards.cards import parse_all
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable, ApproveWin, BoxBets, BreakTime, CloseBets, HandReport, ReportHands
from jackpot.link.parameters import Basis
from jackpot.link.state import Break, TableSetup
from jackpot.link.wins import Win
from jackpot.machine.memory_book import MemoryBook
from jackpot.pools.order import certainly_before, counting
from jackpot.pools.payout import clusters
from jackpot.readings.alerts import alerts
from tests.floor import DEFAULTS, ROYAL, START, STRAIGHT_FLUSH, Floor

HOUR = 3600 * SECOND


def test_a_stamp_from_before_a_break_of_house_time_decides_nothing() -> None:
    """The offset that is measured after the break is not of the time in which the hand was dealt."""
    floor = Floor()
    floor.bets("s1")
    dealt_at = floor.now + 10 * MILLISECOND
    floor.wait(1)
    later = floor.wins_major("s2", STRAIGHT_FLUSH["s"])
    floor.now += HOUR
    floor.act(BreakTime(person="service", cause=Break.START, before=0, difference=0))
    for _ in range(2):  # an answer since the break, and its echo
        floor.beat("s1", sent_at=floor.now - HOUR)
        floor.wait(0.1)
    hands = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, dealt=dealt_at, sent_at=floor.now - HOUR)
    earlier = floor.win(str(hands.results[0].win))
    assert earlier.evidence.live
    assert earlier.interval == earlier.witnessed
    assert not certainly_before(counting(floor.win(later), Basis.STAMPED), counting(earlier, Basis.STAMPED))


class Replicas:
    """Three tables whose messages are taken by replicas that know house time more or less well."""

    def __init__(self) -> None:
        self.book = MemoryBook("main", "Multi-Link Progressive", "SGD", DEFAULTS, at=START)
        for name in ("a", "b", "c"):
            setup = TableSetup(id=name, game=Game.CASINO_STUD, boxes=1)
            self.book.submit(AddTable(person="floor", setup=setup), at=START)

    def bets(self, table: str, at: int, error: int = 0, round: int = 1) -> None:
        boxes = (BoxBets(box=1, ante=2500, progressive=500),)
        bets = CloseBets(
            table=table, round=round, closed_at=at, boxes=boxes, sent_at=at, received_at=at, error=error
        )
        self.book.submit(bets, at=at, error=error)

    def wins(self, table: str, at: int, cards: str, error: int = 0, round: int = 1) -> Win:
        hand = HandReport(box=1, cards=parse_all(cards.split()), dealt_at=at)
        report = ReportHands(
            table=table, round=round, hands=(hand,), sent_at=at, received_at=at, error=error, final=True
        )
        self.book.submit(report, at=at, error=error)
        return next(win for win in self.book.link.queue.values() if (win.table, win.round) == (table, round))


def test_a_known_major_moves_no_deal_past_a_third_tables() -> None:
    """b deals before c. That a's win was known when b's bets were taken, by a replica that may be wrong by
    50 ms, must not put b's deal after c's."""
    floor, at = Replicas(), START + SECOND
    floor.bets("a", at)
    floor.bets("c", at)
    floor.wins("a", at + 100 * MILLISECOND, ROYAL["s"], error=50 * MILLISECOND)
    floor.bets("b", at + 101 * MILLISECOND)
    c = floor.wins("c", at + 110 * MILLISECOND, STRAIGHT_FLUSH["h"])
    b = floor.wins("b", at + 111 * MILLISECOND, STRAIGHT_FLUSH["d"])
    assert b.witnessed.start <= at + 102 * MILLISECOND
    for basis in Basis:
        assert not certainly_before(counting(c, basis), counting(b, basis))
    assert not [one for one in alerts(floor.book.link, now=at + SECOND) if one.code == "dealt_outside"]


def test_what_was_paid_before_the_bets_was_dealt_before_however_badly_time_is_known() -> None:
    floor, at, unsure = Replicas(), START + SECOND, 50 * MILLISECOND
    floor.bets("a", at)
    first = floor.wins("a", at + MILLISECOND, STRAIGHT_FLUSH["h"], error=unsure)
    floor.book.submit(ApproveWin(person="ana", win=first.id), at=at + 2 * MILLISECOND)
    assert not floor.book.link.queue
    floor.bets("b", at + 3 * MILLISECOND, error=unsure)
    assert floor.wins("b", at + 4 * MILLISECOND, STRAIGHT_FLUSH["d"], error=unsure)
    assert not floor.book.link.claims


def test_rounds_of_a_table_keep_their_order_when_a_later_replica_knows_time_worse() -> None:
    floor, at = Replicas(), START + SECOND
    floor.book.link.parameters = replace(floor.book.link.parameters, order_basis=Basis.WITNESSED)
    floor.bets("b", at)
    floor.bets("a", at + 10 * MILLISECOND)
    floor.wins("a", at + 12 * MILLISECOND, STRAIGHT_FLUSH["h"])
    floor.bets("a", at + 20 * MILLISECOND, error=50 * MILLISECOND, round=2)
    floor.wins("a", at + 22 * MILLISECOND, STRAIGHT_FLUSH["h"], round=2)
    floor.bets("a", at + 30 * MILLISECOND, error=90 * MILLISECOND, round=3)
    floor.wins("a", at + 32 * MILLISECOND, STRAIGHT_FLUSH["h"], round=3)
    floor.wins("b", at + 40 * MILLISECOND, STRAIGHT_FLUSH["d"])
    (cluster,) = clusters(floor.book.link)
    assert [win for win in cluster.wins if win.startswith("a.")] == ["a.1.1.1", "a.2.1.1", "a.3.1.1"]
