"""What events are signed with (Standard Webhooks), and how the book keeps it.

Whoever signs needs the secret itself, so a hash is not enough. With a key from outside the database it is
kept sealed, and who reads the database learns nothing from it; without one it is kept as it is, and who reads
the database can sign events that its listener takes for the house's.
"""

from __future__ import annotations

import hmac
import json
import os
from base64 import b64decode, b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from jackpot.core.instants import SECOND

PREFIX = "whsec_"
_SEALED, _PLAIN = "sealed:", "plain:"
_NONCE = 12
_KEY = 32
OVERLAP = 24 * 3600 * SECOND
"""For so long the secret before the latest one signs too."""
MOST = 4
"""At once: of several changes within that time the oldest is given up."""


class KeyUnusable(Exception):
    """The file of the key holds none."""


class CannotOpen(Exception):
    """A secret that was sealed with another key."""


@dataclass(frozen=True, slots=True)
class Secret:
    kept: str
    """As the book keeps it."""
    until: int | None = None
    """House time up to which it signs; None for the latest."""


class Vault:
    """Seals and opens secrets, each for its own webhook."""

    def __init__(self, key: bytes | None = None) -> None:
        self._cipher = None if key is None else AESGCM(key)

    @classmethod
    def from_file(cls, file: Path | None) -> Vault:
        """32 random bytes as base64, such as `openssl rand -base64 32` makes them."""
        if file is None:
            return cls()
        try:
            key = b64decode(file.read_text().strip(), validate=True)
        except (OSError, ValueError) as trouble:
            raise KeyUnusable(f"{file} holds no key in base64: {trouble}") from None
        if len(key) != _KEY:
            raise KeyUnusable(f"{file} must hold {_KEY} bytes in base64, not {len(key)}")
        return cls(key)

    def seal(self, webhook: str, secret: str) -> str:
        if self._cipher is None:
            return _PLAIN + secret
        nonce = os.urandom(_NONCE)
        sealed = self._cipher.encrypt(nonce, secret.encode(), webhook.encode())
        return _SEALED + b64encode(nonce + sealed).decode()

    def open(self, webhook: str, kept: str) -> str:
        if kept.startswith(_PLAIN):
            return kept.removeprefix(_PLAIN)
        if self._cipher is None:
            raise CannotOpen("its secret is sealed, and this process has no key")
        try:
            whole = b64decode(kept.removeprefix(_SEALED))
            return self._cipher.decrypt(whole[:_NONCE], whole[_NONCE:], webhook.encode()).decode()
        except (InvalidTag, ValueError):
            raise CannotOpen("its secret was sealed with another key") from None


def new_secret() -> str:
    return PREFIX + b64encode(os.urandom(_KEY)).decode()


def signature(secret: str, id: str, timestamp: int, body: bytes) -> str:
    """`v1,` and the HMAC-SHA256 of id, timestamp and body, with dots between them."""
    key = b64decode(secret.removeprefix(PREFIX))
    signed = b".".join((id.encode(), str(timestamp).encode(), body))
    return "v1," + b64encode(hmac.digest(key, signed, sha256)).decode()


def renewed(secrets: Sequence[Secret], kept: str, *, at: int) -> list[Secret]:
    """The new one first; the one before it goes on for a while."""
    before = [
        Secret(one.kept, at + OVERLAP if one.until is None else one.until) for one in in_force(secrets, at)
    ]
    return [Secret(kept), *before][:MOST]


def in_force(secrets: Sequence[Secret], at: int) -> list[Secret]:
    return [one for one in secrets if one.until is None or one.until > at]


def written(secrets: Sequence[Secret]) -> str:
    return json.dumps([[one.kept, one.until] for one in secrets])


def read(text: str) -> list[Secret]:
    return [Secret(kept, until) for kept, until in json.loads(text)]
