"""What a load test says of a run must be right too: plans, shapes, rounds, sums and trends."""

from __future__ import annotations

import io
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec import structs

from jackpot.cards.cards import parse_all
from jackpot.core.instants import SECOND
from jackpot.games import GAMES
from jackpot.games.progressive import RULE_BOOK_LEVELS, shares
from jackpot.games.rulebook import Game
from jackpot.link.answers import HandsAnswer
from jackpot.link.commands import (
    AddTable,
    ApproveWin,
    BoxBets,
    CloseBets,
    CloseTable,
    HandReport,
    ReportHands,
)
from jackpot.link.parameters import Parameters
from jackpot.link.state import TableSetup
from jackpot.machine.memory_book import MemoryBook
from loadtests.accounting import Journal, Told, differences, told, unpaid
from loadtests.figures import Limits, failures, kinds, missing, slices
from loadtests.notes import Answered, Asked, Notes, read_answered, read_asked
from loadtests.plan import LINK, MOST_TABLES, Plan, PlanWrong, Shape, checked, read_plan, write_plan
from loadtests.rounds import ANTE, honest_round, rigged_round
from loadtests.running import grown
from loadtests.shapes import Presence, presence
from loadtests.soak import Trend, trend

RATES = Parameters(seed=5_000_000, progressive_bet=500, meter_ppm=400_000, reserve_ppm=50_000)
HERE = "http://127.0.0.1:8001"


def plan(**said: object) -> Plan:
    return structs.replace(Plan(folder=Path("nowhere"), urls=(HERE,)), **said)


@pytest.mark.parametrize(
    "wrong",
    [
        {"urls": ("http://jackpot.example:80",)},
        {"urls": (HERE, "http://10.0.0.1:8000")},
        {"urls": ("http://0.0.0.0:8000",)},
        {"urls": ("127.0.0.1:8000",)},
        {"tables": MOST_TABLES + 1},
        {"rate": 0.0},
        {"rate": 1_000.0},
        {"seconds": 0.0},
        {"majors_every": 0.0},
    ],
)
def test_load_is_bounded_and_stays_on_this_machine(wrong: dict[str, object]) -> None:
    with pytest.raises(PlanWrong):
        checked(plan(**wrong))


def test_a_plan_is_read_as_it_was_written(tmp_path: Path) -> None:
    said = plan(folder=tmp_path, shape=Shape.BURST, urls=(HERE, "http://[::1]:8002"))
    assert read_plan(write_plan(said)) == said


def test_half_of_the_tables_play_each_game() -> None:
    ids = plan(tables=6).table_ids
    assert len(set(ids)) == 6
    assert sum(one.startswith("holdem") for one in ids) == 3


def test_in_a_steady_run_everybody_plays() -> None:
    steady = plan(tables=10)
    seen = {presence(steady, seat, second) for seat in range(10) for second in range(60)}
    assert seen == {Presence.PLAYING}


def test_a_shift_closes_every_table_in_each_wave_and_never_all_at_once() -> None:
    shift = plan(shape=Shape.SHIFT, tables=10, seconds=100.0)
    closed = [
        {seat for seat in range(10) if presence(shift, seat, second) is Presence.CLOSED}
        for second in range(100)
    ]
    for wave in (closed[:50], closed[50:]):
        assert set.union(*wave) == set(range(10))
        assert not wave[0]
        assert not wave[-1]
    assert 3 <= max(map(len, closed)) < 10


def test_a_burst_takes_the_service_from_all_tables_and_gives_it_back_at_once() -> None:
    burst = plan(shape=Shape.BURST, tables=10, seconds=100.0)
    for second, expected in ((29, Presence.PLAYING), (30, Presence.ALONE), (59, Presence.ALONE)):
        assert {presence(burst, seat, second) for seat in range(10)} == {expected}
    assert {presence(burst, seat, 60) for seat in range(10)} == {Presence.PLAYING}


@pytest.mark.parametrize("game", list(Game))
@pytest.mark.parametrize("royal", [False, True])
def test_a_rigged_round_has_a_major_with_a_bet_on_it(game: Game, royal: bool) -> None:
    for seed in range(20):
        played = rigged_round(Random(seed), game, royal=royal)
        hands = played.first_hands(0)
        flop = parse_all(hands.get("community", ()))
        majors = [
            one["box"]
            for one in hands["hands"]
            if GAMES[game].progressive_hand(parse_all(one["cards"]), flop) in shares(RULE_BOOK_LEVELS)
        ]
        betting = {one.box for one in played.bets if one.progressive}
        assert majors
        assert set(majors) & betting


