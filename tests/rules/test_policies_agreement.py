"""Each policy on random floors, held against a plain second pool and a plain second line."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from functools import partial
from random import Random
from typing import Any

import pytest

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import Account
from jackpot.core.refusals import Refused
from jackpot.games.progressive import Prize
from jackpot.link import facts
from jackpot.link.awards import Awards, Policy
from jackpot.link.fact import Fact
from jackpot.link.parameters import Basis
from jackpot.link.rounds import PROGRESSIVE
from jackpot.link.state import Then
from jackpot.machine.applying import apply, created
from jackpot.machine.auditing import audit
from tests.effort import times
from tests.floor import HOLDEM, ROYAL, STRAIGHT_FLUSH, STUD, Floor
from tests.naive_awards import CENT, PlainPayment, PlainPool, PlainReading, PlainWin, capped

SHARDS, FLOORS = 3, times(40)

SUITS = "cdhs"
QUADS = {"c": "2c 2d 2h 2s 3c", "d": "3c 3d 3h 3s 4d", "h": "4c 4d 4h 4s 5h", "s": "5c 5d 5h 5s 6s"}
FLUSH = {suit: f"K{suit} J{suit} 9{suit} 4{suit} 2{suit}" for suit in SUITS}
WORTH_NOTHING = {"c": "Qc Td 6h 4s 2c", "d": "Qd Tc 6s 4h 2d", "h": "Qh Ts 6d 4c 2h", "s": "Qs Th 6c 4d 2s"}
LEVELS = (
    {Hand.ROYAL_FLUSH: Prize(share=100), Hand.STRAIGHT_FLUSH: Prize(share=10), Hand.FLUSH: Prize(odds=20)},
    {
        Hand.ROYAL_FLUSH: Prize(share=100),
        Hand.STRAIGHT_FLUSH: Prize(share=100),
        Hand.FOUR_OF_A_KIND: Prize(share=3),
        Hand.FLUSH: Prize(odds=7),
    },
    {
        Hand.ROYAL_FLUSH: Prize(share=100),
        Hand.STRAIGHT_FLUSH: Prize(share=60),
        Hand.FOUR_OF_A_KIND: Prize(share=60),
        Hand.FLUSH: Prize(odds=33),
    },
)


class Pair:
    """A floor, and a plain pool that is told what the floor's journal says happened and says what follows."""

    def __init__(self, random: Random) -> None:
        self.random = random
        seed = random.choice([1_000_00, 777_77])
        self.window = random.choice([None, None, 0, 400 * MILLISECOND, 3 * SECOND])
        self.awards = Awards(
            levels=dict(random.choice(LEVELS)),
            policy=random.choice(list(Policy)),
            window=self.window,
            cap=random.choice([None, 1, 10_007, 25_000]),
        )
        ceiling = random.choice([None, None, seed + 500, seed * 2])
        top_up = random.random() < 0.3
        names = [f"t{number}" for number in range(1, random.randint(2, 5) + 1)]
        self.floor = Floor(
            tables={name: random.choice([STUD, STUD, HOLDEM]) for name in names},
            seed=seed,
            ceiling=ceiling,
            top_up_to_seed=top_up,
            meter_ppm=random.choice([0, 333_333, 400_000, 900_000]),
            reserve_ppm=random.choice([0, 50_001, 100_000]),
            awards=self.awards,
            order_basis=random.choice([Basis.STAMPED, Basis.STAMPED, Basis.WITNESSED]),
        )
        parameters = self.floor.link.parameters
        self.plain = PlainPool(
            policy=self.awards.policy.value,
            window=self.window or 0,
            seed=seed,
            ceiling=ceiling,
            top_up=top_up,
            meter_ppm=parameters.meter_ppm,
            reserve_ppm=parameters.reserve_ppm,
            meter=seed * CENT,
            house=-seed * CENT,
        )
        self.read = len(self.floor.book.entries)
        self.expected: list[PlainPayment] = []
        self.open: dict[str, tuple[int, set[int]]] = {}
        """By table: since when, and the boxes whose hands are awaited."""
        self.bet: dict[tuple[str, int], dict[int, int]] = {}
        """By round: how many wins had been paid when each box bet."""
        self.minors: dict[tuple[str, int], int] = {}
        self.cards: dict[tuple[str, int], dict[int, str]] = {}
        self.decisions: list[tuple[str, ...]] = []
        self.payments = 0
        self.compared = 0

    # What the journal says happened

    def follow(self) -> None:
        entries = self.floor.book.entries
        new, self.read = entries[self.read :], len(entries)
        replaced = {
            fact.replaces
            for fact in (entry.fact for entry in new)
            if isinstance(fact, facts.WinRegistered) and fact.replaces is not None
        }
        for entry in new:
            match entry.fact:
                case facts.BetsClosed() as fact:
                    self._bets(fact)
                case facts.HandsReported() as fact:
                    self._hands(fact)
                case facts.RoundVoided() as fact:
                    self._voided(fact)
                case facts.HandsInvalidated() as fact:
                    self._invalidated(fact)
                case facts.RoundContinued() as fact:
                    self._continued(fact)
                case fact:
                    self._in_line(fact, entry.at, replaced)
        self.agree()

    def _in_line(self, fact: Fact, at: int, replaced: set[str]) -> None:
        match fact:
            case facts.WinWithdrawn(win=win) | facts.WinRejected(win=win) if win not in replaced:
                self.plain.win_left(win)
            case facts.WinRegistered():
                self._registered(fact)
            case facts.OrderDecided(wins=wins):
                self.decisions.append(wins)
            case facts.WinPaid():
                self._paid(fact, at)
            case _:
                pass

    def _voided(self, fact: facts.RoundVoided) -> None:
        self._returned(fact)
        self.open.pop(fact.table, None)
        self.plain.house += self.minors.pop((fact.table, fact.round), 0) * CENT

    def _bets(self, fact: facts.BetsClosed) -> None:
        on = {one.box for one in fact.boxes if one.progressive}
        self.plain.bet(sum(one.progressive for one in fact.boxes))
        self.bet[fact.table, fact.round] = dict.fromkeys(on, self.payments)
        self.open[fact.table] = (fact.dealt_from, on)

    def _hands(self, fact: facts.HandsReported) -> None:
        self._returned(fact)
        for box in fact.restored:
            self.plain.bet(500)
            self.bet[fact.table, fact.round][box] = self.payments
        minors = {one.box: one.award or 0 for one in fact.results if one.award}
        self.plain.house -= (sum(minors.values()) - self.minors.get((fact.table, fact.round), 0)) * CENT
        self.minors[fact.table, fact.round] = sum(minors.values())
        flushes = sorted(
            one.box for one in fact.results if one.hand is Hand.FLUSH and one.box in self._on(fact)
        )
        odds = self.awards.levels[Hand.FLUSH].odds or 0
        assert [minors.get(box, 0) for box in flushes] == capped(self.awards.cap, [odds * 500] * len(flushes))
        if fact.state != "bets_closed":  # no progressive bet is without a hand
            self.open.pop(fact.table, None)

    def _on(self, fact: Any) -> set[int]:
        gone = {one.box for one in fact.returned if one.wager == PROGRESSIVE}
        return set(self.bet[fact.table, fact.round]) - gone

    def _returned(self, fact: Any) -> None:
        for one in fact.returned:
            if one.wager == PROGRESSIVE:
                paid_then = self.bet[fact.table, fact.round].pop(one.box)
                self.plain.bet_returned(one.amount, since_last_payment=paid_then == self.payments)

    def _invalidated(self, fact: facts.HandsInvalidated) -> None:
        self._returned(fact)
        boxes = self.floor.link.tables[fact.table].round.boxes.values()
        flushes = [box for box in boxes if box.result and box.result.hand is Hand.FLUSH and box.stands]
        odds = self.awards.levels[Hand.FLUSH].odds or 0
        now = capped(self.awards.cap, [odds * 500] * len(flushes))
        assert [box.result.award for box in flushes if box.result] == now
        self.plain.house -= (sum(now) - self.minors.get((fact.table, fact.round), 0)) * CENT
        self.minors[fact.table, fact.round] = sum(now)
        if fact.state != "bets_closed":
            self.open.pop(fact.table, None)

    def _registered(self, fact: facts.WinRegistered) -> None:
        witnessed = self.floor.link.parameters.order_basis is Basis.WITNESSED
        dealt = fact.witnessed if witnessed else fact.interval
        win = PlainWin(
            id=fact.win,
            table=fact.table,
            round=fact.round,
            box=fact.box,
            hand=fact.hand.value,
            percent=self.awards.levels[fact.hand].share or 0,
            start=dealt.start,
            end=dealt.end,
            registered=fact.registered,
        )
        if fact.replaces is None:
            self.plain.win(win)
        else:
            self.plain.win_corrected(fact.replaces, win)

    def _continued(self, fact: facts.RoundContinued) -> None:
        reading = fact.registered
        assert not reading.pending
        self.plain.readings.setdefault(
            reading.sequence, PlainReading(reading.meter, reading.overflow, reading.contributed)
        )
        for win in self.plain.waiting.values():
            if (win.table, win.round) == (fact.table, fact.round):
                win.registered = reading.sequence

    def _paid(self, fact: facts.WinPaid, at: int) -> None:
        if not self.expected:
            self._may_be_paid(fact, at)
            self.expected = self.plain.pay(fact.win)
        told = self.expected.pop(0)
        assert (fact.win, fact.amount) == (told.win, told.amount)
        assert fact.from_pool == told.from_pool
        assert fact.proof is not None
        assert fact.proof.reading == told.reading
        needed = 2 if fact.percent == 100 or told.from_pool < told.amount * CENT else 1
        assert len({one.person for one in fact.approvals}) >= needed
        assert (fact.parameters is not None) == (not self.expected and fact.percent == 100)
        self.payments += 1
        self.compared += 1

    def _may_be_paid(self, fact: facts.WinPaid, at: int) -> None:
        """It is first, no table can report what belongs before it or to it, and its order is decided."""
        plain = self.plain
        cluster = plain.first_cluster()
        assert fact.win in {win.id for win in cluster}
        end = max(win.end for win in cluster) + plain.window
        assert not [name for name, (since, on) in self.open.items() if on and since <= end]
        assert self.window is None or at > end
        if plain.policy == "ordered":
            win = plain.waiting[fact.win]
            assert plain.may_be_first(win)
            others = [other for other in cluster if other is not win]
            if not all(plain.certain(win, other) for other in others):
                decided = next(one for one in reversed(self.decisions) if {fact.win} <= set(one))
                after = decided[decided.index(fact.win) :]
                assert all(other.id in after or plain.certain(win, other) for other in others)

    def agree(self) -> None:
        if self.expected:
            raise AssertionError(f"not paid: {self.expected}")
        plain, accounts = self.plain, self.floor.link.pool.accounts
        of_floor = {one: accounts[one] for one in (Account.METER, Account.RESERVE, Account.OVERFLOW)}
        of_plain = {
            Account.METER: plain.meter,
            Account.RESERVE: plain.reserve,
            Account.OVERFLOW: plain.overflow,
        }
        assert of_floor == of_plain
        assert accounts[Account.CARRYOVER] == plain.carryover
        assert accounts[Account.HOUSE] == plain.house
        assert set(self.floor.link.queue) == set(plain.waiting)

    # What people and tables do

    def play(self, steps: int) -> None:
        acts: list[tuple[int, Callable[[], None]]] = [
            (4, self.bets),
            (6, self.hands),
            (4, self.wait),
            (5, self.approve),
            (2, self.decide),
            (1, self.reject),
            (2, self.correct),
            (1, self.void),
            (1, self.malfunction),
            (1, self.invalidate),
            (1, self.restart),
        ]
        weights = [weight for weight, _ in acts]
        for _ in range(steps):
            ((_, act),) = self.random.choices(acts, weights)
            self._try(act)
        self.finish()

    def _try(self, act: Callable[[], None]) -> None:
        with suppress(Refused):
            act()
        self.floor.wait(self.random.choice([0, 0.001, 0.05, 0.3, 1.0]))
        self.follow()

    def finish(self) -> None:
        while self.open:  # a random report may be refused
            self._try(partial(self._report, next(iter(self.open)), final=True))
        self.floor.wait(10)
        self.floor.beat(next(iter(self.floor.link.tables)))
        self.follow()
        for _ in range(200):
            if not self.plain.waiting:
                break
            self._try(self.decide)
            for win in list(self.floor.link.queue):
                for person in ("ana", "ben", "cat"):
                    self._try(partial(self.floor.approve, win, person))
        assert not self.plain.waiting

    def bets(self) -> None:
        table = self.random.choice(list(self.floor.link.tables))
        if table in self.open and self.random.random() < 0.8:
            return
        self.floor.bets(table, sorted(self.random.sample(range(1, 8), self.random.randint(1, 3))))

    def hands(self) -> None:
        if self.open:
            self._report(self.random.choice(list(self.open)), final=self.random.random() < 0.7)

    def correct(self) -> None:
        tables = self.floor.link.tables
        told = [table for table in tables if (table, self._number(table)) in self.cards]
        if told:
            self._report(self.random.choice(told), final=False)

    def _number(self, table: str) -> int:
        return int(self.floor.link.tables[table].last_round)

    def _report(self, table: str, *, final: bool) -> None:
        number = self._number(table)
        boxes = sorted(self.floor.link.tables[table].round.boxes)
        majors = [ROYAL, STRAIGHT_FLUSH, STRAIGHT_FLUSH, QUADS]
        holdem = self.floor.link.tables[table].setup.game is HOLDEM
        suits = self.random.sample(SUITS, len(boxes))
        hands: dict[int, Any] = {}
        for box, suit in zip(boxes, suits, strict=True):
            kinds = [*majors, FLUSH, FLUSH, WORTH_NOTHING, WORTH_NOTHING, None, ("5.15",)]
            if holdem:
                kinds = [ROYAL, STRAIGHT_FLUSH, None, ("5.15",)]
            kind = self.random.choice(kinds)
            hands[box] = kind[suit] if isinstance(kind, dict) else kind
        community = ""
        if holdem:
            hands, community = _as_holdem(self.random, hands)
        sent, witnessed = self.floor.now, self.floor.link.tables[table].round.dealt_from
        dealt = None
        if self.random.random() < 0.7:
            times_ = sorted(self.random.randint(witnessed, max(witnessed, sent)) for _ in boxes)
            dealt = dict(zip(boxes, times_, strict=True))
        self.cards[table, number] = hands
        self.floor.hands(table, hands, community=community, dealt=dealt, final=final)

    def wait(self) -> None:
        self.floor.wait(self.random.choice([0.1, 1, 5]))
        self.floor.beat(self.random.choice(list(self.floor.link.tables)))

    def approve(self) -> None:
        if self.floor.link.queue:
            win = self.random.choice(list(self.floor.link.queue))
            self.floor.approve(win, self.random.choice(["ana", "ben", "cat"]))

    def decide(self) -> None:
        """Any order of the first cluster that turns no certain pair round."""
        plain = self.plain
        if plain.policy != "ordered" or not plain.waiting:
            return
        left, order = plain.first_cluster(), list[PlainWin]()
        while left:
            free = [one for one in left if not any(plain.certain(other, one) for other in left)]
            order.append(self.random.choice(free))
            left.remove(order[-1])
        self.floor.decide(*[win.id for win in order])

    def reject(self) -> None:
        if self.floor.link.queue and self.random.random() < 0.5:
            self.floor.reject(self.random.choice(list(self.floor.link.queue)))

    def void(self) -> None:
        if self.open:
            self.floor.void(self.random.choice(list(self.open)), "5.8.2")

    def malfunction(self) -> None:
        """Of a table, its round seen; cleared at once, so that it takes bets again."""
        if self.open and not self.plain.waiting:
            table = self.random.choice(list(self.open))
            name = self.floor.malfunction(table, seen={table: True}, then=Then.PROGRESSIVE_OFF)
            self.floor.clear(name)

    def invalidate(self) -> None:
        """By the House: the boxes that are left share the cap alone."""
        told = [table for table in self.open if (table, self._number(table)) in self.cards]
        if told:
            table = self.random.choice(told)
            box = self.random.choice(list(self.floor.link.tables[table].round.boxes))
            self.floor.irregularity(table, "5.15", boxes=(box,), reconstructed=False)

    def restart(self) -> None:
        """In whatever phase: the journal alone gives the state."""
        before = self.floor.book.restart()
        assert before == self.floor.book.link


