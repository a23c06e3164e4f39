"""Certificates for tests: an authority of our own, and what it signs."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from ipaddress import ip_address
from pathlib import Path

from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat

DAY = timedelta(days=1)


class Authority:
    def __init__(self, folder: Path, name: str = "House") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, f"{name} authority")])
        self._folder = folder
        constraints = x509.BasicConstraints(ca=True, path_length=None)
        made = self._begun(self._name, self._key, DAY).add_extension(constraints, critical=True)
        self.file = folder / f"{name.lower()}-ca.crt"
        self.file.write_bytes(made.sign(self._key, SHA256()).public_bytes(Encoding.PEM))

    def _begun(
        self, name: x509.Name, key: ec.EllipticCurvePrivateKey, valid: timedelta
    ) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now + min(valid, timedelta()) - DAY)
            .not_valid_after(now + valid)
        )

    def issue(self, valid: timedelta = DAY, curve: ec.EllipticCurve | None = None) -> tuple[bytes, bytes]:
        """A certificate for this machine, and its key, as PEM; expired if the time is negative."""
        key = ec.generate_private_key(curve or ec.SECP256R1())
        name = x509.Name([x509.NameAttribute(x509.NameOID.COMMON_NAME, "jackpot")])
        names = x509.SubjectAlternativeName([x509.IPAddress(ip_address("127.0.0.1"))])
        made = self._begun(name, key, valid).add_extension(names, critical=False).sign(self._key, SHA256())
        pem = Encoding.PEM, PrivateFormat.PKCS8, NoEncryption()
        return made.public_bytes(Encoding.PEM), key.private_bytes(*pem)


class Files:
    """Where a service finds its certificate."""

    def __init__(self, folder: Path) -> None:
        self.certificate, self.key = folder / "tls.crt", folder / "tls.key"

    def write(self, certificate: bytes, key: bytes) -> None:
        self.certificate.write_bytes(certificate)
        self.key.write_bytes(key)

    @property
    def settings(self) -> dict[str, Path]:
        return {"tls_cert": self.certificate, "tls_key": self.key}

    @property
    def environment(self) -> dict[str, str]:
        return {f"JACKPOT_{name.upper()}": str(file) for name, file in self.settings.items()}


def serial_of(certificate: bytes) -> int:
    return x509.load_pem_x509_certificate(certificate).serial_number
