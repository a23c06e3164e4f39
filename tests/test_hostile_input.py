"""Wrong, repeated, late and hostile input at every door: a refusal with its field, and nothing changed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import httpx
import pytest

from tests.callers import BOX, NOTHING, ROYAL, STRAIGHT_FLUSH, Floor, done, now, refused
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
from tests.service import SEED, SIGN, Json, Service, token_of

DEALER = "Kc Kd 3h 4d 9s"
HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Door:
    """A call that changes something: where it goes, who sends it, and a body that is taken as it is."""

    method: str
    path: str
    by: str
    body: Json
    needs: tuple[str, ...] = ()
    """The fields that cannot be left out, as dotted paths; in lists, of the first entry."""

    def send(self, service: Service, body: object) -> httpx.Response:
        return service.call(self.method, self.path, self.by, content=written(body), headers=HEADERS)


def _bets(floor: Floor) -> Door:
    body = floor.stud.bets_body([BOX | {"bonus": 100}], seq=1)
    needs = ("sent_at", "closed_at", "boxes", "boxes.0.box")
    return Door("PUT", floor.stud.path("bets", 1), floor.stud.table, body, needs)


def _hands(floor: Floor) -> Door:
    done(floor.stud.bets())
    hand = {"box": 1, "cards": NOTHING.split(), "dealt_at": now(), "deal_order": 1, "folded": False}
    body = {"sent_at": now(), "final": False, "hands": [hand], "dealer": {"cards": DEALER.split()}}
    return Door("PUT", floor.stud.path("hands"), floor.stud.table, body, ("sent_at", "hands", "hands.0.box"))


def _holdem(floor: Floor) -> Door:
    done(floor.holdem.bets())
    body = floor.holdem.hands_body({1: "Ah Kd"}, community="2c 7d 9s Jc")
    return Door("PUT", floor.holdem.path("hands"), floor.holdem.table, body, ("community",))


def _not_revealed(floor: Floor) -> Door:
    done(floor.stud.bets([1, 2]))
    body = floor.stud.hands_body({1: {"revealed": False}, 2: {"invalidated": "5.15"}})
    return Door("PUT", floor.stud.path("hands"), floor.stud.table, body)


def _void(floor: Floor) -> Door:
    done(floor.stud.bets())
    body = {"sent_at": now(), "reason": "5.8.1", "note": "a card fell"}
    return Door("POST", floor.stud.path("void"), floor.stud.table, body, ("sent_at", "reason"))


def _heartbeat(floor: Floor) -> Door:
    clock = {"offset_us": 120, "error_us": 2000}
    body = {"sent_at": now(), "clock": clock, "in_play": True}
    needs = ("sent_at", "clock.offset_us", "clock.error_us")
    return Door("POST", floor.stud.path("heartbeat"), floor.stud.table, body, needs)


def _receipt(floor: Floor) -> Door:
    body = {"sign": SIGN, "sequence": 1, "value": SEED, "shown_at": now()}
    return Door("POST", floor.path("receipts"), SIGN, body, tuple(body))


def _approve(floor: Floor) -> Door:
    win = floor.stud.wins(ROYAL)
    return Door("POST", floor.path(f"wins/{win}/approve"), "ana", {"note": "seen"})


def _reject(floor: Floor) -> Door:
    win = floor.stud.wins(STRAIGHT_FLUSH)
    return Door("POST", floor.path(f"wins/{win}/reject"), "sue", {"reason": "marked"}, ("reason",))


def _order(floor: Floor) -> Door:
    for table in (floor.stud, floor.stud2):
        done(table.bets())
    hands = [table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}) for table in (floor.stud, floor.stud2)]
    wins = [done(answer)["results"][0]["win"] for answer in hands]
    return Door("POST", floor.path("order"), "sue", {"wins": wins, "reason": "camera"}, ("wins", "reason"))


def _proposal(tail: str, body: Json, *needs: str) -> Callable[[Floor], Door]:
    return lambda floor: Door("POST", floor.path(tail), "ana", body, needs)


def _closed(tail: str, body: Json, *needs: str) -> Callable[[Floor], Door]:
    def make(floor: Floor) -> Door:
        done(floor.post("close", "ana", {"reason": "night"}))
        return Door("POST", floor.path(tail), "ana", body, needs)

    return make


def _table_act(tail: str) -> Callable[[Floor], Door]:
    def make(floor: Floor) -> Door:
        path = f"/v1/tables/{floor.stud.table}"
        if tail == "open":
            done(floor.service.post(f"{path}/close", "ana", {"reason": "shift"}))
        return Door("POST", f"{path}/{tail}", "ana", {"reason": "shift"}, ("reason",))

    return make


def _malfunction(floor: Floor) -> Door:
    done(floor.stud.bets())
    scope = {"table": floor.stud.table, "box": 1}
    body = {"scope": scope, "observed_at": now(), "cards_seen": {floor.stud.table: True}}
    body |= {"then": "block_box", "note": "a button sticks"}
    needs = ("scope", "observed_at", "then", "cards_seen")
    return Door("POST", "/v1/malfunctions", "sue", body, needs)


def _clear(floor: Floor) -> Door:
    body = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "close"}
    found = done(floor.service.post("/v1/malfunctions", "sue", body))["id"]
    return Door("POST", f"/v1/malfunctions/{found}/clear", "sue", {"note": "mended"})


def _claim(floor: Floor) -> Door:
    done(floor.stud.bets())
    done(floor.stud.hands({1: None}, final=True))
    done(floor.stud.hands({1: ROYAL}))
    claim = done(floor.get("claims"))["claims"][0]["id"]
    body = {"outcome": "registered", "reason": "camera"}
    return Door("POST", f"/v1/claims/{claim}/decide", "sue", body, ("outcome", "reason"))


DOORS: dict[str, Callable[[Floor], Door]] = {
    "bets": _bets,
    "hands": _hands,
    "holdem hands": _holdem,
    "hands without cards": _not_revealed,
    "void": _void,
    "heartbeat": _heartbeat,
    "receipt": _receipt,
    "approve": _approve,
    "reject": _reject,
    "order": _order,
    "seed": _proposal(
        "seed", {"seed": 6_000_000, "reason": "season", "when": "next_reset"}, "seed", "reason"
    ),
    "parameters": _proposal("parameters", {"meter_ppm": 300_000, "reason": "season"}, "reason"),
    "adjustments": _proposal(
        "adjustments", {"amount": 100, "from": "house", "reason": "count"}, "amount", "from", "reason"
    ),
    "close": _proposal("close", {"reason": "night"}, "reason"),
    "open": _closed("open", {"reason": "morning"}, "reason"),
    "transfer": _proposal("transfer", {"to": "main", "amount": 100, "reason": "merge"}, "to", "reason"),
    "retire": _closed("retire", {"to": "main", "reason": "the end"}, "reason"),
    "close a table": _table_act("close"),
    "open a table": _table_act("open"),
    "malfunction": _malfunction,
    "clear": _clear,
    "decide": _claim,
}


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


def wrong_values(service: Service, way: Door) -> Iterator[str]:
    """A wrong value in any field is refused with 422, the field and a code; what is not."""
    for path, value in fields_of(way.body):
        for wrong in wrong_for(value):
            answer = way.send(service, changed(way.body, path, wrong))
            problem = answer.json()
            unknown = answer.status_code == 404 and problem["code"].endswith("_unknown") and wrong == "\0"
            if not unknown and (answer.status_code != 422 or not problem.get("field")):
                yield f"{dotted(path)} = {wrong!r:.40}: {answer.status_code} {answer.text[:120]}"


def wrong_names(service: Service, way: Door) -> Iterator[str]:
    """A field that is needed is missing or null, or one is misspelt."""
    paths: list[Path] = [tuple(int(p) if p.isdigit() else p for p in need.split(".")) for need in way.needs]
    bodies = [(dotted(path), without(way.body, path)) for path in paths]
    bodies += [(f"{dotted(path)} = null", changed(way.body, path, None)) for path in paths]
    for name, body in [*bodies, ("misspelt", way.body | {"misspelt": 1})]:
        answer = way.send(service, body)
        if answer.status_code != 422 or not answer.json().get("field"):
            yield f"without {name}: {answer.status_code} {answer.text[:120]}"


def wrong_bodies(service: Service, way: Door) -> Iterator[str]:
    """What is no message at all."""
    for name, content in NO_MESSAGES.items():
        answer = _sent(service, way, content, "application/json")
        too_long = name.startswith("ten megabytes")
        if answer not in ((413,) if too_long else (413, 422)) and (name != "nothing" or way.needs):
            yield f"{name}: {answer}"


def wrong_kinds(service: Service, way: Door) -> Iterator[str]:
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data; boundary=x", ""):
        answer = _sent(service, way, written(way.body), kind)
        if answer not in (415, 422):
            yield f"content type {kind!r}: {answer}"


def _sent(service: Service, way: Door, content: bytes, kind: str) -> int:
    """The status. A service need not read ten megabytes to the end, so it may close the door on us."""
    try:
        headers = {"Content-Type": kind} if kind else {}
        return service.call(way.method, way.path, way.by, content=content, headers=headers).status_code
    except (httpx.WriteError, httpx.RemoteProtocolError, httpx.ReadError):
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


def test_a_wrong_login_is_refused(service: Service) -> None:
    right: Json = {"name": "tom", "password": "x"}
    for name in right:
        refused(service.post("/v1/sessions", body=without(right, (name,))), 422)
        for bad in (1, 1.5, True, None, [], {}):
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


def test_strange_ids_at_every_route_are_refused(service: Service) -> None:
    document = service.get("/openapi.json").json()
    wrong = []
    for path, verbs in document["paths"].items():
        for verb in verbs:
            for strange in STRANGE_IDS if "{" in path else ():
                status = _strange(service, verb.upper(), path, strange)
                if status not in (401, 403, 404, 405, 409, 413, 414, 422, 307):
                    wrong.append(f"{verb} {path} with {strange[:20]}: {status}")
    assert not wrong, "\n".join(wrong)


def _strange(service: Service, verb: str, path: str, strange: str) -> int:
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
        ({"sent_at": now(3600), "closed_at": now(3600)}, None),
        ({"closed_at": now(3600), "sent_at": now(3600)}, "time_in_future"),
        ({"sent_at": "9999-12-31T23:59:59Z", "closed_at": "9999-12-31T23:59:59Z"}, "time_in_future"),
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


def test_impossible_times_of_a_malfunction_are_refused(floor: Floor) -> None:
    before = floor.mark()
    for seconds in (-3600, 600):
        body = {"scope": {"table": floor.stud.table}, "observed_at": now(seconds), "then": "close"}
        refused(floor.service.post("/v1/malfunctions", "sue", body), 422, "observed_out_of_range")
    assert floor.mark() == before


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
    assert len({answer.text for answer in answers}) == 1
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
    assert sorted(answer.status_code for answer in answers) == [200] + [404] * 7
    assert floor.meter()["value"] == SEED + 100


def test_a_win_approved_at_once_by_the_same_person_is_approved_once(floor: Floor) -> None:
    win = floor.stud.wins(ROYAL)
    answers = at_once(*[lambda: floor.approve(win, "ana")] * 8)
    assert sorted(answer.status_code for answer in answers) == [200] + [409] * 7
    assert len(floor.waiting(win)["approvals"]) == 1
