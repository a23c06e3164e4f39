"""A pool's money goes to another link, or the link is given up: with a trail, by two people, to the unit."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, text

from jackpot.book import transfers
from jackpot.book.batch import Committed, Head, LinkUnknown
from jackpot.book.book import Book
from jackpot.book.records import read_link
from jackpot.book.schema import journal
from jackpot.book.verify import Difference, Verifier
from jackpot.book.writer import Unavailable
from jackpot.commands import (
    AddTable,
    CloseLink,
    Command,
    Confirm,
    Heartbeat,
    Propose,
    ReceiveTransfer,
    Withdraw,
)
from jackpot.facts import LinkRetired, PoolArrived, PoolDeparted, ProposalWithdrawn
from jackpot.money import Account, to_units
from jackpot.parameters import Changes
from jackpot.proposals import Adjustment, LinkOpening, ParameterChange, PoolTransfer, Retirement
from jackpot.refusals import (
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
from jackpot.state import Link, TableSetup
from jackpot.views import MeterState
from tests.book_floor import StoryClock
from tests.floor import DEFAULTS, NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

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


# Two links of one book


class Pair:
    """A book with two links, and the proposals and confirmations of its people."""

    def __init__(self, book: Book, clock: StoryClock) -> None:
        self.book, self.clock = book, clock

    async def propose(self, link: str, change: Any, **more: Any) -> str:
        act = Propose(person="ana", change=change, reason="because", **more)
        return str(getattr((await self.book.submit(link, act)).answer, "proposal"))  # noqa: B009

    async def agree(self, link: str, change: Any) -> None:
        proposal = await self.propose(link, change)
        await self.book.submit(link, Confirm(person="ben", proposal=proposal))

    async def state(self, link: str) -> Link:
        async with self.book.store.reading() as connection:
            return read_link(*await self.book.store.load(connection, link))

    async def verified(self) -> None:
        for name in self.book.links:
            await Verifier(self.book.store, name).verify()

    async def meters(self) -> tuple[int, int]:
        return (await self.state("main")).pool.value, (await self.state("other")).pool.value


@asynccontextmanager
async def two_links(url: str) -> AsyncIterator[Pair]:
    book, clock = await Book.open(url), StoryClock()
    book.clock = clock
    try:
        for name in ("main", "other"):
            await book.create(name, "A link", "SGD", DEFAULTS)
        yield Pair(book, clock)
    finally:
        await book.close()


@pytest.fixture
async def pair(sqlite_url: str) -> AsyncIterator[Pair]:
    async with two_links(sqlite_url) as found:
        yield found


@pytest.fixture
async def either(url: str) -> AsyncIterator[Pair]:
    """On each store in turn: where rows are locked, or forged."""
    async with two_links(url) as found:
        yield found


async def test_both_links_have_their_side_and_verify_finds_them_equal(either: Pair) -> None:
    await either.agree("main", SOME)
    assert await either.meters() == (49_000_00, 51_000_00)
    await either.agree("other", PoolTransfer(to="main", amount=1, account=METER))
    assert await either.meters() == (49_000_01, 50_999_99)
    await either.verified()


async def test_a_link_goes_on_after_a_transfer_as_if_its_writer_had_made_it(pair: Pair) -> None:
    await pair.book.submit("other", AddTable(person="ana", setup=TableSetup(id="s1", game=STUD, boxes=7)))
    await pair.agree("main", SOME)
    await pair.book.submit("other", AddTable(person="ana", setup=TableSetup(id="s2", game=STUD, boxes=7)))
    await pair.agree("main", Adjustment(amount=5, account=HOUSE))
    assert await pair.meters() == (49_000_05, 51_000_00)
    await pair.verified()


async def test_a_link_is_retired_into_another(pair: Pair) -> None:
    await pair.book.submit("main", CloseLink(person="ana", reason="given up"))
    await pair.agree("main", Retirement(to="other"))
    assert await pair.meters() == (0, 100_000_00)
    with pytest.raises(LinkIsRetired):
        await pair.propose("other", replace(SOME, to="main"))
    await pair.verified()


async def test_nothing_of_either_side_stays_if_the_other_cannot_take_it(pair: Pair) -> None:
    proposal = await pair.propose("main", SOME)
    await pair.book.submit("other", CloseLink(person="ana", reason="given up"))
    await pair.agree("other", Retirement(to=None))
    with pytest.raises(LinkIsRetired):
        await pair.book.submit("main", Confirm(person="ben", proposal=proposal))
    assert await pair.meters() == (50_000_00, 0)
    assert proposal in (await pair.state("main")).proposals
    await pair.agree("main", Adjustment(amount=5, account=HOUSE))
    await pair.verified()


async def test_a_transfer_names_a_link_of_the_same_currency(pair: Pair) -> None:
    await pair.book.create("dollars", "A link", "USD", DEFAULTS)
    with pytest.raises(LinkUnknown):
        await pair.propose("main", replace(SOME, to="nowhere"))
    with pytest.raises(CurrencyDiffers):
        await pair.propose("main", replace(SOME, to="dollars"))
    with pytest.raises(TransferWrong):
        await pair.propose("main", replace(SOME, to="main"))


async def test_a_confirmation_sent_again_is_answered_as_the_first_time(pair: Pair) -> None:
    proposal = await pair.propose("main", SOME)
    confirm = Confirm(person="ben", proposal=proposal, act_id="once")
    first = await pair.book.submit("main", confirm)
    again = await pair.book.submit("main", confirm)
    assert (again.repeated, again.answer) == (True, first.answer)
    assert await pair.meters() == (49_000_00, 51_000_00)


async def test_confirmations_at_the_same_moment_move_the_money_once(either: Pair) -> None:
    proposal = await either.propose("main", SOME)
    acts = [Confirm(person=person, proposal=proposal) for person in ("ben", "cho", "dev")]
    outcomes = await asyncio.gather(
        *(either.book.submit("main", act) for act in acts), return_exceptions=True
    )
    assert len([one for one in outcomes if not isinstance(one, BaseException)]) == 1
    assert await either.meters() == (49_000_00, 51_000_00)
    await either.verified()


async def test_transfers_that_cross_do_not_wait_for_each_other(either: Pair) -> None:
    there = [await either.propose("main", replace(SOME, amount=one)) for one in range(1, 9)]
    back = [await either.propose("other", replace(SOME, to="main", amount=one)) for one in range(1, 9)]
    both = [("main", one) for one in there] + [("other", one) for one in back]
    await asyncio.gather(
        *(either.book.submit(link, Confirm(person="ben", proposal=one)) for link, one in both)
    )
    assert await either.meters() == (50_000_00, 50_000_00)
    await either.verified()


async def test_listeners_of_both_links_are_told_and_their_trouble_is_their_own(pair: Pair) -> None:
    told: list[tuple[str, list[str]]] = []

    def listens(committed: Committed) -> None:
        told.append((committed.link, [type(entry.fact).__name__ for entry in committed.entries]))
        raise RuntimeError("deaf")

    proposal = await pair.propose("main", SOME)
    for name in pair.book.links:
        (await pair.book.writer(name)).listeners.append(listens)
    await pair.book.submit("main", Confirm(person="ben", proposal=proposal))
    assert told == [("main", ["ProposalConfirmed", "PoolDeparted"]), ("other", ["PoolArrived"])]


async def test_a_transaction_that_was_lost_is_tried_again(
    either: Pair, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before its commit, and after it: then it is known to be done, and not done twice."""
    real, troubles = transfers.TwoLinks._attempt, ["before", "after"]

    async def troubled(self: transfers.TwoLinks, since: Head) -> Any:
        trouble = troubles.pop(0) if troubles else None
        if trouble == "before":
            raise TimeoutError
        outcome = await real(self, since)
        if trouble == "after":
            raise ConnectionResetError
        return outcome

    monkeypatch.setattr(transfers.TwoLinks, "_attempt", troubled)
    proposal = await either.propose("main", SOME)
    assert (await either.book.submit("main", Confirm(person="ben", proposal=proposal))).repeated
    assert await either.meters() == (49_000_00, 51_000_00)
    await either.verified()


