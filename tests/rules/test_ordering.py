"""Intervals, certain order, clusters and the line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from jackpot.ordering import (
    certainly_before,
    clockwise,
    contradicted,
    deal_interval,
    fitted,
    house_time,
    line,
    proposed_before,
)
from jackpot.wins import Clock, DealEvidence, Decision, Interval


@dataclass(frozen=True)
class Dealt:
    table: str
    round: int
    box: int
    interval: Interval


def dealt(table: str, start: int, end: int, *, round: int = 1, box: int = 1) -> Dealt:
    return Dealt(table, round, box, Interval(start=start, end=end))


def decided(*wins: str) -> Decision:
    return Decision(wins=wins, person="sue", reason="camera", sequence=1)


def evidence(**changes: object) -> DealEvidence:
    known: dict[str, object] = {
        "dealt_at": 100,
        "sent_at": 200,
        "received_at": 210,
        "closed_from": 50,
        "offset": 0,
        "error": 10,
        "suspect": False,
    }
    return DealEvidence(**(known | changes))  # type: ignore[arg-type]


def test_a_stamp_is_known_to_its_error() -> None:
    assert deal_interval(evidence()) == Interval(start=90, end=110)
    assert deal_interval(evidence(offset=7)) == Interval(start=97, end=117)


def test_an_interval_is_cut_to_what_is_possible() -> None:
    assert deal_interval(evidence(error=60)) == Interval(start=50, end=160)
    assert deal_interval(evidence(error=500)) == Interval(start=50, end=210)


def test_an_unknown_or_impossible_stamp_leaves_all_that_is_possible() -> None:
    possible = Interval(start=50, end=210)
    assert deal_interval(evidence(dealt_at=None)) == possible
    assert deal_interval(evidence(suspect=True)) == possible
    assert deal_interval(evidence(offset=5000)) == possible
    assert deal_interval(evidence(closed_from=999, dealt_at=None)) == Interval(start=210, end=210)


def test_the_error_of_a_clock_grows_by_200_parts_per_million_and_is_rounded_up() -> None:
    clock = Clock(offset=5, error=1000, measured_at=0)
    assert house_time(10_000_000 - 5, clock) == (10_000_000, 1000 + 2000)
    assert house_time(1 - 5, clock) == (1, 1001)
    assert house_time(10**15, Clock(offset=5, error=1000, measured_at=None)) == (10**15 + 5, 1000)


def test_intervals_that_touch_do_not_tell_which_was_first() -> None:
    assert certainly_before(dealt("a", 0, 9), dealt("b", 10, 20))
    assert not certainly_before(dealt("a", 0, 10), dealt("b", 10, 20))
    assert not certainly_before(dealt("b", 10, 20), dealt("a", 0, 10))


def test_at_one_table_the_deal_is_the_order_whatever_the_stamps() -> None:
    assert certainly_before(dealt("a", 0, 10, box=1), dealt("a", 0, 10, box=2))
    assert certainly_before(dealt("a", 5, 10, round=3, box=7), dealt("a", 5, 10, round=4, box=1))
    assert not certainly_before(dealt("a", 0, 1, round=4), dealt("a", 5, 10, round=3))


def test_the_proposal_goes_by_the_middle_and_then_by_the_table() -> None:
    assert proposed_before(dealt("b", 0, 10), dealt("a", 4, 8))
    assert proposed_before(dealt("a", 0, 10), dealt("b", 4, 6))
    assert not proposed_before(dealt("b", 0, 10), dealt("a", 4, 6))


def test_stamps_that_deny_the_clockwise_deal_are_widened() -> None:
    stamps = [Interval(start=10, end=20), Interval(start=0, end=5), Interval(start=30, end=40)]
    assert clockwise(stamps) == [
        Interval(start=0, end=20),
        Interval(start=0, end=20),
        Interval(start=30, end=40),
    ]


def test_a_deal_agrees_with_what_its_table_has_in_line() -> None:
    before, after = dealt("a", 10, 20, box=1), dealt("a", 30, 40, box=5)
    assert fitted(Interval(start=0, end=5), (1, 3), [before]) == Interval(start=10, end=10)
    assert fitted(Interval(start=35, end=50), (1, 3), [after]) == Interval(start=30, end=50)
    assert fitted(Interval(start=15, end=18), (1, 3), [before, after]) == Interval(start=15, end=18)


def test_a_chain_of_overlaps_is_one_cluster_with_one_certain_pair() -> None:
    wins = {"A": dealt("a", 0, 10), "B": dealt("b", 8, 18), "C": dealt("c", 16, 26)}
    (cluster,) = line(wins.items(), [])
    assert (cluster.wins, cluster.end, cluster.decided) == (("A", "B", "C"), 26, False)
    allowed = [order for order in permutations("ABC") if contradicted(order, wins.items()) is None]
    assert allowed == [("A", "B", "C"), ("A", "C", "B"), ("B", "A", "C")]


def test_a_decision_holds_for_what_is_left_and_lapses_when_another_joins() -> None:
    wins = {"A": dealt("a", 0, 10), "B": dealt("b", 8, 18), "C": dealt("c", 16, 26)}
    decisions = [decided("B", "A", "C")]
    assert line(wins.items(), decisions)[0].wins == ("B", "A", "C")
    left = {"A": wins["A"], "C": wins["C"]}
    assert [cluster.wins for cluster in line(left.items(), decisions)] == [("A",), ("C",)]
    joined = wins | {"D": dealt("d", 5, 9)}
    (cluster,) = line(joined.items(), decisions)
    assert not cluster.decided


def test_a_wins_place_can_be_certain_by_way_of_another() -> None:
    """T2 is after T1 at its table and before X, so T1 is before X although their intervals overlap."""
    wins = {
        "T1": dealt("t", 0, 20, box=1),
        "T2": dealt("t", 5, 8, box=2),
        "X": dealt("x", 10, 30),
    }
    assert [cluster.wins for cluster in line(wins.items(), [])] == [("T1",), ("T2",), ("X",)]


Placed = st.tuples(
    st.sampled_from("abc"), st.integers(1, 3), st.integers(1, 3), st.integers(0, 40), st.integers(0, 15)
)


@given(st.lists(Placed, max_size=7, unique_by=lambda one: one[:3]))
def test_the_line_keeps_every_certain_pair_and_clusters_never_interleave(
    placed: list[tuple[str, int, int, int, int]],
) -> None:
    wins: dict[str, Dealt] = {}
    for table, number, box, start, width in sorted(placed):
        others = [one for one in wins.values() if one.table == table]
        interval = fitted(Interval(start=start, end=start + width), (number, box), others)
        wins[f"{table}{number}{box}"] = Dealt(table, number, box, interval)
    clusters = line(wins.items(), [])
    order = [win for cluster in clusters for win in cluster.wins]
    assert sorted(order) == sorted(wins)
    for one, other in combinations(order, 2):
        assert not certainly_before(wins[other], wins[one])
    for earlier, later in combinations(clusters, 2):
        assert all(_certain(wins, one, other) for one in earlier.wins for other in later.wins)


def _certain(wins: dict[str, Dealt], one: str, other: str) -> bool:
    """Before it, directly or by way of others."""
    reached, left = {one}, [one]
    while left:
        here = left.pop()
        for win in set(wins) - reached:
            if certainly_before(wins[here], wins[win]):
                reached.add(win)
                left.append(win)
    return other in reached
