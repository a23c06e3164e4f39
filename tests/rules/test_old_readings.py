"""A reading that a royal flush has emptied is paid from by nobody: it is a case for the House."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.link.facts import ClaimRaised, RoundContinued
from jackpot.link.wins import ClaimReason
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, Floor


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


def emptied(floor: Floor, observed_at: int) -> bool:
    """Whether the reading before that time is empty, when s1 is found only now to have been out of order."""
    floor.malfunction("s1", seen={"s1": True}, observed_at=observed_at)
    continued = floor.facts(RoundContinued)[-1]
    assert not continued.void_denied, "the table has not voided it"
    return bool(continued.emptied)


def hand_known_at(floor: Floor) -> int:
    """s1 has reported a hand that wins nothing; the house time after that."""
    floor.bets("s1")
    floor.wait(1)
    floor.hands("s1", {1: NOTHING})
    floor.wait(1)
    return floor.now


def test_a_straight_flush_paid_since_the_reading_has_not_emptied_it() -> None:
    floor = Floor()
    observed = hand_known_at(floor)
    floor.wait(1)
    floor.approve(floor.wins_major("s2", STRAIGHT_FLUSH["s"]))
    assert [hit.hand for hit in floor.link.hits] == [Hand.STRAIGHT_FLUSH]
    assert not emptied(floor, observed)


def test_a_royal_paid_before_the_reading_has_not_emptied_it() -> None:
    floor = Floor()
    floor.approve(floor.wins_major("s2", ROYAL["s"]))
    assert [hit.hand for hit in floor.link.hits] == [Hand.ROYAL_FLUSH]
    floor.wait(1)
    observed = hand_known_at(floor)
    floor.wait(1)
    assert not emptied(floor, observed)


def test_a_royal_paid_since_the_reading_has_emptied_it() -> None:
    floor = Floor()
    observed = hand_known_at(floor)
    floor.wait(1)
    floor.approve(floor.wins_major("s2", ROYAL["s"]))
    assert emptied(floor, observed)


def test_a_win_in_line_whose_reading_a_royal_has_emptied_leaves_the_line_for_the_house() -> None:
    """It waits behind that royal when the malfunction before both becomes known."""
    floor = Floor()
    floor.bets("s1")
    floor.bets("s2")
    floor.wait(1)
    observed, value = floor.now, floor.value
    earlier = floor.now + SECOND // 10
    floor.wait(1)
    (result,) = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}).results
    floor.hands("s2", {1: ROYAL["s"]}, dealt=earlier)
    royal, straight_flush = floor.line
    assert straight_flush == result.win
    floor.approve(royal)
    assert floor.paid_for(royal) == value
    floor.malfunction("s1", seen={"s1": True}, observed_at=observed)
    (claim,) = floor.link.claims.values()
    assert (claim.hand, claim.reason) == (Hand.STRAIGHT_FLUSH, ClaimReason.BEFORE_PAID_ROYAL)
    assert (floor.line, floor.link.held) == ([], False)
    assert claim.registered == value // 10, "of the reading that the malfunction falls back to"
