"""TLS of the service itself: who is believed, what is refused, and how a certificate is renewed."""

from __future__ import annotations

import signal
import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

import httpx
import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import ec
from pydantic import ValidationError

from api.http.certificate import CertificateUnusable, Renewal, check_pair
from api.settings import Settings
from jackpot.client import AuthoritiesUnusable, Bets, Game, Patience, TableClient, Unreachable
from tests.certificates import DAY, Authority, Files, serial_of
from tests.scrapes import metric
from tests.service import PASSWORD, Forked, InThread, Served, full_floor, in_thread, serving, token_of
from tests.waiting import PATIENCE, until

TABLE = "main-stud-01"


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture(scope="module")
def encrypted(tmp_path_factory: pytest.TempPathFactory, authority: Authority) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("encrypted")
    files = Files(folder)
    files.write(*authority.issue())
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder, ca=authority.file, **files.settings) as service:
        yield service
        assert "Traceback" not in service.log()


# What callers meet


def test_every_answer_asks_for_encryption_from_now_on(encrypted: InThread) -> None:
    for path in ("/v1/links/main/meter", "/healthz", "/nowhere"):
        assert encrypted.get(path).headers["strict-transport-security"] == "max-age=31536000"


def test_cookies_are_for_encrypted_connections_only(encrypted: InThread) -> None:
    answer = encrypted.post("/v1/sessions", body={"name": "sue", "password": PASSWORD})
    assert answer.status_code == 201
    assert "Secure" in answer.headers["set-cookie"]


def test_without_tls_nothing_is_said_of_it(service: Served) -> None:
    assert "strict-transport-security" not in service.get("/healthz").headers


@pytest.mark.filterwarnings("ignore:ssl.TLSVersion.TLSv1_1 is deprecated")
@pytest.mark.parametrize(
    ("version", "taken"), [(ssl.TLSVersion.TLSv1_1, False), (ssl.TLSVersion.TLSv1_2, True)]
)
def test_older_versions_than_1_2_are_refused(
    encrypted: InThread, authority: Authority, version: ssl.TLSVersion, taken: bool
) -> None:
    context = ssl.create_default_context(cafile=authority.file)
    context.minimum_version, context.maximum_version = version, version
    context.set_ciphers("DEFAULT:@SECLEVEL=0")
    if taken:
        assert _certificate(encrypted, context)
    else:
        with pytest.raises(ssl.SSLError):
            _certificate(encrypted, context)


def test_who_speaks_plainly_is_not_answered(encrypted: InThread) -> None:
    with pytest.raises(httpx.TransportError):
        httpx.get(f"http://127.0.0.1:{encrypted.port}/healthz", timeout=PATIENCE)


def _certificate(service: Served, context: ssl.SSLContext) -> x509.Certificate:
    """What a new connection is shown."""
    with _connected(service) as plain, context.wrap_socket(plain, server_hostname="127.0.0.1") as connection:
        shown = connection.getpeercert(binary_form=True)
        assert shown is not None
        return x509.load_der_x509_certificate(shown)


def _connected(service: Served) -> socket.socket:
    return socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE)


# The client of table controllers


async def test_a_controller_believes_its_authority(
    encrypted: InThread, authority: Authority, tmp_path: Path
) -> None:
    async with _controller(encrypted, tmp_path / "spool", authority.file) as table:
        answer = await table.close_bets(1, [Bets(box=1, ante=2500, progressive=500)])
    assert not answer.local


@pytest.mark.parametrize("named", [True, False])
async def test_a_controller_believes_nobody_else(encrypted: InThread, tmp_path: Path, named: bool) -> None:
    """Neither an authority that did not sign, nor a certificate that nobody public has."""
    other = Authority(tmp_path, "Other").file if named else None
    async with _controller(encrypted, tmp_path / "spool", other) as table:
        with pytest.raises(Unreachable, match="CERTIFICATE_VERIFY_FAILED"):
            await table.heartbeat()


