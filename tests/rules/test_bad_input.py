"""Every wrong, repeated, late or hostile input has a named refusal, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import replace
from typing import Any

import pytest

from jackpot.cards.cards import parse_all
from jackpot.core import refusals
from jackpot.core.instants import MILLISECOND, SECOND, parse_instant
from jackpot.core.money import LARGEST_AMOUNT, Account
from jackpot.core.refusals import Refused
from jackpot.link.answers import HeartbeatAnswer
from jackpot.link.commands import (
    AddTable,
    ApproveWin,
    BoxBets,
    ClearMalfunction,
    CloseBets,
    CloseLink,
    CloseTable,
    Command,
    Confirm,
    DecideClaim,
    DecideOrder,
    DeclareMalfunction,
    HandReport,
    Heartbeat,
    OpenTable,
    Propose,
    RejectWin,
    ReportHands,
    VoidRound,
    Withdraw,
)
from jackpot.link.facts import HandsReported
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening, ParameterChange
from jackpot.link.rounds import MainGame
from jackpot.link.state import Scope, TableSetup, TableStatus, Then
from jackpot.link.wins import ClaimOutcome, ClockWord
from jackpot.machine.execute import create_link, create_pit
from jackpot.pools.order import STAMPS_MAY_CROSS
from tests.floor import DEFAULTS, HOLDEM, NOTHING, ROYAL, START, STRAIGHT_FLUSH, STUD, Floor


@pytest.fixture
def floor() -> Floor:
    """s1 has an open round 3 of boxes 1 and 2; s2 a reported one; round 1 of s1 was skipped."""
    floor = Floor()
    floor.bets("s1", [1], round=2)
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.bets("s1", [1, 2], round=3)
    floor.bets("s2", [1])
    floor.hands("s2", {1: NOTHING})
    floor.wait(1)
    return floor


def assert_refused(floor: Floor, command: Command, code: str, rule: str | None = None) -> Refused:
    """The refusal of this command, after proof that it has changed nothing, working values included."""
    before = deepcopy(floor.link)
    contacts = {name: deepcopy(table.contact) for name, table in floor.link.tables.items()}
    with pytest.raises(Refused) as found:
        floor.book.submit(command, at=floor.now)
    assert (found.value.code, found.value.rule) == (code, rule)
    assert floor.link == before
    assert {name: table.contact for name, table in floor.link.tables.items()} == contacts
    return found.value


def bets(floor: Floor, *boxes: BoxBets, **changes: Any) -> CloseBets:
    command = CloseBets(
        table="s1", round=4, sent_at=floor.now, received_at=floor.now + 5000, closed_at=floor.now, boxes=boxes
    )
    return replace(command, **changes)


def hands(floor: Floor, *reports: HandReport, **changes: Any) -> ReportHands:
    command = ReportHands(table="s1", round=3, sent_at=floor.now, received_at=floor.now + 5000, hands=reports)
    return replace(command, **changes)


def void(floor: Floor, **changes: Any) -> VoidRound:
    command = VoidRound(table="s1", round=3, reason="5.8.1", sent_at=floor.now, received_at=floor.now + 5000)
    return replace(command, **changes)


def beat(floor: Floor, **changes: Any) -> Heartbeat:
    return replace(Heartbeat(table="s1", sent_at=floor.now, received_at=floor.now + 5000), **changes)


BOX = BoxBets(box=1, ante=2500, progressive=500)
FIVE = parse_all(NOTHING.split())
HAND = HandReport(box=1, cards=FIVE)
OTHER = HandReport(box=2, cards=parse_all(STRAIGHT_FLUSH["s"].split()))


@pytest.mark.parametrize(
    ("boxes", "code", "rule", "field"),
    [
        ([replace(BOX, box=0)], "box_unknown", "2.1.1", "boxes[0].box"),
        ([replace(BOX, box=8)], "box_unknown", "2.1.1", "boxes[0].box"),
        ([replace(BOX, box=-(10**30))], "box_unknown", "2.1.1", "boxes[0].box"),
        ([BOX, BOX], "box_repeated", "3.5", "boxes[1].box"),
        ([replace(BOX, ante=-1)], "amount_negative", None, "boxes[0].ante"),
        ([replace(BOX, progressive=-500)], "amount_negative", None, "boxes[0].progressive"),
        ([replace(BOX, bonus=-1)], "amount_negative", None, "boxes[0].bonus"),
        ([replace(BOX, ante=LARGEST_AMOUNT + 1)], "amount_too_large", None, "boxes[0].ante"),
        ([replace(BOX, ante=10**100)], "amount_too_large", None, "boxes[0].ante"),
        ([replace(BOX, progressive=50_001)], "amount_unreasonable", "3.4", "boxes[0].progressive"),
    ],
)
def test_wrong_bets_are_refused_whole(
    floor: Floor, boxes: list[BoxBets], code: str, rule: str | None, field: str
) -> None:
    right = BoxBets(box=3, ante=2500, progressive=500)
    refusal = assert_refused(floor, bets(floor, *boxes, right), code, rule)
    assert refusal.data["field"] == field


def test_a_hundred_times_the_prescribed_bet_is_still_a_bet(floor: Floor) -> None:
    assert floor.bets("s1", {1: 50_000}).returned[0].amount == 49_500


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"round": 0}, "round_number_wrong", None),
        ({"round": -1}, "round_number_wrong", None),
        ({"round": 10**12 + 1}, "round_number_wrong", None),
        ({"round": 1}, "round_passed", None),
        ({"round": 3}, "conflict", "5.11"),
        ({"round": 2}, "conflict", "5.11"),
        ({"table": "nowhere"}, "table_unknown", None),
        ({"table": ""}, "table_unknown", None),
    ],
)
def test_bets_of_a_wrong_round_or_table_are_refused(
    floor: Floor, change: dict[str, Any], code: str, rule: str | None
) -> None:
    assert_refused(floor, bets(floor, BOX, **change), code, rule)


def test_stamps_that_cannot_be_are_refused(floor: Floor) -> None:
    far = STAMPS_MAY_CROSS + 1
    assert_refused(floor, bets(floor, BOX, closed_at=floor.now + far), "bets_closed_after_sent")
    assert_refused(floor, bets(floor, BOX, closed_at=floor.now - 3601 * SECOND), "bets_closed_too_early")
    assert_refused(floor, beat(floor, seq=-1), "seq_wrong")
    assert_refused(floor, beat(floor, seq=2**63), "seq_wrong")
    early, late = replace(HAND, dealt_at=START - far), replace(HAND, dealt_at=floor.now + far)
    assert_refused(floor, hands(floor, early), "dealt_before_bets_closed", "5.11")
    assert_refused(floor, hands(floor, late), "dealt_after_sent")
    assert_refused(floor, beat(floor, sent_at=START - 3600 * SECOND), "sent_at_fell")


@pytest.mark.parametrize("crossed", [1, 5, STAMPS_MAY_CROSS])
def test_bets_stamped_after_their_message_count_as_closed_when_it_was_sent(crossed: int) -> None:
    crossing, straight = Floor(), Floor()
    for floor, closed_at in ((crossing, crossing.now + crossed), (straight, straight.now)):
        floor.bets("s1", closed_at=closed_at)
    one, other = crossing.link.tables["s1"], straight.link.tables["s1"]
    assert (one.round.closed_at, one.round.dealt_from) == (other.round.closed_at, other.round.dealt_from)


def test_the_same_bets_with_a_crossed_stamp_are_the_same_message() -> None:
    floor = Floor()
    message = bets(floor, BOX, closed_at=floor.now + 5, round=1)
    again = replace(message, sent_at=floor.now + SECOND)
    assert floor.send(message) == floor.send(again)
    assert_refused(floor, replace(again, closed_at=message.sent_at), "conflict", "5.11")


@pytest.mark.parametrize("crossed", [5, STAMPS_MAY_CROSS])
@pytest.mark.parametrize("early", [False, True])
def test_a_deal_stamped_a_little_outside_the_possible_is_cut_into_it(early: bool, crossed: int) -> None:
    floor = Floor()
    closed_at = floor.now
    floor.bets("s1")
    floor.wait(20)
    floor.beat("s1")
    dealt_at = closed_at - crossed if early else floor.now + crossed
    floor.hands("s1", {1: STRAIGHT_FLUSH["s"]}, dealt=dealt_at)
    win = floor.win("s1.1.1.1")
    assert win.evidence.dealt_at == dealt_at
    assert win.witnessed.start <= win.interval.start <= win.interval.end <= win.witnessed.end
    assert win.evidence.outside == (crossed > 20 * MILLISECOND)
    assert floor.facts(HandsReported)[-1].records[0].dealt_at == dealt_at
    assert floor.hands("s1", {1: STRAIGHT_FLUSH["s"]}, dealt=dealt_at).results[0].win == win.id


def test_a_clock_measured_impossibly_is_refused(floor: Floor) -> None:
    for reading in ((0, -1), (10**18, 1), (-(10**18), 1), (0, 3601 * SECOND)):
        clock = ClockWord(offset=reading[0], error=reading[1])
        assert_refused(floor, beat(floor, clock=clock), "clock_out_of_range")


@pytest.mark.parametrize(
    ("reports", "code", "rule"),
    [
        ([replace(HAND, box=9)], "box_unknown", "2.1.1"),
        ([replace(HAND, box=3)], "box_not_in_round", "4.2.1"),
        ([HAND, replace(OTHER, box=1)], "box_repeated", "3.5"),
        ([HAND, replace(OTHER, cards=HAND.cards)], "card_repeated", "2.2.1"),
        ([replace(HAND, cards=FIVE[:4])], "wrong_number_of_cards", "5.15"),
        ([replace(HAND, cards=(*FIVE, 51))], "wrong_number_of_cards", "5.15"),
        ([replace(HAND, revealed=False)], "hand_contradictory", None),
        ([replace(HAND, invalidated="5.15")], "hand_contradictory", None),
        ([replace(HAND, cards=(), invalidated="4.2")], "invalidation_unknown", None),
        ([replace(HAND, cards=(), invalidated="5.18")], "invalidation_unknown", None),
        ([replace(HAND, deal_order=2), replace(OTHER, deal_order=1)], "deal_order_wrong", "4.5.1"),
        ([replace(HAND, deal_order=2), replace(OTHER, deal_order=2)], "deal_order_wrong", "4.5.1"),
        ([replace(HAND, deal_order=-1)], "deal_order_wrong", "4.5.1"),
    ],
)
def test_wrong_hands_are_refused_whole(
    floor: Floor, reports: list[HandReport], code: str, rule: str | None
) -> None:
    assert_refused(floor, hands(floor, *reports), code, rule)


def test_cards_of_the_table_are_counted_too(floor: Floor) -> None:
    assert_refused(floor, hands(floor, HAND, community=(50, 51, 0)), "wrong_number_of_cards", "2.2.1")
    assert_refused(floor, hands(floor, HAND, dealer=tuple(range(6))), "wrong_number_of_cards", "5.8.7")
    assert_refused(floor, hands(floor, HAND, dealer=FIVE[:1]), "card_repeated", "2.2.1")
    floor.bets("h1", [1])
    hole = replace(HAND, cards=(50, 51))
    for community in ((), (0, 1), tuple(range(6))):
        message = hands(floor, hole, table="h1", round=1, community=community)
        assert_refused(floor, message, "wrong_number_of_cards", "5.8.7")


def test_hands_of_a_round_that_never_was_are_unknown(floor: Floor) -> None:
    for number in (1, 4, 0, -5, 10**30):
        assert_refused(floor, hands(floor, HAND, round=number), "round_unknown")


def test_a_settled_round_stands_and_a_void_one_has_no_hands(floor: Floor) -> None:
    assert_refused(floor, hands(floor, replace(HAND, folded=True), round=2), "round_stands", "5.20")
    floor.void("s1")
    assert_refused(floor, hands(floor, HAND), "round_voided", "5.22")
    assert_refused(floor, void(floor, note="again, for another reason"), "round_voided", "5.22")


def test_wrong_voids_are_refused(floor: Floor) -> None:
    assert_refused(floor, void(floor, reason="4.2"), "void_reason_unknown", "5.8")
    assert_refused(floor, void(floor, reason=""), "void_reason_unknown", "5.8")
    assert_refused(floor, void(floor, reason="5.16"), "void_reason_unknown", "5.8")
    assert_refused(floor, void(floor, note="x" * 501), "text_too_long")
    assert_refused(floor, void(floor, round=2), "round_stands", "5.8")
    assert_refused(floor, void(floor, round=1), "round_unknown")
    assert_refused(floor, void(floor, round=4), "round_unknown")
    assert_refused(floor, void(floor, table="h1", round=1), "round_unknown")
    assert_refused(floor, void(floor, table="s2", round=1, reason="5.7.2"), "outcome_established", "5.7.1")


def test_numbered_messages_have_no_gaps_and_no_second_face() -> None:
    floor = Floor()
    floor.beat("s1", seq=7)
    gap = assert_refused(floor, beat(floor, seq=9), "gap")
    assert gap.data["expected"] == 8
    passed = assert_refused(floor, bets(floor, BOX, seq=7), "seq_passed")
    assert passed.data["expected"] == 8
    floor.beat("s1", seq=7)
    floor.beat("s1", seq=8)


def test_a_numbered_heartbeat_of_a_spool_sent_again_is_answered_and_changes_nothing() -> None:
    floor = Floor()
    first = beat(floor, seq=7, in_play=False)
    floor.send(first)
    floor.wait(1)
    floor.beat("s1", seq=8)
    before = deepcopy(floor.link), replace(floor.link.tables["s1"].contact, told=())
    for live in (True, False):
        again = floor.send(replace(first, live=live, received_at=floor.now + 9000))
        assert isinstance(again, HeartbeatAnswer)
        assert again.table_state is TableStatus.IN_PLAY
    assert (floor.link, replace(floor.link.tables["s1"].contact, told=())) == before


def test_a_controller_that_counts_anew_is_told_so_by_its_first_heartbeat() -> None:
    floor = Floor()
    floor.beat("s1", seq=7)
    floor.beat("s1", seq=8)
    floor.wait(1)
    assert_refused(floor, beat(floor, seq=1), "seq_passed")


def test_boxes_in_another_order_are_the_same_message() -> None:
    floor = Floor()
    other = replace(BOX, box=2)
    message = bets(floor, BOX, other, round=1)
    first = floor.send(message)
    assert floor.send(replace(message, boxes=(other, BOX))) == first
    dealt = hands(floor, HAND, OTHER, round=1, final=True)
    assert floor.send(dealt) == floor.send(replace(dealt, hands=(OTHER, HAND)))
    assert_refused(floor, replace(message, boxes=(BOX,), sent_at=floor.now), "conflict", "5.11")


def test_a_refused_message_claims_neither_its_key_nor_its_number() -> None:
    floor = Floor()
    floor.beat("s1", seq=1)
    assert_refused(floor, bets(floor, replace(BOX, box=99), seq=2), "box_unknown", "2.1.1")
    assert floor.bets("s1", [1], round=4, seq=2).accepted[0].box == 1


def test_a_repeat_is_answered_as_the_first_time_whatever_has_happened_since(floor: Floor) -> None:
    first = bets(floor, BOX)
    answer = floor.book.submit(first, at=floor.now).answer
    floor.bets("s2", [1, 2])
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.bets("s1", [1])
    sequence = floor.link.sequence
    for again in (first, replace(first, sent_at=first.sent_at + 1, received_at=floor.now, seq=77)):
        outcome = floor.book.submit(again, at=floor.now)
        assert outcome.repeated
        assert outcome.answer == answer
    assert floor.link.sequence == sequence


def test_hands_said_again_after_a_correction_correct_it_back_only_if_sent_later(floor: Floor) -> None:
    first = hands(floor, HAND)
    answer = floor.book.submit(first, at=floor.now).answer
    floor.wait(1)
    floor.hands("s1", {1: FLUSH_CARDS})
    late_copy = replace(first, received_at=floor.now + 9000)
    assert floor.book.submit(late_copy, at=floor.now).answer == answer
    assert floor.link.tables["s1"].round.boxes[1].result.award == 20_000
    floor.wait(1)
    corrected = floor.book.submit(hands(floor, HAND), at=floor.now)
    assert not corrected.repeated
    assert floor.link.tables["s1"].round.boxes[1].result.award is None


FLUSH_CARDS = "Kh Jh 9h 5h 2h"


@pytest.mark.parametrize(
    ("act", "code", "rule"),
    [
        (lambda: ApproveWin(person="ana", win="x"), "win_unknown", None),
        (lambda: ApproveWin(person="", win="x"), "person_missing", None),
        (lambda: ApproveWin(person="  ", win="x"), "person_missing", None),
        (lambda: ApproveWin(person="a" * 501, win="x"), "person_missing", None),
        (lambda: RejectWin(person="ana", win="x", reason="why"), "win_unknown", None),
        (lambda: RejectWin(person="ana", win="x", reason=" "), "reason_missing", None),
        (lambda: DecideOrder(person="ana", wins=(), reason="why"), "order_incomplete", "4.5.2"),
        (lambda: DecideOrder(person="ana", wins=("x",), reason="why"), "win_unknown", None),
        (lambda: OpenTable(person="ana", table="s9", reason="why"), "table_unknown", None),
        (lambda: OpenTable(person="ana", table="s1", reason="why"), "table_already_open", None),
        (lambda: CloseTable(person="ana", table="s1", reason=""), "reason_missing", None),
        (lambda: CloseTable(person="ana", table="s1", reason="x" * 501), "text_too_long", None),
        (lambda: ClearMalfunction(person="ana", malfunction="x"), "malfunction_unknown", None),
        (lambda: Confirm(person="ana", proposal="x"), "proposal_unknown", None),
        (lambda: Withdraw(person="ana", proposal="x"), "proposal_unknown", None),
        (
            lambda: DecideClaim(person="ana", claim="x", outcome=ClaimOutcome.REFUSED, reason="why"),
            "claim_unknown",
            None,
        ),
        (lambda: CloseLink(person="ana", reason=""), "reason_missing", None),
    ],
)
def test_acts_on_what_does_not_exist_or_without_a_reason_are_refused(
    floor: Floor, act: Callable[[], Command], code: str, rule: str | None
) -> None:
    assert_refused(floor, act(), code, rule)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (ParameterChange(changes=Changes()), "parameter_wrong"),
        (ParameterChange(changes=Changes(seed=0)), "parameter_wrong"),
        (ParameterChange(changes=Changes(seed=-1)), "parameter_wrong"),
        (ParameterChange(changes=Changes(seed=10**13)), "parameter_wrong"),
        (ParameterChange(changes=Changes(ceiling=49_999_99)), "parameter_wrong"),
        (ParameterChange(changes=Changes(ceiling=60_000_00, no_ceiling=True)), "parameter_wrong"),
        (ParameterChange(changes=Changes(meter_ppm=950_001)), "parameter_wrong"),
        (ParameterChange(changes=Changes(reserve_ppm=-1)), "parameter_wrong"),
        (ParameterChange(changes=Changes(seed=1), now=True), "link_not_closed"),
        (Adjustment(amount=0, account=Account.HOUSE), "adjustment_wrong"),
        (Adjustment(amount=10**13, account=Account.HOUSE), "adjustment_wrong"),
        (Adjustment(amount=1, account=Account.PRIZES), "adjustment_wrong"),
        (Adjustment(amount=1, account=Account.METER), "adjustment_wrong"),
        (Adjustment(amount=1_000_000, account=Account.RESERVE), "account_short"),
        (Adjustment(amount=1, account=Account.OVERFLOW), "account_short"),
        (Adjustment(amount=-50_100_00, account=Account.HOUSE), "account_short"),
        (LinkOpening(), "link_already_open"),
    ],
)
def test_wrong_proposals_are_refused(floor: Floor, change: Any, code: str) -> None:
    assert_refused(floor, Propose(person="ana", change=change, reason="why"), code)


@pytest.mark.parametrize(
    "act",
    [
        CloseTable(person="ana", table="s1", reason="\ud800"),
        CloseTable(person="a\udfff", table="s1", reason="why"),
        CloseTable(person="ana", act_id="\udc00", table="s1", reason="why"),
    ],
)
def test_text_that_cannot_be_written_is_refused(floor: Floor, act: Command) -> None:
    assert_refused(floor, act, "text_malformed")


@pytest.mark.parametrize(
    "unseen", ["\u202e", "\u2069", "\u200b", "\ufeff", "\u2029", "\x07", "\x85", "\u3164"]
)
def test_text_that_cannot_be_seen_is_refused(floor: Floor, unseen: str) -> None:
    assert_refused(floor, CloseTable(person="ana", table="s1", reason=f"why{unseen}"), "text_invisible")
    assert_refused(floor, CloseTable(person=f"a{unseen}na", table="s1", reason="why"), "text_invisible")


def test_a_reason_has_lines_and_a_name_has_none(floor: Floor) -> None:
    assert_refused(floor, CloseTable(person="ana\n", table="s1", reason="why"), "text_invisible")
    floor.act(CloseTable(person="Ána 李", table="s1", reason="one\ntwo"))


def test_the_same_is_not_proposed_twice(floor: Floor) -> None:
    change = Adjustment(amount=100, account=Account.HOUSE)
    floor.propose(change)
    assert_refused(floor, Propose(person="ben", change=change, reason="why"), "already_proposed")


def test_numbers_that_are_no_cards_are_refused(floor: Floor) -> None:
    for card in (52, -1, 10**6):
        said = hands(floor, replace(HAND, cards=(card, *FIVE[1:])))
        assert_refused(floor, said, "card_unknown", "2.2.1")


def test_one_person_cannot_be_two(floor: Floor) -> None:
    proposal = floor.propose(Adjustment(amount=100, account=Account.HOUSE), person="ana")
    assert_refused(floor, Confirm(person="ana", proposal=proposal), "same_person")
    floor.act(Confirm(person="ben", proposal=proposal))
    assert_refused(floor, Confirm(person="cho", proposal=proposal), "proposal_ended")


def test_a_proposal_is_checked_again_when_it_is_confirmed(floor: Floor) -> None:
    proposal = floor.propose(Adjustment(amount=100, account=Account.HOUSE))
    win = floor.wins_major("s2", ROYAL["d"])
    assert_refused(floor, Confirm(person="ben", proposal=proposal), "link_held")
    floor.reject(win)
    floor.act(Confirm(person="ben", proposal=proposal))


def test_wrong_acts_on_a_major_are_refused(floor: Floor) -> None:
    win = floor.wins_major("s2", ROYAL["d"])
    floor.approve(win, "ana")
    assert_refused(floor, ApproveWin(person="ana", win=win), "already_approved")
    assert_refused(floor, ApproveWin(person="ben", win=win, note="x" * 501), "text_too_long")
    assert_refused(floor, DecideOrder(person="sue", wins=(win,), reason="why"), "not_ambiguous", "4.5.2")
    floor.hands("s1", {1: None, 2: None})
    floor.approve(win, "ben")
    floor.wait(1)
    assert_refused(floor, ApproveWin(person="cho", win=win), "win_paid")
    assert_refused(floor, void(floor, table="s2", round=2), "win_paid")
    changed = replace(HAND, cards=parse_all(ROYAL["s"].split()))
    assert_refused(floor, hands(floor, changed, table="s2", round=2), "win_paid")
    retracted = replace(HAND, cards=())
    assert_refused(floor, hands(floor, retracted, table="s2", round=2), "win_paid")


@pytest.mark.parametrize(
    ("change", "code", "rule"),
    [
        ({"scope": Scope(table="s9")}, "table_unknown", None),
        ({"scope": Scope(box=1)}, "scope_wrong", None),
        ({"scope": Scope(table="s1", box=8)}, "box_unknown", "2.1.1"),
        ({"scope": Scope(table="s1", box=0)}, "box_unknown", "2.1.1"),
        ({"then": Then.BLOCK_BOX}, "scope_wrong", None),
        ({"cards_seen": {"s1": True, "s2": True}}, "scope_wrong", None),
        ({"cards_seen": {}}, "cards_seen_missing", None),
        ({"scope": Scope(), "cards_seen": {"s2": True}}, "cards_seen_missing", None),
        ({"note": "x" * 501}, "text_too_long", None),
    ],
)
def test_wrong_malfunctions_are_refused(
    floor: Floor, change: dict[str, Any], code: str, rule: str | None
) -> None:
    right = DeclareMalfunction(
        person="sue",
        scope=Scope(table="s1"),
        observed_at=floor.now,
        cards_seen={"s1": True},
        then=Then.PROGRESSIVE_OFF,
    )
    assert_refused(floor, replace(right, **change), code, rule)
    floor.act(right)


@pytest.mark.parametrize(
    "setup",
    [
        TableSetup(id="", game=STUD, boxes=7),
        TableSetup(id="a.b", game=STUD, boxes=7),
        TableSetup(id="<script>", game=STUD, boxes=7),
        TableSetup(id="x" * 41, game=STUD, boxes=7),
        TableSetup(id="new", game=STUD, boxes=0),
        TableSetup(id="new", game=HOLDEM, boxes=21),
        TableSetup(id="new", game=STUD, boxes=7, minimum=-1),
        TableSetup(id="new", game=STUD, boxes=7, minimum=100, maximum=99),
        TableSetup(id="new", game=STUD, boxes=7, maximum=0),
    ],
)
def test_impossible_tables_are_refused(floor: Floor, setup: TableSetup) -> None:
    assert_refused(floor, AddTable(person="floor", setup=setup), "parameter_wrong")


def test_what_is_so_already_is_refused(floor: Floor) -> None:
    assert_refused(
        floor, AddTable(person="floor", setup=TableSetup(id="s1", game=STUD, boxes=7)), "table_already_known"
    )
    floor.act(CloseTable(person="ana", table="s1", reason="shift"))
    assert_refused(floor, CloseTable(person="ana", table="s1", reason="shift"), "table_already_closed")
    floor.act(CloseLink(person="ana", reason="night"))
    assert_refused(floor, CloseLink(person="ana", reason="night"), "link_already_closed")


def test_an_act_with_a_name_is_done_once(floor: Floor) -> None:
    act = CloseTable(person="ana", act_id="k1", table="s1", reason="shift")
    answer = floor.act(act)
    floor.act(OpenTable(person="ana", table="s1", reason="shift"))
    assert floor.act(act) == answer
    assert_refused(floor, replace(act, table="s2"), "conflict")
    floor.act(replace(act, person="ben"))


@pytest.mark.parametrize(
    ("text", "refusal"),
    [
        ("2026-01-01T08:00:00", refusals.TimeWithoutZone),
        ("2026-01-01", refusals.TimeWithoutZone),
        ("soon", refusals.TimeMalformed),
        ("", refusals.TimeMalformed),
        ("2026-13-01T00:00:00Z", refusals.TimeMalformed),
        ("2026-01-01T00:00:00+99:00", refusals.TimeMalformed),
    ],
)
def test_times_must_be_whole(text: str, refusal: type[Refused]) -> None:
    with pytest.raises(refusal):
        parse_instant(text, field="sent_at")


@pytest.mark.parametrize("text", ["", "A", "1h", "11h", "Ax", "ah ", "AhKh", "☠", "10", "A♥", "A" * 10**6])
def test_cards_that_do_not_exist_are_refused(text: str) -> None:
    with pytest.raises(refusals.CardUnknown) as refusal:
        parse_all([text])
    assert len(refusal.value.message) < 100


@pytest.mark.parametrize(
    ("text", "same"), [("10d", "Td"), ("AH", "Ah"), ("ah", "Ah"), ("tS", "Ts"), ("2C", "2c")]
)
def test_cards_are_read_in_any_case(text: str, same: str) -> None:
    assert parse_all([text]) == parse_all([same])


@pytest.mark.parametrize("name", ["", "a b", "x" * 41, "a.b", "a/b"])
def test_a_link_has_a_plain_id(name: str) -> None:
    with pytest.raises(refusals.ParameterWrong):
        create_link(name, "Main", "SGD", DEFAULTS, at=START)


@pytest.mark.parametrize("currency", ["XYZ", "XAU", "sgd", "SG", "SGDX", "", "S1D", "É€$"])
def test_a_currency_that_nobody_lists_is_refused(currency: str) -> None:
    with pytest.raises(refusals.ParameterWrong, match="is not a currency that ISO 4217 lists"):
        create_link("main", "Main", currency, DEFAULTS, at=START)
    with pytest.raises(refusals.ParameterWrong, match="is not a currency that ISO 4217 lists"):
        create_pit("pit", "Pit", currency, at=START)


@pytest.mark.parametrize("currency", ["CLF", "UYW"])
def test_a_currency_of_four_decimals_is_refused(currency: str) -> None:
    with pytest.raises(refusals.ParameterWrong, match=f"{currency} has four decimals"):
        create_link("main", "Main", currency, DEFAULTS, at=START)


@pytest.mark.parametrize(
    "change",
    [
        {"seed": 0},
        {"progressive_bet": 0},
        {"meter_ppm": 1_000_001},
        {"meter_ppm": 900_000, "reserve_ppm": 100_001},
        {"ceiling": 1},
        {"straight_flush_approvals": -1},
        {"royal_flush_approvals": 11},
        {"silent_after": 0},
    ],
)
def test_a_link_on_impossible_parameters_is_refused(change: dict[str, Any]) -> None:
    with pytest.raises(refusals.ParameterWrong):
        create_link("main", "Main", "SGD", replace(DEFAULTS, **change), at=START)


def test_every_refusal_has_a_code_of_its_own_in_lower_snake_case() -> None:
    codes = [kind.code for kind in refusals.kinds()]
    assert len(codes) == len(set(codes)) > 50
    assert all(code.replace("_", "").isalpha() and code.islower() for code in codes)


@pytest.mark.parametrize(
    ("main", "code", "field"),
    [
        (MainGame(bet=-1), "amount_negative", "bet"),
        (MainGame(flop=LARGEST_AMOUNT + 1), "amount_too_large", "flop"),
        (MainGame(turn=-1), "amount_negative", "turn"),
        (MainGame(river=10**30), "amount_too_large", "river"),
        (MainGame(decision="x" * 501), "text_too_long", "decision"),
        (MainGame(player="\ud800"), "text_malformed", "player"),
    ],
)
def test_a_main_game_that_cannot_be_kept_is_refused(
    floor: Floor, main: MainGame, code: str, field: str
) -> None:
    refused = assert_refused(floor, hands(floor, replace(HAND, main=main)), code)
    assert refused.data["field"] == f"hands[box 1].{field}"
