"""The table controller's client: its clock, its spool, its patience and its fallback.

In virtual time, with the service in this process; two tests at the end speak over real connections.
"""

from __future__ import annotations

import asyncio
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from email.utils import formatdate
from pathlib import Path
from typing import Any

import msgspec
import pytest

from jackpot.client import (
    BadInput,
    Bets,
    BetsAnswer,
    Clocks,
    Conflict,
    Game,
    Hand,
    NotAllowed,
    NotAuthenticated,
    Patience,
    SpoolUnusable,
    SyncTableClient,
    TableClient,
    Unknown,
    Unreachable,
)
from jackpot.client.clock import TableClock
from jackpot.client.spool import Spool
from jackpot.core.instants import SECOND, spoken_instant
from jackpot.core.refusals import TableUnknown
from jackpot.play.status import NOTICE_OFF
from tests.table_player import ONE_TRY, PATIENT
from tests.talking import NEVER, WAY, Heard, Reply, Talking, listening
from tests.virtual_time import START, clocks, now, passed

pytestmark = pytest.mark.virtual_time

BETS = [Bets(box=1, ante=2500, progressive=500), Bets(box=2, ante=2500, progressive=500)]
ROYAL = ("Ah", "Kh", "Qh", "Jh", "10h")
STRAIGHT_FLUSH = ("9c", "8c", "7c", "6c", "5c")
QUADS = ("9c", "9d", "9h", "9s", "5c")
SHORT = Patience(whole=0.5, attempt=0.2, first_wait=0.01, longest_wait=0.05)
METER = {"value": 5_000_005, "sequence": 40}
WAY_BACK = round(WAY * SECOND)


# The clock


def test_the_tables_clock_never_falls() -> None:
    wall, steady = [5_000_000_000], [0]
    clock = TableClock(Clocks(wall=lambda: wall[0], steady=lambda: steady[0]), last=7_000_000)
    assert clock.now() == 7_000_000
    wall[0], steady[0] = 0, 2_000
    assert clock.now() == 7_000_002


@pytest.mark.parametrize(("ahead", "after"), [(59, 59), (61, 0), (10**9, 0), (-5, 0)])
def test_a_clock_that_was_far_ahead_is_believed_once_it_is_corrected(ahead: int, after: int) -> None:
    corrected = Clocks(wall=lambda: 1_000 * SECOND * 1000, steady=lambda: 0)
    clock = TableClock(corrected, last=(1_000 + ahead) * SECOND)
    assert clock.now() == (1_000 + after) * SECOND


# The spool


def test_what_was_put_is_there_again_in_order_after_a_kill(tmp_path: Path) -> None:
    code = (
        "import os, sys; from pathlib import Path; from jackpot.client.spool import Spool\n"
        "spool = Spool(Path(sys.argv[1]), 't'); spool.know('seq', 7)\n"
        "for round in (1, 2, 3): spool.put('bets', round, 10 * round, {'boxes': []}, tried=True)\n"
        "os.kill(os.getpid(), 9)"
    )
    file = tmp_path / "spool.db"
    assert subprocess.run([sys.executable, "-c", code, str(file)], check=False).returncode == -9
    spool = Spool(file, "t")
    assert [one.round for one in spool.waiting(9)] == [1, 2, 3]
    assert spool.recall("seq", int) == 7
    assert spool.last_stamp() == 30
    spool.close()


