"""Award policies: what wins that meet are paid, to the cent, and how anybody computes it again."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import NotAmbiguous, ParameterWrong
from jackpot.games.progressive import RULE_BOOK_LEVELS, Prize
from jackpot.link import commands
from jackpot.link.awards import Awards, Policy
from jackpot.link.facts import (
    ClaimRaised,
    Entry,
    HandsInvalidated,
    MalfunctionDeclared,
    ParametersChanged,
    WinPaid,
    WinRegistered,
    WinsOrdered,
)
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, ParameterChange
from jackpot.link.state import Registered, Then
from jackpot.link.wins import ClaimOutcome, Interval
from jackpot.machine.applying import apply, created
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.kinds import kind_of
from jackpot.machine.telling import Telling
from jackpot.pools.policies import POLICIES
from tests.floor import ROYAL, STRAIGHT_FLUSH, STUD, Floor

ORDERED, SPLIT, FULL_EACH = Policy
TOGETHER = [SPLIT, FULL_EACH]


def floor_with(policy: Policy, *, tables: int = 4, **more: Any) -> Floor:
    parameters = {name: more.pop(name) for name in ("seed", "order_basis", "ceiling") if name in more}
    names = {f"s{number}": STUD for number in range(1, tables + 1)}
    return Floor(tables=names, awards=Awards(policy=policy, **more), meter_ppm=0, reserve_ppm=0, **parameters)


def dealt_at_once(floor: Floor, hands: Sequence[tuple[str, int, str]]) -> list[str]:
    """Each at a table, a box: the House can tell no order of them."""
    for table, box, _ in hands:
        floor.bets(table, [box])
    floor.wait(1)
    found = []
    for table, box, cards in hands:
        (result,) = floor.hands(table, {box: cards}, final=True).results
        assert result.win is not None
        found.append(result.win)
    return found


def dealt_later(floor: Floor, table: str, hand: str) -> str:
    """Its bets are journalled when all that was dealt before has been received."""
    floor.wait(5)
    return floor.wins_major(table, hand, final=True)


def audited(floor: Floor) -> None:
    """Every payment is computed again from the journal's bytes alone."""
    before = floor.book.restart()
    _audit(floor.book.entries)
    assert before == floor.book.link


def _audit(entries: Sequence[Entry]) -> None:
    link = created(entries[0])
    for entry in entries[1:]:
        audit(link, entry.fact, entry.at)
        apply(link, entry.fact, entry.stamp)


# The examples


@pytest.mark.parametrize(
    ("policy", "paid"),
    [
        (ORDERED, [8_000_000, 5_000_000]),
        (SPLIT, [4_000_000, 4_000_000]),
        (FULL_EACH, [8_000_000, 8_000_000]),
    ],
)
def test_two_royal_flushes_at_once_and_a_straight_flush_after_them(policy: Policy, paid: list[int]) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    first, second = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    last = dealt_later(floor, "s3", STRAIGHT_FLUSH["c"])
    if policy is ORDERED:
        floor.decide(first, second)
    for win in (last, second, first):
        floor.approve(win)
    assert floor.paid == [(first, paid[0]), (second, paid[1]), (last, 500_000)]
    assert floor.value == 4_500_000  # reset once or twice, it stands at the seed less the straight flush
    resets = [fact for fact in floor.facts(WinPaid) if fact.parameters is not None]
    assert len(resets) == (2 if policy is ORDERED else 1)
    audited(floor)


def test_what_each_is_paid_in_full_comes_from_the_pool_then_reserve_then_house() -> None:
    floor = floor_with(FULL_EACH)
    floor.raise_to(8_000_000)
    floor.agree(Adjustment(amount=1, account=Account.HOUSE))
    floor.agree(Adjustment(amount=-1, account=Account.RESERVE))
    before = dict(floor.link.pool.accounts)
    for win in dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])]):
        floor.approve(win)
    facts = floor.facts(WinPaid)
    assert [fact.from_pool for fact in facts] == [to_units(8_000_000), 0]
    assert facts[1].moves[Account.RESERVE] == -to_units(1)
    taken = before[Account.HOUSE] - floor.balance(Account.HOUSE)
    progressive = 2 * to_units(500)  # the two bets, of which the house keeps all here
    assert taken == to_units(8_000_000 + 5_000_000 - 1) - progressive
    audited(floor)


