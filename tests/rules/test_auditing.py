"""An auditor computes every fact a second time, and notices when one was made up."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account
from jackpot.games.irregularities import Choice, Consequence, Follows
from jackpot.link import facts
from jackpot.link.commands import CloseLink, Confirm
from jackpot.link.facts import Fact
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, ParameterChange, PoolTransfer, Retirement
from jackpot.link.wins import ClaimOutcome
from jackpot.machine.applying import apply, created, unborn
from jackpot.machine.auditing import Denied, audit
from tests.floor import FLUSH, NOTHING, ROYAL, STRAIGHT_FLUSH, Floor
from tests.rules.test_transfer import ARRIVAL


def test_two_majors_of_a_round_corrected_at_once_are_not_denied() -> None:
    """One has a successor, which keeps the carryover since its registration; the other has none."""
    floor = Floor()
    floor.bets("s1", [1, 3])
    floor.hands("s1", {1: ROYAL["h"], 3: STRAIGHT_FLUSH["c"]})
    floor.bets("s2", [1])
    floor.hands("s1", {1: ROYAL["s"], 3: NOTHING})
    link = created(floor.book.entries[0])
    for entry in floor.book.entries[1:]:
        audit(link, entry.fact, entry.at)
        apply(link, entry.fact, entry.stamp)


def story() -> Floor:
    floor = Floor()
    floor.bets("s2", [1, 2])
    floor.hands("s2", {1: FLUSH, 2: ("5.15",)})
    floor.void("s2")
    floor.bets("s2", [1, 2, 3])
    floor.hands("s2", {1: FLUSH, 2: NOTHING, 3: None})
    options = {1: Choice.RETURN, 2: Choice.CONTINUE}
    floor.irregularity("s2", "5.10", reconstructed=False, boxes=(1, 2), choices=options)
    floor.irregularity("s2", "5.8.3")
    royal = floor.wins_major("s1", ROYAL["h"])
    floor.approve(royal)
    floor.wait(1)
    flush = floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    floor.reject(flush)
    floor.hands("s1", {1: NOTHING}, final=True)
    claim = floor.hands("s1", {1: ROYAL["c"]}, dealt=floor.now).results[0].claim
    floor.decide_claim(str(claim), ClaimOutcome.IN_ORDER)
    floor.agree(Adjustment(amount=100, account=Account.HOUSE))
    floor.act(CloseLink(person="ana", reason="night"))
    floor.agree(ParameterChange(changes=Changes(seed=60_000_00), now=True))
    floor.act(ARRIVAL)
    floor.bets("s2", {}, ante={1: 2500})
    floor.hands("s2", {1: NOTHING}, final=True)
    floor.bets("s1", {}, ante={1: 2500})
    floor.hands("s1", {1: NOTHING}, final=True)
    transfer = PoolTransfer(to="other", amount=100, account=Account.METER)
    for change in (transfer, Retirement(to="other")):
        floor.act(Confirm(person="ben", proposal=floor.propose(change), receiver="other"))
    return floor


def _more(fact: Any) -> Fact:
    moves = dict(fact.moves)
    moves[Account.METER] = moves.get(Account.METER, 0) + 1
    moves[Account.HOUSE] = moves.get(Account.HOUSE, 0) - 1
    return replace(fact, moves=moves)  # type: ignore[no-any-return]


def _amount(fact: Any) -> Fact:
    return replace(fact, amount=fact.amount + 1)  # type: ignore[no-any-return]


def _hand(fact: Any) -> Fact:
    return replace(fact, hand=Hand.STRAIGHT_FLUSH)  # type: ignore[no-any-return]


def _result(fact: Any) -> Fact:
    return replace(fact, results=(replace(fact.results[0], hand=Hand.FULL_HOUSE), *fact.results[1:]))  # type: ignore[no-any-return]


def _award(fact: Any) -> Fact:
    return replace(fact, results=(replace(fact.results[0], award=1), *fact.results[1:]))  # type: ignore[no-any-return]


def _one_person(fact: Any) -> Fact:
    return replace(fact, persons=("ana", "ana"))  # type: ignore[no-any-return]


def _promised(fact: Any) -> Fact:
    return replace(fact, promised=1)  # type: ignore[no-any-return]


def _nobody(fact: Any) -> Fact:
    return replace(fact, approvals=())  # type: ignore[no-any-return]


def _goes_on(fact: Any) -> Fact:
    return replace(fact, consequence=Consequence(follows=Follows.CONTINUES, rule="5.10"))  # type: ignore[no-any-return]


def _nothing_chosen(fact: Any) -> Fact:
    return replace(fact, said=replace(fact.said, choices={}))  # type: ignore[no-any-return]


def _nothing_undone(fact: Any) -> Fact:
    return replace(fact, undone=())  # type: ignore[no-any-return]


def _another_box(fact: Any) -> Fact:
    return replace(fact, boxes={2: "5.10.3"})  # type: ignore[no-any-return]


def _another_reason(fact: Any) -> Fact:
    return replace(fact, irregularity="main.i1", reason="5.8.1")  # type: ignore[no-any-return]


@pytest.mark.parametrize(
    ("kind", "forge"),
    [
        (facts.IrregularityDeclared, _goes_on),
        (facts.IrregularityDeclared, _nothing_chosen),
        (facts.IrregularityDeclared, _nothing_undone),
        (facts.HandsInvalidated, _more),
        (facts.HandsInvalidated, _another_box),
        (facts.RoundVoided, _another_reason),
        (facts.BetsClosed, _more),
        (facts.HandsReported, _more),
        (facts.HandsReported, _result),
        (facts.HandsReported, _award),
        (facts.RoundVoided, _more),
        (facts.WinRegistered, _hand),
        (facts.WinPaid, _more),
        (facts.WinPaid, _amount),
        (facts.WinPaid, _nobody),
        (facts.WinRejected, _more),
        (facts.ClaimDecided, _amount),
        (facts.ClaimDecided, _more),
        (facts.MeterAdjusted, _more),
        (facts.MeterAdjusted, _one_person),
        (facts.ParametersChanged, _more),
        (facts.ClaimRaised, _promised),
        (facts.PoolArrived, _more),
        (facts.PoolDeparted, _more),
        (facts.PoolDeparted, _one_person),
        (facts.LinkRetired, _one_person),
    ],
)
def test_a_forged_fact_is_denied(kind: type[Fact], forge: Callable[[Any], Fact]) -> None:
    entries = story().book.entries
    link = created(entries[0])
    for entry in entries[1:]:
        if isinstance(entry.fact, kind):
            with pytest.raises(Denied):
                audit(link, forge(entry.fact))
            audit(link, entry.fact, entry.at)
            return
        apply(link, entry.fact, entry.stamp)
    pytest.fail(f"the story has no {kind.__name__}")


def test_a_link_that_keeps_money_is_not_retired() -> None:
    floor = Floor()
    with pytest.raises(Denied, match="what a retired link keeps"):
        audit(floor.link, facts.LinkRetired(proposal="x", persons=("ana", "ben"), reason="given up"))


def test_a_forged_first_seed_is_denied() -> None:
    first = Floor().book.entries[0]
    assert isinstance(first.fact, facts.LinkCreated)
    with pytest.raises(Denied):
        audit(unborn(first), replace(first.fact, moves={Account.METER: 1, Account.HOUSE: -1}))
