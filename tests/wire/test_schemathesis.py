"""Requests made from the OpenAPI document, with a token of each role: no surprise, and a sound book."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import pytest
import requests
import schemathesis
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import GenerationMode

from tests.callers import BOX, ROYAL, Floor, done
from tests.effort import times
from tests.service import SIGN, Served, full_floor, in_thread, token_of
from tests.waiting import PATIENCE

CASES = times(1200)
"""Requests in total, over all roles."""
PARTS = 3
"""To make a case takes longer than to send it: each is made once, and sent by every role."""
ROLES = {
    "nobody": None,
    "sign": SIGN,
    "table": "main-stud-01",
    "operator": "ana",
    "supervisor": "sue",
    "auditor": "ada",
}
CHECKS = [
    schemathesis.checks.not_a_server_error,
    schemathesis.checks.status_code_conformance,
    schemathesis.checks.content_type_conformance,
    schemathesis.checks.response_schema_conformance,
]
ENDLESS = "/stream"
"""Answers of paths that end so do not end; other tests read them."""


@dataclass
class Ids:
    """Things that exist, so that not every request ends at an unknown name."""

    known: dict[str, list[str]]

    def some(self) -> st.SearchStrategy[dict[str, str]]:
        return st.fixed_dictionaries(
            {}, optional={name: st.sampled_from(ids) for name, ids in self.known.items()}
        )


@dataclass(frozen=True)
class Door:
    """An operation of the document, and requests to it; made once, since that takes longer than asking."""

    operation: Any
    requests: st.SearchStrategy[Any]


@dataclass(frozen=True)
class Played:
    service: Served
    ids: Ids
    operations: list[Any]

    def doors(self, part: int) -> list[Door]:
        return [Door(one, requests_to(one)) for one in self.operations[part::PARTS]]


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Played]:
    """A service whose link has seen a round, a win and a proposal."""
    folder = tmp_path_factory.mktemp("schemathesis")
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with in_thread(url, full_floor("main", "side"), folder) as service:
        floor = Floor(service, "main")
        done(floor.stud.bets([BOX]))
        win = floor.stud2.wins(ROYAL)
        change = {"meter_ppm": 300_000, "reason": "season"}
        proposal = done(floor.post("parameters", "ben", change))["proposal"]
        known = {"link": ["main", "side"], "table": [floor.stud.table], "round": ["1", "2"], "win": [win]}
        schema = schemathesis.openapi.from_url(f"{service.base}/openapi.json", timeout=PATIENCE)
        operations = [one for one in map(operation_of, schema.get_all_operations()) if not endless(one)]
        yield Played(service, Ids(known | {"proposal": [proposal]}), operations)


def operation_of(result: Any) -> Any:
    """An operation that can be read; a document with one that cannot be read is wrong."""
    return result.ok()


def endless(operation: Any) -> bool:
    return bool(operation.path.endswith(ENDLESS))


def in_bounds(case: Any) -> None:
    """A poll that waits is a matter of time, not of correctness."""
    if isinstance(case.query, dict) and str(case.query.get("wait", "")).isdigit():
        case.query["wait"] = 0


@pytest.mark.parametrize("part", range(PARTS))
def test_no_request_of_the_document_surprises_the_service(played: Played, part: int) -> None:
    doors = played.doors(part)
    examples = -(-CASES // len(ROLES) // len(played.operations))
    answers = Counter[tuple[str, int]]()
    for door in doors:
        answers += tried(played, door, examples)
    sys.stdout.write(f"{answers.total()} requests to {len(doors)} operations: {dict(answers)}\n")
    assert {role for role, status in answers if status == 200} == set(ROLES), "never given anything"
    assert (verified := played.service.verify()).returncode == 0, verified.stderr


def tried(played: Played, door: Door, examples: int) -> Counter[tuple[str, int]]:
    """So many requests to one operation, each sent by every role; how each was answered."""
    answers = Counter[tuple[str, int]]()

    @seed(door.operation.label)
    @settings(
        max_examples=examples,
        deadline=None,
        database=None,
        phases=[Phase.explicit, Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(case=door.requests, known=played.ids.some())
    def try_it(case: Any, known: dict[str, str]) -> None:
        in_bounds(case)
        case.path_parameters |= {name: one for name, one in known.items() if name in case.path_parameters}
        for role, token in ROLES.items():
            headers = {} if token is None else {"Authorization": f"Bearer {token_of(token)}"}
            response = case.call(base_url=played.service.base, headers=headers, session=session)
            answers[role, response.status_code] += 1
            case.validate_response(response, checks=CHECKS)

    with requests.Session() as session:
        session.trust_env = False  # or it looks for proxies in the environment at every request
        try_it()
    return answers


def requests_to(operation: Any) -> st.SearchStrategy[Any]:
    """As the document wants them; where there is something to get wrong, also as it does not."""
    right: st.SearchStrategy[Any] = operation.as_strategy()
    if not (operation.body or operation.query):
        return right
    return st.one_of(right, operation.as_strategy(generation_mode=GenerationMode.NEGATIVE))
