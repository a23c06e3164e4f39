"""The service as a role of the database that owns nothing: the manual's grants are enough, and no more."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from uuid import uuid4

import asyncpg
import pytest

from tests.callers import ROYAL, Floor, done
from tests.conftest import apart
from tests.doors import DOORS
from tests.servers import Postgres
from tests.service import PASSWORD, Service, full_floor

MANUAL = Path(__file__).parents[2] / "docs" / "operations.md"
LINKS = [f"link-{number}" for number in range(len(DOORS))]


def _grants() -> str:
    [found] = re.findall(r"```sql\n(GRANT.*?)```", MANUAL.read_text(), re.DOTALL)
    return str(found)


@pytest.fixture(scope="module")
def role(postgres: Postgres) -> str:
    """A role of its own, so that the manual's name may be there already."""
    name = f"role_{uuid4().hex}"
    apart(lambda: asyncio.run(postgres.execute(f"CREATE ROLE {name} LOGIN")))
    return name


@pytest.fixture(scope="module")
def served(postgres: Postgres, role: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """Migrated by the owner of the tables, served by the role."""
    database, folder = f"book_{uuid4().hex}", tmp_path_factory.mktemp("role")
    url = apart(lambda: asyncio.run(postgres.create(database)))
    floor = full_floor("main", *LINKS)
    assert Service(url, floor, folder).jackpot("migrate").returncode == 0
    grants = re.sub(r"\bTO jackpot\b", f"TO {role}", _grants())
    apart(lambda: asyncio.run(postgres.execute(grants, database)))
    service = Service(url.replace("postgres@", f"{role}@"), floor, folder)
    try:
        service.start()
        yield service
    finally:
        service.close()


@pytest.mark.parametrize(("name", "link"), [*zip(DOORS, LINKS, strict=True)])
def test_every_act_is_possible(served: Service, name: str, link: str) -> None:
    door = DOORS[name](Floor(served, link))
    answer = door.send(served, door.body)
    assert answer.status_code < 300, answer.text


def test_people_log_in_and_signs_are_enrolled(served: Service) -> None:
    assert served.post("/v1/sessions", body={"name": "sue", "password": PASSWORD}).status_code < 300
    served.http.cookies.clear()
    code = done(served.post("/v1/signs/codes", "sue", {"sign": "wall-north"}))["code"]
    assert served.post("/v1/signs", body={"code": code}).status_code < 300
    served.http.cookies.clear()


def test_a_royal_is_paid_and_the_book_verified(served: Service) -> None:
    floor = Floor(served, "main")
    floor.paid(floor.stud, ROYAL, "ana", "ben")
    assert served.verify().returncode == 0
    assert "permission denied" not in served.log()


@pytest.mark.parametrize(
    "forbidden",
    [
        "UPDATE journal SET at = at",
        "DELETE FROM journal",
        "TRUNCATE journal",
        "UPDATE audit SET at = at",
        "ALTER TABLE journal DISABLE TRIGGER ALL",
        "UPDATE house SET epoch = 'mine'",
        "DROP TABLE wins",
    ],
)
def test_what_was_written_is_out_of_its_reach(served: Service, forbidden: str) -> None:
    async def attempt() -> None:
        connection = await asyncpg.connect(served.url.replace("+asyncpg", ""))
        try:
            await connection.execute(forbidden)
        finally:
            await connection.close()

    with pytest.raises(asyncpg.InsufficientPrivilegeError):
        apart(lambda: asyncio.run(attempt()))