def _as_holdem(random: Random, hands: dict[int, Any]) -> tuple[dict[int, Any], str]:
    """A flop that makes straight and royal flushes of one suit possible: two boxes at most have them."""
    suit = random.choice(SUITS)
    holes = iter([f"A{suit} K{suit}", f"9{suit} 8{suit}"])
    told: dict[int, Any] = {}
    for box, cards in hands.items():
        told[box] = next(holes, None) if isinstance(cards, str) else cards
    return told, f"Q{suit} J{suit} T{suit}"


def played(seed: int) -> Pair:
    pair = Pair(Random(seed))
    for _ in range(3):
        pair.play(25)
    return pair


@pytest.mark.proof
@pytest.mark.parametrize("shard", range(SHARDS))
def test_what_wins_are_paid_on_random_floors_is_what_a_plain_pool_pays(shard: int) -> None:
    compared = together = 0
    for seed in range(FLOORS * shard, FLOORS * (shard + 1)):
        pair = played(seed)
        compared += pair.compared
        link = created(pair.floor.book.entries[0])
        for entry in pair.floor.book.entries[1:]:
            audit(link, entry.fact, entry.at)
            apply(link, entry.fact, entry.stamp)
        together += sum(1 for fact in pair.floor.facts(facts.WinPaid) if fact.due)
        before = pair.floor.book.restart()
        assert before == pair.floor.book.link
    assert compared > FLOORS * 3
    assert together > FLOORS // 2