async def test_a_store_in_trouble_for_too_long_is_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    async def troubled(_self: transfers.TwoLinks, _since: int) -> Any:
        raise TimeoutError

    proposal = await pair.propose("main", SOME)
    monkeypatch.setattr(transfers.TwoLinks, "_attempt", troubled)
    monkeypatch.setattr(transfers, "PATIENCE", 0.1)
    with pytest.raises(Unavailable) as told:
        await pair.book.submit("main", Confirm(person="ben", proposal=proposal))
    assert told.value.unknown
    assert await pair.meters() == (50_000_00, 50_000_00)


async def _forge(pair: Pair, link: str, *statements: str) -> None:
    guards = (
        ["DROP TRIGGER journal_no_update", "DROP TRIGGER journal_no_delete"]
        if not pair.book.store.shared
        else ["ALTER TABLE journal DISABLE TRIGGER ALL"]
    )
    async with pair.book.store.transaction() as connection:
        for statement in (*guards, *statements):
            await connection.execute(text(statement), {"link": link} if ":link" in statement else {})


async def test_a_departure_without_its_arrival_is_found(either: Pair) -> None:
    await either.agree("main", SOME)
    await _forge(either, "other", "UPDATE journal SET key = NULL WHERE link = :link AND key IS NOT NULL")
    with pytest.raises(Difference, match="has not arrived at link other"):
        await Verifier(either.book.store, "main").verify()


