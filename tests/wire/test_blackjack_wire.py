"""Blackjack over HTTP: the worked rounds line for line, and everything a controller may get wrong."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest

from jackpot.book.checking.verify import Verifier
from tests.blackjack_rounds import EVERY_WORKED_ROUND, WorkedRound
from tests.in_process import House, bets, house, now
from tests.pit_house import OF_GAME, BlackjackTable, pit_floor_text
from tests.service import Json

ONE_BOX = {"box": 1, "bet": 2500}


@pytest.fixture
async def pit(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with house(sqlite_url, tmp_path, pit_floor_text()) as at:
        yield at


@pytest.fixture
def table(pit: House) -> BlackjackTable:
    return BlackjackTable(pit, "bj")


def refused(response: Any, status: int, code: str, rule: str | None = None) -> Json:
    problem: Json = response.json()
    assert (response.status_code, problem.get("code")) == (status, code), problem
    assert problem.get("rule") == rule, problem
    return problem


async def entries(at: House) -> int:
    async with at.service.book.store.reading() as connection:
        row = await at.service.book.store.load_link(connection, "pit-3")
    return row.version


@EVERY_WORKED_ROUND
async def test_a_worked_round_is_answered_line_for_line(pit: House, worked: WorkedRound) -> None:
    name = OF_GAME[worked.table["game"]]
    sent = {key: value for key, value in worked.bets.items() if not key.endswith("_at")}
    controller = BlackjackTable(pit, name)
    closed = await controller.bets(*sent.pop("boxes"), **sent)
    assert closed.status_code == 201, closed.text
    assert (closed.json()["state"], closed.json()["meter"]) == ("bets_closed", None)
    for step in worked.told:
        report = {key: value for key, value in step["report"].items() if not key.endswith("_at")}
        dealer = " ".join(report.pop("dealer")["cards"])
        answer = await controller.hands(*report.pop("hands"), dealer=dealer, **report)
        assert answer.status_code == 200, answer.text
        told = answer.json()
        assert told["settlement"] == step["settlement"]
        assert (told["meter"], told["adjustments"]) == (None, [])
        assert told["state"] == ("settled" if step["report"]["final"] else "hands_known")
    found = await Verifier(pit.service.book.store, "pit-3").verify()
    assert found.sequence > 4


async def test_hands_and_dealer_are_told_back_with_their_totals(table: BlackjackTable) -> None:
    await table.bets(ONE_BOX)
    hand = {
        "box": 1,
        "cards": ["8c", "8d"],
        "decision": "split",
        "split": [{"cards": ["8c", "10d"]}, {"cards": ["8d", "Ah"]}],
    }
    answer = (await table.hands(hand, dealer="6h 10C 5s", final=True)).json()
    assert answer["hands"] == [
        {
            "box": 1,
            "hand": 1,
            "cards": ["8c", "Td"],
            "total": 18,
            "soft": False,
            "blackjack": False,
            "bust": False,
        },
        {
            "box": 1,
            "hand": 2,
            "cards": ["8d", "Ah"],
            "total": 19,
            "soft": True,
            "blackjack": False,
            "bust": False,
        },
    ]
    assert answer["dealer"] == {
        "cards": ["6h", "Tc", "5s"],
        "total": 21,
        "soft": False,
        "blackjack": False,
        "bust": False,
        "finished": True,
    }


async def test_the_same_content_again_answers_as_the_first_time(pit: House) -> None:
    said = {"sent_at": now(), "closed_at": now(), "boxes": [{"box": 1, "bet": 2500, "player": "1"}]}
    path = "/v1/tables/bj/rounds/1/bets"
    first = await pit.say("PUT", path, "bj", json=said)
    plainer = said | {"sent_at": now(), "boxes": [{"box": 1, "bet": 2500, "player_pair": 0}]}
    again = await pit.say("PUT", path, "bj", json=plainer)
    assert (first.status_code, again.status_code) == (201, 200)
    assert again.json() | {"replied_at": ""} == first.json() | {"replied_at": ""}
    other = await pit.say(
        "PUT", path, "bj", json=said | {"sent_at": now(), "boxes": [{"box": 1, "bet": 5000}]}
    )
    refused(other, 409, "conflict", "5.8")


async def test_a_spool_of_events_is_answered_one_by_one(pit: House) -> None:
    at = now()
    events: list[Json] = [
        {"kind": "bets", "round": 1, "sent_at": at, "closed_at": at, "boxes": [ONE_BOX]},
        {
            "kind": "hands",
            "round": 1,
            "sent_at": at,
            "hands": [{"box": 1, "cards": ["Th", "Kc"]}],
            "dealer": {"cards": ["9d", "8h"]},
            "final": True,
        },
        {"kind": "bets", "round": 2, "sent_at": at, "closed_at": at, "boxes": [{"box": 1, "ante": 5}]},
        {"kind": "bets", "round": 2, "sent_at": at, "closed_at": at, "boxes": [ONE_BOX]},
        {"kind": "void", "round": 2, "sent_at": at, "reason": "5.5.1"},
        {"kind": "heartbeat", "sent_at": at},
    ]
    answers = (await pit.say("POST", "/v1/tables/bj/events", "bj", json={"events": events})).json()["answers"]
    assert [one["status"] for one in answers] == [201, 200, 422, 201, 200, 200]
    assert answers[1]["answer"]["settlement"][0]["payout"] == 5000
    assert answers[2]["problem"]["code"] == "wager_not_in_game"
    assert answers[4]["answer"]["returned"] == [
        {
            "box": 1,
            "player": "1",
            "hand": 1,
            "wager": "bet",
            "amount": 2500,
            "code": "round_voided",
            "rule": "5.17",
        }
    ]
    heard = answers[5]["answer"]
    assert (heard["progressive"], heard["meter"], heard["notice"]) == (None, None, None)
    again = (await pit.say("POST", "/v1/tables/bj/events", "bj", json={"events": events})).json()["answers"]
    assert [one["status"] for one in again] == [200, 200, 422, 200, 200, 200]


async def test_a_time_offline_has_no_jackpot_to_speak_of(pit: House) -> None:
    offline = {"since": now(), "cards_seen": True}
    said = {"events": [], "offline": offline}
    refused(await pit.say("POST", "/v1/tables/bj/events", "bj", json=said), 409, "no_jackpot")


async def test_numbered_messages_have_no_gap(table: BlackjackTable) -> None:
    assert (await table.bets(ONE_BOX, seq=1)).status_code == 201
    gap = refused(await table.hands(seq=3), 409, "gap")
    assert gap["expected"] == 2


BAD_BETS: list[tuple[Json, str, str, str | None]] = [
    ({"box": 1, "bet": -1}, "amount_negative", "boxes[0].bet", None),
    ({"box": 1, "bet": 10**12 + 1}, "amount_too_large", "boxes[0].bet", None),
    ({"box": 1, "bet": 10**30}, "invalid", "boxes[0].bet", None),
    ({"box": 1, "bet": "2500"}, "invalid", "boxes[0].bet", None),
    ({"box": 1, "bet": 2.5}, "invalid", "boxes[0].bet", None),
    ({"box": 1, "bet": None}, "invalid", "boxes[0].bet", None),
    ({"box": 1, "bet": True}, "invalid", "boxes[0].bet", None),
    ({"box": None, "bet": 2500}, "invalid", "boxes[0].box", None),
    ({"box": 0, "bet": 2500}, "box_unknown", "boxes[0].box", "2.1.1"),
    ({"box": 8, "bet": 2500}, "box_unknown", "boxes[0].box", "2.1.1"),
    ({"box": 1, "bet": 2500, "player": "x" * 200}, "text_too_long", "boxes[0].player", None),
    ({"box": 1, "bet": 2500, "player": ""}, "text_malformed", "boxes[0].player", None),
    ({"box": 1, "bet": 2500, "player": "a\u0000b"}, "text_invisible", "boxes[0].player", None),
    ({"box": 1, "bet": 2500, "player": "a\u200bb"}, "text_invisible", "boxes[0].player", None),
    ({"box": 1, "bet": 2500, "perfect_pairs": 500}, "wager_not_in_game", "boxes[0].perfect_pairs", "2.1.1"),
    ({"box": 1, "bet": 2500, "lucky_stash": 500}, "wager_not_in_game", "boxes[0].lucky_stash", "2.1.1"),
    ({"box": 1, "ante": 2500}, "wager_not_in_game", "boxes[0].ante", "2.1.1"),
    ({"box": 1, "bet": 2500, "progressive": 500}, "wager_not_in_game", "boxes[0].progressive", "2.1.1"),
    ({"box": 1, "bet": 2500, "colour": "red"}, "invalid", "boxes[0].colour", None),
]


@pytest.mark.parametrize(("entry", "code", "field", "rule"), BAD_BETS)
async def test_bets_that_cannot_be_are_refused_whole(
    table: BlackjackTable, entry: Json, code: str, field: str, rule: str | None
) -> None:
    before = await entries(table.house)
    problem = refused(await table.bets({"box": 2, "bet": 100, "player": "Z"} | entry), 422, code, rule)
    assert problem["field"] == field
    assert await entries(table.house) == before


async def test_boom_busted_is_no_bet_of_blackjack(table: BlackjackTable) -> None:
    said = [{"player": "X", "bet": 100}]
    problem = refused(await table.bets(ONE_BOX, boom_busted=said), 422, "wager_not_in_game", "2.1.1")
    assert problem["field"] == "boom_busted"


BAD_HANDS: list[tuple[Json, str, str | None]] = [
    ({"box": 1, "cards": ["Xx"]}, "card_unknown", "2.2.1"),
    ({"box": 1, "cards": ["Ah"] * 65}, "invalid", None),
    ({"box": 1, "cards": "Ah"}, "invalid", None),
    ({"box": 1, "cards": [1, 2]}, "invalid", None),
    ({"box": 1, "folded": True}, "wager_not_in_game", "2.1.1"),
    ({"box": 1, "bet": 100}, "wager_not_in_game", "2.1.1"),
    ({"box": 1, "cards": ["9h", "8c"], "decision": "fold"}, "decision_unknown", None),
    ({"box": 1, "cards": ["9h", "9c"], "decision": "free_split", "split": []}, "decision_unknown", None),
    ({"box": 2, "cards": ["9h", "8c"]}, "box_not_in_round", "3.11"),
    ({"box": 1, "cards": ["9h", "8c"], "invalidated": "5.15"}, "invalidation_unknown", None),
    (
        {"box": 1, "cards": ["9h", "8c"], "wagers": [{"player": "Q", "insurance": 5}]},
        "player_not_on_box",
        None,
    ),
    ({"box": 1, "cards": ["9h", "8c"], "wagers": [{"insurance": -5}]}, "amount_negative", None),
    ({"box": 1, "cards": ["9h", "8c"], "wagers": [{"insurance": 5}]}, "insurance_not_allowed", "3.14"),
]


@pytest.mark.parametrize(("hand", "code", "rule"), BAD_HANDS)
async def test_hands_that_cannot_be_are_refused_whole(
    table: BlackjackTable, hand: Json, code: str, rule: str | None
) -> None:
    await table.bets(ONE_BOX)
    before = await entries(table.house)
    problem = refused(await table.hands(hand, dealer="Kd"), 422, code, rule)
    assert problem["field"]
    assert await entries(table.house) == before
    assert (await table.hands({"box": 1, "cards": ["9h", "8c"]}, dealer="Kd")).status_code == 200


async def test_five_splits_and_deeper_are_refused(table: BlackjackTable) -> None:
    await table.bets(ONE_BOX)
    for depth in (5, 40):
        hand: Json = {"cards": ["8c", "8d"]}
        for _ in range(depth):
            hand = {"cards": ["8c", "8d"], "decision": "split", "split": [{"cards": ["8c", "9d"]}, hand]}
        refused(await table.hands(hand | {"box": 1}, dealer="Kd"), 422, "split_not_allowed", "3.21.2")


async def test_a_body_nested_without_end_is_refused(pit: House) -> None:
    deep = b'{"sent_at":"2026-03-01T20:15:00Z","hands":' + b'[{"box":1,"split":' * 2000
    headers = {"Content-Type": "application/json"}
    await BlackjackTable(pit, "bj").bets(ONE_BOX)
    path = "/v1/tables/bj/rounds/1/hands"
    assert (await pit.say("PUT", path, "bj", content=deep, headers=headers)).status_code == 422


async def test_four_hundred_cards_of_a_shoe_are_too_many(table: BlackjackTable) -> None:
    await table.bets(ONE_BOX)
    shoe = {"drawn": ["9h", "Kd", "8c"] + ["2c"] * 400}
    refused(
        await table.hands({"box": 1, "cards": ["9h", "8c"]}, dealer="Kd", shoe=shoe),
        422,
        "card_repeated",
        "2.2.1",
    )


async def test_poker_and_blackjack_tables_do_not_speak_for_each_other(pit: House) -> None:
    foreign = await pit.say("PUT", "/v1/tables/stud-01/rounds/1/bets", "bj", json=bets(1))
    assert foreign.status_code == 403
    at = now()
    said = {"sent_at": at, "closed_at": at, "boxes": [ONE_BOX]}
    wrong = await pit.say("PUT", "/v1/tables/stud-01/rounds/1/bets", "stud-01", json=said)
    assert (wrong.status_code, wrong.json()["code"]) == (422, "invalid")
    refused(
        await pit.say("PUT", "/v1/tables/bj/rounds/1/bets", "bj", json=bets(1)),
        422,
        "wager_not_in_game",
        "2.1.1",
    )


async def test_a_pit_has_no_meter_and_no_wins(pit: House) -> None:
    for path in ("/meter", "/meter.txt", "/stream", "/wins", "/claims"):
        assert (await pit.say("GET", f"/v1/links/pit-3{path}", "sue")).status_code == 404, path
    scope = {"scope": {"table": "bj"}, "observed_at": now(), "then": "close"}
    refused(await pit.say("POST", "/v1/malfunctions", "sue", json=scope), 409, "no_jackpot")
    seed = {"seed": 100, "reason": "x", "when": "now"}
    refused(await pit.say("POST", "/v1/links/pit-3/seed", "sue", json=seed), 404, "link_unknown")


async def test_a_start_finds_the_round_where_it_was(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, pit_floor_text()) as at:
        table = BlackjackTable(at, "fb")
        await table.bets({"box": 1, "bet": 1000, "lucky_stash": 100})
        await table.hands({"box": 1, "cards": ["5c", "5d"]}, dealer="6d")
    async with house(sqlite_url, tmp_path, pit_floor_text()) as at:
        table.house = at
        hand = {"box": 1, "cards": ["5c", "5d", "9h"], "decision": "free_double"}
        answer = await table.hands(hand, dealer="6d Kd 2c", final=True)
        assert [one["wager"] for one in answer.json()["settlement"]] == ["lucky_stash", "bet", "free_double"]
        await Verifier(at.service.book.store, "pit-3").verify()
