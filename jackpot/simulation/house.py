"""Simulated operators: late, sometimes wrong, never the same two."""

from __future__ import annotations

from collections.abc import Callable
from random import Random

from jackpot.core.money import Account
from jackpot.games import GAMES
from jackpot.house.agreements import agreement_on
from jackpot.house.transfers import THE_POOL
from jackpot.link.commands import (
    ApproveWin,
    BreakTime,
    ChangeTable,
    ClearMalfunction,
    CloseDay,
    CloseLink,
    CloseTable,
    Confirm,
    DecideClaim,
    DecideOrder,
    DeclareIrregularity,
    DeclareMalfunction,
    HouseAct,
    MendMeters,
    MoveTable,
    OpenTable,
    Propose,
    ReceiveTable,
    ReceiveTransfer,
    RejectWin,
    Withdraw,
)
from jackpot.link.parameters import Changes
from jackpot.link.proposals import (
    Adjustment,
    Change,
    LinkOpening,
    ParameterChange,
    PoolTransfer,
    Proposal,
    Retirement,
)
from jackpot.link.rounds import RoundState
from jackpot.link.state import Break, CameFrom, Link, Scope, Table, TableSetup, TableStatus, Then
from jackpot.link.wins import ClaimOutcome
from jackpot.pools.payout import clusters, waiting_for
from jackpot.simulation.cage import SimulatedCage
from jackpot.simulation.days import any_closing
from jackpot.simulation.irregular import any_irregularity
from jackpot.simulation.terms import any_change, any_change_of

PEOPLE = ("ana", "ben", "cho", "dev")
GUEST = "guest"
ELSEWHERE = "elsewhere"
"""Another link of the same house."""


Habit = tuple[int, Callable[[Link, int], HouseAct | None]]
"""How often something is done, and what. The function's own type says which acts it gives."""


