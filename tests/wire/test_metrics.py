"""What the service tells Prometheus: from the facts, from the book, the same at each replica, and bounded."""

from __future__ import annotations

import re
import time
from pathlib import Path

from api.metrics.names import METRICS, Across
from api.watching.commit_counters import Tally
from jackpot.games.progressive import Level
from jackpot.link.facts import HandsReported
from jackpot.link.wins import WinState
from tests.callers import QUADS, STRAIGHT_FLUSH, Floor, done, refused
from tests.floor import Floor as Stage
from tests.in_process import House, bets, floor_text, house
from tests.promql import NAME, Labels
from tests.scrapes import ROOT, parsed
from tests.service import Served
from tests.waiting import eventually, until

DOCUMENT = ROOT / "docs" / "metrics.md"


def told(service: Served) -> dict[str, float]:
    """Every sample by its name and labels, as the text has them."""
    return _samples(service.get("/metrics", "ada").text)


def _samples(text: str) -> dict[str, float]:
    lines = [line.rsplit(" ", 1) for line in text.splitlines() if not line.startswith("#")]
    return {name: float(value) for name, value in lines}


def test_bets_hands_and_wins_are_counted_from_the_facts(floor: Floor) -> None:
    here = f'link="{floor.link}"'
    done(floor.stud.beat())
    done(floor.stud.bets([1, 2, {"box": 3, "progressive": 500}]))
    done(floor.stud.hands({1: QUADS, 2: None}, final=True))
    done(floor.stud.bets([1]))
    done(floor.stud.void())
    win = floor.stud2.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ana"))
    assert floor.waiting(win)["state"] == "paid"
    seen = told(floor.service)
    assert seen[f"jackpot_bets_total{{{here}}}"] == 4
    assert seen[f"jackpot_bets_cents_total{{{here}}}"] == 2000
    assert seen[f"jackpot_contributions_cents_total{{{here}}}"] == 800
    assert seen[f"jackpot_reversals_cents_total{{{here}}}"] == 200
    assert seen[f'jackpot_returned_bets_total{{{here},reason="no_ante"}}'] == 1
    assert seen[f'jackpot_returned_bets_total{{{here},reason="round_voided"}}'] == 1
    assert seen[f'jackpot_hands_total{{hand="four_of_a_kind",{here}}}'] == 1
    assert seen[f'jackpot_wins_total{{level="minor",{here},state="paid"}}'] == 1
    assert seen[f'jackpot_wins_total{{level="major",{here},state="paid"}}'] == 1
    assert seen[f"jackpot_win_paid_after_seconds_count{{{here}}}"] == 1
    assert seen[f"jackpot_meter_cents{{{here}}}"] == floor.meter()["value"]


def test_minors_that_another_replica_counted_are_not_counted_again() -> None:
    """One took the first message of a round, the other the second, which tells all of it."""
    floor, one, other = Stage(), Tally(), Tally()
    floor.bets("s1", [1, 2, 3])
    floor.hands("s1", {1: QUADS, 2: None})
    floor.hands("s1", {1: QUADS, 2: None, 3: "Kh Jh 8h 5h 2h"})
    first, second = (entry for entry in floor.book.entries if isinstance(entry.fact, HandsReported))
    one.links["main"].count(first)
    other.links["main"].count(second)
    counted = [tally.links["main"].wins[Level.MINOR, WinState.PAID] for tally in (one, other)]
    assert counted == [1, 1]


