"""What people ask about pits and do there: tables, rounds as evidence, irregularities, journal, report."""

from __future__ import annotations

import csv
import json
from collections.abc import AsyncIterator
from hashlib import sha256
from pathlib import Path

import pytest

from tests.blackjack_rounds import WORKED
from tests.house import House, Json, a_house, answered, put, refused

BOXES = [
    {"box": 1, "bet": 2500, "player_pair": 500},
    {"box": 1, "player": "B", "standing": True, "bet": 1000},
]
FIRST_TWO = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd"]}}
STOOD = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd", "8h"]}, "final": True}
CHOSEN = {
    "paragraph": "5.7",
    "reconstructed": False,
    "interim_settled": True,
    "choices": {"1": "continue", "1/B": "return"},
    "note": "box 2 had a card of box 1",
}


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found


async def says(house: House, table: str, what: str, body: Json, *, round: int = 1) -> Json:
    return answered(await put(house, table, what, body, round=round))


async def plays(house: House, table: str = "bj", *, round: int = 1) -> None:
    await says(house, table, "bets", {"boxes": BOXES if table == "bj" else BOXES[1:]}, round=round)
    await says(house, table, "hands", STOOD, round=round)


async def worked(house: House, number: int, table: str) -> Json:
    """One of the six rounds that are worked out by hand; the evidence of it."""
    story = WORKED[number - 1]
    stamps = {"sent_at", "closed_at"}
    for what, body in [("bets", story.bets), *(("hands", one["report"]) for one in story.told)]:
        await says(house, table, what, {name: value for name, value in body.items() if name not in stamps})
    return await house.told(f"/v1/tables/{table}/rounds/1")


# Pits and tables


async def test_pits_are_listed_with_their_tables_and_links_without_them(house: House) -> None:
    (pit,) = (await house.told("/v1/pits"))["pits"]
    assert (pit["id"], pit["name"], pit["currency"]) == ("pit-3", "Blackjack", "SGD")
    assert (pit["tables"], pit["in_play"], pit["stopped"]) == (3, 0, None)
    assert [one["id"] for one in (await house.told("/v1/links"))["links"]] == ["main", "other"]


