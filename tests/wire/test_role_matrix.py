"""Every route times every caller: exactly those who may are answered, all others are turned away."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

from tests.service import GATEWAY, PIT, SIGN, SITE, Json, Served, full_floor, in_thread, token_of

ALL = "sign table gateway operator supervisor auditor"
READERS = "operator supervisor auditor"
RECORDS = "supervisor auditor"
DESK = "operator supervisor"
OPEN = f"nobody {ALL}"
TABLE = "table gateway"
MATRIX = {
    "GET /healthz": OPEN,
    "GET /readyz": OPEN,
    "GET /metrics": OPEN,
    # Table controllers
    "PUT /v1/tables/{}/rounds/{}/bets": TABLE,
    "PUT /v1/tables/{}/rounds/{}/hands": TABLE,
    "POST /v1/tables/{}/rounds/{}/void": TABLE,
    "POST /v1/tables/{}/heartbeat": TABLE,
    "POST /v1/tables/{}/events": TABLE,
    "POST /v1/sites/{}/events": "gateway",
    # Signs
    "GET /v1/links/{}/meter": OPEN,
    "GET /v1/links/{}/stream": OPEN,
    "GET /v1/links/{}/meter.txt": OPEN,
    "GET /v1/links/{}/readings": OPEN,
    "GET /v1/links/{}/terms": OPEN,
    "POST /v1/links/{}/receipts": "sign",
    "GET /v1/tables/{}/display": OPEN,
    "GET /v1/tables/{}/meter": OPEN,
    "GET /v1/tables/{}/stream": OPEN,
    "POST /v1/signs": OPEN,
    "POST /v1/signs/codes": DESK,
    # The House looks
    "GET /v1/overview": READERS,
    "GET /v1/overview/last-day": READERS,
    "GET /v1/links": READERS,
    "GET /v1/links/{}": READERS,
    "GET /v1/profile": READERS,
    "GET /v1/floor": READERS,
    "GET /v1/links/{}/tables": READERS,
    "GET /v1/links/{}/wins": READERS,
    "GET /v1/links/{}/wins/{}": READERS,
    "GET /v1/links/{}/wins/{}/slip": READERS,
    "GET /v1/links/{}/handovers": READERS,
    "GET /v1/links/{}/claims": READERS,
    "GET /v1/tables/{}/rounds/{}": READERS,
    "GET /v1/pits": READERS,
    "GET /v1/pits/{}": READERS,
    "GET /v1/pits/{}/tables": READERS,
    "GET /v1/pits/{}/report": READERS,
    "POST /v1/pits/{}/previews": READERS,
    "GET /v1/links/{}/report": READERS,
    "GET /v1/links/{}/days": READERS,
    "GET /v1/pits/{}/days": READERS,
    "GET /v1/links/{}/history": READERS,
    "POST /v1/links/{}/previews": READERS,
    "POST /v1/links/{}/dryruns": DESK,
    "GET /v1/links/{}/dryruns": READERS,
    "GET /v1/links/{}/dryruns/{}": READERS,
    "DELETE /v1/links/{}/dryruns/{}": DESK,
    "GET /v1/links/{}/dryruns/{}/{}": READERS,
    "GET /v1/house/stream": READERS,
    "GET /v1/proposals": READERS,
    "GET /v1/malfunctions": READERS,
    "GET /v1/links/{}/reconciliation": READERS,
    "GET /v1/pits/{}/reconciliation": READERS,
    "GET /v1/irregularities": READERS,
    "GET /v1/links/{}/receipts": READERS,
    "GET /v1/links/{}/journal": RECORDS,
    "GET /v1/pits/{}/journal": RECORDS,
    "GET /v1/audit": RECORDS,
    # Others who listen
    "GET /v1/webhooks": RECORDS,
    "POST /v1/webhooks": "supervisor",
    "GET /v1/webhooks/{}": RECORDS,
    "DELETE /v1/webhooks/{}": "supervisor",
    "GET /v1/webhooks/{}/deliveries": RECORDS,
    "POST /v1/webhooks/{}/pause": "supervisor",
    "POST /v1/webhooks/{}/resume": "supervisor",
    "POST /v1/webhooks/{}/replay": "supervisor",
    "POST /v1/webhooks/{}/secret": "supervisor",
    "POST /v1/webhooks/{}/test": "supervisor",
    # The House acts
    "POST /v1/links/{}/wins/{}/approve": DESK,
    "POST /v1/links/{}/wins/{}/slip": DESK,
    "POST /v1/links/{}/wins/{}/hand-over": DESK,
    "POST /v1/links/{}/seed": DESK,
    "POST /v1/links/{}/parameters": DESK,
    "POST /v1/links/{}/adjustments": DESK,
    "POST /v1/links/{}/open": DESK,
    "POST /v1/links/{}/close": DESK,
    "POST /v1/links/{}/transfer": DESK,
    "POST /v1/links/{}/retire": DESK,
    "POST /v1/house/clock": DESK,
    "POST /v1/claims/{}/decide": DESK,
    "POST /v1/proposals/{}/withdraw": DESK,
    "POST /v1/tables/{}/close": DESK,
    "POST /v1/tables/{}/open": DESK,
    "POST /v1/tables/{}/limits": DESK,
    "POST /v1/tables/{}/name": DESK,
    "POST /v1/tables/{}/boxes": "supervisor",
    "POST /v1/tables/{}/move": "supervisor",
    "POST /v1/links/{}/tables": "supervisor",
    "POST /v1/pits/{}/tables": "supervisor",
    "POST /v1/links/{}/wins/{}/reject": "supervisor",
    "POST /v1/links/{}/wins/{}/unclaimed": "supervisor",
    "POST /v1/links/{}/order": "supervisor",
    "POST /v1/links/{}/days/{}/close": "supervisor",
    "POST /v1/pits/{}/days/{}/close": "supervisor",
    "POST /v1/proposals/{}/confirm": "supervisor",
    "POST /v1/tables/{}/rounds/{}/irregularities": "supervisor",
    "POST /v1/malfunctions": "supervisor table",
    "POST /v1/malfunctions/{}/clear": "supervisor",
    "POST /v1/differences/{}/mend": "supervisor",
}
"""Who may, by the contract. Whoever is not named here is turned away: 401 without a token, else 403."""
SESSIONS = "/v1/sessions"
CALLERS = {
    "nobody": None,
    "sign": SIGN,
    "table": "main-stud-01",
    "gateway": GATEWAY,
    "operator": "ana",
    "supervisor": "sue",
    "auditor": "ada",
}
IDS = {"site": SITE, "link": "main", "pit": PIT, "table": "main-stud-01", "round": "1"}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service whose operator ben was dismissed by a later floor file."""
    folder = tmp_path_factory.mktemp("matrix")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main"), folder):
        pass
    floor = full_floor("main").add_gateway()
    floor.credential = [entry for entry in floor.credential if entry["name"] != "ben"]
    with in_thread(url, floor, folder) as service:
        yield service


