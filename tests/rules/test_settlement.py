"""The main game as it is settled with a round's hands: answer, round, journal, and on the wire."""

from __future__ import annotations

import json
import re
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from jackpot.book.checking.verify import Difference
from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import strength
from jackpot.core.instants import spoken_instant
from jackpot.core.refusals import OutcomeEstablished, Refused
from jackpot.games import GAMES
from jackpot.games.adjustments import Adjusted, adjusted
from jackpot.games.lines import Limits, Line, Outcome, Stakes, Wager
from jackpot.games.paytables import MOST_WON
from jackpot.games.rulebook import Game
from jackpot.games.stud import QUALIFYING
from jackpot.link import facts
from jackpot.link.answers import HandsAnswer, VoidAnswer
from jackpot.link.facts import Fact
from jackpot.link.rounds import MainGame, RoundState
from jackpot.machine.applying import apply, created
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.invariants import Before, InvariantBroken, check_step
from jackpot.play.settlement import mistold, stakes_of
from jackpot.simulation.run import Simulation
from tests.book.test_book_verify import entries_of, rewrite, verified
from tests.floor import FLUSH, FULL_HOUSE, NOTHING, Floor
from tests.house import House, Json, a_house, answered, put, refused
from tests.main_game import told

PAIR = "9c 9d Kh 7s 2d"
DEALER_PLAYS = "Ac Kd 8h 5s 3c"
DEALER_OUT = "Qs 8c 7c 5h 3d"
BOARD = "2c 7d 9s Jc 3h"
BET = MainGame(decision="bet")
CHECKED = MainGame(decision="bet", turn=0, river=0)


@pytest.fixture
def floor() -> Floor:
    return Floor()


def stud_round(floor: Floor, *, dealer: str = DEALER_PLAYS, **said: Any) -> HandsAnswer:
    """Box 1 has a pair and stays in, box 2 folds."""
    floor.bets("s1", [1, 2])
    return floor.hands("s1", {1: PAIR, 2: NOTHING}, dealer=dealer, folded=[2], main={1: BET}, **said)


# What is told, and when


def test_stud_is_settled_with_the_hands(floor: Floor) -> None:
    assert told(stud_round(floor).settlement) == [
        (1, "ante", "win", 2500, 5000, "3.14.1"),
        (1, "bet", "win", 5000, 10000, "3.14.1"),
        (2, "ante", "lose", 2500, 0, "3.12.1"),
    ]


def test_holdem_is_settled_with_the_hands(floor: Floor) -> None:
    floor.bets("h1", [1, 2], bonus={1: 500, 2: 500})
    main = {1: MainGame(flop=5000, turn=2500, river=0), 2: MainGame(decision="bet", turn=0, river=0)}
    answer = floor.hands(
        "h1", {1: "Jh Js", 2: "Ad 4c"}, community=BOARD, dealer="9h 5d", main=main, final=True
    )
    assert told(answer.settlement) == [
        (1, "ante", "returned", 2500, 2500, "3.13"),
        (1, "flop", "win", 5000, 10000, "3.13"),
        (1, "turn", "win", 2500, 5000, "3.13"),
        (1, "bonus", "win", 500, 5500, "4.1"),
        (2, "ante", "lose", 2500, 0, "3.14"),
        (2, "flop", "lose", 5000, 0, "3.14"),
        (2, "bonus", "lose", 500, 0, "4.1"),
    ]
    assert [one.pays for one in answer.settlement][:4] == [None, "1 to 1", "1 to 1", "10 to 1"]


def test_nothing_is_told_of_a_box_before_the_dealer_shows_but_a_fold(floor: Floor) -> None:
    assert [one.box for one in stud_round(floor, dealer="Ac").settlement] == [2]


