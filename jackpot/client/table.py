"""The controller of a table with a jackpot: typed, and with the fallback of the game rules."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import Unpack

from jackpot.client.controller import Controller, Settings
from jackpot.client.jackpot_alone import JackpotAlone
from jackpot.client.jackpot_fallback import JackpotFallback
from jackpot.client.messages import (
    Bets,
    BetsAnswer,
    Hand,
    HandsAnswer,
    Meter,
    VoidAnswer,
    bets_body,
    hands_body,
    void_body,
)
from jackpot.client.post import Post
from jackpot.client.spool import RoundKnown
from jackpot.games.rulebook import Game
from jackpot.link.state import TableSetup
from jackpot.play.setup import MOST_BOXES
from jackpot.play.status import NOTICE_OFF


class TableClient(Controller[RoundKnown]):
    """One table's controller, one message in flight. Cards are dealt when `close_bets` has returned."""

    _alone: JackpotAlone

    def __init__(
        self,
        url: str,
        table: str,
        token: str,
        game: Game,
        spool: Path,
        *,
        boxes: int = MOST_BOXES,
        maximum: int | None = None,
        most_won: int | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        setup = TableSetup(id=table, game=game, boxes=boxes, maximum=maximum, most_won=most_won)
        self._rules = JackpotFallback(setup)
        super().__init__(url, token, spool, self._rules, **settings)

    def _playing_alone(self, post: Post[RoundKnown]) -> JackpotAlone:
        return JackpotAlone(post, self._rules)

    @property
    def registered(self) -> Meter | None:
        return self._post.registered

    @property
    def notice(self) -> str | None:
        """While the table is offline no progressive bets are taken."""
        return NOTICE_OFF if self.offline else super().notice

    async def close_bets(self, round: int, boxes: Sequence[Bets]) -> BetsAnswer:
        """Deal once it has returned, and never before: for the House no card of a round is older than the
        journal entry of its bets, whatever `dealt_at` says, and an earlier one raises an alert. If the answer
        is `voided`, no card may be dealt at all.

        If it is refused, bets are still closed: correct it and call again, or reopen them."""
        body = bets_body(self.no_more_bets(), boxes)
        answer = await self._say("bets", round, body, BetsAnswer)
        self._closed_at = None
        return answer

    async def report_hands(
        self,
        round: int,
        hands: Sequence[Hand],
        *,
        community: Sequence[str] | None = None,
        dealer: Sequence[str] | None = None,
        final: bool = False,
        cards_seen: bool = True,
    ) -> HandsAnswer:
        """What is left out stays as told. Without the service a round of which no player has seen a card is
        void, whatever a shoe reports."""
        body = hands_body(hands, community, dealer, final=final)
        unseen = None if cards_seen else partial(self._alone.void_unseen, round)
        return await self._say("hands", round, body, HandsAnswer, instead=unseen)

    async def void_round(self, round: int, reason: str, note: str = "") -> VoidAnswer:
        return await self._say("void", round, void_body(reason, note), VoidAnswer)
