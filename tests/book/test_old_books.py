"""Books that earlier releases left are opened, migrated and verified, say what they said, and go on."""

from __future__ import annotations

import asyncio
import json
import runpy
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import httpx
import pytest
from sqlalchemy import select, update
from typer.testing import CliRunner

from api.app import create_app, serving
from api.cli import app
from api.service import Service
from api.settings import Settings
from jackpot.book.stores import schema, sqlite
from jackpot.book.stores.addresses import store_of
from jackpot.book.stores.postgres import PostgresStore
from jackpot.core.instants import SECOND, spoken_instant
from tests import golden
from tests.books import POSTGRES, SQLITE, OldBook, kept, releases, restore_database, restore_file
from tests.callers import NOTHING, done
from tests.servers import Postgres
from tests.service import PASSWORD, Json, token_of
from tests.tampering import tamper_with

TEN_YEARS = 10 * 365 * 24 * 3600 * SECOND
SAID_OTHERWISE: Mapping[str, frozenset[str]] = {
    "0.1": frozenset({"last_seen", "clock"})
    | frozenset({"mark", "marks", "reasons", "closed_from", "bets_closed_from", "promise_broken", "suspect"})
    | frozenset({"default_clock_error_ms", "offset_us", "error_us", "words"})
}
"""By release: names of fields that later releases tell no more, or tell otherwise, of what that one wrote.
Whoever adds one says why. Of 0.1: what tables last said of themselves is not in the journal, from which the
migration makes every state anew; wins wait for open rounds, not for marks; and the House measures clocks
itself, as an offset between two bounds; and a round's story names the wager that goes back."""
OF_THE_MOMENT = frozenset({"sequence", "as_of"})
"""Of a link as it is now: a start may journal that it happened. `verify` tells where the journal ended."""
OPEN_ROUND, HELD_BY, BLOCKED = "main-holdem-01", "main-stud-01", "main-stud-02"
run = CliRunner()
each_book = pytest.mark.parametrize("book", kept(), ids=str)


@dataclass(frozen=True)
class Restored:
    book: OldBook
    url: str

    def jackpot(self, command: str, *arguments: object) -> tuple[int, str]:
        """A command on this store: how it ended, and what it said."""
        ended = run.invoke(app, [command, "--database", self.url, *map(str, arguments)])
        return ended.exit_code, ended.output

    def verify(self) -> tuple[int, str]:
        return self.jackpot("verify", "--anchors", self.book.anchors, "--key", self.book.key)


@pytest.fixture(scope="module")
def databases() -> dict[OldBook, str]:
    """Of PostgreSQL: made from a book's statements once, and copied for each test."""
    return {}


@pytest.fixture
def restored(
    book: OldBook, tmp_path: Path, request: pytest.FixtureRequest, databases: dict[OldBook, str]
) -> Restored:
    """As the release left it, on the schema of this release."""
    if book.store == SQLITE:
        url = restore_file(book, tmp_path / "book.db")
    else:
        server: Postgres = request.getfixturevalue("postgres")
        url = asyncio.run(_copied(book, server, databases))
    found = Restored(book, url)
    ended, said = found.jackpot("migrate")
    assert ended == 0, said
    return found


async def _copied(book: OldBook, server: Postgres, databases: dict[OldBook, str]) -> str:
    if book not in databases:
        databases[book] = f"old_{uuid4().hex}"
        await restore_database(book, server, databases[book])
    name = f"book_{uuid4().hex}"
    await server.execute(f"CREATE DATABASE {name} TEMPLATE {databases[book]}")
    return server.url(name)


