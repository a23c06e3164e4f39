"""What the book remembers, over HTTP. Where the store itself does the searching, on both stores."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import text

from api.auditors.records import MOST_STRANGERS
from jackpot.book.reading import meters, pages
from jackpot.book.stores import inserting
from jackpot.book.stores.schema import SELDOM
from jackpot.book.writing import notes
from jackpot.book.writing.notes import Receipt
from jackpot.core.instants import SECOND, spoken_instant
from jackpot.core.money import UNITS_PER_MINOR_UNIT
from tests.book_floor import LINK
from tests.house import ROYAL, SEED, STRAIGHT_FLUSH, House, Json, a_house, refused

CSV = {"Accept": "text/csv"}
JOURNAL = f"/v1/links/{LINK}/journal"
REPORT = f"/v1/links/{LINK}/report"
READINGS = f"/v1/links/{LINK}/readings"
RECEIPTS = f"/v1/links/{LINK}/receipts"
QUADS = "9c 9d 9h 9s Kd"


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found


@pytest.fixture
async def either(url: str, tmp_path: Path) -> AsyncIterator[House]:
    """On each store in turn."""
    async with a_house(url, tmp_path) as found:
        yield found


def rows(response: Any) -> list[dict[str, str]]:
    assert response.status_code == 200, response.text
    assert response.headers["content-type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(response.text)))


async def every(house: House, path: str, part: str, cursor: str = "after", **query: Any) -> list[Json]:
    """All pages of something, one after the other."""
    found: list[Json] = []
    while True:
        page = await house.told(path, params=query)
        found += page[part]
        if page["next"] is None:
            return found
        query[cursor] = page["next"]


# The journal


async def test_the_journal_is_paged_without_gap_or_repeat_and_its_chain_can_be_computed(
    either: House,
) -> None:
    for _ in range(4):
        await either.floor.submit(either.floor.bets("s1", (1, 2)))
    entries = await every(either, JOURNAL, "entries", limit=3)
    assert [one["sequence"] for one in entries] == list(range(1, len(entries) + 1))
    head = ""
    for one in entries:
        data = json.dumps(one["entry"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        head = sha256(head.encode() + data.encode()).hexdigest()
        assert one["hash"] == head


async def test_the_journal_is_filtered_by_kind_table_and_time(either: House) -> None:
    await either.floor.submit(either.floor.bets("s1"))
    await either.floor.submit(either.floor.bets("s2"))
    either.floor.wait(5)
    then = spoken_instant(either.floor.clock.time)
    win = await either.floor.wins_major("s1", STRAIGHT_FLUSH)
    kinds = await every(either, JOURNAL, "entries", kind="WinRegistered")
    assert [one["entry"]["fact"]["win"] for one in kinds] == [win]
    assert len(await every(either, JOURNAL, "entries", kind="BetsClosed", table="s2")) == 1
    later = await every(either, JOURNAL, "entries", **{"from": then})
    assert [one["kind"] for one in later] == ["BetsClosed", "HandsReported", "WinRegistered"]
    earlier = await every(either, JOURNAL, "entries", to=then)
    assert earlier[-1]["sequence"] == later[0]["sequence"] - 1


async def test_a_page_of_one_table_looks_through_so_many_entries_only(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WINDOW", 3)
    for table in ("s2", "s1", "s1", "s1", "s1", "s2"):
        await house.floor.submit(house.floor.bets(table))
    found = await every(house, JOURNAL, "entries", table="s2", kind="BetsClosed")
    assert [one["round"] for one in found] == [1, 2]
    first = await house.told(JOURNAL, params={"table": "s2", "kind": "BetsClosed"})
    assert (first["entries"], first["next"]) == ([], 3)


WRONG_PAGES: list[tuple[Json, int, str]] = [
    ({"kind": "Nothing"}, 422, "kind_unknown"),
    ({"kind": "\0"}, 422, "kind_unknown"),
    ({"table": "\0"}, 404, "table_unknown"),
    ({"table": "s9"}, 404, "table_unknown"),
    ({"from": "yesterday"}, 422, "time_malformed"),
    ({"to": "2026-01-01T00:00:00"}, 422, "time_without_zone"),
    ({"after": -1}, 422, "invalid"),
    ({"after": 2**70}, 422, "invalid"),
    ({"limit": 501}, 422, "invalid"),
    ({"limit": 0}, 422, "invalid"),
]


async def test_a_wrong_page_is_refused(house: House) -> None:
    for query, status, code in WRONG_PAGES:
        refused(await house.get(JOURNAL, params=query), status, code)


async def test_the_ends_of_the_calendar_are_times_like_others(house: House) -> None:
    for first, time in ((True, "0001-01-01T00:00:00+14:00"), (False, "9999-12-31T23:59:59-14:00")):
        for path in (JOURNAL, "/v1/audit"):
            for query in ({"from": time}, {"to": time}):
                assert (await house.get(path, params=query)).status_code == 200
        outside = {"to": time} if first else {"from": time}
        refused(await house.get(REPORT, params=outside), 422, "span_wrong")
        within = {"from": time} if first else {"to": time}
        assert (await house.get(REPORT, params=within)).status_code == 200
        assert (await house.get(READINGS, params={"at": time})).status_code == (404 if first else 422)
        assert (await house.get(RECEIPTS, params={"at": time, "sign": "sign-1"})).status_code == 200


# CSV


async def test_the_journal_as_csv_has_the_bytes_that_were_hashed(house: House) -> None:
    await house.floor.submit(house.floor.bets("s1"))
    response = await house.get(JOURNAL, headers=CSV, params={"limit": 2})
    assert response.headers["link"] == f'<{JOURNAL}?limit=2&after=2>; rel="next"'
    first, second = rows(response)
    assert sha256(first["entry"].encode()).hexdigest() == first["hash"]
    assert sha256(first["hash"].encode() + second["entry"].encode()).hexdigest() == second["hash"]


async def test_no_cell_of_a_csv_can_be_taken_for_a_formula(house: House) -> None:
    for start in ("=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1"):
        win = await house.floor.wins_major("s1", STRAIGHT_FLUSH)
        said = f'{start} said "a dealer", twice'
        if start.isprintable():  # others are refused, but an older book may have them
            await house.does(f"/v1/links/{LINK}/wins/{win}/reject", "sue", {"reason": said})
        house.service.notes.note(_receipt(house, said))
        house.service.notes.note(_receipt(house, f"{start} sign"))
        await _noted(house)
        found = [
            *rows(await house.get(JOURNAL, headers=CSV)),
            *rows(await house.get(REPORT, headers=CSV)),
            *rows(await house.get("/v1/audit", headers=CSV)),
            *rows(await house.get(RECEIPTS, headers=CSV, params={"sign": f"{start} sign"})),
            *rows(await house.get(RECEIPTS, headers=CSV, params={"sign": said})),
        ]
        cells = [cell for row in found for cell in row.values()]
        assert not [cell for cell in cells if cell.startswith(("=", "+", "-", "@", "\t", "\r"))]
        assert any(cell.startswith(f"'{start}") and "twice" in cell for cell in cells)
        assert any(cell.startswith(f"'{start} sign") for cell in cells)


async def test_json_is_the_default_and_csv_only_when_it_is_wanted_first(house: House) -> None:
    for accept, kind in {
        "*/*": "application/json",
        "application/json, text/csv": "application/json",
        "text/csv;q=0": "application/json",
        "text/csv, application/json": "text/csv; charset=utf-8",
    }.items():
        assert (await house.get(JOURNAL, headers={"Accept": accept})).headers["content-type"] == kind


# Rounds


async def test_a_round_is_told_with_all_its_evidence_also_when_it_has_left_the_state(house: House) -> None:
    floor, path = house.floor, "/v1/tables/s1/rounds/1"
    await floor.submit(floor.bets("s1", (1, 2)))
    await floor.submit(floor.hands("s1", {1: QUADS, 2: None}))
    current = await house.told(path)
    assert (current["state"], current["link"], current["game"]) == ("hands_known", "main", "casino_stud")
    assert current["boxes"][0]["result"]["award"] == 200_000
    await floor.submit(floor.bets("s1"))
    past = await house.told(path)
    assert past["state"] == "settled"
    assert past["boxes"] == current["boxes"]
    assert [(one["kind"], one["round"]) for one in past["entries"]] == [
        ("BetsClosed", 1),
        ("HandsReported", 1),
        ("BetsClosed", 2),  # by which it stands
    ]
    refused(await house.get("/v1/tables/s1/rounds/7"), 404, "round_unknown")
    refused(await house.get(f"/v1/tables/s1/rounds/{2**70}"), 404, "round_unknown")
    refused(await house.get("/v1/tables/none/rounds/1"), 404, "table_unknown")
    refused(await house.get("/v1/tables/%00/rounds/1"), 404, "table_unknown")


# Readings and receipts


async def test_a_reading_of_the_past_is_what_the_meter_showed_then(house: House) -> None:
    floor = house.floor
    await floor.submit(floor.bets("s1"))
    floor.wait(1)
    then = floor.clock.time
    floor.wait(1)
    await floor.wins_major("s2", ROYAL)
    past = await house.told(READINGS, "s1", params={"at": spoken_instant(then)})
    assert (past["value"], past["display"], past["held"]) == (SEED + 200, "SGD 50,002.00", False)
    now = await house.told(READINGS, "sign-1", params={"at": spoken_instant(floor.clock.time)})
    assert (now["value"], now["held"], now["pending"][0]["hand"]) == (SEED + 400, True, "royal_flush")
    exactly = await house.told(READINGS, params={"at": past["as_of"]})
    assert exactly["sequence"] == past["sequence"]
    for at, status, code in (
        (0, 404, "reading_unknown"),
        (floor.clock.time + 10 * SECOND, 422, "time_in_future"),
    ):
        refused(await house.get(READINGS, params={"at": spoken_instant(at)}), status, code)
    refused(await house.get("/v1/links/none/readings", params={"at": past["at"]}), 404, "link_unknown")


async def test_a_crowd_without_tokens_keeps_nobody_with_one_from_the_past(house: House) -> None:
    asked: Json = {"params": {"at": spoken_instant(house.floor.clock.time)}}
    assert (await house.get(READINGS, None, **asked)).status_code == 200
    house.service.strangers_looking_back = MOST_STRANGERS
    turned_away = await house.get(READINGS, None, **asked)
    refused(turned_away, 429, "too_many_requests")
    assert int(turned_away.headers["retry-after"]) >= 1
    assert (await house.get(READINGS, "sign-1", **asked)).status_code == 200
    house.service.strangers_looking_back = 0
    assert (await house.get(READINGS, None, **asked)).status_code == 200
    assert house.service.strangers_looking_back == 0


def _receipt(house: House, sign: str, *, after: int = 0) -> Receipt:
    at = house.floor.clock.time + after
    return Receipt(
        link=LINK, sign=sign, sequence=1, value=SEED + after, shown_at=at, received_at=at + 5, verified=True
    )


async def _noted(house: House) -> None:
    """Everything that was noted is on record."""
    await house.service.notes._flush()


async def test_receipts_tell_what_was_on_a_screen_at_a_time(either: House) -> None:
    start = either.floor.clock.time
    for second in range(5):
        either.service.notes.note(_receipt(either, "sign-1", after=second * SECOND))
    either.service.notes.note(_receipt(either, "sign-2"))
    await _noted(either)
    at = spoken_instant(start + 3 * SECOND + SECOND // 2)
    page = await either.told(RECEIPTS, params={"sign": "sign-1", "at": at})
    assert [one["shown_at"] for one in page["receipts"]] == [
        spoken_instant(start + second * SECOND) for second in (3, 2, 1, 0)
    ]
    assert page["receipts"][0]["value"] == SEED + 3 * SECOND
    paged = await every(either, RECEIPTS, "receipts", sign="sign-1", at=at, limit=2)
    assert paged == page["receipts"]
    assert (await either.told(RECEIPTS, params={"sign": "\0"}))["receipts"] == []
    refused(await either.get(RECEIPTS, params={"sign": "sign-1", "after": "x"}), 422, "invalid")


# The audit


async def test_the_audit_tells_the_latest_first_in_pages(either: House) -> None:
    for _ in range(3):
        await either.post("/v1/links/none/close", "ana", {"reason": "x"})
    await either.does(f"/v1/links/{LINK}/close", "ben", {"reason": "night"})
    await _noted(either)
    acts = await every(either, "/v1/audit", "acts", limit=2)
    assert [(one["actor"], one["act"], one["outcome"]) for one in acts[:4]] == [
        ("ben", "close_link", "allowed"),
        *[("ana", "close_link", "link_unknown")] * 3,
    ]
    assert [one["id"] for one in acts] == sorted((one["id"] for one in acts), reverse=True)
    since = {"from": acts[1]["at"]}
    assert [one["id"] for one in await every(either, "/v1/audit", "acts", **since)] == [
        one["id"] for one in acts[:2]
    ]
    told = rows(await either.get("/v1/audit", headers=CSV))
    assert json.loads(told[0]["detail"]) == acts[0]["detail"]
    refused(await either.get("/v1/audit", params={"after": "\0"}), 422, "invalid")


async def test_a_stop_waits_for_notes_that_are_being_written_and_writes_none_beside_them(
    sqlite_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    insert, writing, running, most = inserting.insert_new, asyncio.Event(), 0, 0

    async def slowly(*what: Any) -> None:
        nonlocal running, most
        running += 1
        most = max(most, running)
        writing.set()
        await asyncio.sleep(0.2)
        await insert(*what)
        running -= 1

    async with a_house(sqlite_url, tmp_path) as house:
        monkeypatch.setattr(notes, "insert_new", slowly)
        await house.post("/v1/links/none/close", "ana", {"reason": "x"})
        await writing.wait()
        await house.service.notes.stop()
        assert (running, most) == (0, 1)


# The report


async def test_a_report_tells_wins_contributions_movements_and_accounts_to_the_unit(either: House) -> None:
    floor = either.floor
    await floor.submit(floor.bets("s2", (1, 2, 3)))
    await floor.submit(floor.hands("s2", {1: QUADS, 2: None, 3: None}, final=True))
    await floor.submit(floor.bets("h1"))
    await floor.submit(floor.void("h1"))
    win = await either.paid("s1", ROYAL)
    floor.wait(1)
    told = await either.told(REPORT, params={"to": spoken_instant(floor.clock.time)})
    (paid,) = told["wins"]
    assert (paid["id"], paid["kind"], paid["amount"]) == (win, "WinPaid", SEED + 800)
    tables = {one["table"]: one for one in told["contributions"]}
    assert tables["s2"] == {
        "table": "s2",
        "rounds": 1,
        "voided": 0,
        "bets": 3,
        "wagered": 1500,
        "pool_units": 600_000_000,
        "reserve_units": 75_000_000,
        "overflow_units": 0,
        "house_units": 825_000_000,
        "returned": 0,
        "returns": 0,
        "revenue_units": 825_000_000 - 200_000 * UNITS_PER_MINOR_UNIT,
        "hold_ppm": -132_783_333,
        "minors": 200_000,
        "majors": 0,
        "levels": [{"hand": "four_of_a_kind", "level": "minor", "count": 1, "amount": 200_000}],
    }
    assert told["total"]["levels"][0] == {
        "hand": "royal_flush",
        "level": "major",
        "count": 1,
        "amount": SEED + 800,
    }
    assert (told["total"]["bets"], told["total"]["returned"], told["total"]["returns"]) == (5, 500, 1)
    assert told["lifetime"]["accounts_units"] == told["accounts_units"]
    assert told["counts"]["BetsClosed"] == 3
    assert (tables["h1"]["voided"], tables["h1"]["wagered"], tables["h1"]["pool_units"]) == (1, 0, 0)
    assert tables["s1"]["majors"] == SEED + 800
    link = (await either.told("/v1/links"))["links"][0]
    assert {name: told["accounts_units"].get(name, 0) for name in link["accounts"]} == link["accounts"]
    meter = told["meter"]
    moved = sum(one["units"] for one in meter["movements"])
    assert meter["opening_units"] + moved == meter["closing_units"] == link["accounts"]["meter"]
    figures = {
        (one["section"], one["name"], one["figure"]): one["value"]
        for one in rows(await either.get(REPORT, headers=CSV))
    }
    assert figures["table", "s2", "wagered"] == "1500"
    assert figures["win", win, "amount"] == str(SEED + 800)


async def test_a_report_of_a_part_adds_up_with_the_rest(house: House) -> None:
    floor = house.floor
    for _ in range(3):
        await floor.submit(floor.bets("s1"))
        floor.wait(10)
    now, middle = spoken_instant(floor.clock.time), spoken_instant(floor.clock.time - 15 * SECOND)
    whole = await house.told(REPORT, params={"to": now})
    parts = [
        await house.told(REPORT, params={"to": middle}),
        await house.told(REPORT, params={"from": middle, "to": now}),
    ]
    assert parts[0]["meter"]["closing_units"] == parts[1]["meter"]["opening_units"]
    assert parts[0]["last_sequence"] + 1 == parts[1]["first_sequence"]
    wagered = [part["contributions"][0]["wagered"] for part in (whole, *parts)]
    assert wagered == [1500, 1000, 500]


async def test_a_report_waits_for_the_roll_ups_of_an_older_book(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(meters, "MOST_READ", 3)
    answer = await house.get(REPORT)
    assert "are done" in refused(answer, 503, "rollups_behind")["detail"]
    assert answer.headers["retry-after"] == "30"
    refused(await house.get(REPORT, params={"to": "2001-01-01T00:00:00Z"}), 422, "span_wrong")


# Bounded reads


async def test_rare_entries_are_found_by_their_index(either: House) -> None:
    """However long the journal grows, the proof of a win reads what is about wins."""
    explain = "EXPLAIN QUERY PLAN " if not either.service.book.store.shared else "EXPLAIN "
    await either.floor.submit(either.floor.heartbeat("s1"))
    where = f"WHERE link = 'main' AND {SELDOM} AND kind = 'WinPaid' AND sequence > 1"
    statement = f"SELECT data FROM journal {where}"  # noqa: S608  our own words
    async with either.service.book.store.reading() as connection:
        if either.service.book.store.shared:
            await connection.execute(text("SET enable_seqscan = off"))
        plan = str((await connection.execute(text(explain + statement))).all())
    assert "journal_seldom" in plan
