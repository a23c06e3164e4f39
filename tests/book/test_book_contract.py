"""What every store must do, shown on SQLite and on a real PostgreSQL."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import event, text
from sqlalchemy.exc import DBAPIError

from jackpot.book.book import Book
from jackpot.book.reading.lookup import Lookup, Missing
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.base import StoreRefused
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.stores.migrating import SchemaOutdated
from jackpot.book.writing.writer import Busy
from jackpot.core import refusals
from jackpot.core.instants import SECOND
from jackpot.core.money import Account
from jackpot.core.refusals import ContentConflict, Refused, RoundStands
from jackpot.games.rulebook import Game
from jackpot.house.agreements import agreement_on
from jackpot.link import commands, facts
from jackpot.link.answers import Answer, HandsAnswer
from jackpot.link.proposals import Adjustment
from jackpot.link.rounds import RoundState
from jackpot.link.state import Break, Scope, TableSetup, Then
from jackpot.link.wins import ClaimOutcome
from jackpot.machine import execute
from jackpot.machine.execute import Outcome
from jackpot.machine.invariants import InvariantBroken
from jackpot.machine.memory_book import MemoryBook
from jackpot.play import bets
from jackpot.simulation.run import Simulation
from jackpot.simulation.stage import START as SIMULATED_START
from jackpot.simulation.stage import Restart, Step
from tests.book_floor import LINK, BookFloor, StoryClock, checked, furnished_floor
from tests.floor import DEFAULTS, FLUSH, FULL_HOUSE, NOTHING, QUADS, ROYAL, STRAIGHT_FLUSH
from tests.servers import Postgres

BEGUN_ANEW = commands.BreakTime(person="service", cause=Break.START, before=0, difference=0)
"""What a start gives a link."""
LIMIT = 60
"""Seconds for what must not hang: it ends long before, also on a busy machine."""


@pytest.fixture
async def floor(url: str) -> AsyncIterator[BookFloor]:
    async with furnished_floor(url) as floor:
        yield floor
        await checked(floor.book)


async def outcomes(floor: BookFloor, *several: commands.Command) -> list[Outcome | BaseException]:
    """Submitted at once: they are taken together."""
    writer = await floor.book.writer(LINK)
    return await asyncio.gather(*(writer.submit(one) for one in several), return_exceptions=True)


def claim_of(answer: Answer) -> str:
    assert isinstance(answer, HandsAnswer)
    assert answer.results[0].claim is not None
    return answer.results[0].claim


# Play


async def test_a_round_played_through_the_book_moves_the_meter_and_is_there_after_a_start(
    floor: BookFloor,
) -> None:
    before = (await floor.state()).pool.value
    bets = await floor.submit(floor.bets("s1", [1, 2, 3]))
    hands = await floor.submit(floor.hands("s1", {1: QUADS, 2: FULL_HOUSE, 3: None}, final=True))
    assert bets.answer.reading.value == before + 3 * 200
    assert isinstance(hands.answer, HandsAnswer)
    assert hands.answer.state is RoundState.SETTLED
    found = await checked(floor.book)
    await floor.reopen()
    after = (await checked(floor.book)).link
    assert (after.pool, after.tables) == (found.link.pool, found.link.tables)
    assert (await floor.submit(floor.bets("s1"))).answer.reading.value == before + 4 * 200


async def test_a_void_writes_the_mirror_of_what_it_undoes(floor: BookFloor) -> None:
    before = await floor.state()
    await floor.submit(floor.bets("s1", [1, 2]))
    await floor.submit(floor.hands("s1", {1: QUADS, 2: NOTHING}))
    await floor.submit(floor.void("s1"))
    assert (await floor.state()).pool.accounts == before.pool.accounts


async def test_majors_are_paid_through_the_book(floor: BookFloor) -> None:
    royal = await floor.wins_major("s1", ROYAL["h"])
    await floor.submit(floor.bets("s2", [1, 2]))
    await floor.submit(floor.hands("s2", {1: FLUSH, 2: None}))
    await floor.approve(royal)
    await floor.reopen()
    floor.wait(1)
    found = await checked(floor.book)
    assert [fact.amount for fact in found.facts(facts.WinPaid)] == [50_002_00]
    async with floor.book.store.reading() as connection:
        rows = (await connection.execute(text("SELECT id, state, amount FROM wins"))).all()
    assert [tuple(row) for row in rows] == [(royal, "paid", 50_002_00)]


async def test_a_corrected_major_is_withdrawn_and_registered_anew(floor: BookFloor) -> None:
    first = await floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    await floor.submit(floor.hands("s1", {1: NOTHING}))
    again = await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}))
    assert isinstance(again.answer, HandsAnswer)
    assert not again.repeated
    async with floor.book.store.reading() as connection:
        rows = (await connection.execute(text("SELECT id, state FROM wins ORDER BY id"))).all()
    assert [tuple(row) for row in rows] == [(first, "withdrawn"), (again.answer.results[0].win, "pending")]
    await floor.submit(floor.void("s1"))
    assert (await floor.state()).queue == {}


async def test_hands_said_again_after_a_correction_are_a_correction_only_if_sent_later(
    floor: BookFloor,
) -> None:
    await floor.submit(floor.bets("s1"))
    first = floor.hands("s1", {1: QUADS})
    told = await floor.submit(first)
    await floor.submit(floor.hands("s1", {1: NOTHING}))
    await floor.reopen()
    assert (await floor.submit(first)).answer == told.answer
    assert (await checked(floor.book)).count(facts.HandsReported) == 2
    floor.wait(1)
    later = await floor.submit(replace(first, sent_at=floor.clock.time, received_at=floor.clock.time))
    assert not later.repeated
    assert (await checked(floor.book)).count(facts.HandsReported) == 3


async def test_several_links_share_a_book(floor: BookFloor) -> None:
    await floor.book.create("other", "Other", "SGD", DEFAULTS)
    setup = TableSetup(id="o1", game=Game.CASINO_STUD, boxes=7)
    await floor.book.submit("other", commands.AddTable(person="ana", setup=setup))
    outcome = await floor.book.submit("other", floor.bets("o1", round=1))
    assert outcome.answer.reading.value == 50_002_00
    assert [entry.sequence async for entry in floor.book.since("other")] == [1, 2, 3, 4]
    await floor.reopen()
    assert floor.book.links == [LINK, "other"]
    with pytest.raises(LinkUnknown):
        await floor.book.submit("nowhere", floor.heartbeat("s1"))


async def test_the_journal_is_read_on_from_any_entry(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    whole = [entry async for entry in floor.book.since(LINK)]
    assert whole == (await checked(floor.book)).entries
    for sequence in range(len(whole) + 1):
        assert [entry async for entry in floor.book.since(LINK, sequence)] == whole[sequence:]


# Repeats


async def test_a_repeat_is_answered_as_the_first_time_also_after_a_start_and_after_its_round(
    floor: BookFloor,
) -> None:
    bets = floor.bets("s1", [1, 2])
    hands = floor.hands("s1", {1: QUADS, 2: NOTHING}, final=True)
    said: list[commands.Command] = [bets, hands, floor.bets("s1"), floor.void("s1")]
    first = [(await floor.submit(one)).answer for one in said]
    sequence = (await floor.state()).sequence
    for _ in range(2):
        for command, answer in zip(said, first, strict=True):
            again = await floor.submit(command)
            assert (again.answer, again.repeated) == (answer, True)
        await floor.reopen()
    await floor.submit(floor.bets("s1"))
    for command, answer in zip(said, first, strict=True):
        assert (await floor.submit(command)).answer == answer
    starts = (await checked(floor.book)).count(facts.HouseTimeBroke)
    assert ((await floor.state()).sequence, starts) == (sequence + 1 + starts, 2)


async def test_repeats_in_the_same_batch_are_carried_out_once(floor: BookFloor) -> None:
    bets = floor.bets("s1")
    await floor.submit(bets)
    hands, void = floor.hands("s1", {1: QUADS}), floor.void("s1")
    found = await outcomes(floor, bets, hands, hands, void, bets, hands, void)
    assert all(isinstance(one, Outcome) for one in found)
    repeated = [one.repeated for one in found if isinstance(one, Outcome)]
    assert repeated == [True, False, True, False, True, True, True]
    assert (await checked(floor.book)).count(facts.HandsReported) == 1


async def test_changed_content_is_a_conflict_now_and_ever_after(floor: BookFloor) -> None:
    bets = floor.bets("s1")
    await floor.submit(bets)
    other = replace(bets, boxes=(commands.BoxBets(box=2, ante=2500, progressive=500),))
    with pytest.raises(ContentConflict):
        await floor.submit(other)
    await floor.submit(floor.bets("s1"))
    await floor.reopen()
    floor.wait(1)
    with pytest.raises(ContentConflict):
        await floor.submit(replace(other, sent_at=floor.clock.time, received_at=floor.clock.time))


async def test_an_act_of_the_house_is_done_once_by_its_id(floor: BookFloor) -> None:
    change = Adjustment(amount=100, account=Account.HOUSE)
    act = commands.Propose(person="ana", change=change, reason="because", act_id="1")
    first = await floor.submit(act)
    await floor.reopen()
    again = await floor.submit(act)
    assert (again.answer, again.repeated) == (first.answer, True)
    with pytest.raises(ContentConflict):
        await floor.submit(replace(act, reason="another"))
    assert (await checked(floor.book)).count(facts.Proposed) == 1


async def test_an_approval_that_pays_is_answered_again_by_its_id(floor: BookFloor) -> None:
    win = await floor.wins_major("s1", STRAIGHT_FLUSH["c"])
    floor.wait(1)
    act = commands.ApproveWin(person="ana", win=win, act_id="ok")
    first = await floor.submit(act)
    await floor.submit(floor.bets("s1"))
    await floor.reopen()
    assert (await floor.submit(act)).answer == first.answer
    assert (await checked(floor.book)).count(facts.WinPaid) == 1


async def test_whatever_a_person_is_called_acts_are_done_once(floor: BookFloor) -> None:
    for person in ("ana/7", "ana/b", "a/1/bets", "//", "Łukasz", "o'hara; --", "%s :x"):
        act = commands.CloseTable(person=person, table="s1", reason="break", act_id=f"{person}/3/x")
        async with asyncio.timeout(LIMIT):
            first = await floor.submit(act)
            assert (await floor.submit(act)).answer == first.answer, person
        await floor.submit(commands.OpenTable(person="ana", table="s1", reason="again"))
    assert (await checked(floor.book)).count(facts.TableClosed) == 7


async def test_impossible_round_numbers_are_refused_and_hurt_nobody_else(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    for number in (0, -1, -(2**63) - 1, 2**63, 10**30, -(10**30)):
        odd: list[commands.Command] = [
            floor.bets("s1", round=number),
            floor.hands("s1", {1: NOTHING}, round=number),
            floor.void("s1", round=number),
        ]
        async with asyncio.timeout(LIMIT):
            found = await outcomes(floor, *odd, floor.bets("s2"))
        assert [isinstance(one, Refused) for one in found] == [True, True, True, False], number
        assert isinstance(found[-1], Outcome)


async def test_text_that_a_store_cannot_keep_is_refused_and_hurts_nobody_else(floor: BookFloor) -> None:
    act = commands.CloseTable(person="ana", table="s1", reason="break", act_id="1")
    odd_acts = [
        replace(act, **{name: odd})
        for odd in ("a\x00b", "\ud800", "x" * 10_000)
        for name in ("act_id", "person", "table", "reason")
    ]
    for one in odd_acts:
        async with asyncio.timeout(LIMIT):
            found = await outcomes(floor, one, floor.heartbeat("s2"), floor.bets("s2"))
        assert isinstance(found[0], Outcome | Refused), found[0]
        assert all(isinstance(other, Outcome) for other in found[1:]), found[1:]
        if isinstance(found[0], Outcome):
            assert (await floor.submit(one)).answer == found[0].answer
            await floor.submit(commands.OpenTable(person="ana", table="s1", reason="again"))


# The past


async def test_a_major_of_a_round_that_left_the_state_is_a_late_claim(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.bets("s1"))
    await floor.reopen()
    late = floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, round=1)
    claim = claim_of((await floor.submit(late)).answer)
    assert (await floor.submit(late)).repeated
    with pytest.raises(RoundStands):
        await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, round=1))
    await floor.decide_claim(claim, ClaimOutcome.REGISTERED)
    await floor.reopen()
    with pytest.raises(Refused) as refusal:
        await floor.submit(floor.hands("s1", {1: ROYAL["h"]}, round=1))
    assert refusal.value.code in ("win_paid", "round_stands")
    found = await checked(floor.book)
    assert found.count(facts.ClaimRaised) == 1
    assert found.facts(facts.ClaimDecided)[0].amount > 0
    async with floor.book.store.reading() as connection:
        rows = (await connection.execute(text("SELECT id, withdrawn, amount FROM claims"))).all()
    assert [row.id for row in rows] == [claim]
    assert rows[0].amount == found.facts(facts.ClaimDecided)[0].amount


async def test_a_late_claim_is_told_what_the_sign_showed_when_it_was_dealt(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    dealt = floor.clock.time + SECOND
    shown = (await floor.state()).pool.value
    floor.wait(2)
    for _ in range(5):
        await floor.submit(floor.bets("s1", range(1, 8)))
    await floor.submit(floor.hands("s1", {1: ROYAL["c"]}, round=1, dealt_at=dealt))
    raised = (await checked(floor.book)).facts(facts.ClaimRaised)[0]
    assert (raised.in_order, raised.registered) == (shown, shown)


async def test_a_box_that_was_paid_is_paid_no_late_claim_even_in_one_batch(floor: BookFloor) -> None:
    """The claim of one bet, twice: what the batch itself has paid counts as much as what is stored."""
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.bets("s1"))
    straight = claim_of((await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH["h"]}, round=1))).answer)
    royal = claim_of((await floor.submit(floor.hands("s1", {1: ROYAL["h"]}, round=1))).answer)
    proposals = []
    for claim in (straight, royal):
        act = commands.DecideClaim(
            person="sue", claim=claim, outcome=ClaimOutcome.IN_ORDER, reason="camera footage"
        )
        proposals.append(str(getattr(await floor.act(act), "proposal")))  # noqa: B009
    await floor.reopen()
    first, second = await outcomes(
        floor, *(commands.Confirm(person="tom", proposal=proposal) for proposal in proposals)
    )
    assert isinstance(first, Outcome)
    assert isinstance(second, refusals.WinAlreadyPaid)


async def test_what_a_command_turns_out_to_need_is_fetched_and_the_batch_played_again(
    floor: BookFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A late claim in the middle of a batch: those before it are not done twice, those after it are done."""
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.bets("s1"))
    fetched: list[Missing] = []
    fetch = Lookup.fetch

    async def watched(self: Lookup, connection: Any, state: Any, missing: Any) -> None:
        fetched.extend(several := list(missing))
        await fetch(self, connection, state, several)

    monkeypatch.setattr(Lookup, "fetch", watched)
    before = (await floor.state()).sequence
    found = await outcomes(
        floor,
        floor.bets("s2", [1, 2]),
        floor.hands("s1", {1: ROYAL["h"]}, round=1),
        floor.hands("s2", {1: QUADS, 2: NOTHING}),
        floor.bets("s2", [3]),
    )
    assert all(isinstance(one, Outcome) for one in found)
    asked = {name for one in fetched for name, value in vars(one).items() if value is not None}
    assert {"round", "claim", "reading_before"} <= asked
    state = await checked(floor.book)
    assert [type(entry.fact).__name__ for entry in state.entries[before:]] == [
        "BetsClosed",
        "ClaimRaised",
        "HandsReported",
        "BetsClosed",
    ]