async def test_a_table_of_a_pit_is_told_with_its_game_and_limits(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    bj, fb, pp = (await house.told("/v1/pits/pit-3/tables"))["tables"]
    assert (bj["id"], bj["state"], bj["in_play"], bj["notice"]) == ("bj", "in_play", True, None)
    assert (bj["round"]["round"], bj["round"]["state"], bj["round"]["open"]) == (1, "bets_closed", True)
    assert bj["last_seen"] is not None
    assert "progressive" not in bj
    terms = bj["terms"]
    assert (terms["game_name"], terms["decks"], terms["limits"]["minimum"]) == ("Blackjack", 8, 500)
    pair = {"wager": "player_pair", "name": "Player Pair", "minimum": 100, "maximum": 50000}
    assert terms["side"][0] == pair
    assert pp["terms"]["game_name"] == "Blackjack Perfect Pairs"
    assert [one["name"] for one in fb["terms"]["side"]] == ["RWS Pairs", "Lucky Stash", "Boom Busted"]


@pytest.mark.parametrize("tail", ["tables", "journal", "report"])
async def test_a_links_id_is_no_pit_and_a_pits_no_link(house: House, tail: str) -> None:
    for name in ("main", "nothing", "%00"):
        refused(await house.get(f"/v1/pits/{name}/{tail}"), 404, "pit_unknown")
    refused(await house.get(f"/v1/links/pit-3/{tail}"), 404, "link_unknown")


async def test_nothing_of_a_jackpot_exists_in_a_pit(house: House) -> None:
    for tail in ("wins", "claims", "meter", "history"):
        refused(await house.get(f"/v1/links/pit-3/{tail}"), 404, "link_unknown")
    reason = {"reason": "season"}
    for tail, said in (("seed", {"seed": 1} | reason), ("close", reason), ("open", reason)):
        refused(await house.post(f"/v1/links/pit-3/{tail}", "ana", said), 404, "link_unknown")
    now = (await house.told("/v1/pits"))["clock"]["now"]
    malfunction = {"observed_at": now, "then": "close"}
    of_table = malfunction | {"scope": {"table": "bj"}}
    refused(await house.post("/v1/malfunctions", "sue", of_table), 409, "no_jackpot")
    of_pit = malfunction | {"scope": {"link": "pit-3"}}
    refused(await house.post("/v1/malfunctions", "sue", of_pit), 404, "link_unknown")
    preview = {"act": "close_table", "id": "bj", "said": reason}
    refused(await house.post("/v1/links/pit-3/previews", "sue", preview), 404, "link_unknown")
    refused(await house.post("/v1/pits/main/previews", "sue", preview), 404, "pit_unknown")


async def test_a_table_of_a_pit_is_closed_and_opened_and_the_audit_says_so(house: House) -> None:
    preview = {"act": "close_table", "id": "bj", "said": {"reason": "no dealer"}}
    told = await house.does("/v1/pits/pit-3/previews", "ana", preview)
    assert [one["kind"] for one in told["facts"]] == ["TableClosed"]
    assert "before" not in told
    assert await house.does("/v1/tables/bj/close", "ana", {"reason": "no dealer"}) == {"meter": None}
    tables = (await house.told("/v1/pits/pit-3/tables"))["tables"]
    assert (tables[0]["state"], tables[0]["notice"]) == ("closed", "This table is closed.")
    back = await says(house, "bj", "bets", {"boxes": BOXES})
    assert (back["playing"], [one["rule"] for one in back["settlement"]]) == ([], ["5.17"] * 3)
    evidence = await house.told("/v1/tables/bj/rounds/1")
    assert evidence["bets"]["table_closed"]
    assert len(evidence["bets"]["laid"]) == 3
    assert evidence["bets"]["playing"] == []
    assert await house.does("/v1/tables/bj/open", "ana", {"reason": "a dealer"}) == {"meter": None}
    acts = (await house.told("/v1/audit"))["acts"]
    assert {"close_table", "open_table"} <= {one["act"] for one in acts}


async def test_metrics_tell_a_pits_tables_and_invent_no_money(house: House) -> None:
    await plays(house)
    text = (await house.get("/metrics")).text
    assert 'jackpot_table_in_play{link="pit-3",table="bj"} 1.0' in text
    of_pit = [line for line in text.splitlines() if 'link="pit-3"' in line]
    money = [line for line in of_pit if "cents" in line.partition("{")[0] and not line.endswith(" 0.0")]
    assert not money
    assert not [line for line in of_pit if line.startswith(("jackpot_meter", "jackpot_account"))]


# Rounds as evidence


async def test_a_split_round_is_told_hand_in_hand_and_numbered_as_played(house: House) -> None:
    told = await worked(house, 2, "bj")
    assert (told["pit"], told["state"], told["game"], told["currency"]) == (
        "pit-3",
        "settled",
        "blackjack",
        "SGD",
    )
    (box,) = told["boxes"]
    assert [(one["player"], one["seated"], one["caller"]) for one in box["players"]] == [
        ("1", True, True),
        ("B", False, False),
    ]
    whole = box["hand"]
    assert (whole["number"], whole["cards"], whole["decision"]) == (None, ["8c", "8d"], "split")
    assert [(one["player"], one["split"]) for one in whole["wagers"]] == [("B", "none")]
    first, second = whole["split"]
    assert (first["number"], first["total"], first["bust"]) == (1, 23, True)
    assert second["number"] is None
    assert [(one["number"], one["total"], one["decision"]) for one in second["split"]] == [
        (2, 21, "double"),
        (3, 18, None),
    ]
    assert told["dealer"]["blackjack"]
    lines = [
        (one["player"], one["hand"], one["name"], one["outcome"], one["rule"]) for one in told["settlement"]
    ]
    assert lines == [
        ("1", 1, "Initial Bet", "lose", "3.21.3"),
        ("1", 2, "Split", "lose", "3.21.3"),
        ("1", 2, "Double", "returned", "3.21.3"),
        ("1", 3, "Split", "returned", "3.21.3"),
        ("B", 1, "Initial Bet", "lose", "3.21.3"),
    ]


async def test_markers_discarded_cards_the_shoe_and_what_was_over_a_limit_are_told(house: House) -> None:
    told = await worked(house, 6, "fb")
    laid = [
        (one["box"], one["player"], one["name"], one["laid"], one["standing"]) for one in told["bets"]["laid"]
    ]
    assert laid == [
        (1, "1", "Initial Bet", 2000, False),
        (1, "1", "Lucky Stash", 100, False),
        (1, "B", "Initial Bet", 1000, True),
        (None, "X", "Boom Busted", 600, False),
        (None, "Y", "Boom Busted", 700, False),
    ]
    playing = [(one["player"], one["wager"], one["stake"]) for one in told["bets"]["playing"]]
    assert playing[-1] == ("Y", "boom_busted", 400)
    assert told["discarded"] == [{"card": "Jc", "rule": "5.10.3"}]
    assert told["shoe"]["drawn"][:3] == ["5c", "2c", "5d"]
    markers = [
        (one["name"], one["marker"], one["stake"], one["won"]) for one in told["settlement"] if one["marker"]
    ]
    assert markers == [("Free Double", 2000, 0, 2000)]


async def test_every_entry_is_told_with_its_hash_and_in_words(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    await says(house, "bj", "hands", FIRST_TWO)
    await says(house, "bj", "hands", STOOD)
    told = await house.told("/v1/tables/bj/rounds/1")
    for entry in told["entries"]:
        written = json.dumps(entry["entry"], sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        assert entry["hash"] == sha256((entry["before"] + written).encode()).hexdigest()
        assert "value" not in entry
    assert [one["sequence"] for one in told["story"]] == [one["sequence"] for one in told["entries"]]
    words = [one["words"] for one in told["story"]]
    assert words[0] == "Bets are closed: boxes 1; SGD 35.00 of Initial Bets."
    assert words[-1] == "The hands of boxes 1 are told anew. It is final: the round stands."
    assert {one["by"] for one in told["story"]} == {"bj"}
    assert [(one["correction"], one["final"]) for one in told["reports"]] == [(False, False), (True, True)]
    assert told["reports"][0]["superseded_by"] == told["reports"][1]["sequence"]
    assert [one["message"] for one in told["clock"]] == ["bets", "hands", "hands"]
    refused(await house.get("/v1/tables/bj/rounds/9"), 404, "round_unknown")


async def test_a_round_that_was_left_open_says_what_was_never_told(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    await says(house, "bj", "hands", FIRST_TWO)
    await says(house, "bj", "bets", {"boxes": BOXES}, round=2)
    told = await house.told("/v1/tables/bj/rounds/1")
    assert (told["state"], told["current"]) == ("settled", False)
    assert [(one["player"], one["name"]) for one in told["left_open"]] == [
        ("1", "Initial Bet"),
        ("B", "Initial Bet"),
    ]
    assert told["story"][-1]["words"] == "Round 2 begins: round 1 stands."
    (table, *_) = (await house.told("/v1/pits/pit-3/tables"))["tables"]
    assert [one["code"] for one in table["alerts"]] == ["wagers_open"]


# Irregularities


async def test_what_goes_back_to_whom_is_told_before_and_after_it_is_carried_out_5_7(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    await says(house, "bj", "hands", FIRST_TWO)
    asked = {"act": "irregularity", "id": "bj", "round": 1, "said": CHOSEN}
    preview = await house.does("/v1/pits/pit-3/previews", "sue", asked)
    assert preview["words"] == [
        "The round continues with the players who chose to (5.7).",
        "Box 1 continues (5.7.1).",
        "Box 1, B (5.7.3): Initial Bet SGD 10.00 to be returned.",
    ]
    answer = await house.does("/v1/tables/bj/rounds/1/irregularities", "sue", CHOSEN)
    assert answer["meter"] is None
    assert answer["consequence"] == preview["consequence"]
    back = answer["consequence"]["players"][1]
    assert (back["box"], back["player"], back["outcome"], back["rule"]) == (1, "B", "returned", "5.7.3")
    assert back["returned"] == [{"wager": "bet", "name": "Initial Bet", "hand": 1, "amount": 1000}]
    told = await house.told("/v1/tables/bj/rounds/1")
    (declared,) = told["irregularities"]
    assert (declared["person"], declared["said"]["paragraph"]) == ("sue", "5.7")
    assert declared["consequence"] == preview["consequence"]
    assert [one["returned_by"] for one in told["boxes"][0]["players"]] == [None, "5.7.3"]
    assert "sue" in {one["by"] for one in told["story"]}


async def test_a_void_by_the_house_undoes_what_was_told_5_5(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    await says(house, "bj", "hands", FIRST_TWO)
    said = {"paragraph": "5.5.1", "note": "a card of another set"}
    answer = await house.does("/v1/tables/bj/rounds/1/irregularities", "sue", said)
    assert (answer["state"], answer["consequence"]["follows"]) == ("voided", "voided")
    first = answer["consequence"]["players"][0]
    assert [(one["name"], one["amount"]) for one in first["returned"]] == [
        ("Player Pair", 500),
        ("Initial Bet", 2500),
    ]
    assert [(one["name"], one["before"], one["after"]) for one in first["adjustments"]] == [
        ("Player Pair", 0, 500)
    ]
    void = (await house.told("/v1/tables/bj/rounds/1"))["void"]
    assert (void["reason"], void["by"], len(void["returned"])) == ("5.5.1", "sue", 3)


async def test_boom_busted_has_its_own_choice(house: House) -> None:
    await says(
        house,
        "fb",
        "bets",
        {"boxes": [{"box": 1, "bet": 1000}], "boom_busted": [{"player": "X", "bet": 200}]},
    )
    said = CHOSEN | {"choices": {"1": "continue"}}
    problem = refused(
        await house.post("/v1/tables/fb/rounds/1/irregularities", "sue", said), 422, "choice_missing"
    )
    assert problem["players"] == ["boom_busted/X"]
    said["choices"] = {"1": "continue", "boom_busted/X": "return"}
    answer = await house.does("/v1/tables/fb/rounds/1/irregularities", "sue", said)
    assert (
        answer["consequence"]["words"][-1] == "Boom Busted of X (5.7.3): Boom Busted SGD 2.00 to be returned."
    )


@pytest.mark.parametrize(
    ("table", "said", "field"),
    [
        ("bj", {"paragraph": "5.4", "cards_seen": True}, "cards_seen"),
        ("bj", {"paragraph": "5.4", "boxes": [1]}, "boxes"),
        ("bj", {"paragraph": "5.4", "others": [1]}, "others"),
        ("bj", {"paragraph": "5.7", "choices": {"1/": "return"}}, "choices"),
        ("s1", {"paragraph": "5.10", "interim_settled": True}, "interim_settled"),
        ("s1", {"paragraph": "5.10", "choices": {"1/B": "return"}}, "choices.1/B"),
    ],
)
async def test_what_is_said_of_the_other_games_is_refused(
    house: House, table: str, said: Json, field: str
) -> None:
    problem = refused(
        await house.post(f"/v1/tables/{table}/rounds/1/irregularities", "sue", said), 422, "invalid"
    )
    assert problem["field"].startswith(field)
    place = "pits/pit-3" if table == "bj" else "links/main"
    asked = {"act": "irregularity", "id": table, "round": 1, "said": said}
    refused(await house.post(f"/v1/{place}/previews", "sue", asked), 422, "invalid")


async def test_a_void_by_the_table_and_an_error_noticed_later_are_refused_as_the_rules_say(
    house: House,
) -> None:
    await plays(house)
    said = {"paragraph": "5.5.1", "note": "late"}
    problem = refused(
        await house.post("/v1/tables/bj/rounds/1/irregularities", "sue", said), 409, "round_stands"
    )
    assert problem["rule"] == "5.13"
    refused(await house.post("/v1/tables/bj/rounds/1/irregularities", "ana", said), 403, "forbidden")


# Journal and report


async def test_the_journal_of_a_pit_as_pages_and_as_csv(house: House) -> None:
    await plays(house)
    page = await house.told("/v1/pits/pit-3/journal", params={"kind": "PitBetsClosed"})
    assert (page["pit"], [one["table"] for one in page["entries"]], page["next"]) == ("pit-3", ["bj"], None)
    latest = await house.told("/v1/pits/pit-3/journal", params={"order": "latest", "limit": 1})
    assert latest["entries"][0]["kind"] == "PitHandsReported"
    refused(await house.get("/v1/pits/pit-3/journal", params={"table": "s1"}), 404, "table_unknown")
    answer = await house.get("/v1/pits/pit-3/journal", headers={"Accept": "text/csv"}, params={"limit": 2})
    rows = list(csv.DictReader(answer.text.splitlines()))
    assert [row["kind"] for row in rows] == ["PitCreated", "PitTableAdded"]
    assert json.loads(rows[0]["entry"])["fact"]["id"] == "pit-3"
    assert 'rel="next"' in answer.headers["link"]
    refused(await house.get("/v1/pits/pit-3/journal", "ana"), 403, "forbidden")


async def test_a_report_counts_by_table_and_wager_what_was_laid_won_collected_and_returned(
    house: House,
) -> None:
    await worked(house, 6, "fb")
    await plays(house)  # Player Pair lost, both Initial Bets won
    await says(house, "bj", "bets", {"boxes": BOXES}, round=2)
    await says(house, "bj", "hands", FIRST_TWO, round=2)
    await says(house, "bj", "void", {"reason": "5.5.2"}, round=2)
    told = await house.told("/v1/pits/pit-3/report", "ana")
    bj, fb, pp = told["tables"]
    assert (bj["rounds"], bj["voided"], bj["won"], bj["collected"], bj["house"]) == (2, 1, 3500, 500, -3000)
    figures = {one["wager"]: one for one in bj["wagers"]}
    assert figures["bet"] == {
        "wager": "bet",
        "name": "Initial Bet",
        "laid": 7000,
        "won": 3500,
        "collected": 0,
        "returned": 3500,
        "markers": 0,
    }
    assert (figures["player_pair"]["collected"], figures["player_pair"]["returned"]) == (500, 500)
    assert {one["wager"]: one["markers"] for one in fb["wagers"] if one["markers"]} == {"free_double": 2000}
    assert (pp["rounds"], pp["wagers"]) == (0, [])
    assert told["total"]["rounds"] == 3
    assert told["total"]["house"] == sum(one["house"] for one in told["tables"])
    answer = await house.get("/v1/pits/pit-3/report", headers={"Accept": "text/csv"})
    rows = [tuple(row.values()) for row in csv.DictReader(answer.text.splitlines())]
    assert ("table", "bj", "bet", "laid", "7000") in rows
    assert ("total", "pit-3", "", "rounds", "3") in rows


async def test_reports_of_two_times_add_up_though_a_round_lies_in_both(house: House) -> None:
    await says(house, "bj", "bets", {"boxes": BOXES})
    await says(house, "bj", "hands", FIRST_TWO)
    house.floor.wait(1)
    between = (await house.told("/v1/pits"))["clock"]["now"]
    house.floor.wait(1)
    await says(house, "bj", "void", {"reason": "5.5.2"})
    before = await house.told("/v1/pits/pit-3/report", params={"to": between})
    after = await house.told("/v1/pits/pit-3/report", params={"from": between})
    whole = await house.told("/v1/pits/pit-3/report")
    assert before["total"]["collected"] == 500
    assert after["total"]["collected"] == -500
    for figure in ("rounds", "voided", "won", "collected", "house"):
        assert before["total"][figure] + after["total"][figure] == whole["total"][figure]
    assert {one["wager"]: one["returned"] for one in whole["total"]["wagers"]} == {
        "bet": 3500,
        "player_pair": 500,
    }
