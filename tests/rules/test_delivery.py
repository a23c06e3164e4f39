"""The same floor history, delivered in any order that keeps each table's own, has the same outcome."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.commands import (
    AddTable,
    ApproveWin,
    BoxBets,
    ClockReading,
    CloseBets,
    DecideOrder,
    HandReport,
    Heartbeat,
    ReportHands,
    TableMessage,
    VoidRound,
)
from jackpot.facts import ClaimRaised, WinPaid
from jackpot.hands import PERCENT_OF_POOL, progressive_hand
from jackpot.instants import MILLISECOND, SECOND
from jackpot.notebook import Notebook
from jackpot.payout import clusters
from jackpot.rulebook import Game
from jackpot.simulation.dealing import deal
from jackpot.state import TableSetup
from tests.floor import DEFAULTS, START

Seeds = st.integers(min_value=0, max_value=2**32)
Outcome = list[tuple[str, int, int, int]]


class History:
    """What really happened at some tables within one second, as the messages they sent."""

    def __init__(self, seed: int, *, voids: bool) -> None:
        rng = Random(seed)
        self.voids = voids
        self.setups = [
            TableSetup(id=f"t{number}", game=rng.choice(tuple(Game)), boxes=3)
            for number in range(rng.randrange(2, 5))
        ]
        self.skew = {setup.id: rng.randrange(-SECOND, SECOND) for setup in self.setups}
        self.error = {setup.id: rng.choice((1, 20, 150)) * MILLISECOND for setup in self.setups}
        self.messages = {setup.id: self._rounds(rng, setup) for setup in self.setups}
        self.majors = sum(1 for several in self.messages.values() for one in several if registers(one, self))

    def _rounds(self, rng: Random, setup: TableSetup) -> list[TableMessage]:
        messages: list[TableMessage] = []
        now = START + rng.randrange(20, 200) * MILLISECOND
        for number in range(1, rng.randrange(2, 5)):
            messages += self._round(rng, setup, number, now)
            now += rng.randrange(110, 250) * MILLISECOND
        return messages

    def _round(self, rng: Random, setup: TableSetup, number: int, now: int) -> list[TableMessage]:
        skew = self.skew[setup.id]
        boxes = sorted(rng.sample((1, 2, 3), rng.randrange(1, 4)))
        cards = deal(rng, setup.game, boxes, rigged=0.6)
        dealt = now + rng.randrange(1, 50) * MILLISECOND
        bets = CloseBets(
            table=setup.id,
            round=number,
            sent_at=now + 1000 + skew,
            received_at=0,
            closed_at=now + skew,
            boxes=tuple(BoxBets(box=box, ante=2500, progressive=500) for box in boxes),
        )
        hands = ReportHands(
            table=setup.id,
            round=number,
            sent_at=now + 100 * MILLISECOND + skew,
            received_at=0,
            community=cards.community,
            hands=tuple(
                HandReport(box=box, cards=own, dealt_at=dealt + 100 * box + skew)
                for box, own in cards.hands.items()
            ),
        )
        if self.voids and not registers(hands, self) and rng.random() < 0.2:
            return [
                bets,
                VoidRound(table=setup.id, round=number, reason="5.8.1", sent_at=hands.sent_at, received_at=0),
            ]
        return [bets, hands]


def registers(message: TableMessage, history: History) -> bool:
    if not isinstance(message, ReportHands):
        return False
    game = next(one.game for one in history.setups if one.id == message.table)
    community = message.community or ()
    hands = [progressive_hand(game, report.cards or (), community) for report in message.hands]
    return any(hand in PERCENT_OF_POOL for hand in hands)


def interleaved(history: History, seed: int) -> list[TableMessage]:
    """Any order that keeps each table's own."""
    rng = Random(seed)
    left = {name: list(messages) for name, messages in history.messages.items()}
    order: list[TableMessage] = []
    while any(left.values()):
        name = rng.choice([name for name, messages in left.items() if messages])
        order.append(left[name].pop(0))
    return order