@pytest.mark.parametrize(
    ("policy", "royal", "straight", "left"),
    [
        (ORDERED, 7_200_000, 800_000, 5_000_000),
        (SPLIT, 8_000_000, 800_000, 5_000_000),
        (FULL_EACH, 8_000_000, 800_000, 5_000_000),
    ],
)
def test_a_royal_and_a_straight_flush_at_once(policy: Policy, royal: int, straight: int, left: int) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    all_of_it, tenth = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, STRAIGHT_FLUSH["h"])])
    if policy is ORDERED:
        floor.decide(tenth, all_of_it)
    floor.approve(all_of_it)
    floor.approve(tenth)
    assert dict(floor.paid) == {all_of_it: royal, tenth: straight}
    assert floor.value == left
    facts = {fact.win: fact for fact in floor.facts(WinPaid)}
    if policy is not ORDERED:
        assert facts[all_of_it].from_pool == to_units(7_200_000)  # the rest from reserve, then house
        assert {fact.proof.reading for fact in facts.values()} == {8_000_000}
    audited(floor)


def test_cents_that_cannot_be_shared_go_clockwise_then_by_table() -> None:
    floor = floor_with(SPLIT, tables=3)
    floor.raise_to(8_000_001)
    hands = [("s3", 1, ROYAL["s"]), ("s1", 4, ROYAL["h"]), ("s2", 1, ROYAL["d"])]
    at_s3, at_s1, at_s2 = dealt_at_once(floor, hands)
    for win in (at_s1, at_s2, at_s3):
        floor.approve(win)
    assert floor.paid == [(at_s2, 2_666_667), (at_s3, 2_666_667), (at_s1, 2_666_667)]
    assert sum(amount for _, amount in floor.paid) == 8_000_001
    floor.raise_to(8_000_000)
    floor.wait(10)
    hands = [("s3", 1, ROYAL["s"]), ("s1", 4, ROYAL["h"]), ("s2", 1, ROYAL["d"])]
    for win in dealt_at_once(floor, hands):
        floor.approve(win)
    assert [amount for _, amount in floor.paid[3:]] == [2_666_667, 2_666_667, 2_666_666]
    audited(floor)


# The proof


def test_a_payment_carries_its_reading_its_sharers_and_its_formula() -> None:
    floor = floor_with(SPLIT)
    floor.raise_to(8_000_001)
    wins = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    for win in wins:
        floor.approve(win)
    first, second = (fact.proof for fact in floor.facts(WinPaid))
    assert (first.policy, first.reading, first.percent, list(first.wins)) == (SPLIT, 8_000_001, 100, wins)
    whole = "8000001 x 100 / 100 = 8000001; 8000001 / 2 = 4000000, 1 left"
    assert first.formula == f"{whole}; place 1 of 2: 4000000 + 1"
    words = kind_of(floor.facts(WinPaid)[0]).words(floor.facts(WinPaid)[0], Telling("SGD"))
    assert "is paid SGD 40,000.01: 100 % of SGD 80,000.01, shared by 2." in words
    assert second.formula == f"{whole}; place 2 of 2: 4000000 + 0"


@pytest.mark.parametrize("policy", Policy)
@given(reading=st.integers(0, 10**12), percent=st.integers(1, 100), count=st.integers(1, 8))
def test_what_a_policy_pays(policy: Policy, reading: int, percent: int, count: int) -> None:
    wins = [f"w{number}" for number in range(count)]
    proofs = POLICIES[policy].proofs(reading, percent, wins)
    whole = (reading * percent + 50) // 100
    amounts = [proof.amount for proof in proofs]
    if policy is SPLIT:
        assert sum(amounts) == whole
        assert max(amounts) - min(amounts) <= 1
        assert amounts == sorted(amounts, reverse=True)
    else:
        assert amounts == [whole] * count
    for proof in proofs:
        assert proof.formula.endswith(f"= {proof.amount}") or policy is SPLIT


@pytest.mark.parametrize("policy", TOGETHER)
@pytest.mark.parametrize("forged", ["amount", "proof", "due", "parameters"])
def test_a_forged_payment_is_denied(policy: Policy, forged: str) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    wins = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    for win in wins:
        floor.approve(win)
    place = next(n for n, one in enumerate(floor.book.entries) if isinstance(one.fact, WinPaid))
    fact: Any = floor.book.entries[place].fact
    other: Any = {
        "amount": fact.amount - 1,
        "proof": replace(fact.proof, reading=fact.proof.reading + 100),
        "due": (),
        "parameters": floor.link.parameters,
    }[forged]
    entries = list(floor.book.entries)
    entries[place] = replace(entries[place], fact=replace(fact, **{forged: other}))
    with pytest.raises(Denied, match="the journal says"):
        _audit(entries)


FORGED_PAYMENTS: dict[str, Any] = {
    "table": "s4",
    "round": 99,
    "box": 7,
    "hand": Hand.STRAIGHT_FLUSH,
    "interval": Interval(start=1, end=2),
    "witnessed": Interval(start=1, end=2),
    "spooled": True,
    "ordered_by": 1,
    "percent": 99,
    "from_pool": 1,
    "contributed_before_reset": -1,
    "registered": Registered(sequence=1, meter=1, overflow=0, segments=(), pending=(), contributed=0),
}


