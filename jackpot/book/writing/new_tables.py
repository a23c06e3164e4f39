"""A table that is added: its name is free in the whole book, not only in its link or pit."""

from __future__ import annotations

from jackpot.book.reading.lookup import storable
from jackpot.book.reading.pages import link_of_table
from jackpot.book.stores.base import Store
from jackpot.core.refusals import TableAlreadyKnown, TableUnknown
from jackpot.link.commands import AddTable


async def check_new(store: Store, place: str, command: AddTable) -> None:
    """One that is there already in this link or pit is for its own rules, which know a repeated act."""
    name = command.setup.id
    if not storable(name):
        return
    async with store.reading() as connection:
        try:
            known = await link_of_table(connection, name)
        except TableUnknown:
            return
    if known != place:
        raise TableAlreadyKnown(f"{known} has a table {name!r} already", table=name)
