"""A table that tells a round in pieces, saying of each box only what a message names."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jackpot.cards.cards import parse_all
from jackpot.core.codec import names_of
from jackpot.core.refusals import Refused
from jackpot.games.rulebook import Game
from jackpot.link.answers import BetsAnswer, HandsAnswer, IrregularityAnswer, VoidAnswer
from jackpot.link.commands import HandReport, ReportHands
from jackpot.link.rounds import MainGame, Round
from jackpot.link.state import Link
from jackpot.machine.applying import apply, created
from jackpot.machine.auditing import audit
from jackpot.readings.alerts import alerts
from tests.floor import HOLDEM, Floor

_MAIN = frozenset(names_of(MainGame))
Boxes = Mapping[int, Mapping[str, Any]]
Back = list[tuple[int, str, int, str, str | None]]


class Telling:
    """One table with a bet of 5.00 on the jackpot and an Ante of 25.00 on boxes 1 and 2."""

    def __init__(self, game: Game, *, begun: bool = True) -> None:
        self.game, self.floor = game, Floor(tables={"t1": game})
        if begun:
            self.bets()

    def bets(self, boxes: tuple[int, ...] = (1, 2), **more: Any) -> BetsAnswer:
        self.floor.wait(1)
        if self.game is HOLDEM:
            more = {"bonus": dict.fromkeys(boxes, 500)} | more
        return self.floor.bets("t1", boxes, **more)

    def says(
        self, boxes: Boxes, *, dealer: str | None = None, community: str | None = None, final: bool = False
    ) -> HandsAnswer:
        """What is not named is left unsaid; "" says that there is none."""
        self.floor.wait(1)
        answer = self.floor.send(
            ReportHands(
                table="t1",
                round=self.floor.link.tables["t1"].last_round,
                hands=tuple(_report(box, said) for box, said in boxes.items()),
                dealer=_cards(dealer),
                community=_cards(community),
                final=final,
                sent_at=self.floor.now,
                received_at=self.floor.now,
            )
        )
        assert isinstance(answer, HandsAnswer)
        return answer

    def refused(self, act: Any, *given: Any, **said: Any) -> Refused:
        """The refusal, which changed nothing."""
        head = self.floor.link.head
        with pytest.raises(Refused) as refusal:
            act(*given, **said)
        assert self.floor.link.head == head
        return refusal.value

    def void(self, reason: str = "5.8.1") -> VoidAnswer:
        self.floor.wait(1)
        return self.floor.void("t1", reason)

    def declare(self, paragraph: str, **said: Any) -> IrregularityAnswer:
        self.floor.wait(1)
        return self.floor.irregularity("t1", paragraph, **said)

    @property
    def round(self) -> Round:
        found = self.floor.link.tables["t1"].round
        assert isinstance(found, Round)
        return found

    @property
    def alerts(self) -> list[str]:
        return [one.code for one in alerts(self.floor.link, now=self.floor.now)]

    def audited(self) -> None:
        """Every fact so far is what the rules give."""
        first, *entries = self.floor.book.entries
        link = created(first)
        for entry in entries:
            audit(link, entry.fact, entry.at)
            apply(link, entry.fact, entry.stamp)
        assert isinstance(link, Link)
        assert link.pool == self.floor.link.pool


def back(answer: BetsAnswer | HandsAnswer | VoidAnswer | IrregularityAnswer) -> Back:
    return [(one.box, one.wager, one.amount, one.code, one.rule) for one in answer.returned]


def _cards(said: str | None) -> tuple[int, ...] | None:
    return None if said is None else parse_all(said.split())


def _report(box: int, said: Mapping[str, Any]) -> HandReport:
    main = {name: value for name, value in said.items() if name in _MAIN}
    rest = {name: value for name, value in said.items() if name not in _MAIN}
    if "cards" in rest:
        rest["cards"] = _cards(rest["cards"])
    return HandReport(box=box, main=MainGame(**main) if main else None, **rest)
