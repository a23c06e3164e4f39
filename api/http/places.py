"""How many streams and long polls an address may have at once, so that one caller cannot take them all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from ipaddress import IPv6Address, ip_address, ip_network

from starlette.types import Scope

from api.http.errors import TooMany

AGAIN_AFTER = 5
"""Seconds, for who found no place."""
ONE_SUBSCRIBER = 64
"""Bits of an IPv6 address that are one customer's network: he has all the addresses in it."""


class Places:
    def __init__(self, most: int, what: str) -> None:
        """Without a limit if it is 0."""
        self._most, self._what = most, what
        self._taken: Counter[str] = Counter()

    @contextmanager
    def taken(self, address: str) -> Iterator[None]:
        if self._most and self._taken[address] >= self._most:
            detail = f"an address has at most {self._most} {self._what} at once"
            raise TooMany(detail, AGAIN_AFTER, f"too_many_{self._what}")
        self._taken[address] += 1
        try:
            yield
        finally:
            self._taken[address] -= 1
            if not self._taken[address]:
                del self._taken[address]


def address_of(scope: Scope) -> str:
    """Who is calling, as far as the network tells; a proxy that is trusted has put the caller's own there."""
    return network_of((scope.get("client") or ("unknown", 0))[0])


def network_of(host: str) -> str:
    try:
        address = ip_address(host)
    except ValueError:
        return str(host)
    if not isinstance(address, IPv6Address):
        return str(address)
    if address.ipv4_mapped is not None:
        return str(address.ipv4_mapped)
    return str(ip_network((address.packed, ONE_SUBSCRIBER), strict=False))