class House:
    """The service of this release on an old book."""

    def __init__(self, service: Service, client: httpx.AsyncClient) -> None:
        self.service, self._client = service, client

    async def call(self, method: str, path: str, by: str, body: Json | None = None) -> Json:
        return done(await self.asked(method, path, token_of(by), body))

    async def asked(
        self, method: str, path: str, token: str | None, body: Json | None = None
    ) -> httpx.Response:
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        return await self._client.request(method, path, headers=headers, json=body)

    async def get(self, path: str) -> Json:
        return await self.call("GET", path, "ada")

    async def tells(self, table: str, tail: str, **said: Any) -> Json:
        """A message of that table, sent now by the clock of the House."""
        stamp = spoken_instant(self.service.book.clock.now())
        stamps = {"sent_at": stamp} | ({"closed_at": stamp} if tail.endswith("bets") else {})
        method = "POST" if tail == "heartbeat" else "PUT"
        return await self.call(method, f"/v1/tables/{table}/{tail}", table, stamps | said)

    async def agrees(self, proposal: str) -> None:
        await self.call("POST", f"/v1/proposals/{proposal}/confirm", "tom", {})

    async def wins(self) -> dict[str, Json]:
        return {one["id"]: one for one in (await self.get("/v1/links/main/wins"))["wins"]}


@asynccontextmanager
async def opened(restored: Restored) -> AsyncIterator[House]:
    settings = Settings(floor=restored.book.floor_file, database_url=restored.url)
    async with serving(settings) as service:
        transport = httpx.ASGITransport(create_app(service))
        async with httpx.AsyncClient(transport=transport, base_url="http://house.test") as client:
            yield House(service, client)


# It is whole


@each_book
def test_an_old_book_verifies_to_its_last_entry_and_by_its_anchors(restored: Restored) -> None:
    ended, said = restored.verify()
    assert ended == 0, said
    for link, (entries, head) in restored.book.heads().items():
        assert f"link {link}: {entries} entries," in said
        assert f"head {head[:16]}: verified" in said


@each_book
def test_a_dry_run_of_an_old_book_makes_every_fact_as_it_was(restored: Restored, tmp_path: Path) -> None:
    for link in restored.book.heads():
        ended, said = restored.jackpot("dryrun", "--link", link, "--json", tmp_path / "found.json")
        if ended:
            assert "is a pit" in said
            continue
        found = json.loads((tmp_path / "found.json").read_text())
        assert found["proved"]
        assert found["then"] == found["so"]
        assert found["last"] == restored.book.heads()[link][0]


WHERE_IT_LIES = "SELECT md5(string_agg(ctid::text || xmin::text, ',' ORDER BY link, sequence)) FROM journal"


@pytest.mark.parametrize("release", releases())
def test_a_migration_neither_moves_nor_writes_an_entry(
    release: str, postgres: Postgres, databases: dict[OldBook, str]
) -> None:
    """Nor does it read them all for more than an index: a journal may be larger than the night is long."""

    async def look() -> tuple[Any, Any]:
        url = await _copied(OldBook(release, POSTGRES), postgres, databases)
        before = await postgres.ask(WHERE_IT_LIES, url.rpartition("/")[2])
        ended = await asyncio.to_thread(run.invoke, app, ["migrate", "--database", url])
        assert ended.exit_code == 0, ended.output
        return before, await postgres.ask(WHERE_IT_LIES, url.rpartition("/")[2])

    before, after = asyncio.run(look())
    assert before == after


@each_book
def test_one_byte_changed_in_an_old_book_is_found(restored: Restored) -> None:
    place = restored.book.heads()["main"][0] // 2

    async def change() -> None:
        store = store_of(restored.url)
        try:
            row = (schema.journal.c.link == "main") & (schema.journal.c.sequence == place)
            async with store.reading() as connection:
                data = (await connection.execute(select(schema.journal.c.data).where(row))).scalar_one()
            digit = data.index(b'"sequence":') - 2
            changed = data[:digit] + bytes([data[digit] ^ 1]) + data[digit + 1 :]
            await tamper_with(store, update(schema.journal).where(row).values(data=changed))
        finally:
            await store.close()

    asyncio.run(change())
    ended, said = restored.verify()
    assert (ended, f"entry {place}" in said) == (1, True), said


@pytest.mark.parametrize("release", releases())
def test_a_release_keeps_a_book_with_every_kind_of_fact_it_knew(release: str) -> None:
    """Its golden journals have them all."""
    known = {json.loads(data)["fact"]["kind"] for one in golden.kept(release) for data in one.entries}
    written = OldBook(release, POSTGRES).unpacked().decode()
    assert [kind for kind in sorted(known) if f"'{kind}'" not in written] == []
    assert len(known) > 30


