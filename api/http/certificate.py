"""The service's certificate: checked before it is used, and looked at again for a newer one."""

from __future__ import annotations

import logging
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path

from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat, load_pem_private_key
from cryptography.x509 import Certificate, load_pem_x509_certificates

_log = logging.getLogger(__name__)


class CertificateUnusable(Exception):
    """In one line, what is wrong with the files."""


@dataclass(frozen=True, slots=True)
class Pair:
    """A certificate with its chain, and its key, both as PEM."""

    certificate: bytes
    key: bytes
    expires: datetime

    @property
    def digest(self) -> bytes:
        return _digest(self.certificate, self.key)


def check_pair(certificate: bytes, key: bytes, *, now: datetime) -> Pair:
    """Refuses what no caller would take, or what the server could not start with."""
    try:
        leaf = load_pem_x509_certificates(certificate)[0]
    except (ValueError, IndexError) as error:
        raise CertificateUnusable("the file of tls_cert holds no certificate") from error
    try:
        held = load_pem_private_key(key, None).public_key()
    except (ValueError, TypeError, UnsupportedAlgorithm) as error:
        raise CertificateUnusable("the file of tls_key holds no key without a password") from error
    spki = Encoding.DER, PublicFormat.SubjectPublicKeyInfo
    if held.public_bytes(*spki) != leaf.public_key().public_bytes(*spki):
        raise CertificateUnusable("tls_key is not the key of tls_cert")
    _check_dates(leaf, now)
    return Pair(certificate, key, leaf.not_valid_after_utc)


def _check_dates(leaf: Certificate, now: datetime) -> None:
    begins, ends = leaf.not_valid_before_utc, leaf.not_valid_after_utc
    if now > ends:
        raise CertificateUnusable(f"the certificate of tls_cert has expired, at {ends:%Y-%m-%d %H:%M} UTC")
    if now < begins:
        raise CertificateUnusable(f"the certificate of tls_cert is valid from {begins:%Y-%m-%d %H:%M} UTC on")


class Renewal:
    """The pair in use, and whether a newer one lies in its files."""

    def __init__(self, certificate: Path, key: Path) -> None:
        self._files = certificate, key
        self.pair = check_pair(*self._read(), now=datetime.now(UTC))
        self._seen = self.pair.digest
        self.refused: str | None = None
        """Why the files, as they are now, are not in use."""

    def look(self) -> Pair | None:
        """A newer pair that can be used, once. What cannot be is told once, and the old one stays."""
        try:
            certificate, key = self._read()
            if (digest := _digest(certificate, key)) == self._seen:
                return None
            self._seen = digest
            pair = check_pair(certificate, key, now=datetime.now(UTC))
        except CertificateUnusable as unusable:
            self.refuse(unusable)
            return None
        self.refused = None
        return None if pair == self.pair else pair

    def refuse(self, why: CertificateUnusable) -> None:
        if str(why) != self.refused:
            _log.error("the new certificate is not used, the old one stays: %s", why)
        self.refused = str(why)

    def _read(self) -> tuple[bytes, bytes]:
        try:
            certificate, key = (file.read_bytes() for file in self._files)
        except OSError as error:
            raise CertificateUnusable(f"cannot read {error.filename}: {error.strerror}") from error
        return certificate, key


def _digest(certificate: bytes, key: bytes) -> bytes:
    return sha256(certificate + b"\0" + key).digest()