async def test_a_malfunction_observed_in_the_past_registers_the_reading_of_then(floor: BookFloor) -> None:
    await floor.submit(floor.bets("s1"))
    floor.wait(1)
    observed, shown = floor.clock.time, (await floor.state()).pool.value
    for _ in range(3):
        floor.wait(1)
        await floor.submit(floor.bets("s2", range(1, 8)))
    await floor.reopen()
    act = commands.DeclareMalfunction(
        person="sue",
        scope=Scope(table="s1"),
        observed_at=observed,
        cards_seen={"s1": True},
        then=Then.PROGRESSIVE_OFF,
        act_id="m1",
    )
    first = await floor.submit(act)
    assert (await floor.submit(act)).answer == first.answer
    await floor.reopen()
    win = (await floor.act(floor.hands("s1", {1: ROYAL["d"]}))).results[0].win  # type: ignore[attr-defined]
    await floor.submit(floor.hands("s2", dict.fromkeys(range(1, 8))))
    floor.wait(1)
    await floor.approve(win)
    assert [one.amount for one in (await checked(floor.book)).facts(facts.WinPaid)] == [shown]


async def test_a_malfunction_of_the_link_voids_unseen_rounds_of_all_tables(floor: BookFloor) -> None:
    for table in ("s1", "s2", "h1"):
        await floor.submit(floor.bets(table))
    observed = floor.clock.time
    await floor.act(
        commands.DeclareMalfunction(
            person="sue",
            scope=Scope(),
            observed_at=observed,
            cards_seen={"s1": False, "s2": False, "h1": True},
            then=Then.CLOSE,
        )
    )
    await floor.reopen()
    state = (await checked(floor.book)).link
    voided = [table.round.state is RoundState.VOIDED for table in state.tables.values() if table.round]
    assert sorted(voided) == [False, True, True]


