"""A table that says itself that it is broken wins nothing from a reading that a royal flush has emptied."""

from __future__ import annotations

from jackpot.commands import DeclareMalfunction
from jackpot.facts import ClaimRaised
from jackpot.instants import SECOND
from jackpot.state import Scope, Then
from jackpot.wins import ClaimReason
from tests.floor import ROYAL, STRAIGHT_FLUSH, Floor


def broken(floor: Floor) -> None:
    """s1 says that it is out of order with its cards seen, while the meter is high."""
    floor.raise_to(1_000_000_00)
    broken_now(floor)


def broken_now(floor: Floor) -> None:
    floor.bets("s1")
    floor.wait(1)
    floor.act(
        DeclareMalfunction(
            person="s1",
            by_table="s1",
            scope=Scope(table="s1"),
            observed_at=floor.now,
            cards_seen={"s1": True},
            then=Then.PROGRESSIVE_OFF,
        )
    )


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
    (claim,) = floor.facts(ClaimRaised)
    assert claim.reason is ClaimReason.BEFORE_PAID_ROYAL
    assert not floor.line


def test_what_the_house_itself_declared_is_paid_as_registered_by_two_people() -> None:
    floor = Floor()
    floor.raise_to(1_000_000_00)
    floor.bets("s1")
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    another_royal(floor)
    (result,) = floor.hands("s1", {1: ROYAL["h"]}).results
    assert result.win is not None
    floor.approve(result.win, "ana")
    assert result.win in floor.link.queue
    floor.approve(result.win, "ben")
    assert floor.paid_for(result.win) > 1_000_000_00


def test_a_royal_that_was_pending_at_the_reading_is_known_to_it() -> None:
    floor = Floor()
    floor.raise_to(1_000_000_00)
    royal = floor.wins_major("s2", ROYAL["s"])
    broken_now(floor)
    floor.approve(royal)
    assert floor.paid_for(royal) > 1_000_000_00
    (result,) = floor.hands("s1", {1: ROYAL["h"]}).results
    assert result.win is not None
    floor.approve(result.win)
    assert floor.paid_for(result.win) < 51_000_00