def test_what_is_done_together_is_done_or_not(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.db", "t")
    with pytest.raises(RuntimeError), spool.together():  # noqa: PT012
        spool.put("bets", 1, 1, {}, tried=True)
        raise RuntimeError
    assert spool.empty
    spool.close()


def test_a_spool_has_one_owner(tmp_path: Path) -> None:
    spool = Spool(tmp_path / "spool.db", "t")
    with pytest.raises(SpoolUnusable):
        Spool(tmp_path / "spool.db", "t")
    spool.close()
    with pytest.raises(SpoolUnusable, match="table t"):
        Spool(tmp_path / "spool.db", "other")
    Spool(tmp_path / "spool.db", "t").close()
    with pytest.raises(SpoolUnusable, match="opened"):
        Spool(tmp_path / "nowhere" / "spool.db", "t")
    (tmp_path / "text").write_text("this is no database, and long enough to be seen as none" * 20)
    with pytest.raises(SpoolUnusable):
        Spool(tmp_path / "text", "t")


def _filled(file: Path) -> None:
    spool = Spool(file, "stud-01")
    with spool.together():
        for number in range(300):
            spool.put("bets", number, number, {"boxes": [{"box": 1, "ante": 2500}] * 7}, tried=False)
    spool.close()


def test_a_damaged_spool_says_so(tmp_path: Path) -> None:
    file = tmp_path / "spool.db"
    _filled(file)
    whole = file.read_bytes()
    file.write_bytes(whole[:8192] + bytes(byte ^ 0x5A for byte in whole[8192:]))
    with pytest.raises(SpoolUnusable) as unusable:
        Spool(file, "stud-01").waiting(300)
    assert isinstance(unusable.value.__cause__, sqlite3.Error)


@pytest.mark.parametrize("name", ["round", "meter", "offline", "stamp", "table"])
def test_a_spool_that_knows_nonsense_says_so(tmp_path: Path, name: str) -> None:
    spool = Spool(tmp_path / "spool.db", "stud-01")
    spool.know(name, {"number": "x"})
    spool.close()
    with pytest.raises(SpoolUnusable):
        TableClient("http://127.0.0.1:1", "stud-01", "secret", Game.CASINO_STUD, tmp_path / "spool.db")
    with sqlite3.connect(tmp_path / "spool.db") as free:
        free.execute("BEGIN EXCLUSIVE")


async def test_a_full_disk_says_so_and_leaves_the_table_where_it_was(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, [], final=True)
        floor.away = True
        await table.close_bets(2, BETS)
        (pages,) = table._spool._connection.execute("PRAGMA page_count").fetchone()
        table._spool._connection.execute(f"PRAGMA max_page_count={pages}")
        with pytest.raises(SpoolUnusable, match="full") as unusable:  # noqa: PT012
            for number in range(3, 400):
                await table.close_bets(number, BETS)
        assert isinstance(unusable.value.__cause__, sqlite3.Error)
        waiting = [one.round for one in table._spool.waiting(999) if one.kind == "bets"]
        assert table.last_round == waiting[-1]
        table._spool._connection.execute("PRAGMA max_page_count=100000")
        assert (await table.close_bets(table.last_round + 1, BETS)).local


# A service that can be made to fail


class Floor:
    """Answers as the service does when all is well; `fails` says otherwise."""

    def __init__(self) -> None:
        self.fails: Callable[[Heard], Reply | None] | None = None
        self.away = False
        self.replied: list[int] = []
        """When it gave its answers."""

    def __call__(self, heard: Heard) -> Reply | None:
        if self.away:
            return None
        failing = self.fails(heard) if self.fails is not None else None
        if failing is not None:
            return None if failing.status == 0 else failing
        return Reply(200, self._answer(heard))

    def _answer(self, heard: Heard) -> Any:
        kind = heard.path.rsplit("/", 1)[1]
        if kind == "events":
            told = [self._told(one["kind"], one["round"], one) for one in heard.body["events"]]
            return {"answers": [{"status": 200, "answer": one} for one in told]}
        if kind == "heartbeat":
            state = {"table_state": "in_play", "progressive": "on", "notice": None}
            return self._stamped({"received_at": spoken_instant(now()), **state})
        return self._told(kind, int(heard.path.split("/")[-2]), heard.body)

    def _stamped(self, answer: Any) -> Any:
        self.replied.append(now())
        return {**answer, "meter": METER, "replied_at": spoken_instant(self.replied[-1])}

    def _told(self, kind: str, round: int, body: Any) -> Any:
        if kind == "bets":
            taken = [{"box": one["box"], "progressive": one.get("progressive", 0)} for one in body["boxes"]]
            accepted = [one for one in taken if one["progressive"]]
            common = {"table": "stud-01", "round": round, "state": "bets_closed", "returned": []}
            return self._stamped({**common, "accepted": accepted})
        return self._stamped({"state": "settled" if kind == "hands" else "voided", "results": []})


@pytest.fixture
def floor() -> Floor:
    return Floor()


def client(server: Talking, tmp_path: Path, **more: Any) -> TableClient:
    settings: dict[str, Any] = {"heartbeat_every": None, "patience": SHORT, "boxes": 7}
    settings |= {"transport": server, "clocks": clocks()} | more
    return TableClient(server.url, "stud-01", "secret", Game.CASINO_STUD, tmp_path / "spool.db", **settings)


async def back(table: TableClient) -> None:
    """Until it has told the service everything; a minute at most."""
    async with asyncio.timeout(60):
        while table.offline:
            await asyncio.sleep(0.02)


def problem(status: int, code: str, **more: Any) -> Reply:
    content = {"Content-Type": "application/problem+json"}
    return Reply(status, {"code": code, "detail": "so it is", **more}, content)


async def test_an_attempt_that_failed_is_made_again_in_the_same_words(floor: Floor, tmp_path: Path) -> None:
    """Number, first `sent_at` and echo too: what is said again is not newer."""
    bad = [Reply(0, None), problem(503, "busy"), Reply(200, b"<html>"), problem(500, "internal_error")]
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.heartbeat()
        floor.fails = lambda _: bad.pop() if bad else None
        sent_at = table.now()
        answer = await table.close_bets(1, BETS)
    assert not answer.local
    assert [one.progressive for one in answer.accepted] == [500, 500]
    said = [one.body for one in server.heard[1:]]
    assert len(said) == 5
    assert (said[0]["seq"], said[0]["sent_at"]) == (1, spoken_instant(sent_at))
    assert said[0]["echo"]["replied_at"] == spoken_instant(floor.replied[0])
    assert all(one == said[0] for one in said)
    assert {one.token for one in server.heard} == {"Bearer secret"}


async def test_an_attempt_without_an_answer_is_given_up_for_another(floor: Floor, tmp_path: Path) -> None:
    silent = [Reply(200, None, after=NEVER), Reply(200, None, after=SHORT.attempt)]
    floor.fails = lambda _: silent.pop() if silent else None
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        assert not (await table.close_bets(1, BETS)).local
    assert len(server.heard) == 3
    assert 2 * SHORT.attempt < passed() < SHORT.whole


async def test_patience_ends_when_it_was_to_end(floor: Floor, tmp_path: Path) -> None:
    floor.fails = lambda _: Reply(200, None, after=NEVER)
    async with client(Talking(floor), tmp_path) as table:
        assert (await table.close_bets(1, BETS)).local
        assert passed() == pytest.approx(SHORT.whole)


IN_TWO_SECONDS = formatdate(START // SECOND + 2, usegmt=True)


@pytest.mark.parametrize(
    ("after", "answered"), [("1", 1 + 4 * WAY), (IN_TWO_SECONDS, 2 + 2 * WAY)], ids=["seconds", "date"]
)
async def test_retry_after_is_respected(floor: Floor, tmp_path: Path, after: str, answered: float) -> None:
    bad = [Reply(429, {"code": "too_many_requests"}, {"Retry-After": after})]
    floor.fails = lambda _: bad.pop() if bad else None
    patience = Patience(whole=5, attempt=1, first_wait=0.01)
    server = Talking(floor)
    async with client(server, tmp_path, patience=patience) as table:
        assert not (await table.close_bets(1, BETS)).local
    assert passed() == pytest.approx(answered)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, NotAuthenticated), (403, NotAllowed), (404, Unknown), (409, Conflict), (422, BadInput)],
)
async def test_a_refusal_is_raised_with_code_rule_and_field(
    floor: Floor, tmp_path: Path, status: int, kind: type[Exception]
) -> None:
    floor.fails = lambda _: problem(status, "some_code", rule="5.8", field="boxes[0].box")
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        with pytest.raises(kind) as refused:
            await table.void_round(1, "5.8.1")
    error: Any = refused.value
    assert (error.code, error.rule, error.field, error.status) == ("some_code", "5.8", "boxes[0].box", status)
    assert len(server.heard) == 1


