"""The contract of identity and errors: who is heard at all, and how a refusal looks."""

from __future__ import annotations

import re

import httpx
import pytest

from tests.callers import Floor, done, now, refused
from tests.service import PASSWORD, TRUST, Served, token_of
from tests.waiting import PATIENCE

ORIGIN = "origin"


@pytest.mark.parametrize(
    "header",
    [
        None,
        "Bearer",
        "Bearer nonsense",
        f"Basic {token_of('sue')}",
        token_of("sue"),
        f"Bearer {token_of('sue')} more",
        f"Bearer {token_of('sue')[:-1]}",
        "Bearer " + "x" * 5000,
    ],
)
def test_no_token_or_an_unknown_one_is_401(service: Served, header: str | None) -> None:
    headers = {} if header is None else {"Authorization": header}
    response = service.get("/v1/links/main/wins", headers=headers)
    refused(response, 401)
    assert "www-authenticate" in response.headers


def test_the_scheme_is_read_in_any_case(service: Served) -> None:
    headers = {"Authorization": f"bearer {token_of('sue')}"}
    assert service.get("/v1/links/main/wins", headers=headers).status_code == 200


def test_who_asks_is_checked_before_what_is_asked(service: Served) -> None:
    """Body and existence are no business of somebody who may not ask at all."""
    for path in ("/v1/links/main/wins/w/approve", "/v1/links/nowhere/wins/w/approve"):
        refused(service.call("POST", path, content=b"{"), 401)
        refused(service.call("POST", path, "ada", content=b"{"), 403)
    for path in ("/v1/tables/main-stud-01/rounds/1/bets", "/v1/tables/nowhere/rounds/x/bets"):
        refused(service.call("PUT", path, content=b"{"), 401)
        refused(service.call("PUT", path, "sue", content=b"{"), 403)


def test_a_table_speaks_for_itself_only(service: Served) -> None:
    moment = now()
    body = {"sent_at": moment, "closed_at": moment, "boxes": []}
    for table in ("main-stud-02", "nowhere"):
        refused(service.call("PUT", f"/v1/tables/{table}/rounds/1/bets", "main-stud-01", json=body), 403)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/v1/links/nowhere/wins"),
        ("GET", "/v1/links/nowhere/journal"),
        ("GET", "/v1/links/main/nothing"),
        ("GET", "/nothing"),
        ("POST", "/v1/links/nowhere/close"),
        ("POST", "/v1/tables/nowhere/close"),
        ("POST", "/v1/proposals/nothing/confirm"),
    ],
)
def test_what_is_unknown_is_404(service: Served, method: str, path: str) -> None:
    body = {"json": {"reason": "x"}} if method == "POST" else {}
    if path.endswith("confirm"):
        body = {"json": {}}
    refused(service.call(method, path, "sue", **body), 404)


def test_a_known_path_with_another_verb_is_405(service: Served) -> None:
    response = service.call("DELETE", "/v1/links/main/meter", "sue")
    refused(response, 405)
    assert "GET" in response.headers["allow"]


def test_a_problem_has_a_code_in_snake_case_and_the_rule_that_is_the_reason(floor: Floor) -> None:
    problem = refused(floor.stud.bets([1, 1]), 422, "box_repeated")
    assert re.fullmatch(r"[a-z][a-z0-9_]*", problem["code"])
    assert problem["rule"] == "3.5"
    assert problem["field"] == "boxes[1].box"
    assert problem["detail"]


def test_every_refusal_names_its_code(service: Served) -> None:
    answers = [
        service.get("/v1/links/main/wins"),
        service.get("/v1/links/main/wins", "main-stud-01"),
        service.get("/nothing"),
        service.call("POST", "/v1/links/main/order", "sue", content=b"{"),
        service.call(
            "POST", "/v1/links/main/order", "sue", content=b"{}", headers={"Content-Type": "text/x"}
        ),
    ]
    for answer in answers:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", refused(answer, answer.status_code)["code"])


def test_every_answer_carries_a_request_id(service: Served) -> None:
    assert service.get("/healthz").headers["x-request-id"]
    named = service.get("/v1/links/main/meter", headers={"X-Request-Id": "a-poll-7"})
    assert named.headers["x-request-id"] == "a-poll-7"


