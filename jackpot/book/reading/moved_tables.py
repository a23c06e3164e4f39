"""Where a table has been before it was moved, and what was done to it there."""

from __future__ import annotations

from sqlalchemy import select, text
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.reading.lookup import storable
from jackpot.book.reading.pages import link_names
from jackpot.book.stores.schema import SELDOM, journal
from jackpot.link.commands import Command, DeclareMalfunction, HouseAct
from jackpot.link.facts import TableMoved


async def place_of_act(connection: AsyncConnection, here: str, command: Command) -> str | None:
    """The other place in which this very act was carried out, its table having been moved since."""
    key, table = command.key, _named(command)
    if key is None or table is None or not storable(key) or not storable(table):
        return None
    for name in await link_names(connection):
        if name == here:
            continue
        of_it = journal.c.link == name, text(SELDOM), journal.c.kind == TableMoved.__name__
        left = select(journal.c.sequence).where(*of_it, journal.c.tbl == table).limit(1)
        if (await connection.execute(left)).scalar() is None:
            continue
        done = select(journal.c.sequence).where(journal.c.link == name, journal.c.key == key).limit(1)
        if (await connection.execute(done)).scalar() is not None:
            return name
    return None


def _named(command: Command) -> str | None:
    """The table that an act of a person is done to."""
    if not isinstance(command, HouseAct):
        return None
    if isinstance(command, DeclareMalfunction):
        return command.scope.table
    return getattr(command, "table", None)
