"""Wrong and hostile bodies at every door: a refusal with its field, and nothing changed."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import httpx
import pytest

from tests.callers import NOTHING, Floor, done, now, refused
from tests.doors import DOORS, HEADERS, Door
from tests.hostile import (
    NO_MESSAGES,
    NOT_A_LIST,
    NOT_AN_OBJECT,
    Path,
    changed,
    fields_of,
    without,
    written,
    wrong_for,
)
from tests.service import SEED, Json, Served


def dotted(path: Path) -> str:
    return ".".join(str(part) for part in path)


@pytest.mark.parametrize("door", DOORS)
def test_what_is_wrong_is_refused_and_changes_nothing_and_what_is_right_is_taken(
    floor: Floor, door: str
) -> None:
    way = DOORS[door](floor)
    before = floor.mark()
    taken = [*wrong_values(floor.service, way), *wrong_names(floor.service, way)]
    taken += [*wrong_bodies(floor.service, way), *wrong_kinds(floor.service, way)]
    assert not taken, "\n".join(taken)
    assert floor.mark() == before
    assert way.send(floor.service, way.body).is_success


def wrong_values(service: Served, way: Door) -> Iterator[str]:
    """A wrong value in any field is refused with 422, the field and a code; what is not."""
    for path, value in fields_of(way.body):
        for wrong in wrong_for(value):
            answer = way.send(service, changed(way.body, path, wrong))
            problem = answer.json()
            unknown = answer.status_code == 404 and problem["code"].endswith("_unknown") and wrong == "\0"
            if not unknown and (answer.status_code != 422 or not problem.get("field")):
                yield f"{dotted(path)} = {wrong!r:.40}: {answer.status_code} {answer.text[:120]}"


def wrong_names(service: Served, way: Door) -> Iterator[str]:
    """A field that is needed is missing or null, or one is misspelt."""
    paths: list[Path] = [tuple(int(p) if p.isdigit() else p for p in need.split(".")) for need in way.needs]
    bodies = [(dotted(path), without(way.body, path)) for path in paths]
    bodies += [(f"{dotted(path)} = null", changed(way.body, path, None)) for path in paths]
    for name, body in [*bodies, ("misspelt", way.body | {"misspelt": 1})]:
        answer = way.send(service, body)
        if answer.status_code != 422 or not answer.json().get("field"):
            yield f"without {name}: {answer.status_code} {answer.text[:120]}"


def wrong_bodies(service: Served, way: Door) -> Iterator[str]:
    """What is no message at all. Where no field is needed, nothing is one."""
    for name, content in NO_MESSAGES.items():
        if name == "nothing" and not way.needs:
            continue
        answer = _sent(service, way, content, "application/json")
        too_long = name.startswith("ten megabytes")
        if answer not in ((413,) if too_long else (413, 422)):
            yield f"{name}: {answer}"


def wrong_kinds(service: Served, way: Door) -> Iterator[str]:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = _sent(service, way, written(way.body), kind)
        if answer not in (415, 422):
            yield f"content type {kind!r}: {answer}"


def _sent(service: Served, way: Door, content: bytes, kind: str) -> int:
    """The status. A service need not read ten megabytes to the end, so it may close the door on us."""
    try:
        headers = {"Content-Type": kind} if kind else {}
        return service.call(way.method, way.path, way.by, content=content, headers=headers).status_code
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
        if len(content) < 1_000_000:
            raise
        return 413


def _events(floor: Floor) -> list[Json]:
    """One event of each kind, each of which would be taken."""
    moment = now()
    hand = {"box": 1, "cards": NOTHING.split(), "dealt_at": moment, "deal_order": 1, "folded": False}
    return [
        {"kind": "bets", "round": 1} | floor.stud.bets_body(closed_at=moment, sent_at=moment),
        {"kind": "hands", "round": 1, "sent_at": moment, "final": False, "hands": [hand]},
        {"kind": "void", "round": 1, "sent_at": moment, "reason": "5.8.1", "note": "a card fell"},
        {"kind": "heartbeat", "sent_at": moment, "in_play": True, "clock": {"offset_us": 0, "error_us": 9}},
    ]


def test_a_wrong_event_is_refused_in_its_place_and_changes_nothing(floor: Floor) -> None:
    before, events = floor.mark(), _events(floor)
    taken = [str(one)[:300] for event in events for one in wrong_events(floor, event)]
    assert not taken, "\n".join(taken)
    assert floor.mark() == before
    told = done(floor.stud.events(*events))["answers"]
    assert [one["status"] for one in told] == [201, 200, 200, 200]


def wrong_events(floor: Floor, event: Json) -> Iterator[Json]:
    """Those that are not refused, each beside one that a table would send."""
    way = Door("POST", floor.stud.path("events"), floor.stud.table, {})
    wrong = [changed(event, path, bad) for path, value in fields_of(event) for bad in wrong_for(value)]
    wrong += [event | {"misspelt": 1}, without(event, ("kind",)), without(event, ("sent_at",))]
    for one in wrong:
        answer = way.send(floor.service, {"events": [one]})
        if answer.status_code != 422 and answer.json()["answers"][0]["status"] != 422:
            yield {"told": answer.text, "event": one}


def test_a_wrong_spool_is_refused_whole(floor: Floor) -> None:
    before, events = floor.mark(), _events(floor)
    offline: Json = {"since": now(), "cards_seen": True, "registered": {"value": SEED, "sequence": 1}}
    way = Door("POST", floor.stud.path("events"), floor.stud.table, {"events": events, "offline": offline})
    bodies: list[Json] = [{"events": bad} for bad in NOT_A_LIST]
    bodies += [{"offline": None}, {"events": events, "misspelt": 1}]
    bodies += [{"events": events, "offline": bad} for bad in [*NOT_AN_OBJECT, {}]]
    bodies += [
        {"events": events, "offline": changed(offline, path, bad)}
        for path, value in fields_of(offline)
        for bad in wrong_for(value)
    ]
    for body in bodies:
        assert refused(way.send(floor.service, body), 422)["field"], str(body)[:200]
    assert floor.mark() == before
    assert [*wrong_bodies(floor.service, way), *wrong_kinds(floor.service, way)] == []


NO_TEXTS: list[Any] = [1, 1.5, True, None, [], {}]


def test_a_wrong_login_is_refused(service: Served) -> None:
    right: Json = {"name": "tom", "password": "x"}
    for name in right:
        refused(service.post("/v1/sessions", body=without(right, (name,))), 422)
        for bad in NO_TEXTS:
            refused(service.post("/v1/sessions", body=right | {name: bad}), 422)
        for odd in ("", "\0", "x" * 20_000, "\u00e9" * 300, "\U0001f3b0"):
            assert service.post("/v1/sessions", body=right | {name: odd}).status_code in (401, 422, 429)
    refused(service.post("/v1/sessions", body=right | {"misspelt": 1}), 422)


def test_a_body_without_a_length_is_bounded_too(floor: Floor) -> None:
    def endless() -> Any:
        yield b'{"note": "'
        for _ in range(200):
            yield b"x" * 64_000

    try:
        answer = floor.service.call(
            "PUT", floor.stud.path("bets", 1), floor.stud.table, content=endless(), headers=HEADERS
        ).status_code
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
        answer = 413
    assert answer == 413
    assert floor.service.ready()
