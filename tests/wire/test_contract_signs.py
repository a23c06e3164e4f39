"""The contract of the signs: readings, polls, the stream, receipts, health."""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import httpx
import pytest

from api.signage import signs
from tests.callers import ROYAL, STRAIGHT_FLUSH, Floor, done, now, refused
from tests.service import SEED, SIGN, Served, token_of
from tests.waiting import Steady, until


def test_a_reading_has_every_field(floor: Floor) -> None:
    done(floor.stud.bets())
    reading = floor.meter()
    assert (reading["link"], reading["value"], reading["currency"]) == (floor.link, SEED + 200, "SGD")
    assert reading["display"] == "SGD 50,002.00"
    assert (reading["state"], reading["pending"], reading["next"]) == ("open", [], None)
    assert isinstance(reading["sequence"], int)
    assert reading["epoch"]
    assert re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)", reading["as_of"])


def test_the_documented_reading_has_the_fields_of_a_real_one(floor: Floor) -> None:
    floor.approve(floor.stud.wins(STRAIGHT_FLUSH), "ana")
    reading = floor.meter()
    answer = floor.service.get("/openapi.json").json()["paths"]["/v1/links/{link}/meter"]["get"]["responses"][
        "200"
    ]
    example = answer["content"]["application/json"]["example"]
    assert example.keys() == reading.keys()
    assert example["last_hit"].keys() == reading["last_hit"].keys()


def test_a_pending_win_is_shown_without_amount_until_it_is_ordered(floor: Floor) -> None:
    done(floor.stud2.bets())
    win = floor.stud.wins(ROYAL)
    reading = floor.meter()
    assert reading["state"] == "held"
    assert reading["pending"] == [{"hand": "royal_flush", "table": floor.stud.table, "amount": None}]
    assert reading["next"] == SEED
    done(floor.stud2.hands({1: None}))
    assert floor.waiting(win)["state"] == "ordered"
    assert floor.meter()["pending"][0]["amount"] == SEED + 400


def test_a_straight_flush_takes_a_tenth(floor: Floor) -> None:
    floor.paid(floor.stud, STRAIGHT_FLUSH, "ana")
    paid = (SEED + 200) // 10
    assert (floor.meter()["value"], floor.meter()["state"]) == (SEED + 200 - paid, "open")


def test_the_etag_is_epoch_sequence_and_state(floor: Floor) -> None:
    response = floor.get("meter", None)
    reading = response.json()
    assert response.headers["etag"] == f'"{reading["epoch"]}.{reading["sequence"]}.{reading["state"]}"'


def test_an_unchanged_reading_is_304_and_a_changed_one_200(floor: Floor) -> None:
    etag = floor.get("meter", None).headers["etag"]
    same = floor.get("meter", None, headers={"If-None-Match": etag})
    assert (same.status_code, same.content, same.headers["etag"]) == (304, b"", etag)
    done(floor.stud.bets())
    changed = floor.get("meter", None, headers={"If-None-Match": etag})
    assert (changed.status_code, changed.json()["value"]) == (200, SEED + 200)


def test_one_of_several_etags_is_enough(floor: Floor) -> None:
    etag = floor.get("meter", None).headers["etag"]
    same = floor.get("meter", None, headers={"If-None-Match": f'"other.1.open", {etag}'})
    assert same.status_code == 304


def test_a_poll_waits_for_a_newer_reading(floor: Floor) -> None:
    sequence = floor.meter()["sequence"]
    with ThreadPoolExecutor(1) as sign:
        polled = sign.submit(floor.get, "meter", None, params={"after": sequence, "wait": 20})
        time.sleep(0.3)
        assert not polled.done()
        done(floor.stud.bets())
        reading = polled.result().json()
    assert reading["sequence"] > sequence
    assert reading["value"] == SEED + 200


def test_a_poll_that_is_behind_is_answered_at_once(floor: Floor) -> None:
    done(floor.stud.bets())
    with ThreadPoolExecutor(1) as sign:
        behind = sign.submit(floor.get, "meter", None, params={"after": 1, "wait": 20})
        until(behind.done)
        assert behind.result().json()["sequence"] == floor.meter()["sequence"]


def test_a_poll_ends_when_its_wait_does(floor: Floor) -> None:
    sequence = floor.meter()["sequence"]
    began = time.monotonic()
    response = floor.get("meter", None, params={"after": sequence, "wait": 1})
    assert response.status_code in (200, 304)
    assert time.monotonic() - began > 0.8


def test_the_hold_and_the_closing_of_a_link_show_as_states(floor: Floor) -> None:
    floor.stud.wins()
    assert floor.meter()["state"] == "held"
    done(floor.post("close", "ana", {"reason": "end of day"}))
    assert floor.meter()["state"] == "closed"


