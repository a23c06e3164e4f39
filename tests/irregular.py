"""A round in which something goes wrong: three boxes of one table, and a House that declares it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest

from jackpot.core.money import Account
from jackpot.core.refusals import Refused
from jackpot.games.irregularities import Choice, Follows
from jackpot.games.rulebook import Game
from jackpot.link.answers import HandsAnswer, IrregularityAnswer, VoidAnswer
from jackpot.link.rounds import PROGRESSIVE, Round
from tests.floor import HOLDEM, STUD, Floor

BOXES = (1, 2, 3)
CONTINUE, RETURN = Choice.CONTINUE, Choice.RETURN
VOIDED, CONTINUES, OPTIONS = Follows.VOIDED, Follows.CONTINUES, Follows.OPTIONS
HANDS = {
    STUD: {"royal": "Ah Kh Qh Jh Th", "flush": "9d 8d 6d 4d 2d", "nothing": "Jd 9c 6s 4c 2s"},
    HOLDEM: {"royal": "Ah Kh", "flush": "6h 4h", "nothing": "7d 2c"},
}
FLOP = {STUD: "", HOLDEM: "Qh Jh Th"}
SHARE = 2_00
"""What one prescribed bet of 5.00 brings to the meter."""
FLUSH_AWARD = 40 * 5_00


class Scene:
    def __init__(self, game: Game) -> None:
        self.game = game
        self.floor = Floor(tables={"t1": game, "t2": game})
        self.before = self.accounts
        self.floor.bets("t1", BOXES)
        self.floor.wait(1)

    @property
    def accounts(self) -> dict[Account, int]:
        return dict(self.floor.link.pool.accounts)

    @property
    def round(self) -> Round:
        found = self.floor.link.tables["t1"].round
        assert isinstance(found, Round)
        return found

    def report(self, hands: Mapping[int, str | tuple[str] | None], **more: Any) -> HandsAnswer:
        """Hands by their name; None for one not revealed, ("5.15",) for one the table invalidates."""
        own = HANDS[self.game]
        said = {box: own[hand] if isinstance(hand, str) else hand for box, hand in hands.items()}
        shown = any(isinstance(hand, str) for hand in hands.values())
        return self.floor.hands("t1", said, community=FLOP[self.game] if shown else "", **more)

    def declare(self, paragraph: str, **said: Any) -> IrregularityAnswer:
        self.floor.wait(1)
        return self.floor.irregularity("t1", paragraph, **said)

    def refused(self, paragraph: str, **said: Any) -> tuple[str, str | None, object]:
        """The code, the paragraph and the field of a refusal that changed nothing."""
        before = (self.floor.link.head, self.accounts)
        with pytest.raises(Refused) as refusal:
            self.declare(paragraph, **said)
        assert (self.floor.link.head, self.accounts) == before
        return refusal.value.code, refusal.value.rule, refusal.value.data.get("field")

    def hands_refused(self, hands: Mapping[int, str | tuple[str] | None]) -> tuple[str, str | None]:
        with pytest.raises(Refused) as refusal:
            self.report(hands)
        return refusal.value.code, refusal.value.rule


def follows(answer: IrregularityAnswer) -> tuple[Follows, str]:
    return answer.consequence.follows, answer.consequence.rule


def by_box(answer: IrregularityAnswer) -> dict[int, tuple[str, bool]]:
    """Of each box the paragraph, and whether its bets go back."""
    return {one.box: (one.rule, one.returned) for one in answer.consequence.boxes}


def given_back(answer: IrregularityAnswer | VoidAnswer) -> dict[int, tuple[int, str | None]]:
    """Of the progressive."""
    return {one.box: (one.amount, one.rule) for one in answer.returned if one.wager == PROGRESSIVE}
