"""Where events may be sent: http(s) to public addresses, and to those networks that the settings allow.

A name is looked up again for each event and the connection goes to the very address that was checked, so that
a name which changes its mind reaches nothing that it could not have named at first.
"""

from __future__ import annotations

import asyncio
import socket
from dataclasses import dataclass
from ipaddress import IPv4Address, IPv6Address, ip_address, ip_network
from typing import TYPE_CHECKING

from api.http.networks import Network

if TYPE_CHECKING:
    import httpx

Address = IPv4Address | IPv6Address
LONGEST = 2_000
LAST_PORT = 65_535
_EMBEDDING = ip_network("64:ff9b::/96")
"""A gateway's prefix, with an IPv4 address in its last 32 bits."""
_LOW = 0xFFFFFFFF
_UNICAST = ip_network("2000::/3")
"""All of IPv6 that is ever given to somebody; outside it lie site-local addresses, those that only translate
to others, and what nobody uses yet."""


class AddressWrong(Exception):
    """Nothing is ever sent there."""

    code = "address_wrong"


class AddressRefused(AddressWrong):
    """It lies in a network that is not allowed."""

    code = "address_refused"


class AddressUnknown(AddressWrong):
    """Nobody knows now where that is."""

    code = "address_unknown"


def check_url(text: str) -> httpx.URL:
    """What can be said without looking up a name."""
    import httpx

    if len(text) > LONGEST or not text.isascii() or not text.isprintable() or " " in text:
        raise AddressWrong(f"an address is at most {LONGEST} ASCII characters without spaces")
    try:
        url = httpx.URL(text)
        host = url.host
    except (httpx.InvalidURL, ValueError):
        raise AddressWrong("this is no address") from None
    if url.scheme not in ("http", "https") or not host:
        raise AddressWrong("an address begins with https:// or http://, and a host")
    if url.userinfo:
        raise AddressWrong("an address has no name and password in it")
    if url.port is not None and not 1 <= url.port <= LAST_PORT:
        raise AddressWrong(f"a port is 1 to {LAST_PORT}")
    if url.fragment or "#" in text:
        raise AddressWrong("an address has no fragment")
    return url


@dataclass(frozen=True, slots=True)
class Allowed:
    """Which addresses may be sent to."""

    networks: tuple[Network, ...] = ()

    def permits(self, address: Address) -> bool:
        meant = [_meant(address), address]
        if any(one in network for one in meant for network in self.networks):
            return True
        return all(_is_public(one) for one in meant)

    async def resolve(self, url: httpx.URL) -> str:
        """The address to connect to. A name that has a forbidden address among others is refused."""
        port = url.port or (443 if url.scheme == "https" else 80)
        try:
            loop = asyncio.get_running_loop()
            found = await loop.getaddrinfo(url.raw_host.decode(), port, type=socket.SOCK_STREAM)
        except (OSError, UnicodeError):
            raise AddressUnknown(f"{url.host[:100]} cannot be looked up") from None
        addresses = [ip_address(str(one[4][0]).partition("%")[0]) for one in found]
        for one in addresses:
            if not self.permits(one):
                raise AddressRefused(f"{url.host[:100]} is at {one}, where nothing may be sent to")
        if not addresses:
            raise AddressUnknown(f"{url.host[:100]} has no address")
        return str(addresses[0])


def _is_public(address: Address) -> bool:
    if not address.is_global or address.is_multicast:
        return False
    return isinstance(address, IPv4Address) or address in _UNICAST or address in _EMBEDDING


def _meant(address: Address) -> Address:
    """The IPv4 address that an IPv6 address stands for, if it does."""
    if isinstance(address, IPv4Address):
        return address
    if address in _EMBEDDING:
        return IPv4Address(int(address) & _LOW)
    teredo = address.teredo
    return address.ipv4_mapped or address.sixtofour or (None if teredo is None else teredo[1]) or address
