"""The blackjack tables' client: with the service in this process, without it, and what becomes of the two.

Nobody waits here: a line that is cut is given up at once (`ONE_TRY`), and where time itself is the subject it
is virtual.
"""

from __future__ import annotations

import asyncio
import re
import shutil
from collections.abc import AsyncIterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from msgspec.structs import replace

from api.app import create_app
from jackpot.client import (
    BadInput,
    BlackjackBetsAnswer,
    BlackjackClient,
    BlackjackHandsAnswer,
    BlackjackVoidAnswer,
    BoomBet,
    BoxBet,
    BoxHand,
    Conflict,
    Discarded,
    Outcome,
    Patience,
    PitGame,
    PlayerWagers,
    Refused,
    Shoe,
    SideLimits,
    SplitHand,
    SyncBlackjackClient,
    Unknown,
    Unreachable,
)
from jackpot.client.blackjack_messages import bets_body, hands_body
from jackpot.client.blackjack_messages import bets_of as read_bets
from jackpot.client.blackjack_messages import report_of as read_report
from jackpot.client.messages import Answer
from jackpot.core.instants import spoken_instant
from jackpot.games.blackjack import Bets, Report
from tests.blackjack import Json, bets_of, report_of
from tests.blackjack_rounds import EVERY_WORKED_ROUND, WorkedRound
from tests.guide import BLACKJACK
from tests.in_process import House, credential, house, people, token
from tests.random_blackjack import RandomRound, random_round
from tests.table_player import ONE_TRY
from tests.talking import Heard, Reply, Talking, listening
from tests.virtual_time import clocks, now, passed

LAYOUTS: dict[str, Json] = {
    "bj": {"game": "blackjack", "boxes": 7, "decks": 8, "minimum": 2500, "maximum": 50_000},
    "pp": {"game": "blackjack_perfect_pairs", "boxes": 5, "decks": 4, "maximum": 50_000},
    "fb": {"game": "free_bet_blackjack", "boxes": 6, "decks": 10, "minimum": 1000, "maximum": 50_001},
}
SIDE: dict[str, dict[str, dict[str, int]]] = {
    "bj": {"player_pair": {"minimum": 500, "maximum": 2000}, "over_13": {"maximum": 1000}},
    "pp": {"perfect_pairs": {"minimum": 100}},
    "fb": {"boom_busted": {"maximum": 1000}, "rws_pairs": {"minimum": 500, "maximum": 2000}},
}
TWINS = {f"{kind}-{number}": kind for kind in LAYOUTS for number in (1, 2)}
"""Two tables of each game, laid out alike."""


def floor_of(tables: dict[str, str]) -> str:
    text = '[[pit]]\nid = "pit-3"\nname = "Blackjack"\ncurrency = "SGD"\n'
    for table, kind in tables.items():
        layout = "".join(f"{name} = {value!r}\n" for name, value in LAYOUTS[kind].items())
        limits = ", ".join(f"{name} = {_inline(one)}" for name, one in SIDE[kind].items())
        text += f'[[table]]\nid = "{table}"\npit = "pit-3"\n{layout}side = {{ {limits} }}\n'
    return text + "".join(credential(table, "table", table=table) for table in tables) + people()


def _inline(limits: dict[str, int]) -> str:
    return "{ " + ", ".join(f"{name} = {amount}" for name, amount in limits.items()) + " }"


class Wire(httpx.AsyncBaseTransport):
    """To the service in this process, until it is cut."""

    def __init__(self, at: House) -> None:
        self._service = httpx.ASGITransport(create_app(at.service))
        self.deaf = False
        """What is said does not arrive."""
        self.mute = False
        """What is said arrives, and the answer does not."""
        self.spoken: list[str] = []

    @property
    def cut(self) -> bool:
        return self.deaf or self.mute

    def mend(self) -> None:
        self.deaf = self.mute = False

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        self.spoken.append(request.url.path.rsplit("/", 1)[1])
        if self.deaf:
            raise httpx.ConnectError("cut", request=request)
        answer = await self._service.handle_async_request(request)
        if self.mute:
            raise httpx.ReadError("cut", request=request)
        return answer