def test_a_minor_that_is_told_again_is_counted_once_and_what_the_house_takes_back_too(floor: Floor) -> None:
    here = f'link="{floor.link}"'
    done(floor.stud.bets([1, 2]))
    for other in (None, "Qc Td 6s 4s 2c"):
        done(floor.stud.hands({1: QUADS, 2: other}))
    seen = told(floor.service)
    assert seen[f'jackpot_wins_total{{level="minor",{here},state="paid"}}'] == 1
    awarded = seen[f'jackpot_prizes_cents_total{{level="minor",{here}}}']
    said = {"paragraph": "5.10", "reconstructed": False, "boxes": [1], "choices": {"1": "return"}}
    place = f"/v1/tables/{floor.stud.table}/rounds/{floor.stud.round}/irregularities"
    done(floor.service.call("POST", place, "sue", json=said))
    seen = told(floor.service)
    assert seen[f"jackpot_reversals_cents_total{{{here}}}"] == 200
    assert sum(value for name, value in seen.items() if f"jackpot_returned_bets_total{{{here}" in name) == 1
    assert seen[f'jackpot_prizes_cents_total{{level="minor",{here}}}'] == awarded
    assert seen[f'jackpot_prizes_cents_total{{level="minor_taken_back",{here}}}'] == awarded > 0


def test_a_win_that_waits_names_its_table_and_its_obstacles(floor: Floor) -> None:
    done(floor.holdem.bets())
    floor.stud.wins()
    here = f'link="{floor.link}"'
    until(lambda: told(floor.service)[f'jackpot_wins_waiting{{{here},state="pending"}}'] == 1)
    seen = told(floor.service)
    assert seen[f'jackpot_wins_waiting_for_table{{{here},table="{floor.holdem.table}"}}'] == 1
    assert seen[f'jackpot_wins_waiting_for_table{{{here},table="{floor.stud2.table}"}}'] == 0
    assert seen[f'jackpot_wins_obstructed{{{here},obstacle="approvals_missing"}}'] == 1
    assert seen[f'jackpot_wins_obstructed{{{here},obstacle="rounds_open"}}'] == 1
    open_since = "jackpot_table_round_open_since_timestamp_seconds"
    assert f'{open_since}{{{here},table="{floor.holdem.table}"}}' in seen
    assert f'{open_since}{{{here},table="{floor.stud.table}"}}' not in seen
    assert f"jackpot_win_waiting_since_timestamp_seconds{{{here}}}" in seen


def test_a_clock_is_told_only_of_a_table_that_echoes(floor: Floor) -> None:
    done(floor.stud.beat(clock={"offset_us": 0, "error_us": 1}))
    error = f'jackpot_table_clock_error_seconds{{link="{floor.link}",table="{floor.stud.table}"}}'
    assert error not in told(floor.service)
    done(floor.stud.beat())
    until(lambda: told(floor.service).get(error, 0) > 0)


def test_requests_are_counted_by_route_and_refusals_by_code(floor: Floor) -> None:
    before = told(floor.service)
    done(floor.stud.bets())
    refused(floor.stud.bets([1, 1]), 422, "box_repeated")
    for number in range(3):
        assert floor.service.get(f"/no/such/place/{number}").status_code == 404
    etag = floor.get("meter", None).headers["etag"]
    assert floor.get("meter", None, headers={"If-None-Match": etag}).status_code == 304
    after = told(floor.service)

    def grew(name: str) -> float:
        return after.get(name, 0) - before.get(name, 0)

    route = 'route="/v1/tables/{table}/rounds/{round}/bets"'
    assert grew(f'jackpot_requests_total{{method="PUT",{route},status="201"}}') == 1
    assert grew(f'jackpot_requests_total{{method="PUT",{route},status="422"}}') == 1
    assert grew('jackpot_requests_total{method="GET",route="other",status="404"}') == 3
    assert grew('jackpot_refusals_total{code="box_repeated"}') == 1
    assert grew(f'jackpot_sign_polls_total{{changed="no",link="{floor.link}"}}') == 1


def test_no_caller_can_make_a_label(floor: Floor) -> None:
    for path in ("/v1/links/nobody/meter", "/v1/tables/nobody/rounds/1/bets", "/nobody"):
        floor.service.call("BREW", path, floor.stud.table)
        floor.service.get(path, floor.stud.table)
    assert not [name for name in told(floor.service) if "nobody" in name or "BREW" in name]


