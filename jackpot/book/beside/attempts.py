"""How often a password was tried: counted in the book, for all replicas together, before it is tried."""

from __future__ import annotations

from typing import NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.inserting import inserting
from jackpot.book.stores.schema import attempts

FORGOTTEN_AT_ONCE = 100
_ONE_MORE = inserting(attempts, "(who) DO UPDATE SET count = attempts.count + 1 RETURNING count, last")


class Tried(NamedTuple):
    """How often, and at which house time last."""

    times: int
    last: int


async def tried_before(connection: AsyncConnection, who: str) -> Tried:
    """As it was before this attempt. Until the transaction ends nobody else counts for the same."""
    count, last = (await connection.execute(_ONE_MORE, {"who": who, "count": 1, "last": 0})).one()
    return Tried(count - 1, last)


async def keep_tried(connection: AsyncConnection, who: str, tried: Tried) -> None:
    await connection.execute(
        update(attempts).where(attempts.c.who == who).values(count=tried.times, last=tried.last)
    )


async def take_back(connection: AsyncConnection, who: str) -> None:
    """One attempt that was none, after all."""
    one_less = update(attempts).where(attempts.c.who == who, attempts.c.count > 0)
    await connection.execute(one_less.values(count=attempts.c.count - 1))


async def forget_tried(connection: AsyncConnection, who: str) -> None:
    await connection.execute(delete(attempts).where(attempts.c.who == who))


async def forget_older(connection: AsyncConnection, than: int) -> None:
    """Some of them; who is being counted just now is left to who counts."""
    older = select(attempts.c.who).where(attempts.c.last < than).limit(FORGOTTEN_AT_ONCE)
    free = older.with_for_update(skip_locked=True)
    await connection.execute(delete(attempts).where(attempts.c.who.in_(free)))
