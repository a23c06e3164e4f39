"""What the House changes of a table while it runs: limits, boxes and name, from the next round on."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import SideLimits
from jackpot.link.answers import Done
from jackpot.link.commands import ChangeTable
from jackpot.link.facts import TableChanged
from jackpot.link.rounds import MainGame
from jackpot.link.state import Then
from jackpot.link.table_terms import TableChanges, TableTerms
from jackpot.readings.table_views import table_view
from tests.floor import HOLDEM, NOTHING, STUD, Floor
from tests.main_game import FOLDS, told
from tests.pit_floor import PitFloor

NINES, ACE_KING = "9c 9d 4h 6s 2c", "Ad Kh 8s 7c 4s"


def change(
    floor: Floor | PitFloor,
    table: str,
    *,
    person: str = "ana",
    reason: str = "Friday night",
    known: int | None = None,
    act_id: str | None = None,
    **said: Any,
) -> None:
    changes = TableChanges(**said)
    command = ChangeTable(
        person=person, act_id=act_id, table=table, changes=changes, reason=reason, known=known
    )
    answer = floor.book.submit(command, at=floor.now).answer
    assert isinstance(answer, Done)


def refused(floor: Floor | PitFloor, table: str, **said: Any) -> tuple[str, object]:
    head = floor.book.pit.head
    with pytest.raises(Refused) as found:
        change(floor, table, **said)
    assert floor.book.pit.head == head, "a refusal changes nothing"
    return found.value.code, found.value.data.get("field")


# From the next round on


def test_s_5_1_1_a_round_is_judged_by_the_maximum_with_which_it_began() -> None:
    """Raised or lowered after the bets were closed, also by a correction after that."""
    floor = Floor(tables={"t1": STUD}, maximum=50_00)
    floor.bets("t1", {}, ante={1: 80_00})
    change(floor, "t1", maximum=80_00)
    floor.wait(1)
    first = floor.hands("t1", {1: NINES}, main={1: FOLDS}, dealer="")
    assert sorted(one[3] for one in told(first.settlement)) == [30_00, 50_00]
    change(floor, "t1", maximum=10_00)
    again = floor.hands("t1", {1: NOTHING}, main={1: FOLDS}, dealer="")
    assert told(again.settlement) == told(first.settlement)


def test_s_5_1_1_the_next_round_is_judged_by_the_new_maximum() -> None:
    floor = Floor(tables={"t1": STUD}, maximum=50_00)
    floor.bets("t1", {}, ante={1: 80_00})
    change(floor, "t1", maximum=80_00)
    floor.wait(1)
    floor.hands("t1", {1: NINES}, main={1: FOLDS}, dealer="", final=True)
    floor.bets("t1", {}, ante={1: 80_00})
    floor.wait(1)
    lines = floor.hands("t1", {1: NINES}, main={1: FOLDS}, dealer="", final=True).settlement
    assert [one.stake for one in lines] == [80_00]


def test_s_5_3_1_twice_the_ante_is_measured_by_the_part_that_played_when_the_round_began() -> None:
    floor = Floor(tables={"t1": STUD}, maximum=50_00)
    floor.bets("t1", {}, ante={1: 50_00})
    change(floor, "t1", maximum=20_00)
    floor.wait(1)
    main = {1: MainGame(decision="bet", bet=120_00)}
    lines = floor.hands("t1", {1: NINES}, main=main, dealer=ACE_KING, final=True).settlement
    back = [one for one in told(lines) if one[2] == "returned"]
    assert back == [(1, "bet", "returned", 20_00, 20_00, "5.3.1")]


def test_h_5_1_1_a_round_of_holdem_keeps_its_maximum_too() -> None:
    floor = Floor(tables={"t1": HOLDEM}, maximum=50_00)
    floor.bets("t1", {}, ante={1: 80_00})
    change(floor, "t1", no_maximum=True)
    floor.wait(1)
    found = floor.hands("t1", {1: "9c 4d"}, main={1: FOLDS}, community="2c 7d Ts", final=True)
    assert sorted(one.stake for one in found.settlement) == [30_00, 50_00]


def test_5_1_1_a_round_of_blackjack_keeps_the_limits_of_box_and_side_bets() -> None:
    """Changed between bets and hands, and once more before the round is corrected."""
    floor = PitFloor()
    bets = {"boxes": [{"box": 1, "bet": 600_00, "player": "A"}]}
    first = floor.bets("pp", bets)
    assert [one.stake for one in first.playing] == [500_00]
    change(floor, "pp", maximum=100_00, side={"perfect_pairs": SideLimits(maximum=10_00)})
    hands = [{"box": 1, "cards": ["Tc", "9d"], "decision": "stand"}]
    said = floor.hands("pp", {"hands": hands, "dealer": {"cards": ["Th", "8s"]}, "final": True})
    assert sorted((one.outcome.value, one.stake) for one in said.settlement) == [
        ("returned", 100_00),
        ("win", 500_00),
    ]
    assert [one.stake for one in floor.bets("pp", bets).playing] == [100_00]
    floor.audited()


def test_a_void_gives_back_what_a_round_took_by_the_limits_with_which_it_began() -> None:
    floor = PitFloor()
    floor.bets("pp", {"boxes": [{"box": 1, "bet": 600_00, "player": "A"}]})
    change(floor, "pp", maximum=100_00)
    back = floor.void("pp", "5.5.1").settlement
    assert sum(one.payout for one in back) == 600_00
    floor.audited()


def test_the_journal_alone_gives_the_terms_of_round_and_table() -> None:
    floor = Floor(tables={"t1": STUD}, maximum=50_00)
    floor.bets("t1", {}, ante={1: 80_00})
    change(floor, "t1", maximum=80_00, name="Dragon room 1")
    change(floor, "t1", boxes=5)
    floor.book.restart()
    table = floor.link.tables["t1"]
    assert table.setup.terms == TableTerms(boxes=5, maximum=80_00, name="Dragon room 1")
    assert table.played.terms == TableTerms(boxes=7, maximum=50_00)
    assert [fact.was.boxes for fact in floor.facts(TableChanged)] == [7, 7]


# What is told


def test_a_table_hears_its_terms_with_the_next_heartbeat_and_its_display_shows_them_at_once() -> None:
    floor = Floor(tables={"t1": STUD}, maximum=50_00)
    floor.bets("t1", [1])
    change(floor, "t1", minimum=25_00, name="Dragon room 1")
    assert floor.beat("t1").terms == TableTerms(boxes=7, minimum=25_00, maximum=50_00, name="Dragon room 1")
    view = table_view(floor.link, floor.link.tables["t1"])
    assert (view.name, view.minimum, view.maximum) == ("Dragon room 1", 25_00, 50_00)


# What is refused


@pytest.mark.parametrize(
    ("said", "code", "field"),
    [
        ({"minimum": -1}, "parameter_wrong", "minimum"),
        ({"minimum": 60_00}, "parameter_wrong", "minimum"),
        ({"maximum": 10_00}, "parameter_wrong", "minimum"),
        ({"maximum": 0, "no_minimum": True}, "parameter_wrong", "maximum"),
        ({"maximum": 10**12 + 1}, "parameter_wrong", "minimum"),
        ({"maximum": 10_00, "no_maximum": True}, "parameter_wrong", "maximum"),
        ({}, "parameter_wrong", "changes"),
        ({"maximum": 50_00}, "parameter_wrong", "changes"),
        ({"side": {"player_pair": SideLimits(maximum=100)}}, "parameter_wrong", "side"),
        ({"boxes": 0}, "parameter_wrong", "boxes"),
        ({"boxes": 21}, "parameter_wrong", "boxes"),
        ({"name": "x" * 61}, "parameter_wrong", "name"),
        ({"name": "a\u202eb"}, "parameter_wrong", "name"),
        ({"boxes": 6, "reason": " "}, "reason_missing", "reason"),
        ({"boxes": 6, "person": ""}, "person_missing", "person"),
    ],
)
def test_terms_that_cannot_be_are_refused_with_their_field(
    said: dict[str, Any], code: str, field: str
) -> None:
    floor = Floor(tables={"t1": STUD}, minimum=25_00, maximum=50_00)
    assert refused(floor, "t1", **said) == (code, field)


def test_limits_of_a_side_bet_that_the_game_does_not_have_are_refused() -> None:
    floor = PitFloor()
    assert refused(floor, "pp", side={"boom_busted": SideLimits(maximum=100)}) == (
        "parameter_wrong",
        "side.boom_busted",
    )
    crossing = {"perfect_pairs": SideLimits(minimum=200, maximum=100)}
    assert refused(floor, "pp", side=crossing) == ("parameter_wrong", "side.perfect_pairs.minimum")


def test_free_bet_has_no_more_boxes_than_its_layout() -> None:
    """F 2.1.1."""
    floor = PitFloor()
    most = floor.table("fb").setup.rules.most_boxes
    assert most is not None
    assert refused(floor, "fb", boxes=most + 1) == ("parameter_wrong", "boxes")


def test_an_unknown_table_is_refused() -> None:
    assert refused(Floor(), "t9", boxes=6)[0] == "table_unknown"


def test_a_box_that_is_blocked_or_in_play_stays_on_the_layout() -> None:
    floor = Floor(tables={"t1": STUD})
    blocked = floor.malfunction("t1", box=7, then=Then.BLOCK_BOX)
    assert refused(floor, "t1", boxes=6)[0] == "box_in_use"
    floor.clear(blocked)
    floor.bets("t1", [2, 6])
    assert refused(floor, "t1", boxes=5)[0] == "box_in_use"
    change(floor, "t1", boxes=6)
    floor.hands("t1", {2: NOTHING, 6: None}, final=True)
    change(floor, "t1", boxes=1)
    with pytest.raises(Refused, match="boxes 1 to 1"):
        floor.bets("t1", [2])


def test_a_box_in_play_in_a_pit_stays_on_the_layout() -> None:
    floor = PitFloor()
    floor.bets("bj", {"boxes": [{"box": 7, "bet": 1000, "player": "A"}]})
    assert refused(floor, "bj", boxes=6)[0] == "box_in_use"


def test_who_changes_what_another_has_changed_meanwhile_is_told_so() -> None:
    floor = Floor(tables={"t1": STUD})
    change(floor, "t1", maximum=50_00, known=0)
    assert refused(floor, "t1", maximum=60_00, known=0, person="ben") == ("terms_changed", None)
    change(floor, "t1", maximum=60_00, known=floor.link.tables["t1"].changed, person="ben")
    change(floor, "t1", maximum=70_00)


def test_the_same_act_again_is_answered_as_the_first_time() -> None:
    floor = Floor(tables={"t1": STUD})
    for _ in range(2):
        change(floor, "t1", maximum=50_00, act_id="a")
    assert len(floor.facts(TableChanged)) == 1
    assert refused(floor, "t1", maximum=60_00, act_id="a")[0] == "conflict"
