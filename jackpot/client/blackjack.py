"""The controller of a blackjack table: typed, and with the rules of its game to play on by."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Unpack

from jackpot.client.alone import Alone
from jackpot.client.blackjack_fallback import BlackjackFallback, PlayKnown
from jackpot.client.blackjack_messages import (
    BlackjackBetsAnswer,
    BlackjackHandsAnswer,
    BlackjackVoidAnswer,
    bets_body,
    hands_body,
)
from jackpot.client.controller import Controller, Settings
from jackpot.client.messages import void_body
from jackpot.client.post import Post
from jackpot.client.spool import Difference
from jackpot.games.blackjack import (
    Bets,
    BoomBet,
    BoxBet,
    BoxHand,
    Discarded,
    PitGame,
    Report,
    Shoe,
    SideLimits,
)
from jackpot.link.state import PitSetup


class BlackjackClient(Controller[PlayKnown]):
    """A blackjack table's controller, one message in flight. Cards are dealt when `close_bets` has returned.

    The layout must be that of the floor file: without the service the rounds are settled by it."""

    def __init__(
        self,
        url: str,
        table: str,
        token: str,
        game: PitGame,
        spool: Path,
        *,
        boxes: int,
        decks: int,
        minimum: int | None = None,
        maximum: int | None = None,
        side: Mapping[str, SideLimits] | None = None,
        **settings: Unpack[Settings],
    ) -> None:
        setup = PitSetup(
            id=table,
            game=game,
            boxes=boxes,
            decks=decks,
            minimum=minimum,
            maximum=maximum,
            side=dict(side or {}),
        )
        self._rules = BlackjackFallback(setup)
        super().__init__(url, token, spool, self._rules, **settings)

    def _playing_alone(self, post: Post[PlayKnown]) -> Alone[PlayKnown]:
        return Alone(post, self._rules)

    async def close_bets(
        self, round: int, boxes: Sequence[BoxBet], *, boom_busted: Sequence[BoomBet] = ()
    ) -> BlackjackBetsAnswer:
        """An entry for each player and box, in the order of placing. Deal once it has returned.

        If it is refused, bets are still closed: correct it and call again, or reopen them."""
        bets = Bets(boxes=tuple(boxes), boom_busted=tuple(boom_busted))
        body = bets_body(self.no_more_bets(), bets)
        answer = await self._say("bets", round, body, BlackjackBetsAnswer)
        self._closed_at = None
        return answer

    async def report_hands(
        self,
        round: int,
        hands: Sequence[BoxHand] = (),
        *,
        dealer: Sequence[str] = (),
        discarded: Sequence[Discarded] = (),
        shoe: Shoe | None = None,
        final: bool = False,
    ) -> BlackjackHandsAnswer:
        """The round so far, whole: what was told before and is missing here is refused. Only a final report
        without any hand settles what was last told."""
        report = Report(
            final=final, hands=tuple(hands), dealer=tuple(dealer), discarded=tuple(discarded), shoe=shoe
        )
        return await self._say("hands", round, hands_body(report), BlackjackHandsAnswer)

    async def void_round(self, round: int, reason: str, note: str = "") -> BlackjackVoidAnswer:
        return await self._say("void", round, void_body(reason, note), BlackjackVoidAnswer)

    def differences(self) -> list[Difference]:
        """Replayed messages that the service answered otherwise than this client had: the House has to look
        at them."""
        return self._spool.differences()

    def clear_differences(self) -> None:
        """The House has looked at them."""
        self._spool.clear_differences()
