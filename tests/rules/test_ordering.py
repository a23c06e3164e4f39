"""Intervals, certain order, clusters and the line."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations, permutations

from hypothesis import given
from hypothesis import strategies as st

from jackpot.link.clocks import Offset
from jackpot.link.parameters import Basis
from jackpot.link.wins import DealEvidence, Decision, Interval
from jackpot.pools.order import (
    Cluster,
    Deal,
    basis_of,
    certainly_before,
    clockwise,
    contradicted,
    fitted,
    line,
    proposed_before,
    stamped_interval,
    witnessed_interval,
)


def dealt(table: str, start: int, end: int, *, round: int = 1, box: int = 1) -> Deal:
    return Deal("", table, round, box, Interval(start=start, end=end))


@dataclass(frozen=True)
class Major:
    """A hand with what was witnessed of its deal and what was stamped."""

    table: str
    interval: Interval
    witnessed: Interval
    round: int = 1
    box: int = 1


def major(one: Deal) -> Major:
    """Nothing was stamped."""
    return Major(one.table, one.interval, one.interval, one.round, one.box)


def in_line(wins: dict[str, Deal], *decisions: Decision) -> tuple[Cluster, ...]:
    return line([(win, major(one)) for win, one in wins.items()], decisions, Basis.STAMPED)


def decided(*wins: str) -> Decision:
    return Decision(wins=wins, person="sue", reason="camera", sequence=1)


def evidence(**changes: object) -> DealEvidence:
    known: dict[str, object] = {
        "dealt_at": 100,
        "sent_at": 200,
        "received_at": 200,
        "error": 10,
        "offset": Offset(least=-10, most=10),
        "live": True,
        "spooled": False,
    }
    return DealEvidence(**(known | changes))  # type: ignore[arg-type]


def stamped(**changes: object) -> Interval | None:
    found = evidence(**changes)
    return stamped_interval(found, witnessed_interval(found, dealt_from=50))


WITNESSED = Interval(start=50, end=210)


def test_a_hand_was_dealt_after_its_bets_were_journalled_and_before_it_was_received() -> None:
    assert witnessed_interval(evidence(), dealt_from=50) == WITNESSED
    assert witnessed_interval(evidence(), dealt_from=300) == Interval(start=300, end=300)


def test_a_stamp_is_known_as_well_as_its_clock_was_measured() -> None:
    assert stamped() == Interval(start=90, end=110)
    assert stamped(offset=Offset(least=-3, most=17)) == Interval(start=97, end=117)


def test_a_stamp_never_reaches_beyond_what_was_witnessed() -> None:
    assert stamped(offset=Offset(least=-60, most=60)) == Interval(start=50, end=160)
    assert stamped(offset=Offset(least=-500, most=500)) == WITNESSED


def test_a_stamp_that_is_missing_or_of_no_live_message_says_nothing() -> None:
    assert stamped(dealt_at=None) == WITNESSED
    assert stamped(live=False) == WITNESSED


def test_without_an_echo_a_stamp_limits_only_the_end() -> None:
    assert stamped(offset=Offset(most=10)) == Interval(start=50, end=110)


def test_a_stamp_wholly_outside_is_left_aside() -> None:
    assert stamped(offset=Offset(least=5000, most=5010)) is None
    assert stamped(offset=Offset(least=-5010, most=-5000)) is None
    assert stamped(offset=Offset(most=-5000)) is None


def test_what_a_place_rests_on() -> None:
    first = Major("a", Interval(start=10, end=12), Interval(start=0, end=20))
    second = Major("b", Interval(start=15, end=17), Interval(start=14, end=40))
    later = Major("c", Interval(start=50, end=51), Interval(start=45, end=60))
    assert basis_of(first, [second, later]) is Basis.STAMPED
    assert basis_of(later, [first, second]) is Basis.WITNESSED
    assert basis_of(first, []) is Basis.WITNESSED


def test_where_only_what_was_witnessed_counts_no_stamp_decides() -> None:
    wins = {
        "A": Major("a", Interval(start=10, end=12), Interval(start=0, end=20)),
        "B": Major("b", Interval(start=15, end=17), Interval(start=14, end=40)),
    }
    assert [one.wins for one in line(wins.items(), (), Basis.STAMPED)] == [("A",), ("B",)]
    (cluster,) = line(wins.items(), (), Basis.WITNESSED)
    assert (cluster.wins, cluster.end, cluster.decided) == (("A", "B"), 40, False)
    assert contradicted(("B", "A"), wins.items(), Basis.STAMPED) == ("B", "A")
    assert contradicted(("B", "A"), wins.items(), Basis.WITNESSED) is None


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
    assert fitted(Interval(start=0, end=5), (1, 3), [major(before)]) == Interval(start=10, end=10)
    assert fitted(Interval(start=35, end=50), (1, 3), [major(after)]) == Interval(start=30, end=50)
    assert fitted(Interval(start=15, end=18), (1, 3), [major(before), major(after)]) == Interval(
        start=15, end=18
    )


def test_a_chain_of_overlaps_is_one_cluster_with_one_certain_pair() -> None:
    wins = {"A": dealt("a", 0, 10), "B": dealt("b", 8, 18), "C": dealt("c", 16, 26)}
    (cluster,) = in_line(wins)
    assert (cluster.wins, cluster.end, cluster.decided) == (("A", "B", "C"), 26, False)
    allowed = [order for order in permutations("ABC") if _possible(order, wins)]
    assert allowed == [("A", "B", "C"), ("A", "C", "B"), ("B", "A", "C")]


def _possible(order: tuple[str, ...], wins: dict[str, Deal]) -> bool:
    majors = [(win, major(one)) for win, one in wins.items()]
    return contradicted(order, majors, Basis.STAMPED) is None


def test_a_decision_holds_for_what_is_left_and_lapses_when_another_joins() -> None:
    wins = {"A": dealt("a", 0, 10), "B": dealt("b", 8, 18), "C": dealt("c", 16, 26)}
    decisions = [decided("B", "A", "C")]
    assert in_line(wins, *decisions)[0].wins == ("B", "A", "C")
    left = {"A": wins["A"], "C": wins["C"]}
    assert [cluster.wins for cluster in in_line(left, *decisions)] == [("A",), ("C",)]
    joined = wins | {"D": dealt("d", 5, 9)}
    (cluster,) = in_line(joined, *decisions)
    assert not cluster.decided


def test_a_wins_place_can_be_certain_by_way_of_another() -> None:
    """T2 is after T1 at its table and before X, so T1 is before X although their intervals overlap."""
    wins = {
        "T1": dealt("t", 0, 20, box=1),
        "T2": dealt("t", 5, 8, box=2),
        "X": dealt("x", 10, 30),
    }
    assert [cluster.wins for cluster in in_line(wins)] == [("T1",), ("T2",), ("X",)]


Placed = st.tuples(
    st.sampled_from("abc"), st.integers(1, 3), st.integers(1, 3), st.integers(0, 40), st.integers(0, 15)
)


@given(st.lists(Placed, max_size=7, unique_by=lambda one: one[:3]))
def test_the_line_keeps_every_certain_pair_and_clusters_never_interleave(
    placed: list[tuple[str, int, int, int, int]],
) -> None:
    wins: dict[str, Deal] = {}
    for table, number, box, start, width in sorted(placed):
        others = [major(one) for one in wins.values() if one.table == table]
        interval = fitted(Interval(start=start, end=start + width), (number, box), others)
        wins[f"{table}{number}{box}"] = Deal("", table, number, box, interval)
    clusters = in_line(wins)
    order = [win for cluster in clusters for win in cluster.wins]
    assert sorted(order) == sorted(wins)
    for one, other in combinations(order, 2):
        assert not certainly_before(wins[other], wins[one])
    for earlier, later in combinations(clusters, 2):
        assert all(_certain(wins, one, other) for one in earlier.wins for other in later.wins)


def _certain(wins: dict[str, Deal], one: str, other: str) -> bool:
    """Before it, directly or by way of others."""
    reached, left = {one}, [one]
    while left:
        here = left.pop()
        for win in set(wins) - reached:
            if certainly_before(wins[here], wins[win]):
                reached.add(win)
                left.append(win)
    return other in reached