@pytest.mark.parametrize("policy", Policy)
@pytest.mark.parametrize("forged", FORGED_PAYMENTS)
def test_what_a_payment_says_of_its_win_is_denied_if_it_is_not_so(policy: Policy, forged: str) -> None:
    """A bet is paid once, and late claims are measured by it."""
    floor = floor_with(policy)
    floor.approve(floor.wins_major("s1", ROYAL["s"], final=True))
    entries = list(floor.book.entries)
    place = next(n for n, one in enumerate(entries) if isinstance(one.fact, WinPaid))
    fact = replace(entries[place].fact, **{forged: FORGED_PAYMENTS[forged]})
    entries[place] = replace(entries[place], fact=fact)
    with pytest.raises(Denied):
        _audit(entries[: place + 1])


@pytest.mark.parametrize("forged", [{"percent": 20}, {"percent": 100}, {"segment": 9}, {"registered": 3}])
def test_a_registration_by_another_level_place_or_reading_is_denied(forged: dict[str, Any]) -> None:
    floor = floor_with(ORDERED)
    floor.wins_major("s1", STRAIGHT_FLUSH["s"], final=True)
    entries = list(floor.book.entries)
    place = next(n for n, one in enumerate(entries) if isinstance(one.fact, WinRegistered))
    entries[place] = replace(entries[place], fact=replace(entries[place].fact, **forged))
    with pytest.raises(Denied):
        _audit(entries[: place + 1])


@pytest.mark.parametrize(
    "forged",
    [
        None,
        Awards(policy=FULL_EACH, cap=10_000),
        Awards(policy=SPLIT),
        Awards(policy=SPLIT, cap=10_000, window=5),
        Awards(policy=SPLIT, cap=10_000, levels={Hand.ROYAL_FLUSH: Prize(share=100)}),
    ],
)
def test_bets_on_another_pay_table_are_denied(forged: Awards | None) -> None:
    floor = floor_with(SPLIT, cap=10_000)
    floor.bets("s1", [1])
    entries = list(floor.book.entries)
    fact: Any = entries[-1].fact
    entries[-1] = replace(entries[-1], fact=replace(fact, awards=forged))
    with pytest.raises(Denied, match="what its hands win"):
        _audit(entries)


def test_parameters_that_change_at_once_are_possible_ones_of_a_closed_link() -> None:
    floor = floor_with(ORDERED)
    now = ParametersChanged(proposal="main.p1", parameters=floor.link.parameters)
    with pytest.raises(Denied, match="was open"):
        audit(floor.link, now)
    floor.act(commands.CloseLink(person="ana", reason="night"))
    audit(floor.link, now)
    wrong = replace(floor.link.parameters, awards=Awards(levels={Hand.ROYAL_FLUSH: Prize(share=99)}))
    with pytest.raises(Denied, match="100 percent"):
        audit(floor.link, replace(now, parameters=wrong))


def test_an_order_that_was_written_before_its_window_was_over_is_denied() -> None:
    floor = floor_with(SPLIT, window=5 * SECOND)
    floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(6)
    floor.beat("s3")
    entry, link = floor.book.entries.pop(), created(floor.book.entries[0])
    assert isinstance(entry.fact, WinsOrdered)
    for before in floor.book.entries[1:]:
        apply(link, before.fact, before.stamp)
    end = link.queue[entry.fact.wins[0]].interval.end + 5 * SECOND  # type: ignore[attr-defined]
    audit(link, entry.fact, end + 1)
    with pytest.raises(Denied, match="too early"):
        audit(link, entry.fact, end)


# All of a cluster, or none


@pytest.mark.parametrize("policy", TOGETHER)
def test_a_cluster_waits_until_all_of_it_is_approved(policy: Policy) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    first, second = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    floor.approve(first)
    assert floor.paid == []
    floor.approve(second, "ana")
    assert floor.paid == []
    floor.approve(second, "ben")
    assert len(floor.paid) == 2
    assert floor.link.due == ()


@pytest.mark.parametrize(("policy", "amount"), [(SPLIT, 8_000_000), (FULL_EACH, 8_000_000)])
def test_who_is_rejected_shares_nothing(policy: Policy, amount: int) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    first, second = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    floor.approve(first)
    floor.reject(second)
    assert floor.paid == [(first, amount)]
    audited(floor)


@pytest.mark.parametrize("policy", TOGETHER)
def test_the_house_has_no_order_to_decide_where_wins_are_paid_together(policy: Policy) -> None:
    floor = floor_with(policy)
    wins = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, ROYAL["h"])])
    with pytest.raises(NotAmbiguous):
        floor.decide(*wins)


