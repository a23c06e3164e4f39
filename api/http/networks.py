"""Networks of addresses, as settings name them."""

from __future__ import annotations

from ipaddress import IPv4Network, IPv6Network, ip_network

Network = IPv4Network | IPv6Network


def read_networks(text: str) -> tuple[Network, ...]:
    """Addresses or networks, separated by commas."""
    return tuple(ip_network(one.strip()) for one in text.split(",") if one.strip())