async def test_what_another_than_the_service_refuses_is_not_refused(floor: Floor, tmp_path: Path) -> None:
    bad = [Reply(403, {"error": "no route"}, {"Content-Type": "application/json"}), Reply(404, {"code": "x"})]
    floor.fails = lambda _: bad.pop() if bad else None
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        assert not (await table.close_bets(1, BETS)).local
    assert len(server.heard) == 3


async def test_a_refused_message_gives_its_number_back(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.fails = lambda _: problem(422, "card_repeated")
        with pytest.raises(BadInput):
            await table.report_hands(1, [])
        floor.fails = None
        await table.report_hands(1, [], final=True)
    later = Talking(floor)
    async with client(later, tmp_path) as table:
        await table.close_bets(2, BETS)
    assert [one.body["seq"] for one in server.heard] == [1, 2, 2]
    assert later.heard[0].body["seq"] == 3


async def test_a_new_spool_goes_on_with_the_number_the_service_expects(floor: Floor, tmp_path: Path) -> None:
    floor.fails = lambda heard: problem(409, "seq_passed", expected=58) if heard.body["seq"] < 58 else None
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, [], final=True)
    assert [one.body["seq"] for one in server.heard] == [1, 58, 59]
    assert server.heard[0].body["sent_at"] == server.heard[1].body["sent_at"]


async def test_a_gap_is_told_and_not_papered_over(floor: Floor, tmp_path: Path) -> None:
    floor.fails = lambda _: problem(409, "gap", expected=3)
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        with pytest.raises(Conflict) as refused:
            await table.close_bets(1, BETS)
    assert refused.value.expected == 3
    assert len(server.heard) == 1


async def test_heartbeats_go_by_the_number_of_the_last_message(floor: Floor, tmp_path: Path) -> None:
    """So that a clock which was set back can go on."""
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.heartbeat()
        await table.close_bets(1, BETS)
        await table.heartbeat()
        floor.fails = lambda heard: (
            problem(409, "seq_passed", expected=58) if heard.body["seq"] < 57 else None
        )
        await table.heartbeat()
        await table.report_hands(1, [], final=True)
    assert [one.body["seq"] for one in server.heard] == [0, 1, 1, 1, 57, 58]


# The controller's promise


