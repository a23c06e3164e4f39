"""Where Redis is: one server, or the one that its Sentinels name at the moment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any
from urllib.parse import SplitResult, parse_qs, unquote, urlsplit

from redis.asyncio import Redis
from redis.asyncio.sentinel import Sentinel

SENTINEL_PORT = 26379
_SENTINEL = {"redis+sentinel": False, "rediss+sentinel": True}
"""The schemes that name Sentinels, and whether everybody is spoken to over TLS."""


@dataclass(frozen=True, slots=True)
class Sentinels:
    """`redis+sentinel://user:password@a:26379,b:26379/mymaster/0?sentinel_password=…`: the user and the
    password are those of Redis itself."""

    hosts: tuple[tuple[str, int], ...]
    name: str
    asked_with: dict[str, Any]
    served_with: dict[str, Any]


class RedisServer:
    """A client, and whatever it asks where to go."""

    def __init__(self, url: str, **options: Any) -> None:
        self._sentinel: Sentinel | None = None
        if urlsplit(url).scheme not in _SENTINEL:
            self.client: Redis = Redis.from_url(url, **options)
            return
        found = read_sentinels(url)
        self._sentinel = Sentinel(found.hosts, sentinel_kwargs=options | found.asked_with)  # type: ignore[no-untyped-call]
        self.client = self._sentinel.master_for(found.name, **options | found.served_with)

    async def close(self) -> None:
        try:
            await self.client.aclose()
        finally:
            if self._sentinel is not None:
                await self._sentinel.aclose()


def check_address(url: str) -> None:
    """ValueError for what could never be reached. It does not repeat the address, which holds passwords."""
    try:
        RedisServer(url).client.connection_pool.make_connection()  # type: ignore[no-untyped-call]
    except (ValueError, TypeError) as wrong:
        raise ValueError(
            "that is not the address of a Redis: redis://, rediss://, unix:// or redis+sentinel://"
        ) from wrong


def read_sentinels(url: str) -> Sentinels:
    parts = urlsplit(url)
    hosts = tuple(_host(one) for one in parts.netloc.rpartition("@")[2].split(","))
    name, _, database = parts.path.removeprefix("/").partition("/")
    if not name:
        raise ValueError("which of the servers that the sentinels watch is not said")
    asked, served = _asked(parts), dict[str, Any](db=int(database or 0))
    given = {"username": parts.username, "password": parts.password}
    served |= {key: unquote(value) for key, value in given.items() if value}
    if _SENTINEL[parts.scheme]:
        asked["ssl"] = served["ssl"] = True
    return Sentinels(hosts, unquote(name), asked, served)


def _host(said: str) -> tuple[str, int]:
    one = urlsplit(f"//{said}")
    if not one.hostname:
        raise ValueError("a sentinel has no host")
    return one.hostname, one.port or SENTINEL_PORT


def _asked(parts: SplitResult) -> dict[str, Any]:
    """The sentinels' own user and password, which are not those of Redis."""
    said = {key: values[0] for key, values in parse_qs(parts.query, strict_parsing=bool(parts.query)).items()}
    known = {"sentinel_username": "username", "sentinel_password": "password"}
    if not said.keys() <= known.keys():
        raise ValueError("an unknown setting")
    return {known[key]: value for key, value in said.items()}
