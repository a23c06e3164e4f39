"""A whole book verified: its journals cut into stretches, replayed side by side, joined and compared."""

from __future__ import annotations

import asyncio
import os
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from multiprocessing import current_process
from typing import Any, Protocol, TypeVar

from jackpot.book.beside.anchors import Anchor
from jackpot.book.checking.crew import Crew, Told
from jackpot.book.checking.difference import Difference
from jackpot.book.checking.picture import Picture, journal_sizes, picture
from jackpot.book.checking.replaying import Signed
from jackpot.book.checking.stretches import Reached, Stretch, begun, divided, joined, replayed
from jackpot.book.checking.verify import check_signed, compare_end, signed_heads
from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.base import Store
from jackpot.book.stores.migrating import check_schema
from jackpot.book.stores.snapshots import kept

T = TypeVar("T")
SMALL = 5_000
"""Entries that are read sooner than another process is there."""


class NothingThere(Exception):
    """What was asked for is not in the book."""


class NotSigned(Exception):
    """A check may begin only where the state was signed."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """What is to be verified: all, or one link; from the beginning, or from a signed checkpoint."""

    link: str | None = None
    since: int | None = None
    """The entry of that checkpoint; 0 stands for the last one of each link."""
    anchors: Sequence[Anchor] = ()


@dataclass(frozen=True, slots=True)
class Verified:
    link: str
    since: int
    entries: int
    anchors: int
    head: str


@dataclass(frozen=True, slots=True)
class Plan:
    """Of one link."""

    found: Picture
    signed: Signed
    stretches: list[Stretch]
    states: frozenset[str]
    """That were signed for the checkpoint it begins from."""
    anchors: int
    """How many are proved."""

    @property
    def link(self) -> str:
        return self.stretches[0].link

    @property
    def since(self) -> int:
        return self.stretches[0].since


class Hands(Protocol):
    """Whoever does the work: this process, or several."""

    def work(self, stretches: Sequence[Stretch], told: Told) -> Iterator[Reached]: ...


@dataclass(frozen=True, slots=True)
class Alone:
    """This process."""

    database: str

    def work(self, stretches: Sequence[Stretch], told: Told) -> Iterator[Reached]:
        for one in stretches:
            yield self._reached(one, told)

    def _reached(self, stretch: Stretch, told: Told) -> Reached:
        def progress(count: int) -> None:
            told(stretch.link, count)

        return _asked(self.database, lambda store: replayed(store, stretch, progress))


def planned(database: str, wanted: Wanted) -> list[Plan]:
    return _asked(database, lambda store: _plans(store, wanted))


def verified(
    database: str, plans: Sequence[Plan], *, processes: int | None, told: Told
) -> Iterator[Verified]:
    """Link by link, whatever was replayed first."""
    stretches = [one for plan in plans for one in plan.stretches]
    with _hands(database, stretches, processes) as hands:
        reached = hands.work(stretches, told)
        for plan in plans:
            yield _joined(database, plan, _in_order(database, plan, reached))


def _hands(
    database: str, stretches: Sequence[Stretch], processes: int | None
) -> AbstractContextManager[Hands]:
    entries = sum(one.to - one.since for one in stretches)
    workers = min(processes or (cores() if entries > SMALL else 1), len(stretches))
    alone = workers <= 1 or current_process().daemon  # a daemon may have no children
    return nullcontext(Alone(database)) if alone else Crew(database, workers)


def _in_order(database: str, plan: Plan, reached: Iterator[Reached]) -> list[Reached]:
    """Each begins with the state that the one before it came to, and the first with one that was signed."""
    several, due, whose = list[Reached](), plan.states, "was signed"
    for stretch in plan.stretches:
        try:
            several.append(next(reached))
        except Difference:
            _check_beginning(stretch, due, whose, lambda one=stretch: _beginning(database, one))  # type: ignore[misc]
            raise
        _check_beginning(stretch, due, whose, lambda: several[-1].began)
        due, whose = frozenset({several[-1].ended}), "the journal implies"
    return several


def _check_beginning(stretch: Stretch, due: frozenset[str], whose: str, began: Callable[[], str]) -> None:
    if stretch.since and due != {began()}:
        message = f"the snapshot after it is not the state that {whose}"
        raise Difference(stretch.link, stretch.since, message)


def _beginning(database: str, stretch: Stretch) -> str:
    return _asked(database, lambda store: begun(store, stretch.link, stretch.since))[1]


def _joined(database: str, plan: Plan, several: list[Reached]) -> Verified:
    state, history, pairs = joined(several)
    check_signed(plan.link, plan.signed, state.sequence)
    _asked(database, lambda store: compare_end(store, plan.found, state, history, pairs))
    return Verified(plan.link, plan.since, state.sequence - plan.since, plan.anchors, state.head)


def cores() -> int:
    """That this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _asked(database: str, ask: Callable[[Store], Coroutine[Any, Any, T]]) -> T:
    async def run() -> T:
        store = existing_store(database)
        try:
            return await ask(store)
        finally:
            await store.close()

    return asyncio.run(run())


# What is to be done


async def _plans(store: Store, wanted: Wanted) -> list[Plan]:
    sizes = await journal_sizes(store)
    async with store.reading() as connection:
        await connection.run_sync(check_schema)
    for name in {one.link for one in wanted.anchors} - sizes.keys():
        raise Difference(name, None, "an anchor was signed for it, but the book has no such link")
    names = [name for name in sizes if wanted.link in (None, name)]
    if not names:
        none = "the book has no links" if wanted.link is None else f"the book has no link {wanted.link}"
        raise NothingThere(none)
    if wanted.since is not None and not any(one.state for one in wanted.anchors if one.link in names):
        raise NotSigned("no checkpoint was signed: verify from the beginning, without --since")
    return [await _plan(store, name, wanted) for name in names]


async def _plan(store: Store, link: str, wanted: Wanted) -> Plan:
    anchors = [one for one in wanted.anchors if one.link == link]
    async with store.reading() as connection:
        cuts = await kept(connection, link)
    since = 0 if wanted.since is None else _checkpoint(link, wanted.since, anchors, cuts)
    found = await picture(store, link, since=since)
    signed = signed_heads(anchors, link)
    if found.last < since:
        check_signed(link, signed, found.last)
    states = frozenset(one.state for one in anchors if one.sequence == since and one.state)
    proved = len([one for one in anchors if one.sequence >= since])
    return Plan(found, signed, divided(link, since, found.last, cuts, signed), states, proved)


def _checkpoint(link: str, since: int, anchors: Iterable[Anchor], cuts: Iterable[int]) -> int:
    """The entry to begin after. A link of which none was signed yet is read as a whole."""
    signed = {one.sequence for one in anchors if one.state is not None}
    if not since:
        return max(signed & set(cuts), default=0)
    if since not in signed:
        others = ", ".join(map(str, sorted(signed)[-5:])) or "none"
        raise NotSigned(f"link {link}: no checkpoint was signed for entry {since}; the last ones: {others}")
    if since not in cuts:
        raise Difference(link, since, "a checkpoint was signed for it, but the book has no snapshot there")
    return since
