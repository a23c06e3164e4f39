"""What a broken controller, a hurried operator or an attacker would send."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from random import Random

from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import SECOND, parse_instant
from jackpot.core.money import LARGEST_AMOUNT, Account
from jackpot.games.progressive import Prize
from jackpot.link.commands import (
    AddTable,
    ApproveWin,
    BoxBets,
    ClearMalfunction,
    CloseBets,
    CloseLink,
    CloseTable,
    Command,
    Confirm,
    DecideClaim,
    DecideOrder,
    DeclareMalfunction,
    HandReport,
    Heartbeat,
    OpenTable,
    Propose,
    ReportHands,
    VoidRound,
)
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening, ParameterChange
from jackpot.link.rounds import MainGame
from jackpot.link.state import Link, Scope, TableSetup, Then
from jackpot.link.wins import ClaimOutcome, ClockWord
from jackpot.pools.order import STAMPS_MAY_CROSS
from jackpot.pools.payout import clusters
from jackpot.simulation.astray import wrong_returns, wrong_transfers
from jackpot.simulation.cage import wrong_payouts
from jackpot.simulation.tables import SimulatedTable


@dataclass(frozen=True, slots=True)
class Garbled:
    """Text from outside that never becomes a command."""

    kind: str
    text: str

    def read(self) -> None:
        if self.kind == "time":
            parse_instant(self.text, field="sent_at")
        else:
            parse_all(self.text.split())


GARBLED = (
    Garbled("time", "2026-01-01T08:00:00"),
    Garbled("time", "yesterday"),
    Garbled("time", "99999-01-01T00:00:00Z"),
    Garbled("cards", "Ah Kh Qh Jh 1h"),
    Garbled("cards", "Ah Kh Qh Jh ☠"),
)


class Mischief:
    def __init__(self, rng: Random) -> None:
        self.rng = rng
        self._seen: dict[str, type[Confirm | ClearMalfunction | DecideClaim]] = {}
        """What was open once, and the act that ends it."""
        self._table_tricks: list[Callable[[SimulatedTable, int], Command | None]] = [
            self._bets,
            self._hands,
            self._heartbeat,
            self._round,
        ]

    def act(
        self, link: Link, tables: list[SimulatedTable], now: int, house_time: int
    ) -> Command | Garbled | None:
        self._seen |= dict.fromkeys(link.proposals, Confirm) | dict.fromkeys(
            link.malfunctions, ClearMalfunction
        )
        self._seen |= dict.fromkeys(link.claims, DecideClaim)
        chosen = self.rng.random()
        if chosen < 0.1:
            return self.rng.choice(GARBLED)
        if chosen < 0.15:
            return self._another_major(link, tables, now)
        if chosen < 0.4:
            return self._house(link, house_time)
        return self.rng.choice(self._table_tricks)(self.rng.choice(tables), now)

    def _another_major(self, link: Link, tables: list[SimulatedTable], now: int) -> Command | None:
        """For a settled bet that has a win in line: its hand was better, or a claim to it is decided."""
        claimed = {(one.table, one.round, one.box): one.id for one in link.claims.values()}
        for win in link.queue.values():
            table = next(one for one in tables if one.setup.id == win.table)
            place = (win.table, win.round, win.box)
            if place in claimed:
                outcome = ClaimOutcome.IN_ORDER
                return DecideClaim(person="eve", claim=claimed[place], outcome=outcome, reason="why")
            own_cards_alone = not table.setup.rulebook.shared
            if own_cards_alone and win.hand is Hand.STRAIGHT_FLUSH:
                hand = HandReport(box=win.box, cards=tuple(range(51, 31, -4)))
                shown, seq = table.clock.shows(now, table.start), self._seq(table)
                return ReportHands(
                    table=win.table,
                    round=win.round,
                    hands=(hand,),
                    sent_at=shown,
                    received_at=now,
                    seq=seq,
                    final=True,
                )
        return None

    def _bets(self, table: SimulatedTable, now: int) -> Command | None:
        """Bets of the next round, or of the current one once more but changed."""
        if table.bets is None:
            return None
        first, number = table.bets.boxes[0], table.round + 1
        shown = table.clock.shows(now, table.start)
        fresh = replace(
            table.bets, round=number, sent_at=shown, received_at=now, closed_at=shown, seq=self._seq(table)
        )
        return self.rng.choice(
            (
                replace(fresh, boxes=(first, first)),
                replace(fresh, boxes=(replace(first, box=99),)),
                replace(fresh, boxes=(replace(first, box=0),)),
                replace(fresh, boxes=(replace(first, ante=-1),)),
                replace(fresh, boxes=(replace(first, ante=LARGEST_AMOUNT + 1),)),
                replace(fresh, boxes=(replace(first, progressive=101 * table.prescribed),)),
                replace(fresh, closed_at=shown + STAMPS_MAY_CROSS + 1),
                replace(fresh, closed_at=shown - 2 * 3600 * SECOND),
                replace(fresh, round=0),
                replace(fresh, round=max(1, table.round - 1), boxes=(BoxBets(box=1, ante=7),)),
                replace(fresh, table="nowhere"),
                replace(table.bets, boxes=(*table.bets.boxes[1:], replace(first, ante=first.ante + 1))),
                replace(fresh, sent_at=shown - 3600 * SECOND, closed_at=shown - 3600 * SECOND, seq=None),
            )
        )

    def _seq(self, table: SimulatedTable) -> int | None:
        return table.seq if table.numbered else None

    def _hands(self, table: SimulatedTable, now: int) -> Command | None:
        earlier, bets = table.hands, table.bets
        if earlier is None or bets is None or not earlier.hands:
            return None
        shown = table.clock.shows(now, table.start)
        seq = self._seq(table)
        fresh = replace(earlier, sent_at=shown, received_at=now, final=False, seq=seq)
        first = earlier.hands[0]
        unused = next(box for box in range(1, 99) if box not in {one.box for one in bets.boxes})
        return self.rng.choice(
            (
                *(replace(fresh, hands=hands) for hands in self._wrong_hands(first, bets, shown, unused)),
                replace(fresh, community=(fresh.community or (0,))[:1]),
                replace(fresh, dealer=tuple(range(9))),
                replace(fresh, round=table.round + 7),
                replace(fresh, round=max(1, table.round - 1), hands=()),
                ReportHands(
                    table=table.setup.id, round=table.round, hands=(), sent_at=shown, received_at=now, seq=seq
                ),
            )
        )

    def _wrong_hands(
        self, first: HandReport, bets: CloseBets, shown: int, unused: int
    ) -> list[tuple[HandReport, ...]]:
        five = (0, 5, 10, 15, 20)
        boxes = [one.box for one in bets.boxes]
        return [
            (replace(first, cards=(first.cards or five)[:1] * 5, invalidated=None, revealed=None),),
            (replace(first, cards=(0, 0, 1, 2, 3)),),
            (replace(first, cards=five, revealed=False),),
            (replace(first, cards=(), revealed=None, invalidated="1.1"),),
            (HandReport(box=first.box, main=MainGame(river=0)),),
            (replace(first, main=MainGame(decision="raise")),),
            (replace(first, main=MainGame(bet=1, flop=1)),),
            (replace(first, folded=True, main=MainGame(decision="bet")),),
            (replace(first, box=99),),
            (replace(first, box=unused),),
            (first, first),
            (replace(first, dealt_at=bets.closed_at - STAMPS_MAY_CROSS - 1),),
            (replace(first, dealt_at=shown + STAMPS_MAY_CROSS + 1),),
            tuple(
                HandReport(box=box, revealed=False, deal_order=9 - place) for place, box in enumerate(boxes)
            ),
        ]

    def _heartbeat(self, table: SimulatedTable, now: int) -> Command | None:
        shown = table.clock.shows(now, table.start)
        beat = Heartbeat(table=table.setup.id, sent_at=shown, received_at=now, seq=self._seq(table))
        return self.rng.choice(
            (
                replace(beat, clock=ClockWord(offset=0, error=-1)),
                replace(beat, seq=-1),
                replace(beat, clock=ClockWord(offset=10**18, error=1)),
                replace(beat, seq=table.seq + 10)
                if table.numbered
                else replace(beat, sent_at=shown - 60 * SECOND),
                replace(beat, seq=table.seq - 5) if table.numbered else replace(beat, table=""),
            )
        )

    def _round(self, table: SimulatedTable, now: int) -> Command | None:
        shown = table.clock.shows(now, table.start)
        void = VoidRound(
            table=table.setup.id,
            round=table.round,
            reason="5.8.1",
            sent_at=shown,
            received_at=now,
            seq=self._seq(table),
        )
        return self.rng.choice(
            (
                replace(void, reason="1.1"),
                replace(void, reason="5.8"),
                replace(void, reason=table.setup.paragraphs.house_resolves),
                replace(void, reason=table.setup.paragraphs.not_seen_voids),
                replace(void, round=max(1, table.round - 1)),
                replace(void, round=table.round + 9),
                replace(void, note="x" * 501),
                replace(void, note="\ud800"),
            )
        )

    def _house(self, link: Link, now: int) -> Command | None:
        table = next(iter(link.tables.values()))
        name, setup = table.setup.id, table.setup
        acts: list[Command] = [
            ApproveWin(person=" ", win="x"),
            ApproveWin(person="eve", win="x.1.1.1"),
            CloseTable(person="eve", table=name, reason=" "),
            CloseTable(person="eve", table="nowhere", reason="why"),
            OpenTable(person="eve", table=name, reason="why"),
            AddTable(person="eve", setup=setup),
            AddTable(person="eve", setup=TableSetup(id="a table!", game=setup.game, boxes=1)),
            AddTable(person="eve", setup=TableSetup(id="new", game=setup.game, boxes=0)),
            CloseLink(person="eve", reason=""),
            ClearMalfunction(person="eve", malfunction="x"),
            Confirm(person="eve", proposal="x"),
            DecideClaim(person="eve", claim="x", outcome=ClaimOutcome.REFUSED, reason="why"),
            DecideOrder(person="eve", wins=(), reason="why"),
            *self._too_late(link),
            *self._wrong_proposals(link),
            *wrong_transfers(link),
            *wrong_returns(link, now),
            *self._wrong_malfunctions(link, now),
            *(10 * self._wrong_orders(link)),
            *self._repeated_acts(link),
            *wrong_payouts(link, self.rng),
        ]
        return self.rng.choice(acts)

    def _too_late(self, link: Link) -> list[Command]:
        """Acts on what is over."""
        over = self._seen.keys() - link.proposals.keys() - link.malfunctions.keys() - link.claims.keys()
        latest = {self._seen[one]: one for one in sorted(over)}
        found: list[Command] = []
        if Confirm in latest:
            found.append(Confirm(person="eve", proposal=latest[Confirm]))
        if ClearMalfunction in latest:
            found.append(ClearMalfunction(person="eve", malfunction=latest[ClearMalfunction]))
        if DecideClaim in latest:
            outcome = ClaimOutcome.REFUSED
            found.append(DecideClaim(person="eve", claim=latest[DecideClaim], outcome=outcome, reason="why"))
        return found

    def _wrong_proposals(self, link: Link) -> list[Command]:
        meter = link.pool.value
        changes = (
            ParameterChange(changes=Changes()),
            ParameterChange(changes=Changes(ceiling=1)),
            ParameterChange(changes=Changes(meter_ppm=999_999)),
            ParameterChange(changes=Changes(levels={})),
            ParameterChange(changes=Changes(levels={Hand.ROYAL_FLUSH: Prize(share=101)})),
            ParameterChange(changes=Changes(window=-1)),
            ParameterChange(changes=Changes(cap=0)),
            ParameterChange(changes=Changes(royal_flush_approvals=0)),
            ParameterChange(changes=Changes(seed=link.parameters.seed), now=True),
            Adjustment(amount=0, account=Account.HOUSE),
            Adjustment(amount=1, account=Account.PRIZES),
            Adjustment(amount=10**9, account=Account.RESERVE),
            Adjustment(amount=-meter - 1, account=Account.HOUSE),
            LinkOpening(),
        )
        own = [Confirm(person=one.person, proposal=one.id) for one in link.proposals.values()]
        again = [Propose(person="eve", change=one.change, reason="why") for one in link.proposals.values()]
        return [*own, *again, *(Propose(person="eve", change=change, reason="why") for change in changes)]

    def _wrong_malfunctions(self, link: Link, now: int) -> list[Command]:
        name = next(iter(link.tables))
        right = DeclareMalfunction(
            person="eve", scope=Scope(table=name), observed_at=now, cards_seen={}, then=Then.CLOSE
        )
        return [
            replace(right, scope=Scope(box=1)),
            replace(right, scope=Scope(table=name, box=99)),
            replace(right, then=Then.BLOCK_BOX),
            replace(right, cards_seen={"nowhere": True}),
            replace(
                right, scope=Scope(), cards_seen=dict.fromkeys(link.tables, True), observed_at=now + SECOND
            ),
            replace(right, scope=Scope(), cards_seen=dict.fromkeys(link.tables, False), observed_at=0),
            *(replace(right, scope=Scope(), observed_at=now) for _ in self._open(link)),
        ]

    def _open(self, link: Link) -> list[str]:
        return [name for name, one in link.tables.items() if one.round is not None and one.round.open][:1]

    def _wrong_orders(self, link: Link) -> list[Command]:
        lines = [one.wins for one in clusters(link)]
        return [
            *(DecideOrder(person="eve", wins=wins, reason="why") for wins in lines if len(wins) == 1),
            *(DecideOrder(person="eve", wins=wins[:1], reason="why") for wins in lines if len(wins) > 1),
            *(DecideOrder(person="eve", wins=wins[::-1], reason="why") for wins in lines if len(wins) > 2),
        ]

    def _repeated_acts(self, link: Link) -> list[Command]:
        approved = [(one.approvals[0].person, one.id) for one in link.queue.values() if one.approvals]
        paid = [ApproveWin(person="eve", win=hit.win) for hit in link.hits[-1:]]
        keyed = CloseTable(
            person="eve", act_id="once", table=self.rng.choice(list(link.tables)), reason="why"
        )
        return [*(ApproveWin(person=person, win=win) for person, win in approved), *paid, keyed]