def test_two_aces_wait_for_the_dealers_cards_and_other_holdings_do_not(floor: Floor) -> None:
    floor.bets("h1", [1, 2], bonus={1: 500, 2: 500})
    hands, main = {1: "Ah As", 2: "Kd Kc"}, dict.fromkeys((1, 2), CHECKED)
    first = floor.hands("h1", hands, community=BOARD[:8], main=main)
    assert told(first.settlement) == [(2, "bonus", "win", 500, 5500, "4.1")]
    second = floor.hands("h1", hands, community=BOARD, dealer="Ad Ac", main=main)
    bonus = next(one for one in second.settlement if one.wager is Wager.BONUS)
    assert (bonus.pays, bonus.payout) == ("1000 to 1", 500_500)


def test_a_message_without_the_main_game_is_taken_as_before(floor: Floor) -> None:
    floor.bets("s1", [1, 2])
    answer = floor.hands("s1", {1: FLUSH, 2: NOTHING}, final=True)
    assert (answer.settlement, answer.adjustments) == ((), ())
    assert answer.results[0].award == 20_000


@pytest.mark.untraced
def test_a_simulated_floors_rounds_are_settled_as_the_game_settles_all_their_boxes() -> None:
    compared = empty = 0
    for seed in range(10):
        run = Simulation(seed)
        run.run(200)
        for table in run.stage.book.link.tables.values():
            current, setup = table.round, table.setup
            if current is None or current.hands_content is None or current.state is RoundState.VOIDED:
                continue
            cards = parse_all(current.dealer), parse_all(current.community)
            most = MOST_WON if setup.most_won is None else setup.most_won
            limits = Limits(minimum=setup.minimum, maximum=setup.maximum, most_won=most)
            lines = GAMES[setup.game].settle(limits, stakes_of(current), dealer=cards[0], community=cards[1])
            assert current.settlement == lines
            compared, empty = compared + 1, empty + (not lines)
    assert compared > 20
    assert empty < compared / 2


def test_the_weakest_qualifying_hand_is_ace_king_and_the_three_smallest_beside_it() -> None:
    assert strength(parse_all(["Ac", "Kd", "4h", "3s", "2c"])) == QUALIFYING
    assert strength(parse_all(["Ac", "Qd", "Jh", "Ts", "9c"])) < QUALIFYING


def test_the_tables_maximum_counts_in_its_rounds() -> None:
    floor = Floor(maximum=2000)
    floor.bets("s1", [1])
    answer = floor.hands("s1", {1: PAIR}, dealer=DEALER_OUT, main={1: BET})
    assert told(answer.settlement) == [
        (1, "ante", "returned", 500, 500, "5.1.1"),
        (1, "ante", "win", 2000, 4000, "3.13"),
        (1, "bet", "returned", 1000, 1000, "5.3.1"),
        (1, "bet", "returned", 4000, 4000, "3.13"),
    ]


def test_boxes_are_told_in_order_however_they_were_sent() -> None:
    boxes = [Stakes(box=box, ante=100, known=True, folded=True) for box in (3, 1, 2)]
    assert [one.box for one in GAMES[Game.CASINO_STUD].settle(Limits(), boxes, dealer=())] == [1, 2, 3]


# What cannot be


