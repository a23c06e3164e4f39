"""A reading that a royal flush has emptied is paid from by nobody: it is a case for the House."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.link.facts import ClaimRaised
from jackpot.link.wins import ClaimReason
from tests.floor import ROYAL, STRAIGHT_FLUSH, Floor


def broken(floor: Floor) -> None:
    """s1 is out of order with its cards seen, while the meter is high."""
    floor.raise_to(1_000_000_00)
    floor.bets("s1")
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})


def another_royal(floor: Floor) -> None:
    floor.wait(1)
    win = floor.wins_major("s2", ROYAL["s"])
    floor.approve(win)
    assert floor.paid_for(win) > 1_000_000_00
    floor.wait(1)


def test_a_hand_that_is_kept_back_until_another_royal_is_paid_is_a_case_for_the_house() -> None:
    floor = Floor()
    broken(floor)
    another_royal(floor)
    value = floor.value
    (result,) = floor.hands("s1", {1: ROYAL["h"]}).results
    assert result.win is None
    (claim,) = floor.facts(ClaimRaised)
    assert claim.reason is ClaimReason.BEFORE_PAID_ROYAL
    assert (floor.value, floor.link.held) == (value, False)


def test_so_is_a_straight_flush_in_line_that_becomes_a_royal_afterwards() -> None:
    floor = Floor()
    broken(floor)
    floor.bets("s2")
    earlier = floor.now + SECOND // 10
    floor.wait(1)
    (result,) = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}).results
    floor.hands("s2", {1: ROYAL["s"]}, dealt=earlier)
    royal, straight_flush = floor.line
    assert straight_flush == result.win
    floor.approve(royal)
    assert floor.paid_for(royal) > 1_000_000_00
    floor.hands("s1", {1: ROYAL["h"]})
    (claim,) = floor.link.claims.values()
    assert (claim.hand, claim.reason) == (Hand.ROYAL_FLUSH, ClaimReason.BEFORE_PAID_ROYAL)
    assert not floor.line


def test_a_royal_that_was_pending_at_the_reading_is_known_to_it() -> None:
    floor = Floor()
    floor.raise_to(1_000_000_00)
    royal = floor.wins_major("s2", ROYAL["s"])
    floor.bets("s1")
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.approve(royal)
    assert floor.paid_for(royal) > 1_000_000_00
    (result,) = floor.hands("s1", {1: ROYAL["h"]}).results
    assert result.win is not None
    floor.approve(result.win)
    assert floor.paid_for(result.win) < 51_000_00