async def test_a_table_opened_again_may_count_its_messages_anew(floor: BookFloor) -> None:
    for seq in range(5):
        await floor.submit(floor.heartbeat("s1", seq=seq))
    await floor.act(commands.CloseTable(person="ana", table="s1", reason="break"))
    await floor.act(commands.OpenTable(person="ana", table="s1", reason="new controller"))
    for seq in range(5):
        await floor.submit(floor.heartbeat("s1", seq=seq))
    await floor.act(commands.CloseTable(person="ana", table="s1", reason="break"))
    await floor.act(commands.OpenTable(person="ana", table="s1", reason="another"))
    await floor.reopen()
    await floor.submit(floor.heartbeat("s1", seq=0))
    await floor.submit(floor.heartbeat("s1", seq=1))
    assert (await floor.state()).tables["s1"].contact.seq == 1


# What is written


async def test_the_database_itself_refuses_to_change_what_was_written(floor: BookFloor) -> None:
    store = floor.book.store
    acts = ["UPDATE {} SET at = at + 1", "DELETE FROM {}"]
    if store.engine.dialect.name != "sqlite":  # it has no TRUNCATE
        acts.append("TRUNCATE {}")
    audited = "INSERT INTO audit (id, at, actor, act, outcome) VALUES ('1', 1, 'ana', 'login', 'allowed')"
    async with store.transaction() as connection:
        await connection.execute(text(audited))
    for table in ("journal", "audit"):
        for act in acts:
            with pytest.raises(DBAPIError, match=f"the {table} is append-only"):
                async with store.transaction() as connection:
                    await connection.execute(text(act.format(table)))


