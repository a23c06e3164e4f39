"""Imported, this lets a service of the same process take passwords that cost next to nothing to try."""

from __future__ import annotations

from argon2 import PasswordHasher

from api.callers import passwords

CHEAP = PasswordHasher(time_cost=1, memory_cost=8 * 1024, parallelism=1)
passwords.LEAST_MEMORY, passwords.LEAST_PASSES = CHEAP.memory_cost, CHEAP.time_cost
COSTLY_NOBODYS, passwords.NOBODYS = passwords.NOBODYS, CHEAP.hash("nobody has it")
