"""How often a password was tried: counted in the book, for all replicas together, before it is tried."""

from __future__ import annotations

from typing import Any, NamedTuple

from sqlalchemy import delete, select, update
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.schema import attempts

FORGOTTEN_AT_ONCE = 100


class Tried(NamedTuple):
    """How often, and at which house time last."""

    times: int
    last: int


async def tried_before(connection: AsyncConnection, who: str) -> Tried:
    """As it was before this attempt. Until the transaction ends nobody else counts for the same."""
    dialect: Any = postgresql if connection.dialect.name == "postgresql" else sqlite
    added = (
        dialect.insert(attempts)
        .values(who=who, count=1, last=0)
        .on_conflict_do_update(index_elements=["who"], set_={"count": attempts.c.count + 1})
        .returning(attempts.c.count, attempts.c.last)
    )
    count, last = (await connection.execute(added)).one()
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