def test_no_token_or_password_is_ever_logged(service: Served) -> None:
    service.get("/v1/links/main/wins", "sue")
    service.get("/v1/links/main/wins", headers={"Authorization": "Bearer a-secret-guess"})
    service.post("/v1/sessions", body={"name": "sue", "password": "a-secret-guess"})
    log = service.log()
    for secret in (token_of("sue"), token_of("main-stud-01"), PASSWORD, "a-secret-guess"):
        assert secret not in log


# People


def session(service: Served, name: str = "sue", password: str = PASSWORD) -> httpx.Response:
    with httpx.Client(base_url=service.base, timeout=PATIENCE, verify=TRUST) as browser:
        return browser.post("/v1/sessions", json={"name": name, "password": password})


def test_a_person_logs_in_with_name_and_password(service: Served) -> None:
    response = session(service)
    assert response.status_code in (200, 201)
    cookie = response.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    with httpx.Client(
        base_url=service.base, cookies=response.cookies, timeout=PATIENCE, verify=TRUST
    ) as browser:
        assert browser.get("/v1/links/main/wins").status_code == 200


def test_a_cookie_alone_changes_nothing(service: Served) -> None:
    """Another site may send the cookie, but neither the header nor our origin."""
    with httpx.Client(
        base_url=service.base, cookies=session(service).cookies, timeout=PATIENCE, verify=TRUST
    ) as browser:
        for headers in ({}, {ORIGIN: "http://elsewhere.example"}):
            response = browser.post("/v1/links/main/close", json={"reason": "x"}, headers=headers)
            refused(response, 403)
    assert done(service.get("/v1/links/main/meter"))["state"] == "open"


def test_a_page_of_ours_acts_with_cookie_and_header(floor: Floor) -> None:
    win = floor.stud.wins()
    opened = session(floor.service, "tom")
    with httpx.Client(
        base_url=floor.service.base, cookies=opened.cookies, timeout=PATIENCE, verify=TRUST
    ) as browser:
        headers = {"X-CSRF-Token": opened.json()["csrf"], "Origin": floor.service.base}
        done(browser.post(floor.path(f"wins/{win}/approve"), json={"note": "seen"}, headers=headers))
        assert [one["person"] for one in floor.waiting(win)["approvals"]] == ["tom"]
        for wrong in ({"Origin": "http://elsewhere.example"}, {"X-CSRF-Token": "0" * 64}):
            path = floor.path(f"wins/{win}/reject")
            refused(browser.post(path, json={"reason": "x"}, headers=headers | wrong), 403)
        plain = headers | {"Content-Type": "text/plain"}
        assert browser.post(path, content=b'{"reason": "x"}', headers=plain).status_code in (403, 415)
        assert floor.waiting(win)["state"] != "rejected"


def test_a_session_is_rotated_at_login_and_ends_at_logout(service: Served) -> None:
    with httpx.Client(base_url=service.base, timeout=PATIENCE, verify=TRUST) as browser:
        login = {"name": "ada", "password": PASSWORD}
        first = browser.post("/v1/sessions", json=login).cookies
        opened = browser.post("/v1/sessions", json=login)
        assert dict(opened.cookies) != dict(first)
        headers = {"X-CSRF-Token": opened.json()["csrf"]}
        assert browser.delete("/v1/sessions", headers=headers).is_success
    for cookies in (first, opened.cookies):
        with httpx.Client(base_url=service.base, cookies=cookies, timeout=PATIENCE, verify=TRUST) as browser:
            refused(browser.get("/v1/links/main/wins"), 401)


def test_a_wrong_password_and_an_unknown_name_are_told_alike(service: Served) -> None:
    wrong = refused(session(service, "tom", "wrong"), 401)
    unknown = refused(session(service, "nobody", "wrong"), 401)
    assert (wrong["code"], wrong["detail"]) == (unknown["code"], unknown["detail"])


def test_guessing_is_slowed_down(service: Served) -> None:
    answers = [session(service, "ben", f"guess {number}") for number in range(30)]
    slowed = next(answer for answer in answers if answer.status_code == 429)
    assert int(slowed.headers["retry-after"]) >= 1
    refused(slowed, 429)
