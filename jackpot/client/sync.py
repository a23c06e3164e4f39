"""The same clients for controllers that do not use asyncio: their loop runs in a thread of its own."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from jackpot.client.blackjack import BlackjackClient
from jackpot.client.blackjack_messages import (
    BlackjackBetsAnswer,
    BlackjackHandsAnswer,
    BlackjackVoidAnswer,
)
from jackpot.client.controller import Controller
from jackpot.client.errors import Refused
from jackpot.client.messages import (
    Answer,
    Bets,
    BetsAnswer,
    Hand,
    HandsAnswer,
    HeartbeatAnswer,
    Meter,
    VoidAnswer,
)
from jackpot.client.spool import CountedMeters, Difference, Turned, Waiting
from jackpot.client.table import TableClient
from jackpot.games.blackjack import BoomBet, BoxBet, BoxHand, Discarded, PitGame, Shoe
from jackpot.games.rulebook import Game

T = TypeVar("T")
C = TypeVar("C", bound=Controller[Any])


class _Sync(Generic[C]):
    """Takes what a controller takes, and does what it does."""

    def __init__(self, client: C, table: str) -> None:
        self._client = client
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name=f"table {table}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        try:
            self._run(self._client.__aenter__())
        except BaseException:
            self.__exit__(None, None, None)
            raise
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            self._run(self._client.__aexit__(kind, error, trace))
        finally:
            self._loop.call_soon_threadsafe(self._loop.stop)
            self._thread.join()
            self._loop.close()

    def _run(self, work: Coroutine[Any, Any, T]) -> T:
        return asyncio.run_coroutine_threadsafe(work, self._loop).result()

    def heartbeat(self) -> HeartbeatAnswer:
        return self._run(self._client.heartbeat())

    def no_more_bets(self) -> int:
        return self._client.no_more_bets()

    def reopen_bets(self) -> None:
        self._client.reopen_bets()

    def now(self) -> int:
        return self._client.now()

    def refused(self) -> list[Turned]:
        return self._run(_soon(self._client.refused))

    def clear_refused(self) -> None:
        self._run(_soon(self._client.clear_refused))

    @property
    def in_play(self) -> bool:
        return self._client.in_play

    @in_play.setter
    def in_play(self, in_play: bool) -> None:
        self._client.in_play = in_play

    @property
    def last_round(self) -> int:
        return self._client.last_round

    @property
    def counted(self) -> CountedMeters | None:
        return self._client.counted

    @property
    def meters_refused(self) -> Refused | None:
        return self._client.meters_refused

    @property
    def status(self) -> HeartbeatAnswer | None:
        return self._client.status

    @property
    def trouble(self) -> Exception | None:
        return self._client.trouble

    @property
    def offline(self) -> bool:
        return self._client.offline

    @property
    def notice(self) -> str | None:
        return self._client.notice

    @property
    def delivered(self) -> list[tuple[Waiting, Answer]]:
        return self._client.delivered


class SyncTableClient(_Sync[TableClient]):
    """Takes what `TableClient` takes, and does what it does."""

    def __init__(self, url: str, table: str, token: str, game: Game, spool: Path, **settings: Any) -> None:
        super().__init__(TableClient(url, table, token, game, spool, **settings), table)

    def close_bets(self, round: int, boxes: Sequence[Bets]) -> BetsAnswer:
        return self._run(self._client.close_bets(round, boxes))

    def report_hands(
        self,
        round: int,
        hands: Sequence[Hand],
        *,
        community: Sequence[str] | None = None,
        dealer: Sequence[str] | None = None,
        final: bool = False,
        cards_seen: bool = True,
    ) -> HandsAnswer:
        said = self._client.report_hands(
            round, hands, community=community, dealer=dealer, final=final, cards_seen=cards_seen
        )
        return self._run(said)

    def void_round(self, round: int, reason: str, note: str = "") -> VoidAnswer:
        return self._run(self._client.void_round(round, reason, note))

    @property
    def registered(self) -> Meter | None:
        return self._client.registered


class SyncBlackjackClient(_Sync[BlackjackClient]):
    """Takes what `BlackjackClient` takes, and does what it does."""

    def __init__(self, url: str, table: str, token: str, game: PitGame, spool: Path, **layout: Any) -> None:
        super().__init__(BlackjackClient(url, table, token, game, spool, **layout), table)

    def close_bets(
        self, round: int, boxes: Sequence[BoxBet], *, boom_busted: Sequence[BoomBet] = ()
    ) -> BlackjackBetsAnswer:
        return self._run(self._client.close_bets(round, boxes, boom_busted=boom_busted))

    def report_hands(
        self,
        round: int,
        hands: Sequence[BoxHand] = (),
        *,
        dealer: Sequence[str] = (),
        discarded: Sequence[Discarded] = (),
        shoe: Shoe | None = None,
        final: bool = False,
    ) -> BlackjackHandsAnswer:
        said = self._client.report_hands(
            round, hands, dealer=dealer, discarded=discarded, shoe=shoe, final=final
        )
        return self._run(said)

    def void_round(self, round: int, reason: str, note: str = "") -> BlackjackVoidAnswer:
        return self._run(self._client.void_round(round, reason, note))

    def differences(self) -> list[Difference]:
        return self._run(_soon(self._client.differences))

    def clear_differences(self) -> None:
        self._run(_soon(self._client.clear_differences))


async def _soon(look: Callable[[], T]) -> T:
    """In the loop's own thread, where the spool is."""
    return look()
