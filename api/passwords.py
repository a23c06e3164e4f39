"""Passwords of people: argon2id, and the same time for a name that nobody has."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher
from argon2.exceptions import Argon2Error, InvalidHashError

_hasher = PasswordHasher()
_threads = ThreadPoolExecutor(2, thread_name_prefix="argon2")
NOBODYS = "$argon2id$v=19$m={m},t={t},p={p}${salt}${key}".format(
    m=_hasher.memory_cost,
    t=_hasher.time_cost,
    p=_hasher.parallelism,
    salt="A" * 22,
    key="A" * 43,
)
"""Of no password, and as costly to try as one of ours: it need not be worked out at every start."""


def hash_password(password: str) -> str:
    return _hasher.hash(password.encode("utf-8", "surrogatepass"))


async def is_password(known: str | None, given: str) -> bool:
    """Beside the loop: it takes long by design."""
    right = await asyncio.get_running_loop().run_in_executor(_threads, _verify, known or NOBODYS, given)
    return right and known is not None


def _verify(known: str, given: str) -> bool:
    try:
        return _hasher.verify(known, given.encode("utf-8", "surrogatepass"))
    except (Argon2Error, InvalidHashError):
        return False