async def test_the_authority_may_come_from_the_environment(
    encrypted: InThread, authority: Authority, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("JACKPOT_CA", str(authority.file))
    async with _controller(encrypted, tmp_path / "spool", None) as table:
        assert (await table.heartbeat()).replied_at


def test_a_file_without_authorities_is_refused_at_once(encrypted: InThread, tmp_path: Path) -> None:
    empty = tmp_path / "ca.crt"
    for content in (None, "no certificate"):
        if content is not None:
            empty.write_text(content)
        with pytest.raises(AuthoritiesUnusable, match=r"ca\.crt holds no certificates"):
            _controller(encrypted, tmp_path / "spool", empty)


def _controller(service: Served, spool: Path, ca: Path | None) -> TableClient:
    return TableClient(
        service.base,
        TABLE,
        token_of(TABLE),
        Game.CASINO_STUD,
        spool,
        ca=ca,
        patience=Patience(whole=PATIENCE, attempt=PATIENCE),
        heartbeat_every=None,
    )


# What is refused at the start


def test_a_certificate_without_its_key_is_no_setting() -> None:
    with pytest.raises(ValidationError, match="tls_cert and tls_key go together"):
        Settings(tls_cert=Path("tls.crt"))


def test_files_that_no_caller_would_believe_are_refused(authority: Authority) -> None:
    certificate, key = authority.issue()
    refused = {
        "holds no certificate": (b"", key),
        "holds no key": (certificate, b"no key"),
        "tls_key is not the key of tls_cert": (certificate, authority.issue()[1]),
        "has expired": authority.issue(-DAY),
    }
    for why, pair in refused.items():
        with pytest.raises(CertificateUnusable, match=why):
            check_pair(*pair, now=datetime.now(UTC))
    with pytest.raises(CertificateUnusable, match="is valid from"):
        check_pair(certificate, key, now=datetime.now(UTC) - 3 * DAY)
    assert check_pair(certificate, key, now=datetime.now(UTC)).expires > datetime.now(UTC)


@pytest.mark.parametrize("written", [True, False])
def test_a_start_with_files_that_cannot_be_used_says_why_in_a_line(
    bare_sqlite_url: str, tmp_path: Path, authority: Authority, written: bool
) -> None:
    files = Files(tmp_path)
    if written:
        files.write(*authority.issue(timedelta(seconds=-1)))
    service = Forked(bare_sqlite_url, full_floor("main"), tmp_path, **files.environment)
    try:
        service.launch()
        assert service.ended() == 1
    finally:
        service.close()
    said = service.log()
    assert ("has expired" if written else f"cannot read {files.certificate}") in said.splitlines()[0]
    assert "Traceback" not in said
    assert not (tmp_path / "book.db").exists()


# Renewal


def test_a_bad_pair_is_told_once_and_the_old_one_stays(
    tmp_path: Path, authority: Authority, caplog: pytest.LogCaptureFixture
) -> None:
    files = Files(tmp_path)
    files.write(*(first := authority.issue()))
    renewal = Renewal(files.certificate, files.key)
    assert renewal.look() is None
    files.write(first[0], authority.issue()[1])  # halfway through a renewal that does not go on
    for _ in range(3):
        assert renewal.look() is None
    files.key.unlink()
    for _ in range(3):
        assert renewal.look() is None
    told = [line for line in caplog.messages if "the old one stays" in line]
    assert len(told) == 2, told
    assert "cannot read" in str(renewal.refused)
    files.write(*first)
    assert renewal.look() is None
    assert str(renewal.refused) == "None"
    files.write(*(second := authority.issue()))
    pair = renewal.look()
    assert pair is not None
    assert pair.certificate == second[0]


def test_a_renewed_certificate_is_taken_up_without_a_restart_or_a_refused_connection(
    sqlite_url: str, tmp_path: Path, authority: Authority
) -> None:
    files = Files(tmp_path)
    files.write(*authority.issue())
    context = ssl.create_default_context(cafile=authority.file)
    environment = files.environment | {"JACKPOT_CA": str(authority.file)}
    with serving(sqlite_url, full_floor("main"), tmp_path, **environment) as service:
        with _asking(service) as failures, service.http.stream("GET", "/v1/links/main/stream") as stream:
            events = stream.iter_text()
            next(events)
            for _ in range(2):
                begun = _connected(service)  # accepted by the old server, and slow to say more
                files.write(*(renewed := authority.issue()))
                service.process.send_signal(signal.SIGHUP)
                until(partial(_is_shown, service, context, renewed[0]))
                with context.wrap_socket(begun, server_hostname="127.0.0.1") as connection:
                    connection.sendall(b"GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
                    assert connection.recv(12) == b"HTTP/1.1 200"
            files.write(*authority.issue(curve=ec.SECP256K1()))  # which the server does not know
            service.process.send_signal(signal.SIGHUP)
            until(lambda: metric(service.get("/metrics").text, "jackpot_certificate_refused") == 1)
            assert _is_shown(service, context, renewed[0])
            assert next(events)  # the stream goes on where it began
        assert not failures
        assert service.stop() == 0, service.log()


def _is_shown(service: Served, context: ssl.SSLContext, certificate: bytes) -> bool:
    return _certificate(service, context).serial_number == serial_of(certificate)


@contextmanager
def _asking(service: Served) -> Iterator[list[Exception]]:
    """Somebody asks again and again, on a new connection each time."""
    done, failures = threading.Event(), list[Exception]()

    def ask() -> None:
        context = ssl.create_default_context(cafile=service.ca)
        while not done.is_set():
            try:
                httpx.get(f"{service.base}/v1/links/main/meter", verify=context, timeout=PATIENCE)
            except Exception as failure:
                failures.append(failure)

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        yield failures
    finally:
        done.set()
        thread.join()