@pytest.mark.parametrize(
    ("table", "main", "folded", "code", "field"),
    [
        ("s1", MainGame(decision="raise"), [], "decision_unknown", "decision"),
        ("s1", MainGame(decision="check"), [], "decision_unknown", "decision"),
        ("s1", MainGame(flop=5000), [], "wager_not_in_game", "flop"),
        ("s1", MainGame(turn=0), [], "wager_not_in_game", "turn"),
        ("h1", MainGame(bet=5000), [], "wager_not_in_game", "bet"),
        ("s1", MainGame(decision="bet"), [1], "decision_contradictory", "decision"),
        ("s1", MainGame(bet=5000), [1], "decision_contradictory", "decision"),
        ("s1", MainGame(bet=5000, decision="fold"), [], "decision_contradictory", "decision"),
        ("s1", MainGame(bet=0, decision="bet"), [], "decision_contradictory", "decision"),
        ("h1", MainGame(flop=5000), [1], "decision_contradictory", "decision"),
        ("h1", MainGame(decision="check"), [], "decision_contradictory", "decision"),
        ("h1", MainGame(turn=2500), [], "decision_contradictory", "flop"),
        ("h1", MainGame(river=2500, decision="walk_away"), [], "decision_contradictory", "flop"),
    ],
)
def test_a_main_game_that_cannot_be_is_refused_and_changes_nothing(
    floor: Floor, table: str, main: MainGame, folded: list[int], code: str, field: str
) -> None:
    floor.bets(table, [1])
    before = floor.link.head
    cards, community = (PAIR, "") if table == "s1" else ("Ah Kd", BOARD)
    with pytest.raises(Refused) as refusal:
        floor.hands(table, {1: cards}, community=community, folded=folded, main={1: main})
    assert (refusal.value.code, refusal.value.data["field"]) == (code, f"hands[box 1].{field}")
    assert floor.link.head == before


@pytest.mark.parametrize(
    ("table", "main"),
    [
        ("s1", MainGame(bet=0, decision="fold")),
        ("h1", MainGame(flop=0, turn=0, river=0, decision="fold")),
        ("h1", MainGame(decision="bet", turn=2500)),
        ("h1", MainGame(flop=5000, decision="check")),
    ],
)
def test_zeros_and_understood_bets_contradict_nothing(floor: Floor, table: str, main: MainGame) -> None:
    floor.bets(table, [1])
    cards, community = (PAIR, "") if table == "s1" else ("Ah Kd", BOARD)
    answer = floor.hands(table, {1: cards}, community=community, main={1: main})
    assert answer.state == "hands_known"


# Corrections and voids


def paid(lines: Sequence[Line]) -> int:
    return sum(one.payout for one in lines)


def undone(answer: HandsAnswer | VoidAnswer, before: Sequence[Line]) -> bool:
    """The adjustments take what was handed out to what is to be handed out now for the same wagers."""
    assert all(one.before + one.difference == one.after for one in answer.adjustments)
    wagers = {(one.box, one.wager) for one in before}
    again = [one for one in answer.settlement if (one.box, one.wager) in wagers]
    return paid(before) + sum(one.difference for one in answer.adjustments) == paid(again)


def test_a_correction_adjusts_what_the_settlement_before_it_handed_out(floor: Floor) -> None:
    first = stud_round(floor)
    assert first.adjustments == ()
    again = floor.hands("s1", {1: NOTHING, 2: FULL_HOUSE}, dealer="Ac Kd 8h 5s 3c", folded=[2], main={1: BET})
    assert [(one.box, one.wager, one.before, one.difference) for one in again.adjustments] == [
        (1, Wager.ANTE, 5000, -5000),
        (1, Wager.BET, 10000, -10000),
    ]
    assert undone(again, first.settlement)


def test_a_hand_that_is_invalidated_later_gets_all_its_bets_back(floor: Floor) -> None:
    first = stud_round(floor)
    second = floor.hands("s1", {1: ("5.10.3",), 2: NOTHING}, folded=[2], main={1: BET})
    assert told(second.settlement)[:2] == [
        (1, "ante", "returned", 2500, 2500, "5.10.3"),
        (1, "bet", "returned", 5000, 5000, "5.10.3"),
    ]
    assert undone(second, first.settlement)


@pytest.mark.parametrize(("table", "rule"), [("s1", "5.22"), ("h1", "5.21")])
def test_a_void_returns_every_bet_and_undoes_the_settlement(floor: Floor, table: str, rule: str) -> None:
    floor.bets(table, [1, 2], bonus={1: 500} if table == "h1" else None)
    if table == "s1":
        first = floor.hands(table, {1: PAIR}, dealer=DEALER_PLAYS, main={1: BET})
    else:
        first = floor.hands(table, {1: "Jh Js"}, community=BOARD, dealer="9h 5d", main={1: CHECKED})
    assert paid(first.settlement) > 0
    void = floor.void(table)
    assert {(one.outcome, one.rule) for one in void.settlement} == {(Outcome.RETURNED, rule)}
    assert {one.box for one in void.settlement} == {1, 2}
    assert paid(void.settlement) == sum(one.stake for one in void.settlement)
    assert undone(void, first.settlement)
    current = floor.link.tables[table].round
    assert current is not None
    assert current.settlement == void.settlement


