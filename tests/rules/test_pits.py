"""Rounds of blackjack in a pit: taken from tables, written down, and computed again."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.core.refusals import (
    CardRepeated,
    ChoiceMissing,
    ContentConflict,
    DecisionContradictory,
    NoJackpot,
    OutcomeEstablished,
    ParameterWrong,
    RoundIsVoid,
    RoundPassed,
    RoundStands,
    RoundUnknown,
    ToldBefore,
    VoidReasonUnknown,
    WagerNotInGame,
)
from jackpot.games.blackjack import Choice, Outcome, PitGame, Resolution, SideLimits
from jackpot.games.rulebook import Game
from jackpot.link.commands import AddTable, CloseBets, CloseTable, DeclareMalfunction, OpenTable, Propose
from jackpot.link.parameters import Changes
from jackpot.link.pit_facts import PitBetsClosed, PitHandsReported
from jackpot.link.proposals import ParameterChange
from jackpot.link.rounds import RoundState
from jackpot.link.state import PitSetup, PitTable, Scope, TableSetup, TableStatus, Then
from jackpot.machine.auditing import audit
from jackpot.machine.kind import Denied
from jackpot.play.pit_rounds import mistold
from jackpot.readings.alerts import alerts
from tests.blackjack import Json, brief
from tests.pit_floor import PitFloor

ONE_BOX: Json = {"boxes": [{"box": 1, "bet": 2500}]}
STOOD: Json = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd", "8h"]}}
FIRST_TWO: Json = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd"]}}


@pytest.fixture
def floor() -> PitFloor:
    return PitFloor()


def test_a_round_goes_from_bets_to_settlement_and_is_computed_again(floor: PitFloor) -> None:
    bets = floor.bets("bj", ONE_BOX)
    assert (bets.state, bets.meter, bets.notice) == (RoundState.BETS_CLOSED, None, None)
    assert [(one.box, one.player, one.wager, one.stake) for one in bets.playing] == [(1, "1", "bet", 2500)]
    interim = floor.hands("bj", FIRST_TWO)
    assert (interim.state, interim.settlement) == (RoundState.HANDS_KNOWN, ())
    final = floor.hands("bj", {**STOOD, "final": True})
    assert final.state is RoundState.SETTLED
    assert brief(final.settlement) == [("bet", "win", 2500, 5000, "3.23.2")]
    assert [(one.box, one.total) for one in final.hands] == [(1, 19)]
    assert (final.dealer.total, final.dealer.finished) == (18, True)
    floor.audited()


def test_a_restart_gives_the_same_state(floor: PitFloor) -> None:
    floor.bets("fb", {"boxes": [{"box": 2, "bet": 1000, "lucky_stash": 100}]})
    floor.hands("fb", {"hands": [{"box": 2, "cards": ["5c", "5d"]}], "dealer": {"cards": ["2c"]}})
    before = floor.book.restart()
    assert floor.pit == before
    answer = floor.hands(
        "fb",
        {
            "hands": [{"box": 2, "cards": ["5c", "5d", "9h"], "decision": "free_double"}],
            "dealer": {"cards": ["2c", "Kd", "Qs"]},
            "final": True,
        },
    )
    # The dealer's 22 stands off (F 3.24.5); the marker counts for Lucky Stash all the same (F 3.27).
    assert brief(answer.settlement) == [
        ("lucky_stash", "win", 100, 300, "3.27"),
        ("bet", "stand_off", 1000, 1000, "3.24.5"),
        ("free_double", "stand_off", 0, 0, "3.24.5"),
    ]
    floor.audited()


def test_the_same_message_again_is_answered_as_the_first_time(floor: PitFloor) -> None:
    first = floor.bets("bj", ONE_BOX)
    assert floor.bets("bj", ONE_BOX, round=1) == first
    told = floor.hands("bj", FIRST_TWO)
    assert floor.hands("bj", FIRST_TWO) == told
    assert len(floor.book.entries) == 1 + 3 + 1 + 1 + 1  # created, tables, joined, bets, hands


def test_other_bets_of_a_round_are_a_conflict_5_8(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    with pytest.raises(ContentConflict) as refused:
        floor.bets("bj", {"boxes": [{"box": 1, "bet": 5000}]}, round=1)
    assert refused.value.rule == "5.8"


def test_round_numbers_rise_and_a_settled_round_stands(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX, round=7)
    with pytest.raises(RoundPassed):
        floor.bets("bj", ONE_BOX, round=3)
    with pytest.raises(RoundUnknown):
        floor.hands("bj", FIRST_TWO, round=8)
    floor.hands("bj", {**STOOD, "final": True}, round=7)
    with pytest.raises(RoundStands) as refused:
        floor.hands("bj", {**FIRST_TWO, "final": True}, round=7)
    assert refused.value.rule == "5.6"
    with pytest.raises(RoundStands):
        floor.void("bj", "5.5.1", round=7)


def test_a_correction_says_what_changed_in_what_was_handed_out(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    floor.hands("bj", STOOD)
    answer = floor.hands("bj", {**STOOD, "dealer": {"cards": ["Kd", "9h"]}})
    assert brief(answer.settlement) == [("bet", "stand_off", 2500, 2500, "3.23.4")]
    assert [(one.before, one.after) for one in answer.adjustments] == [(5000, 2500)]
    back = floor.hands("bj", STOOD)  # what was first told, said again later, is a new correction
    assert [(one.before, one.after) for one in back.adjustments] == [(2500, 5000)]
    floor.audited()


def test_nothing_is_taken_back_by_silence(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    floor.hands("bj", STOOD)
    with pytest.raises(ToldBefore):
        floor.hands("bj", FIRST_TWO)


def test_the_next_rounds_bets_settle_a_round_as_far_as_it_was_told(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    floor.hands("bj", FIRST_TWO)
    floor.bets("bj", ONE_BOX)
    fact = floor.book.entries[-1].fact
    assert isinstance(fact, PitBetsClosed)
    assert [(one.box, one.player, one.wager) for one in fact.left_open] == [(1, "1", "bet")]
    assert ("wagers_open", "bj") in [(one.code, one.table) for one in alerts(floor.pit, now=floor.now)]
    floor.hands("bj", {**STOOD, "final": True})
    assert floor.table("bj").wagers_open is None
    floor.audited()


def test_a_void_hands_back_what_was_laid_and_undoes_what_was_told_5_17(floor: PitFloor) -> None:
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500, "player_pair": 500}]})
    floor.hands("bj", FIRST_TWO)
    answer = floor.void("bj", "5.5.2")
    assert answer.state is RoundState.VOIDED
    assert brief(answer.settlement) == [
        ("player_pair", "returned", 500, 500, "5.17"),
        ("bet", "returned", 2500, 2500, "5.17"),
    ]
    assert [(one.wager, one.difference) for one in answer.adjustments] == [("player_pair", 500)]
    assert [one.wager for one in answer.returned] == ["bet"]
    with pytest.raises(RoundIsVoid):
        floor.hands("bj", STOOD)
    floor.audited()


def test_an_interruption_voids_nothing_once_a_bet_is_lost_5_4_1(floor: PitFloor) -> None:
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500, "player_pair": 500}]})
    floor.hands("bj", FIRST_TWO)
    with pytest.raises(OutcomeEstablished) as refused:
        floor.void("bj", "5.4.2")
    assert refused.value.rule == "5.4.1"
    with pytest.raises(VoidReasonUnknown):
        floor.void("bj", "5.8.1")


def test_players_who_choose_so_have_their_bets_back_5_7_3(floor: PitFloor) -> None:
    boxes = [{"box": 1, "bet": 2500}, {"box": 1, "player": "B", "standing": True, "bet": 1000}]
    floor.bets("bj", {"boxes": boxes})
    floor.hands("bj", FIRST_TWO)
    with pytest.raises(ChoiceMissing):
        floor.declare("bj", "5.7", reconstructed=False, interim_settled=True, choices={})
    answer = floor.declare(
        "bj",
        "5.7",
        reconstructed=False,
        interim_settled=True,
        choices={"1": Choice.CONTINUE, "1/B": Choice.RETURN},
    )
    assert brief(answer.settlement) == [("B", "bet", "returned", 1000, 1000, "5.7.3")]
    final = floor.hands("bj", {**STOOD, "final": True})
    assert brief(final.settlement) == [
        ("bet", "win", 2500, 5000, "3.23.2"),
        ("B", "bet", "returned", 1000, 1000, "5.7.3"),
    ]
    floor.book.restart()
    floor.audited()


def test_who_is_alone_after_the_others_had_their_bets_back_may_walk_away_5_3(floor: PitFloor) -> None:
    behind = {"box": 1, "player": "B", "standing": True, "bet": 1000}
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500}, behind]})
    left: Json = {"hands": [{"box": 1, "cards": ["Th", "6c"], "decision": "walk_away"}]}
    with pytest.raises(DecisionContradictory) as refused:
        floor.hands("bj", {**left, "dealer": {"cards": ["Kd"]}})
    assert refused.value.rule == "5.3"
    choices = {"1": Choice.CONTINUE, "1/B": Choice.RETURN}
    floor.declare("bj", "5.7", reconstructed=False, interim_settled=False, choices=choices)
    answer = floor.hands("bj", {**left, "dealer": {"cards": ["Kd", "9h"]}, "final": True})
    assert brief(answer.settlement) == [
        ("bet", "lose", 2500, 0, "3.23.3"),
        ("B", "bet", "returned", 1000, 1000, "5.7.3"),
    ]
    floor.audited()


def test_a_table_says_that_who_has_his_bets_back_follows_no_later_call_5_7_3(floor: PitFloor) -> None:
    """Who is not named follows the call in full: what lay there before may be told after the declaration."""
    boxes = [{"box": 1, "bet": 2500}, {"box": 1, "player": "B", "standing": True, "bet": 1000}]
    pair = {"box": 1, "cards": ["8c", "8d"]}
    split = pair | {"decision": "split", "split": [{"cards": ["8c", "Kc"]}, {"cards": ["8d", "Tc"]}]}
    told = {"dealer": {"cards": ["6d", "Tc", "Kh"]}, "final": True}
    choices = {"1": Choice.CONTINUE, "1/B": Choice.RETURN}
    bet = ("B", "bet", "returned", 1000, 1000, "5.7.3")
    follows = [bet, ("B", "split 2", "returned", 1000, 1000, "5.7.3")]
    for said, back in (({}, follows), ({"wagers": [{"player": "B", "split": "none"}]}, [bet])):
        floor.bets("bj", {"boxes": boxes})
        floor.hands("bj", {"hands": [pair], "dealer": {"cards": ["6d"]}})
        floor.declare("bj", "5.7", reconstructed=False, interim_settled=True, choices=choices)
        final = floor.hands("bj", told | {"hands": [split | said]})
        assert [line for line in brief(final.settlement) if line[0] == "B"] == back
    floor.audited()


def test_an_irregularity_that_voids_answers_the_tables_own_void_too(floor: PitFloor) -> None:
    floor.bets("fb", {"boxes": [{"box": 1, "bet": 1000}], "boom_busted": [{"player": "X", "bet": 200}]})
    answer = floor.declare("fb", "5.20", note="the shoe fell", resolution=Resolution.VOID)
    assert answer.state is RoundState.VOIDED
    assert [one.payout for one in answer.settlement] == [1000, 200]
    again = floor.void("fb", "5.5.1")
    assert again.settlement == answer.settlement
    floor.bets("fb", ONE_BOX)
    assert floor.void("fb", "5.5.1", round=1).settlement == answer.settlement
    floor.audited()


def test_an_error_noticed_a_round_later_changes_nothing_5_13(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    floor.hands("bj", {**STOOD, "final": True})
    with pytest.raises(RoundStands) as refused:
        floor.declare("bj", "5.7", reconstructed=False, interim_settled=True, choices={"1": Choice.RETURN})
    assert refused.value.rule == "5.13"


def test_a_shoe_remembers_its_cards_across_rounds_2_2_1(floor: PitFloor) -> None:
    def play(card: str, shoe: str) -> None:
        floor.bets("bj", ONE_BOX)
        told = {"hands": [{"box": 1, "cards": [card, card]}], "dealer": {"cards": ["Kd", "8h"]}}
        floor.hands("bj", {**told, "shoe": {"id": shoe}, "final": True})

    for _ in range(4):
        play("9c", "shoe 1")
    floor.book.restart()
    with pytest.raises(CardRepeated) as refused:
        play("9c", "shoe 1")
    assert refused.value.rule == "2.2.1"
    play("9c", "shoe 2")  # shuffled
    floor.audited()


def test_voided_rounds_count_in_the_shoe_too(floor: PitFloor) -> None:
    for _ in range(4):
        floor.bets("bj", ONE_BOX)
        floor.hands(
            "bj",
            {
                "hands": [{"box": 1, "cards": ["9c", "9c"]}],
                "dealer": {"cards": ["Kd"]},
                "shoe": {"id": "s"},
            },
        )
        floor.void("bj", "5.5.1")
    floor.bets("bj", ONE_BOX)
    with pytest.raises(CardRepeated):
        floor.hands(
            "bj",
            {
                "hands": [{"box": 1, "cards": ["9c", "9h"]}],
                "dealer": {"cards": ["Kd"]},
                "shoe": {"id": "s"},
            },
        )


def test_a_closed_table_hands_every_bet_back(floor: PitFloor) -> None:
    floor.bets("pp", {"boxes": [{"box": 1, "bet": 60000}]})
    floor.book.submit(CloseTable(person="ana", table="pp", reason="no dealer"), at=floor.now)
    answer = floor.bets("pp", {"boxes": [{"box": 1, "bet": 60000, "perfect_pairs": 500}]})
    assert (answer.playing, answer.notice) == ((), "This table is closed.")
    assert [one.payout for one in answer.settlement] == [500, 60000]
    assert floor.hands("pp", {"final": True}).settlement == answer.settlement
    assert floor.heartbeat("pp").table_state is TableStatus.CLOSED
    floor.book.submit(OpenTable(person="ana", table="pp", reason="a dealer"), at=floor.now)
    assert floor.bets("pp", {"boxes": [{"box": 1, "bet": 2500}]}).playing
    floor.audited()


def test_a_heartbeat_of_a_pit_speaks_of_no_progressive(floor: PitFloor) -> None:
    answer = floor.heartbeat("bj")
    assert (answer.table_state, answer.progressive, answer.notice, answer.meter) == (
        TableStatus.IN_PLAY,
        None,
        None,
        None,
    )


def test_what_needs_a_jackpot_is_refused_in_a_pit(floor: PitFloor) -> None:
    change = ParameterChange(changes=Changes(seed=100))
    for command in (
        DeclareMalfunction(
            person="a", scope=Scope(table="bj"), observed_at=floor.now, cards_seen={}, then=Then.CLOSE
        ),
        Propose(person="a", change=change, reason="b"),
    ):
        before = len(floor.book.entries)
        with pytest.raises(NoJackpot):
            floor.book.submit(command, at=floor.now)
        assert len(floor.book.entries) == before


def test_bets_of_another_game_are_refused(floor: PitFloor) -> None:
    poker = CloseBets(**floor.said("bj"), round=1, closed_at=floor.now, boxes=())
    with pytest.raises(WagerNotInGame):
        floor.book.submit(poker, at=floor.now)


@pytest.mark.parametrize(
    ("setup", "field"),
    [
        (PitSetup(id="x", game=PitGame.BLACKJACK, boxes=7, decks=3), "decks"),
        (PitSetup(id="x", game=PitGame.BLACKJACK_PERFECT_PAIRS, boxes=7, decks=9), "decks"),
        (PitSetup(id="x", game=PitGame.FREE_BET_BLACKJACK, boxes=6, decks=11), "decks"),
        (PitSetup(id="x", game=PitGame.FREE_BET_BLACKJACK, boxes=7, decks=8), "boxes"),
        (
            PitSetup(
                id="x",
                game=PitGame.BLACKJACK,
                boxes=7,
                decks=8,
                side={"perfect_pairs": SideLimits(maximum=500)},
            ),
            "side.perfect_pairs",
        ),
        (
            PitSetup(
                id="x",
                game=PitGame.BLACKJACK,
                boxes=7,
                decks=8,
                side={"under_13": SideLimits(minimum=600, maximum=500)},
            ),
            "side.under_13.minimum",
        ),
        (TableSetup(id="x", game=Game.CASINO_STUD, boxes=7), "game"),
    ],
)
def test_a_table_that_the_rules_do_not_know_is_not_added_2_1_1_2_2_1(
    floor: PitFloor, setup: PitSetup | TableSetup, field: str
) -> None:
    with pytest.raises(ParameterWrong) as refused:
        floor.book.submit(AddTable(person="a", setup=setup), at=floor.now)
    assert refused.value.data["field"] == field


@pytest.mark.parametrize(
    "wrong",
    [
        {"payout": 5001, "outcome": Outcome.RETURNED},
        {"payout": 1, "outcome": Outcome.LOSE},
        {"stake": 2499},
        {"stake": 2501},
        {"payout": 2499},
        {"wager": "double"},
        {"hand": 2},
        {"player": "2"},
    ],
)
def test_each_line_tells_all_of_a_wager_and_what_becomes_of_it(floor: PitFloor, wrong: Json) -> None:
    floor.bets("bj", ONE_BOX)
    lines = floor.hands("bj", {**STOOD, "final": True}).settlement
    table = floor.pit.tables["bj"]
    assert isinstance(table, PitTable)
    assert table.round is not None
    assert mistold(table.setup, table.round, lines) is None
    other = replace(lines[0], **wrong)
    assert mistold(table.setup, table.round, (other,)) == other
    assert mistold(table.setup, table.round, (*lines, *lines)) == lines[0]


def test_insurance_goes_back_of_who_is_named_again_with_his_bets_back_5_7_3(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    wagers = [{"insurance": 500}, {"invalidated": "5.7.3"}]
    hand = {"box": 1, "cards": ["Th", "9c"], "wagers": wagers}
    told = floor.hands("bj", {"hands": [hand], "dealer": {"cards": ["Ad"]}})
    assert [(one.wager, one.stake, one.payout) for one in told.settlement] == [
        ("insurance", 500, 500),
        ("bet", 2500, 2500),
    ]
    floor.audited()


def test_a_forged_settlement_is_denied(floor: PitFloor) -> None:
    floor.bets("bj", ONE_BOX)
    floor.hands("bj", {**STOOD, "final": True})
    fact = floor.book.entries[-1].fact
    assert isinstance(fact, PitHandsReported)
    last = floor.book.entries.pop()
    floor.book.restart()
    audit(floor.pit, last.fact)
    dearer = replace(fact.settlement[0], payout=9000)
    with pytest.raises(Denied, match="the settlement"):
        audit(floor.pit, replace(fact, settlement=(dearer,)))
    with pytest.raises(Denied, match="the state"):
        audit(floor.pit, replace(fact, state=RoundState.HANDS_KNOWN))
