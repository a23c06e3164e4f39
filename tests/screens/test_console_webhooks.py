"""The page of webhooks: made, paused, replayed and deleted by a supervisor, looked at by an auditor."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, expect

from tests.callers import done
from tests.console import Person, at_the_console
from tests.receiver import FAILS, TAKES, Receiver, signed_by
from tests.service import Served, full_floor, in_thread
from tests.waiting import until

LINK = "main"
TABLE = f"{LINK}-stud-01"


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("webhooks")
    settings = {"webhooks_allow": "127.0.0.1/32", "webhooks_seconds": 2, "webhooks_retry_seconds": 0.2}
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", full_floor(LINK), folder, **settings) as one:
        yield one


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver().start()
    yield one
    one.stop()


@pytest.fixture
def sue(browser: Browser, served: Served) -> Iterator[Person]:
    with at_the_console(browser, served, LINK, "sue") as person:
        yield person


def closes(served: Served) -> None:
    for act in ("close", "open"):
        done(served.post(f"/v1/tables/{TABLE}/{act}", "sue", {"reason": "turn"}))


def adds(sue: Person, receiver: Receiver, name: str) -> str:
    """The secret, as it is shown."""
    sue.opens("webhooks")
    sue.button("Add a webhook").click()
    sue.dialog.get_by_label("Name", exact=True).fill(name)
    sue.dialog.get_by_label("Address").fill(receiver.url)
    sue.dialog.get_by_role("checkbox", name="Openings").check()
    sue.dialog.get_by_role("button", name="Add", exact=True).click()
    expect(sue.dialog).to_contain_text("It is shown this once")
    secret = sue.dialog.locator(".secret").inner_text()
    sue.dialog.get_by_role("button", name="Close").click()
    return secret


def test_a_webhook_is_added_paused_replayed_and_deleted(
    sue: Person, served: Served, receiver: Receiver
) -> None:
    secret = adds(sue, receiver, "Monitor")
    panel = sue.page.get_by_role("region", name="Monitor").first
    closes(served)
    until(lambda: len(receiver.heard) == 2)
    assert all(signed_by(secret, one) for one in receiver.heard)
    panel.get_by_role("button", name="Send a test event").click()
    sue.is_told("Monitor took the test event.")
    panel.get_by_text("What was sent lately").click()
    expect(panel.get_by_role("region", name="What was sent to Monitor lately")).to_contain_text(
        "table.closed"
    )
    panel.get_by_role("button", name="Pause").click()
    sue.is_told("Monitor is paused. Nothing more is sent to it.")
    closes(served)
    expect(panel.get_by_role("region", name="How far Monitor is")).to_contain_text("for ")
    assert len(receiver.heard) == 3
    panel.get_by_role("button", name="Replay").click()
    sue.dialog.get_by_label("Link or pit").select_option(LINK)
    sue.dialog.get_by_label("From this journal entry on").fill(str(receiver.heard[0].body["sequence"]))
    sue.dialog.get_by_role("button", name="Replay").click()
    sue.is_told("Monitor is sent these events again.")
    panel.get_by_role("button", name="Resume").click()
    until(lambda: len(receiver.heard) == 7)
    assert [one.id for one in receiver.heard[3:5]] == [one.id for one in receiver.heard[:2]]
    panel.get_by_role("button", name="Delete").click()
    sue.dialog.get_by_role("button", name="Delete").click()
    sue.is_told("Monitor is deleted.")
    expect(sue.page.locator("#page")).to_contain_text("No webhook is set up.")


def test_a_receiver_that_fails_is_seen_to_fail(sue: Person, served: Served, receiver: Receiver) -> None:
    receiver.behave = lambda: FAILS
    adds(sue, receiver, "Sheet")
    closes(served)
    panel = sue.page.get_by_role("region", name="Sheet").first
    expect(panel).to_contain_text("it answered 503", timeout=60_000)
    expect(panel.get_by_role("heading")).to_contain_text("failing")
    receiver.behave = lambda: TAKES
    expect(panel.get_by_role("heading")).to_contain_text("active", timeout=60_000)


def test_an_address_that_is_refused_is_said_to_be(sue: Person) -> None:
    sue.opens("webhooks")
    sue.button("Add a webhook").click()
    sue.dialog.get_by_label("Name", exact=True).fill("Metadata")
    sue.dialog.get_by_label("Address").fill("http://169.254.169.254/latest")
    sue.dialog.get_by_role("checkbox", name="Wins").check()
    sue.dialog.get_by_role("button", name="Add", exact=True).click()
    expect(sue.dialog.get_by_role("alert")).to_contain_text("where nothing may be sent to")


def test_an_auditor_looks_and_changes_nothing(
    browser: Browser, sue: Person, served: Served, receiver: Receiver
) -> None:
    adds(sue, receiver, "Ledger")
    with at_the_console(browser, served, LINK, "ada") as ada:
        panel = ada.opens("webhooks").get_by_role("region", name="Ledger").first
        expect(panel).to_contain_text(receiver.url)
        expect(panel.get_by_role("button")).to_have_count(0)
        expect(ada.button("Add a webhook")).to_have_count(0)