def test_a_void_by_malfunction_tells_its_table_the_same_however_often_it_asks(floor: Floor) -> None:
    floor.bets("s1", [1, 2])
    first = floor.hands("s1", {2: None})
    floor.malfunction("s1", seen={"s1": False})
    void = floor.void("s1", "5.17")
    assert [(one.box, one.before, one.after) for one in void.adjustments] == [(2, 0, 2500)]
    assert undone(void, first.settlement)
    assert floor.void("s1", "5.17") == void


def test_an_interruption_voids_no_round_in_which_a_main_bet_is_lost(floor: Floor) -> None:
    floor.bets("s1", {}, ante={1: 2500, 2: 2500})
    floor.hands("s1", {2: NOTHING}, folded=[2])
    with pytest.raises(OutcomeEstablished):
        floor.void("s1", "5.7.2")


def test_an_interruption_voids_a_round_in_which_bets_only_went_back(floor: Floor) -> None:
    floor.bets("s1", {}, ante={1: 2500, 2: 2500})
    floor.hands("s1", {2: ("5.15",)})
    assert floor.void("s1", "5.7.2").state == "voided"


def test_a_late_report_is_told_the_settlement_that_stands(floor: Floor) -> None:
    settled = stud_round(floor, final=True).settlement
    late = floor.hands("s1", {1: "Ah Kh Qh Jh Th"}, dealt=floor.now, main={1: BET})
    assert late.settlement == settled


def line(payout: int, *, box: int = 1, wager: Wager = Wager.ANTE) -> Line:
    outcome = Outcome.WIN if payout > 100 else Outcome.LOSE
    return Line(box=box, wager=wager, outcome=outcome, stake=100, payout=payout, rule="3.13")


def test_adjustments_are_by_box_and_wager_and_only_where_something_changed() -> None:
    before = [line(200, wager=Wager.BET), line(200), line(0, box=2), line(0, box=3), line(200, box=4)]
    after = [line(0), line(200, wager=Wager.BET), line(0, box=2), line(200, box=3)]
    assert adjusted(before, after) == (
        Adjusted(box=1, wager=Wager.ANTE, before=200, after=0),
        Adjusted(box=3, wager=Wager.ANTE, before=0, after=200),
        Adjusted(box=4, wager=Wager.ANTE, before=200, after=0),
    )


def test_a_wager_that_is_told_for_the_first_time_is_no_adjustment(floor: Floor) -> None:
    later = [line(200), line(200, wager=Wager.BET)]
    assert adjusted((), later) == ()
    assert adjusted([line(0, box=2)], [*later, line(0, box=2)]) == ()
    floor.bets("s1", [1, 2])
    floor.hands("s1", {2: NOTHING}, folded=[2])
    both = floor.hands("s1", {1: PAIR, 2: NOTHING}, folded=[2], dealer=DEALER_PLAYS, main={1: BET})
    assert {one.box for one in both.settlement} == {1, 2}
    assert both.adjustments == ()


# Nobody can write another settlement


def forged(floor: Floor, kind: type[Fact], change: Any) -> None:
    """Replay a floor's journal, as an auditor, with one fact of that kind changed."""
    link = created(floor.book.entries[0])
    for entry in floor.book.entries[1:]:
        fact = change(entry.fact) if isinstance(entry.fact, kind) else entry.fact
        audit(link, fact)
        apply(link, entry.fact, entry.stamp)


