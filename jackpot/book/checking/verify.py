"""Is the book what its journal says, and the journal what the rules give? The first difference tells."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.book.beside.anchors import Anchor
from jackpot.book.checking.cross_journal import Pairs
from jackpot.book.checking.difference import Difference as Difference
from jackpot.book.checking.picture import Picture, compare_state, picture
from jackpot.book.checking.records import History
from jackpot.book.checking.replaying import Pace, Progress, Replay, Signed, pages
from jackpot.book.stores.base import Store
from jackpot.link.state import Pit


def signed_heads(anchors: Iterable[Anchor], link: str) -> Signed:
    found: dict[int, set[str]] = {}
    for one in anchors:
        if one.link == link:
            found.setdefault(one.sequence, set()).add(one.head)
    return {sequence: frozenset(heads) for sequence, heads in found.items()}


class Verifier:
    """Replays one link's journal beside the book: from its beginning, or from a state that was verified."""

    def __init__(
        self,
        store: Store,
        link: str,
        *,
        progress: Progress | None = None,
        base: Pit | None = None,
        pace: Pace = Pace(),  # noqa: B008  it is frozen
    ) -> None:
        self._store, self._name = store, link
        self._progress, self._pace, self._base = progress, pace, base
        self.entries = 0

    async def verify(self, anchors: list[Anchor] | None = None) -> Pit:
        """The state that the journal implies, if nothing in the book denies it."""
        signed = signed_heads(anchors or (), self._name)
        replay = Replay(self._name, base=self._base, signed=signed)
        found = await picture(self._store, self._name, since=replay.entries)
        await self._run(replay, found.last)
        check_signed(self._name, signed, replay.entries)
        await compare_end(self._store, found, replay.reached, replay.history, replay.pairs)
        return replay.reached

    async def replay(self, to: int) -> Pit:
        """The state after one entry."""
        return await self._run(Replay(self._name, base=self._base), to)

    async def _run(self, replay: Replay, to: int) -> Pit:
        rows = pages(self._store, self._name, since=replay.entries, to=to, pace=self._pace)
        try:
            return await replay.run(rows, self._progress)
        finally:
            self.entries = replay.entries


def check_signed(link: str, signed: Signed, entries: int) -> None:
    missing = [sequence for sequence in signed if sequence > entries]
    if missing:
        raise Difference(link, max(missing), "an anchor was signed for it, but it is not there")


async def compare_end(store: Store, found: Picture, state: Pit, history: History, pairs: Pairs) -> None:
    """What the journal comes to, with what else the book has of the link."""
    compare_state(found, state)
    if found.history != history:
        raise Difference(found.link.id, None, "the record of wins and claims is not what the journal says")
    denied = await pairs.difference(store)
    if denied is not None:
        raise Difference(found.link.id, *denied)