@pytest.mark.parametrize("game", list(Game))
def test_the_hands_of_a_round_carry_the_bets_of_its_main_game(game: Game) -> None:
    wager = "bet" if game is Game.CASINO_STUD else "flop"
    for seed in range(20):
        played = honest_round(Random(seed), game)
        for one in played.last_hands(0)["hands"]:
            folded = one["box"] in played.folded
            assert one.get("folded", False) is folded
            assert one.get(wager) == (None if folded else 2 * ANTE)
            if game is Game.TEXAS_HOLDEM and not folded:
                assert one["turn"] == one["river"] == (ANTE if one["box"] in played.raised else 0)


def test_a_round_without_the_service_has_no_progressive_bets() -> None:
    played = honest_round(Random(1), Game.CASINO_STUD, progressive=False)
    assert {one.progressive for one in played.bets} == {0}
    assert {one.ante for one in played.bets} == {ANTE}


def test_notes_are_read_as_they_were_written(tmp_path: Path) -> None:
    requests, answered = io.StringIO(), io.StringIO()
    notes = Notes(requests, answered)
    asked, told_ = Asked(12.5, "bets", 3.25, "503 busy, later"), Answered("stud-001/1/bets", 7, 900, 2, 1000)
    notes.asked(asked)
    notes.answered(told_)
    for name, lines in (("requests", requests), ("answered", answered)):
        (tmp_path / name).write_text(lines.getvalue())
    assert list(read_asked(tmp_path / "requests")) == [asked]
    assert list(read_answered(tmp_path / "answered")) == [told_]


ANSWERS = [
    Answered("stud-001/1/bets", 5, 100, 2, 1000),
    Answered("stud-001/1/hands", 6, 100, 0, 0),
    Answered("stud-001/1/hands", 7, 100, 0, 0),
]


def in_the_journal(answers: list[Answered], rounds: list[int] | None = None) -> Journal:
    same: Told = told(answers)
    return Journal(same.stamps, same.staked, rounds={"stud-001": rounds or [1]})


def test_a_journal_that_has_every_answer_once_has_no_differences() -> None:
    assert differences(told(ANSWERS), in_the_journal(ANSWERS)) == []


@pytest.mark.parametrize(
    "kept",
    [
        ANSWERS[1:],
        ANSWERS[:2],
        [*ANSWERS, ANSWERS[2]],
        [*ANSWERS, Answered("stud-002/1/hands", 8, 100, 0, 0)],
        [structs.replace(ANSWERS[0], amount=1500), *ANSWERS[1:]],
        [structs.replace(ANSWERS[0], value=101), *ANSWERS[1:]],
    ],
    ids=["bets lost", "hands lost", "doubled", "never answered", "another amount", "another meter"],
)
def test_what_is_lost_doubled_or_told_otherwise_is_found(kept: list[Answered]) -> None:
    assert differences(told(ANSWERS), in_the_journal(kept))


def test_rounds_that_do_not_rise_are_found() -> None:
    assert differences(told(ANSWERS), in_the_journal(ANSWERS, [2, 1])) == ["stud-001: its rounds do not rise"]


def asked(kind: str, *times: float, trouble: str = "") -> list[Asked]:
    return [Asked(float(place), kind, ms, trouble) for place, ms in enumerate(times)]


def test_errors_and_slow_answers_fail_a_run() -> None:
    limits = Limits(slowest=100, slowest_replay=1_000)
    assert failures(kinds(asked("bets", 1, 2, 3) + asked("events", 900)), limits) == []
    (slow,) = failures(kinds(asked("bets", 1, 200)), limits)
    assert "bets: 99th percentile" in slow
    (wrong,) = failures(kinds(asked("poll", 1) + asked("poll", 0, trouble="stale")), limits)
    assert wrong == "1 errors, 0 allowed: poll: 1 x stale"


EVERYBODY = ("bets", "hands", "heartbeat", "poll", "stream", "wins", "approve", "events")