@pytest.fixture
async def at(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path, floor_of(TWINS)) as found:
        yield found


def client(at: House | None, table: str, folder: Path, **more: Any) -> BlackjackClient:
    kind = table.partition("-")[0]
    layout = dict(LAYOUTS[kind])
    game = PitGame(layout.pop("game"))
    side = {name: SideLimits(**limits) for name, limits in SIDE[kind].items()}
    settings: dict[str, Any] = {"patience": ONE_TRY, "heartbeat_every": None, "side": side} | layout
    if at is not None:
        settings["transport"] = Wire(at)
    return BlackjackClient(
        "http://house.test", table, token(table), game, folder / f"{table}.spool", **settings | more
    )


def wire_of(table: BlackjackClient) -> Wire:
    found = table._http._transport
    assert isinstance(found, Wire)
    return found


async def say_bets(table: BlackjackClient, number: int, told: Json) -> BlackjackBetsAnswer:
    bets = bets_of(told)
    return await table.close_bets(number, bets.boxes, boom_busted=bets.boom_busted)


async def say_hands(table: BlackjackClient, number: int, told: Json) -> BlackjackHandsAnswer:
    report = report_of(told)
    return await table.report_hands(
        number,
        report.hands,
        dealer=report.dealer,
        discarded=report.discarded,
        shoe=report.shoe,
        final=report.final,
    )


def evening(seed: str, kind: str, rounds: int) -> list[RandomRound]:
    rng, layout = Random(f"{seed} {kind}"), {**LAYOUTS[kind], "side": SIDE[kind]}
    return [random_round(rng, layout["game"], table=layout) for _ in range(rounds)]


def alike(answer: Answer) -> Answer:
    """Without what tells two tables, and the service and its fallback, apart."""
    changes: Json = {"local": False, "replied_at": None, "meter": None, "table": "any"}
    return replace(answer, **changes)


# With the service


@pytest.mark.parametrize("kind", LAYOUTS)
async def test_an_evening_of_random_rounds(at: House, tmp_path: Path, kind: str) -> None:
    rounds = evening("online", kind, 4)
    async with client(at, f"{kind}-1", tmp_path) as table:
        for number, played in enumerate(rounds, 1):
            opened = await say_bets(table, number, played.bets)
            assert (opened.state, opened.local, opened.meter) == ("bets_closed", False, None)
            told = [await say_hands(table, number, report) for report in played.prefixes]
            assert told[-1].state == "settled"
            assert all(one.adjustments == () and not one.local for one in told)
            lines = told[-1].settlement
            assert all(one.stake + one.won == one.payout + one.collected for one in lines)
            assert sum(one.stake for one in lines) == sum(played.laid.values())
        heard = await table.heartbeat()
        assert (heard.progressive, heard.meter, heard.table_state) == (None, None, "in_play")
        assert (table.last_round, table.refused(), table.differences()) == (4, [], [])


@EVERY_WORKED_ROUND
def test_what_is_said_of_the_worked_rounds_is_read_again_as_it_was(worked: WorkedRound) -> None:
    bets = bets_of(worked.bets)
    assert read_bets(bets_body(0, bets)) == bets
    for told in worked.told:
        report = report_of(told["report"])
        assert read_report(hands_body(report)) == report