def test_what_a_release_wrote_is_not_written_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.argv", ["tests.books", releases()[0]])
    with pytest.raises(SystemExit, match="is not written again"):
        runpy.run_module("tests.books.__main__", run_name="__main__")


# It says what it said


@each_book
def test_an_old_book_says_what_it_said(restored: Restored) -> None:
    said = restored.book.said()

    async def ask() -> dict[str, Json]:
        async with opened(restored) as house:
            return {path: await house.get(path) for path in said}

    answers = asyncio.run(ask())
    otherwise = SAID_OTHERWISE.get(restored.book.release, frozenset())
    for path, then in said.items():
        of_now = OF_THE_MOMENT if path.endswith(("/links", "/meter")) else frozenset()
        assert differences(answers[path], then, otherwise | of_now) == [], path


def differences(now: Any, then: Any, otherwise: frozenset[str], at: str = "") -> list[str]:
    """Where an answer no longer says what it said. Further fields are no difference; further rows are."""
    if isinstance(then, dict) and isinstance(now, dict):
        names = [name for name in then if name not in otherwise]
        return [
            found
            for name in names
            for found in differences(now.get(name, "nothing"), then[name], otherwise, f"{at}.{name}")
        ]
    if isinstance(then, list) and isinstance(now, list) and len(then) == len(now):
        pairs = enumerate(zip(now, then, strict=True))
        return [
            found
            for place, (one, other) in pairs
            for found in differences(one, other, otherwise, f"{at}[{place}]")
        ]
    return [] if now == then else [f"{at}: {str(then)[:80]}, now {str(now)[:80]}"]


def test_an_answer_that_lost_a_field_a_row_or_a_value_differs() -> None:
    then = {"wins": [{"id": "a", "amount": 5, "mark": 1}], "next": None}
    assert differences(then | {"more": 1}, then, frozenset()) == []
    assert differences({"wins": [{"id": "a", "amount": 5}], "next": None}, then, frozenset({"mark"})) == []
    lost: list[Json] = [{"wins": [], "next": None}, {"next": None}]
    for other in (*lost, {"wins": [{"id": "a", "amount": 6, "mark": 1}], "next": None}):
        assert differences(other, then, frozenset()) != []


# It goes on


@each_book
def test_an_old_book_goes_on_ten_years_later(restored: Restored, monkeypatch: pytest.MonkeyPatch) -> None:
    """It knows its people, the win that waited is paid, the claims are decided, and a round is played."""
    wall, asked = sqlite.wall_clock, PostgresStore.clock_sql
    monkeypatch.setattr(sqlite, "wall_clock", lambda: wall() + TEN_YEARS)
    monkeypatch.setattr(PostgresStore, "clock_sql", f"{asked} + {TEN_YEARS}")

    async def play() -> None:
        async with opened(restored) as house:
            await knows_its_people(house)
            await pays_what_waited(house)
            await decides_the_claims(house)
            await hands_over_what_it_has_paid(house)
            await plays_a_round(house)

    asyncio.run(play())
    ended, said = restored.verify()
    assert ended == 0, said


async def knows_its_people(house: House) -> None:
    """By password, by the token that a second floor file gave, and no longer by those it took."""
    login = {"name": "sue", "password": PASSWORD}
    assert (await house.asked("POST", "/v1/sessions", None, login)).status_code == 201
    statuses = {
        token: (await house.asked("GET", "/v1/proposals", token)).status_code
        for token in (token_of("ben", 2), token_of("eve"), token_of("ben"), token_of("ira"))
    }
    assert list(statuses.values()) == [200, 200, 401, 401]


