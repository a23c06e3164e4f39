"""A pit with a blackjack table of each game, in memory, for tests of the rules."""

from __future__ import annotations

from typing import Any

from jackpot.games.blackjack import Bets, Irregularity, PitGame, Report, SideLimits
from jackpot.link.answers import PitBetsAnswer, PitHandsAnswer, PitIrregularityAnswer, PitVoidAnswer
from jackpot.link.commands import (
    AddTable,
    ClosePitBets,
    DeclareIrregularity,
    Heartbeat,
    ReportPlay,
    VoidRound,
)
from jackpot.link.meters import MetersTold
from jackpot.link.state import Pit, PitSetup, PitTable
from jackpot.machine.applying import apply, created, unborn
from jackpot.machine.auditing import audit
from jackpot.machine.memory_book import MemoryPit
from tests.blackjack import Json, bets_of, report_of

SECOND = 1_000_000
TABLES = {
    "bj": PitSetup(id="bj", game=PitGame.BLACKJACK, boxes=7, decks=8),
    "pp": PitSetup(
        id="pp", game=PitGame.BLACKJACK_PERFECT_PAIRS, boxes=7, decks=6, minimum=2500, maximum=50000
    ),
    "fb": PitSetup(
        id="fb",
        game=PitGame.FREE_BET_BLACKJACK,
        boxes=6,
        decks=8,
        side={"boom_busted": SideLimits(maximum=1000)},
    ),
}


class PitFloor:
    def __init__(self) -> None:
        self.now = SECOND
        self.book = MemoryPit("pit-3", "Blackjack", "SGD", at=self.now)
        self.rounds = dict.fromkeys(TABLES, 0)
        self.closed_at: dict[tuple[str, int], int] = {}
        for setup in TABLES.values():
            self.book.submit(AddTable(person="floor", setup=setup), at=self.now)

    @property
    def pit(self) -> Pit:
        return self.book.pit

    def table(self, name: str) -> PitTable:
        found = self.pit.tables[name]
        assert isinstance(found, PitTable)
        return found

    def said(self, table: str) -> dict[str, Any]:
        self.now += SECOND
        return {"table": table, "sent_at": self.now, "received_at": self.now}

    def bets(self, table: str, told: Json | Bets, *, round: int | None = None) -> PitBetsAnswer:
        self.rounds[table] = self.rounds[table] + 1 if round is None else round
        bets = told if isinstance(told, Bets) else bets_of(told)
        number, said = self.rounds[table], self.said(table)
        closed_at = self.closed_at.setdefault((table, number), self.now)
        command = ClosePitBets(**said, round=number, closed_at=closed_at, bets=bets)
        answer = self.book.submit(command, at=self.now).answer
        assert isinstance(answer, PitBetsAnswer)
        return answer

    def hands(self, table: str, told: Json | Report, *, round: int | None = None) -> PitHandsAnswer:
        report = told if isinstance(told, Report) else report_of(told)
        number = self.rounds[table] if round is None else round
        command = ReportPlay(**self.said(table), round=number, report=report)
        answer = self.book.submit(command, at=self.now).answer
        assert isinstance(answer, PitHandsAnswer)
        return answer

    def void(self, table: str, reason: str, *, round: int | None = None) -> PitVoidAnswer:
        number = self.rounds[table] if round is None else round
        command = VoidRound(**self.said(table), round=number, reason=reason)
        answer = self.book.submit(command, at=self.now).answer
        assert isinstance(answer, PitVoidAnswer)
        return answer

    def declare(self, table: str, paragraph: str, **said: Any) -> PitIrregularityAnswer:
        self.now += SECOND
        command = DeclareIrregularity(
            person="ana",
            table=table,
            round=self.rounds[table],
            said=Irregularity(paragraph=paragraph, **said),
        )
        answer = self.book.submit(command, at=self.now).answer
        assert isinstance(answer, PitIrregularityAnswer)
        return answer

    def heartbeat(self, table: str, meters: MetersTold | None = None) -> Any:
        return self.book.submit(Heartbeat(**self.said(table), meters=meters), at=self.now).answer

    def audited(self) -> None:
        """Every fact is what the rules give, and the journal alone gives the state."""
        first, *rest = self.book._read_again()
        audit(unborn(first), first.fact, first.at)
        pit = created(first)
        for entry in rest:
            audit(pit, entry.fact, entry.at)
            apply(pit, entry.fact, entry.stamp)
            pit.head = entry.hash
        assert pit == self.pit