async def test_what_is_said_has_the_words_of_the_wire() -> None:
    bets = Bets(
        boxes=(
            BoxBet(box=1, bet=2500, side={"rws_pairs": 500, "lucky_stash": 0}),
            BoxBet(box=1, player="B", standing=True, bet=500),
        ),
        boom_busted=(BoomBet(player="X", bet=600),),
    )
    assert bets_body(0, bets) == {
        "closed_at": "1970-01-01T00:00:00.000000Z",
        "boxes": [
            {"box": 1, "standing": False, "bet": 2500, "rws_pairs": 500},
            {"box": 1, "player": "B", "standing": True, "bet": 500},
        ],
        "boom_busted": [{"player": "X", "bet": 600}],
    }
    split = (SplitHand(cards=("8h", "3c")), SplitHand(cards=("8d",), decision="stand"))
    wagers = (PlayerWagers(player="B", split="none", double=0, even_money=False),)
    report = Report(
        hands=(BoxHand(box=1, cards=("8h", "8d"), decision="split", split=split, wagers=wagers),),
        dealer=("Kd",),
        discarded=(Discarded(card="2c", rule="5.10.3"),),
        shoe=Shoe(drawn=()),
    )
    assert hands_body(report) == {
        "final": False,
        "hands": [
            {
                "box": 1,
                "cards": ["8h", "8d"],
                "decision": "split",
                "split": [{"cards": ["8h", "3c"]}, {"cards": ["8d"], "decision": "stand"}],
                "wagers": [{"player": "B", "even_money": False, "split": "none", "double": 0}],
            }
        ],
        "dealer": {"cards": ["Kd"]},
        "discarded": [{"card": "2c", "rule": "5.10.3"}],
        "shoe": {"drawn": []},
    }
    assert hands_body(Report(final=True)) == {"final": True, "hands": []}


BETS = [BoxBet(box=1, bet=2500, side={"player_pair": 500}), BoxBet(box=2, bet=5000)]
DEALT = [BoxHand(box=1, cards=("Th", "6s")), BoxHand(box=2, cards=("9c", "9d"))]
PLAYED = [BoxHand(box=1, cards=("Th", "6s", "9h")), BoxHand(box=2, cards=("9c", "9d"))]


async def test_a_refused_report_is_corrected(at: House, tmp_path: Path) -> None:
    async with client(at, "bj-1", tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, DEALT, dealer=("6d",))
        with pytest.raises(BadInput) as refused:
            await table.report_hands(1, PLAYED[:1], dealer=("6d", "Tc", "3h"), final=True)
        assert refused.value.code == "told_before"
        told = await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)
        assert [(one.box, one.wager, one.outcome, one.payout) for one in told.settlement] == [
            (1, "player_pair", Outcome.LOSE, 0),
            (1, "bet", Outcome.LOSE, 0),
            (2, "bet", Outcome.LOSE, 0),
        ]
        assert [(one.box, one.total, one.bust) for one in told.hands] == [(1, 25, True), (2, 18, False)]
        assert (told.dealer.total, told.dealer.finished) == (19, True)
        assert table.refused() == []


