"""A pool's money goes from one link of a book to another: both sides or neither."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select, text

from jackpot.book.book import Book
from jackpot.book.checking.verify import Difference, Verifier
from jackpot.book.stores.committed import Committed, Head, LinkUnknown
from jackpot.book.stores.rows import read_link
from jackpot.book.stores.schema import journal
from jackpot.book.writing import several_links
from jackpot.book.writing.writer import Unavailable
from jackpot.core.money import to_units
from jackpot.core.refusals import CurrencyDiffers, LinkIsRetired, TransferWrong
from jackpot.link.commands import AddTable, CloseLink, Confirm, Propose
from jackpot.link.proposals import Adjustment, PoolTransfer, Retirement
from jackpot.link.state import Link, TableSetup
from tests.book_floor import StoryClock
from tests.floor import DEFAULTS, STUD
from tests.rules.test_transfer import ARRIVAL, HOUSE, METER, SOME

pytestmark = pytest.mark.untraced


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
    real, troubles = several_links.TwoLinks._attempt, ["before", "after"]

    async def troubled(self: several_links.TwoLinks, since: Head) -> Any:
        trouble = troubles.pop(0) if troubles else None
        if trouble == "before":
            raise TimeoutError
        outcome = await real(self, since)
        if trouble == "after":
            raise ConnectionResetError
        return outcome

    monkeypatch.setattr(several_links.TwoLinks, "_attempt", troubled)
    proposal = await either.propose("main", SOME)
    assert (await either.book.submit("main", Confirm(person="ben", proposal=proposal))).repeated
    assert await either.meters() == (49_000_00, 51_000_00)
    await either.verified()


async def test_a_store_in_trouble_for_too_long_is_told(pair: Pair, monkeypatch: pytest.MonkeyPatch) -> None:
    async def troubled(_self: several_links.TwoLinks, _since: int) -> Any:
        raise TimeoutError

    proposal = await pair.propose("main", SOME)
    monkeypatch.setattr(several_links.TwoLinks, "_attempt", troubled)
    monkeypatch.setattr(several_links, "PATIENCE", 0.1)
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
