"""A dry run in a process of its own, of low priority: what is asked comes in, and lines go out.

`python -m api.dryruns.child` reads one line of JSON, `{"database": …, "asked": …}`, and writes lines: how
many entries were read, and at last what was found, or what was wrong.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from typing import Any

from api.dryruns.asked import Asked
from api.dryruns.running import Unplayable, found_by
from api.dryruns.told import told
from jackpot.book.reading.playback import NoJackpot, NothingHappened
from jackpot.book.stores.addresses import existing_store
from jackpot.book.stores.base import StoreRefused
from jackpot.book.stores.committed import LinkUnknown
from jackpot.core.codec import from_bytes
from jackpot.core.refusals import Refused
from jackpot.dryrun.playing import Differs

Json = dict[str, Any]
NICE = 15
EVERY = 0.2
"""Seconds between two words of how far it is."""


def main() -> None:
    os.nice(NICE)
    wanted = json.loads(sys.stdin.readline())
    try:
        asked = from_bytes(Asked, json.dumps(wanted["asked"]).encode())
        answer = {"found": asyncio.run(_found(wanted["database"], asked))}
    except Refused as refused:
        answer = {"problem": {"code": refused.code, "detail": refused.message}}
    except Differs as differs:
        answer = {"problem": {"code": "dryrun_differs", "detail": str(differs)}}
    except (Unplayable, NoJackpot, NothingHappened, StoreRefused, LinkUnknown) as wrong:
        answer = {"problem": {"code": "dryrun_impossible", "detail": str(wrong)}}
    _say(answer)


async def _found(database: str, asked: Asked) -> Json:
    store, pace = existing_store(database), _Pace()
    try:
        return told(await found_by(store, asked, pace.progress))
    finally:
        await store.close()


class _Pace:
    def __init__(self) -> None:
        self._said = 0.0

    def progress(self, read: int, of: int) -> None:
        now = time.monotonic()
        if now - self._said >= EVERY:
            self._said = now
            _say({"read": read, "of": of})


def _say(line: Json) -> None:
    sys.stdout.write(json.dumps(line) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
