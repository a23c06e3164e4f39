"""The same floor history, however it is delivered, if every hand is dealt after its bets were answered: no
certain pair is ever reversed, and a House that decides by what its cameras saw pays the same wins."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import permutations
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games import GAMES
from jackpot.games.progressive import RULE_BOOK_LEVELS, shares
from jackpot.games.rulebook import Game
from jackpot.link.clocks import Echo
from jackpot.link.commands import (
    AddTable,
    ApproveWin,
    BoxBets,
    CloseBets,
    DecideOrder,
    HandReport,
    ReportHands,
    TableMessage,
    VoidRound,
)
from jackpot.link.facts import ClaimRaised, OrderDecided, WinPaid, WinRegistered
from jackpot.link.parameters import Basis
from jackpot.link.state import TableSetup
from jackpot.machine.memory_book import MemoryBook
from jackpot.pools.order import certainly_before, counting
from jackpot.pools.payout import clusters
from jackpot.simulation.dealing import deal
from tests.effort import times
from tests.floor import DEFAULTS, START

Seeds = st.integers(min_value=0, max_value=2**32)
Place = tuple[str, int, int]


@dataclass(frozen=True)
class Sent:
    """A message, and between which times it may be received: bets before the deal, everything before the
    table sends the next."""

    message: TableMessage
    after: int
    before: int


@dataclass(frozen=True)
class Received:
    at: int
    sent: Sent


class History:
    """What really happened at some tables within about a second, as the messages they sent."""

    def __init__(self, seed: int, *, voids: bool) -> None:
        rng = Random(seed)
        self.voids = voids
        self.setups = [
            TableSetup(id=f"t{number}", game=rng.choice(tuple(Game)), boxes=3)
            for number in range(rng.randrange(2, 5))
        ]
        self.skew = {setup.id: rng.randrange(-SECOND, SECOND) for setup in self.setups}
        self.dealt: dict[Place, int] = {}
        """When each hand was: what the cameras saw."""
        self.sent = {
            setup.id: list(self._rounds(rng, setup, number)) for number, setup in enumerate(self.setups)
        }

    def _rounds(self, rng: Random, setup: TableSetup, place: int) -> Iterator[Sent]:
        now = START + rng.randrange(20, 200) * MILLISECOND + place
        stamped = rng.random() < 0.8
        for number in range(1, rng.randrange(2, 5)):
            dealt = now + rng.randrange(5, 80) * MILLISECOND
            reported = dealt + rng.randrange(1, 50) * MILLISECOND
            later = reported + rng.randrange(5, 150) * MILLISECOND
            boxes = sorted(rng.sample((1, 2, 3), rng.randrange(1, 4)))
            for box in boxes:
                self.dealt[setup.id, number, box] = dealt + 100 * box
            yield Sent(self._bets(setup, number, boxes, now), now, dealt)
            yield Sent(self._hands(rng, setup, number, boxes, reported, stamped=stamped), reported, later)
            now = later

    def _bets(self, setup: TableSetup, number: int, boxes: list[int], now: int) -> CloseBets:
        shown = now + self.skew[setup.id]
        bets = tuple(BoxBets(box=box, ante=2500, progressive=500) for box in boxes)
        return CloseBets(
            table=setup.id, round=number, sent_at=shown, received_at=0, closed_at=shown, boxes=bets
        )

    def _hands(
        self, rng: Random, setup: TableSetup, number: int, boxes: list[int], now: int, *, stamped: bool
    ) -> TableMessage:
        skew, cards = self.skew[setup.id], deal(rng, setup.game, boxes, rigged=0.6)
        when = {box: self.dealt[setup.id, number, box] + skew if stamped else None for box in boxes}
        hands = tuple(HandReport(box=box, cards=own, dealt_at=when[box]) for box, own in cards.hands.items())
        told = ReportHands(
            table=setup.id,
            round=number,
            sent_at=now + skew,
            received_at=0,
            community=cards.community,
            hands=hands,
        )
        if self.voids and not self.registers(told) and rng.random() < 0.2:
            return VoidRound(
                table=setup.id, round=number, reason="5.8.1", sent_at=told.sent_at, received_at=0
            )
        return told

    def registers(self, message: TableMessage) -> bool:
        if not isinstance(message, ReportHands):
            return False
        game = next(one.game for one in self.setups if one.id == message.table)
        community = message.community or ()
        hands = [GAMES[game].progressive_hand(report.cards or (), community) for report in message.hands]
        return any(hand in shares(RULE_BOOK_LEVELS) for hand in hands)


def any_delivery(history: History, seed: int) -> list[Received]:
    rng = Random(seed)
    several = [one for messages in history.sent.values() for one in messages]
    return sorted((Received(rng.randrange(one.after + 1, one.before), one) for one in several), key=_at)


def _at(one: Received) -> int:
    return one.at


def stirred(history: History, order: list[Received], seed: int) -> list[Received]:
    """Another delivery, in which no bets have changed sides with a registration."""
    rng, order = Random(seed), list(order)
    for _ in range(20 * len(order)):
        place = rng.randrange(len(order) - 1)
        one, other = order[place], order[place + 1]
        sides = {_side(history, one.sent.message), _side(history, other.sent.message)}
        possible = one.sent.before > other.at and other.sent.after < one.at
        tables = {one.sent.message.table, other.sent.message.table}
        if possible and len(tables) == 2 and sides != {"bets", "registration"}:
            order[place : place + 2] = [Received(one.at, other.sent), Received(other.at, one.sent)]
    return order


def _side(history: History, message: TableMessage) -> str:
    if isinstance(message, CloseBets):
        return "bets"
    return "registration" if history.registers(message) else "neither"


def with_repeats(order: list[Received], seed: int) -> list[Received]:
    """Some messages are received again, at any later time."""
    rng, last = Random(seed), order[-1].at
    again = [replace(one, at=rng.randrange(one.at, last + 1)) for one in order if rng.random() < 0.3]
    return sorted([*order, *again], key=_at)


class Delivery:
    """A book to which a history is delivered, with a House that acts whenever it likes and decides by what
    the cameras saw; in the end it pays all."""

    def __init__(self, history: History, order: list[Received], seed: int) -> None:
        self.history = history
        self.book = MemoryBook("main", "Any order", "SGD", DEFAULTS, at=START - SECOND)
        for setup in history.setups:
            self.book.submit(AddTable(person="floor", setup=setup), at=START - SECOND)
        self._echoes: dict[str, Echo] = {}
        rng = Random(seed)
        for one in order:
            self._receive(one.sent.message, one.at)
            if rng.random() < 0.3:
                self._house(one.at)
        while self.book.link.queue:
            self._house(order[-1].at)

    def _receive(self, message: TableMessage, at: int) -> None:
        table = message.table
        told = replace(message, received_at=at, echo=self._echoes.get(table))
        replied_at = self.book.submit(told, at=at).replied_at
        assert replied_at is not None
        self._echoes[table] = Echo(replied_at=replied_at, heard_at=at + self.history.skew[table])

    def _house(self, at: int) -> None:
        for cluster in clusters(self.book.link):
            if not cluster.decided:
                seen = tuple(sorted(cluster.wins, key=self._seen))
                self.book.submit(DecideOrder(person="sue", wins=seen, reason="camera"), at=at)
        for win in list(self.book.link.queue.values()):
            for person in ("ana", "ben"):
                waiting = win.id in self.book.link.queue
                if waiting and person not in {approval.person for approval in win.approvals}:
                    self.book.submit(ApproveWin(person=person, win=win.id), at=at)

    def _seen(self, win: str) -> int:
        found = self.book.link.queue[win]
        return self.history.dealt[found.table, found.round, found.box]

    @property
    def registered(self) -> list[WinRegistered]:
        return [entry.fact for entry in self.book.entries if isinstance(entry.fact, WinRegistered)]

    @property
    def paid(self) -> list[tuple[Place, int]]:
        facts = [entry.fact for entry in self.book.entries if isinstance(entry.fact, WinPaid)]
        return [((fact.table, fact.round, fact.box), fact.amount) for fact in facts]

    @property
    def claims(self) -> int:
        return sum(isinstance(entry.fact, ClaimRaised) for entry in self.book.entries)

    @property
    def decided(self) -> int:
        """How often the House had to say who was first."""
        return sum(isinstance(entry.fact, OrderDecided) for entry in self.book.entries)

    def certain(self, basis: Basis) -> set[tuple[Place, Place]]:
        pairs = permutations(self.registered, 2)
        return {
            ((one.table, one.round, one.box), (other.table, other.round, other.box))
            for one, other in pairs
            if certainly_before(counting(one, basis), counting(other, basis))
        }


@pytest.mark.proof
@settings(max_examples=times(100), deadline=None)
@given(history=Seeds, one=Seeds, other=Seeds, repeats=Seeds)
def test_no_delivery_reverses_a_certain_pair_and_any_pays_the_same_winners_as_they_were_dealt(
    history: int, one: int, other: int, repeats: int
) -> None:
    """None is late: whoever may have been dealt before has an open round, for which the others wait."""
    told = History(history, voids=True)
    first = Delivery(told, any_delivery(told, one), one)
    second = Delivery(told, with_repeats(any_delivery(told, other), repeats), other)
    for basis in Basis:
        for earlier, later in first.certain(basis) | second.certain(basis):
            assert told.dealt[earlier] < told.dealt[later]
    for delivery in (first, second):
        assert delivery.certain(Basis.WITNESSED) <= delivery.certain(Basis.STAMPED)
    winners = [place for place, _ in first.paid]
    assert winners == [place for place, _ in second.paid]
    assert winners == sorted(winners, key=lambda place: told.dealt[place])
    assert (first.claims, second.claims) == (0, 0)


@pytest.mark.proof
@settings(max_examples=times(100), deadline=None)
@given(history=Seeds, one=Seeds, other=Seeds, repeats=Seeds)
def test_amounts_are_the_same_to_the_cent_when_bets_keep_their_order_to_registrations(
    history: int, one: int, other: int, repeats: int
) -> None:
    told = History(history, voids=False)
    order = any_delivery(told, one)
    first = Delivery(told, order, one)
    second = Delivery(told, with_repeats(stirred(told, order, other), repeats), other)
    assert first.paid == second.paid


@pytest.mark.untraced
def test_these_histories_are_worth_telling() -> None:
    """Majors at several tables, certain and ambiguous ones and both bases are frequent enough to prove
    something."""
    deliveries = []
    for seed in range(60):
        told = History(seed, voids=True)
        deliveries.append(Delivery(told, any_delivery(told, seed), seed))
    assert sum(len({place[0] for place, _ in one.paid}) > 1 for one in deliveries) > 15
    assert sum(len(one.paid) > 2 for one in deliveries) > 10
    assert sum(one.certain(Basis.WITNESSED) < one.certain(Basis.STAMPED) for one in deliveries) > 10
    assert sum(one.decided > 0 for one in deliveries) > 5