async def test_the_controller_of_the_guide_plays(
    at: House, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Word for word but for its last line, which starts a loop, and with a line to this house."""
    text, start, _ = BLACKJACK.rpartition("\nasyncio.run(")
    assert start
    program: Json = {}
    exec(text, program)  # noqa: S102  our own guide
    program["BlackjackClient"] = partial(BlackjackClient, transport=Wire(at), heartbeat_every=None)
    monkeypatch.chdir(tmp_path)
    for _ in range(2):
        await program["main"]("http://house.test", "bj-1", token("bj-1"))
    told = re.findall(
        r"^round (\d): box 1 (player_pair|bet) [a-z_]+, pay \d+ ", capsys.readouterr().out, re.M
    )
    assert told == [(str(number), wager) for number in range(1, 7) for wager in ("player_pair", "bet")]


# Without it


def _outages(rng: Random, wire: Wire) -> None:
    """Now and then the line is cut, or mended, before something is said."""
    if wire.cut and rng.random() < 0.3:
        wire.mend()
    elif not wire.cut and rng.random() < 0.15:
        wire.deaf = rng.random() < 0.5
        wire.mute = not wire.deaf


@pytest.mark.parametrize("kind", LAYOUTS)
async def test_outages_at_any_moment_change_no_answer(at: House, tmp_path: Path, kind: str) -> None:
    """Twin tables play the same rounds, one of them on a line that is cut now and then."""
    rng, rounds, local = Random(f"outages {kind}"), evening("outages", kind, 3), 0
    async with client(at, f"{kind}-1", tmp_path) as calm, client(at, f"{kind}-2", tmp_path) as cut:
        for number, played in enumerate(rounds, 1):
            _outages(rng, wire_of(cut))
            opened, answer = [await say_bets(table, number, played.bets) for table in (calm, cut)]
            assert alike(answer) == alike(opened)
            local += answer.local
            for report in played.prefixes:
                _outages(rng, wire_of(cut))
                told, heard = [await say_hands(table, number, report) for table in (calm, cut)]
                assert alike(heard) == alike(told)
                local += heard.local
        wire_of(cut).mend()
        await cut.heartbeat()
        assert not cut.offline
        assert (cut.refused(), cut.differences()) == ([], [])
        delivered = [one for _, one in cut.delivered]
        assert len(delivered) == local > 3
        assert not any(one.local for one in delivered)
    records = [await _record(at, f"{kind}-{number}") for number in (1, 2)]
    assert records[0] == records[1] != []


async def _record(at: House, table: str) -> list[Any]:
    """What the journal has of a table's rounds."""
    found: list[Any] = [entry.fact async for entry in at.service.book.since("pit-3")]
    own = [fact for fact in found if getattr(fact, "table", None) == table and hasattr(fact, "settlement")]
    return [(type(fact), fact.round, fact.settlement) for fact in own]


ILLEGAL: list[tuple[str, Json]] = [
    ("box_not_in_round", {"hands": [{"box": 3, "cards": ["2c", "3c"]}]}),
    ("box_unknown", {"hands": [{"box": 8, "cards": ["2c", "3c"]}]}),
    ("card_unknown", {"hands": [{"box": 1, "cards": ["2c", "Xx"]}]}),
    ("card_repeated", {"hands": [{"box": 1, "cards": ["2c"] * 9}]}),
    ("draw_not_allowed", {"hands": [{"box": 1, "cards": ["Ac", "Kc", "3c"]}], "dealer": {"cards": ["6c"]}}),
    ("decision_unknown", {"hands": [{"box": 1, "cards": ["Ac", "Kc"], "decision": "free_double"}]}),
    ("split_not_allowed", {"hands": [{"box": 1, "cards": ["9c", "Kc"], "decision": "split"}]}),
    (
        "dealer_draw_wrong",
        {
            "hands": [{"box": 1, "cards": ["Tc", "Kc"]}, {"box": 2, "cards": ["Tc", "Kc"]}],
            "dealer": {"cards": ["Tc", "8c", "2c"]},
        },
    ),
    ("play_incomplete", {"hands": [{"box": 1, "cards": ["Tc", "Kc"]}], "final": True}),
    ("discard_unknown", {"discarded": [{"card": "2c", "rule": "5.10.9"}]}),
    (
        "shoe_differs",
        {"hands": [{"box": 1, "cards": ["2c"]}], "shoe": {"drawn": ["3c"]}},
    ),
]


async def test_what_the_rules_refuse_is_refused_alike_without_the_service(at: House, tmp_path: Path) -> None:
    """Status, code, paragraph, field and words."""
    async with client(at, "bj-1", tmp_path) as online, client(at, "bj-2", tmp_path) as alone:
        wire_of(alone).deaf = True
        for table in (online, alone):
            await table.close_bets(1, BETS)
        for code, report in ILLEGAL:
            there, here = [await _refused(say_hands(table, 1, report)) for table in (online, alone)]
            assert there.code == code
            assert _problem(here) == _problem(there)
        for reason in ("5.99", "5.8"):
            there, here = [await _refused(table.void_round(1, reason)) for table in (online, alone)]
            assert _problem(here) == _problem(there)
        for number, bets in enumerate(
            (
                [BoxBet(box=9, bet=2500)],
                [BoxBet(box=1, bet=2500), BoxBet(box=1, bet=2500)],
                [BoxBet(box=1, bet=2500), BoxBet(box=1, player="B", bet=2500)],
                [BoxBet(box=1, bet=2500, side={"perfect_pairs": 500})],
            ),
            2,
        ):
            there, here = [await _refused(table.close_bets(number, bets)) for table in (online, alone)]
            assert _problem(here) == _problem(there)
        assert len(alone._spool.waiting(99)) == 1


async def _refused(said: Any) -> Refused:
    with pytest.raises(Refused) as refused:
        await said
    return refused.value


def _problem(refused: Refused) -> Json:
    found = {"type": type(refused), "status": refused.status, "detail": refused.detail}
    return found | {name: getattr(refused, name) for name in ("code", "rule", "field")}


async def test_rounds_follow_each_other_without_the_service_too(at: House, tmp_path: Path) -> None:
    async with client(at, "bj-1", tmp_path) as online, client(at, "bj-2", tmp_path) as alone:
        wire_of(alone).deaf = True
        for table in (online, alone):
            with pytest.raises(Unknown, match="round_unknown"):
                await table.report_hands(1, DEALT)
            await table.close_bets(1, BETS)
            with pytest.raises(Conflict, match="conflict") as refused:
                await table.close_bets(1, BETS[:1])
            assert refused.value.rule == "5.8"
            table.reopen_bets()
            settled = await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)
            again = await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)
            assert alike(again) == alike(settled)
            for said in (table.report_hands(1, DEALT), table.void_round(1, "5.5.1")):
                with pytest.raises(Conflict, match="round_stands") as refused:
                    await said
                assert refused.value.rule == "5.6"
            await table.close_bets(2, BETS)
            with pytest.raises(Conflict, match="round_stands"):
                await table.report_hands(1, PLAYED)
            await table.void_round(2, "5.5.1", "a foreign card")
            with pytest.raises(Conflict, match="round_voided") as refused:
                await table.report_hands(2, DEALT)
            assert refused.value.rule == "5.17"
        assert alone.offline
        assert isinstance(alone.trouble, Unreachable)
        wire_of(alone).mend()
        await alone.heartbeat()
        assert (alone.refused(), alone.differences(), alone.notice) == ([], [], None)


