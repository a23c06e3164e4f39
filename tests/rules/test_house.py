"""Parameters, adjustments, and what two people agree on."""

from __future__ import annotations

import pytest

from jackpot.core.money import Account, to_units
from jackpot.core.refusals import LinkHeld, ProposalEnded, ProposalUnknown, ProposedByAnother, SamePerson
from jackpot.link.commands import CloseLink, Confirm, DecideClaim, Propose, RejectWin, Withdraw
from jackpot.link.facts import MeterAdjusted, WinPaid
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening, ParameterChange
from jackpot.link.wins import ClaimOutcome
from jackpot.play.status import MeterState
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

NEW_SEED = ParameterChange(changes=Changes(seed=60_000_00))


def pay(floor: Floor, win: str) -> int:
    floor.approve(win)
    floor.wait(1)
    return floor.paid_for(win)


def test_a_new_seed_counts_from_the_next_reset_on() -> None:
    floor = Floor(tables={"s1": STUD})
    floor.agree(NEW_SEED)
    assert floor.link.parameters.seed == 50_000_00
    pay(floor, floor.wins_major("s1", STRAIGHT_FLUSH["c"]))
    assert floor.link.parameters.seed == 50_000_00
    pay(floor, floor.wins_major("s1", ROYAL["c"]))
    assert floor.link.parameters.seed == 60_000_00
    assert floor.value == 60_000_00
    assert floor.link.scheduled == []


def test_a_hold_ends_with_the_parameters_that_were_agreed_before_it_began() -> None:
    floor = Floor(tables={"s1": STUD})
    royal = floor.wins_major("s1", ROYAL["c"])
    floor.agree(NEW_SEED)
    pay(floor, royal)
    assert floor.value == 50_000_00
    pay(floor, floor.wins_major("s1", ROYAL["c"]))
    assert floor.value == 60_000_00


def test_new_rates_count_from_the_next_reset_on() -> None:
    floor = Floor(tables={"s1": STUD})
    floor.agree(ParameterChange(changes=Changes(meter_ppm=200_000, reserve_ppm=0)))
    meter = floor.link.pool.meter
    royal = floor.wins_major("s1", ROYAL["c"])
    assert floor.link.pool.meter == meter + 2_00_000_000
    pay(floor, royal)
    meter = floor.link.pool.meter
    floor.bets("s1", [1])
    assert floor.link.pool.meter == meter + 1_00_000_000


def test_the_seed_comes_from_the_reserve_and_the_rest_from_the_house() -> None:
    floor = Floor(tables={"s1": STUD}, reserve_ppm=600_000)
    for _ in range(4):
        floor.bets("s1", range(1, 8))
    reserve, house = floor.balance(Account.RESERVE), floor.balance(Account.HOUSE)
    assert reserve == 4 * 7 * 3_00_000_000
    pay(floor, floor.wins_major("s1", ROYAL["c"]))
    assert floor.balance(Account.RESERVE) == 0
    assert floor.balance(Account.HOUSE) == house - (to_units(50_000_00) - reserve - 3_00_000_000)


@pytest.mark.parametrize(("seed", "value"), [(60_000_00, 60_002_00), (40_000_00, 40_002_00)])
def test_a_seed_changed_at_once_moves_the_meter_by_the_difference(seed: int, value: int) -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.act(CloseLink(person="ana", reason="maintenance"))
    assert floor.reading.state is MeterState.CLOSED
    reserve, house = floor.balance(Account.RESERVE), floor.balance(Account.HOUSE)
    floor.agree(ParameterChange(changes=Changes(seed=seed), now=True))
    assert floor.value == value
    assert floor.link.parameters.seed == seed
    given = reserve + house - floor.balance(Account.RESERVE) - floor.balance(Account.HOUSE)
    assert given == to_units(seed - 50_000_00)
    floor.agree(LinkOpening())
    assert floor.bets("s1", [1]).accepted != ()


def test_a_ceiling_set_at_once_sends_the_excess_to_overflow() -> None:
    floor = Floor()
    floor.raise_to(70_000_00)
    floor.act(CloseLink(person="ana", reason="maintenance"))
    floor.agree(ParameterChange(changes=Changes(ceiling=65_000_00), now=True))
    assert floor.value == 65_000_00
    assert floor.balance(Account.OVERFLOW) == to_units(5_000_00)


def test_parameters_do_not_change_at_once_while_a_win_waits() -> None:
    floor = Floor()
    floor.wins_major("s1", ROYAL["c"])
    floor.act(CloseLink(person="ana", reason="maintenance"))
    with pytest.raises(LinkHeld):
        floor.agree(ParameterChange(changes=Changes(seed=60_000_00), now=True))


def test_a_closed_link_returns_every_progressive_bet() -> None:
    floor = Floor()
    floor.act(CloseLink(person="ana", reason="night"))
    answer = floor.bets("s1", [1, 2])
    assert answer.accepted == ()
    assert [(one.code, one.amount) for one in answer.returned] == [("link_closed", 500), ("link_closed", 500)]


def test_an_adjustment_names_its_people_its_reason_and_where_the_money_went() -> None:
    floor = Floor()
    floor.agree(Adjustment(amount=-1_000_00, account=Account.RESERVE))
    fact = floor.facts(MeterAdjusted)[0]
    assert (fact.persons, fact.reason) == (("ana", "ben"), "because")
    assert fact.moves == {Account.METER: -to_units(1_000_00), Account.RESERVE: to_units(1_000_00)}
    assert floor.value == 49_000_00