@pytest.mark.parametrize("policy", TOGETHER)
def test_a_corrected_hand_leaves_its_cluster(policy: Policy) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    for table in ("s1", "s2"):
        floor.bets(table, [1])
    floor.wait(1)
    first = floor.hands("s1", {1: ROYAL["s"]}).results[0].win
    floor.hands("s2", {1: ROYAL["h"]})
    floor.wait(1)
    corrected = floor.hands("s2", {1: STRAIGHT_FLUSH["h"]}, dealt=floor.now - SECOND).results[0].win
    assert first is not None
    assert corrected is not None
    floor.approve(first)
    floor.approve(corrected)
    assert dict(floor.paid) == {first: 8_000_000, corrected: 800_000}
    audited(floor)


# What counts as simultaneous


@pytest.mark.parametrize(("window", "amounts"), [(None, [8_000_000, 5_000_000]), (3_000, [4_000_000] * 2)])
def test_a_window_makes_wins_simultaneous_that_do_not_overlap(window: int | None, amounts: list[int]) -> None:
    floor = floor_with(SPLIT, window=None if window is None else window * MILLISECOND)
    floor.raise_to(8_000_000)
    first = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(1)
    second = floor.wins_major("s2", ROYAL["h"], final=True)
    floor.wait(10)
    floor.approve(first)
    floor.approve(second)
    assert floor.paid == list(zip([first, second], amounts, strict=True))
    audited(floor)


def test_no_win_is_paid_while_a_hand_may_still_fall_into_its_window() -> None:
    floor = floor_with(SPLIT, window=5 * SECOND)
    floor.raise_to(8_000_000)
    first = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.approve(first)
    assert floor.paid == []
    floor.wait(1)
    second = floor.wins_major("s2", ROYAL["h"], final=True)
    floor.approve(second)
    floor.wait(4)
    floor.beat("s3")
    assert floor.paid == []  # the second one's window is not over
    floor.wait(5)
    floor.beat("s3")
    assert floor.paid == [(first, 4_000_000), (second, 4_000_000)]
    audited(floor)


def test_with_a_window_the_house_decides_the_order_of_wins_that_do_not_overlap() -> None:
    floor = floor_with(ORDERED, window=3 * SECOND)
    floor.raise_to(8_000_000)
    first = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(1)
    second = floor.wins_major("s2", ROYAL["h"], final=True)
    floor.wait(10)
    for win in (first, second):
        floor.approve(win)
    assert floor.paid == []
    floor.decide(second, first)
    assert floor.paid == [(second, 8_000_000), (first, 5_000_000)]
    audited(floor)


@pytest.mark.parametrize("policy", TOGETHER)
def test_two_boxes_of_one_round_are_paid_together_unless_their_deals_lie_apart(policy: Policy) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    floor.bets("s1", [2, 5])
    floor.wait(4)
    same = floor.now - SECOND
    told = floor.hands("s1", {2: STRAIGHT_FLUSH["s"], 5: STRAIGHT_FLUSH["h"]}, dealt=same, final=True)
    for result in told.results:
        assert result.win is not None
        floor.approve(result.win)
    each = 400_000 if policy is SPLIT else 800_000
    assert [amount for _, amount in floor.paid] == [each, each]
    audited(floor)


@pytest.mark.parametrize("policy", TOGETHER)
@pytest.mark.parametrize(("window", "together"), [(None, False), (3 * SECOND, True)])
def test_two_rounds_of_one_table_are_simultaneous_only_within_a_window(
    policy: Policy, window: int | None, *, together: bool
) -> None:
    """Without one the House knows that they follow each other, however well it knows its own time."""
    floor = floor_with(policy, window=window)
    floor.raise_to(8_000_000)
    first = floor.wins_major("s1", STRAIGHT_FLUSH["s"], final=True)
    second = floor.wins_major("s1", STRAIGHT_FLUSH["h"], final=True)
    floor.wait(10)
    for win in (first, second):
        floor.approve(win)
    amounts = (
        {SPLIT: [400_000, 400_000], FULL_EACH: [800_000, 800_000]}[policy] if together else [800_000, 720_000]
    )
    assert floor.paid == [(first, amounts[0]), (second, amounts[1])]
    audited(floor)


# Late claims and malfunctions


@pytest.mark.parametrize(("policy", "amount"), [(SPLIT, 4_000_000), (FULL_EACH, 8_000_000)])
def test_a_late_claim_is_worth_what_it_would_have_been_paid_with_the_others(
    policy: Policy, amount: int
) -> None:
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    floor.bets("s2", [1])
    floor.bets("s1", [1])
    floor.wait(1)
    paid = floor.hands("s1", {1: ROYAL["s"]}, final=True).results[0].win
    assert paid is not None
    floor.malfunction("s2", seen={"s2": True}, then=Then.CLOSE)
    floor.approve(paid)
    assert [one for _, one in floor.paid] == [8_000_000]
    floor.hands("s2", {1: ROYAL["h"]}, final=True)
    (claim,) = floor.link.claims.values()
    assert claim.in_order == amount
    entries = list(floor.book.entries)
    entries[-1] = replace(entries[-1], fact=replace(floor.facts(ClaimRaised)[0], in_order=amount + 1))
    with pytest.raises(Denied, match="its amount in order"):
        _audit(entries)
    floor.decide_claim(claim.id, ClaimOutcome.IN_ORDER)
    audited(floor)


