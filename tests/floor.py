"""A floor to tell stories on: tables that play, a House that acts, and a clock that a story moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from jackpot.cards.cards import parse_all
from jackpot.core.codec import names_of
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.core.money import Account, to_units
from jackpot.games.irregularities import Irregularity
from jackpot.games.rulebook import Game
from jackpot.link import commands
from jackpot.link.answers import (
    Answer,
    BetsAnswer,
    HandsAnswer,
    HeartbeatAnswer,
    IrregularityAnswer,
    OfflineAnswer,
    VoidAnswer,
)
from jackpot.link.clocks import Echo
from jackpot.link.facts import Fact, WinPaid
from jackpot.link.meters import MetersTold
from jackpot.link.parameters import Parameters
from jackpot.link.proposals import Adjustment, Change
from jackpot.link.rounds import MainGame, Promise
from jackpot.link.state import Scope, TableSetup, Then
from jackpot.link.wins import ClaimOutcome, ClockWord, Win
from jackpot.machine.memory_book import MemoryBook
from jackpot.pools.payout import in_line, meter_of
from jackpot.readings.meter import Reading, reading

STUD, HOLDEM = Game.CASINO_STUD, Game.TEXAS_HOLDEM
START = 1_767_225_600 * SECOND
DELAY = 5 * MILLISECOND
"""From a table to the service."""

ROYAL = {suit: f"A{suit} K{suit} Q{suit} J{suit} T{suit}" for suit in "cdhs"}
STRAIGHT_FLUSH = {suit: f"9{suit} 8{suit} 7{suit} 6{suit} 5{suit}" for suit in "cdhs"}
QUADS = "9c 9d 9h 9s Kd"
FULL_HOUSE = "Kc Kh Ks Jd Js"
FLUSH = "Kh Jh 9h 5h 2h"
STRAIGHT = "5c 4d 3c 2h As"
NOTHING = "Qc Td 6h 4s 2c"

DEFAULTS = Parameters(seed=50_000_00, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)


class Floor:
    """Times are seconds since the story began; amounts are cents, as on the wire."""

    def __init__(
        self,
        *,
        tables: Mapping[str, Game] | None = None,
        boxes: int = 7,
        minimum: int | None = None,
        maximum: int | None = None,
        seen: bool = True,
        **parameters: Any,
    ) -> None:
        merged = {name: getattr(DEFAULTS, name) for name in names_of(Parameters)} | parameters
        self.book = MemoryBook("main", "Multi-Link Progressive", "SGD", Parameters(**merged), at=START)
        self.now = START
        self.echoes: dict[str, Echo] = {}
        """The last answer that each table heard."""
        for name, game in (tables or {"s1": STUD, "s2": STUD, "h1": HOLDEM}).items():
            setup = TableSetup(id=name, game=game, boxes=boxes, minimum=minimum, maximum=maximum)
            self.act(commands.AddTable(person="floor", setup=setup))
        if seen:
            for name in self.book.link.tables:
                self.beat(name)

    # The clock

    @property
    def time(self) -> float:
        return (self.now - START) / SECOND

    def at(self, seconds: float) -> int:
        return START + round(seconds * SECOND)

    def wait(self, seconds: float) -> None:
        self.now += round(seconds * SECOND)

    # Tables

    def send(self, message: commands.TableMessage) -> Answer:
        """As a controller does: with the echo of the last answer, and hearing the next as long after as it
        took to get here."""
        sent, table = self.now, message.table
        if message.live and message.echo is None:
            message = replace(message, echo=self.echoes.get(table))
        self.now = max(self.now, message.received_at)
        outcome = self.book.submit(message, at=self.now)
        assert outcome.replied_at is not None
        if message.live:
            heard_at = message.sent_at + (message.received_at - sent) + DELAY
            self.echoes[table] = Echo(replied_at=outcome.replied_at, heard_at=heard_at)
        return outcome.answer

    def bets(
        self,
        table: str,
        bets: Mapping[int, int] | Sequence[int] = (1,),
        *,
        round: int | None = None,
        ante: int | Mapping[int, int] = 2500,
        bonus: Mapping[int, int] | None = None,
        closed_at: int | None = None,
        **delivery: Any,
    ) -> BetsAnswer:
        """`bets` are progressive bets by box, or boxes that bet the prescribed amount."""
        if not isinstance(bets, Mapping):
            bets = dict.fromkeys(bets, self.link.parameters.progressive_bet)
        antes = dict.fromkeys(bets, ante) if isinstance(ante, int) else ante
        bonuses = bonus or {}
        number = self.link.tables[table].last_round + 1 if round is None else round
        stamps = self._stamps(delivery)
        answer = self.send(
            commands.CloseBets(
                table=table,
                round=number,
                closed_at=stamps["sent_at"] if closed_at is None else closed_at,
                boxes=tuple(
                    commands.BoxBets(
                        box=box,
                        ante=antes.get(box, 0),
                        progressive=bets.get(box, 0),
                        bonus=bonuses.get(box, 0),
                    )
                    for box in sorted({*bets, *antes, *bonuses})
                ),
                **stamps,
            )
        )
        assert isinstance(answer, BetsAnswer)
        return answer

    def hands(
        self,
        table: str,
        hands: Mapping[int, str | tuple[str] | None],
        *,
        round: int | None = None,
        dealt: Mapping[int, int] | int | None = None,
        community: str = "",
        dealer: str = "",
        final: bool = False,
        folded: Sequence[int] = (),
        order: Mapping[int, int] | None = None,
        main: Mapping[int, MainGame] | None = None,
        **delivery: Any,
    ) -> HandsAnswer:
        """By box: cards, None for a hand that is not revealed, or ("5.15",) for an invalidated one."""
        stamps = self._stamps(delivery)
        same = stamps["sent_at"] if dealt is None else dealt
        when = same if isinstance(same, Mapping) else dict.fromkeys(hands, same)
        reports = [
            commands.HandReport(
                box=box,
                cards=parse_all(cards.split()) if isinstance(cards, str) else None,
                dealt_at=when.get(box) if isinstance(cards, str) else None,
                deal_order=(order or {}).get(box),
                folded=True if box in folded else None,
                revealed=False if cards is None else None,
                invalidated=cards[0] if isinstance(cards, tuple) else None,
                main=(main or {}).get(box),
            )
            for box, cards in hands.items()
        ]
        answer = self.send(
            commands.ReportHands(
                table=table,
                round=self.link.tables[table].last_round if round is None else round,
                hands=tuple(reports),
                community=parse_all(community.split()) if community else None,
                dealer=parse_all(dealer.split()) if dealer else None,
                final=final,
                **stamps,
            )
        )
        assert isinstance(answer, HandsAnswer)
        return answer

    def void(
        self, table: str, reason: str = "5.8.1", *, round: int | None = None, **delivery: Any
    ) -> VoidAnswer:
        number = self.link.tables[table].last_round if round is None else round
        answer = self.send(
            commands.VoidRound(table=table, round=number, reason=reason, **self._stamps(delivery))
        )
        assert isinstance(answer, VoidAnswer)
        return answer

    def beat(
        self,
        table: str,
        *,
        in_play: bool = True,
        word: ClockWord | None = None,
        meters: MetersTold | None = None,
        **delivery: Any,
    ) -> HeartbeatAnswer:
        stamps = self._stamps(delivery)
        answer = self.send(
            commands.Heartbeat(table=table, clock=word, in_play=in_play, meters=meters, **stamps)
        )
        assert isinstance(answer, HeartbeatAnswer)
        return answer

    def _stamps(self, delivery: dict[str, Any]) -> dict[str, Any]:
        return {"sent_at": self.now, "received_at": self.now + DELAY} | delivery

    @property
    def told(self) -> Promise:
        """The reading that comes with every answer."""
        meter = meter_of(self.link)
        return Promise(value=meter.value, sequence=meter.sequence, next=meter.next)

    def lost(self, table: str, **said: Any) -> OfflineAnswer:
        """That table is back, and says what it did without the service."""
        report: dict[str, Any] = {"since": self.now, "cards_seen": True, "registered": self.told} | said
        answer = self.act(commands.ReportOffline(person=table, table=table, **report))
        assert isinstance(answer, OfflineAnswer)
        return answer

    def back(self, table: str) -> None:
        """It has told everything."""
        self.act(commands.ReturnOnline(person=table, table=table))

    def wins_major(self, table: str, hand: str, *, box: int = 1, community: str = "", **more: Any) -> str:
        """A round in which that box is dealt that hand; the win's id."""
        self.bets(table, [box])
        self.wait(1)
        answer = self.hands(table, {box: hand}, community=community, **more)
        win = next(result.win for result in answer.results if result.box == box)
        assert win is not None
        return win

    # The House

    def act(self, command: commands.Command) -> Answer:
        return self.book.submit(command, at=self.now).answer

    def approve(self, win: str, *people: str) -> None:
        for person in people or ("ana", "ben"):
            if win in self.link.queue:
                self.act(commands.ApproveWin(person=person, win=win))

    def decide(self, *wins: str, person: str = "sue") -> None:
        self.act(commands.DecideOrder(person=person, wins=wins, reason="camera footage"))

    def propose(self, change: Change, person: str = "ana") -> str:
        answer = self.act(commands.Propose(person=person, change=change, reason="because"))
        return str(getattr(answer, "proposal"))  # noqa: B009  any answer may come back

    def agree(self, change: Change) -> None:
        self.act(commands.Confirm(person="ben", proposal=self.propose(change)))

    def reject(self, win: str) -> None:
        answer = self.act(commands.RejectWin(person="sue", win=win, reason="card switched"))
        proposal = getattr(answer, "proposal", None)
        if proposal is not None:
            self.act(commands.Confirm(person="tom", proposal=proposal))

    def malfunction(
        self,
        table: str | None = None,
        *,
        box: int | None = None,
        seen: Mapping[str, bool] | None = None,
        then: Then = Then.PROGRESSIVE_OFF,
        observed_at: int | None = None,
    ) -> str:
        answer = self.act(
            commands.DeclareMalfunction(
                person="sue",
                scope=Scope(table=table, box=box),
                observed_at=self.now if observed_at is None else observed_at,
                cards_seen=dict(seen or {}),
                then=then,
            )
        )
        return str(getattr(answer, "malfunction"))  # noqa: B009

    def irregularity(
        self, table: str, paragraph: str, *, round: int | None = None, person: str = "sue", **said: Any
    ) -> IrregularityAnswer:
        """What else is said of it: `cards_seen`, `reconstructed`, `boxes`, `others`, `choices`, ..."""
        answer = self.act(
            commands.DeclareIrregularity(
                person=person,
                table=table,
                round=self.link.tables[table].last_round if round is None else round,
                said=Irregularity(paragraph=paragraph, **said),
            )
        )
        assert isinstance(answer, IrregularityAnswer)
        return answer

    def clear(self, malfunction: str) -> None:
        self.act(commands.ClearMalfunction(person="sue", malfunction=malfunction))

    def decide_claim(self, claim: str, outcome: ClaimOutcome) -> None:
        answer = self.act(
            commands.DecideClaim(person="sue", claim=claim, outcome=outcome, reason="camera footage")
        )
        self.act(commands.Confirm(person="tom", proposal=str(getattr(answer, "proposal"))))  # noqa: B009

    # What is seen

    @property
    def link(self) -> Any:
        return self.book.link

    @property
    def value(self) -> int:
        return self.book.link.pool.value

    @property
    def reading(self) -> Reading:
        return reading(self.book.link)

    @property
    def line(self) -> list[str]:
        return in_line(self.book.link)

    def win(self, win: str) -> Win:
        return self.book.link.queue[win]

    def balance(self, account: Account) -> int:
        return self.book.link.pool.accounts[account]

    def facts(self, kind: type[Fact]) -> list[Any]:
        return [entry.fact for entry in self.book.entries if isinstance(entry.fact, kind)]

    @property
    def paid(self) -> list[tuple[str, int]]:
        return [(fact.win, fact.amount) for fact in self.facts(WinPaid)]

    def paid_for(self, win: str) -> int:
        return dict(self.paid)[win]

    def raise_to(self, cents: int) -> None:
        """Have the House adjust the meter, so that a story starts from a round figure."""
        self.agree(Adjustment(amount=cents - self.value, account=Account.HOUSE))
        assert self.book.link.pool.meter == to_units(cents)