async def test_a_heartbeat_writes_its_contact_and_nothing_else(floor: BookFloor) -> None:
    version, state = await floor.version(), await floor.state()
    await floor.submit(floor.heartbeat("s1", seq=7))
    after = await floor.state()
    assert (await floor.version(), after.sequence) == (version, state.sequence)
    assert after.tables["s1"].contact.seq == 7
    await floor.reopen()
    with pytest.raises(refusals.SequenceGap):
        await floor.submit(floor.heartbeat("s1", seq=9))


async def test_a_refused_message_leaves_no_trace(floor: BookFloor) -> None:
    version, state = await floor.version(), await floor.state()
    with pytest.raises(Refused):
        await floor.submit(floor.bets("s1", [99], seq=5))
    assert (await floor.version(), await floor.state()) == (version, state)
    assert (await floor.state()).tables["s1"].contact == state.tables["s1"].contact


async def test_an_invariant_that_breaks_stops_the_command_and_writes_nothing(
    floor: BookFloor, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    before = await floor.state()

    def broken(desk: Any, command: Any, arrival: Any) -> Answer:
        answer = bets.close_bets(desk, command, arrival)
        desk.link.pool.accounts[Account.HOUSE] += 1
        return answer

    with monkeypatch.context() as patch:
        patch.setitem(execute._AT_TABLES, commands.CloseBets, broken)
        with pytest.raises(InvariantBroken, match="sum to 1 unit"):
            await floor.submit(floor.bets("s1"))
    assert "a command of main was not carried out: CloseBets" in caplog.text
    assert "sum to 1 unit" in caplog.text
    assert await floor.state() == before
    await floor.submit(floor.bets("s1", round=1))


# The writer


async def test_what_waits_is_taken_together(floor: BookFloor) -> None:
    before = await floor.versions()
    several = [floor.heartbeat(table) for table in ("s1", "s2", "h1")]
    found = await outcomes(floor, *several, *(floor.bets(table) for table in ("s1", "s2", "h1")))
    assert all(isinstance(one, Outcome) for one in found)
    assert 1 <= sum(await floor.versions()) - sum(before) <= 2


async def test_half_of_many_is_on_its_way_while_the_other_half_is_played(floor: BookFloor) -> None:
    before = await floor.versions()
    found = await outcomes(floor, *(floor.bets("s1") for _ in range(64)))
    assert all(isinstance(one, Outcome) for one in found)
    assert (await floor.versions()).version - before.version == 2


async def test_a_half_that_asks_the_store_is_not_overtaken_by_the_other(floor: BookFloor) -> None:
    """A spool that is replayed: its first message is known, so that the first half cannot be played ahead."""
    first = floor.bets("s1", seq=10), floor.hands("s1", {1: NOTHING}, final=True, seq=11)
    for command in first:
        await floor.submit(command)
    spool: list[commands.Command] = [first[1]]
    for number in range(12, 62, 2):
        spool += [floor.bets("s1", seq=number), floor.hands("s1", {1: NOTHING}, final=True, seq=number + 1)]
    found = await outcomes(floor, *spool)
    assert [one for one in found if not isinstance(one, Outcome)] == []
    facts_of = [entry.fact async for entry in floor.book.since(LINK)]
    assert [one.round for one in facts_of if isinstance(one, facts.BetsClosed)] == list(range(1, 27))


async def test_each_command_of_a_batch_is_refused_or_taken_on_its_own(floor: BookFloor) -> None:
    first = floor.bets("s1")
    found = await outcomes(
        floor, first, floor.bets("s2", [99]), floor.bets("h1"), replace(first, boxes=()), floor.void("s1")
    )
    assert [type(one) for one in found] == [
        Outcome,
        refusals.BoxUnknown,
        Outcome,
        ContentConflict,
        Outcome,
    ]


async def test_a_poisoned_command_hurts_only_itself(
    floor: BookFloor, monkeypatch: pytest.MonkeyPatch
) -> None:
    def poisoned(*_: object) -> Answer:
        raise ZeroDivisionError("poison")

    monkeypatch.setitem(execute._AT_TABLES, commands.VoidRound, poisoned)
    await floor.submit(floor.bets("s1"))
    found = await outcomes(floor, floor.bets("s2"), floor.void("s1"), floor.bets("h1"), floor.bets("s1"))
    assert [type(one) for one in found] == [Outcome, ZeroDivisionError, Outcome, Outcome]
    assert (await checked(floor.book)).count(facts.BetsClosed) == 4


async def test_a_listener_that_fails_makes_nothing_happen_twice(floor: BookFloor) -> None:
    def fails(*_: object) -> None:
        raise ZeroDivisionError("a listener's own trouble")

    (await floor.book.writer(LINK)).listeners.append(fails)
    act = commands.DeclareMalfunction(
        person="sue",
        scope=Scope(table="h1"),
        observed_at=floor.clock.time,
        cards_seen={},
        then=Then.PROGRESSIVE_OFF,
    )
    found = await outcomes(floor, act, floor.bets("s1"), floor.bets("s2"))
    assert [type(one) for one in found] == [Outcome, Outcome, Outcome]
    assert isinstance(await floor.submit(floor.bets("s1")), Outcome)
    assert (await checked(floor.book)).count(facts.MalfunctionDeclared) == 1


async def test_listeners_hear_what_was_committed_in_order(floor: BookFloor) -> None:
    heard: list[int] = []
    (await floor.book.writer(LINK)).listeners.append(
        lambda committed: heard.extend(entry.sequence for entry in committed.entries)
    )
    before = (await floor.state()).sequence
    await outcomes(floor, floor.bets("s1"), floor.bets("s2"), floor.heartbeat("s1"))
    await floor.submit(floor.bets("s1"))
    assert heard == [before + 1, before + 2, before + 3]


async def test_past_the_bound_callers_are_told_that_it_is_busy(floor: BookFloor) -> None:
    (await floor.book.writer(LINK))._most_waiting = 3
    found = await outcomes(floor, *(floor.bets(table) for table in ("s1", "s2", "h1", "s1", "s2")))
    assert [type(one) for one in found] == [Outcome, Outcome, Outcome, Busy, Busy]
    assert isinstance(await floor.submit(floor.bets("s1", round=2)), Outcome)


async def test_callers_that_go_away_lose_nothing(floor: BookFloor) -> None:
    several = [floor.bets("s1"), floor.bets("s2"), floor.bets("h1")]
    for turns in range(3):
        tasks = [asyncio.ensure_future(floor.submit(one)) for one in several]
        for _ in range(turns * 3):
            await asyncio.sleep(0)
        for task in tasks:
            task.cancel()
        gone = await asyncio.gather(*tasks, return_exceptions=True)
        assert any(isinstance(one, asyncio.CancelledError) for one in gone)
        answers = [await floor.submit(one) for one in several]
        await floor.reopen()
        assert [(await floor.submit(one)).answer for one in several] == [one.answer for one in answers]
        several = [floor.bets("s1"), floor.bets("s2"), floor.bets("h1")]
    assert (await checked(floor.book)).count(facts.BetsClosed) == 9


async def test_closing_the_book_finishes_what_was_accepted(floor: BookFloor) -> None:
    several = [floor.bets("s1"), floor.bets("s2"), floor.bets("h1")]
    for turns in range(6):
        tasks = [asyncio.ensure_future(floor.submit(one)) for one in several]
        await asyncio.sleep(0.001 * turns)
        await floor.reopen()
        found = await asyncio.gather(*tasks, return_exceptions=True)
        assert [type(one) for one in found] == [Outcome, Outcome, Outcome]
        several = [floor.bets("s1"), floor.bets("s2"), floor.bets("h1")]


# Starting


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_start_makes_the_schema_in_a_store_that_has_none(
    kind: str, request: pytest.FixtureRequest
) -> None:
    async with furnished_floor(request.getfixturevalue(f"bare_{kind}_url")) as floor:
        await floor.submit(floor.bets("s1"))
        await checked(floor.book)


async def test_a_second_book_on_a_sqlite_file_is_refused(sqlite_url: str) -> None:
    floor = await BookFloor.opened(sqlite_url)
    with pytest.raises(StoreRefused, match="another process"):
        await Book.open(sqlite_url)
    await floor.furnish()
    await floor.book.close()
    again = await Book.open(sqlite_url)
    await again.close()


async def test_other_databases_are_no_stores_of_ours() -> None:
    with pytest.raises(StoreRefused):
        store_of("mysql://nowhere/book")


async def test_a_book_of_another_release_is_refused_until_it_is_migrated(floor: BookFloor) -> None:
    async with floor.book.store.reading() as connection:
        head = (await connection.execute(text("SELECT version_num FROM alembic_version"))).scalar_one()
    await floor.book.close()
    for found in ("0000", "9999", None):
        await _say_schema(floor.url, found)
        with pytest.raises(SchemaOutdated):
            await Book.open(floor.url)
    await _say_schema(floor.url, head)
    floor.book = await Book.open(floor.url)


async def _say_schema(url: str, version: str | None) -> None:
    """Have the store say that it has this one, or none."""
    store = store_of(url)
    async with store.transaction() as connection:
        await connection.execute(text("DELETE FROM alembic_version"))
        if version is not None:
            await connection.execute(text("INSERT INTO alembic_version VALUES (:v)"), {"v": version})
    await store.close()


async def test_a_postgresql_that_does_not_wait_for_its_disk_is_refused(
    postgres: Postgres, postgres_url: str
) -> None:
    database = postgres_url.rsplit("/", 1)[1]
    await postgres.execute(f"ALTER DATABASE {database} SET synchronous_commit = off")
    with pytest.raises(StoreRefused, match="durable"):
        await Book.open(postgres_url)
    await postgres.execute(f"ALTER DATABASE {database} RESET synchronous_commit")
    await (await Book.open(postgres_url)).close()


async def test_a_start_reads_a_bounded_amount(floor: BookFloor) -> None:
    """Statements that look at the journal by its length would show here as reads of all its rows."""
    for _ in range(30):
        await floor.submit(floor.bets("s1"))
    read: list[str] = []

    def watch(_c: object, _cur: object, statement: str, *_: object) -> None:
        read.append(statement)

    await floor.book.close()
    store = store_of(floor.url)
    event.listen(store.engine.sync_engine, "before_cursor_execute", watch)
    await store.start()
    floor.book = Book(store)
    await store.close()
    floor.book = await Book.open(floor.url)
    assert not [one for one in read if "FROM journal" in one]


async def test_the_past_is_found_by_index(sqlite_url: str) -> None:
    """Whatever a repeat or a late claim looks for, the length of the journal does not matter. (SQLite's
    planner goes by the statement alone; PostgreSQL's also by the size of the tables.)"""
    asked: dict[str, Any] = {}

    def watch(_c: object, _cur: object, statement: str, parameters: Any, *_: object) -> None:
        if "FROM journal" in statement and statement.startswith("SELECT"):
            asked[statement] = parameters

    async with furnished_floor(sqlite_url) as floor:
        event.listen(floor.book.store.engine.sync_engine, "before_cursor_execute", watch)
        first = floor.bets("s1")
        for command in (first, floor.bets("s1"), first, floor.hands("s1", {1: ROYAL["h"]}, round=1)):
            await floor.submit(command)
        await floor.submit(commands.CloseTable(person="ana", table="s1", reason="break", act_id="1"))
        event.remove(floor.book.store.engine.sync_engine, "before_cursor_execute", watch)
        assert len(asked) >= 4
        for statement, parameters in asked.items():
            async with floor.book.store.reading() as connection:
                plan = await connection.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters)
                steps = [str(row.detail) for row in plan]
            at_the_end = "DESC" in statement and "LIMIT" in statement
            assert at_the_end or not any(step.endswith("(link=?)") for step in steps), (statement, steps)


