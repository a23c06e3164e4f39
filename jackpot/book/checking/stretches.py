"""Stretches of a journal, each replayed by itself from the snapshot before it, in whatever process.

A snapshot is a claim like any other: it holds only if the stretch before it ends with the very state.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from jackpot.book.checking.cross_journal import Pairs
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.records import History
from jackpot.book.checking.replaying import Pace, Progress, Replay, Signed, check_head, pages
from jackpot.book.checking.rolled import Rolled
from jackpot.book.stores import snapshots
from jackpot.book.stores.base import Store
from jackpot.book.stores.rows import Unreadable
from jackpot.link.state import Pit


@dataclass(frozen=True, slots=True)
class Stretch:
    link: str
    since: int
    """The entry whose snapshot it begins from; 0 for the beginning of the journal."""
    to: int
    signed: Signed = field(default_factory=dict)
    last: bool = True
    """Of its journal: the state that it ends with is compared with the stored one."""


@dataclass(frozen=True, slots=True)
class Reached:
    """What a stretch that nothing denied came to."""

    stretch: Stretch
    began: str
    """The hash of the state it began from; empty at the beginning."""
    ended: str
    whole: bytes
    """The state itself, of the last stretch."""
    history: History
    pairs: Pairs


def divided(link: str, since: int, to: int, kept: Iterable[int], signed: Signed) -> list[Stretch]:
    """A journal after one entry up to another, cut at snapshots."""
    cuts = [since, *(cut for cut in sorted(kept) if since < cut < to), to]
    return [
        Stretch(link, begin, end, {at: one for at, one in signed.items() if begin <= at <= end}, end == to)
        for begin, end in pairwise(cuts)
    ]


async def replayed(
    store: Store,
    stretch: Stretch,
    progress: Progress | None = None,
    pace: Pace = Pace(),  # noqa: B008
) -> Reached:
    link, base, began = stretch.link, None, ""
    if stretch.since:
        base, began = await begun(store, link, stretch.since)
        check_head(link, stretch.signed, stretch.since, base.head)
    rolled = await Rolled.begun(store, link, stretch.since, stretch.to)
    replay = Replay(link, base=base, signed=stretch.signed, rolled=rolled)
    rows = pages(store, link, since=stretch.since, to=stretch.to, pace=pace)
    state = await replay.run(rows, progress)
    if replay.entries != stretch.to:
        raise Difference(link, replay.entries + 1, "it is not in the journal")
    whole = snapshots.whole_of(state)
    ended = snapshots.digest(whole)
    return Reached(stretch, began, ended, whole if stretch.last else b"", replay.history, replay.pairs)


async def begun(store: Store, link: str, since: int) -> tuple[Pit, str]:
    """A state as a snapshot has it, and its hash."""
    try:
        async with store.reading() as connection:
            whole = await snapshots.load(connection, link, since)
        state = snapshots.read_state(whole)
    except Unreadable as wrong:
        raise Difference(link, since, f"the snapshot after it cannot be read: {wrong}") from wrong
    if (state.id, state.sequence) != (link, since):
        raise Difference(link, since, "the snapshot after it is of another entry")
    return state, snapshots.digest(whole)


def joined(several: Sequence[Reached]) -> tuple[Pit, History, Pairs]:
    """What the stretches of one journal come to, each of which begins where the one before it ended."""
    first, *rest = several
    history, pairs = first.history, first.pairs
    for one in rest:
        history.join(one.history)
        pairs.join(one.pairs)
    return snapshots.read_state(several[-1].whole), history, pairs