@pytest.mark.parametrize("kind", [facts.HandsReported, facts.RoundVoided])
@pytest.mark.parametrize("part", ["settlement", "adjustments"])
def test_an_auditor_denies_a_settlement_the_rules_do_not_give(
    floor: Floor, kind: type[Fact], part: str
) -> None:
    stud_round(floor)
    floor.hands("s1", {1: NOTHING, 2: PAIR}, dealer=DEALER_PLAYS, folded=[2], main={1: BET})
    floor.void("s1")
    forged(floor, kind, lambda fact: fact)
    with pytest.raises(Denied, match=part):
        forged(floor, kind, lambda fact: replace(fact, **{part: _more(getattr(fact, part))}))


def _more(records: Any) -> Any:
    return (*records, line(200)) if not records else (replace(records[0], box=7), *records[1:])


def test_a_settlement_that_makes_money_stops_the_link(floor: Floor) -> None:
    stud_round(floor)
    link, fact = floor.link, floor.book.entries[-1].fact
    assert isinstance(fact, facts.HandsReported)
    wrong = replace(fact, settlement=(*fact.settlement, fact.settlement[0]))
    with pytest.raises(InvariantBroken, match="not conserved"):
        check_step(link, wrong, Before(link.sequence - 1, link.time, link.pool.meter, held=False))


@pytest.mark.parametrize(
    "wrong",
    [
        {"payout": 5001, "outcome": Outcome.RETURNED},
        {"payout": 1, "outcome": Outcome.LOSE},
        {"stake": 2499},
        {"stake": 2501},
        {"payout": 2499},
    ],
)
def test_each_line_tells_all_of_a_wager_and_what_becomes_of_it(floor: Floor, wrong: dict[str, Any]) -> None:
    lines = stud_round(floor).settlement
    table = floor.link.tables["s1"]
    assert table.round is not None
    assert mistold(table.setup, table.round, lines) is None
    found = mistold(table.setup, table.round, (replace(lines[0], **wrong), *lines[1:]))
    assert found is not None
    assert found.wager is Wager.ANTE


# On the wire


@pytest.fixture
async def house(sqlite_url: str, tmp_path: Path) -> AsyncIterator[House]:
    async with a_house(sqlite_url, tmp_path) as found:
        yield found


HAND = {"box": 1, "cards": FULL_HOUSE.split(), "bet": 5000, "decision": "bet", "player": "seat 1"}


async def test_a_settlement_on_the_wire_has_every_field_of_the_contract(house: House) -> None:
    answered(await put(house, "s1", "bets", {"boxes": [{"box": 1, "ante": 2500, "progressive": 500}]}))
    hands = {"hands": [HAND], "dealer": {"cards": DEALER_PLAYS.split()}}
    answer = answered(await put(house, "s1", "hands", hands))
    assert answer["settlement"][1] == {
        "box": 1,
        "wager": "bet",
        "outcome": "win",
        "stake": 5000,
        "pays": "7 to 1",
        "payout": 40_000,
        "won": 35_000,
        "collected": 0,
        "rule": "3.14.1",
    }
    assert answer["adjustments"] == []
    again = answered(await put(house, "s1", "hands", hands))
    assert again == answer | {"replied_at": again["replied_at"]}
    void = answered(await put(house, "s1", "void", {"reason": "5.8.1"}))
    assert void["adjustments"][1] == {
        "box": 1,
        "wager": "bet",
        "before": 40_000,
        "after": 5000,
        "difference": -35_000,
    }
    evidence = await house.told("/v1/tables/s1/rounds/1")
    assert evidence["settlement"] == [one | {"win": None} for one in void["settlement"]]
    assert evidence["adjustments"] == void["adjustments"]


WRONG: list[tuple[Json, str, str]] = [
    ({"decision": "raise"}, "decision_unknown", "hands[box 1].decision"),
    ({"flop": 5000}, "wager_not_in_game", "hands[box 1].flop"),
    ({"folded": True}, "decision_contradictory", "hands[box 1].decision"),
    ({"bet": -1}, "amount_negative", "hands[box 1].bet"),
    ({"bet": 2.5}, "invalid", "hands[0].bet"),
]