def stirred(history: History, order: list[TableMessage], seed: int) -> list[TableMessage]:
    """Another order in which no bets have changed sides with a registration."""
    rng, order = Random(seed), list(order)
    for _ in range(20 * len(order)):
        place = rng.randrange(len(order) - 1)
        one, other = order[place], order[place + 1]
        kinds = {_side(one, history), _side(other, history)}
        if one.table != other.table and kinds != {"bets", "registration"}:
            order[place], order[place + 1] = other, one
    return order


def _side(message: TableMessage, history: History) -> str:
    if isinstance(message, CloseBets):
        return "bets"
    return "registration" if registers(message, history) else "neither"


def with_repeats(order: list[TableMessage], seed: int) -> list[TableMessage]:
    rng = Random(seed)
    repeated = list(order)
    for message in order:
        if rng.random() < 0.3:
            repeated.insert(rng.randrange(repeated.index(message) + 1, len(repeated) + 1), message)
    return repeated


def delivered(history: History, order: list[TableMessage], seed: int) -> Outcome:
    """Deliver, with a House that acts whenever it likes; then let every table speak and pay all."""
    rng = Random(seed)
    book = Notebook("main", "Any order", "SGD", DEFAULTS, at=START - SECOND)
    for setup in history.setups:
        book.submit(AddTable(person="floor", setup=setup), at=START - SECOND)
    _beat(book, history, START)
    at = START + 1200 * MILLISECOND
    for message in order:
        at += MILLISECOND
        book.submit(replace(message, received_at=at), at=at)
        if rng.random() < 0.3:
            _house(book, at)
    _beat(book, history, START + 4 * SECOND)
    while book.link.queue:
        _house(book, START + 4 * SECOND)
    assert not any(isinstance(entry.fact, ClaimRaised) for entry in book.entries)
    return [
        (entry.fact.table, entry.fact.round, entry.fact.box, entry.fact.amount)
        for entry in book.entries
        if isinstance(entry.fact, WinPaid)
    ]


def _beat(book: Notebook, history: History, now: int) -> None:
    for name, skew in history.skew.items():
        clock = ClockReading(offset=-skew, error=history.error[name])
        book.submit(
            Heartbeat(table=name, sent_at=now + skew, received_at=now + 1000, clock=clock), at=now + 1000
        )


def _house(book: Notebook, at: int) -> None:
    for cluster in clusters(book.link):
        if not cluster.decided:
            book.submit(DecideOrder(person="sue", wins=cluster.wins, reason="camera"), at=at)
    for win in list(book.link.queue.values()):
        for person in ("ana", "ben"):
            waiting = win.id in book.link.queue
            if waiting and person not in {approval.person for approval in win.approvals}:
                book.submit(ApproveWin(person=person, win=win.id), at=at)


@pytest.mark.proof
@settings(max_examples=200, deadline=None)
@given(history=Seeds, one=Seeds, other=Seeds, repeats=Seeds)
def test_any_delivery_that_keeps_each_tables_order_has_the_same_winners_in_the_same_order(
    history: int, one: int, other: int, repeats: int
) -> None:
    told = History(history, voids=True)
    first = delivered(told, interleaved(told, one), seed=one)
    second = delivered(told, with_repeats(interleaved(told, other), repeats), seed=other)
    assert [win[:3] for win in first] == [win[:3] for win in second]


@pytest.mark.proof
@settings(max_examples=200, deadline=None)
@given(history=Seeds, one=Seeds, other=Seeds, repeats=Seeds)
def test_amounts_are_the_same_to_the_cent_when_bets_keep_their_order_to_registrations(
    history: int, one: int, other: int, repeats: int
) -> None:
    told = History(history, voids=False)
    order = interleaved(told, one)
    first = delivered(told, order, seed=one)
    second = delivered(told, with_repeats(stirred(told, order, other), repeats), seed=other)
    assert first == second


def test_these_histories_are_worth_telling() -> None:
    """Majors at several tables, ambiguous ones and both kinds are frequent enough to prove something."""
    outcomes = []
    for seed in range(60):
        told = History(seed, voids=True)
        outcomes.append(delivered(told, interleaved(told, seed), seed=seed))
    assert sum(len({win[0] for win in outcome}) > 1 for outcome in outcomes) > 15
    assert sum(len(outcome) > 2 for outcome in outcomes) > 10