def test_the_stream_sends_each_reading_and_resumes_after_the_last(floor: Floor) -> None:
    with streaming(floor) as stream:
        events = events_of(stream)
        first = next(events)
        done(floor.stud.bets())
        second = next(events)
    assert first["event"] == second["event"] == "meter"
    assert second["data"]["value"] == SEED + 200
    assert second["id"] == floor.get("meter", None).headers["etag"].strip('"')
    with streaming(floor, second["id"]) as stream:
        events = events_of(stream)
        done(floor.stud.bets())
        assert next(events)["data"]["value"] == SEED + 400


def test_a_stream_that_missed_something_begins_with_the_latest(floor: Floor) -> None:
    last = floor.get("meter", None).headers["etag"].strip('"')
    done(floor.stud.bets())
    with streaming(floor, last) as stream:
        assert next(events_of(stream))["data"]["value"] == SEED + 200


def streaming(floor: Floor, last: str | None = None) -> Any:
    headers = {} if last is None else {"Last-Event-ID": last}
    return floor.service.http.stream("GET", floor.path("stream"), headers=headers)


def events_of(stream: httpx.Response) -> Iterator[dict[str, Any]]:
    """Server-sent events, comments left out."""
    assert stream.headers["content-type"].startswith("text/event-stream")
    event: dict[str, Any] = {}
    for line in stream.iter_lines():
        if not line and "data" in event:
            yield event | {"data": json.loads(event["data"])}
            event = {}
        elif line and not line.startswith(":"):
            name, _, value = line.partition(":")
            event[name] = value.removeprefix(" ")


def test_a_led_controller_gets_one_line(floor: Floor) -> None:
    response = floor.get("meter.txt", None)
    assert response.headers["content-type"].startswith("text/plain")
    assert len(response.text.strip().splitlines()) == 1
    assert "50,000.00" in response.text


def test_a_sign_tells_what_it_showed(floor: Floor) -> None:
    reading = floor.meter()
    shown = {"sign": SIGN, "sequence": reading["sequence"], "value": reading["value"], "shown_at": now()}
    assert floor.post("receipts", SIGN, shown).status_code in (200, 201, 202, 204)
    assert until(lambda: _receipts(floor))[0]["value"] == reading["value"]


def _receipts(floor: Floor) -> list[dict[str, Any]]:
    told = done(floor.get("receipts", "ada", params={"sign": SIGN, "at": now()}))
    return next(value for value in told.values() if isinstance(value, list))


def test_a_sign_tells_at_most_once_a_second(floor: Floor, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(signs, "time", Steady())
    shown = {"sign": "hurried", "sequence": 1, "value": SEED, "shown_at": now()}
    first, problem = [floor.post("receipts", SIGN, shown) for _ in range(2)]
    assert first.is_success
    refused(problem, 429)
    assert int(problem.headers["retry-after"]) >= 1


def test_a_reading_of_an_unknown_link_is_404(service: Served) -> None:
    for tail in ("meter", "meter.txt", "stream"):
        refused(service.get(f"/v1/links/nowhere/{tail}"), 404)


def test_the_head_of_a_reading_is_told_without_it(service: Served) -> None:
    whole, head = service.get("/v1/links/main/meter"), service.call("HEAD", "/v1/links/main/meter")
    assert (head.status_code, head.content) == (200, b"")
    assert (head.headers["etag"], head.headers["content-length"]) == (
        whole.headers["etag"],
        str(len(whole.content)),
    )


def test_schemas_have_names_of_their_own(service: Served) -> None:
    schemas = service.get("/openapi.json").json()["components"]["schemas"]
    assert [name for name in schemas if "__" in name or "." in name] == []


def test_readings_need_no_token_and_take_any(service: Served) -> None:
    for by in (None, "main-stud-01", SIGN, "ana", "sue", "ada"):
        assert service.get("/v1/links/main/meter", by).status_code == 200


def test_alive_ready_and_measured_without_a_token(service: Served) -> None:
    for path in ("/healthz", "/readyz", "/metrics", "/docs", "/openapi.json"):
        assert service.get(path).status_code == 200, path


def test_metrics_are_in_the_words_of_prometheus(service: Served) -> None:
    metrics = service.get("/metrics")
    assert metrics.headers["content-type"].startswith("text/plain")
    assert re.search(r"^# TYPE \w+ (counter|gauge|histogram)$", metrics.text, re.MULTILINE)


def test_a_token_may_be_wrong_even_where_none_is_needed(service: Served) -> None:
    wrong = {"Authorization": f"Bearer {token_of('nobody')}"}
    assert service.get("/healthz", headers=wrong).status_code == 200
