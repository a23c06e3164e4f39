"""Anchors: the heads of the chains, signed with a key that is not in the database and kept outside it.

A chain alone proves that nothing in the middle was changed. That its end was not cut off, or the whole
recomputed, only somebody outside can tell: the file of anchors, and whoever keeps a copy of it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import logging
import os
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
    load_pem_public_key,
)

from jackpot.book.stores.committed import Committed
from jackpot.book.stores.files import PRIVATE, exposure, make_private
from jackpot.link.facts import ClaimDecided, Fact, WinPaid

EVERY = 60_000_000
"""Microseconds between anchors of a link that is in use."""
OPENED_WITHIN = 10.0
LEFT_AFTER = 5.0
"""Seconds that the end of a process waits for the volume."""
_BEGINS, _ENDS = b'{"at": ', b"}"
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Anchor:
    link: str
    sequence: int
    head: str
    at: int
    state: str | None = None
    """Of a checkpoint: the hash of the whole state after that entry, from which a check may begin."""

    def text(self) -> str:
        state = "" if self.state is None else f"\n{self.state}"
        return f"{self.link}\n{self.sequence}\n{self.head}\n{self.at}{state}"


class AnchorsUnusable(Exception):
    """The file of anchors, or the key, is not what it should be."""


class AnchorForged(AnchorsUnusable):
    """A line of the file of anchors was not signed with the key."""


class Anchors:
    """Signs and appends, in a thread of its own: a volume that hangs delays nobody. Call it after each
    commit, and tell it the time: it decides what is due."""

    def __init__(self, file: Path, key: Ed25519PrivateKey) -> None:
        self._file, self._key = file, key
        self._changed = threading.Condition()
        self._unsigned: dict[str, Anchor] = {}
        """The last head of each link, as long as it is not signed."""
        self._due: dict[str, Anchor] = {}
        """Those of them that are to be signed now."""
        self._checkpoints: list[Anchor] = []
        self._due_since: float | None = None
        self._asked: dict[str, int] = {}
        """When a link was last due, unless that could not be written."""
        self._thread: threading.Thread | None = None
        self._ended = self._failing = False
        self.failures = 0

    async def start(self) -> None:
        """Refuses a file that cannot be written to, or does not open in time."""
        self._thread = threading.Thread(target=self._work, name="anchors", daemon=True)
        opened = asyncio.get_running_loop().create_future()
        threading.Thread(target=self._try, args=(opened,), name="anchors, opening", daemon=True).start()
        try:
            async with asyncio.timeout(OPENED_WITHIN):
                trouble = await opened
        except TimeoutError:
            trouble = f"the volume did not answer within {OPENED_WITHIN:.0f} s"
        if trouble is not None:
            raise AnchorsUnusable(f"anchors cannot be written to {self._file}: {trouble}")
        self._thread.start()

    async def stop(self) -> None:
        """Sign what is left, unless the volume hangs: nobody waits for that."""
        self._sign(lambda _: True)
        if not await self.written(within=LEFT_AFTER):
            _log.error("%d heads were not signed: the volume of anchors hangs", len(self._due))
        with self._changed:
            self._ended = True
            self._changed.notify()

    def __call__(self, committed: Committed) -> None:
        if not committed.entries:
            return
        link, last = committed.link, committed.entries[-1]
        with self._changed:
            self._unsigned[link] = Anchor(link, last.sequence, last.hash, last.at)
        if any(_pays(entry.fact) for entry in committed.entries):
            self._sign(lambda one: one == link)
        else:
            self.sign_due(last.at)

    def checkpoint(self, anchor: Anchor) -> None:
        """One that cannot be written is lost: the next is as good."""
        with self._changed:
            self._checkpoints.append(anchor)
            self._changed.notify()

    def sign_due(self, now: int) -> None:
        """Also after a link has fallen silent: its last entries are not less worth than others."""
        self._sign(lambda link: now - self._asked.get(link, -EVERY) >= EVERY)

    async def written(self, *, within: float) -> bool:
        """Whether all that was due is in the file, as soon as it is."""
        deadline = time.monotonic() + within
        while (self._due or self._checkpoints) and time.monotonic() < deadline:
            await asyncio.sleep(0.005)
        return not self._due

    @property
    def waiting(self) -> float:
        """Seconds for which a head that was due has not been written."""
        since = self._due_since
        return 0.0 if since is None else time.monotonic() - since

    def _sign(self, wanted: Callable[[str], bool]) -> None:
        with self._changed:
            due = {link: one for link, one in self._unsigned.items() if wanted(link)}
            if due:
                self._due |= due
                self._asked |= {link: one.at for link, one in due.items()}
                self._due_since = self._due_since or time.monotonic()
                self._changed.notify()

    # In the thread

    def _try(self, opened: asyncio.Future[str | None]) -> None:
        trouble = None
        try:
            os.close(self._opened())
        except OSError as error:
            trouble = error.strerror

        def told() -> None:
            if not opened.done():
                opened.set_result(trouble)

        with contextlib.suppress(RuntimeError):  # nobody waits any longer
            opened.get_loop().call_soon_threadsafe(told)

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._due or self._checkpoints or self._ended)
                if not (self._due or self._checkpoints):
                    return
                due, checkpoints = list(self._due.values()), list(self._checkpoints)
            for anchor in due:
                self._write(anchor)
            for anchor in checkpoints:
                self._appended(anchor)
            with self._changed:
                del self._checkpoints[: len(checkpoints)]

    def _write(self, anchor: Anchor) -> None:
        """What could not be written stays to be signed."""
        written = self._appended(anchor)
        with self._changed:
            if self._due[anchor.link] is anchor:
                del self._due[anchor.link]
            if not written:
                self._asked.pop(anchor.link, None)
            elif self._unsigned[anchor.link] is anchor:
                del self._unsigned[anchor.link]
            if not self._due:
                self._due_since = None

    def _appended(self, anchor: Anchor) -> bool:
        try:
            self.append(anchor)
        except OSError as trouble:
            self._failed(trouble)
            return False
        self._failing = False
        return True

    def _failed(self, trouble: OSError) -> None:
        self.failures += 1
        if not self._failing:
            _log.error("anchors cannot be written: %s", trouble)
        self._failing = True

    def append(self, anchor: Anchor) -> None:
        signature = self._key.sign(anchor.text().encode()).hex()
        line = {"at": anchor.at, "head": anchor.head, "link": anchor.link, "sequence": anchor.sequence}
        line |= {} if anchor.state is None else {"state": anchor.state}
        data = json.dumps(line | {"signature": signature}, sort_keys=True).encode() + b"\n"
        file = self._opened()
        try:
            if _cut_off(file):
                data = b"\n" + data
            if os.write(file, data) != len(data):
                raise OSError("only a part was written")
            os.fsync(file)
        finally:
            os.close(file)

    def _opened(self) -> int:
        return os.open(self._file, os.O_RDWR | os.O_APPEND | os.O_CREAT, PRIVATE)


def _pays(fact: Fact) -> bool:
    return isinstance(fact, WinPaid) or (isinstance(fact, ClaimDecided) and fact.amount > 0)


def _cut_off(file: int) -> bool:
    """Whether whoever wrote last did not come to the end of his line."""
    size = os.fstat(file).st_size
    return size > 0 and os.pread(file, 1, size - 1) != b"\n"


def read_anchors(file: Path, key: Ed25519PublicKey) -> list[Anchor]:
    """All anchors of a file, each with its signature proved."""
    found: list[Anchor] = []
    for number, line in _lines(file):
        if _incomplete(line):
            continue
        try:
            told = json.loads(line)
            anchor = Anchor(told["link"], told["sequence"], told["head"], told["at"], told.get("state"))
            key.verify(bytes.fromhex(told["signature"]), anchor.text().encode())
        except (ValueError, KeyError, TypeError, InvalidSignature):
            raise AnchorForged(f"line {number} of {file.name} was not signed with this key") from None
        found.append(anchor)
    return found


def incomplete_lines(file: Path) -> list[int]:
    """Those that a crash or a full disk cut off. They prove nothing, and deny nothing either."""
    return [number for number, line in _lines(file) if _incomplete(line)]


def _lines(file: Path) -> Iterator[tuple[int, bytes]]:
    return enumerate(_content(file).splitlines(), 1)


def _incomplete(line: bytes) -> bool:
    begun = _BEGINS.startswith(line[: len(_BEGINS)])
    return begun and not line.endswith(_ENDS)


def _content(file: Path) -> bytes:
    try:
        return file.read_bytes()
    except OSError as trouble:
        raise AnchorsUnusable(f"{file} cannot be read: {trouble.strerror}") from trouble


def new_key(file: Path) -> None:
    """A private key for this machine only, and beside it the public one for auditors."""
    key = Ed25519PrivateKey.generate()
    private = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
    descriptor = os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE)
    with os.fdopen(descriptor, "wb") as out:
        out.write(private)
    public = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    make_private(file.with_suffix(".pub"))
    file.with_suffix(".pub").write_bytes(public)


def check_secret(file: Path) -> None:
    """Whoever reads the key can sign a book of his own."""
    try:
        exposed = exposure(file)
    except OSError as trouble:
        raise AnchorsUnusable(f"{file} cannot be read: {trouble.strerror}") from trouble
    if exposed is not None:
        raise AnchorsUnusable(f"{file} is no secret: {exposed}; chmod 600 it, or 440 for a group of ours")


def read_key(file: Path) -> Ed25519PrivateKey:
    key = _read(file, lambda data: load_pem_private_key(data, None))
    if not isinstance(key, Ed25519PrivateKey):
        raise AnchorsUnusable(f"{file} holds no Ed25519 key that signs")
    return key


def read_public_key(file: Path) -> Ed25519PublicKey:
    """From the public key's file, or from the private one's."""
    key = _read(file, _public)
    if not isinstance(key, Ed25519PublicKey):
        raise AnchorsUnusable(f"{file} holds no Ed25519 key")
    return key


def _public(data: bytes) -> object:
    return load_pem_private_key(data, None).public_key() if b"PRIVATE" in data else load_pem_public_key(data)


def _read(file: Path, read: Callable[[bytes], object]) -> object:
    try:
        return read(_content(file))
    except (ValueError, TypeError, UnsupportedAlgorithm):  # no PEM; one with a password; of another kind
        return None
