"""Where an event goes, whom it is handed to, and how it is signed."""

from __future__ import annotations

import asyncio
import hmac
import socket
import ssl
from base64 import b64decode, b64encode
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from ipaddress import ip_address
from pathlib import Path
from typing import Any

import pytest

from api.http.networks import read_networks
from api.webhooks.address import AddressRefused, AddressUnknown, Allowed, check_url
from api.webhooks.sending import READ, Answer, Sender
from api.webhooks.terms import Terms
from jackpot.book.webhooks.outbox import trial_event
from jackpot.book.webhooks.secrets import (
    MOST,
    OVERLAP,
    CannotOpen,
    KeyUnusable,
    Secret,
    Vault,
    in_force,
    new_secret,
    renewed,
    signature,
)
from jackpot.core.instants import SECOND
from tests.certificates import DAY, Authority, Files

HERE = Allowed(read_networks("127.0.0.1"))
SECRET = new_secret()
OK = b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n"


@asynccontextmanager
async def listening(answer: bytes = OK, **tls: Any) -> AsyncIterator[tuple[int, list[bytes]]]:
    """Somebody who answers everything alike; the port, and what was heard."""
    heard: list[bytes] = []

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            heard.append(await reader.readuntil(b"\r\n\r\n"))
            writer.write(answer)
            await writer.drain()
            writer.close()
        except (OSError, asyncio.IncompleteReadError):
            pass

    server = await asyncio.start_server(hear, "127.0.0.1", 0, **tls)
    try:
        yield server.sockets[0].getsockname()[1], heard
    finally:
        server.close()


async def sent(url: str, allowed: Allowed = HERE, seconds: float = 10) -> Answer:
    sender = Sender(allowed, seconds)
    try:
        return await sender.send(url, trial_event(0), [SECRET], at=1_767_225_600 * SECOND)
    finally:
        await sender.close()


Names = Callable[[dict[str, list[str]]], None]


@pytest.fixture
async def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """A directory of names; of each, the addresses that are told one time after the other."""
    loop, known = asyncio.get_running_loop(), dict[str, list[str]]()

    async def look_up(host: str, port: int, **_: Any) -> list[Any]:
        if host not in known:
            try:
                address = str(ip_address(host))
            except ValueError:
                raise socket.gaierror from None
        else:
            address = known[host].pop(0)
        several = address.split()
        return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (one, port)) for one in several]

    monkeypatch.setattr(loop, "getaddrinfo", look_up)
    return known.update


# Where to


async def test_a_name_that_changes_its_mind_reaches_nothing_that_is_refused(names: Names) -> None:
    async with listening() as (port, heard):
        url = f"http://rebinds.example:{port}/"
        names({"rebinds.example": ["93.184.216.34", "127.0.0.1"]})
        nowhere = Allowed()
        assert await nowhere.resolve(check_url(url)) == "93.184.216.34"
        answer = await sent(url, nowhere)
        assert answer.error == "rebinds.example is at 127.0.0.1, where nothing may be sent to"
        assert heard == []


async def test_a_name_with_one_forbidden_address_among_others_is_refused(names: Names) -> None:
    names({"both.example": ["93.184.216.34 169.254.169.254"]})
    with pytest.raises(AddressRefused):
        await Allowed().resolve(check_url("https://both.example/"))


async def test_a_name_that_nobody_knows_is_said_to_be_unknown(names: Names) -> None:
    names({})
    with pytest.raises(AddressUnknown):
        await Allowed().resolve(check_url("https://nowhere.example/"))


async def test_the_receiver_is_called_by_its_name_and_the_checked_address_is_connected_to(
    names: Names,
) -> None:
    async with listening() as (port, heard):
        names({"monitor.example": ["127.0.0.1"]})
        assert (await sent(f"http://monitor.example:{port}/jackpot?floor=1")).status == 204
        [head] = heard
        assert head.startswith(b"POST /jackpot?floor=1 HTTP/1.1\r\n")
        assert f"Host: monitor.example:{port}".encode() in head


@pytest.mark.parametrize(("name", "taken"), [("127.0.0.1", True), ("monitor.example", False)])
async def test_over_tls_the_certificate_must_be_the_names(
    names: Names, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, taken: bool
) -> None:
    authority, files = Authority(tmp_path), Files(tmp_path)
    files.write(*authority.issue(365 * DAY))
    monkeypatch.setenv("SSL_CERT_FILE", str(authority.file))
    ours = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    ours.load_cert_chain(files.settings["tls_cert"], files.settings["tls_key"])
    async with listening(ssl=ours) as (port, _):
        names({"monitor.example": ["127.0.0.1"]})
        answer = await sent(f"https://{name}:{port}/")
    assert (answer.status == 204) is taken
    assert taken or "certificate" in (answer.error or "").casefold()


