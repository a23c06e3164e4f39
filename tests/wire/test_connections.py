"""HTTP as it comes over a connection: whole, in pieces, one after the other, or wrong."""

from __future__ import annotations

import asyncio
import json
import socket
from collections.abc import Iterator
from typing import Any

import pytest

from api.http.connection import LONGEST_HEAD, MOST_AT_ONCE, Connection
from api.http.proxies import Proxies
from tests.service import InThread, Served, full_floor, in_thread, token_of
from tests.waiting import PATIENCE, until

METER = b"GET /v1/links/main/meter HTTP/1.1\r\nHost: x\r\n"
LAST = b"Connection: close\r\n\r\n"
BEAT = (
    f"POST /v1/tables/main-stud-01/heartbeat HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    f"Authorization: Bearer {token_of('main-stud-01')}\r\n"
).encode()


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    folder = tmp_path_factory.mktemp("connections")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder, trusted_proxies="127.0.0.1, 10.0.0.0/8") as found:
        yield found
        assert "Traceback" not in found.log()


def told(service: Served, *parts: bytes) -> bytes:
    """All that is answered until the service ends the connection."""
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for part in parts:
            connection.sendall(part)
        return b"".join(iter(lambda: connection.recv(65536), b""))


def beat(service: Served) -> bytes:
    return b'{"sent_at": "%s"}' % service.get("/v1/links/main/meter").json()["as_of"].encode()


def statuses(answers: bytes) -> list[int]:
    return [int(one[:3]) for one in answers.split(b"HTTP/1.1 ")[1:]]


def test_requests_sent_at_once_are_answered_in_their_order(service: InThread) -> None:
    nowhere = b"GET /nowhere HTTP/1.1\r\nHost: x\r\n\r\n"
    several = (METER + b"\r\n" + nowhere) * 20
    assert statuses(told(service, several + METER + LAST)) == [200, 404] * 20 + [200]


def test_more_requests_than_anybody_needs_at_once_are_not_heard(service: InThread) -> None:
    answers = statuses(told(service, (METER + b"\r\n") * (3 * MOST_AT_ONCE)))
    assert answers == [200] * (1 + MOST_AT_ONCE)


def test_a_request_may_come_byte_by_byte(service: InThread) -> None:
    body = beat(service)
    whole = BEAT + b"Content-Length: %d\r\n" % len(body) + LAST + body
    answer = told(service, *[whole[at : at + 1] for at in range(len(whole))])
    assert statuses(answer) == [200]
    assert b'"replied_at"' in answer


def test_a_body_may_come_in_chunks(service: InThread) -> None:
    body = beat(service)
    chunks = b"".join(b"1\r\n%c\r\n" % one for one in body) + b"0\r\n\r\n"
    head = BEAT + b"Transfer-Encoding: chunked\r\n" + LAST
    assert statuses(told(service, head, chunks)) == [200]


def test_who_asks_first_is_told_to_go_on(service: InThread) -> None:
    body = beat(service)
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
        connection.sendall(BEAT + b"Expect: 100-continue\r\nContent-Length: %d\r\n\r\n" % len(body))
        assert connection.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
        connection.sendall(body)
        assert connection.recv(12) == b"HTTP/1.1 200"


@pytest.mark.parametrize(
    "wrong",
    [
        b"\0\1\2\3 nothing that is HTTP\r\n\r\n",
        b"GET nowhere at all HTTP/1.1\r\n\r\n",
        b"GET / HTTP/1.1\r\nHost : x\r\n\r\n",
        b"GET / HTTP/1.1\r\nContent-Length: -1\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
        b"POST / HTTP/1.1\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\n12345",
        b"CONNECT example.com:443 HTTP/1.1\r\nHost: x\r\n\r\n",
        b"GET /\xff HTTP/1.1\r\nHost: x\r\n\r\n",
    ],
)
def test_what_is_not_http_is_refused_and_the_connection_ended(service: InThread, wrong: bytes) -> None:
    answer = told(service, wrong)
    head, _, body = answer.partition(b"\r\n\r\n")
    assert head.startswith(b"HTTP/1.1 400 Bad Request")
    assert json.loads(body)["code"] == "malformed"


