"""What the House learns of a table's clock from receipts and echoes."""

from __future__ import annotations

from random import Random

from hypothesis import given
from hypothesis import strategies as st

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.link.clocks import (
    BOUNDS_KEPT,
    COUNTS_FOR,
    LOOSENS_PPM,
    Bound,
    Bounds,
    Echo,
    Measured,
    Offset,
    Told,
    echoed,
    measured,
)

ANSWER = Told(replied_at=1_000, error=5, sequence=7, era=0)


def heard(known: Bounds, *, sent_at: int, received_at: int, error: int = 0) -> Measured:
    known = known.since(received_at - COUNTS_FOR)
    return measured(known, sent_at=sent_at, received_at=received_at, error=error, echoed=None)


def test_a_message_was_sent_before_it_was_received() -> None:
    found = heard(Bounds(), sent_at=1_000, received_at=1_300, error=20)
    assert found.bounds.offset(1_300) == Offset(least=None, most=320)


def test_an_answer_was_heard_after_it_was_given() -> None:
    echo = Echo(replied_at=1_000, heard_at=1_400)
    found = measured(Bounds(), sent_at=1_500, received_at=1_600, error=0, echoed=(echo, ANSWER))
    assert found.bounds.offset(1_000).least == 1_000 - 5 - 1_400
    assert not found.contradiction


def test_a_bound_loosens_with_its_age_on_either_side() -> None:
    found = heard(Bounds(), sent_at=0, received_at=10)
    assert found.bounds.offset(10 + SECOND).most == 10 + LOOSENS_PPM
    assert found.bounds.offset(10 - SECOND).most == 10 + LOOSENS_PPM
    assert found.bounds.offset(11).most == 11, "rounded so that it is never too tight"


def test_the_tightest_bound_of_the_last_minute_counts() -> None:
    quick = heard(Bounds(), sent_at=0, received_at=MILLISECOND)
    slow = heard(quick.bounds, sent_at=SECOND, received_at=SECOND + 300 * MILLISECOND)
    most = slow.bounds.offset(SECOND + 300 * MILLISECOND).most
    assert most is not None
    assert MILLISECOND < most < 4 * MILLISECOND
    later = heard(slow.bounds, sent_at=COUNTS_FOR, received_at=COUNTS_FOR + 500 * MILLISECOND)
    assert later.bounds.most[0].at == SECOND + 300 * MILLISECOND, "the quick one is older than a minute"


def test_bounds_that_contradict_each_other_leave_only_the_newest() -> None:
    """The clock was set back by five seconds, then forward again."""
    before = heard(Bounds(), sent_at=10 * SECOND, received_at=10 * SECOND).bounds
    echo = Echo(replied_at=11 * SECOND, heard_at=6 * SECOND)
    answer = Told(replied_at=11 * SECOND, error=0, sequence=1, era=0)
    back = measured(before, sent_at=7 * SECOND, received_at=12 * SECOND, error=0, echoed=(echo, answer))
    assert back.contradiction
    offset = back.bounds.offset(12 * SECOND)
    assert offset.most == 5 * SECOND
    assert offset.least is not None
    assert 5 * SECOND - 2 * MILLISECOND < offset.least <= 5 * SECOND
    forward = heard(back.bounds, sent_at=13 * SECOND, received_at=13 * SECOND)
    assert forward.contradiction
    assert forward.bounds.offset(13 * SECOND) == Offset(least=None, most=0)


def test_of_two_offsets_the_looser_counts_also_where_it_is_nothing() -> None:
    assert Offset(least=2, most=-5).or_looser(Offset(least=0, most=0)) == Offset(least=0, most=0)
    assert Offset(least=-7, most=9).or_looser(Offset(least=0, most=0)) == Offset(least=-7, most=9)
    assert Offset(least=0, most=0).or_looser(Offset(most=3)) == Offset(least=None, most=3)


def test_a_message_that_contradicts_itself_leaves_its_echo_aside() -> None:
    """More time passed by the table between echo and message than by the House."""
    echo = Echo(replied_at=1_000, heard_at=0)
    found = measured(Bounds(), sent_at=5 * SECOND, received_at=SECOND, error=0, echoed=(echo, ANSWER))
    assert found.contradiction
    assert found.bounds.offset(SECOND) == Offset(least=None, most=-4 * SECOND)


def test_an_echo_counts_only_of_what_was_said_to_this_table() -> None:
    echo = Echo(replied_at=1_000, heard_at=1_400)

    def counts(told: Told = ANSWER, *, sent_at: int = 1_500, received_at: int = 1_600, era: int = 0) -> bool:
        return echoed(echo, [told], sent_at=sent_at, received_at=received_at, era=era) is not None

    assert counts()
    assert not counts(Told(replied_at=1_001, error=5, sequence=7, era=0)), "never said"
    assert not counts(sent_at=1_399), "heard after it was sent"
    assert not counts(era=900), "said before house time broke"
    assert not counts(received_at=COUNTS_FOR + 1_001), "older than a minute"
    assert echoed(None, [ANSWER], sent_at=1_500, received_at=1_600, era=0) is None


@given(
    seed=st.integers(0, 10**6),
    skew=st.integers(-3600 * SECOND, 3600 * SECOND),
    drift=st.integers(-500, 500),
)
def test_an_honest_clock_is_never_outside_its_bounds(seed: int, skew: int, drift: int) -> None:
    """Whatever the network does: within 1,500 parts per million no bound is ever wrong or contradictory."""
    rng = Random(seed)
    now, bounds, echo = 10**15, Bounds(), None

    def shows(moment: int) -> int:
        return moment - skew + (moment - 10**15) * drift // 1_000_000

    for _ in range(40):
        sent = now + rng.randrange(20 * SECOND)
        received = sent + rng.randrange(1, rng.choice((10, 2_000)) * MILLISECOND)
        found = measured(bounds, sent_at=shows(sent), received_at=received, error=0, echoed=echo)
        assert not found.contradiction
        bounds = found.bounds
        offset = bounds.offset(received)
        assert offset.most is not None
        assert received - shows(received) <= offset.most
        assert offset.least is None or offset.least <= received - shows(received)
        assert len(bounds.most) <= BOUNDS_KEPT >= len(bounds.least)
        now = received + rng.randrange(1, 2_000 * MILLISECOND)
        answer = Told(replied_at=received, error=0, sequence=1, era=0)
        echo = (Echo(replied_at=received, heard_at=shows(now)), answer)


def test_bounds_that_a_later_one_makes_useless_are_not_kept() -> None:
    def told(replied_at: int, heard_at: int) -> tuple[Echo, Told]:
        echo = Echo(replied_at=replied_at, heard_at=heard_at)
        return echo, Told(replied_at=replied_at, error=0, sequence=1, era=0)

    loose = measured(Bounds(), sent_at=-100, received_at=0, error=0, echoed=told(0, 100))
    assert loose.bounds == Bounds(most=(Bound(at=0, limit=100),), least=(Bound(at=0, limit=-100),))
    tight = measured(loose.bounds, sent_at=-49, received_at=1, error=0, echoed=told(1, 51))
    assert tight.bounds == Bounds(most=(Bound(at=1, limit=50),), least=(Bound(at=1, limit=-50),))
