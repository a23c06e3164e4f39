"""A pool's money goes to another link, or the link is given up: with a trail, by two people, to the unit."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.core.money import Account, to_units
from jackpot.core.refusals import (
    AccountShort,
    ClaimsOpen,
    ContentConflict,
    CurrencyDiffers,
    LinkHeld,
    LinkIsRetired,
    LinkNotClosed,
    ReceiverMissing,
    Refused,
    RoundsOpen,
    SamePerson,
    TransferWrong,
)
from jackpot.link.commands import (
    AddTable,
    CloseLink,
    Command,
    Confirm,
    Heartbeat,
    Propose,
    ReceiveTransfer,
    Withdraw,
)
from jackpot.link.facts import LinkRetired, PoolArrived, PoolDeparted, ProposalWithdrawn
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening, ParameterChange, PoolTransfer, Retirement
from jackpot.link.state import TableSetup
from jackpot.play.status import MeterState
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

METER, RESERVE, OVERFLOW, HOUSE = Account.METER, Account.RESERVE, Account.OVERFLOW, Account.HOUSE
CARRYOVER = Account.CARRYOVER
SOME = PoolTransfer(to="other", amount=1_000_00, account=METER)
ARRIVAL = ReceiveTransfer(
    person="ben",
    transfer="other.t9",
    source="other",
    currency="SGD",
    amounts={METER: to_units(1_000_00)},
    persons=("ana", "ben"),
    reason="merged",
)


def agree(floor: Floor, change: PoolTransfer | Retirement) -> None:
    floor.act(Confirm(person="ben", proposal=floor.propose(change), receiver=change.to))


def closed(floor: Floor) -> Floor:
    floor.act(CloseLink(person="ana", reason="given up"))
    return floor


# One link's side


@pytest.mark.parametrize("account", [METER, RESERVE, OVERFLOW])
def test_what_is_transferred_leaves_its_account_for_the_other_link(account: Account) -> None:
    floor = Floor(ceiling=50_000_00, reserve_ppm=600_000)
    for _ in range(3):
        floor.bets("s1", range(1, 8))
    before, house = floor.balance(account), floor.balance(HOUSE)
    agree(floor, PoolTransfer(to="other", amount=12_34, account=account))
    assert floor.balance(account) == before - to_units(12_34)
    assert floor.balance(HOUSE) == house + to_units(12_34)
    (fact,) = floor.facts(PoolDeparted)
    assert (fact.to, fact.amounts) == ("other", {account: to_units(12_34)})
    assert (fact.persons, fact.reason) == (("ana", "ben"), "because")
    assert fact.transfer.startswith("main.t")


def test_one_person_transfers_nothing() -> None:
    floor = Floor()
    proposal = floor.propose(SOME)
    with pytest.raises(SamePerson):
        floor.act(Confirm(person="ana", proposal=proposal, receiver="other"))
    assert floor.value == 50_000_00


@pytest.mark.parametrize("receiver", [None, "main", "another"])
def test_no_side_of_a_transfer_is_carried_out_alone(receiver: str | None) -> None:
    floor = Floor()
    proposal = floor.propose(SOME)
    with pytest.raises(ReceiverMissing):
        floor.act(Confirm(person="ben", proposal=proposal, receiver=receiver))
    assert floor.facts(PoolDeparted) == []
    assert proposal in floor.link.proposals


@pytest.mark.parametrize(
    ("change", "field"),
    [
        (replace(SOME, to="main"), "to"),
        (replace(SOME, to=""), "to"),
        (replace(SOME, to="x" * 501), "to"),
        (replace(SOME, amount=0), "amount"),
        (replace(SOME, amount=-5), "amount"),
        (replace(SOME, amount=10**12 + 1), "amount"),
        (replace(SOME, account=Account.PRIZES), "from"),
        (replace(SOME, account=HOUSE), "from"),
    ],
)
def test_an_impossible_transfer_is_refused(change: PoolTransfer, field: str) -> None:
    with pytest.raises(Refused) as refused:
        Floor().propose(change)
    assert refused.value.data["field"] == field


def test_an_account_gives_no_more_than_it_has() -> None:
    floor = Floor()
    with pytest.raises(AccountShort):
        floor.propose(PoolTransfer(to="other", amount=50_000_01, account=METER))
    proposal = floor.propose(PoolTransfer(to="other", amount=50_000_00, account=METER))
    floor.agree(Adjustment(amount=-1, account=HOUSE))
    with pytest.raises(AccountShort):
        floor.act(Confirm(person="ben", proposal=proposal, receiver="other"))


def test_nothing_leaves_the_pool_while_a_win_waits() -> None:
    floor = Floor()
    floor.wins_major("s1", ROYAL["h"])
    with pytest.raises(LinkHeld):
        floor.propose(SOME)


def test_what_arrives_raises_the_account_of_the_same_name() -> None:
    floor = Floor()
    amounts = {METER: to_units(1_000_00) + 7, RESERVE: 11, OVERFLOW: 13}
    floor.act(replace(ARRIVAL, amounts=amounts))
    assert floor.value == 51_000_00
    assert floor.link.pool.meter == to_units(51_000_00) + 7
    assert (floor.balance(RESERVE), floor.balance(OVERFLOW)) == (11, 13)


def test_what_arrives_during_a_hold_builds_the_next_jackpot() -> None:
    floor = Floor(tables={"s1": STUD})
    win = floor.wins_major("s1", ROYAL["h"])
    shown = floor.value
    floor.act(ARRIVAL)
    assert floor.value == shown
    assert floor.balance(CARRYOVER) == to_units(1_000_00)
    floor.approve(win)
    floor.wait(1)
    assert floor.paid_for(win) == shown
    assert floor.value == 51_000_00


def test_what_arrives_above_the_ceiling_waits_as_overflow() -> None:
    floor = Floor(ceiling=50_400_00)
    floor.act(ARRIVAL)
    assert floor.value == 50_400_00
    assert floor.balance(OVERFLOW) == to_units(600_00)


def test_what_arrived_after_a_malfunction_is_not_paid_to_its_winner() -> None:
    """S 5.18.1: the winner has the amount registered before; what came later stays in the pool."""
    floor = Floor(tables={"s1": STUD})
    floor.bets("s1", [1])
    floor.wait(1)
    floor.malfunction("s1", seen={"s1": True})
    floor.act(ARRIVAL)
    win = str(floor.hands("s1", {1: ROYAL["h"]}).results[0].win)
    floor.approve(win)
    floor.wait(1)
    assert floor.paid_for(win) == 50_002_00
    assert floor.value == 51_000_00


def test_an_arrival_counts_once() -> None:
    floor = Floor()
    floor.act(ARRIVAL)
    floor.act(ARRIVAL)
    assert floor.value == 51_000_00
    assert len(floor.facts(PoolArrived)) == 1
    with pytest.raises(ContentConflict):
        floor.act(replace(ARRIVAL, amounts={METER: to_units(2_000_00)}))


def test_what_cannot_arrive_is_refused() -> None:
    floor = Floor()
    with pytest.raises(CurrencyDiffers):
        floor.act(replace(ARRIVAL, currency="USD"))
    for amounts in ({HOUSE: 1}, {METER: 0}, {METER: -1}, {METER: to_units(10**12) + 1}):
        with pytest.raises(TransferWrong):
            floor.act(replace(ARRIVAL, amounts=amounts))
    with pytest.raises(TransferWrong):
        floor.act(replace(ARRIVAL, source="main"))
    assert floor.value == 50_000_00


# Retirement


@pytest.mark.parametrize("to", ["other", None])
def test_a_retired_link_gives_all_it_has_and_is_only_read(to: str | None) -> None:
    floor = Floor(ceiling=50_000_00)
    floor.bets("s1", range(1, 8))
    floor.hands("s1", dict.fromkeys(range(1, 8)), final=True)
    floor.propose(Adjustment(amount=-5, account=HOUSE))
    house = floor.balance(HOUSE)
    had = {account: floor.balance(account) for account in (METER, RESERVE, OVERFLOW)}
    agree(closed(floor), Retirement(to=to))
    (fact,) = floor.facts(PoolDeparted)
    assert (fact.to, fact.amounts) == (to, had)
    assert [floor.balance(account) for account in had] == [0, 0, 0]
    assert floor.balance(HOUSE) == house + sum(had.values())
    assert (floor.reading.state, floor.value) == (MeterState.CLOSED, 0)
    assert floor.link.proposals == {}
    assert len(floor.facts(ProposalWithdrawn)) == len(floor.facts(LinkRetired)) == 1


def _acts(floor: Floor) -> list[Command]:
    beat = Heartbeat(table="s1", sent_at=floor.now + 1, received_at=floor.now + 1)
    return [
        beat,
        ARRIVAL,
        Propose(person="ana", change=LinkOpening(), reason="again"),
        Propose(person="ana", change=SOME, reason="again"),
        CloseLink(person="ana", reason="again"),
        AddTable(person="ana", setup=TableSetup(id="new", game=STUD, boxes=7)),
        Withdraw(person="ana", proposal="x"),
    ]


def test_a_retired_link_refuses_every_act_and_message() -> None:
    floor = Floor()
    agree(closed(floor), Retirement(to=None))
    sequence = floor.link.sequence
    for act in _acts(floor):
        with pytest.raises(LinkIsRetired):
            floor.act(act)
    with pytest.raises(LinkIsRetired):
        floor.bets("s1", [1])
    assert floor.link.sequence == sequence


def test_a_link_with_nothing_left_is_retired_without_a_transfer() -> None:
    floor = Floor()
    agree(floor, PoolTransfer(to="other", amount=50_000_00, account=METER))
    agree(closed(floor), Retirement(to="other"))
    assert len(floor.facts(PoolDeparted)) == 1
    assert floor.link.retired == floor.link.sequence


def test_only_a_closed_link_is_retired() -> None:
    with pytest.raises(LinkNotClosed):
        Floor().propose(Retirement(to="other"))


def test_no_link_is_retired_into_itself() -> None:
    with pytest.raises(TransferWrong):
        closed(Floor()).propose(Retirement(to="main"))


def test_a_link_is_not_retired_while_a_win_waits() -> None:
    floor = Floor()
    floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    with pytest.raises(LinkHeld):
        closed(floor).propose(Retirement(to="other"))


def test_a_link_is_not_retired_while_a_round_may_still_change() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    with pytest.raises(RoundsOpen):
        closed(floor).propose(Retirement(to="other"))
    floor.hands("s1", {1: NOTHING})
    with pytest.raises(RoundsOpen) as refused:
        floor.propose(Retirement(to="other"))
    assert refused.value.data["tables"] == ["s1"]
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.propose(Retirement(to="other"))


def test_a_link_is_not_retired_while_a_claim_is_undecided() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.hands("s1", {1: NOTHING}, final=True)
    floor.hands("s1", {1: ROYAL["h"]})
    with pytest.raises(ClaimsOpen):
        closed(floor).propose(Retirement(to="other"))


def test_what_has_changed_since_the_proposal_is_noticed_at_the_confirmation() -> None:
    floor = closed(Floor())
    proposal = floor.propose(Retirement(to=None))
    floor.bets("s1", {}, ante={1: 2500})
    with pytest.raises(RoundsOpen):
        floor.act(Confirm(person="ben", proposal=proposal))


def test_a_replay_gives_the_same_state() -> None:
    floor = Floor()
    floor.act(ARRIVAL)
    agree(floor, SOME)
    agree(closed(floor), Retirement(to="other"))
    before = floor.book.restart()
    assert floor.book.link == before


def test_a_change_of_one_link_needs_no_receiver() -> None:
    floor = Floor()
    floor.agree(ParameterChange(changes=Changes(seed=60_000_00)))
    assert floor.link.scheduled
