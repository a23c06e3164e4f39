"""Strange names, impossible times, and the same thing said many times at once."""

from __future__ import annotations

import socket
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from api.http import raw
from api.http.raw import LONGEST_REST
from tests.callers import NOTHING, ROYAL, Floor, done, now, refused
from tests.service import SEED, Json, Served, full_floor, in_thread, token_of

JSON = {"Content-Type": "application/json"}
STRANGE_IDS = [
    "nowhere",
    "..",
    "%2e%2e%2f%2e%2e",
    "%00",
    "%ff%fe",
    "a%2Fb",
    "%ED%A0%80",
    "null",
    "-1",
    "0",
    "1.5",
    "9" * 400,
    "x" * 3000,
    "';--",
    "%F0%9F%8E%B0",
]


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with one link: every route is asked hundreds of times, and some tell all links each time."""
    folder = tmp_path_factory.mktemp("small")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder) as service:
        yield service
        assert "Traceback" not in service.log()


def test_strange_ids_at_every_route_are_refused(small: Served) -> None:
    document = small.get("/openapi.json").json()
    wrong = []
    for path, verbs in document["paths"].items():
        for verb in verbs:
            for strange in STRANGE_IDS if "{" in path else ():
                status = _strange(small, verb.upper(), path, strange)
                if status not in (401, 403, 404, 405, 409, 413, 414, 422, 307):
                    wrong.append(f"{verb} {path} with {strange[:20]}: {status}")
    assert not wrong, "\n".join(wrong)


STRANGE_QUERIES = [
    "&".join(["after=1"] * 1500),
    "&".join(["wait=0"] * 30),
    "after=-1&wait=x",
    "after=1e3&limit=0",
    "after=" + "9" * 400,
    "wait=nan",
    "wait=inf",
    "wait=-1",
    "wait=%D9%A3",
    "at=%00&sign=%00&limit=%00&after=%00",
    "at=9999-12-31T23:59:59-14:00&sign=x",
    "from=0001-01-01T00:00:00%2B14:00&to=9999-12-31T23:59:59-14:00",
    "limit=" + "9" * 5000,
    "before=%ff%fe&kind=%00&table=%00&state=x",
    "%00=%00&=&&&;",
]


def test_strange_queries_at_every_route_are_refused_or_left_aside(small: Served) -> None:
    document = small.get("/openapi.json").json()
    paths = [path for path, verbs in document["paths"].items() if "get" in verbs and "stream" not in path]
    wrong = []
    for path in paths:
        filled = path.replace("{link}", "main").replace("{table}", "main-stud-01").replace("{round}", "1")
        for query in STRANGE_QUERIES:
            status = small.get(f"{filled.replace('{win}', 'none')}?{query}", "sue").status_code
            if status >= 500:
                wrong.append(f"{path}?{query[:60]}: {status}")
    assert not wrong, "\n".join(wrong)


def _strange(service: Served, verb: str, path: str, strange: str) -> int:
    """Whoever may do most, and a table for what only tables may."""
    by = "main-stud-01" if "{round}" in path or path.endswith(("heartbeat", "events")) else "sue"
    filled = path
    while "{" in filled:
        start, end = filled.index("{"), filled.index("}")
        own = by == "main-stud-01" and filled[start:end] == "{table"
        filled = filled[:start] + ("main-stud-01" if own else strange) + filled[end + 1 :]
    body: Json = {} if verb == "GET" else {"json": {"reason": "x"}}
    with service.http.stream(verb, filled, headers=_bearer(by), **body) as response:
        return response.status_code


def _bearer(by: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {token_of(by)}"}


def test_a_round_that_is_no_number_is_refused(floor: Floor) -> None:
    before = floor.mark()
    for number in ("0", "-1", "1.5", "x", "1e3", "9" * 30, "9" * 5000, "%31%00", "٣", "+1", "0x1", "1_0"):
        path = f"/v1/tables/{floor.stud.table}/rounds/{number}/bets"
        answer = floor.service.call("PUT", path, floor.stud.table, json=floor.stud.bets_body())
        assert answer.status_code in (404, 414, 422), f"{number[:20]}: {answer.text}"
    assert floor.mark() == before


def test_impossible_times_of_bets_are_refused(floor: Floor) -> None:
    before = floor.mark()
    impossible: list[tuple[dict[str, Any], str | None]] = [
        ({"sent_at": "9999-12-31T23:59:59Z", "closed_at": "9999-12-31T23:59:59Z"}, "clock_out_of_range"),
        ({"sent_at": "1999-12-31T23:59:59Z", "closed_at": "1999-12-31T23:59:59Z"}, "clock_out_of_range"),
        ({"closed_at": now(-7200)}, "bets_closed_too_early"),
        ({"closed_at": "0001-01-01T00:00:00Z"}, "bets_closed_too_early"),
        ({"closed_at": "9999-12-31T23:59:59Z"}, "bets_closed_after_sent"),
        ({"closed_at": "0001-01-01T00:00:00+14:00"}, None),
        ({"closed_at": "9999-12-31T23:59:59-14:00"}, None),
    ]
    for times, code in impossible:
        assert refused(floor.stud.bets(**times), 422, code)["field"] in times
    assert floor.mark() == before


def test_impossible_times_of_a_deal_are_refused(floor: Floor) -> None:
    done(floor.stud.bets())
    before = floor.mark()
    for seconds in (-60, 60):
        refused(floor.stud.hands({1: {"cards": NOTHING.split(), "dealt_at": now(seconds)}}), 422)
    assert floor.mark() == before


def test_impossible_times_of_a_malfunction_are_cut_to_what_is_possible(floor: Floor) -> None:
    for place, seconds in enumerate((-3600, 600)):
        body = {"scope": {"table": floor.tables[place].table}, "observed_at": now(seconds), "then": "close"}
        done(floor.service.post("/v1/malfunctions", "sue", body))
    told = done(floor.service.get("/v1/malfunctions", "sue"))["malfunctions"]
    ours = [one for one in told if one["link"] == floor.link]
    assert all(now(-600) < one["observed_at"].replace("Z", "+00:00") <= now() for one in ours)
    assert len(ours) == 2


def test_a_malfunction_names_no_table_of_another_link(floor: Floor) -> None:
    before = floor.mark()
    scope = {"link": floor.link, "table": "main-stud-01"}
    body = {"scope": scope, "observed_at": now(), "then": "close"}
    assert floor.service.post("/v1/malfunctions", "sue", body).status_code in (404, 422)
    seen = body | {"scope": {"link": floor.link}, "cards_seen": {"main-stud-01": True}}
    refused(floor.service.post("/v1/malfunctions", "sue", seen), 422, "scope_wrong")
    assert floor.mark() == before


def at_once(*calls: Callable[[], httpx.Response]) -> list[httpx.Response]:
    with ThreadPoolExecutor(len(calls)) as callers:
        return [asked.result() for asked in [callers.submit(call) for call in calls]]


def test_the_same_bets_sent_at_once_count_once(floor: Floor) -> None:
    body = floor.stud.bets_body([1, 2])
    answers = at_once(*[lambda: floor.stud.send("bets", body, round=1)] * 16)
    assert sorted(answer.status_code for answer in answers) == [200] * 15 + [201]
    told = [answer.json() | {"replied_at": None} for answer in answers]
    assert all(one == told[0] for one in told)
    assert floor.meter()["value"] == SEED + 400


def test_different_bets_sent_at_once_leave_one(floor: Floor) -> None:
    bodies = [floor.stud.bets_body([box], closed_at=now(-1), sent_at=now()) for box in range(1, 8)]
    moment = now()
    answers = at_once(
        *[lambda b=body: floor.stud.send("bets", b | {"sent_at": moment}, round=1) for body in bodies]
    )
    assert sorted(answer.status_code for answer in answers) == [201] + [409] * 6
    assert floor.meter()["value"] == SEED + 200


def test_a_proposal_confirmed_by_two_at_once_is_carried_out_once(floor: Floor) -> None:
    body = {"amount": 100, "from": "house", "reason": "a sticky button"}
    proposal = done(floor.post("adjustments", "ana", body))["proposal"]
    answers = at_once(*[lambda by=by: floor.confirm(proposal, by) for by in ("sue", "tom") * 4])
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert floor.meter()["value"] == SEED + 100


def test_a_win_approved_at_once_by_the_same_person_is_approved_once(floor: Floor) -> None:
    win = floor.stud.wins(ROYAL)
    answers = at_once(*[lambda: floor.approve(win, "ana")] * 8)
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert len(floor.waiting(win)["approvals"]) == 1


REFUSED_EARLY = (
    ("PUT", "/v1/tables/main-stud-01/rounds/1/bets", None, 401),
    ("PUT", "/v1/tables/main-stud-01/rounds/1/bets", "main-stud-02", 403),
    ("PUT", "/v1/tables/main-stud-01/rounds/1/bets", "main-stud-01", 413),
    ("POST", "/v1/links/main/wins/none/approve", None, 401),
    ("POST", "/v1/links/main/wins/none/approve", "ada", 403),
    ("POST", "/v1/links/main/wins/none/approve", "sue", 413),
)


def test_a_refused_body_leaves_its_connection_to_the_next_request(
    service: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same connections again and again: what was left unread would end them under the next request."""
    monkeypatch.setattr(raw, "REST_WITHIN", 60.0)
    for _ in range(5):
        for size in (70_000, 300_000, 2_000_000):
            for method, path, by, status in REFUSED_EARLY:
                body = b'{"note": "' + b"x" * size + b'"}'
                answer = service.call(method, path, by, content=body, headers=JSON)
                assert answer.status_code == status
                assert (answer.headers.get("connection") == "close") is (size > LONGEST_REST)
                assert service.get("/v1/links/main/meter").status_code == 200


def test_who_keeps_back_the_rest_of_a_refused_body_is_not_waited_for(service: Served) -> None:
    head = "POST /v1/links/main/wins/none/approve HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
    with socket.create_connection(("127.0.0.1", service.port), timeout=60) as connection:
        connection.sendall(f"{head}Content-Length: 1000\r\n\r\n{{".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b""))
    assert answer.startswith(b"HTTP/1.1 401")
    assert b"connection: close" in answer.lower()
