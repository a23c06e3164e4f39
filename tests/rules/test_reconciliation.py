"""Meters that table controllers keep, beside the House's own: what counts, where they begin to differ, and
how that is settled."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.refusals import (
    DifferenceIsMended,
    DifferenceUnknown,
    MetersAhead,
    MetersWrong,
    ReasonMissing,
    Refused,
    RoundUnknown,
)
from jackpot.link import facts
from jackpot.link.commands import Heartbeat, MendMeters
from jackpot.link.meters import Meters, MetersTold
from jackpot.link.state import Contact, TableOfPlay
from jackpot.machine.auditing import audit
from jackpot.machine.kind import Denied
from jackpot.play import beats
from jackpot.play.reconciliation import LARGEST_METER
from jackpot.readings.alerts import alerts
from jackpot.readings.comparison import MetersState, comparison
from tests.floor import FLUSH, NOTHING, ROYAL, STRAIGHT_FLUSH, Floor
from tests.pit_floor import PitFloor


@pytest.fixture
def floor() -> Floor:
    return Floor()


def lost(floor: Floor, table: str = "s1") -> None:
    """A round of one bet that wins nothing."""
    floor.bets(table, [1])
    floor.wait(1)
    floor.hands(table, {1: NOTHING}, final=True)
    floor.wait(1)


def of(table: TableOfPlay) -> Meters:
    return table.meters


def tell(floor: Floor, meters: Meters, *, round: int, first: int | None = 1, table: str = "s1") -> None:
    floor.beat(table, meters=MetersTold(round=round, first=first, meters=meters))
    floor.wait(1)


def agree(floor: Floor, table: str = "s1", **more: int) -> None:
    """What the House has counted too, but for what is named."""
    found = floor.link.tables[table]
    meters = replace(found.meters, **{name: getattr(found.meters, name) + by for name, by in more.items()})
    tell(floor, meters, round=found.counted[-1].round, table=table)


def differences(floor: Floor) -> list[Any]:
    return floor.facts(facts.MetersDiffered)


def alerted(floor: Floor) -> list[tuple[str | None, str | None]]:
    found = alerts(floor.link, now=floor.now)
    return [(one.table, one.detail) for one in found if one.code == "meters_differ"]


# What is counted


def test_a_round_counts_once_it_is_over(floor: Floor) -> None:
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: NOTHING})
    assert of(floor.link.tables["s1"]) == Meters()
    floor.hands("s1", {1: NOTHING, 2: None}, final=True)
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=1000)


def test_the_next_bets_end_a_round_too(floor: Floor) -> None:
    floor.bets("s1", [1])
    floor.bets("s1", [1])
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=500)


def test_what_goes_back_with_the_bets_counts_nowhere(floor: Floor) -> None:
    """The excess over the prescribed amount (5.1), and a bet without an Ante (5.4)."""
    floor.bets("s1", {1: 700, 2: 500}, ante={1: 2500})
    floor.hands("s1", {1: NOTHING}, final=True)
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=500)


def test_an_invalidated_box_counts_as_returned_and_a_minor_as_awarded(floor: Floor) -> None:
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: ("5.15",), 2: FLUSH}, final=True)
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=1000, returned=500, awards=40 * 500)


def test_a_correction_counts_as_it_was_last_told(floor: Floor) -> None:
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: ("5.15",), 2: FLUSH})
    floor.wait(1)
    floor.hands("s1", {1: "9c 9d Kh 7s 2d", 2: NOTHING}, final=True)
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=1000)


def test_of_a_void_only_the_round_counts(floor: Floor) -> None:
    floor.bets("s1", [1])
    floor.hands("s1", {1: FLUSH})
    floor.void("s1")
    assert of(floor.link.tables["s1"]) == Meters(rounds=1)


def test_majors_are_no_awards_of_the_table(floor: Floor) -> None:
    floor.wins_major("s1", STRAIGHT_FLUSH["h"], final=True)
    assert of(floor.link.tables["s1"]) == Meters(rounds=1, bets=500)


def test_what_the_house_declares_of_a_settled_round_counts_nowhere(floor: Floor) -> None:
    """S 5.15, noticed after the settlement: the table's controller has told its meters already."""
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: FLUSH, 2: NOTHING}, final=True)
    before = of(floor.link.tables["s1"])
    floor.irregularity("s1", "5.15", boxes=(1,), reconstructed=False)
    lost(floor)
    assert of(floor.link.tables["s1"]) == replace(before, rounds=2, bets=before.bets + 500)