async def test_every_message_echoes_the_answer_heard_before_it(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.heartbeat()
        await asyncio.sleep(0.5)
        await table.close_bets(1, BETS)
        await table.report_hands(1, [Hand(box=1, cards=QUADS)])
        await table.void_round(1, "5.8.1")
        await table.heartbeat()
    first, *later = server.heard
    assert "echo" not in first.body
    assert [one.body["echo"] for one in later] == [
        {"replied_at": spoken_instant(replied), "heard_at": spoken_instant(replied + WAY_BACK)}
        for replied in floor.replied[:-1]
    ]
    assert all(one.body["echo"]["heard_at"] <= one.body["sent_at"] for one in later)


async def test_after_a_replay_the_answer_to_its_last_event_is_echoed(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, [Hand(box=1, cards=QUADS)], final=True)
        floor.away = False
        await table.heartbeat()
    assert server.taken[-2].path.endswith("/events")
    assert server.heard[-1].body["echo"]["replied_at"] == spoken_instant(floor.replied[-2])


async def test_a_controller_started_anew_echoes_nothing_that_an_earlier_run_heard(
    floor: Floor, tmp_path: Path
) -> None:
    """Its clock may be another one."""
    for _ in range(2):
        server = Talking(floor)
        async with client(server, tmp_path) as table:
            await table.close_bets(table.last_round + 1, BETS)
            await table.report_hands(table.last_round, [], final=True)
        assert ["echo" in one.body for one in server.heard] == [False, True]


@pytest.mark.parametrize("stamp", ["soon", "", "2026-01-01T00:00:00", None])
async def test_a_stamp_that_is_no_time_is_not_echoed(floor: Floor, tmp_path: Path, stamp: str | None) -> None:
    """The service would refuse the message that carries it, and every later one."""
    state = {"table_state": "in_play", "progressive": "on", "notice": None, "meter": METER}
    floor.fails = lambda _: Reply(200, {"received_at": "soon", "replied_at": stamp, **state})
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        for _ in range(2):
            await table.heartbeat()
    assert ["echo" in one.body for one in server.heard] == [False, False]


async def test_a_table_claims_nothing_of_its_clock(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=0.1) as table:
        await asyncio.sleep(0.5)
        await table.close_bets(1, BETS)
    assert len(server.said_to("heartbeat")) > 3
    assert not any("clock" in one.body for one in server.heard)


async def test_bets_are_told_as_closed_when_the_dealer_closed_them(floor: Floor, tmp_path: Path) -> None:
    """Meanwhile the table goes on to live: its heartbeats say nothing of an order."""
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=0.1) as table:
        closed_at = table.no_more_bets()
        await asyncio.sleep(0.5)
        assert len(server.said_to("heartbeat")) > 3
        assert table.no_more_bets() == closed_at
        await table.close_bets(1, BETS)
        await table.report_hands(1, [], final=True)
        await asyncio.sleep(0.5)
        later = await _closed_at(server, table, 2)
    (first, _) = server.said_to("bets")
    assert first["closed_at"] == spoken_instant(closed_at) < first["sent_at"]
    assert first["sent_at"] < later


async def _closed_at(server: Talking, table: TableClient, round: int) -> str:
    await table.close_bets(round, BETS)
    return str(server.said_to("bets")[-1]["closed_at"])