# What comes of it


@pytest.mark.parametrize(
    ("answer", "status", "error"),
    [
        (OK, 204, None),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", 200, None),
        (b"HTTP/1.1 301 Moved\r\nLocation: http://127.0.0.1/\r\n\r\n", 301, "nobody follows it"),
        (b"HTTP/1.1 500 No\r\n\r\n", 500, "it answered 500"),
        (b"not HTTP at all\r\n\r\n", None, "the connection broke"),
        (b"", None, "the connection broke"),
    ],
)
async def test_only_success_is_success(answer: bytes, status: int | None, error: str | None) -> None:
    async with listening(answer) as (port, _):
        found = await sent(f"http://127.0.0.1:{port}/")
    assert found.status == status
    assert (found.error is None) is (error is None)
    assert (error or "") in (found.error or "")


async def test_of_a_body_without_end_only_so_much_is_read() -> None:
    endless = b"HTTP/1.1 200 OK\r\n\r\n" + b"x" * (50 * READ)
    async with listening(endless) as (port, _):
        assert (await sent(f"http://127.0.0.1:{port}/")).error is None


async def test_a_receiver_that_only_listens_is_given_up_in_time() -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        assert (
            await sent(f"http://127.0.0.1:{port}/", seconds=0.2)
        ).error == "it did not answer within 0.2 s"


async def test_a_receiver_may_ask_to_be_left_alone() -> None:
    busy = b"HTTP/1.1 503 Later\r\nRetry-After: 120\r\nContent-Length: 0\r\n\r\n"
    async with listening(busy) as (port, _):
        assert (await sent(f"http://127.0.0.1:{port}/")).after == 120


def test_pauses_grow_to_their_limit_and_are_not_all_alike() -> None:
    terms = Terms(allowed=HERE, vault=Vault(), seconds=10, most=300)
    for failures, longest in ((1, 1), (2, 2), (5, 16), (10, 300), (10_000, 300)):
        several = {terms.pause_after(failures) for _ in range(50)}
        assert longest * SECOND / 2 <= min(several) < max(several) <= longest * SECOND
    assert terms.pause_after(1, wished=600) == 600 * SECOND


# Secrets


def test_the_signature_is_that_of_standard_webhooks() -> None:
    """An example of that scheme's own libraries."""
    secret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"  # noqa: S105
    signed = signature(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, b'{"test": 2432232314}')
    assert signed == "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE="
    key = b64decode(secret.removeprefix("whsec_"))
    content = b'msg_p5jXN8AQM9LWM0D4loKWxJek.1614265330.{"test": 2432232314}'
    assert signed == "v1," + b64encode(hmac.digest(key, content, "sha256")).decode()


def test_a_sealed_secret_is_opened_with_its_key_for_its_own_webhook_alone(tmp_path: Path) -> None:
    file, other = tmp_path / "key", tmp_path / "other"
    file.write_text(b64encode(b"k" * 32).decode() + "\n")
    other.write_text(b64encode(b"o" * 32).decode())
    vault = Vault.from_file(file)
    sealed = vault.seal("a1", SECRET)
    assert SECRET.removeprefix("whsec_") not in sealed
    assert Vault.from_file(file).open("a1", sealed) == SECRET
    for wrong, webhook in ((vault, "b2"), (Vault.from_file(other), "a1"), (Vault(), "a1")):
        with pytest.raises(CannotOpen):
            wrong.open(webhook, sealed)
    assert vault.open("a1", Vault().seal("a1", SECRET)) == SECRET  # kept before there was a key


@pytest.mark.parametrize("content", ["", "short", "!" * 44, b64encode(b"k" * 31).decode()])
def test_a_key_that_is_none_is_refused(tmp_path: Path, content: str) -> None:
    file = tmp_path / "key"
    file.write_text(content)
    with pytest.raises(KeyUnusable):
        Vault.from_file(file)


def test_after_a_change_the_old_secret_signs_for_a_day() -> None:
    first = [Secret("one")]
    second = renewed(first, "two", at=0)
    assert [one.kept for one in in_force(second, OVERLAP - 1)] == ["two", "one"]
    assert [one.kept for one in in_force(second, OVERLAP)] == ["two"]
    third = renewed(second, "three", at=1)
    assert [one.kept for one in in_force(third, 1)] == [
        "three",
        "two",
        "one",
    ]  # the second may never have arrived
    for number in range(10):
        third = renewed(third, str(number), at=2)
    assert len(third) == MOST