async def test_a_wrong_main_game_is_422_with_its_field(house: House) -> None:
    answered(await put(house, "s1", "bets", {"boxes": [{"box": 1, "ante": 2500}]}))
    for said, code, field in WRONG:
        problem = refused(await put(house, "s1", "hands", {"hands": [HAND | said]}), 422, code)
        assert problem["field"] == field


async def test_a_book_is_verified_with_its_settlements_and_denied_when_one_is_changed(house: House) -> None:
    answered(await put(house, "s1", "bets", {"boxes": [{"box": 1, "ante": 2500}]}))
    hands = {"hands": [HAND], "dealer": {"cards": DEALER_PLAYS.split()}, "final": True}
    answered(await put(house, "s1", "hands", hands))
    book = house.service.book
    await verified(book)
    await rewrite(book, [(_paid_more(entry.fact), entry) for entry in await entries_of(book)])
    with pytest.raises(Difference, match="the settlement"):
        await verified(book)


def _paid_more(fact: Fact) -> Fact:
    """As somebody would forge it who can compute a chain and a state."""
    if not isinstance(fact, facts.HandsReported):
        return fact
    ante, bet = fact.settlement
    return replace(fact, settlement=(ante, replace(bet, payout=90_000)))


def _example(said: Any) -> Any:
    return said["content"]["application/json"]["example"]


def _without_nulls(lines: list[Json]) -> list[Json]:
    """As OpenAPI documents are written."""
    return [{name: value for name, value in one.items() if value is not None} for one in lines]


@pytest.mark.untraced
async def test_the_documented_examples_are_what_the_service_answers(house: House) -> None:
    paths = (await house.told("/openapi.json"))["paths"]
    answered(await put(house, "s1", "bets", {"boxes": [{"box": 1, "ante": 2500, "progressive": 500}]}))
    for method, what in (("put", "hands"), ("post", "void")):
        described = paths[f"/v1/tables/{{table}}/rounds/{{round}}/{what}"][method]
        said = _example(described["requestBody"]) | {"sent_at": spoken_instant(house.floor.clock.time)}
        for hand in said.get("hands", ()):
            hand["dealt_at"] = said["sent_at"]
        answer, example = (
            answered(await put(house, "s1", what, said)),
            _example(described["responses"]["200"]),
        )
        assert _without_nulls(answer["settlement"]) == example["settlement"]
        assert answer["adjustments"] == example["adjustments"]


GUIDE = Path(__file__).parents[2] / "docs" / "table-controllers.md"


def guide() -> list[Any]:
    """The examples of the guide, in order."""
    return [json.loads(block) for block in re.findall(r"```json\n(.*?)```", GUIDE.read_text(), re.DOTALL)]


@pytest.mark.parametrize(("table", "first"), [("s1", 0), ("h1", 3)])
async def test_the_guide_for_table_controllers_shows_what_the_service_answers(
    house: House, table: str, first: int
) -> None:
    bets, hands, settlement = guide()[first : first + 3]
    answered(await put(house, table, "bets", bets))
    assert answered(await put(house, table, "hands", hands))["settlement"] == settlement


async def test_the_guide_shows_what_to_hand_over_after_a_correction_and_a_void(house: House) -> None:
    bets, hands, _, *_, correction, corrected, begun, void, voided, _meters = guide()
    answered(await put(house, "s1", "bets", bets))
    answered(await put(house, "s1", "hands", hands))
    answer = answered(await put(house, "s1", "hands", correction))
    assert {part: answer[part] for part in corrected} == corrected
    answered(await put(house, "s2", "bets", bets))
    answered(await put(house, "s2", "hands", begun))
    answer = answered(await put(house, "s2", "void", void))
    assert {part: answer[part] for part in voided} == voided
