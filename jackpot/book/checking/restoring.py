"""A book that was restored is another book: it may have less than what was shown of it."""

from __future__ import annotations

from secrets import token_hex
from uuid import uuid4

from sqlalchemy import select, update

from jackpot.book.beside.audit import Act, write_acts
from jackpot.book.stores.base import Store
from jackpot.book.stores.schema import house


async def renew_epoch(store: Store, *, actor: str) -> str:
    """From now on nobody takes a reading of before for a newer one: its number may come again. Nor are the
    news of a process believed that still serves what was before."""
    epoch = uuid4().hex
    async with store.transaction() as connection:
        before = (await connection.execute(select(house.c.epoch))).scalar_one()
        await connection.execute(update(house).values(epoch=epoch, news_key=token_hex(32)))
        at = await store.house_time(connection)
        detail = {"before": before, "epoch": epoch}
        await write_acts(
            connection, [Act(at=at, actor=actor, act="book_restored", outcome="allowed", detail=detail)]
        )
    return epoch
