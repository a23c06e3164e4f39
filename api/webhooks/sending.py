"""One event to one receiver, once: signed, within a time, and whatever the receiver does."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from api.webhooks.address import AddressWrong, Allowed, check_url
from jackpot.book.webhooks.outbox import Outgoing
from jackpot.book.webhooks.secrets import signature
from jackpot.core.instants import SECOND

if TYPE_CHECKING:
    import httpx  # imported with the first event: most houses send none

GONE = 410
READ = 16 * 1024
"""Bytes of an answer's body that are read, so that the connection can be used again."""
LONGEST_PAUSE = 3600
"""Seconds that a receiver's `Retry-After` may ask for."""
AGENT = "jackpot-webhooks/1"


@dataclass(frozen=True, slots=True)
class Answer:
    """What came of it."""

    took: int
    """Microseconds."""
    status: int | None = None
    error: str | None = None
    """None if the receiver took it."""
    after: int | None = None
    """Seconds for which it wants to be left alone."""


class Sender:
    """To one receiver; its connections are nobody else's, since they go to an address and not to a name."""

    def __init__(self, allowed: Allowed, seconds: float) -> None:
        self._allowed, self._seconds = allowed, seconds
        self._client: httpx.AsyncClient | None = None

    async def send(self, url: str, event: Outgoing, secrets: Sequence[str], *, at: int) -> Answer:
        begun = time.monotonic()
        answer = await self._tried(url, event, secrets, at)
        took = round((time.monotonic() - begun) * SECOND)
        return Answer(took, *answer)

    async def _tried(
        self, url: str, event: Outgoing, secrets: Sequence[str], at: int
    ) -> tuple[int | None, str | None, int | None]:
        import httpx

        heard: list[httpx.Response] = []
        try:
            async with asyncio.timeout(self._seconds):
                await self._post(url, event, secrets, at, heard)
        except TimeoutError:
            if not heard:
                return None, f"it did not answer within {self._seconds:g} s", None
        except httpx.HTTPError as trouble:
            if not heard:
                return None, _in_words(trouble), None
        except AddressWrong as wrong:
            return None, str(wrong)[:200], None
        [answer] = heard
        error = None if answer.is_success else _refusal(answer)
        return answer.status_code, error, _wished(answer.headers.get("retry-after"))

    async def _post(
        self, url: str, event: Outgoing, secrets: Sequence[str], at: int, heard: list[httpx.Response]
    ) -> None:
        """Once the head of an answer was heard, it counts; the rest is only read to be out of the way."""
        asked = check_url(url)
        found = await self._allowed.resolve(asked)
        to = asked.copy_with(host=found)
        extensions: dict[str, Any] = {"sni_hostname": asked.raw_host.decode()}
        headers = _headers(event, secrets, at) | {"Host": asked.netloc.decode("ascii")}
        client = self._connected()
        async with client.stream(
            "POST", to, content=event.body, headers=headers, extensions=extensions
        ) as answer:
            heard.append(answer)
            read = 0
            async for part in answer.aiter_raw():
                read += len(part)
                if read > READ:
                    break

    def _connected(self) -> httpx.AsyncClient:
        """Neither a proxy nor a redirect is followed: it would lead past the check of addresses."""
        import httpx

        if self._client is None:
            trusted = httpx.create_ssl_context()  # of the environment's authorities: a house may have its own
            limits = httpx.Limits(max_connections=20, max_keepalive_connections=5, keepalive_expiry=15)
            self._client = httpx.AsyncClient(
                follow_redirects=False,
                trust_env=False,
                verify=trusted,
                timeout=self._seconds,
                limits=limits,
            )
        return self._client

    async def close(self) -> None:
        if self._client is not None:
            await self._client.aclose()


def _headers(event: Outgoing, secrets: Sequence[str], at: int) -> dict[str, str]:
    timestamp = at // SECOND
    signed = " ".join(signature(one, event.id, timestamp, event.body) for one in secrets)
    return {
        "Content-Type": "application/json",
        "User-Agent": AGENT,
        "webhook-id": event.id,
        "webhook-timestamp": str(timestamp),
        "webhook-signature": signed,
    }


def _in_words(trouble: httpx.HTTPError) -> str:
    import httpx

    if isinstance(trouble, httpx.TimeoutException):
        return "it did not answer in time"
    if isinstance(trouble, httpx.ConnectError):
        return f"no connection: {trouble}"[:200]
    return f"the connection broke: {type(trouble).__name__}"


def _refusal(answer: httpx.Response) -> str:
    if answer.is_redirect:
        return f"it answered {answer.status_code}, and nobody follows it elsewhere"
    return f"it answered {answer.status_code}"


def _wished(said: str | None) -> int | None:
    if said is None or not said.isascii() or not said.isdigit() or len(said) > 9:
        return None
    return min(int(said), LONGEST_PAUSE)