def test_in_a_pit_every_wager_counts() -> None:
    floor = PitFloor()
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500, "player_pair": 500}, {"box": 2, "bet": 1000}]})
    hands = [{"box": 1, "cards": ["Th", "9c"]}, {"box": 2, "cards": ["Tc", "8c"]}]
    floor.hands("bj", {"hands": hands, "dealer": {"cards": ["Kd", "8h"]}})
    floor.hands("bj", {"final": True})
    assert of(floor.table("bj")) == Meters(rounds=1, bets=4000, awards=5000 + 1000)
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500}]})
    floor.void("bj", "5.5.1")
    assert of(floor.table("bj")) == Meters(rounds=2, bets=4000, awards=6000)
    floor.audited()


# What a controller tells


def test_a_controller_that_tells_nothing_raises_no_alert(floor: Floor) -> None:
    for _ in range(6):
        lost(floor)
    found = comparison(floor.link.tables["s1"])
    assert (found.state, found.round, found.told) == (MetersState.TELLS_NONE, 6, None)
    assert alerted(floor) == []


def test_meters_that_agree_write_nothing_but_where_they_begin(floor: Floor) -> None:
    for _ in range(3):
        lost(floor)
        agree(floor)
    assert (len(floor.facts(facts.MetersBegun)), differences(floor)) == (1, [])
    found = comparison(floor.link.tables["s1"])
    assert (found.state, found.agreed, found.told) == (MetersState.AGREES, 3, Meters(rounds=3, bets=1500))


def test_a_difference_names_the_round_in_which_it_began(floor: Floor) -> None:
    for _ in range(3):
        lost(floor)
        agree(floor)
    lost(floor)
    agree(floor, bets=-500)
    (found,) = differences(floor)
    assert (found.after, found.round, found.rounds) == (3, 4, (4,))
    assert found.told.less(found.house) == Meters(bets=-500)
    assert alerted(floor) == [("s1", "It began in round 4")]