async def test_a_void_hands_back_the_same_with_and_without_the_service(at: House, tmp_path: Path) -> None:
    answers: list[BlackjackVoidAnswer] = []
    for name in ("bj-1", "bj-2"):
        async with client(at, name, tmp_path) as table:
            await table.close_bets(1, BETS)
            await table.report_hands(1, PLAYED, dealer=("6d",))
            wire_of(table).mute = name == "bj-2"
            with pytest.raises(Conflict, match="outcome_established"):
                await table.void_round(1, "5.4.2")
            answers.append(await table.void_round(1, "5.5.3", "the shoe is too short"))
            assert (await table.close_bets(2, BETS)).local == (name == "bj-2")
    there, here = answers
    assert (there.local, here.local) == (False, True)
    assert alike(here) == alike(there)
    assert [(one.wager, one.box, one.difference) for one in here.adjustments] == [
        ("player_pair", 1, 500),
        ("bet", 1, 2500),
    ]
    assert [(one.box, one.wager, one.amount, one.code) for one in here.returned] == [
        (2, "bet", 5000, "round_voided")
    ]


async def test_the_cards_of_a_named_shoe_are_counted_without_the_service_too(
    at: House, tmp_path: Path
) -> None:
    """Four decks; seven sixes of clubs are too many, whoever heard of the first ones."""
    hand, pair = BoxHand(box=1, cards=("6c", "6c", "9h")), BoxHand(box=1, cards=("6c", "6c"))
    async with client(at, "pp-1", tmp_path) as online, client(at, "pp-2", tmp_path) as alone:
        for table in (online, alone):
            await table.close_bets(1, [BoxBet(box=1, bet=2500)])
            await table.report_hands(1, [hand], dealer=("6c", "Tc", "3h"), shoe=Shoe(id="pp/7"), final=True)
            wire_of(table).deaf = table is alone
            await table.close_bets(2, [BoxBet(box=1, bet=2500)])
            for said in (Shoe(id="pp/7"), Shoe(id="pp/7", drawn=("6c", "Td", "6c"))):
                with pytest.raises(BadInput) as refused:
                    await table.report_hands(2, [pair], dealer=("Td",), shoe=said)
                assert (refused.value.code, refused.value.rule) == ("card_repeated", "2.2.1")
            shuffled = Shoe(id="pp/8")
            told = await table.report_hands(2, [hand], dealer=("6c", "Tc", "3h"), shoe=shuffled, final=True)
            assert told.local == (table is alone)