def test_what_an_adjustment_brings_above_the_ceiling_is_overflow() -> None:
    floor = Floor(ceiling=60_000_00)
    floor.agree(Adjustment(amount=15_000_00, account=Account.HOUSE))
    assert floor.value == 60_000_00
    assert floor.link.pool.accounts[Account.OVERFLOW] == to_units(5_000_00)


@pytest.mark.parametrize("again", ["Ana", "ANA", " ana ", "\uff41na"])
def test_a_person_is_the_same_however_the_name_is_written(again: str) -> None:
    floor = Floor()
    proposal = floor.propose(NEW_SEED)
    with pytest.raises(SamePerson):
        floor.act(Confirm(person=again, proposal=proposal))
    floor.act(Withdraw(person=again, proposal=proposal, own_only=True))


def test_who_may_withdraw_only_own_proposals_withdraws_no_others() -> None:
    floor = Floor()
    proposal = floor.propose(NEW_SEED)
    with pytest.raises(ProposedByAnother):
        floor.act(Withdraw(person="ben", proposal=proposal, own_only=True))
    floor.act(Withdraw(person="ben", proposal=proposal))


def test_a_withdrawn_proposal_cannot_be_confirmed() -> None:
    floor = Floor()
    proposal = floor.propose(NEW_SEED)
    floor.act(Withdraw(person="ana", proposal=proposal))
    with pytest.raises(ProposalEnded):
        floor.act(Confirm(person="ben", proposal=proposal))
    for never in ("main.p1", f"{proposal}0", f"main.m{proposal[6:]}", "main.p", "nothing"):
        with pytest.raises(ProposalUnknown):
            floor.act(Confirm(person="ben", proposal=never))


def test_scheduled_changes_are_checked_together() -> None:
    floor = Floor()
    floor.agree(ParameterChange(changes=Changes(ceiling=55_000_00)))
    with pytest.raises(Exception, match="ceiling"):
        floor.act(Propose(person="ana", change=NEW_SEED, reason="larger"))
    floor.agree(ParameterChange(changes=Changes(no_ceiling=True)))
    floor.agree(NEW_SEED)


def test_a_straight_flush_can_top_the_pool_up_to_the_seed() -> None:
    floor = Floor(tables={"s1": STUD}, top_up_to_seed=True)
    win = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.bets("s1", [1])
    floor.hands("s1", {1: NOTHING})
    assert pay(floor, win) == 5_000_20
    assert floor.value == 50_002_00


def test_ten_percent_is_rounded_half_up_and_the_rest_stays() -> None:
    floor = Floor(tables={"s1": STUD}, meter_ppm=1, reserve_ppm=0)
    floor.raise_to(50_000_05)
    win = floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    assert floor.link.pool.meter == to_units(50_000_05) + 500
    assert pay(floor, win) == 5_000_01
    assert floor.link.pool.meter == to_units(45_000_04) + 500


def test_what_is_below_a_cent_stays_in_the_pool_when_a_royal_is_paid() -> None:
    floor = Floor(tables={"s1": STUD}, meter_ppm=1, reserve_ppm=0)
    assert pay(floor, floor.wins_major("s1", ROYAL["c"])) == 50_000_00
    assert floor.link.pool.meter == to_units(50_000_00) + 500


def test_a_straight_flush_is_rejected_by_one_person_a_royal_by_two() -> None:
    floor = Floor()
    flush, royal = floor.wins_major("s1", STRAIGHT_FLUSH["c"]), floor.wins_major("s2", ROYAL["c"])
    floor.reject(flush)
    assert flush not in floor.link.queue
    floor.act(RejectWin(person="sue", win=royal, reason="switched"))
    assert royal in floor.link.queue
    (proposal,) = floor.link.proposals
    floor.act(Confirm(person="tom", proposal=proposal))
    assert not floor.link.queue


@pytest.mark.parametrize(
    ("outcome", "amount"),
    [(ClaimOutcome.REFUSED, 0), (ClaimOutcome.REGISTERED, 5_000_20), (ClaimOutcome.IN_ORDER, 5_000_20)],
)
def test_two_people_decide_a_late_claim(outcome: ClaimOutcome, amount: int) -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.wait(1)
    floor.hands("s1", {1: NOTHING}, final=True)
    claim = floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(0.5)).results[0].claim
    prizes = floor.balance(Account.PRIZES)
    floor.decide_claim(str(claim), outcome)
    assert floor.balance(Account.PRIZES) - prizes == to_units(amount)
    assert floor.value == 50_002_00
    assert floor.facts(WinPaid) == []


def test_another_proposal_about_a_claim_goes_with_its_decision() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.wait(1)
    floor.hands("s1", {1: NOTHING}, final=True)
    claim = str(floor.hands("s1", {1: STRAIGHT_FLUSH["c"]}, dealt=floor.at(0.5)).results[0].claim)
    floor.act(DecideClaim(person="ana", claim=claim, outcome=ClaimOutcome.REFUSED, reason="no camera"))
    floor.decide_claim(claim, ClaimOutcome.IN_ORDER)
    assert floor.link.proposals == {}
