"""Whose word is taken for the address of a caller: that of proxies the house has named."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_address, ip_network

from starlette.types import Scope

EVERYBODY = "*"
Network = IPv4Network | IPv6Network


class Proxies:
    def __init__(self, named: str) -> None:
        """Addresses or networks, separated by commas; `*` for everybody who connects."""
        said = [one.strip() for one in named.split(",") if one.strip()]
        self._everybody = EVERYBODY in said
        self._networks = [ip_network(one, strict=False) for one in said if one != EVERYBODY]

    def __bool__(self) -> bool:
        return self._everybody or bool(self._networks)

    def told(self, scope: Scope) -> Scope:
        """The request as the proxy says it came, if it is one of them."""
        if not self._trusts(scope["client"][0]):
            return scope
        said = {b"x-forwarded-for": "", b"x-forwarded-proto": ""}
        for name, value in scope["headers"]:
            if name in said:
                said[name] = f"{said[name]},{value.decode('latin-1')}".strip(",")
        if caller := self._caller(said[b"x-forwarded-for"]):
            scope["client"] = caller, 0
            if said[b"x-forwarded-proto"].strip() in ("http", "https"):
                scope["scheme"] = said[b"x-forwarded-proto"].strip()
        return scope

    def _caller(self, forwarded: str) -> str:
        """The last who is no proxy of ours: whatever stands before was said by him."""
        hops = [one.strip() for one in forwarded.split(",")]
        outside = hops[:1] if self._everybody else [one for one in hops if not self._trusts(one)]
        return outside[-1] if outside else hops[0]

    def _trusts(self, host: str) -> bool:
        try:
            address = ip_address(host)
        except ValueError:
            return False
        return self._everybody or any(address in network for network in self._networks)
