"""Others who listen: every event once at least, in order, signed, and none after a pause."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.callers import ROYAL, Floor, done, refused
from tests.receiver import FAILS, GONE, HANGS, HANGS_UP, SENDS_ELSEWHERE, TAKES, Receiver, signed_by
from tests.service import PIT, Json, Served, full_floor, in_thread
from tests.waiting import until

LINKS = [f"link-{number}" for number in range(24)]
SETTINGS = {"webhooks_allow": "127.0.0.1/32", "webhooks_seconds": 2, "webhooks_retry_seconds": 0.2}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    folder = tmp_path_factory.mktemp("webhooks")
    with in_thread(
        f"sqlite+aiosqlite:///{folder / 'book.db'}", full_floor(*LINKS), folder, **SETTINGS
    ) as one:
        yield one


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    one = Receiver().start()
    yield one
    one.stop()


def made(served: Served, receiver: Receiver, *links: str, **more: object) -> Json:
    body = {"name": "Monitor", "url": receiver.url, "links": list(links)} | more
    return done(served.post("/v1/webhooks", "sue", body))


def path(webhook: Json, tail: str = "") -> str:
    return f"/v1/webhooks/{webhook['webhook']['id']}" + (f"/{tail}" if tail else "")


def turn(served: Served, table: str, times: int = 1) -> None:
    """So many events: a table is closed and opened in turns."""
    for number in range(times):
        act = "close" if number % 2 == 0 else "open"
        done(served.post(f"/v1/tables/{table}/{act}", "sue", {"reason": f"turn {number}"}))


def journal(served: Served, link: str, after: int = 0) -> list[Json]:
    told = done(served.get(f"/v1/links/{link}/journal", "ada", params={"after": after, "limit": 500}))
    return list(told["entries"])


def lane(served: Served, webhook: Json) -> Json:
    return dict(done(served.get(path(webhook), "sue"))["lanes"][0])


def taken(receiver: Receiver, link: str, count: int) -> list[Json]:
    until(lambda: len(receiver.firsts(link)) >= count, lambda: f"{receiver.types(link)}")
    return receiver.firsts(link)


# What is told


def test_a_royal_is_told_from_its_registration_to_its_payment(served: Served, receiver: Receiver) -> None:
    floor = Floor(served, served.next_link())
    hook = made(served, receiver, floor.link, topics=["wins", "payments"])
    floor.paid(floor.stud, ROYAL, "ana", "ben")
    told = taken(receiver, floor.link, 5)
    assert [one["type"] for one in told] == [
        "win.registered",
        "wins.ordered",
        "win.approved",
        "win.approved",
        "win.paid",
    ]
    entries = {one["sequence"]: one for one in journal(served, floor.link)}
    for one in told:
        entry = entries[one["sequence"]]
        assert (one["kind"], one["at"]) == (entry["kind"], entry["at"])
        assert one["id"] == f"{floor.link}.{entry['sequence']}.{entry['hash'][:8]}"
        assert one["sentence"].endswith(".")
    paid = told[-1]["data"]
    assert paid["amount"] == paid["before"]
    assert paid["approved_by"] == ["ana", "ben"]
    assert all(signed_by(hook["secret"], one) for one in receiver.heard)


def test_the_tables_of_a_pit_are_told_too(served: Served, receiver: Receiver) -> None:
    made(served, receiver, PIT)
    turn(served, "bj-01", 2)
    assert [one["type"] for one in taken(receiver, PIT, 2)] == ["table.closed", "table.opened"]


def test_of_other_topics_and_other_links_nothing_is_told(served: Served, receiver: Receiver) -> None:
    mine, other = served.next_link(), served.next_link()
    hook = made(served, receiver, mine, topics=["claims"])
    everything = made(served, receiver, other)
    turn(served, f"{mine}-stud-01", 2)
    turn(served, f"{other}-stud-01", 2)
    taken(receiver, other, 2)
    assert receiver.firsts(mine) == []
    assert lane(served, hook)["waiting_since"] is None
    assert lane(served, everything)["error"] is None


def test_what_the_house_is_alerted_to_is_told_when_it_begins_and_when_it_ends(
    tmp_path: Path, sqlite_url: str, receiver: Receiver
) -> None:
    floor = full_floor("main")
    floor.link[0]["silent_after_s"] = 1
    with in_thread(sqlite_url, floor, tmp_path, **SETTINGS) as service:
        made(service, receiver, "main", topics=["alerts"])
        table = Floor(service, "main").stud
        done(table.beat())
        [raised] = taken(receiver, "main", 1)
        assert (raised["type"], raised["kind"]) == ("alert.raised", None)
        assert raised["data"]["code"] == "table_silent"
        assert raised["data"]["table"] == table.table
        turn(service, table.table)
        ended = taken(receiver, "main", 2)[1]
        assert (ended["type"], ended["data"]["table"]) == ("alert.ended", table.table)


# At least once, and in order


def test_a_receiver_that_fails_hangs_and_hangs_up_has_everything_in_order(
    served: Served, receiver: Receiver
) -> None:
    link = served.next_link()
    moods = iter([FAILS, TAKES, HANGS_UP, HANGS_UP, TAKES, HANGS, SENDS_ELSEWHERE])
    receiver.behave = lambda: next(moods, TAKES)
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 6)
    told = taken(receiver, link, 6)
    assert [one["sequence"] for one in told] == sorted(one["sequence"] for one in told)
    until(lambda: lane(served, hook)["waiting_since"] is None)
    heard = [one.id for one in receiver.heard]
    assert len(heard) > len(set(heard)) == 6
    tries = done(served.get(path(hook, "deliveries"), "sue"))["deliveries"]
    assert {one["status"] for one in tries} == {204, 302, 503, None}
    assert [one["event"] for one in tries if one["error"] is None][::-1] == receiver.ids(link)


def test_a_receiver_that_fails_is_shown_with_its_error_and_its_lag(
    served: Served, receiver: Receiver
) -> None:
    link = served.next_link()
    receiver.behave = lambda: FAILS
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01")
    until(lambda: lane(served, hook)["attempts"] > 1)
    found = lane(served, hook)
    assert found["error"] == "it answered 503"
    assert found["lag_ms"] > 0
    assert found["failing_since"] <= found["next_attempt"]
    receiver.behave = lambda: TAKES
    until(lambda: lane(served, hook)["error"] is None)
    assert lane(served, hook)["lag_ms"] == 0


def test_a_receiver_that_is_gone_is_paused(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    receiver.behave = lambda: GONE
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 2)
    until(lambda: done(served.get(path(hook), "sue"))["paused"] == "gone")
    assert len(receiver.heard) == 1
    receiver.behave = lambda: TAKES
    done(served.post(path(hook, "resume"), "sue"))
    assert len(taken(receiver, link, 2)) == 2


# Paused, and replayed


def test_after_a_pause_was_answered_not_one_event_is_sent(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 2)
    taken(receiver, link, 2)
    receiver.behave = lambda: HANGS
    turn(served, f"{link}-stud-01")
    until(lambda: len(receiver.heard) == 3)  # it is being sent
    assert done(served.post(path(hook, "pause"), "tom"))["paused_by"] == "tom"
    receiver.behave = lambda: TAKES
    turn(served, f"{link}-stud-02", 4)
    other = made(served, receiver, link, name="Another")
    turn(served, f"{link}-stud-02", 2)  # which the other one hears, so that the first would have
    until(lambda: len(receiver.heard) == 5)
    done(served.post(path(other, "pause"), "sue"))
    assert lane(served, hook)["waiting_since"] is not None
    refused(served.post(path(hook, "test"), "sue"), 409, "webhook_paused")
    assert len(receiver.heard) == 5
    done(served.post(path(hook, "resume"), "sue"))
    assert len(taken(receiver, link, 9)) == 9
    sequences = [one.body["sequence"] for one in receiver.heard[5:]]
    assert sequences == sorted(sequences)


def test_a_replay_sends_the_same_events_again(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    turn(served, f"{link}-stud-01", 2)
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 3)
    first = taken(receiver, link, 3)
    since = {"link": link, "sequence": first[1]["sequence"]}
    assert done(served.post(path(hook, "replay"), "sue", since))["lanes"] == {link: first[1]["sequence"] - 1}
    until(lambda: len(receiver.heard) == 5)
    assert [one.raw for one in receiver.heard[3:]] == [one.raw for one in receiver.heard[1:3]]
    done(served.post(path(hook, "replay"), "sue", {"from": first[2]["at"]}))
    until(lambda: len(receiver.heard) == 6)
    assert receiver.heard[-1].id == first[2]["id"]
    done(served.post(path(hook, "replay"), "sue", {"from": "2000-01-01T00:00:00Z"}))
    before = [one["kind"] for one in journal(served, link) if one["sequence"] < first[0]["sequence"]]
    until(lambda: len(receiver.firsts(link)) == 3 + len(before) - before.count("HouseTimeBroke"))


def test_a_replay_never_leaves_anything_out(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    receiver.behave = lambda: FAILS
    hook = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 2)
    stands = lane(served, hook)["sequence"]
    last = journal(served, link)[-1]["sequence"]
    ahead = done(served.post(path(hook, "replay"), "sue", {"link": link, "sequence": last + 100}))
    assert ahead["lanes"] == {link: stands}


# Secrets and addresses


def test_after_a_change_of_secret_both_sign(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    hook = made(served, receiver, link)
    renewed = done(served.post(path(hook, "secret"), "sue"))
    assert renewed["webhook"]["secrets"] == 2
    assert renewed["secret"] != hook["secret"]
    done(served.post(path(hook, "test"), "sue"))
    [heard] = receiver.heard
    assert heard.body["type"] == "webhook.test"
    assert signed_by(hook["secret"], heard)
    assert signed_by(renewed["secret"], heard)
    assert not signed_by("whsec_" + "A" * 44, heard)


def test_a_test_event_tells_what_came_of_it(served: Served, receiver: Receiver) -> None:
    hook = made(served, receiver, served.next_link())
    assert done(served.post(path(hook, "test"), "sue"))["status"] == 204
    receiver.behave = lambda: FAILS
    assert done(served.post(path(hook, "test"), "sue"))["error"] == "it answered 503"
    receiver.stop()
    assert done(served.post(path(hook, "test"), "sue"))["status"] is None
    assert [one["type"] for one in done(served.get(path(hook, "deliveries"), "ada"))["deliveries"]] == [
        "webhook.test"
    ] * 3


def test_a_secret_is_shown_once_and_a_repeated_request_makes_one_webhook(
    served: Served, receiver: Receiver
) -> None:
    body = {"name": "Once", "url": receiver.url, "links": [served.next_link()]}
    again = {"headers": {"Idempotency-Key": "once"}}
    first = done(served.post("/v1/webhooks", "sue", body, **again))
    second = done(served.post("/v1/webhooks", "sue", body, **again))
    assert first["secret"].startswith("whsec_")
    assert second == first | {"secret": None}
    refused(served.post("/v1/webhooks", "sue", body | {"name": "Twice"}, **again), 409, "key_used")
    listed = served.get("/v1/webhooks", "ada").text
    assert "whsec_" not in listed
    audit = served.get("/v1/audit", "ada", params={"limit": 100}).text
    assert "make_webhook" in audit
    assert "whsec_" not in audit


@pytest.mark.parametrize(
    ("url", "code"),
    [
        ("ftp://example.com/", "address_wrong"),
        ("file:///etc/passwd", "address_wrong"),
        ("javascript:alert(1)", "address_wrong"),
        ("https://", "address_wrong"),
        ("monitor.example", "address_wrong"),
        ("https://sue:secret@example.com/", "address_wrong"),
        ("https://example.com/#there", "address_wrong"),
        ("http://exa mple.com/", "address_wrong"),
        ("http://xn--/", "address_wrong"),
        ("http://93.184.216.34:0/", "address_wrong"),
        ("http://93.184.216.34:65536/", "address_wrong"),
        ("http://127.0.0.2/", "address_refused"),
        ("http://2130706434/", "address_refused"),
        ("http://[::1]/", "address_refused"),
        ("http://[::ffff:10.0.0.1]/", "address_refused"),
        ("http://[64:ff9b::a9fe:a9fe]/", "address_refused"),
        ("http://169.254.169.254/latest/meta-data", "address_refused"),
        ("http://[fe80::1]/", "address_refused"),
        ("http://[fd00:ec2::254]/", "address_refused"),
        ("http://[fec0::1]/", "address_refused"),
        ("http://[::127.0.0.1]/", "address_refused"),
        ("http://[::ffff:0:10.0.0.1]/", "address_refused"),
        ("http://[64:ff9b:1::a9fe:a9fe]/", "address_refused"),
        ("http://10.1.2.3/", "address_refused"),
        ("http://192.168.0.1/", "address_refused"),
        ("http://100.64.0.1/", "address_refused"),
        ("http://0.0.0.0/", "address_refused"),
        ("http://224.0.0.1/", "address_refused"),
        ("http://nowhere.invalid/", "address_unknown"),
    ],
)
def test_where_nothing_may_be_sent_no_webhook_is_made(served: Served, url: str, code: str) -> None:
    problem = refused(served.post("/v1/webhooks", "sue", {"name": "Bad", "url": url}), 422, code)
    assert problem["field"] == "url"


@pytest.mark.parametrize(
    "body",
    [
        {"name": "", "url": "https://example.com/"},
        {"name": " ", "url": "https://example.com/"},
        {"name": "x\u202ey", "url": "https://example.com/"},
        {"name": "x", "url": "https://example.com/", "topics": []},
        {"name": "x", "url": "https://example.com/", "topics": ["everything"]},
        {"name": "x", "url": "https://example.com/", "links": []},
        {"name": "x", "url": "https://example.com/", "secret": "mine"},
        {"url": "https://example.com/"},
    ],
)
def test_a_webhook_that_is_not_whole_is_refused(served: Served, body: Json) -> None:
    refused(served.post("/v1/webhooks", "sue", body), 422)


def test_of_a_link_that_is_not_there_nobody_can_hear(served: Served, receiver: Receiver) -> None:
    body = {"name": "x", "url": receiver.url, "links": ["nowhere"]}
    refused(served.post("/v1/webhooks", "sue", body), 404, "link_unknown")


@pytest.mark.parametrize(
    "body",
    [
        {},
        {"sequence": 5},
        {"link": "link-0"},
        {"sequence": 0, "link": "link-0"},
        {"from": "yesterday"},
        {"sequence": 1, "link": "link-0", "from": "2026-01-01T00:00:00Z"},
    ],
)
def test_a_replay_says_from_where(served: Served, receiver: Receiver, body: Json) -> None:
    hook = made(served, receiver, "link-0")
    refused(served.post(path(hook, "replay"), "sue", body), 422)
    done(served.call("DELETE", path(hook), "sue"))


def test_what_is_deleted_is_told_nothing_and_known_no_more(served: Served, receiver: Receiver) -> None:
    link = served.next_link()
    hook = made(served, receiver, link)
    assert done(served.call("DELETE", path(hook), "sue")) == {"deleted": hook["webhook"]["id"]}
    turn(served, f"{link}-stud-01", 2)
    other = made(served, receiver, link)
    turn(served, f"{link}-stud-01", 2)
    taken(receiver, link, 2)
    assert lane(served, other)["error"] is None
    assert len(receiver.heard) == 2
    for tail in ("", "deliveries"):
        refused(served.get(path(hook, tail), "sue"), 404, "webhook_unknown")
    for tail in ("pause", "resume", "test", "secret"):
        refused(served.post(path(hook, tail), "sue"), 404, "webhook_unknown")
    refused(served.call("DELETE", path(hook), "sue"), 404, "webhook_unknown")
