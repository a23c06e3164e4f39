"""Anchors: the heads of the chains, signed with a key that is not in the database and kept outside it.

A chain alone proves that nothing in the middle was changed. That its end was not cut off, or the whole
recomputed, only somebody outside can tell: the file of anchors, and whoever keeps a copy of it.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from jackpot.book.batch import Committed
from jackpot.facts import WinPaid

EVERY = 60_000_000
"""Microseconds between anchors of a link that is in use."""


@dataclass(frozen=True, slots=True)
class Anchor:
    link: str
    sequence: int
    head: str
    at: int

    def text(self) -> str:
        return f"{self.link}\n{self.sequence}\n{self.head}\n{self.at}"


class AnchorForged(Exception):
    """A line of the file of anchors was not signed with the key."""


class Anchors:
    """Signs and appends. Call it after each commit; it decides whether an anchor is due."""

    def __init__(self, file: Path, key: Ed25519PrivateKey) -> None:
        self._file, self._key = file, key
        self._last: dict[str, int] = {}

    def __call__(self, committed: Committed) -> None:
        if not committed.entries:
            return
        link, last = committed.link, committed.entries[-1]
        paid = any(isinstance(entry.fact, WinPaid) for entry in committed.entries)
        if paid or last.at - self._last.get(link, -EVERY) >= EVERY:
            self._last[link] = last.at
            self.append(Anchor(link, last.sequence, last.hash, last.at))

    def append(self, anchor: Anchor) -> None:
        signature = self._key.sign(anchor.text().encode()).hex()
        line = {"at": anchor.at, "head": anchor.head, "link": anchor.link, "sequence": anchor.sequence}
        data = json.dumps(line | {"signature": signature}, sort_keys=True).encode() + b"\n"
        file = os.open(self._file, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o640)
        try:
            os.write(file, data)
            os.fsync(file)
        finally:
            os.close(file)


def read_anchors(file: Path, key: Ed25519PublicKey) -> list[Anchor]:
    """All anchors of a file, each with its signature proved."""
    found: list[Anchor] = []
    for number, line in enumerate(file.read_text().splitlines(), 1):
        try:
            told = json.loads(line)
            anchor = Anchor(told["link"], told["sequence"], told["head"], told["at"])
            key.verify(bytes.fromhex(told["signature"]), anchor.text().encode())
        except (ValueError, KeyError, TypeError, InvalidSignature):
            raise AnchorForged(f"line {number} of {file.name} was not signed with this key") from None
        found.append(anchor)
    return found


def new_key(file: Path) -> None:
    """A private key for this machine only, and beside it the public one for auditors."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "wb") as out:
        out.write(private)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    file.with_suffix(".pub").write_bytes(public)


def read_key(file: Path) -> Ed25519PrivateKey:
    key = load_pem_private_key(file.read_bytes(), None)
    if not isinstance(key, Ed25519PrivateKey):
        raise ValueError(f"{file.name} holds no Ed25519 key")
    return key


def read_public_key(file: Path) -> Ed25519PublicKey:
    """From the public key's file, or from the private one's."""
    data = file.read_bytes()
    key = load_pem_private_key(data, None).public_key() if b"PRIVATE" in data else load_pem_public_key(data)
    if not isinstance(key, Ed25519PublicKey):
        raise ValueError(f"{file.name} holds no Ed25519 key")
    return key