# A whole floor


def commands_of(seed: int, steps: int) -> list[Step]:
    """The commands of a simulated floor, and the moments at which its process died."""
    simulation = Simulation(seed)
    simulation.run(steps)
    found = [step for step in simulation.stage.steps if isinstance(step.doing, commands.Command | Restart)]
    return [step for step in found if not _reaches_another_link(step.doing)]


def _reaches_another_link(doing: object) -> bool:
    """Of which there is none here: see the tests of transfers."""
    proposed = isinstance(doing, commands.Propose) and agreement_on(doing.change).reaches is not None
    of_tables = commands.MoveTable | commands.ReceiveTable
    return proposed or isinstance(doing, of_tables | commands.ReceiveTransfer | commands.BreakTime)


# Two of those up to 160 that show the most kinds of fact, with restarts in both; and one with a late claim
# whose deal may have ended after entries of its own batch.
@pytest.mark.parametrize(("seed", "together"), [(72, 1), (114, 9), (145, 9)])
async def test_a_simulated_floor_is_the_same_on_a_book(url: str, seed: int, together: int) -> None:
    """Answer by answer and entry by entry, whether its commands come one by one or several at once."""
    simulation = Simulation(seed)
    parameters = simulation.stage.parameters
    clock = StoryClock(SIMULATED_START)
    floor = await BookFloor.opened(url, clock)
    try:
        await floor.book.create(LINK, "Multi-Link Progressive", "SGD", parameters)
        memory = MemoryBook(LINK, "Multi-Link Progressive", "SGD", parameters, at=SIMULATED_START)
        steps = commands_of(seed, 250)
        for start in range(0, len(steps), together):
            chunk = steps[start : start + together]
            clock.time = chunk[-1].at
            if any(isinstance(step.doing, Restart) for step in chunk):
                await floor.reopen()
                ahead = max(0, memory.link.time - clock.time)  # house time goes on from the last journal time
                memory.submit(replace(BEGUN_ANEW, difference=ahead), at=clock.time)
            several = [step.doing for step in chunk if isinstance(step.doing, commands.Command)]
            expected = [_outcome(memory, one, at=clock.time) for one in several]
            found = await outcomes(floor, *several)
            assert [_told(one) for one in found] == [_told(one) for one in expected]
        state = (await checked(floor.book)).link
        assert state == memory.link
        assert state.pool.accounts == memory.link.pool.accounts
        assert [table.contact for _, table in sorted(state.tables.items())] == [
            table.contact for _, table in sorted(memory.link.tables.items())
        ]
    finally:
        await floor.book.close()


def _outcome(memory: MemoryBook, command: commands.Command, *, at: int) -> Outcome | Refused:
    try:
        return memory.submit(command, at=at)
    except Refused as refusal:
        return refusal


def _told(outcome: Outcome | BaseException) -> object:
    if isinstance(outcome, Outcome):
        return outcome.answer, outcome.repeated
    return outcome.code if isinstance(outcome, Refused) else outcome
