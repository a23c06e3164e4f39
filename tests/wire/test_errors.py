"""What a refusal or a failure looks like on the wire."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from api.http.errors import problem_of
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.writing.batch import EntriesLost
from jackpot.book.writing.writer import Busy, Unavailable
from jackpot.core.refusals import BadInput, Conflict, NotAllowed, Refused, SequenceGap, Unknown, kinds
from jackpot.machine.invariants import InvariantBroken
from tests.in_process import House, bets, house, now

BETS = "/v1/tables/stud-01/rounds/1/bets"
HEARTBEAT = "/v1/tables/stud-01/heartbeat"
JSON = {"content-type": "application/json"}


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path) as found:
        yield found


async def unchanged(at: House, *requests: tuple[str, str, dict[str, Any]]) -> list[dict[str, Any]]:
    """Say all of it; nothing may change, and each answer is a problem."""
    before = at.service.latest("main")
    problems = []
    for method, path, more in requests:
        answer = await at.say(method, path, "stud-01", **more)
        assert answer.headers["content-type"] == "application/problem+json", answer.text
        problems.append(answer.json())
        assert answer.status_code == problems[-1]["status"]
    assert at.service.latest("main") == before
    return problems


@pytest.mark.parametrize(
    ("base", "status"), [(BadInput, 422), (Unknown, 404), (NotAllowed, 403), (Conflict, 409)]
)
def test_every_refusal_of_the_rules_has_its_status(base: type[Refused], status: int) -> None:
    assert kinds(base)
    for kind in kinds(base):
        refusal = kind("no", field="here") if issubclass(kind, BadInput) else kind("no")
        problem = problem_of(refusal)
        assert problem is not None
        assert (problem.status, problem.code, problem.rule) == (status, kind.code, kind.rule)


def test_a_gap_says_which_number_is_expected() -> None:
    problem = problem_of(SequenceGap("message 7 has not arrived yet", expected=7))
    assert problem is not None
    told = json.loads(problem.body())
    assert (told["code"], told["expected"], told["status"]) == ("gap", 7, 409)


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (Busy("full"), "busy"),
        (InvariantBroken("the accounts sum to 1 unit"), "invariant_broken"),
        (EntriesLost("entry 7"), "link_stopped"),
        (Unavailable("trouble", unknown=True), "unavailable"),
        (OSError("gone"), "unavailable"),
    ],
)
def test_trouble_says_when_to_try_again(error: Exception, code: str) -> None:
    problem = problem_of(error)
    assert problem is not None
    assert (problem.status, problem.code, problem.headers["Retry-After"]) == (503, code, "1")


def test_a_link_that_is_not_there_is_unknown() -> None:
    problem = problem_of(LinkUnknown("side"))
    assert problem is not None
    assert (problem.status, problem.code) == (404, "link_unknown")


async def test_what_is_not_json_is_refused_with_nothing_changed(at: House) -> None:
    bodies = [
        b"",
        b"{",
        b"\xff\xfe",
        b'{"sent_at": NaN}',
        b'{"a":' * 10_000,
        b"[" * 60_000,
        b'{"sent_at": "\\ud800"}',
    ]
    for path in (BETS, HEARTBEAT):
        method = "PUT" if path == BETS else "POST"
        told = await unchanged(at, *((method, path, {"content": body, "headers": JSON}) for body in bodies))
        assert {one["status"] for one in told} == {422}
        assert all(one["field"] for one in told)


async def test_a_field_that_is_wrong_is_named(at: House) -> None:
    good = bets(1)
    wrong: list[tuple[dict[str, Any], str]] = [
        (good | {"boxes": [{"box": "1"}]}, "boxes[0].box"),
        (good | {"boxes": [{"box": 1, "ante": 1.5}]}, "boxes[0].ante"),
        (good | {"boxes": [{"box": 1, "ante": True}]}, "boxes[0].ante"),
        (good | {"boxes": [{"box": 1, "ante": 10**30}]}, "boxes[0].ante"),
        (good | {"boxes": [{"box": 1, "ante": -1}]}, "boxes[0].ante"),
        (good | {"boxes": [{"box": 1, "ante": 10**12 + 1}]}, "boxes[0].ante"),
        (good | {"boxes": [{"ante": 1}]}, "boxes[0].box"),
        (good | {"boxes": [{"box": 1, "anti": 2500}]}, "boxes[0].anti"),
        (good | {"colour": "red"}, "colour"),
        (good | {"sent_at": "yesterday"}, "sent_at"),
        (good | {"closed_at": "2026-01-01T00:00:00"}, "closed_at"),
        ({"closed_at": now(), "boxes": []}, "sent_at"),
    ]
    told = await unchanged(at, *(("PUT", BETS, {"json": body}) for body, _ in wrong))
    assert [one["field"] for one in told] == [field for _, field in wrong]
    assert {one["status"] for one in told} == {422}


async def test_an_integer_of_5000_digits_is_refused(at: House) -> None:
    body = b'{"sent_at":"%s","seq":%s}' % (now().encode(), b"9" * 5_000)
    told = await unchanged(at, ("POST", HEARTBEAT, {"content": body, "headers": JSON}))
    assert (told[0]["status"], told[0]["field"]) == (422, "seq")


async def test_a_body_is_bounded_and_is_json(at: House) -> None:
    long = b'"' + b"x" * 10_000_000 + b'"'
    told = await unchanged(
        at,
        ("PUT", BETS, {"content": long, "headers": JSON}),
        ("POST", HEARTBEAT, {"content": long, "headers": JSON}),
        ("POST", "/v1/tables/stud-01/events", {"content": long, "headers": JSON}),
        ("PUT", BETS, {"content": b"{}", "headers": {"content-type": "text/plain"}}),
        ("POST", HEARTBEAT, {"content": b"{}", "headers": {"content-type": "text/plain"}}),
    )
    assert [one["code"] for one in told] == ["body_too_large"] * 3 + ["unsupported_media_type"] * 2


async def test_a_way_or_a_method_that_is_not_there_is_a_problem_too(at: House) -> None:
    told = await unchanged(
        at,
        ("GET", "/v1/nothing", {}),
        ("POST", "/v1/links/main/meter", {}),
        ("GET", BETS, {}),
        ("GET", HEARTBEAT, {}),
        ("PUT", "/v1/tables/stud-01/rounds/one/bets", {"json": bets(1)}),
        ("GET", "/v1/links/side/meter", {}),
        ("GET", "/v1/links/main/meter?after=x&wait=1", {}),
        ("GET", "/v1/links/main/meter?after=1&wait=1e9", {}),
    )
    assert [one["status"] for one in told] == [404, 405, 405, 405, 422, 404, 422, 422]


async def test_an_answer_says_the_id_that_it_was_asked_with_if_it_is_sane(at: House) -> None:
    for path in ("/v1/links/main/meter", "/healthz", "/v1/nothing"):
        kept = await at.say("GET", path, headers={"X-Request-Id": "till-7.42"})
        assert kept.headers["x-request-id"] == "till-7.42"
        made = await at.say("GET", path, headers={"X-Request-Id": "a b\tc"})
        assert made.headers["x-request-id"] not in ("a b\tc", "")


async def test_what_nobody_foresaw_is_a_problem_without_details(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def broken(*_: object) -> None:
        raise ZeroDivisionError("a secret")

    async with house(sqlite_url, tmp_path, catching=True) as at:
        monkeypatch.setattr(at.service.book, "submit", broken)
        for answer in (
            await at.close_bets("stud-01", 1),
            await at.say("POST", HEARTBEAT, "stud-01", json={"sent_at": now()}),
        ):
            assert (answer.status_code, answer.json()["code"]) == (500, "internal_error")
            assert "secret" not in answer.text


async def test_a_refused_event_does_not_stop_the_others(at: House) -> None:
    events = [
        {"kind": "heartbeat", "sent_at": now()},
        {"kind": "dance"},
        7,
        {"kind": "bets", "round": 1, **bets(1)},
        {"kind": "bets", "round": 1, **bets(2)},
    ]
    answer = await at.say("POST", "/v1/tables/stud-01/events", "stud-01", json={"events": events})
    assert answer.status_code == 200
    answers = answer.json()["answers"]
    assert [one["status"] for one in answers] == [200, 422, 422, 201, 409]
    assert answers[3]["answer"]["accepted"] == [{"box": 1, "progressive": 500}]
    assert answers[4]["problem"]["code"] == "conflict"
