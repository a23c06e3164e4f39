"""What was paid is owed until it is handed over; what nobody comes for has an account of its own."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.instants import DAY, SECOND
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import (
    AlreadyHandedOver,
    AlreadyUnclaimed,
    BadInput,
    NotOverdue,
    ParameterWrong,
    ReasonMissing,
    ReferencePersonal,
    ReferenceWrong,
    Refused,
    SamePerson,
    WinNotPaid,
    WinUnknown,
    WinWithoutSlip,
)
from jackpot.link.answers import HandoverAnswer, ProposalAnswer, SlipAnswer
from jackpot.link.commands import (
    CloseLink,
    CloseTable,
    Command,
    Confirm,
    DecideClaim,
    HandOver,
    LeaveUnclaimed,
    PrintSlip,
    Propose,
    ReceiveTransfer,
)
from jackpot.link.facts import (
    ClaimDecided,
    Entry,
    SlipPrinted,
    WinHandedOver,
    WinPaid,
    WinUnclaimed,
    read_entry,
)
from jackpot.link.handovers import Ended, HandoverState, Method
from jackpot.link.parameters import check_parameters
from jackpot.link.proposals import LinkOpening, Retirement
from jackpot.link.wins import ClaimOutcome
from jackpot.machine.applying import replayed
from jackpot.machine.auditing import Denied, audit
from tests.floor import DEFAULTS, NOTHING, ROYAL, STRAIGHT_FLUSH, Floor
from tests.golden import kept

YEAR = 365 * 86_400
PAID = 5_000_20


def handing(win: str, person: str = "ben", **more: Any) -> HandOver:
    return HandOver(
        **{"person": person, "win": win, "reference": "IDC-4711", "method": Method.CASH, "note": ""} | more
    )


def paid(floor: Floor, hand: str = STRAIGHT_FLUSH["c"], table: str = "s1") -> str:
    win = floor.wins_major(table, hand)
    floor.approve(win, *(("ana",) if hand.startswith("9") else ("ana", "tom")))
    assert win not in floor.link.queue
    return win


def open_claim(floor: Floor) -> str:
    floor.bets("s1", [1])
    floor.wait(1)
    floor.hands("s1", {1: NOTHING}, final=True)
    dealt = floor.at(floor.time - 0.5)
    return str(floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, dealt=dealt).results[0].claim)


def claimed(floor: Floor, outcome: ClaimOutcome = ClaimOutcome.IN_ORDER) -> str:
    floor.bets("s1", [1])
    floor.wait(1)
    floor.hands("s1", {1: NOTHING}, final=True)
    claim = str(
        floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(floor.time - 0.5)).results[0].claim
    )
    floor.decide_claim(claim, outcome)
    return claim


def leave(win: str, person: str = "sue") -> LeaveUnclaimed:
    return LeaveUnclaimed(person=person, win=win, reason="nobody came within the year")


# Slips


def test_a_paid_win_is_due_and_its_slip_has_the_next_number() -> None:
    floor = Floor()
    wins = [paid(floor) for _ in range(3)]
    assert [one.slip for one in floor.facts(WinPaid)] == [1, 2, 3]
    assert list(floor.link.handovers) == wins
    first = floor.link.handovers[wins[0]]
    assert (first.state, first.amount, first.approved_by) == (HandoverState.DUE, PAID, ("ana",))


def test_slips_have_no_gap_where_wins_are_rejected_or_claims_refused() -> None:
    floor = Floor()
    paid(floor)
    floor.reject(floor.wins_major("s1", STRAIGHT_FLUSH["h"]))
    claimed(floor, ClaimOutcome.REFUSED)
    claimed(floor)
    paid(floor)
    assert [one.slip for one in floor.facts(WinPaid)] == [1, 3]
    assert [one.slip for one in floor.facts(ClaimDecided)] == [None, 2]


def test_a_slip_that_is_printed_again_says_which_copy_it_is() -> None:
    floor = Floor()
    win = paid(floor)
    answers = [floor.act(PrintSlip(person=person, win=win)) for person in ("ana", "ben", "ana")]
    copies = [answer.copy for answer in answers if isinstance(answer, SlipAnswer)]
    assert copies == [1, 2, 3]
    assert floor.link.handovers[win].printed == 3


def test_a_print_asked_for_twice_with_one_key_counts_once() -> None:
    floor = Floor()
    win = paid(floor)
    for _ in range(2):
        floor.act(PrintSlip(person="ana", win=win, act_id="k"))
    assert len(floor.facts(SlipPrinted)) == 1


# Handing over


def test_one_person_hands_over_what_one_has_approved() -> None:
    floor = Floor()
    win = paid(floor)
    prizes = floor.balance(Account.PRIZES)
    answer = floor.act(handing(win, note="in hundreds"))
    assert isinstance(answer, HandoverAnswer)
    assert answer.state is HandoverState.HANDED_OVER
    assert floor.link.handovers == {}
    (fact,) = floor.facts(WinHandedOver)
    assert (fact.persons, fact.reference, fact.method, fact.amount) == (
        ("ben",),
        "IDC-4711",
        Method.CASH,
        PAID,
    )
    assert fact.moves == {}
    assert floor.balance(Account.PRIZES) == prizes


@pytest.mark.parametrize("person", ["ana", "ANA", " ana"])
def test_who_approved_it_alone_does_not_hand_it_over_alone(person: str) -> None:
    floor = Floor()
    win = paid(floor)
    with pytest.raises(SamePerson):
        floor.act(handing(win, person))
    assert win in floor.link.handovers


def test_what_two_have_approved_two_hand_over() -> None:
    floor = Floor()
    win = paid(floor, ROYAL["c"])
    answer = floor.act(handing(win, "ana", method=Method.SEVERAL, note="10,000.00 cash, the rest a cheque"))
    assert isinstance(answer, ProposalAnswer)
    assert win in floor.link.handovers
    with pytest.raises(SamePerson):
        floor.act(Confirm(person="ana", proposal=answer.proposal))
    floor.act(Confirm(person="ben", proposal=answer.proposal))
    (fact,) = floor.facts(WinHandedOver)
    assert fact.persons == ("ana", "ben")
    assert floor.link.handovers == {}


def test_another_proposal_to_hand_it_over_goes_with_the_first() -> None:
    floor = Floor()
    win = paid(floor, ROYAL["c"])
    first = floor.act(handing(win, "ana"))
    floor.act(handing(win, "ben", reference="IDC-4712"))
    assert isinstance(first, ProposalAnswer)
    floor.act(Confirm(person="ben", proposal=first.proposal))
    assert floor.link.proposals == {}


def test_a_paid_late_claim_is_handed_over_like_a_win() -> None:
    floor = Floor()
    claim = claimed(floor)
    assert floor.link.handovers[claim].approved_by == ("sue", "tom")
    floor.act(handing(claim, "ana"))
    assert floor.facts(WinHandedOver)[0].win == claim


def test_what_is_handed_over_is_handed_over_once() -> None:
    floor = Floor()
    win = paid(floor)
    floor.act(handing(win))
    for again in (handing(win, "tom"), PrintSlip(person="ana", win=win), leave(win)):
        with pytest.raises(AlreadyHandedOver):
            floor.act(again)


def test_the_same_hand_over_with_the_same_key_is_answered_as_the_first_time() -> None:
    floor = Floor()
    win = paid(floor)
    told = [floor.act(handing(win, act_id="k")) for _ in range(2)]
    assert told[0] == told[1]
    assert len(floor.facts(WinHandedOver)) == 1


# Refusals


def waits(floor: Floor) -> str:
    return floor.wins_major("s1", STRAIGHT_FLUSH["c"])


def rejected(floor: Floor) -> str:
    win = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.reject(win)
    return win


def withdrawn(floor: Floor) -> str:
    win = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.hands("s1", {1: NOTHING})
    assert win not in floor.link.queue
    return win


def refused_claim(floor: Floor) -> str:
    return claimed(floor, ClaimOutcome.REFUSED)


@pytest.mark.parametrize("unpaid", [waits, rejected, withdrawn, refused_claim, open_claim])
@pytest.mark.parametrize(
    "act", [handing, leave, lambda win: PrintSlip(person="ana", win=win)], ids=["hand over", "leave", "print"]
)
def test_there_is_no_slip_of_what_was_not_paid(
    unpaid: Callable[[Floor], str], act: Callable[[str], Command]
) -> None:
    floor = Floor()
    win = unpaid(floor)
    before = floor.link.sequence
    with pytest.raises(WinNotPaid):
        floor.act(act(win))
    assert floor.link.sequence == before


def test_there_is_no_slip_of_an_unknown_win() -> None:
    with pytest.raises(WinUnknown):
        Floor().act(handing("s1.1.1.1"))


@pytest.mark.parametrize(
    ("reference", "refusal"),
    [
        ("", ReferenceWrong),
        (" ", ReferenceWrong),
        ("Tan Ah Kow", ReferenceWrong),
        ("TAN", ReferenceWrong),
        ("guest@hotel7.com", ReferenceWrong),
        ("+65 8123 4567", ReferenceWrong),
        ("ID-1\n", ReferenceWrong),
        ("身份-1", ReferenceWrong),
        ("ID-\uff11", ReferenceWrong),
        ("-1", ReferenceWrong),
        ("1" * 41, ReferenceWrong),
        ("S1234567D", ReferencePersonal),
        ("g7654321k", ReferencePersonal),
        ("850101-14-5555", ReferencePersonal),
        ("850101145555", ReferencePersonal),
        ("11010519491231002X", ReferencePersonal),
    ],
)
def test_a_reference_names_a_record_and_no_person(reference: str, refusal: type[BadInput]) -> None:
    floor = Floor()
    win = paid(floor)
    with pytest.raises(refusal) as told:
        floor.act(handing(win, reference=reference))
    assert told.value.data["field"] == "reference"
    assert win in floor.link.handovers


@pytest.mark.parametrize("reference", ["7", "IDC-2026/004711", "a.b_c-9", "1" * 40, "KYC-S1234567D"])
def test_a_reference_of_another_system_is_taken(reference: str) -> None:
    floor = Floor()
    floor.act(handing(paid(floor), reference=reference))
    assert floor.facts(WinHandedOver)[0].reference == reference


def test_several_methods_say_how_much_by_which() -> None:
    floor = Floor()
    win = paid(floor)
    with pytest.raises(ReasonMissing):
        floor.act(handing(win, method=Method.SEVERAL, note=" "))
    floor.act(handing(win, method=Method.SEVERAL, note="half cash, half chips"))


def test_what_an_earlier_release_paid_has_no_slip() -> None:
    """Its journal is replayed as it was, and owes nobody a paper."""
    golden = next(one for one in kept("0.1") if any(b'"WinPaid"' in data for data in one.entries))
    entries: list[Entry] = []
    for data in golden.entries:
        entries.append(read_entry(golden.of, data, entries[-1].hash if entries else ""))
    link: Any = replayed(entries)
    assert (link.slips, link.handovers) == (0, {})
    floor = Floor()
    win = paid(floor)
    floor.book.archive.keep_ended("old.1.1.1", Ended.WITHOUT_SLIP)
    with pytest.raises(WinWithoutSlip):
        floor.act(handing("old.1.1.1"))
    assert win in floor.link.handovers


# Unclaimed


def test_what_nobody_comes_for_has_an_account_of_its_own_until_somebody_comes() -> None:
    floor = Floor()
    win, other = paid(floor), paid(floor)
    prizes, amount = floor.balance(Account.PRIZES), floor.link.handovers[win].amount
    floor.wait(YEAR)
    floor.act(leave(win))
    assert floor.link.handovers[win].state is HandoverState.UNCLAIMED
    assert floor.balance(Account.UNCLAIMED) == to_units(amount)
    assert floor.balance(Account.PRIZES) == prizes - to_units(amount)
    assert sum(floor.link.pool.accounts.values()) == 0
    assert floor.link.handovers[other].state is HandoverState.DUE
    floor.act(handing(win))
    assert (floor.balance(Account.UNCLAIMED), floor.balance(Account.PRIZES)) == (0, prizes)
    assert list(floor.link.handovers) == [other]


def test_it_is_unclaimed_once_its_time_is_over_and_not_a_microsecond_before() -> None:
    floor = Floor(said_unclaimed_after_days=30)
    win = paid(floor)
    at = floor.link.handovers[win].paid_at
    with pytest.raises(NotOverdue) as told:
        floor.book.submit(leave(win), at=at + 30 * DAY - 1)
    assert str(told.value.data["overdue_from"]).startswith("2026-01-31")
    floor.book.submit(leave(win), at=at + 30 * DAY)
    assert floor.link.handovers[win].unclaimed == floor.link.sequence
    with pytest.raises(AlreadyUnclaimed):
        floor.act(leave(win))


@pytest.mark.parametrize("days", [0, -1, 3651])
def test_a_winner_has_a_day_at_least_and_ten_years_at_most(days: int) -> None:
    with pytest.raises(ParameterWrong):
        check_parameters(replace(DEFAULTS, said_unclaimed_after_days=days))


def test_leaving_it_unclaimed_needs_a_reason() -> None:
    floor = Floor()
    win = paid(floor)
    floor.wait(YEAR)
    with pytest.raises(ReasonMissing):
        floor.act(replace(leave(win), reason=" "))


# A link that is given up still owes what it has paid


def given_up() -> tuple[Floor, str, str]:
    floor = Floor()
    small, royal = paid(floor), paid(floor, ROYAL["c"])
    floor.act(CloseLink(person="ana", reason="the end"))
    for table in ("s1", "s2"):
        floor.act(CloseTable(person="ana", table=table, reason="the end"))
        current = floor.link.tables[table].round
        if current is not None and not current.stands:
            floor.hands(table, {1: ROYAL["c"]}, final=True)
    floor.agree(Retirement(to=None))
    assert floor.link.retired is not None
    return floor, small, royal


def test_a_retired_link_hands_over_what_it_owes() -> None:
    floor, small, royal = given_up()
    floor.act(PrintSlip(person="ana", win=small))
    floor.act(handing(small))
    told = floor.act(handing(royal, "ana"))
    assert isinstance(told, ProposalAnswer)
    floor.act(Confirm(person="ben", proposal=told.proposal))
    assert floor.link.handovers == {}


def test_a_retired_link_keeps_what_nobody_came_for() -> None:
    floor, small, _ = given_up()
    floor.wait(YEAR)
    floor.act(leave(small))
    assert floor.balance(Account.UNCLAIMED) == to_units(PAID)


def test_a_retired_link_does_nothing_else() -> None:
    floor, _, _ = given_up()
    acts: list[Command] = [
        Propose(person="ana", change=LinkOpening(), reason="again"),
        Confirm(person="ana", proposal="main.p1"),
        DecideClaim(person="ana", claim="x", outcome=ClaimOutcome.REFUSED, reason="why"),
        ReceiveTransfer(
            person="x", transfer="t", source="o", currency="SGD", amounts={}, persons=(), reason="why"
        ),
    ]
    for act in acts:
        with pytest.raises(Refused) as told:
            floor.act(act)
        assert told.value.code == "link_retired"


# What an auditor computes again


def due(hand: str = STRAIGHT_FLUSH["c"]) -> Floor:
    floor = Floor()
    paid(floor, hand)
    return floor


def _handed(floor: Floor, **more: Any) -> WinHandedOver:
    (win,) = floor.link.handovers
    one = floor.link.handovers[win]
    honest = WinHandedOver(
        win=win,
        slip=one.slip,
        amount=one.amount,
        reference="IDC-1",
        method=Method.CASH,
        note="",
        persons=("ben",),
    )
    return replace(honest, **more)


def test_an_honest_hand_over_is_verified() -> None:
    floor = due()
    audit(floor.link, _handed(floor))


@pytest.mark.parametrize(
    "forged",
    [
        {"win": "s1.9.9.9"},
        {"slip": 2},
        {"amount": 1},
        {"persons": ("ana",)},
        {"persons": ()},
        {"reference": "S1234567D"},
        {"reference": "nobody"},
        {"moves": {Account.UNCLAIMED: -1, Account.PRIZES: 1}},
    ],
)
def test_a_made_up_hand_over_is_denied(forged: dict[str, Any]) -> None:
    floor = due()
    with pytest.raises(Denied):
        audit(floor.link, _handed(floor, **forged))


def test_one_person_does_not_hand_over_what_takes_two() -> None:
    floor = due(ROYAL["c"])
    with pytest.raises(Denied):
        audit(floor.link, _handed(floor, persons=("cho",)))
    audit(floor.link, _handed(floor, persons=("cho", "ana")))


def test_a_forged_print_and_what_is_left_too_early_are_denied() -> None:
    floor = due()
    (win,) = floor.link.handovers
    one = floor.link.handovers[win]
    with pytest.raises(Denied):
        audit(floor.link, SlipPrinted(win=win, slip=1, copy=2, person="ana"))
    units = to_units(one.amount)
    left = WinUnclaimed(
        win=win,
        slip=1,
        amount=one.amount,
        person="sue",
        reason="nobody came",
        moves={Account.PRIZES: -units, Account.UNCLAIMED: units},
    )
    audit(floor.link, left, one.paid_at + 365 * DAY)
    with pytest.raises(Denied, match="too early"):
        audit(floor.link, left, one.paid_at + 365 * DAY - SECOND)
    with pytest.raises(Denied):
        audit(floor.link, replace(left, moves={}), one.paid_at + 365 * DAY)


def test_a_payment_that_leaves_out_or_repeats_a_number_is_denied() -> None:
    floor = Floor()
    paid(floor)
    second = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.approve(second, "ana")
    honest = floor.facts(WinPaid)[-1]
    place = next(n for n, one in enumerate(floor.book.entries) if one.fact is honest)
    link: Any = replayed(floor.book.entries[:place])
    audit(link, honest)
    for slip in (None, 1, 3):
        with pytest.raises(Denied, match="slip"):
            audit(link, replace(honest, slip=slip))


def test_the_state_after_a_restart_owes_the_same() -> None:
    floor = Floor()
    win = paid(floor)
    floor.act(PrintSlip(person="ana", win=win))
    paid(floor)
    floor.wait(YEAR)
    floor.act(leave(win))
    assert floor.book.restart() == floor.book.link