def test_what_was_asked_before_something_wrong_is_answered(service: InThread) -> None:
    assert statuses(told(service, METER + b"\r\n" + b"\0\1 not HTTP\r\n\r\n"))[0] == 200


def test_another_protocol_is_not_taken_up(service: InThread) -> None:
    upgrade = b"Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n"
    assert statuses(told(service, METER + upgrade)) == [200]


def test_a_broken_chunk_ends_the_body_there(service: InThread) -> None:
    answer = told(service, BEAT + b"Transfer-Encoding: chunked\r\n\r\n", b"5\r\n{   \r\nnot hexadecimal\r\n")
    assert statuses(answer) == [400]


@pytest.mark.parametrize("endless", [b"GET /" + b"x" * 2_000_000, METER + b"X: " + b"x" * 2_000_000])
def test_a_head_without_end_is_refused(service: InThread, endless: bytes) -> None:
    with socket.create_connection(("127.0.0.1", service.port), timeout=PATIENCE) as connection:
        connection.settimeout(PATIENCE)
        try:
            for at in range(0, len(endless), LONGEST_HEAD // 2):
                connection.sendall(endless[at : at + LONGEST_HEAD // 2])
            answer = connection.recv(65536)
        except ConnectionError:  # ended while we were still talking
            return
    assert answer[:12] in (b"HTTP/1.1 431", b"HTTP/1.1 400")


def test_a_long_body_is_no_long_head(service: InThread) -> None:
    body = b'{"sent_at": "x"}' + b" " * (8 * LONGEST_HEAD)
    head = BEAT.replace(b"/heartbeat", b"/events") + b"Content-Length: %d\r\n" % len(body)
    assert statuses(told(service, head + LAST + body)) == [422]


def test_http_1_0_gets_its_answer_and_an_end(service: InThread) -> None:
    for path in (b"/v1/links/main/meter", b"/healthz"):
        answer = told(service, b"GET " + path + b" HTTP/1.0\r\n\r\n")
        assert statuses(answer) == [200]
        assert b"connection: close" in answer
        assert b"transfer-encoding" not in answer


def test_a_head_is_answered_without_a_body(service: InThread) -> None:
    answer = told(service, METER.replace(b"GET", b"HEAD") + LAST)
    assert statuses(answer) == [200]
    assert answer.endswith(b"\r\n\r\n")


def test_an_address_may_be_whole_or_quoted(service: InThread) -> None:
    for path in (b"http://x/v1/links/main/meter?a=b", b"/v1/links/m%61in/meter", b"/v1/links/main/meter#x"):
        assert statuses(told(service, b"GET " + path + b" HTTP/1.1\r\nHost: x\r\n" + LAST)) == [200]


def test_every_answer_has_its_date(service: InThread) -> None:
    assert service.get("/v1/links/main/meter").headers["date"].endswith(" GMT")
    assert "server" not in service.get("/healthz").headers


# Proxies


@pytest.mark.parametrize(
    ("trusted", "forwarded", "caller"),
    [
        ("10.0.0.1", "203.0.113.7", "203.0.113.7"),
        ("10.0.0.0/8", "198.51.100.1, 203.0.113.7, 10.9.9.9", "203.0.113.7"),
        ("10.0.0.0/8", "10.1.1.1, 10.2.2.2", "10.1.1.1"),
        ("10.0.0.2", "203.0.113.7", "10.0.0.1"),
        ("10.0.0.1", "", "10.0.0.1"),
        ("*", "198.51.100.1, 203.0.113.7", "198.51.100.1"),
        ("::1, 10.0.0.1", "2001:db8::1", "2001:db8::1"),
    ],
)
def test_a_caller_is_who_the_last_trusted_proxy_says(trusted: str, forwarded: str, caller: str) -> None:
    headers = [(b"x-forwarded-for", forwarded.encode()), (b"x-forwarded-proto", b"https")]
    scope: dict[str, Any] = {"client": ("10.0.0.1", 1), "scheme": "http", "headers": headers}
    found = Proxies(trusted).told(scope)
    assert found["client"][0] == caller
    assert found["scheme"] == ("http" if caller == "10.0.0.1" else "https")


def test_nobody_is_trusted_unless_he_is_named() -> None:
    assert not Proxies("")
    assert not Proxies(" , ")
    with pytest.raises(ValueError, match="does not appear to be"):
        Proxies("the proxy")


def test_the_audit_has_the_address_that_a_trusted_proxy_told(service: InThread) -> None:
    headers = {"X-Forwarded-For": "203.0.113.99", "Content-Type": "application/json"}
    answer = service.call("POST", "/v1/tables/main-stud-02/heartbeat", "main-stud-01", headers=headers)
    assert answer.status_code == 403
    until(lambda: "203.0.113.99" in service.get("/v1/audit", "ada").text)


# What an application gives wrongly


class Wire(asyncio.Transport):
    """What a connection does to its line."""

    def __init__(self) -> None:
        super().__init__()
        self.written, self.cut, self.pauses = b"", False, 0

    def get_extra_info(self, name: str, default: Any = None) -> Any:
        return ("127.0.0.1", 1) if name in ("peername", "sockname") else default

    def write(self, data: Any) -> None:
        self.written += data

    def abort(self) -> None:
        self.cut = True

    def close(self) -> None: ...

    def pause_reading(self) -> None:
        self.pauses += 1

    def resume_reading(self) -> None:
        self.pauses -= 1


class Hosting:
    """Whoever accepts connections for an application."""

    scheme, proxies, stopping = "http", Proxies(""), False

    def __init__(self, app: Any) -> None:
        self.app = app

    def opened(self, _connection: Connection) -> None: ...

    def closed(self, _connection: Connection) -> None: ...


@pytest.mark.parametrize("value", [b"a\r\nset-cookie: b", b"a\nb", b"a\rb"])
async def test_no_header_of_ours_has_a_line_break(value: bytes, caplog: pytest.LogCaptureFixture) -> None:
    async def app(_scope: Any, _receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": [(b"x", value)]})
        await send({"type": "http.response.body", "body": b"ok"})

    wire = await _asked(app)
    assert wire.cut
    assert not wire.written
    assert "a header of an answer has a line break in it" in caplog.text


async def test_a_mistake_of_ours_in_a_request_is_told_to_the_log(caplog: pytest.LogCaptureFixture) -> None:
    wire, connection = _connected(_ok)
    connection._scope = None  # type: ignore[assignment, method-assign]
    connection.data_received(METER + b"\r\n")
    assert statuses(wire.written) == [400]
    assert "a request could not be taken" in caplog.text


async def test_who_is_not_answered_by_a_mistake_is_cut_off(caplog: pytest.LogCaptureFixture) -> None:
    async def app(_scope: Any, _receive: Any, _send: Any) -> None:
        raise RuntimeError("nobody foresaw this")

    assert (await _asked(app)).cut
    assert "nobody foresaw this" in caplog.text


async def test_who_never_reads_is_neither_written_to_nor_read_from() -> None:
    wire, connection = _connected(_ok)
    connection.pause_writing()  # the line is full
    connection.data_received(METER + b"\r\n" + METER + b"\r\n")
    await _turns()
    assert not wire.written
    assert wire.pauses == 1
    connection.resume_writing()
    await _turns()
    assert statuses(wire.written) == [200, 200]
    assert wire.pauses == 0


async def test_a_body_that_nobody_takes_is_not_read_to_its_end() -> None:
    taken = asyncio.Event()

    async def app(scope: Any, receive: Any, send: Any) -> None:
        await taken.wait()
        while (await receive())["more_body"]:
            continue
        await _ok(scope, receive, send)

    wire, connection = _connected(app)
    connection.data_received(BEAT + b"Content-Length: 200000\r\n\r\n")
    connection.data_received(b"x" * 100_000)
    assert wire.pauses == 1
    taken.set()
    await _turns()
    assert wire.pauses == 0
    connection.data_received(b"x" * 100_000)
    await _turns()
    assert statuses(wire.written) == [200]


async def _ok(_scope: Any, _receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


async def _asked(app: Any) -> Wire:
    wire, connection = _connected(app)
    connection.data_received(METER + b"\r\n")
    await _turns()
    return wire


def _connected(app: Any) -> tuple[Wire, Connection]:
    wire, connection = Wire(), Connection(Hosting(app))
    connection.connection_made(wire)
    return wire, connection


async def _turns() -> None:
    for _ in range(8):
        await asyncio.sleep(0)
