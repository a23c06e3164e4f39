"""What is certain is true, whatever becomes of house time and however well a replica knows it."""

from __future__ import annotations

from jackpot.facts import HouseTimeBroke
from jackpot.instants import MILLISECOND, SECOND
from jackpot.ordering import certainly_before, counting
from jackpot.state import Break
from jackpot.wins import Basis
from tests.floor import STRAIGHT_FLUSH, Floor

HOUR = 3600 * SECOND


def test_a_stamp_from_before_a_break_of_house_time_decides_nothing() -> None:
    """The offset that is measured after the break is not of the time in which the hand was dealt."""
    floor = Floor()
    floor.bets("s1")
    dealt_at = floor.now + 10 * MILLISECOND
    floor.wait(1)
    later = floor.wins_major("s2", STRAIGHT_FLUSH["s"])
    floor.now += HOUR
    floor.book.write(HouseTimeBroke(cause=Break.START, before=floor.link.time, difference=0), at=floor.now)
    for _ in range(2):  # an answer since the break, and its echo
        floor.beat("s1", sent_at=floor.now - HOUR)
        floor.wait(0.1)
    hands = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, dealt=dealt_at, sent_at=floor.now - HOUR)
    earlier = floor.win(str(hands.results[0].win))
    assert earlier.evidence.live
    assert earlier.interval == earlier.witnessed
    assert not certainly_before(counting(floor.win(later), Basis.STAMPED), counting(earlier, Basis.STAMPED))