async def test_reopened_bets_are_closed_when_they_are_closed_again(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        first = table.no_more_bets()
        table.reopen_bets()
        await asyncio.sleep(0.5)
        assert await _closed_at(server, table, 1) == spoken_instant(first + SECOND // 2)


# The fallback


async def test_bets_that_nobody_answers_are_void_and_replayed_as_such(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.heartbeat()
        floor.away = True
        answer = await table.close_bets(4, BETS)
        assert (answer.state, answer.local, answer.accepted) == ("voided", True, ())
        assert [(one.box, one.wager, one.amount, one.code, one.rule) for one in answer.returned] == [
            (1, "progressive", 500, "round_voided", "5.22"),
            (1, "ante", 2500, "round_voided", "5.22"),
            (2, "progressive", 500, "round_voided", "5.22"),
            (2, "ante", 2500, "round_voided", "5.22"),
        ]
        assert table.offline
        assert [table.notice] == [NOTICE_OFF]
        floor.away = False
        await table.heartbeat()
        assert [table.notice] == [None]
    bets, void = server.said_to("events")
    assert bets["offline"] is None
    assert [one["kind"] for one in bets["events"]] == ["bets"]
    assert void["offline"]["cards_seen"] is False
    assert void["offline"]["round"] == 4
    assert void["offline"]["registered"] == METER
    assert [(one["kind"], one["reason"], one["seq"]) for one in void["events"]] == [("void", "5.17", 2)]


async def test_a_seen_round_is_finished_on_the_last_registered_value(floor: Floor, tmp_path: Path) -> None:
    hands = [Hand(box=1, cards=STRAIGHT_FLUSH), Hand(box=2, cards=ROYAL)]
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        answer = await table.report_hands(1, hands, final=True)
        assert (answer.state, answer.local) == ("settled", True)
        assert answer.meter is not None
        assert answer.meter.value == METER["value"]
        assert [(one.hand, one.level, one.promised, one.award) for one in answer.results] == [
            ("straight_flush", "major", 500_001, None),
            ("royal_flush", "major", 4_500_004, None),
        ]
        off = await table.close_bets(2, BETS)
        assert (off.state, off.accepted) == ("bets_closed", ())
        assert {(one.amount, one.code, one.rule) for one in off.returned} == {
            (500, "progressive_off", "5.18.2c")
        }
        nothing = await table.report_hands(2, [Hand(box=1, cards=QUADS)], final=True)
        assert [(one.hand, one.level, one.award) for one in nothing.results] == [
            ("four_of_a_kind", None, None)
        ]
        floor.away = False
        await table.heartbeat()
        assert [message.kind for message, _ in table.delivered] == ["hands", "bets", "hands"]
    (said,) = server.said_to("events")
    assert (said["offline"]["cards_seen"], said["offline"]["round"]) == (True, 1)
    assert [(one["kind"], one["round"], one["seq"]) for one in said["events"]] == [
        ("hands", 1, 2),
        ("bets", 2, 3),
        ("hands", 2, 4),
    ]
    assert [box["progressive"] for box in said["events"][1]["boxes"]] == [0, 0]


async def test_while_a_win_waits_a_major_is_promised_from_what_that_leaves(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """S 5.18.1: the value on the sign is the waiting win's; also after a restart."""
    monkeypatch.setitem(METER, "next", 4_000_000)
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
    async with client(server, tmp_path) as table:
        floor.away = True
        answer = await table.report_hands(1, [Hand(box=1, cards=STRAIGHT_FLUSH)], final=True)
        assert answer.results[0].promised == 400_000
        floor.away = False
        await table.heartbeat()
    assert server.said_to("events")[0]["offline"]["registered"] == METER


async def test_minors_of_a_seen_round_are_paid_at_their_odds(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        answer = await table.report_hands(1, [Hand(box=1, cards=QUADS)])
        assert (answer.state, answer.results[0].award) == ("bets_closed", 200_000)
        both = [Hand(box=1, cards=QUADS), Hand(box=2, revealed=False)]
        assert (await table.report_hands(1, both)).state == "hands_known"


async def test_the_main_game_of_a_seen_round_is_settled_as_the_service_would(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path, maximum=2000) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        hands = [Hand(box=1, cards=QUADS, bet=5000), Hand(box=2, cards=ROYAL, folded=True)]
        answer = await table.report_hands(1, hands, dealer=["Ac", "Kd", "8h", "4s", "3c"])
        assert [(one.box, one.wager, one.payout, one.rule) for one in answer.settlement] == [
            (1, "ante", 500, "5.1.1"),
            (1, "ante", 4000, "3.14.1"),
            (1, "bet", 1000, "5.3.1"),
            (1, "bet", 84_000, "3.14.1"),
            (2, "ante", 500, "5.1.1"),
            (2, "ante", 0, "3.12.1"),
        ]
        void = await table.void_round(1, "5.8.3")
        assert {(one.outcome, one.rule) for one in void.settlement} == {("returned", "5.22")}
        assert [(one.box, one.wager, one.difference) for one in void.adjustments] == [
            (1, "ante", -2000),
            (1, "bet", -80_000),
            (2, "ante", 2000),
        ]


async def test_a_main_game_that_cannot_be_is_refused_without_the_service_too(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        with pytest.raises(BadInput, match="decision_contradictory"):
            await table.report_hands(1, [Hand(box=1, cards=QUADS, bet=5000, folded=True)])


@pytest.mark.parametrize("after_outage", [False, True])
async def test_bets_that_cannot_be_are_refused_without_the_service_too(
    floor: Floor, tmp_path: Path, after_outage: bool
) -> None:
    wrong = {
        "box_repeated": [Bets(box=1, ante=2500), Bets(box=1, ante=2500)],
        "box_unknown": [Bets(box=8, ante=2500)],
        "amount_negative": [Bets(box=1, ante=-1)],
        "amount_too_large": [Bets(box=1, ante=2500, bonus=10**12 + 1)],
    }
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.heartbeat()
        floor.away = True
        if after_outage:
            await table.close_bets(1, BETS)
        for code, boxes in wrong.items():
            with pytest.raises(BadInput) as refused:
                await table.close_bets(2, boxes)
            assert (refused.value.code, refused.value.status) == (code, 422)
            assert refused.value.field is not None
        assert table.last_round == (1 if after_outage else 0)
        floor.away = False
        table.reopen_bets()
        await table.heartbeat()
        assert table.refused() == []
        assert {one.round for one, _ in table.delivered} == ({1} if after_outage else set())


async def test_what_a_later_message_does_not_say_of_the_chips_is_not_forgotten(
    floor: Floor, tmp_path: Path
) -> None:
    said = [Hand(box=1, cards=QUADS, bet=5000), Hand(box=2, cards=ROYAL, bet=5000)]
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, said)
        floor.fails = lambda _: Reply(200, {"state": "hands_known", "results": [], "meter": METER})
        await table.report_hands(1, [Hand(box=1, cards=QUADS)], dealer=["Ac"])
    async with client(server, tmp_path) as table:
        floor.away = True
        hands = [Hand(box=1, cards=QUADS), Hand(box=2, cards=ROYAL, folded=True)]
        answer = await table.report_hands(1, hands, dealer=["Ac", "Kd", "8h", "4s", "3c"])
        assert [(one.box, one.wager, one.stake) for one in answer.settlement] == [
            (1, "ante", 2500),
            (1, "bet", 5000),
            (2, "ante", 2500),
        ]
        void = await table.void_round(1, "5.8.3")
        assert sum(one.payout for one in void.settlement) == 2500 + 5000 + 2500


async def test_a_box_that_a_later_message_leaves_out_keeps_its_chips(floor: Floor, tmp_path: Path) -> None:
    said = [Hand(box=1, cards=QUADS, bet=5000), Hand(box=2, cards=ROYAL, bet=5000)]
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, said)
        await table.report_hands(1, said[:1])
        void = await table.void_round(1, "5.8.3")
        assert [(one.box, one.wager, one.payout) for one in void.settlement] == [
            (1, "ante", 2500),
            (1, "bet", 5000),
            (2, "ante", 2500),
            (2, "bet", 5000),
        ]


async def test_a_report_that_only_says_it_is_final_keeps_the_hands_also_without_the_service(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        said = [Hand(box=1, cards=QUADS, bet=5000), Hand(box=2, cards=ROYAL, folded=True)]
        told = await table.report_hands(1, said, dealer=["Ac", "Kd", "8h", "4s", "3c"])
        final = await table.report_hands(1, [], final=True)
    assert told.settlement
    assert (final.state, final.settlement, final.adjustments) == ("settled", told.settlement, ())
    assert [(one.box, one.hand) for one in final.results] == [(one.box, one.hand) for one in told.results]


async def test_an_unseen_round_that_cannot_be_void_leaves_nothing_behind(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        with pytest.raises(Unknown, match="round_unknown"):
            await table.report_hands(9, [Hand(box=1, cards=QUADS)], cards_seen=False)
        assert table._spool.empty
        assert not table.offline


async def test_an_unseen_round_is_void_even_if_the_shoe_reports_it(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        answer = await table.report_hands(1, [Hand(box=1, cards=QUADS)], cards_seen=False)
        assert (answer.state, answer.local, len(answer.returned)) == ("voided", True, 4)
        with pytest.raises(Conflict, match="round_voided"):
            await table.report_hands(1, [Hand(box=1, cards=QUADS)])
        floor.away = False
        await table.heartbeat()
    (said,) = server.said_to("events")
    assert [one["kind"] for one in said["events"]] == ["void"]
    assert said["offline"]["cards_seen"] is False


async def test_bets_left_over_by_a_killed_controller_are_void_if_nobody_answers(
    floor: Floor, tmp_path: Path
) -> None:
    spool = Spool(tmp_path / "spool.db", "stud-01")
    boxes = [{"box": 1, "ante": 2500, "progressive": 500}]
    closed = {"closed_at": spoken_instant(1_000 * SECOND), "boxes": boxes}
    spool.put("bets", 9, 1_000 * SECOND, closed, tried=True)
    spool.close()
    floor.away = True
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        assert (table.offline, table.last_round) == (True, 9)
        ((message, answer),) = table.delivered
        assert isinstance(answer, BetsAnswer)
        assert (message.round, answer.state, answer.local) == (9, "voided", True)
        with pytest.raises(Conflict, match="round_voided"):
            await table.report_hands(9, [])
    floor.away = False
    async with client(server, tmp_path) as table:
        assert [(one.kind, one.round) for one, _ in table.delivered] == [("bets", 9), ("void", 9)]


async def test_a_replay_that_is_cut_short_leaves_the_table_where_it_was(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        floor.away = True
        assert (await table.close_bets(1, BETS)).state == "voided"
        await table.close_bets(2, BETS)
        floor.away = False
        floor.fails = lambda heard: Reply(0, None) if heard.body.get("offline") else None
        told = await table.report_hands(2, [Hand(box=1, cards=QUADS)], final=True)
        assert (told.local, table.last_round) == (True, 2)
        assert [len(one["events"]) for one in server.said_to("events")] == [1]
        floor.fails = None
        await table.heartbeat()
        assert [one.kind for one, _ in table.delivered] == ["bets", "void", "bets", "hands"]


async def test_a_long_spool_is_replayed_in_parts(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=0.05) as table:
        floor.away = True
        await asyncio.sleep(0.8)
        for number in range(1, 81):
            assert (await table.close_bets(number, BETS)).local
        floor.away = False
        await back(table)
    parts = server.said_to("events")
    assert [len(one["events"]) for one in parts] == [50, 30]
    assert [one["seq"] for part in parts for one in part["events"]] == list(range(1, 81))


@pytest.mark.parametrize(
    ("hands", "code"),
    [
        ([Hand(box=1, cards=ROYAL), Hand(box=2, cards=ROYAL)], "card_repeated"),
        ([Hand(box=1, cards=ROYAL[:4])], "wrong_number_of_cards"),
        ([Hand(box=1, cards=("Ah", "Xx", "Qh", "Jh", "10h"))], "card_unknown"),
        ([Hand(box=3, cards=ROYAL)], "box_not_in_round"),
    ],
)
async def test_impossible_hands_are_refused_without_the_service_too(
    floor: Floor, tmp_path: Path, hands: list[Hand], code: str
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        for _ in range(2):
            with pytest.raises(BadInput) as refused:
                await table.report_hands(1, hands)
            assert refused.value.code == code
        floor.away = False
        await table.heartbeat()
    assert server.said_to("events") == []


async def test_rounds_rise_without_the_service_too(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(3, BETS)
        floor.away = True
        await table.report_hands(3, [Hand(box=1, cards=QUADS)], final=True)
        with pytest.raises(Conflict, match="round_passed"):
            await table.close_bets(3, BETS)
        table.reopen_bets()
        with pytest.raises(Conflict, match="round_stands"):
            await table.void_round(3, "5.8.1")
        with pytest.raises(Unknown, match="round_unknown"):
            await table.report_hands(4, [])
        await table.close_bets(4, BETS)
        with pytest.raises(Conflict, match="round_stands"):
            await table.report_hands(3, [])


async def test_a_replayed_message_that_is_refused_is_kept_for_people_and_frees_its_number(
    floor: Floor, tmp_path: Path
) -> None:
    def refuse_hands(heard: Heard) -> Reply | None:
        if not heard.path.endswith("/events"):
            return None
        told = []
        for one in heard.body["events"]:
            if one["kind"] == "hands":
                told.append({"status": 409, "problem": {"code": "round_voided"}})
                continue
            after = any(other["status"] == 409 for other in told)
            gap = {"status": 409, "problem": {"code": "gap", "expected": 2}}
            told.append(
                gap if after else {"status": 200, "answer": floor._told(one["kind"], one["round"], one)}
            )
        return Reply(200, {"answers": told})

    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, [Hand(box=1, cards=QUADS)], final=True)
        await table.close_bets(2, BETS)
        floor.away, floor.fails = False, refuse_hands
        await table.heartbeat()
        assert [(one.kind, one.round, one.problem) for one in table.refused()] == [
            ("hands", 1, {"code": "round_voided"})
        ]
        table.clear_refused()
        assert table.refused() == []
    first, second = server.said_to("events")
    assert [(one["kind"], one["seq"]) for one in first["events"]] == [("hands", 2), ("bets", 3)]
    assert [(one["kind"], one["seq"]) for one in second["events"]] == [("bets", 2)]
    assert first["offline"] == second["offline"]


async def test_no_heartbeat_passes_what_still_waits(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.fails = lambda heard: None if heard.path.endswith("heartbeat") else Reply(0, None)
        await table.report_hands(1, [Hand(box=1, cards=QUADS)])
        with pytest.raises(Unreachable):
            await table.heartbeat()
    assert server.said_to("heartbeat") == []


async def test_heartbeats_that_fail_for_long_take_the_table_off_at_once(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=0.05) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, [], final=True)
        floor.away = True
        await asyncio.sleep(1)
        began = passed()
        answer = await table.close_bets(2, BETS)
        assert passed() == began
        assert answer.returned[0].code == "progressive_off"
        floor.away = False
        await back(table)
        assert not (await table.report_hands(2, [], final=True)).local
    assert len(server.said_to("events")) == 1


async def test_a_single_lost_heartbeat_does_not_take_the_table_off(floor: Floor, tmp_path: Path) -> None:
    """However long ago it was: nothing has been tried since."""
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=10) as table:
        await asyncio.sleep(9)
        floor.away = True
        await asyncio.sleep(2)
        assert isinstance(table.trouble, Unreachable)
        floor.away = False
        await asyncio.sleep(2 * SHORT.whole)
        answer = await table.close_bets(1, BETS)
        assert (answer.local, len(answer.accepted)) == (False, 2)


@pytest.mark.parametrize(
    "trouble", [sqlite3.OperationalError("disk I/O error"), msgspec.DecodeError("odd"), TableUnknown("odd")]
)
async def test_heartbeats_go_on_whatever_went_wrong(
    floor: Floor, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, trouble: Exception
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path, heartbeat_every=0.05) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, [Hand(box=1, cards=ROYAL)], final=True)
        with monkeypatch.context() as patched:

            def fail(_most: int) -> None:
                raise trouble

            patched.setattr(table._spool, "waiting", fail)
            async with asyncio.timeout(60):
                while table.trouble is not trouble:
                    await asyncio.sleep(0.01)
        floor.away = False
        await back(table)
    assert len(server.said_to("events")) == 1


async def test_a_client_that_cannot_start_gives_its_spool_back(floor: Floor, tmp_path: Path) -> None:
    _filled(tmp_path / "spool.db")
    floor.fails = lambda _: problem(401, "unauthenticated")
    server = Talking(floor)
    with pytest.raises(NotAuthenticated):
        await client(server, tmp_path).__aenter__()
    Spool(tmp_path / "spool.db", "stud-01").close()


async def test_a_controller_killed_when_all_was_said_is_back(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, [Hand(box=1, cards=ROYAL)], final=True)
        promised = table._post.promised
        floor.away = False
        await table.heartbeat()
        table._spool.know("offline", promised)
    async with client(server, tmp_path) as table:
        assert not table.offline
        assert not (await table.close_bets(2, BETS)).local
    async with client(server, tmp_path) as table:
        assert not table.offline


async def test_a_cancelled_call_is_finished_by_the_next_one(floor: Floor, tmp_path: Path) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        floor.away = True
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.1):
                await table.close_bets(1, BETS)
        floor.away = False
        answer = await table.close_bets(1, BETS)
        assert not answer.local
    (events,) = server.said_to("events")
    assert events["offline"] is None
    (left_over,) = events["events"]
    first = server.heard[0].body
    assert left_over == {**first, "kind": "bets", "round": 1}
    assert [(one["boxes"], one["closed_at"]) for one in server.said_to("bets")] == [
        (first["boxes"], first["closed_at"])
    ]


async def test_a_controller_started_anew_tells_what_the_old_one_promised(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        await table.report_hands(1, [Hand(box=1, cards=ROYAL)], final=True)
    async with client(server, tmp_path) as table:
        assert table.offline
        assert (await table.close_bets(2, BETS)).returned[0].code == "progressive_off"
    floor.away = False
    async with client(server, tmp_path) as table:
        assert not table.offline
        assert [(one.kind, one.round) for one, _ in table.delivered] == [("hands", 1), ("bets", 2)]
    (said,) = server.said_to("events")[-1:]
    assert said["offline"]["registered"] == METER


# Over real connections


def test_over_a_real_connection_what_was_cut_is_said_again(floor: Floor, tmp_path: Path) -> None:
    bad = [problem(503, "busy"), Reply(0, None)]
    floor.fails = lambda _: bad.pop() if bad else None

    async def scenario() -> None:
        settings = {"transport": None, "clocks": None, "patience": PATIENT}
        async with listening(floor) as server, client(server, tmp_path, **settings) as table:
            assert not (await table.close_bets(1, BETS)).local
            assert not (await table.report_hands(1, [], final=True)).local
        assert [one.body["seq"] for one in server.heard] == [1, 1, 1, 2]
        assert {one.token for one in server.heard} == {"Bearer secret"}

    asyncio.run(scenario())


def test_the_sync_client_does_the_same(floor: Floor, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with listening(floor) as server:

            def play() -> None:
                with SyncTableClient(
                    server.url,
                    "holdem-01",
                    "secret",
                    Game.TEXAS_HOLDEM,
                    tmp_path / "sync.db",
                    patience=ONE_TRY,
                    heartbeat_every=None,
                ) as table:
                    assert (table.status, table.last_round, table.in_play) == (None, 0, True)
                    table.in_play = False
                    assert table.heartbeat() == table.status
                    assert server.heard[-1].body["in_play"] is False
                    table.no_more_bets()
                    assert not table.close_bets(1, BETS).local
                    floor.away = True
                    hand = Hand(box=1, cards=("Ah", "Kh"), dealt_at=table.now())
                    told = table.report_hands(1, [hand], community=("Qh", "Jh", "10h"), final=True)
                    assert (told.local, told.results[0].hand) == (True, "royal_flush")
                    assert table.offline
                    assert isinstance(table.trouble, Unreachable)
                    assert table.last_round == 1
                    assert table.notice == NOTICE_OFF
                    assert table.close_bets(2, BETS).returned[0].rule == "5.17.2c"
                    assert table.void_round(2, "5.8.1").local
                    assert table.registered is not None
                    floor.away = False
                    table.heartbeat()
                    table.clear_refused()
                    assert (table.refused(), len(table.delivered)) == ([], 3)

            await asyncio.to_thread(play)

    asyncio.run(scenario())


def test_the_client_needs_nothing_of_the_service() -> None:
    code = (
        "import sys, jackpot.client\n"
        "bad = [one for one in ('fastapi', 'sqlalchemy', 'uvicorn', 'jackpot.book', 'api.app', 'pydantic')"
        " if one in sys.modules]\n"
        "print(*bad)"
    )
    done = subprocess.run([sys.executable, "-c", code], check=False, capture_output=True, text=True)
    assert (done.returncode, done.stdout.strip(), done.stderr) == (0, "", "")


async def test_alone_a_round_ends_whole_too_and_a_seen_one_is_not_voided_as_unseen(
    floor: Floor, tmp_path: Path
) -> None:
    server = Talking(floor)
    async with client(server, tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        told = await table.report_hands(1, [Hand(box=1, cards=QUADS, bet=5000), Hand(box=2, folded=True)])
        assert told.local
        assert [(one.box, one.wager, one.outcome) for one in told.settlement] == [(2, "ante", "lose")]
        with pytest.raises(BadInput, match="play_incomplete"):
            await table.report_hands(1, [], final=True)
        with pytest.raises(BadInput, match="cards_were_seen"):
            await table.void_round(1, "5.17")
        ended = await table.report_hands(1, [], dealer=("Ac", "Ad", "8h", "5s", "3c"), final=True)
        assert (ended.state, ended.adjustments) == ("settled", ())
        assert {(one.box, one.wager) for one in ended.settlement} == {(1, "ante"), (1, "bet"), (2, "ante")}


async def test_alone_an_invalid_hand_hands_each_wager_back_once(floor: Floor, tmp_path: Path) -> None:
    async with client(Talking(floor), tmp_path) as table:
        await table.close_bets(1, BETS)
        floor.away = True
        first = await table.report_hands(1, [Hand(box=1, invalidated="5.15")])
        assert [(one.wager, one.amount) for one in first.returned] == [("progressive", 500), ("ante", 2500)]
        again = await table.report_hands(1, [Hand(box=2, folded=True)])
        assert (again.returned, again.adjustments) == ((), ())