def routes(service: Served) -> list[tuple[str, str]]:
    document = service.get("/openapi.json").json()
    found = [(verb.upper(), path) for path, verbs in document["paths"].items() for verb in verbs]
    return [
        (verb, path)
        for verb, path in found
        if path != SESSIONS and path.startswith(("/v1", "/h", "/r", "/m"))
    ]


def unnamed(verb: str, path: str) -> str:
    return f"{verb} {re.sub(r'{[^}]*}', '{}', path)}"


def ask(service: Served, verb: str, path: str, headers: dict[str, str]) -> int:
    """A request that means nothing: whoever may ask is told so, others are told to go."""
    filled = re.sub(r"{([^}]*)}", lambda name: IDS.get(name[1].split(":")[0], "nothing"), path)
    body: Json = {} if verb == "GET" else {"json": {}}
    with service.http.stream(verb, filled, headers=headers, **body) as response:
        return response.status_code


def bearer(credential: str | None) -> dict[str, str]:
    return {} if credential is None else {"Authorization": f"Bearer {token_of(credential)}"}


def test_the_matrix_names_every_route_and_every_route_is_in_the_matrix(served: Served) -> None:
    found = {unnamed(verb, path) for verb, path in routes(served)}
    assert found - MATRIX.keys() == set(), "routes of which nobody said who may use them"
    assert MATRIX.keys() - found == set(), "routes of the contract that are not served"


@pytest.mark.parametrize("role", CALLERS)
def test_exactly_those_who_may_are_answered(served: Served, role: str) -> None:
    wrong = []
    for verb, path in routes(served):
        status = ask(served, verb, path, bearer(CALLERS[role]))
        may = role in MATRIX.get(unnamed(verb, path), "").split()
        turned_away = 401 if role == "nobody" else 403
        if (status in (401, 403)) is may or (not may and status != turned_away):
            wrong.append(f"{verb} {path}: {status}, though {role} {'may' if may else 'may not'}")
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("token", ["revoked", "unknown"])
def test_a_token_that_is_not_known_any_more_opens_only_what_is_open(served: Served, token: str) -> None:
    headers = bearer({"revoked": "ben", "unknown": "nobody-at-all"}[token])
    wrong = []
    for verb, path in routes(served):
        status = ask(served, verb, path, headers)
        if "nobody" not in MATRIX.get(unnamed(verb, path), "").split() and status != 401:
            wrong.append(f"{verb} {path}: {status}")
    assert not wrong, "\n".join(wrong)


def test_another_tables_token_does_not_speak_for_a_table(served: Served) -> None:
    of_tables = [(verb, path) for verb, path in routes(served) if MATRIX.get(unnamed(verb, path)) == TABLE]
    assert len(of_tables) == 5
    for verb, path in of_tables:
        assert ask(served, verb, path, bearer("main-stud-02")) == 403, path


def test_whatever_was_asked_nothing_changed(served: Served) -> None:
    reading = served.get("/v1/links/main/meter").json()
    assert (reading["value"], reading["state"]) == (5_000_000, "open")
    assert served.verify().returncode == 0


def test_no_other_verb_opens_a_route(served: Served) -> None:
    """What is not in the document is not served, whoever asks."""
    known = {unnamed(verb, path) for verb, path in routes(served)}
    for path in {path for _, path in routes(served)}:
        for verb in ("GET", "PUT", "POST", "PATCH", "DELETE"):
            if unnamed(verb, path) not in known:
                assert ask(served, verb, path, bearer("sue")) == 405, f"{verb} {path}"
