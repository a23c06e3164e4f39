"""Passwords of people: argon2id, and the same time for a name that nobody has."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor

from argon2 import PasswordHasher, extract_parameters
from argon2.exceptions import Argon2Error, InvalidHashError

SHORTEST = 12
"""Characters of a new password."""
_hasher = PasswordHasher()
LEAST_MEMORY, LEAST_PASSES = _hasher.memory_cost, _hasher.time_cost
"""KiB, and times: RFC 9106's profile for little memory. A hash that costs less to try is refused."""
LEAST_SALT, LEAST_HASH = 16, 32
"""Bytes."""
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


def weakness_of(password_hash: str) -> str | None:
    """Why it would be too cheap to guess what it is of."""
    try:
        used = extract_parameters(password_hash)
    except InvalidHashError:
        return "is none of argon2"
    if used.memory_cost < LEAST_MEMORY or used.time_cost < LEAST_PASSES:
        return f"is cheap to guess: it asks for less than m={LEAST_MEMORY},t={LEAST_PASSES}"
    if used.salt_len < LEAST_SALT or used.hash_len < LEAST_HASH:
        return f"is short: {LEAST_SALT} bytes of salt and {LEAST_HASH} of hash are the least"
    return None


async def is_password(known: str | None, given: str) -> bool:
    """Beside the loop: it takes long by design."""
    right = await asyncio.get_running_loop().run_in_executor(_threads, _verify, known or NOBODYS, given)
    return right and known is not None


def _verify(known: str, given: str) -> bool:
    try:
        return _hasher.verify(known, given.encode("utf-8", "surrogatepass"))
    except (Argon2Error, InvalidHashError):
        return False