class SimulatedHouse:
    def __init__(self, rng: Random, *, calm: bool = False) -> None:
        self.rng = rng
        cage = SimulatedCage(rng, PEOPLE)
        duties: list[Habit] = [
            (4, self._approve),
            (1, self._decide),
            (1, self._claim),
            (1, self._confirm),
            (1, cage.hand_over),
        ]
        self.habits: list[Habit] = [
            (30, self._approve),
            (3, self._reject),
            (12, self._decide),
            (2, self._malfunction),
            (6, self._clear),
            (3, self._propose),
            (8, self._confirm),
            (1, self._withdraw),
            (6, self._claim),
            (6, self._release_queue),
            (1, self._close_table),
            (6, self._open_table),
            (1, self._close_link),
            (1, self._receive),
            (1, self._set_clock),
            (5, self._irregularity),
            (2, cage.print_slip),
            (3, cage.hand_over),
            (3, cage.leave_unclaimed),
            (3, self._change_table),
            (1, self._receive_table),
            (2, self._move_table),
            (2, self._close_day),
            (6, self._mend_meters),
        ]
        self._settled = ""
        """The difference of meters that was settled last."""
        self.closing = False
        if calm:
            self.habits = duties

    def act(self, link: Link, now: int) -> HouseAct | None:
        if self.closing and self.rng.random() < 0.6:
            return self._wind_up(link, now)
        weights = [weight for weight, _ in self.habits]
        _, chosen = self.rng.choices(self.habits, weights=weights)[0]
        return chosen(link, now)

    def _person(self) -> str:
        return self.rng.choice(PEOPLE)

    def _mend_meters(self, link: Link, _now: int) -> MendMeters | None:
        """Now and then twice, or one that never was."""
        found = [one.difference.id for one in link.tables.values() if one.difference is not None]
        luck = self.rng.random()
        if luck < 0.05:
            found = [f"{link.id}.d1"]
        elif luck < 0.15 and self._settled:
            found = [self._settled]
        if not found:
            return None
        self._settled = self.rng.choice(found)
        return MendMeters(person=self._person(), difference=self._settled, reason="counted again")

    def _approve(self, link: Link, _now: int) -> ApproveWin | None:
        wins = list(link.queue)
        return ApproveWin(person=self._person(), win=self.rng.choice(wins), note="checked") if wins else None

    def _reject(self, link: Link, _now: int) -> RejectWin | None:
        wins = list(link.queue)
        return (
            RejectWin(person=self._person(), win=self.rng.choice(wins), reason="switched") if wins else None
        )

    def _decide(self, link: Link, _now: int) -> DecideOrder | None:
        unclear = [one for one in clusters(link) if not one.decided]
        if not unclear:
            return None
        return DecideOrder(person=self._person(), wins=self.rng.choice(unclear).wins, reason="camera")

    def _malfunction(self, link: Link, now: int) -> DeclareMalfunction:
        table = self.rng.choice([None, *link.tables])
        box = 1 if table is not None and self.rng.random() < 0.3 else None
        scope = [link.tables[table]] if table is not None else list(link.tables.values())
        rounds = [one.round for one in scope if one.round is not None and not one.round.stands]
        observed = min([max(one.dealt_from, now - 2_000_000) for one in rounds] or [now])
        return DeclareMalfunction(
            person=self._person(),
            scope=Scope(table=table, box=box),
            observed_at=min(observed, now),
            cards_seen={one.setup.id: self._seen(one) for one in scope if one.round and one.round.open},
            then=Then.BLOCK_BOX if box else self.rng.choice((Then.CLOSE, Then.PROGRESSIVE_OFF)),
            note="simulated",
        )

    def _seen(self, table: Table) -> bool:
        boxes = table.round.boxes.values() if table.round else ()
        shown = any(box.record is not None and box.record.cards for box in boxes)
        return shown or self.rng.random() < 0.6

    def _irregularity(self, link: Link, _now: int) -> DeclareIrregularity | None:
        rounds = [
            one
            for one in link.tables.values()
            if one.round is not None and one.round.state is not RoundState.VOIDED
        ]
        if not rounds:
            return None
        table = self.rng.choice(rounds)
        return DeclareIrregularity(
            person=self._person(),
            table=table.setup.id,
            round=table.last_round,
            said=any_irregularity(self.rng, table),
        )

    def _release_queue(self, link: Link, now: int) -> CloseTable | DeclareMalfunction | None:
        """A silent table holds the queue back: take it out of play."""
        holding = [name for cluster in clusters(link) for name in waiting_for(link, cluster)]
        if not holding:
            return None
        table = self.rng.choice(holding)
        if self.rng.random() < 0.7:
            return CloseTable(person=self._person(), table=table, reason="silent")
        return DeclareMalfunction(
            person=self._person(),
            scope=Scope(table=table),
            observed_at=now,
            cards_seen={table: True},
            then=Then.PROGRESSIVE_OFF,
            note="silent",
        )

    def _clear(self, link: Link, _now: int) -> ClearMalfunction | None:
        found = list(link.malfunctions)
        return ClearMalfunction(person=self._person(), malfunction=self.rng.choice(found)) if found else None

    def _propose(self, link: Link, _now: int) -> Propose:
        return Propose(person=self._person(), change=self._change(link), reason="simulated")

    def _change(self, link: Link) -> Change:
        seed, rng = link.parameters.seed, self.rng
        return rng.choice(
            (
                ParameterChange(changes=Changes(seed=rng.randrange(seed // 2, seed + 1000))),
                ParameterChange(changes=Changes(meter_ppm=rng.randrange(100_000, 500_000))),
                ParameterChange(changes=Changes(ceiling=2 * seed)),
                ParameterChange(changes=Changes(no_ceiling=True)),
                ParameterChange(changes=Changes(seed=seed + rng.randrange(-5000, 5000)), now=True),
                Adjustment(
                    amount=rng.randrange(-500, 500), account=rng.choice((Account.HOUSE, Account.RESERVE))
                ),
                PoolTransfer(to=ELSEWHERE, amount=rng.randrange(1, 500), account=rng.choice(THE_POOL)),
                LinkOpening(),
                ParameterChange(changes=any_change(rng)),
            )
        )

    def _confirm(self, link: Link, _now: int) -> Confirm | Propose | None:
        found = list(link.proposals.values())
        return self._confirmed(self.rng.choice(found)) if found else self._reopen(link)

    def _confirmed(self, proposal: Proposal) -> Confirm:
        receiver = agreement_on(proposal.change).reaches
        return Confirm(person=self._person(), proposal=proposal.id, receiver=receiver)

    def _reopen(self, link: Link) -> Propose | None:
        if not link.closed:
            return None
        return Propose(person=self._person(), change=LinkOpening(), reason="open again")

    def _withdraw(self, link: Link, _now: int) -> Withdraw | None:
        found = list(link.proposals)
        return Withdraw(person=self._person(), proposal=self.rng.choice(found)) if found else None

    def _claim(self, link: Link, _now: int) -> DecideClaim | None:
        found = list(link.claims)
        if not found:
            return None
        outcome = self.rng.choice(tuple(ClaimOutcome))
        return DecideClaim(
            person=self._person(), claim=self.rng.choice(found), outcome=outcome, reason="camera"
        )

    def _close_table(self, link: Link, _now: int) -> CloseTable:
        return CloseTable(
            person=self._person(), table=self.rng.choice(list(link.tables)), reason="shift ends"
        )

    def _open_table(self, link: Link, _now: int) -> OpenTable | None:
        closed = [name for name, one in link.tables.items() if one.status is TableStatus.CLOSED]
        return OpenTable(person=self._person(), table=closed[0], reason="shift begins") if closed else None

    def _change_table(self, link: Link, _now: int) -> ChangeTable:
        return any_change_of(self.rng, self.rng.choice(list(link.tables.values())))

    def _close_day(self, link: Link, now: int) -> CloseDay:
        return any_closing(self.rng, link, now)

    def _receive_table(self, link: Link, now: int) -> ReceiveTable:
        """A guest from elsewhere, at which nobody plays; now and then one that is here already."""
        rng = self.rng
        setup = TableSetup(
            id=f"{GUEST}-{rng.randrange(3)}",
            game=next(iter(GAMES)),
            boxes=rng.randrange(1, 8),
            most_won=10_000,
        )
        source = CameFrom(
            place=ELSEWHERE, sequence=now, last_round=rng.randrange(9), closed=rng.random() < 0.3
        )
        currency = link.currency if rng.random() < 0.9 else "XAU"
        return ReceiveTable(
            person=self._person(), setup=setup, source=source, currency=currency, reason="simulated"
        )

    def _move_table(self, link: Link, _now: int) -> MoveTable:
        """Guests go again. Of the others nobody at the other link takes part."""
        guests = [name for name in link.tables if name.startswith(GUEST)]
        table, receiver = self.rng.choice(list(link.tables)), None
        if guests and self.rng.random() < 0.7:
            table, receiver = guests[0], ELSEWHERE
        to = ELSEWHERE if self.rng.random() < 0.9 else link.id
        return MoveTable(person=self._person(), table=table, to=to, receiver=receiver, reason="simulated")

    def _receive(self, link: Link, now: int) -> ReceiveTransfer:
        accounts = self.rng.sample(THE_POOL, self.rng.randrange(1, 4))
        return ReceiveTransfer(
            person=self._person(),
            transfer=f"{ELSEWHERE}.t{now}",
            source=ELSEWHERE,
            currency=link.currency,
            amounts={account: self.rng.randrange(1, 10**9) for account in accounts},
            persons=PEOPLE[:2],
            reason="simulated",
        )

    def _set_clock(self, _link: Link, now: int) -> BreakTime:
        """As the book does at every link, once two people have agreed."""
        return BreakTime(
            person=self._person(),
            cause=Break.SET,
            before=now,
            difference=0,
            persons=PEOPLE[:2],
            reason="simulated",
        )

    def _wind_up(self, link: Link, now: int) -> HouseAct | None:
        """Step by step to the link's retirement, and now and then too early."""
        for proposal in link.proposals.values():
            if isinstance(proposal.change, Retirement):
                return self._confirmed(proposal)
        if not link.closed:
            return CloseLink(person=self._person(), reason="given up")
        going_on = [one for one in link.tables.values() if one.round is not None and not one.round.stands]
        if going_on and self.rng.random() < 0.4:
            return self._give_up_rounds(link, now)
        to = self.rng.choice((None, ELSEWHERE))
        return Propose(person=self._person(), change=Retirement(to=to), reason="given up")

    def _give_up_rounds(self, link: Link, now: int) -> DeclareMalfunction:
        return DeclareMalfunction(
            person=self._person(),
            scope=Scope(),
            observed_at=now,
            cards_seen=dict.fromkeys(link.tables, False),
            then=Then.CLOSE,
            note="given up",
        )

    def _close_link(self, _link: Link, _now: int) -> CloseLink | None:
        return CloseLink(person=self._person(), reason="night") if self.rng.random() < 0.5 else None
