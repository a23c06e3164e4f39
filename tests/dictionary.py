"""Dictionaries for what the book packs, trained on entries and states of every kind and game.

`python -m tests.dictionary NUMBER` writes one that is not there yet. What was packed with a dictionary is
read with it for ever, so none is written again. A new one is worth its while when entries or states have come
to look otherwise; `packing.DICTIONARY` then names it.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from typing import Any

import zstandard

from api.controllers import wire
from api.controllers.speech import OF_LINKS, OF_PITS
from jackpot.book.stores.packing import LEVEL, file_of
from jackpot.book.stores.rows import canonical_link, canonical_table, entry_and_reading
from jackpot.core.codec import to_bytes
from jackpot.core.instants import spoken_instant
from jackpot.link.commands import AddTable
from jackpot.link.facts import Entry, read_entry
from jackpot.link.state import Pit
from jackpot.machine.applying import replayed
from jackpot.machine.memory_book import MemoryBook, MemoryJournal, MemoryPit
from jackpot.pools.payout import registered
from tests import golden
from tests.bench.messages import HOLDEM, STUD, players
from tests.bench.size import RATES, setup_of

BYTES = 32 << 10
GOLDEN = 1_000
"""Entries of golden journals; rounds are played besides, since they are what a book is full of."""
EVENINGS = {"main": "{game}", "high": "t", "floor-2": "stud", "pit-west": "bj", "m1": "table", "link": "h"}
"""Names of links or pits, and how their tables are called."""
TABLES, ROUNDS = 8, 6


def samples(chance: random.Random) -> list[bytes]:
    kept = [one for release in golden.releases() for one in golden.kept(release)]
    told = [sample for one in kept for sample in _replayed(one)]
    found = chance.sample(told, GOLDEN)
    for game in players(chance):
        for link, called in EVENINGS.items():
            found += _played(chance, game, link, called.format(game=game))
    chance.shuffle(found)
    return found


def _replayed(kept: golden.Golden) -> Iterator[bytes]:
    pit: Pit | None = None
    head = ""
    for data in kept.entries:
        entry = read_entry(kept.of, data, head)
        pit, head = replayed([entry], pit), entry.hash
        yield entry_and_reading(entry.data, registered(pit))


def _played(chance: random.Random, game: str, link: str, called: str) -> Iterator[bytes]:
    """Rounds of a few tables."""
    at = 1_780_000_000_000_000 + chance.randrange(10**13)
    of_link = game in (STUD, HOLDEM)
    book: MemoryJournal = (
        MemoryBook(link, "x", "SGD", RATES, at=at) if of_link else MemoryPit(link, "x", "SGD", at=at)
    )
    tables = players(chance)[game][:TABLES]
    for table in tables:
        table.name = f"{called}-{table.name[-2:]}"
        book.submit(AddTable(person="floor", setup=setup_of(game, table.name)), at=at)
    speech, echo = OF_LINKS if of_link else OF_PITS, dict[str, str]()
    for number in range(1, ROUNDS + 1):
        rounds = [next(table.rounds) for table in tables]
        for kind, turn in ((speech.bets, 0), (speech.hands, 1)):
            for table, told in zip(tables, rounds, strict=True):
                at += chance.randrange(1_000, 3_000_000)
                stamps = {"sent_at": spoken_instant(at)} | ({} if turn else {"closed_at": spoken_instant(at)})
                body = {**told[turn], **stamps} | ({"echo": echo} if echo else {})
                at += chance.randrange(1_000, 30_000)
                message = wire.decode(kind, json.dumps(body).encode())
                known = len(book.entries)
                book.submit(message.command(table.name, number, wire.Arrived(at, 500)), at=at)
                echo = {"replied_at": spoken_instant(at), "heard_at": spoken_instant(at + 900)}
                yield from _written(book.pit, book.entries[known:], table.name)


def _written(pit: Pit, entries: list[Entry], name: str) -> Iterator[bytes]:
    for entry in entries:
        yield entry_and_reading(entry.data, registered(pit))
    if entries[-1].sequence % 3 == 0:  # states look more alike than entries
        table = pit.tables[name]
        yield from (canonical_table(table), to_bytes(table.contact), canonical_link(pit))


def trained(number: int) -> bytes:
    found: list[Any] = [*samples(random.Random(number))]
    made = zstandard.train_dictionary(BYTES, found, level=LEVEL, dict_id=number, threads=1)
    return made.as_bytes()


def main() -> None:
    if len(sys.argv) != 2:
        sys.exit("python -m tests.dictionary NUMBER, for example 1")
    file = file_of(int(sys.argv[1]))
    if file.exists():
        sys.exit(f"dictionary {sys.argv[1]} is there: books are packed with it, and it is not written again")
    file.parent.mkdir(exist_ok=True)
    file.write_bytes(trained(int(sys.argv[1])))


if __name__ == "__main__":
    main()