def test_it_names_all_the_rounds_that_nobody_has_told_since(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    for _ in range(3):
        lost(floor)
    agree(floor, awards=1)
    assert differences(floor)[0].rounds == (2, 3, 4)
    assert alerted(floor) == [("s1", "It began in rounds 2 to 4")]


def test_a_difference_is_one_fact_however_often_it_is_told(floor: Floor) -> None:
    lost(floor)
    for _ in range(3):
        agree(floor, returned=500)
    lost(floor)
    agree(floor, returned=500)
    agree(floor)
    assert len(differences(floor)) == 1
    assert comparison(floor.link.tables["s1"]).state is MetersState.DIFFERS


def test_other_meters_of_a_round_that_had_agreed_began_to_differ_there(floor: Floor) -> None:
    lost(floor)
    lost(floor)
    agree(floor)
    agree(floor, bets=1)
    assert (differences(floor)[0].after, differences(floor)[0].rounds) == (1, (2,))


def test_a_settled_difference_is_the_new_beginning(floor: Floor) -> None:
    lost(floor)
    agree(floor, bets=100)
    (found,) = differences(floor)
    lost(floor)
    agree(floor, bets=100)
    floor.act(MendMeters(person="sue", difference=found.difference, reason="a chip too many"))
    assert alerted(floor) == []
    agree(floor, bets=100)
    assert len(differences(floor)) == 1
    lost(floor)
    agree(floor)
    assert differences(floor)[1].rounds == (3,)


def test_settling_absorbs_nothing_that_went_wrong_later(floor: Floor) -> None:
    """What differs besides, in rounds after the one that was settled, is told with its own rounds."""
    lost(floor)
    agree(floor, bets=100)
    lost(floor)
    agree(floor, bets=100)
    lost(floor)
    agree(floor, bets=100, awards=7)
    (found,) = differences(floor)
    floor.act(MendMeters(person="sue", difference=found.difference, reason="a chip too many"))
    agree(floor, bets=100, awards=7)
    second = differences(floor)[1]
    assert (second.rounds, second.told.less(second.house)) == ((3,), Meters(awards=7))


def test_only_an_open_difference_can_be_settled_and_only_with_a_reason(floor: Floor) -> None:
    lost(floor)
    agree(floor, bets=1)
    found = differences(floor)[0].difference
    with pytest.raises(ReasonMissing):
        floor.act(MendMeters(person="sue", difference=found, reason=" "))
    floor.act(MendMeters(person="sue", difference=found, reason="seen"))
    with pytest.raises(DifferenceIsMended):
        floor.act(MendMeters(person="sue", difference=found, reason="seen"))
    for unknown in ("main.d1", "main.d999", "", "nonsense"):
        with pytest.raises(DifferenceUnknown):
            floor.act(MendMeters(person="sue", difference=unknown, reason="seen"))


# Beginning


def test_a_controller_may_begin_in_the_middle(floor: Floor) -> None:
    """It says since which round it counts: before that all its meters were zero."""
    for _ in range(3):
        lost(floor)
    tell(floor, Meters(rounds=1, bets=500), round=3, first=3)
    assert differences(floor) == []
    lost(floor)
    tell(floor, Meters(rounds=2, bets=499), round=4, first=3)
    assert differences(floor)[0].rounds == (4,)


def test_a_wrong_figure_is_found_the_first_time_it_is_told(floor: Floor) -> None:
    lost(floor)
    lost(floor)
    tell(floor, Meters(rounds=1, bets=501), round=2, first=2)
    assert differences(floor)[0].rounds == (2,)


def test_meters_that_do_not_say_since_when_are_compared_from_now_on(floor: Floor) -> None:
    """An older device, whose meters were never set to zero."""
    lost(floor)
    tell(floor, Meters(rounds=90_000, bets=777), round=1, first=None)
    assert differences(floor) == []
    lost(floor)
    tell(floor, Meters(rounds=90_001, bets=1277), round=2, first=None)
    assert differences(floor) == []
    lost(floor)
    tell(floor, Meters(rounds=90_002, bets=1277), round=3, first=None)
    assert differences(floor)[0].rounds == (3,)


def test_a_new_device_that_counts_from_the_next_round_is_no_difference(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    lost(floor)
    tell(floor, Meters(rounds=1, bets=500), round=2, first=2)
    assert differences(floor) == []
    assert len(floor.facts(facts.MetersBegun)) == 2


def test_rounds_that_were_told_by_neither_device_are_a_difference(floor: Floor) -> None:
    """To begin anew hides nothing: what the old device has counted since it last agreed is asked for."""
    lost(floor)
    agree(floor)
    lost(floor)
    lost(floor)
    tell(floor, Meters(rounds=1, bets=500), round=3, first=3)
    (found,) = differences(floor)
    assert (found.told, found.rounds) == (None, (2,))
    floor.act(MendMeters(person="sue", difference=found.difference, reason="disk broken, counted by hand"))
    lost(floor)
    tell(floor, Meters(rounds=2, bets=1000), round=4, first=3)
    assert len(differences(floor)) == 1


def test_a_beginning_does_not_settle_a_difference(floor: Floor) -> None:
    lost(floor)
    agree(floor, bets=100)
    lost(floor)
    tell(floor, Meters(rounds=1, bets=500), round=2, first=2)
    assert comparison(floor.link.tables["s1"]).state is MetersState.DIFFERS
    assert len(floor.facts(facts.MetersBegun)) == 1


def test_a_beginning_too_long_ago_is_a_beginning_now(floor: Floor) -> None:
    """The House remembers its meters after four rounds."""
    for _ in range(8):
        lost(floor)
    tell(floor, Meters(rounds=7, bets=1), round=8, first=2)
    assert differences(floor) == []
    assert floor.facts(facts.MetersBegun)[0].after == 8


def test_a_beginning_too_long_ago_hides_nothing_of_a_device_that_had_agreed(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    for _ in range(8):
        lost(floor)
    tell(floor, Meters(rounds=7, bets=1), round=9, first=3)
    (found,) = differences(floor)
    assert (found.after, found.round, found.rounds, found.told) == (1, 9, (6, 7, 8, 9), None)


# Late, repeated and hostile


def test_meters_of_a_round_that_is_long_over_are_not_compared(floor: Floor) -> None:
    """A message that was late says nothing new; the next one will."""
    lost(floor)
    agree(floor)
    for _ in range(5):
        lost(floor)
    tell(floor, Meters(rounds=1, bets=3), round=1)
    assert differences(floor) == []
    agree(floor)
    assert comparison(floor.link.tables["s1"]).agreed == 6


def test_an_earlier_round_is_compared_as_it_was(floor: Floor) -> None:
    """The table has gone on; what it told before its last round is still right."""
    for _ in range(3):
        lost(floor)
    tell(floor, Meters(rounds=2, bets=1000), round=2)
    floor.bets("s1", [1])
    tell(floor, Meters(rounds=3, bets=1500), round=3)
    assert differences(floor) == []


@pytest.mark.parametrize(
    ("told", "refusal", "field"),
    [
        (MetersTold(round=2, meters=Meters(bets=-1)), MetersWrong, "meters.bets"),
        (MetersTold(round=2, meters=Meters(rounds=-1)), MetersWrong, "meters.rounds"),
        (MetersTold(round=2, meters=Meters(returned=-1)), MetersWrong, "meters.returned"),
        (MetersTold(round=2, meters=Meters(awards=LARGEST_METER + 1)), MetersWrong, "meters.awards"),
        (MetersTold(round=0, meters=Meters()), MetersWrong, "meters.round"),
        (MetersTold(round=-5, meters=Meters()), MetersWrong, "meters.round"),
        (MetersTold(round=2, first=0, meters=Meters()), MetersWrong, "meters.first"),
        (MetersTold(round=2, first=3, meters=Meters()), MetersWrong, "meters.first"),
        (MetersTold(round=2, first=2, meters=Meters(rounds=2)), MetersWrong, "meters.rounds"),
        (MetersTold(round=4, first=1, meters=Meters()), MetersAhead, "meters.round"),
        (MetersTold(round=10**18, meters=Meters()), MetersAhead, "meters.round"),
        (MetersTold(round=2, meters=Meters()), RoundUnknown, None),
    ],
)
def test_nonsense_is_refused_and_changes_nothing(
    told: MetersTold, refusal: type[Refused], field: str | None
) -> None:
    """Rounds 1 and 3 are over, round 2 was never played, round 4 is being played."""
    floor = Floor()
    lost(floor)
    floor.bets("s1", [1], round=3)
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.bets("s1", [1], round=4)
    agree_round = MetersTold(round=3, first=1, meters=Meters(rounds=2, bets=1000))
    floor.beat("s1", meters=agree_round)
    floor.wait(1)
    head, pool = floor.link.head, dict(floor.link.pool.accounts)
    with pytest.raises(refusal) as refused:
        floor.beat("s1", meters=told)
    assert refused.value.data.get("field") == field
    assert (floor.link.head, floor.link.pool.accounts) == (head, pool)


def test_a_refused_heartbeat_does_not_bring_its_table_into_play() -> None:
    floor = Floor(seen=False)
    with pytest.raises(MetersAhead):
        floor.beat("s1", meters=MetersTold(round=1, meters=Meters()))
    assert floor.facts(facts.TableJoined) == []


def test_meters_that_fall_are_a_difference(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    lost(floor)
    tell(floor, Meters(), round=2)
    assert differences(floor)[0].told == Meters()


def test_no_difference_moves_money(floor: Floor) -> None:
    lost(floor)
    before = dict(floor.link.pool.accounts)
    agree(floor, bets=10**9, awards=10**9)
    floor.act(MendMeters(person="sue", difference=differences(floor)[0].difference, reason="seen"))
    assert floor.link.pool.accounts == before


# From memory


def beat(floor: Floor, told: MetersTold) -> Heartbeat:
    return Heartbeat(table="s1", sent_at=floor.now, received_at=floor.now, meters=told)


def test_a_heartbeat_whose_meters_agree_is_answered_from_memory(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    lost(floor)
    told = MetersTold(round=2, first=1, meters=Meters(rounds=2, bets=1000))
    said = beat(floor, told)
    assert beats.changes_nothing(floor.link, said)
    beats.mark(floor.link, said, floor.beat("s1"))
    assert floor.link.tables["s1"].contact.agreed == 2
    other = replace(said, meters=replace(told, meters=Meters(rounds=2, bets=999)))
    assert not beats.changes_nothing(floor.link, other)


def test_a_difference_that_is_known_is_answered_from_memory(floor: Floor) -> None:
    lost(floor)
    agree(floor, bets=1)
    told = MetersTold(round=1, first=1, meters=Meters(rounds=1, bets=77))
    assert beats.changes_nothing(floor.link, beat(floor, told))


def test_what_is_refused_is_never_answered_from_memory(floor: Floor) -> None:
    lost(floor)
    agree(floor)
    with pytest.raises(MetersWrong):
        beats.changes_nothing(floor.link, beat(floor, MetersTold(round=1, meters=Meters(bets=-1))))


def test_a_house_that_has_forgotten_when_both_agreed_names_more_rounds(floor: Floor) -> None:
    """The contact of a table is kept beside the journal. Without it nothing is taken for agreed."""
    for _ in range(3):
        lost(floor)
        agree(floor)
    floor.link.tables["s1"].contact = Contact()
    lost(floor)
    agree(floor, bets=1)
    assert differences(floor)[0].rounds == (1, 2, 3, 4)


# Computed again


def test_the_journal_alone_gives_the_same_meters(floor: Floor) -> None:
    lost(floor)
    agree(floor, bets=5)
    floor.act(MendMeters(person="sue", difference=differences(floor)[0].difference, reason="seen"))
    lost(floor)
    agree(floor, bets=5, awards=1)
    before = {name: (one.counted, one.baseline, one.difference) for name, one in floor.link.tables.items()}
    floor.book.restart()
    after = {name: (one.counted, one.baseline, one.difference) for name, one in floor.link.tables.items()}
    assert after == before


def differing() -> Floor:
    floor = Floor()
    lost(floor)
    agree(floor)
    lost(floor)
    return floor


def _open() -> Floor:
    floor = differing()
    agree(floor, bets=1)
    return floor


DIFFERED = facts.MetersDiffered(
    difference="main.d1",
    table="s1",
    after=1,
    round=2,
    house=Meters(rounds=2, bets=1000),
    told=Meters(rounds=2, bets=999),
    rounds=(2,),
)
BEGUN = facts.MetersBegun(table="s1", after=1, told=Meters(), house=Meters(rounds=1, bets=500), first=2)


def test_what_is_honest_is_not_denied() -> None:
    audit(differing().link, DIFFERED)
    audit(differing().link, BEGUN)


@pytest.mark.parametrize(
    ("story", "forged"),
    [
        (differing, replace(DIFFERED, house=Meters(rounds=2, bets=1001))),
        (differing, replace(DIFFERED, told=DIFFERED.house)),
        (differing, replace(DIFFERED, round=7)),
        (differing, replace(DIFFERED, rounds=(1, 2))),
        (differing, replace(DIFFERED, after=-1, rounds=(1, 2))),
        (differing, replace(DIFFERED, after=2, rounds=())),
        (differing, replace(DIFFERED, table="s2")),
        (_open, DIFFERED),
        (differing, replace(BEGUN, house=Meters(rounds=1, bets=499))),
        (differing, replace(BEGUN, told=Meters(bets=1))),
        (differing, replace(BEGUN, after=2, house=Meters(rounds=2, bets=1000))),
        (differing, replace(BEGUN, after=9)),
        (_open, facts.MetersMended(difference="main.d1", table="s1", person="sue", reason="seen")),
        (differing, facts.MetersMended(difference="main.d1", table="s1", person="sue", reason="seen")),
    ],
)
def test_a_made_up_fact_about_meters_is_denied(story: Callable[[], Floor], forged: facts.Fact) -> None:
    with pytest.raises(Denied):
        audit(story().link, forged)


def test_a_royal_flush_and_its_payment_leave_the_meters_alone(floor: Floor) -> None:
    win = floor.wins_major("s1", ROYAL["h"], final=True)
    agree(floor)
    floor.approve(win)
    agree(floor)
    assert differences(floor) == []