@pytest.mark.parametrize(("policy", "amount"), [(SPLIT, 2_500_000), (FULL_EACH, 5_000_000)])
def test_a_late_claim_shares_with_its_own_cluster_alone(policy: Policy, amount: int) -> None:
    """Another one was paid of the same value, which is the seed."""
    floor = floor_with(policy)
    floor.approve(floor.wins_major("s1", ROYAL["c"], final=True))
    floor.wait(1)
    floor.bets("s2", [1])
    paid = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.malfunction("s2", seen={"s2": True}, then=Then.CLOSE)
    floor.approve(paid)
    floor.hands("s2", {1: ROYAL["h"]}, final=True)
    (claim,) = floor.link.claims.values()
    assert claim.in_order == amount
    audited(floor)


def test_a_late_claim_goes_by_the_policy_and_the_window_of_the_hold_it_belonged_to() -> None:
    """Neither is in force any more when it is reported."""
    floor = floor_with(SPLIT, window=5 * SECOND)
    floor.raise_to(8_000_000)
    changes = Changes(policy=ORDERED, no_window=True)
    floor.agree(ParameterChange(changes=changes, now=False))
    paid = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(2)
    floor.bets("s2", [1])
    floor.malfunction("s2", seen={"s2": True}, then=Then.CLOSE)
    floor.wait(6)
    floor.approve(paid)
    assert floor.link.parameters.awards.policy is ORDERED
    floor.hands("s2", {1: ROYAL["h"]}, dealt=floor.now - 6 * SECOND, final=True)
    (claim,) = floor.link.claims.values()
    assert claim.in_order == 4_000_000
    audited(floor)


@pytest.mark.parametrize(("policy", "amounts"), [(SPLIT, [300_000, 300_000]), (FULL_EACH, [600_000] * 2)])
def test_wins_of_a_registered_reading_share_that_reading(policy: Policy, amounts: list[int]) -> None:
    """S 5.18.1: what the system had registered before the malfunction."""
    floor = floor_with(policy)
    floor.raise_to(6_000_000)
    for table in ("s1", "s2"):
        floor.bets(table, [1])
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.malfunction("s2", seen={"s2": True})
    floor.raise_to(9_000_000)
    wins = []
    for table, hand in (("s1", STRAIGHT_FLUSH["s"]), ("s2", STRAIGHT_FLUSH["h"])):
        wins.append(floor.hands(table, {1: hand}, final=True).results[0].win)
    for win in wins:
        assert win is not None
        floor.approve(win)
    assert [amount for _, amount in floor.paid] == amounts
    audited(floor)