async def pays_what_waited(house: House) -> None:
    (waiting,) = [one for one in (await house.wins()).values() if one["state"] == "pending"]
    before = await house.get("/v1/links/main/meter")
    assert (before["state"], before["pending"][0]["table"]) == ("held", HELD_BY)
    (table,) = [one for one in await tables(house) if one["id"] == OPEN_ROUND]
    number = table["round"]["round"]
    hands = [{"box": 1, "cards": ["5h", "6d"]}, {"box": 2, "cards": ["2c", "3d"]}]
    flop = ["Kd", "9s", "4h"]
    await house.tells(OPEN_ROUND, f"rounds/{number}/hands", hands=hands, community=flop, final=True)
    await house.call("POST", f"/v1/links/main/wins/{waiting['id']}/approve", "sue", {})
    for one in await tables(house):
        if one["in_play"]:
            await house.tells(one["id"], "heartbeat")
    paid = (await house.wins())[waiting["id"]]
    assert (paid["state"], paid["amount"]) == ("paid", before["value"])
    after = await house.get("/v1/links/main/meter")
    assert (after["state"], after["value"]) == ("open", before["next"])


async def tables(house: House) -> list[Json]:
    found: list[Json] = (await house.get("/v1/links/main/tables"))["tables"]
    return found


async def hands_over_what_it_has_paid(house: House) -> None:
    """Slips begin with 1; what the earlier release paid has none, and is not owed a second time."""
    (due,) = (await house.get("/v1/links/main/handovers"))["handovers"]
    assert (due["slip"], due["state"]) == (1, "due")
    said = {"reference": "IDC-1", "method": "cheque"}
    paid_then = [
        one for one in (await house.wins()).values() if one["state"] == "paid" and not one["handover"]
    ]
    for win in paid_then:
        path = f"/v1/links/main/wins/{win['id']}"
        for method, tail, body in (("GET", "slip", None), ("POST", "slip", {}), ("POST", "hand-over", said)):
            answer = await house.asked(method, f"{path}/{tail}", token_of("sue"), body)
            assert (answer.status_code, answer.json()["code"]) == (409, "win_without_slip")
    assert len(paid_then) > 3
    proposal = await house.call("POST", f"/v1/links/main/wins/{due['win']}/hand-over", "sue", said)
    await house.agrees(proposal["proposal"])
    (handed,) = (await house.get("/v1/links/main/handovers"))["handovers"]
    assert handed["handed_over"]["persons"] == ["sue", "tom"]


async def decides_the_claims(house: House) -> None:
    """One that nobody has spoken of yet, and one on which a second person was waited for."""
    claims = [one for one in (await house.get("/v1/links/high/claims"))["claims"] if one["state"] == "open"]
    assert sorted(len(one["proposals"]) for one in claims) == [0, 1]
    for claim in claims:
        decision = {"outcome": "in_order", "reason": "camera footage"}
        path = f"/v1/claims/{claim['id']}/decide"
        waiting = claim["proposals"] or [(await house.call("POST", path, "sue", decision))["proposal"]]
        await house.agrees(waiting[0])
    decided = {one["id"]: one for one in (await house.get("/v1/links/high/claims"))["claims"]}
    for claim in claims:
        now = decided[claim["id"]]
        assert now["amount"] == claim["outcomes"][now["outcome"]]


async def plays_a_round(house: House) -> None:
    """The blocked box is still blocked, and free once the malfunction is cleared."""
    (fault,) = [one for one in (await house.get("/v1/malfunctions"))["malfunctions"] if one["link"] == "main"]
    (table,) = [one for one in await tables(house) if one["id"] == BLOCKED]
    boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in (1, 7)]
    number = table["round"]["round"] + 1
    answer = await house.tells(BLOCKED, f"rounds/{number}/bets", boxes=boxes)
    assert [one["wager"] for one in answer["returned"] if one["code"] == "box_blocked"] == [
        "progressive",
        "ante",
    ]
    hands = [{"box": 1, "cards": NOTHING.split()}]
    answer = await house.tells(BLOCKED, f"rounds/{number}/hands", hands=hands, final=True)
    assert answer["state"] == "settled"
    await house.call("POST", f"/v1/malfunctions/{fault['id']}/clear", "sue", {})
    answer = await house.tells(BLOCKED, f"rounds/{number + 1}/bets", boxes=boxes)
    assert [one["box"] for one in answer["accepted"]] == [1, 7]
