"""A table that could not reach the service says what it did alone (S 5.17 to 5.18, H 5.16 to 5.17)."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace

import pytest

from jackpot.book.checking.verify import Difference, Verifier
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import Account, to_units
from jackpot.core.refusals import (
    CardsSeenMissing,
    ContentConflict,
    OutcomeWrong,
    PromiseWrong,
    RoundIsVoid,
    RoundStands,
    TableUnknown,
)
from jackpot.link.commands import CloseLink, CloseTable, DecideClaim, ReportOffline, ReturnOnline
from jackpot.link.facts import ClaimDecided, ClaimRaised, MalfunctionCleared, MalfunctionDeclared, RoundVoided
from jackpot.link.rounds import Promise, RoundState
from jackpot.link.state import Scope, Then
from jackpot.link.wins import ClaimOutcome, ClaimReason
from jackpot.play.status import NOTICE_OFF
from jackpot.readings.alerts import alerts
from tests.book_floor import BookFloor, checked, furnished_floor
from tests.floor import NOTHING, ROYAL, STRAIGHT_FLUSH, STUD, Floor

VOIDS = {"s1": "5.17", "h1": "5.16"}


def alone(floor: Floor, *, table: str = "s1", others: str = "s2") -> tuple[int, Promise]:
    """That table closes bets and loses the service; elsewhere play goes on. Since when, and what it knows."""
    floor.bets(table, [1])
    promise = floor.told
    floor.wait(1)
    since = floor.now
    floor.wait(5)
    floor.bets(others, range(1, 8))
    floor.hands(others, dict.fromkeys(range(1, 8)), final=True)
    floor.wait(5)
    return since, promise


# Not seen: the round is void


@pytest.mark.parametrize("table", ["s1", "h1"])
def test_a_round_of_which_no_cards_were_seen_is_void(table: str) -> None:
    """S 5.17, H 5.16."""
    floor = Floor()
    since, promise = alone(floor, table=table)
    value = floor.value
    answer = floor.lost(table, since=since, cards_seen=False, registered=promise)
    assert (answer.voided, answer.confirmed) == (1, None)
    (void,) = floor.facts(RoundVoided)
    assert (void.table, void.reason, void.malfunction) == (table, VOIDS[table], answer.malfunction)
    assert floor.value == value - 2_00


def test_the_void_that_the_table_replays_is_answered_with_what_was_done() -> None:
    """However often: while the round is the last, and when the next has begun."""
    floor = Floor()
    since, _ = alone(floor)
    floor.lost("s1", since=since, cards_seen=False)
    first = floor.void("s1", "5.17", sent_at=since, live=False)
    assert (first.state, [(one.box, one.amount) for one in first.returned]) == (
        RoundState.VOIDED,
        [(1, 500), (1, 2500)],
    )
    floor.bets("s1", {}, ante={1: 2500}, sent_at=since + SECOND, live=False)
    again = floor.void("s1", "5.17", round=1, sent_at=since + 2 * SECOND, live=False)
    assert again.returned == first.returned
    assert len(floor.facts(RoundVoided)) == 1


def test_a_round_that_its_table_voided_for_another_reason_is_not_voided_again() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.void("s1")
    with pytest.raises(RoundIsVoid):
        floor.void("s1", "5.17")
    floor.bets("s1", [1])
    with pytest.raises(RoundStands):
        floor.void("s1", "5.17", round=1)


def test_a_void_by_the_house_is_told_to_the_table_that_voids_too() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.malfunction("s1", seen={"s1": False})
    assert [one.box for one in floor.void("s1", "5.17").returned] == [1, 1, 2, 2]


def test_an_earlier_round_is_not_voided_for_one_that_never_arrived() -> None:
    """The bets of round 2 did not reach the service; round 1 is known, but not yet settled."""
    floor = Floor()
    floor.bets("s1", [1, 2])
    floor.hands("s1", {1: NOTHING})
    assert floor.lost("s1", cards_seen=False, round=2).voided is None
    floor.hands("s1", {1: NOTHING, 2: None})
    assert floor.lost("s1", cards_seen=False, since=floor.now + 1).voided is None
    assert floor.facts(RoundVoided) == []


def test_a_major_that_was_paid_was_seen_whatever_is_said() -> None:
    """The House closed the silent table, and paid box 1 while box 2 had still no hand."""
    floor = Floor(tables={"s1": STUD})
    floor.bets("s1", [1, 2])
    floor.wait(1)
    win = str(floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}).results[0].win)
    floor.approve(win)
    floor.act(CloseTable(person="sue", table="s1", reason="silent"))
    assert floor.paid_for(win) == 5_000_40
    assert floor.lost("s1", cards_seen=False).voided is None
    assert floor.link.tables["s1"].round.open


# Seen: the promise


def test_a_seen_round_is_paid_what_its_table_promised() -> None:
    """S 5.18.1: what was registered before, as the table knew it; what was bet since stays."""
    floor = Floor()
    since, promise = alone(floor)
    assert promise.value == 50_002_00
    assert floor.lost("s1", since=since, registered=promise).confirmed
    hands = floor.hands("s1", {1: ROYAL["h"]}, sent_at=since + SECOND, live=False)
    win = str(hands.results[0].win)
    floor.back("s1")
    floor.approve(win)
    floor.wait(1)
    assert floor.paid_for(win) == 50_002_00
    assert floor.value == 50_014_00


def test_a_table_that_is_back_holds_the_queue_until_it_has_told_everything() -> None:
    """Its hands were dealt before the win that waits elsewhere: they must not be a late claim."""
    floor = Floor()
    floor.bets("s1", [1])
    promise, since = floor.told, floor.now + SECOND
    floor.wait(2)
    later = floor.wins_major("s2", STRAIGHT_FLUSH["c"])
    floor.approve(later)
    floor.wait(5)
    floor.beat("s2")
    floor.beat("h1")
    floor.lost("s1", since=since, registered=promise)
    assert floor.paid == []
    hands = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, sent_at=since + SECOND, live=False)
    earlier = str(hands.results[0].win)
    floor.back("s1")
    floor.approve(earlier)
    assert floor.paid == []  # a spool tells no deal times: only the House can know (4.5.2)
    floor.decide(earlier, later)
    assert [win for win, _ in floor.paid] == [earlier, later]


def test_without_a_promise_the_journal_says_what_was_registered() -> None:
    floor = Floor()
    since, _ = alone(floor)
    assert floor.lost("s1", since=since, registered=None).confirmed is None
    assert floor.link.tables["s1"].round.registered_value == 50_002_00
    assert floor.link.tables["s1"].round.promised is None


def _alone_while_held(floor: Floor) -> tuple[int, Promise]:
    floor.wait(1)
    floor.wins_major("s2", ROYAL["c"])
    floor.wait(1)
    floor.bets("h1", range(1, 8))
    floor.hands("h1", dict.fromkeys(range(1, 8)), final=True)
    return alone(floor)


@pytest.mark.parametrize("paid_meanwhile", [False, True])
def test_while_a_win_waits_a_seen_round_is_promised_and_paid_what_that_leaves(paid_meanwhile: bool) -> None:
    """S 5.18.1, 4.5.1: the royal that waits takes the reading; its `next` is what this table may promise."""
    floor = Floor(tables={"s1": STUD, "s2": STUD, "h1": STUD})
    since, promise = _alone_while_held(floor)
    assert (promise.value, promise.next, promise.amount) == (50_002_00, 50_016_00, 50_016_00)
    (first,) = floor.link.queue
    if paid_meanwhile:
        floor.approve(first)
    assert floor.lost("s1", since=since, registered=promise).confirmed
    hands = floor.hands("s1", {1: ROYAL["h"]}, sent_at=since + SECOND, live=False)
    win = str(hands.results[0].win)
    floor.back("s1")
    if not paid_meanwhile:
        floor.approve(first)
    floor.approve(win)
    floor.wait(1)
    assert (floor.paid_for(first), floor.paid_for(win)) == (promise.value, promise.next)


def test_a_promise_of_the_value_that_a_waiting_win_takes_is_denied() -> None:
    """S 5.18.1: the players were told an amount that the journal does not leave to them."""
    floor = Floor(tables={"s1": STUD, "s2": STUD, "h1": STUD})
    since, promise = _alone_while_held(floor)
    assert floor.lost("s1", since=since, registered=replace(promise, next=None)).confirmed is False
    floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, sent_at=since + SECOND, live=False)
    (raised,) = floor.facts(ClaimRaised)
    assert (raised.reason, raised.promised) == (ClaimReason.PROMISE_DENIED, 5_000_20)
    other = Floor(tables={"s1": STUD, "s2": STUD, "h1": STUD})
    since, promise = _alone_while_held(other)
    assert other.lost("s1", since=since, registered=replace(promise, next=60_000_00)).confirmed is False
    other.hands("s1", {1: STRAIGHT_FLUSH["h"]}, sent_at=since + SECOND, live=False)
    assert other.facts(ClaimRaised)[0].promised == 6_000_00


def _denied(floor: Floor, promise: Promise, since: int) -> str:
    assert floor.lost("s1", since=since, registered=promise).confirmed is False
    (result,) = floor.hands("s1", {1: ROYAL["h"]}, sent_at=since + SECOND, live=False).results
    assert result.win is None
    assert not floor.link.held
    return str(result.claim)


@pytest.mark.parametrize(
    ("value", "sequence"),
    [(60_000_00, 0), (0, 0), (50_002_00, 999), (50_002_00, 2**62)],
    ids=["more", "nothing", "no such entry", "far off"],
)
def test_a_promise_that_the_journal_denies_is_a_case_for_the_house(value: int, sequence: int) -> None:
    floor = Floor()
    since, promise = alone(floor)
    claim = _denied(floor, Promise(value=value, sequence=sequence or promise.sequence), since)
    (raised,) = floor.facts(ClaimRaised)
    assert raised.reason is ClaimReason.PROMISE_DENIED
    assert (raised.registered, raised.promised) == (50_002_00, value)
    codes = [one.code for one in alerts(floor.link, now=floor.now) if one.table == "s1"]
    assert codes == ["promise_denied"]
    assert claim in floor.link.claims


def test_a_promise_from_before_the_round_or_after_the_loss_is_denied() -> None:
    """A table that has closed bets was told what they left; after the loss it was told nothing."""
    floor = Floor()
    before = floor.told
    floor.wait(1)
    since, _ = alone(floor)
    after = floor.told
    assert floor.lost("s1", since=since, registered=before).confirmed is False
    other = Floor()
    other.wait(1)
    since, _ = alone(other)
    assert other.lost("s1", since=since, registered=after).confirmed is False


@pytest.mark.parametrize(
    ("outcome", "amount"),
    [
        (ClaimOutcome.PROMISED, 60_000_00),
        (ClaimOutcome.REGISTERED, 50_002_00),
        (ClaimOutcome.REFUSED, 0),
    ],
)
def test_two_people_decide_what_a_denied_promise_is_worth(outcome: ClaimOutcome, amount: int) -> None:
    """From reserve and house; the pool stays."""
    floor = Floor()
    since, promise = alone(floor)
    claim = _denied(floor, replace(promise, value=60_000_00), since)
    value = floor.value
    floor.decide_claim(claim, outcome)
    assert floor.facts(ClaimDecided)[0].amount == amount
    assert floor.balance(Account.PRIZES) == to_units(amount)
    assert floor.value == value


def test_a_promise_is_paid_only_where_one_was_made() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    floor.hands("s1", {1: NOTHING}, final=True)
    claim = str(floor.hands("s1", {1: ROYAL["h"]}).results[0].claim)
    with pytest.raises(OutcomeWrong):
        floor.act(DecideClaim(person="sue", claim=claim, outcome=ClaimOutcome.PROMISED, reason="why"))


def test_a_major_reported_after_a_denied_promise_was_settled_brings_it_along() -> None:
    floor = Floor()
    since, promise = alone(floor)
    floor.lost("s1", since=since, registered=replace(promise, value=60_000_00))
    floor.hands("s1", {1: NOTHING}, sent_at=since + SECOND, live=False, final=True)
    floor.bets("s1", {}, ante={1: 2500}, sent_at=since + 2 * SECOND, live=False)
    floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, round=1)
    (raised,) = floor.facts(ClaimRaised)
    assert (raised.reason, raised.promised) == (ClaimReason.ROUND_SETTLED, 6_000_00)


def test_what_the_house_has_decided_of_a_round_stands() -> None:
    """The House took the silent table out with the cards seen; then the table comes back with its promise."""
    floor = Floor()
    floor.bets("s1", [1])
    promise, since = floor.told, floor.now + SECOND
    floor.wait(2)
    declared = floor.malfunction("s1", seen={"s1": True})
    registered = floor.link.tables["s1"].round.registered
    floor.lost("s1", since=since, registered=replace(promise, value=60_000_00))
    assert floor.link.tables["s1"].round.registered == registered
    assert floor.link.tables["s1"].round.promised is None
    floor.back("s1")
    assert list(floor.link.malfunctions) == [declared]


# The time alone, and the return


def test_until_it_has_told_everything_the_table_takes_no_progressive_bets() -> None:
    """S 5.18.2c."""
    floor = Floor()
    since, promise = alone(floor)
    malfunction = floor.lost("s1", since=since, registered=promise).malfunction
    assert floor.beat("s1", sent_at=since, live=False).notice == NOTICE_OFF
    spooled = floor.bets("s1", [1], sent_at=since + SECOND, live=False)
    assert [(one.code, one.rule) for one in spooled.returned] == [("progressive_off", "5.18.2c")]
    floor.back("s1")
    (cleared,) = floor.facts(MalfunctionCleared)
    assert (cleared.malfunction, cleared.person) == (malfunction, "s1")
    assert floor.bets("s1", [1]).returned == ()


def test_what_the_table_says_of_it_is_on_record() -> None:
    floor = Floor()
    since, promise = alone(floor)
    floor.lost("s1", since=since, registered=promise, round=1)
    (fact,) = floor.facts(MalfunctionDeclared)
    assert (fact.scope, fact.then, fact.by) == (Scope(table="s1"), Then.PROGRESSIVE_OFF, "s1")
    assert abs(fact.observed_at - since) <= MILLISECOND
    assert (fact.offline.since, fact.offline.promised, fact.offline.confirmed) == (since, promise, True)


def test_a_report_sent_again_is_answered_as_the_first_time() -> None:
    floor = Floor()
    since, promise = alone(floor)
    first = floor.lost("s1", since=since, registered=promise)
    floor.back("s1")
    assert floor.lost("s1", since=since, registered=promise) == first
    assert floor.link.malfunctions == {}
    floor.back("s1")
    assert len(floor.facts(MalfunctionCleared)) == 1
    with pytest.raises(ContentConflict):
        floor.lost("s1", since=since, registered=promise, cards_seen=False)


def test_a_table_that_is_lost_twice_comes_back_once() -> None:
    floor = Floor()
    for _ in range(2):
        floor.wait(1)
        floor.lost("s1")
    assert len(floor.link.malfunctions) == 2
    floor.back("s1")
    assert floor.link.malfunctions == {}


def test_whether_cards_were_seen_must_be_said_of_an_open_round() -> None:
    floor = Floor()
    floor.bets("s1", [1])
    with pytest.raises(CardsSeenMissing):
        floor.lost("s1", cards_seen=None)
    floor.hands("s1", {1: NOTHING})
    assert floor.lost("s1", cards_seen=None).voided is None


@pytest.mark.parametrize(("value", "sequence"), [(-1, 5), (10**12 + 1, 5), (5, 0), (5, -1), (5, 2**62 + 1)])
def test_a_promise_that_no_reading_can_be_is_refused(value: int, sequence: int) -> None:
    floor = Floor()
    head = floor.link.head
    with pytest.raises(PromiseWrong):
        floor.lost("s1", registered=Promise(value=value, sequence=sequence))
    assert floor.link.head == head


def test_no_other_table_can_be_lost() -> None:
    floor = Floor()
    with pytest.raises(TableUnknown):
        floor.lost("nowhere")
    with pytest.raises(TableUnknown):
        floor.back("nowhere")


@pytest.mark.parametrize("off", [-(10**9), 0, 59, 61, 10**9])
def test_whatever_its_clock_a_table_can_come_back(off: int) -> None:
    """The time it says is cut to what is possible."""
    floor = Floor()
    floor.bets("s1", [1])
    closed, promise = floor.link.tables["s1"].round.dealt_from, floor.told
    floor.wait(3)
    floor.lost("s1", since=floor.now + off * SECOND, registered=promise)
    (fact,) = floor.facts(MalfunctionDeclared)
    assert closed <= fact.observed_at <= floor.now


def test_a_table_of_a_closed_link_comes_back_too() -> None:
    floor = Floor()
    since, promise = alone(floor)
    floor.act(CloseLink(person="ana", reason="night"))
    assert floor.lost("s1", since=since, registered=promise).confirmed


def test_the_facts_alone_give_the_same_state() -> None:
    floor = Floor()
    since, promise = alone(floor)
    floor.lost("s1", since=since, registered=replace(promise, value=1))
    before = floor.book.restart()
    assert floor.book.link == before
    assert before.tables["s1"].round is not None
    assert before.tables["s1"].round.promised == Promise(value=1, sequence=promise.sequence)


# In the book


@pytest.fixture
async def floor(url: str) -> AsyncIterator[BookFloor]:
    async with furnished_floor(url) as floor:
        yield floor


async def _alone(floor: BookFloor) -> tuple[int, Promise]:
    answer = await floor.act(floor.bets("s1", [1]))
    floor.wait(1)
    since = floor.clock.time
    await floor.act(floor.bets("s2", [1]))
    floor.wait(5)
    return since, Promise(value=answer.reading.value, sequence=answer.reading.sequence)


@pytest.mark.parametrize("denied", [False, True])
async def test_the_book_remembers_what_a_table_was_told(floor: BookFloor, denied: bool) -> None:
    since, promise = await _alone(floor)
    said = replace(promise, value=7) if denied else promise
    report = ReportOffline(person="s1", table="s1", since=since, cards_seen=True, registered=said)
    first = await floor.submit(report)
    assert getattr(first.answer, "confirmed") is not denied  # noqa: B009
    await floor.act(floor.hands("s1", {1: ROYAL["h"]}, sent_at=since + SECOND, dealt_at=since, live=False))
    await floor.act(ReturnOnline(person="s1", table="s1"))
    await floor.reopen()
    assert (await floor.submit(report)).answer == first.answer
    found = await checked(floor.book)
    assert (len(found.link.queue), len(found.link.claims)) == ((0, 1) if denied else (1, 0))


async def test_a_replayed_void_of_an_earlier_round_is_answered_from_the_journal(floor: BookFloor) -> None:
    since, _ = await _alone(floor)
    await floor.act(ReportOffline(person="s1", table="s1", since=since, cards_seen=False))
    await floor.act(floor.bets("s1", []))
    answer = await floor.act(floor.void("s1", round=1))
    assert [one.amount for one in getattr(answer, "returned")] == [500, 2500]  # noqa: B009
    assert (await checked(floor.book)).count(RoundVoided) == 1


async def test_verify_finds_a_promise_that_was_wrongly_confirmed(
    floor: BookFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("jackpot.house.offline._confirmed", lambda *_: True)
    since, promise = await _alone(floor)
    said = replace(promise, value=7)
    await floor.act(ReportOffline(person="s1", table="s1", since=since, cards_seen=True, registered=said))
    with pytest.raises(Difference, match=f"entry {promise.sequence} reads .* not as promised"):
        await Verifier(floor.book.store, "main").verify()