def test_a_sign_that_tells_of_an_old_reading_is_behind(floor: Floor) -> None:
    reading = floor.meter()
    receipt = {"sign": "sign-1", "sequence": reading["sequence"], "value": reading["value"]}
    done(floor.post("receipts", "sign-1", receipt | {"shown_at": reading["as_of"]}))
    here = f'link="{floor.link}"'

    def behind() -> tuple[float, float]:
        seen = told(floor.service)
        signs = seen[f"jackpot_signs_telling{{{here}}}"]
        return signs, seen[f"jackpot_receipts_behind_seconds{{{here}}}"]

    until(lambda: behind() == (1, 0))
    done(floor.stud.bets())
    until(lambda: behind() > (1, 0))


def test_a_sign_is_not_behind_on_a_link_while_another_has_its_turn(floor: Floor) -> None:
    reading = floor.meter()
    shown = {"sign": "sign-1", "sequence": reading["sequence"], "value": reading["value"]}
    here = f'link="{floor.link}"'
    done(floor.post("receipts", "sign-1", shown | {"shown_at": reading["as_of"]}))
    done(floor.service.post("/v1/links/main/receipts", "sign-1", shown | {"shown_at": reading["as_of"]}))
    done(floor.stud.bets())
    until(lambda: told(floor.service)[f"jackpot_signs_telling{{{here}}}"] == 1)
    time.sleep(2.5)  # until receipts are durable and the book is looked at again
    assert told(floor.service)[f"jackpot_receipts_behind_seconds{{{here}}}"] == 0


async def test_each_replica_says_the_same_of_the_book_and_counts_only_its_own(
    postgres_url: str, tmp_path: Path
) -> None:
    async with house(postgres_url, tmp_path) as one, house(postgres_url, tmp_path) as two:
        assert (await one.close_bets("stud-01", 1, 1, 2)).status_code == 201
        assert (await two.close_bets("stud-02", 1, 1)).status_code == 201
        beat = {"sent_at": bets()["sent_at"]}
        await one.say("POST", "/v1/tables/stud-02/heartbeat", "stud-02", json=beat)
        await eventually_same(one, two)
        here = frozenset({(NAME, "jackpot_bets_total"), ("link", "main"), ("instance", "one")})
        counted = [parsed((await at.say("GET", "/metrics", "ada")).text)[here] for at in (one, two)]
        assert counted == [2, 1]


async def eventually_same(one: House, two: House) -> None:
    """All that is told of the book; a clock's error grows between the two questions."""
    same = {metric.name for metric in METRICS if metric.across is Across.MAX}
    same -= {"jackpot_table_clock_error_seconds", "jackpot_receipts_behind_seconds"}

    async def agree() -> bool:
        seen = [_of(parsed((await at.say("GET", "/metrics", "ada")).text), same) for at in (one, two)]
        return bool(seen[0]) and seen[0] == seen[1]

    await eventually(agree)


def _of(samples: dict[Labels, float], names: set[str]) -> dict[Labels, float]:
    return {one: value for one, value in samples.items() if dict(one)[NAME] in names}


async def test_metrics_are_told_while_the_book_cannot_be_read(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, floor_text()) as at:
        first = _samples((await at.say("GET", "/metrics")).text)
        await at.service.book.store._readers.dispose()
        (tmp_path / "book.db").rename(tmp_path / "gone.db")
        (tmp_path / "book.db").mkdir()

        async def unreadable() -> bool:
            return _samples((await at.say("GET", "/metrics")).text)["jackpot_book_readable"] == 0

        try:
            await eventually(unreadable)
        finally:
            (tmp_path / "book.db").rmdir()
            (tmp_path / "gone.db").rename(tmp_path / "book.db")
        assert first["jackpot_book_readable"] == 1


def test_every_metric_is_in_the_document_as_it_is_exposed() -> None:
    row = r"^\| `(\w+)` \| (\w+) \| ([^|]*) \| (\w+) \| (\w+) \| ([^|]*) \|$"
    rows = re.findall(row, DOCUMENT.read_text(), re.MULTILINE)
    expected = [
        (
            one.name,
            one.kind,
            " ".join(f"`{label}`" for label in one.labels),
            one.across,
            one.told_to,
            one.what,
        )
        for one in METRICS
    ]
    assert rows == expected