@pytest.mark.parametrize("hand", [ROYAL, STRAIGHT_FLUSH])
@pytest.mark.parametrize("waits", [False, True])
@pytest.mark.parametrize(("policy", "parts"), [(SPLIT, 2), (FULL_EACH, 1)])
def test_a_malfunction_of_one_table_changes_nothing_of_who_shares(
    policy: Policy, hand: dict[str, str], parts: int, *, waits: bool
) -> None:
    """Whether it is declared before the hands are known or after."""
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    for table in ("s1", "s2"):
        floor.bets(table, [1])
    floor.wait(1)
    if not waits:
        floor.malfunction("s1", seen={"s1": True})
    wins = [
        floor.hands(table, {1: hand[suit]}, final=not waits).results[0].win
        for table, suit in (("s1", "s"), ("s2", "h"))
    ]
    if waits:
        floor.wait(1)
        floor.malfunction("s1", seen={"s1": True})
    for win in wins:
        assert win is not None
        floor.approve(win)
    whole = 8_000_000 if hand is ROYAL else 800_000
    assert [amount for _, amount in floor.paid] == [whole // parts] * 2
    audited(floor)


def test_each_shares_its_own_reading() -> None:
    floor = floor_with(SPLIT)
    floor.raise_to(6_000_000)
    floor.bets("s1", [1])
    floor.bets("s2", [1])
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.raise_to(9_000_000)
    at_s1 = floor.hands("s1", {1: STRAIGHT_FLUSH["s"]}, final=True).results[0].win
    at_s2 = floor.hands("s2", {1: STRAIGHT_FLUSH["h"]}, final=True).results[0].win
    for win in (at_s1, at_s2):
        assert win is not None
        floor.approve(win)
    assert floor.paid == [(at_s1, 300_000), (at_s2, 450_000)]
    audited(floor)


@pytest.mark.parametrize("policy", Policy)
def test_a_reading_that_knew_nothing_of_a_royal_flush_is_emptied_by_it_whoever_is_paid_with_it(
    policy: Policy,
) -> None:
    """A straight flush of the same cluster is paid from that reading."""
    floor = floor_with(policy)
    floor.raise_to(8_000_000)
    for table in ("s1", "s2"):
        floor.bets(table, [1])
    floor.wait(1)
    floor.clear(floor.malfunction("s1", seen={"s1": True}))
    floor.malfunction("s2", seen={"s2": True}, then=Then.CLOSE)
    floor.bets("s3", [1])
    floor.wait(1)
    tenth = floor.hands("s1", {1: STRAIGHT_FLUSH["s"]}, final=True).results[0].win
    royal = floor.hands("s3", {1: ROYAL["h"]}, final=True).results[0].win
    assert tenth is not None
    assert royal is not None
    if policy is ORDERED:
        floor.decide(tenth, royal)
    for win in (tenth, royal):
        floor.approve(win)
    assert floor.link.tables["s2"].round.emptied is True
    audited(floor)


# A hold keeps the awards with which it began


def test_a_hold_keeps_its_policy_and_its_levels() -> None:
    floor = floor_with(ORDERED)
    floor.raise_to(8_000_000)
    other = dict(RULE_BOOK_LEVELS) | {Hand.STRAIGHT_FLUSH: Prize(share=20)}
    floor.agree(ParameterChange(changes=Changes(policy=SPLIT, levels=other), now=False))
    floor.bets("s4", [1])
    first = floor.wins_major("s1", ROYAL["s"], final=True)
    behind = dealt_at_once(floor, [("s2", 1, STRAIGHT_FLUSH["s"]), ("s3", 1, STRAIGHT_FLUSH["h"])])
    floor.hands("s4", {1: None}, final=True)
    floor.approve(first)
    assert floor.link.parameters.awards.policy is SPLIT  # from the reset on
    floor.decide(*behind)
    for win in behind:
        floor.approve(win)
    assert [amount for _, amount in floor.paid] == [8_000_000, 500_000, 450_000]
    assert floor.link.held_awards is None
    floor.wait(5)
    after = dealt_at_once(floor, [("s2", 1, STRAIGHT_FLUSH["s"]), ("s3", 1, STRAIGHT_FLUSH["h"])])
    value = floor.value
    for win in after:
        floor.approve(win)
    assert [amount for _, amount in floor.paid[3:]] == [value // 10, value // 10]
    audited(floor)


def test_a_round_goes_by_the_levels_that_its_players_bet_on() -> None:
    floor = floor_with(ORDERED)
    other = dict(RULE_BOOK_LEVELS) | {Hand.STRAIGHT: Prize(odds=99)}
    floor.agree(ParameterChange(changes=Changes(levels=other), now=False))
    floor.bets("s2", [1])
    floor.approve(floor.wins_major("s1", ROYAL["s"], final=True))
    assert floor.paid == []  # the second table may still have an earlier one
    floor.wait(1)
    floor.bets("s3", [1])
    floor.hands("s2", {1: None}, final=True)
    assert len(floor.paid) == 1
    assert floor.hands("s3", {1: "5c 4d 3c 2h As"}, final=True).results[0].award == 20 * 500
    floor.bets("s3", [1])
    told = floor.bets("s4", [1])
    assert told.awards is not None
    assert told.awards.levels == other
    assert floor.hands("s3", {1: "5c 4d 3c 2h As"}, final=True).results[0].award == 99 * 500
    audited(floor)


@pytest.mark.parametrize(
    ("policy", "amounts"), [(SPLIT, [500_000, 1_000_000]), (FULL_EACH, [500_000, 1_000_000])]
)
def test_wins_of_one_cluster_are_each_paid_the_levels_of_their_own_round(
    policy: Policy, amounts: list[int]
) -> None:
    """The same hand by two pay tables: two levels, which share nothing."""
    floor = floor_with(policy)
    dearer = dict(RULE_BOOK_LEVELS) | {Hand.STRAIGHT_FLUSH: Prize(share=20)}
    floor.agree(ParameterChange(changes=Changes(levels=dearer), now=False))
    resets = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(1)
    floor.bets("s2", [1])
    floor.approve(resets)
    floor.wait(1)
    floor.bets("s3", [1])
    floor.wait(1)
    wins = [
        floor.hands(table, {1: STRAIGHT_FLUSH[suit]}, final=True).results[0].win
        for table, suit in (("s2", "s"), ("s3", "h"))
    ]
    for win in wins:
        assert win is not None
        floor.approve(win)
    assert [amount for _, amount in floor.paid[1:]] == amounts
    audited(floor)


def test_a_reading_is_confirmed_by_the_policy_that_its_table_was_told_of() -> None:
    """The table went away in a hold; as it comes back, two people have changed the policy."""
    floor = floor_with(SPLIT)
    floor.raise_to(8_000_000)
    floor.agree(ParameterChange(changes=Changes(policy=ORDERED), now=False))
    royal = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(1)
    behind = dealt_at_once(floor, [("s2", 1, STRAIGHT_FLUSH["s"]), ("s3", 1, STRAIGHT_FLUSH["h"])])
    floor.wait(1)
    floor.bets("s4", [1])
    told = floor.told
    assert told.next == 5_000_000 - 500_000
    for win in (royal, *behind):
        floor.approve(win)
    assert floor.link.awards.policy is ORDERED
    floor.wait(1)
    floor.lost("s4", registered=told, round=1)
    (malfunction,) = floor.facts(MalfunctionDeclared)
    assert malfunction.offline.confirmed is True
    audited(floor)


# Levels


def test_a_link_may_pay_a_share_for_other_hands() -> None:
    levels = {
        Hand.STRAIGHT_FLUSH: Prize(share=100),
        Hand.FOUR_OF_A_KIND: Prize(share=1),
        Hand.FLUSH: Prize(odds=30),
    }
    floor = Floor(tables={"s1": STUD, "s2": STUD}, awards=Awards(levels=levels), meter_ppm=0, reserve_ppm=0)
    floor.raise_to(8_000_000)
    floor.bets("s1", [1, 2, 3])
    quads, flush, pair = floor.hands(
        "s1", {1: "9c 9d 9h 9s Kd", 2: "Kh Jh 8h 5h 2h", 3: "As Ad Ac Kc Ks"}, final=True
    ).results
    assert (quads.level, flush.award, pair.level) == ("major", 30 * 500, None)
    assert quads.win is not None
    floor.approve(quads.win, "ana")
    assert floor.paid == [(quads.win, 80_000)]
    reset = floor.wins_major("s2", STRAIGHT_FLUSH["h"], final=True)
    floor.approve(reset, "ana")
    assert len(floor.paid) == 1  # who takes all is approved like a royal flush
    floor.approve(reset, "ben")
    assert floor.paid[-1] == (reset, 7_920_000)
    assert floor.value == 5_000_000
    audited(floor)


@pytest.mark.parametrize(
    ("levels", "said"),
    [
        ({Hand.ROYAL_FLUSH: Prize(share=101)}, "from 1 to 100"),
        ({Hand.ROYAL_FLUSH: Prize(share=0)}, "from 1 to 100"),
        ({Hand.ROYAL_FLUSH: Prize(share=100), Hand.FLUSH: Prize(odds=0)}, "odds of flush"),
        ({Hand.ROYAL_FLUSH: Prize(share=100), Hand.FLUSH: Prize()}, "either"),
        ({Hand.ROYAL_FLUSH: Prize(share=100), Hand.FLUSH: Prize(share=1, odds=5)}, "either"),
        ({Hand.ROYAL_FLUSH: Prize(share=99)}, "100 percent"),
        ({}, "100 percent"),
    ],
)
def test_impossible_levels_are_refused(levels: dict[Hand, Prize], said: str) -> None:
    floor = floor_with(ORDERED)
    before = floor.book.link
    with pytest.raises(ParameterWrong, match=said):
        floor.propose(ParameterChange(changes=Changes(levels=levels), now=False))
    with pytest.raises(ParameterWrong, match=said):
        Floor(awards=Awards(levels=levels))
    assert floor.book.link is before


@pytest.mark.parametrize(
    "changes",
    [
        Changes(cap=0),
        Changes(window=-1),
        Changes(window=61 * SECOND),
        Changes(cap=5, no_cap=True),
        Changes(window=5, no_window=True),
        Changes(),
    ],
)
def test_impossible_awards_are_refused(changes: Changes) -> None:
    with pytest.raises(ParameterWrong):
        floor_with(ORDERED).propose(ParameterChange(changes=changes, now=False))


def test_changes_that_follow_each_other_are_merged() -> None:
    first = Changes(seed=1, window=5, cap=7, policy=SPLIT)
    later = Changes(no_window=True, cap=8, meter_ppm=3)
    merged = first.followed_by(later)
    assert merged == Changes(seed=1, no_window=True, cap=8, policy=SPLIT, meter_ppm=3)
    parameters = floor_with(FULL_EACH, window=9).link.parameters
    both = merged.applied_to(parameters)
    assert both == later.applied_to(first.applied_to(parameters))
    assert (both.awards.window, both.awards.cap, both.awards.policy) == (None, 8, SPLIT)


# The cap of a round


def test_fixed_odds_of_one_round_share_its_cap_pro_rata_down_to_the_cent() -> None:
    floor = Floor(tables={"s1": STUD}, awards=Awards(cap=100_000))
    floor.bets("s1", [1, 2, 3])
    assert floor.hands("s1", {1: "Kh Jh 9h 5h 2h"}).results[0].award == 20_000
    hands = {1: "Kh Jh 9h 5h 2h", 2: "9c 9d 9s As Ad", 3: "4c 4d 4s 4h 7d"}
    awards = [result.award for result in floor.hands("s1", hands).results]
    assert awards == [20_000 * 100_000 // 260_000, 40_000 * 100_000 // 260_000, 200_000 * 100_000 // 260_000]
    assert floor.balance(Account.PRIZES) == to_units(sum(one or 0 for one in awards))
    fewer = {1: "Kh Jh 9h 5h 2h", 2: "9c 9d 9s As Ad", 3: None}
    assert [one.award for one in floor.hands("s1", fewer).results] == [20_000, 40_000, None]
    floor.void("s1", "5.8.2")
    assert floor.balance(Account.PRIZES) == 0
    audited(floor)


@pytest.mark.parametrize("settled", [False, True])
def test_the_boxes_that_are_left_share_the_cap_when_the_house_invalidates_one(*, settled: bool) -> None:
    floor = Floor(tables={"s1": STUD}, awards=Awards(cap=100_000))
    floor.bets("s1", [1, 2, 3])
    hands = {1: "Kh Jh 9h 5h 2h", 2: "9c 9d 9s As Ad", 3: "4c 4d 4s 4h 7d"}
    floor.hands("s1", hands, final=settled)
    floor.irregularity("s1", "5.15", boxes=(3,), reconstructed=False)
    assert floor.balance(Account.PRIZES) == to_units(20_000 + 40_000)
    boxes = floor.link.tables["s1"].round.boxes
    assert [boxes[number].minor for number in (1, 2, 3)] == [20_000, 40_000, 0]
    audited(floor)
    (fact,) = floor.facts(HandsInvalidated)
    said = kind_of(fact).words(fact, Telling("SGD"))
    assert "Box 1 is now awarded SGD 200.00. Box 2 is now awarded SGD 400.00." in said


@pytest.mark.parametrize("forged", [{"results": ()}, {"boxes": {3: "5.10.3"}}])
def test_a_forged_sharing_of_the_cap_is_denied(forged: dict[str, Any]) -> None:
    floor = Floor(tables={"s1": STUD}, awards=Awards(cap=100_000))
    floor.bets("s1", [1, 2, 3])
    floor.hands("s1", {1: "Kh Jh 9h 5h 2h", 2: "9c 9d 9s As Ad", 3: "4c 4d 4s 4h 7d"})
    floor.irregularity("s1", "5.15", boxes=(3,), reconstructed=False)
    entries = list(floor.book.entries)
    entries[-1] = replace(entries[-1], fact=replace(entries[-1].fact, **forged))
    with pytest.raises(Denied):
        _audit(entries)


# Nobody is paid less by another's fraud of order


@given(data=st.data())
@pytest.mark.parametrize("policy", Policy)
def test_nobody_the_house_saw_dealt_before_another_is_paid_less_by_the_others_stamps(
    policy: Policy, data: st.DataObject
) -> None:
    """Whatever the second table stamps: the House received the first hand before the other's bets, so it is
    paid what it would be paid alone."""
    window = data.draw(st.sampled_from([None, 0, 200 * MILLISECOND]))
    floor = floor_with(policy, window=window)
    floor.raise_to(8_000_000)
    honest = floor.wins_major("s1", ROYAL["s"], final=True)
    floor.wait(1)
    floor.bets("s2", [1])
    floor.wait(2)
    stamp = floor.now + data.draw(st.integers(-10 * SECOND, SECOND))
    sent = floor.now + data.draw(st.integers(-SECOND, SECOND))
    try:
        told = floor.hands("s2", {1: ROYAL["h"]}, dealt=stamp, sent_at=sent, final=True)
    except Exception:
        told = None
    floor.wait(5)
    floor.approve(honest)
    win = None if told is None else told.results[0].win
    if win is not None and win in floor.link.queue:
        floor.approve(win)
    assert floor.paid_for(honest) == 8_000_000
    assert sum(floor.link.pool.accounts.values()) == 0


def test_approvals_of_a_cluster_are_by_people_and_level() -> None:
    floor = floor_with(SPLIT)
    royal, flush = dealt_at_once(floor, [("s1", 1, ROYAL["s"]), ("s2", 1, STRAIGHT_FLUSH["h"])])
    floor.approve(flush, "ana")
    floor.approve(royal, "ana")
    assert floor.paid == []
    floor.act(commands.ApproveWin(person="ben", win=royal))
    assert [win for win, _ in floor.paid] == [flush, royal]  # who takes all comes last