async def test_an_arrival_without_its_departure_is_found(pair: Pair) -> None:
    forged = replace(ARRIVAL, source="main", transfer="main.t2")
    await pair.book.submit("other", forged)
    with pytest.raises(Difference, match=r"main\.t2 has not departed from link main"):
        await Verifier(pair.book.store, "other").verify()


async def test_an_arrival_of_another_amount_is_found(pair: Pair) -> None:
    """As somebody would forge it who can have the book write what he likes."""
    proposal = await pair.propose("main", SOME)
    transfer = f"main.t{(await pair.state('main')).sequence + 2}"
    writer = await pair.book.writer("main")
    await writer.submit(Confirm(person="ben", proposal=proposal, receiver="other"))
    amounts = {METER: to_units(1_000_01)}
    await pair.book.submit("other", replace(ARRIVAL, source="main", transfer=transfer, amounts=amounts))
    for name in ("main", "other"):
        with pytest.raises(Difference, match="did not arrive as it departed"):
            await Verifier(pair.book.store, name).verify()


@pytest.mark.parametrize("transfer", ["main.t", "main.tx", "main", "main.t999", "main.t" + "9" * 40])
async def test_a_transfer_of_a_made_up_id_is_found(pair: Pair, transfer: str) -> None:
    await pair.book.submit("other", replace(ARRIVAL, source="main", transfer=transfer))
    with pytest.raises(Difference, match="has not departed"):
        await Verifier(pair.book.store, "other").verify()


async def test_the_journal_has_each_side_once(pair: Pair) -> None:
    await pair.agree("main", SOME)
    async with pair.book.store.reading() as connection:
        kinds = select(journal.c.link, journal.c.kind).where(journal.c.kind.like("Pool%"))
        found = sorted(tuple(row) for row in await connection.execute(kinds))
    assert found == [("main", "PoolDeparted"), ("other", "PoolArrived")]


def test_a_change_of_one_link_needs_no_receiver() -> None:
    floor = Floor()
    floor.agree(ParameterChange(changes=Changes(seed=60_000_00)))
    assert floor.link.scheduled