@pytest.mark.parametrize("kind", EVERYBODY)
def test_somebody_who_did_nothing_fails_a_run(kind: str) -> None:
    burst = plan(shape=Shape.BURST)
    said = [one for name in EVERYBODY for one in asked(name, 1)]
    assert missing(kinds(said), burst.kinds) == []
    without = kinds([one for one in said if one.kind != kind])
    failed = kinds([one for one in said if one.kind != kind] + asked(kind, 1, trouble="503 busy"))
    for found in (without, failed):
        assert missing(found, burst.kinds) == [f"{kind}: none succeeded in the whole run"]


def test_spools_are_expected_in_a_burst_only_and_approvals_where_there_is_time_for_them() -> None:
    assert "events" not in plan().kinds
    assert "approve" in plan().kinds
    assert "approve" not in plan(seconds=5.0).kinds


def test_a_major_that_is_registered_and_left_alone_fails_a_run() -> None:
    book = MemoryBook(LINK, "Multi-Link Progressive", "SGD", RATES, at=0)
    setup = TableSetup(id="stud-001", game=Game.CASINO_STUD, boxes=7)
    book.submit(AddTable(person="floor", setup=setup), at=SECOND)
    win = _straight_flush(book, at=2 * SECOND)
    assert unpaid(_read(book), before=2 * SECOND) == []
    assert unpaid(_read(book), before=3 * SECOND) == [f"{win}: registered, and never paid"]
    book.submit(CloseTable(person="sue", table="stud-001", reason="the end"), at=60 * SECOND)
    book.submit(ApproveWin(person="ana", win=win), at=61 * SECOND)
    found = _read(book)
    assert (found.registered, found.paid, unpaid(found, before=99 * SECOND)) == (1, 1, [])


def _straight_flush(book: MemoryBook, *, at: int) -> str:
    told: dict[str, Any] = {"table": "stud-001", "round": 1, "sent_at": at, "received_at": at}
    bets = (BoxBets(box=1, ante=ANTE, progressive=500),)
    book.submit(CloseBets(closed_at=at, boxes=bets, **told), at=at)
    hand = HandReport(box=1, cards=parse_all(["9h", "8h", "7h", "6h", "5h"]), dealt_at=at)
    answer = book.submit(ReportHands(hands=(hand,), final=True, **told), at=at).answer
    assert isinstance(answer, HandsAnswer)
    win = answer.results[0].win
    assert win is not None
    return win


def _read(book: MemoryBook) -> Journal:
    found = Journal()
    for entry in book.entries:
        found.add(entry.data)
    return found


def test_failed_requests_are_counted_and_not_timed() -> None:
    (found,) = kinds(asked("bets", 10, 10) + asked("bets", 9_999, trouble="503 busy"))
    assert (found.count, found.slowest, found.troubles) == (3, 10.0, {"503 busy": 1})


def test_a_slice_counts_all_requests_and_times_those_of_tables() -> None:
    first, second = slices(asked("bets", 10, 20, 30, 40) + asked("poll", 1, 1), 2.0, frozenset({"bets"}))
    assert (first.at, first.rate, first.middle) == (1.0, 2.0, 15.0)
    assert (second.at, second.rate, second.middle) == (3.0, 1.0, 35.0)


def test_a_trend_leaves_the_warm_up_out() -> None:
    seconds = [float(second) for second in range(0, 3601, 60)]
    flat = trend("memory", seconds, [10.0 if second < 600 else 100.0 for second in seconds])
    assert (flat.start, flat.end) == (100.0, 100.0)
    assert flat.slope == pytest.approx(0, abs=1e-6)
    rising = trend("memory", seconds, [100 + second / 60 for second in seconds])
    assert rising.slope == pytest.approx(60)
    assert rising.end - rising.start == pytest.approx(40, abs=1)


def test_growth_is_more_than_a_share_and_more_than_a_few() -> None:
    latency = [Trend("median", 10.0, 14.0, 0.0), Trend("99th", 10.0, 90.0, 0.0)]
    quiet = [Trend("tasks", 10.0, 14.0, 0.0), Trend("memory", 1_000.0, 1_040.0, 0.0)]
    assert grown([*quiet, *latency], latency_ratio=1.5) == []
    assert len(grown([Trend("files", 60.0, 70.0, 0.0), *latency], latency_ratio=1.5)) == 1
    assert grown([*quiet, *latency], latency_ratio=1.2) == ["median: 10.0 at the start, 14.0 at the end"]