async def test_what_the_service_finds_otherwise_is_kept_for_people(at: House, tmp_path: Path) -> None:
    """The House has closed the table, which nobody there has heard of: no bet of the round was taken."""
    async with client(at, "bj-1", tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)
        closed = await at.say("POST", "/v1/tables/bj-1/close", "sue", json={"reason": "a test"})
        assert closed.status_code == 200, closed.text
        wire_of(table).deaf = True
        played = await table.close_bets(2, BETS)
        assert [one.stake for one in played.playing] == [2500, 500, 5000]
        await table.report_hands(2, DEALT, dealer=("6d",))
    async with client(at, "bj-1", tmp_path) as table:
        assert not table.offline
        (found,) = table.differences()
        assert (found.kind, found.round, found.answered["playing"]) == ("bets", 2, [])
        assert [one["stake"] for one in found.alone["playing"]] == [2500, 500, 5000]
        assert [(one.kind, one.problem["code"]) for one in table.refused()] == [("hands", "box_not_in_round")]
        table.clear_differences()
        assert table.differences() == []
        opened = await table.close_bets(3, BETS)
        assert (opened.playing, opened.notice) == ((), "This table is closed.")
        wire_of(table).deaf = True
        assert (await table.report_hands(3, final=True)).settlement == ()


@pytest.mark.parametrize("way", ["deaf", "mute"])
async def test_the_spool_of_a_killed_controller_is_replayed(at: House, tmp_path: Path, way: str) -> None:
    """Killed in the middle of a round, without the service, and again before an answer came."""
    here, there = tmp_path / "here", tmp_path / "there"
    for folder in (here, there):
        folder.mkdir()
    table = client(at, "bj-1", here)
    await table.close_bets(1, BETS)
    setattr(wire_of(table), way, True)
    dealt = await table.report_hands(1, DEALT, dealer=("6d",))
    left = {"final": True, **hands_body(Report(hands=tuple(PLAYED), dealer=("6d", "Tc", "3h"), final=True))}
    table._spool.put("hands", 1, table.now(), left, tried=True)
    for file in here.iterdir():  # what a kill leaves
        shutil.copy(file, there)
    await table._close()
    async with client(at, "bj-1", there) as again:
        assert [(message.kind, answer.local) for message, answer in again.delivered] == [("hands", False)] * 2
        assert alike(again.delivered[0][1]) == alike(dealt)
        ended = again.delivered[1][1]
        assert isinstance(ended, BlackjackHandsAnswer)
        assert (ended.state, again.last_round, again.offline) == ("settled", 1, False)
        assert (again.refused(), again.differences()) == ([], [])
        assert not (await again.close_bets(2, BETS)).local


async def test_a_controller_started_without_the_service_knows_its_round(at: House, tmp_path: Path) -> None:
    async with client(at, "bj-1", tmp_path) as table:
        await table.close_bets(1, BETS)
        await table.report_hands(1, DEALT, dealer=("6d",))
    async with client(at, "bj-1", tmp_path) as table:
        wire_of(table).deaf = True
        assert table.last_round == 1
        with pytest.raises(BadInput, match="told_before"):
            await table.report_hands(1, PLAYED[:1], dealer=("6d",))
        told = await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)
        assert (told.state, told.local) == ("settled", True)
    async with client(at, "bj-1", tmp_path) as table:
        assert alike(table.delivered[0][1]) == alike(told)


