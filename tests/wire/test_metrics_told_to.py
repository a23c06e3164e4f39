"""To whom metrics are told: money to the House alone, on the service's own port and on one of its own."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from api.metrics.names import METRICS, ToldTo
from api.settings import Settings
from tests.in_process import LINK, TABLES, House, house, machines, people
from tests.promql import NAME
from tests.scrapes import parsed
from tests.servers import free_port
from tests.service import TRUST, Service, full_floor, serving

PRIVATE = LINK.replace('id = "main"', 'id = "high"') + "public_readings = false\n"
FLOOR = LINK + PRIVATE + TABLES + machines() + people()
PUBLIC = {"jackpot_meter_cents", "jackpot_break_even_cents"}
HOUSE = {"jackpot_account_cents", "jackpot_seed_cents", "jackpot_implausible_hands_one_in"}


def told(text: str) -> set[tuple[str, str]]:
    """Every metric that has a sample, and its link."""
    return {(dict(one)[NAME], dict(one).get("link", "")) for one in parsed(text)}


def test_every_metric_in_cents_is_for_the_house_but_the_meter_and_what_follows_from_the_pay_table() -> None:
    money = {one.name: one.told_to for one in METRICS if "_cents" in one.name}
    assert len(money) == 9
    assert {name for name, to in money.items() if to is not ToldTo.HOUSE} == PUBLIC
    assert {money[name] for name in PUBLIC} == {ToldTo.METER}
    assert all(one.labels[0] == "link" for one in METRICS if one.told_to is ToldTo.METER)


@pytest.mark.parametrize("who", [None, "stud-01", "sign-1"])
async def test_who_may_not_read_accounts_hears_no_money_and_nothing_of_private_links(
    sqlite_url: str, tmp_path: Path, who: str | None
) -> None:
    async with house(sqlite_url, tmp_path, FLOOR) as at:
        await at.close_bets("stud-01", 1, 1, 2)
        answer = await at.say("GET", "/metrics", who)
        heard = told(answer.text)
        assert answer.status_code == 200
        assert {("jackpot_meter_cents", "main"), ("jackpot_bets_total", "main")} <= heard
        assert ("jackpot_commit_troubled", "high") in heard
        assert {name for name, _ in heard if name.endswith("cents")} == PUBLIC
        book = {one.name for one in METRICS if one.told_to is not ToldTo.ALL}
        assert not {name for name, link in heard if link == "high"} & book
        assert not [name for name in HOUSE if name in answer.text]


@pytest.mark.parametrize("who", ["otto", "sue", "ada"])
async def test_who_may_read_accounts_hears_everything(sqlite_url: str, tmp_path: Path, who: str) -> None:
    async with house(sqlite_url, tmp_path, FLOOR) as at:
        heard = told((await at.say("GET", "/metrics", who)).text)
        links = {link: {name for name, of in heard if of == link} for link in ("main", "high")}
        assert links["main"] >= HOUSE | {"jackpot_meter_cents", "jackpot_contributions_cents_total"}
        assert links["high"] >= {"jackpot_account_cents", "jackpot_meter_cents", "jackpot_journal_sequence"}


async def test_a_token_that_is_not_known_is_refused_rather_than_told_less(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path, FLOOR) as at:
        assert (await at.say("GET", "/metrics", "nobody")).status_code == 401


async def test_without_public_metrics_nobody_else_hears_anything(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, FLOOR, public_metrics=False) as at:

        async def status(who: str | None) -> int:
            return (await at.say("GET", "/metrics", who)).status_code

        assert [await status(who) for who in (None, "stud-01", "sign-1", "ada")] == [401, 403, 403, 200]
        assert await _of_house(at)


async def _of_house(at: House) -> bool:
    return ("jackpot_account_cents", "high") in told((await at.say("GET", "/metrics", "ada")).text)


# A port of their own


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, httpx.Client]]:
    folder, port = tmp_path_factory.mktemp("metrics"), free_port()
    floor = full_floor("main", "high")
    floor.link[1]["public_readings"] = False
    url = f"sqlite+aiosqlite:///{folder / 'book.db'}"
    with (
        serving(url, floor, folder, JACKPOT_METRICS_PORT=str(port)) as service,
        httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60, verify=TRUST) as monitoring,
    ):
        yield service, monitoring


def test_its_own_port_tells_everything_without_a_token(served: tuple[Service, httpx.Client]) -> None:
    service, monitoring = served
    to_a_person = told(service.get("/metrics", "ada").text)
    answer = monitoring.get("/metrics")  # the later of the two: a figure may have come between them
    assert answer.headers["content-type"].startswith("text/plain")
    assert {("jackpot_account_cents", link) for link in ("main", "high")} <= told(answer.text)
    assert ("jackpot_meter_cents", "high") in told(answer.text)
    assert ("jackpot_meter_cents", "high") not in told(service.get("/metrics").text)
    assert told(answer.text) >= to_a_person


def test_its_own_port_serves_nothing_else_but_that_it_lives(served: tuple[Service, httpx.Client]) -> None:
    _, monitoring = served
    assert monitoring.get("/healthz").json() == {"status": "alive"}
    for path in ("/", "/readyz", "/v1/links", "/v1/links/main/meter", "/docs", "/openapi.json", "/console"):
        assert monitoring.get(path).status_code == 404
    assert monitoring.post("/metrics").status_code == 405


def test_its_own_port_ends_with_the_service(tmp_path: Path) -> None:
    port, url = free_port(), f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with serving(url, full_floor("main"), tmp_path, JACKPOT_METRICS_PORT=str(port)) as service:
        assert httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=60, verify=TRUST).status_code == 200
        assert service.stop() == 0
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"http://127.0.0.1:{port}/healthz", timeout=60, verify=TRUST)


@pytest.mark.parametrize(
    ("said", "because"),
    [
        ({"port": 9464, "metrics_port": 9464}, "must not tell everything"),
        ({"metrics_host": "10.0.0.1"}, "goes with metrics_port"),
        ({"demo": True, "metrics_port": 9464, "metrics_host": "0.0.0.0"}, "this machine only"),  # noqa: S104
    ],
)
def test_settings_that_would_tell_too_many_are_refused(said: dict[str, object], because: str) -> None:
    with pytest.raises(ValueError, match=because):
        Settings(**said)  # type: ignore[arg-type]
