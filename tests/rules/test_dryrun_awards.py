"""A dry run under other levels and policies: what each win would have been paid."""

from __future__ import annotations

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND
from jackpot.core.money import Account, to_units
from jackpot.dryrun.findings import Findings
from jackpot.games.progressive import Prize
from jackpot.link.awards import RULE_BOOK, Policy
from jackpot.link.parameters import Changes
from tests.floor import FLUSH, NOTHING, ROYAL, STRAIGHT, STRAIGHT_FLUSH, Floor
from tests.replayed import dry_run


def played(floor: Floor, overrides: Changes) -> Findings:
    return dry_run(floor.book.entries, overrides, checked=True)


def amounts(found: Findings) -> dict[str, tuple[int, int]]:
    """By win: what it was paid then, and would have been so; 0 for nothing."""
    return {
        one.win: (one.then.amount if one.then else 0, one.so.amount if one.so else 0)
        for one in found.payments
    }


def levels(**prizes: Prize) -> Changes:
    return Changes(levels=dict(RULE_BOOK.levels) | {Hand(hand): prize for hand, prize in prizes.items()})


def two_royals(floor: Floor) -> tuple[str, str, str]:
    """Two royal flushes in one cluster at 80,000.00, and then a straight flush."""
    floor.raise_to(80_000_00)
    floor.bets("s1")
    floor.bets("s2")
    floor.wait(1)
    first = floor.hands("s1", {1: ROYAL["c"]}, dealt=None).results[0].win
    second = floor.hands("s2", {1: ROYAL["d"]}, dealt=None).results[0].win
    floor.wait(5)
    later = floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    assert first is not None
    assert second is not None
    floor.decide(first, second)
    floor.approve(first)
    floor.approve(second)
    floor.approve(later)
    return first, second, later


def test_two_royals_at_once_would_have_shared_or_been_paid_in_full() -> None:
    floor = Floor(meter_ppm=0, reserve_ppm=0)
    first, second, later = two_royals(floor)
    assert amounts(played(floor, Changes())) == {
        first: (80_000_00, 80_000_00),
        second: (50_000_00, 50_000_00),
        later: (5_000_00, 5_000_00),
    }
    split = played(floor, Changes(policy=Policy.SPLIT))
    assert amounts(split) == {
        first: (80_000_00, 40_000_00),
        second: (50_000_00, 40_000_00),
        later: (5_000_00, 5_000_00),
    }
    assert (split.then.resets, split.so.resets) == (2, 1)
    full = played(floor, Changes(policy=Policy.FULL_EACH))
    assert amounts(full)[first][1] == amounts(full)[second][1] == 80_000_00
    assert full.so.ended[Account.HOUSE] == full.then.ended[Account.HOUSE] - to_units(30_000_00)


def test_a_straight_flush_at_odds_is_no_win_in_line() -> None:
    floor = Floor()
    win = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.bets("s2")
    floor.approve(win)
    found = played(floor, levels(straight_flush=Prize(odds=2_000)))
    assert amounts(found) == {win: (5_000_20, 0)}
    assert found.so.minors == 10_000_00
    assert found.then.minors == 0
    assert any("none under the other levels" in note for note in found.notes)


def test_a_flush_with_a_share_is_a_win_in_line_paid_at_once() -> None:
    floor = Floor(meter_ppm=0)
    floor.bets("s1", [1, 2])
    floor.wait(1)
    floor.hands("s1", {1: FLUSH, 2: NOTHING}, final=True)
    found = played(floor, levels(flush=Prize(share=2)))
    assert amounts(found) == {"s1.1.1.0": (0, 1_000_00)}
    assert (found.then.minors, found.so.minors) == (200_00, 0)
    assert found.payments[0].hand is Hand.FLUSH
    assert any("exist only under the other levels" in note for note in found.notes)


def test_a_win_of_other_levels_waits_for_rounds_that_can_bring_an_earlier_one() -> None:
    floor = Floor(meter_ppm=0)
    floor.bets("s1")
    floor.bets("s2")
    floor.wait(1)
    floor.hands("s1", {1: FLUSH}, final=True)
    floor.wait(9)
    closing = floor.now
    floor.hands("s2", {1: NOTHING}, final=True)
    (paid,) = played(floor, levels(flush=Prize(share=2))).payments
    assert paid.so is not None
    assert paid.so.at >= closing


def test_a_corrected_hand_takes_the_win_of_other_levels_with_it() -> None:
    floor = Floor(meter_ppm=0)
    floor.bets("s1")
    floor.bets("s2")  # open: nothing is paid yet
    floor.wait(1)
    floor.hands("s1", {1: FLUSH})
    floor.hands("s1", {1: STRAIGHT})
    floor.hands("s1", {1: NOTHING}, final=True)
    found = played(floor, levels(flush=Prize(share=2), straight=Prize(share=1)))
    assert found.payments == ()
    assert found.so.waiting == ()


def test_a_voided_round_takes_the_win_of_other_levels_with_it() -> None:
    floor = Floor()
    floor.bets("s1")
    floor.bets("s2")
    floor.wait(1)
    floor.hands("s1", {1: FLUSH})
    floor.void("s1")
    found = played(floor, levels(flush=Prize(share=2)))
    assert found.payments == ()
    assert found.so.ended[Account.PRIZES] == 0


def test_a_paid_win_of_other_levels_stands_whatever_is_reported_later() -> None:
    floor = Floor(meter_ppm=0)
    floor.bets("s1")
    floor.wait(1)
    floor.hands("s1", {1: FLUSH})  # nobody else plays: paid at once
    floor.wait(1)
    floor.hands("s1", {1: STRAIGHT}, final=True)
    found = played(floor, levels(flush=Prize(share=2)))
    assert amounts(found) == {"s1.1.1.0": (0, 1_000_00)}
    assert found.so.minors == 0


def test_the_cap_is_shared_by_the_minors_of_a_round() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.wait(1)
    floor.hands("s1", {1: FLUSH, 2: "5s 4d 3c 2s As"}, final=True)
    found = played(floor, Changes(cap=150_00))
    assert (found.then.minors, found.so.minors) == (300_00, 150_00)


def test_a_window_brings_wins_together() -> None:
    floor = Floor(meter_ppm=0, reserve_ppm=0)
    floor.raise_to(80_000_00)
    first = floor.wins_major("s1", ROYAL["c"])
    floor.wait(2)
    second = floor.wins_major("s2", ROYAL["d"])
    floor.wait(30)
    floor.beat("s1")
    floor.approve(first)
    floor.approve(second)
    apart = played(floor, Changes(policy=Policy.SPLIT))
    assert amounts(apart)[second] == (50_000_00, 50_000_00)
    near = played(floor, Changes(policy=Policy.SPLIT, window=20 * SECOND))
    assert amounts(near) == {first: (80_000_00, 40_000_00), second: (50_000_00, 40_000_00)}