def test_the_sync_client_does_the_same(tmp_path: Path) -> None:
    async def scenario() -> None:
        async with listening(lambda _: None) as server:
            await asyncio.to_thread(_play_alone, server.url, tmp_path)

    asyncio.run(scenario())


def _play_alone(url: str, folder: Path) -> None:
    layout: Json = {"boxes": 6, "decks": 8, "patience": ONE_TRY, "heartbeat_every": None}
    game = PitGame.FREE_BET_BLACKJACK
    with SyncBlackjackClient(url, "fb-1", "secret", game, folder / "sync.db", **layout) as table:
        table.no_more_bets()
        opened = table.close_bets(1, [BoxBet(box=1, bet=2500)], boom_busted=[BoomBet(player="1", bet=500)])
        assert [(one.box, one.wager) for one in opened.playing] == [(1, "bet"), (None, "boom_busted")]
        assert table.offline
        hand = BoxHand(box=1, cards=("8h", "3c", "Kd"), decision="free_double")
        told = table.report_hands(1, [hand], dealer=("6d", "Tc", "9h"), shoe=Shoe(id="s"), final=True)
        assert [(one.wager, one.payout, one.marker) for one in told.settlement] == [
            ("bet", 5000, None),
            ("free_double", 2500, 2500),
            ("boom_busted", 1500, None),
        ]
        assert table.close_bets(2, []).local
        assert table.void_round(2, "5.5.1").state == "voided"
        with pytest.raises(Unreachable):
            table.heartbeat()
        table.clear_differences()
        table.clear_refused()
        assert (table.differences(), table.refused(), table.last_round) == ([], [], 2)


# In virtual time

SHORT = Patience(whole=0.5, attempt=0.2, first_wait=0.01, longest_wait=0.05)


@pytest.mark.virtual_time
async def test_heartbeats_that_fail_for_long_let_the_table_play_on_at_once(tmp_path: Path) -> None:
    floor = Scripted()
    server = Talking(floor)
    settings: Json = {"transport": server, "clocks": clocks(), "patience": SHORT, "heartbeat_every": 0.05}
    async with client(None, "bj-1", tmp_path, **settings) as table:
        await asyncio.sleep(0.1)
        assert table.status is not None
        assert table.status.progressive is None
        floor.away = True
        await asyncio.sleep(1)
        began = passed()
        assert (await table.close_bets(1, BETS)).local
        assert (await table.report_hands(1, PLAYED, dealer=("6d", "Tc", "3h"), final=True)).state == "settled"
        assert passed() == began
        floor.away = False
        async with asyncio.timeout(60):
            while table.offline:
                await asyncio.sleep(0.02)
        assert [(one.kind, one.round) for one in table.differences()] == [("hands", 1)]
    (said,) = server.said_to("events")
    assert said["offline"] is None
    assert [(one["kind"], one["seq"]) for one in said["events"]] == [("bets", 1), ("hands", 2)]


class Scripted:
    """Settles nothing, and says so."""

    away = False

    def __call__(self, heard: Heard) -> Reply | None:
        if self.away:
            return None
        stamp: Json = {"received_at": spoken_instant(now()), "replied_at": spoken_instant(now())}
        if heard.path.endswith("heartbeat"):
            return Reply(200, {**stamp, "table_state": "in_play", "progressive": None, "notice": None})
        common: Json = {"table": "bj-1", "round": 1, **stamp}
        playing = [(1, "bet", 2500), (1, "player_pair", 500), (2, "bet", 5000)]
        laid = [{"box": box, "player": str(box), "wager": w, "stake": stake} for box, w, stake in playing]
        dealer = {
            "cards": [],
            "total": 0,
            "soft": False,
            "blackjack": False,
            "bust": False,
            "finished": False,
        }
        told = [
            {**common, "state": "bets_closed", "playing": laid},
            {**common, "state": "settled", "hands": [], "dealer": dealer},
        ]
        return Reply(200, {"answers": [{"status": 200, "answer": one} for one in told]})
