"""A dry run over a book: it reads the journal in pages, and writes nothing."""

from __future__ import annotations

from collections.abc import Callable

from api.dryruns.asked import Asked
from jackpot.book.reading.playback import Stretch, begin, recorded, stretch
from jackpot.book.stores.base import Store
from jackpot.dryrun.alternative import Recorded
from jackpot.dryrun.findings import Findings
from jackpot.dryrun.overrides import check_overrides
from jackpot.dryrun.run import DryRun, commands
from jackpot.link.facts import ForeignEntry, LinkCreated, UnknownVersion
from jackpot.link.state import Link

_WRONG = (ValueError, KeyError, TypeError, IndexError, AttributeError, ForeignEntry, UnknownVersion)
"""What a journal brings about that is not one."""


class Unplayable(Exception):
    """The journal says what cannot have been."""


Progress = Callable[[int, int], None]
"""Told how many entries were read, and of how many."""


async def found_by(store: Store, asked: Asked, progress: Progress) -> Findings:
    found = await stretch(store, asked.link, asked.since, asked.until)
    done = 0

    def advance(entries: int) -> None:
        nonlocal done
        done += entries
        progress(done, found.to_read)

    advance(0)
    state = await begin(store, found, advance)
    if state is not None:
        check_overrides(asked.overrides, state.parameters)
    run = DryRun(asked.overrides, entries=found.entries, begin=state, readings=found.readings)
    return await _played(store, asked, found, run, state, advance)


async def _played(
    store: Store,
    asked: Asked,
    found: Stretch,
    run: DryRun,
    state: Link | None,
    advance: Callable[[int], None],
) -> Findings:
    left: list[Recorded] = []
    """Of a command that the next page ends."""
    async for page in recorded(store, asked.link, found.first, found.last):
        first = page[0].fact
        if state is None and isinstance(first, LinkCreated):
            check_overrides(asked.overrides, first.parameters)
        several = list(commands([*left, *page]))
        left = several.pop() if several and not several[-1][-1].ends else []
        for command in several:
            _hear(run, command)
        advance(len(page))
    if left:
        _hear(run, left)
    return run.findings()


def _hear(run: DryRun, command: list[Recorded]) -> None:
    try:
        run.hear(command)
    except _WRONG as wrong:
        first, last = command[0].stamp.sequence, command[-1].stamp.sequence
        raise Unplayable(f"entries {first} to {last} cannot be played, verify the book: {wrong!r}") from wrong
