"""Casino Stud: what the House declares when something goes wrong, paragraph by paragraph."""

from __future__ import annotations

import pytest

from jackpot.games.irregularities import Resolution
from jackpot.link.facts import HandsInvalidated, IrregularityDeclared, RoundVoided
from jackpot.link.rounds import RoundState
from tests.floor import STUD
from tests.irregular import (
    BOXES,
    CONTINUE,
    CONTINUES,
    FLUSH_AWARD,
    OPTIONS,
    RETURN,
    SHARE,
    VOIDED,
    Scene,
    by_box,
    follows,
    given_back,
)

SEED = 50_000_00
ALL_BACK = dict.fromkeys(BOXES, (5_00, "5.22"))


@pytest.fixture
def scene() -> Scene:
    return Scene(STUD)


def test_s_5_7_1_the_house_lets_a_round_go_on_of_which_a_bet_is_won_or_lost(scene: Scene) -> None:
    scene.report({1: "nothing"})
    answer = scene.declare("5.7", note="the lights went out")
    assert follows(answer) == (CONTINUES, "5.7.1")
    assert scene.report({1: "nothing", 2: "flush", 3: None}, final=True).state is RoundState.SETTLED
    assert scene.floor.value == SEED + 3 * SHARE


def test_s_5_7_1_a_folded_ante_is_an_outcome_too(scene: Scene) -> None:
    scene.report({1: None})
    assert follows(scene.declare("5.7", note="the lights went out")) == (CONTINUES, "5.7.1")
    assert scene.refused("5.7", round=2)[0] == "round_unknown"


def test_s_5_7_2_the_house_voids_a_round_of_which_no_bet_is_won_or_lost(scene: Scene) -> None:
    answer = scene.declare("5.7", note="the lights went out")
    assert follows(answer) == (VOIDED, "5.7.2")
    assert given_back(answer) == ALL_BACK
    assert scene.accounts == scene.before


@pytest.mark.parametrize("paragraph", ["5.8.1", "5.8.3", "5.8.4", "5.8.5"])
def test_s_5_8_a_fault_of_cards_or_deck_voids_whatever_was_seen(scene: Scene, paragraph: str) -> None:
    scene.report({1: "royal", 2: "flush", 3: "nothing"})
    answer = scene.declare(paragraph, cards_seen=True)
    assert follows(answer) == (VOIDED, paragraph)
    assert given_back(answer) == ALL_BACK
    assert (scene.floor.link.queue, scene.accounts) == ({}, scene.before)
    (fact,) = scene.floor.facts(RoundVoided)
    assert (fact.reason, fact.by, fact.irregularity) == (paragraph, "sue", answer.irregularity)


def test_s_5_8_only_the_current_round_is_resolved(scene: Scene) -> None:
    scene.report(dict.fromkeys(BOXES), final=True)
    assert scene.refused("5.8.1") == ("round_stands", "5.20", None)
    scene.floor.bets("t1", [1])
    assert scene.refused("5.8.1", round=1) == ("round_stands", "5.20", None)
    assert scene.refused("5.8.1", round=7) == ("round_unknown", None, None)
    assert follows(scene.declare("5.8.1")) == (VOIDED, "5.8.1")
    assert scene.refused("5.8.1") == ("round_voided", "5.22", None)


def test_s_5_8_a_paid_major_cannot_be_undone(scene: Scene) -> None:
    win = scene.report({1: "royal", 2: None, 3: None}).results[0].win
    scene.floor.approve(str(win))
    scene.floor.wait(1)
    assert scene.refused("5.8.3")[0] == "win_paid"
    undone = {"boxes": (1,), "reconstructed": False, "choices": {1: RETURN}}
    assert scene.refused("5.10", **undone)[0] == "win_paid"
    assert by_box(scene.declare("5.10", boxes=(2,), reconstructed=False, choices={2: RETURN})) == {
        2: ("5.10.3", True)
    }


def test_s_5_8_2_exposed_cards_void_only_while_no_player_has_seen_his(scene: Scene) -> None:
    assert scene.refused("5.8.2") == ("cards_seen_missing", None, "cards_seen")
    assert scene.refused("5.8.2", cards_seen=True) == ("other_paragraph_applies", "5.12", "paragraph")
    assert follows(scene.declare("5.8.2", cards_seen=False)) == (VOIDED, "5.8.2")
    assert scene.accounts == scene.before


def test_s_5_8_6_an_incorrect_deal_voids_if_unseen_and_not_reconstructed(scene: Scene) -> None:
    assert scene.refused("5.8.6", reconstructed=False) == ("cards_seen_missing", None, "cards_seen")
    assert scene.refused("5.8.6", cards_seen=False) == ("reconstructed_missing", None, "reconstructed")
    for said in ({"cards_seen": True}, {"cards_seen": False, "reconstructed": True}):
        assert scene.refused("5.8.6", **said) == ("other_paragraph_applies", "5.10", "paragraph")
    assert follows(scene.declare("5.8.6", cards_seen=False, reconstructed=False)) == (VOIDED, "5.8.6")


def test_s_5_8_7_a_wrong_number_of_the_tables_cards_voids_if_not_reconstructed(scene: Scene) -> None:
    assert scene.refused("5.8.7") == ("reconstructed_missing", None, "reconstructed")
    assert scene.refused("5.8.7", reconstructed=True) == ("other_paragraph_applies", "5.10", "paragraph")
    assert follows(scene.declare("5.8.7", reconstructed=False)) == (VOIDED, "5.8.7")


@pytest.mark.parametrize("said", [{"cards_seen": True}, {"cards_seen": False, "reconstructed": False}])
def test_s_5_9_a_missing_burnt_card_voids_if_seen_or_not_reconstructed(
    scene: Scene, said: dict[str, bool]
) -> None:
    answer = scene.declare("5.9", **said)
    assert follows(answer) == (VOIDED, "5.9")
    assert given_back(answer) == ALL_BACK


def test_s_5_9_a_reconstructed_round_gives_every_player_the_options(scene: Scene) -> None:
    said = {"cards_seen": False, "reconstructed": True}
    assert scene.refused("5.9", **said) == ("choice_missing", "5.10", "choices")
    answer = scene.declare("5.9", **said, choices={1: CONTINUE, 2: RETURN, 3: CONTINUE})
    assert follows(answer) == (OPTIONS, "5.9")
    assert by_box(answer) == {1: ("5.10.2", False), 2: ("5.10.3", True), 3: ("5.10.2", False)}
    assert given_back(answer) == {2: (5_00, "5.10.3")}


def test_s_5_10_every_affected_player_must_choose(scene: Scene) -> None:
    said = {"boxes": (1, 3), "reconstructed": False}
    assert scene.refused("5.10", reconstructed=False) == ("boxes_missing", None, "boxes")
    assert scene.refused("5.10", boxes=(1, 3)) == ("reconstructed_missing", None, "reconstructed")
    assert scene.refused("5.10", **said, choices={1: RETURN}) == ("choice_missing", "5.10", "choices")
    other = {1: CONTINUE, 2: RETURN, 3: CONTINUE}
    assert scene.refused("5.10", **said, choices=other) == ("choice_not_offered", "5.10", "choices.2")
    twice = {"boxes": (1, 3, 1), "reconstructed": False, "choices": {1: RETURN, 3: RETURN}}
    assert scene.refused("5.10", **twice)[::2] == ("box_repeated", "boxes")


def test_s_5_10_1_a_player_continues_the_hand_as_it_is(scene: Scene) -> None:
    answer = scene.declare("5.10", boxes=(2,), reconstructed=False, choices={2: CONTINUE})
    assert (follows(answer), by_box(answer)) == ((OPTIONS, "5.10"), {2: ("5.10.1", False)})
    assert scene.floor.facts(HandsInvalidated) == []
    assert scene.report({1: None, 2: "flush", 3: None}).results[1].award == FLUSH_AWARD


def test_s_5_10_2_a_player_continues_with_the_reconstructed_hand(scene: Scene) -> None:
    scene.report({1: "nothing", 2: "flush", 3: None})
    answer = scene.declare("5.10", boxes=(1, 2), reconstructed=True, choices={1: CONTINUE, 2: CONTINUE})
    assert by_box(answer) == {1: ("5.10.2", False), 2: ("5.10.2", False)}
    assert [one.award for one in scene.report({1: "flush", 2: "nothing", 3: None}).results] == [
        FLUSH_AWARD,
        None,
        None,
    ]


@pytest.mark.parametrize("hand", ["royal", "flush", "nothing", None])
def test_s_5_10_3_what_a_hand_did_to_the_jackpot_is_undone_with_its_bet(
    scene: Scene, hand: str | None
) -> None:
    others = {2: "nothing", 3: None} if hand != "nothing" else {2: None, 3: None}
    scene.report({1: hand, **others})
    answer = scene.declare("5.10", boxes=(1,), reconstructed=False, choices={1: RETURN})
    assert given_back(answer) == {1: (5_00, "5.10.3")}
    alone = Scene(STUD)
    alone.floor.void("t1")
    alone.floor.bets("t1", [2, 3])
    assert (scene.accounts, scene.floor.link.queue) == (alone.accounts, {})


def test_s_5_10_3_an_invalidated_hand_stays_so(scene: Scene) -> None:
    scene.report({1: "flush", 2: "nothing", 3: None})
    scene.declare("5.10", boxes=(1,), reconstructed=False, choices={1: RETURN})
    accounts = scene.accounts
    for again in ({1: "flush", 2: "nothing", 3: None}, {1: None, 2: "nothing", 3: None}):
        assert scene.hands_refused(again) == ("hand_invalidated", "5.10.3")
    scene.report({2: "nothing", 3: None})
    assert scene.report({1: ("5.15",), 2: "nothing", 3: None}).returned == ()
    assert scene.refused("5.10", boxes=(1,), reconstructed=False)[0] == "box_not_in_round"
    assert (scene.accounts, scene.round.boxes[1].invalidated) == (accounts, "5.10.3")
    voided = scene.declare("5.8.1")
    assert given_back(voided) == dict.fromkeys((2, 3), (5_00, "5.22"))
    assert scene.accounts == scene.before


def test_s_5_12_an_exposed_card_changes_nothing_once_a_player_has_seen_his(scene: Scene) -> None:
    assert scene.refused("5.12") == ("cards_seen_missing", None, "cards_seen")
    assert follows(scene.declare("5.12", cards_seen=True, boxes=(2,))) == (CONTINUES, "5.12")
    assert scene.floor.value == SEED + 3 * SHARE


def test_s_5_12_before_that_the_affected_players_have_the_options(scene: Scene) -> None:
    said = {"cards_seen": False, "reconstructed": False, "boxes": (2,)}
    assert scene.refused("5.12", **said) == ("choice_missing", "5.10", "choices")
    answer = scene.declare("5.12", **said, choices={2: RETURN})
    assert (follows(answer), by_box(answer)) == ((OPTIONS, "5.12"), {2: ("5.10.3", True)})
    assert scene.floor.value == SEED + 2 * SHARE


@pytest.mark.parametrize(("reconstructed", "rule"), [(False, "5.10.1"), (True, "5.10.2")])
def test_s_5_12_who_continues_does_so_with_the_hand_as_it_is_or_put_right(
    scene: Scene, reconstructed: bool, rule: str
) -> None:
    assert scene.refused("5.12", cards_seen=False, boxes=(2,))[0] == "reconstructed_missing"
    said = {"cards_seen": False, "reconstructed": reconstructed, "boxes": (2,)}
    assert by_box(scene.declare("5.12", **said, choices={2: CONTINUE})) == {2: (rule, False)}


def test_s_5_13_a_card_found_face_up_is_the_next_card(scene: Scene) -> None:
    assert follows(scene.declare("5.13")) == (CONTINUES, "5.13")
    assert len(scene.floor.facts(IrregularityDeclared)) == 1


def test_s_5_14_the_supervisor_says_which_card_comes_first(scene: Scene) -> None:
    choices = dict.fromkeys(BOXES, CONTINUE)
    assert scene.refused("5.14", choices=choices) == ("reason_missing", None, "note")
    answer = scene.declare("5.14", choices=choices, note="the queen first", person="tom")
    (fact,) = scene.floor.facts(IrregularityDeclared)
    assert (fact.person, fact.said.note, fact.irregularity) == ("tom", "the queen first", answer.irregularity)


def test_s_5_14_1_simultaneous_cards_give_every_player_the_options(scene: Scene) -> None:
    assert scene.refused("5.14", note="the queen first", boxes=(1,), choices={1: CONTINUE}) == (
        "choice_missing",
        "5.10",
        "choices",
    )
    answer = scene.declare("5.14", note="the queen first", choices={1: CONTINUE, 2: CONTINUE, 3: RETURN})
    assert follows(answer) == (OPTIONS, "5.14.1")
    assert by_box(answer) == {1: ("5.10.1", False), 2: ("5.10.1", False), 3: ("5.10.3", True)}


def test_s_5_15_the_hand_is_invalid_and_the_other_players_have_the_options(scene: Scene) -> None:
    said = {"reconstructed": False, "boxes": (2,), "others": (3,)}
    assert scene.refused("5.15", boxes=(2,)) == ("reconstructed_missing", None, "reconstructed")
    assert scene.refused("5.15", **(said | {"reconstructed": True})) == (
        "other_paragraph_applies",
        "5.10",
        "paragraph",
    )
    assert scene.refused("5.15", **said) == ("choice_missing", "5.10", "choices")
    both = said | {"others": (3, 2)}
    choices = {2: RETURN, 3: RETURN}
    assert scene.refused("5.15", **both, choices=choices)[::2] == ("box_repeated", "others")
    assert scene.refused("5.15", **said, choices={2: CONTINUE, 3: CONTINUE})[0] == "choice_not_offered"
    answer = scene.declare("5.15", **said, choices={3: CONTINUE})
    assert (follows(answer), by_box(answer)) == ((OPTIONS, "5.15"), {2: ("5.15", True), 3: ("5.10.1", False)})
    assert given_back(answer) == {2: (5_00, "5.15")}


def test_s_5_15_where_nobody_else_is_affected_the_round_goes_on(scene: Scene) -> None:
    answer = scene.declare("5.15", reconstructed=False, boxes=(1, 2))
    assert follows(answer) == (CONTINUES, "5.15")
    assert given_back(answer) == {1: (5_00, "5.15"), 2: (5_00, "5.15")}
    assert scene.floor.value == SEED + SHARE
    assert scene.report({3: None}).state is RoundState.HANDS_KNOWN


def test_s_5_16_the_dealers_exposed_card_becomes_the_face_up_card(scene: Scene) -> None:
    assert follows(scene.declare("5.16", cards_seen=False)) == (CONTINUES, "5.16")
    assert scene.floor.value == SEED + 3 * SHARE


@pytest.mark.parametrize("paragraph", ["5.8", "5.17", "5.18", "5.20", "5.23", "5.7.2", "", "9" * 600])
def test_s_5_24_a_paragraph_that_resolves_nothing_is_refused(scene: Scene, paragraph: str) -> None:
    assert scene.refused(paragraph) == ("irregularity_unknown", None, "paragraph")


def test_s_5_19_an_additional_hand_examined_on_purpose_is_invalid(scene: Scene) -> None:
    assert scene.refused("5.19") == ("boxes_missing", None, "boxes")
    answer = scene.declare("5.19", boxes=(2,), note="looked into both hands")
    assert (follows(answer), given_back(answer)) == ((CONTINUES, "5.19"), {2: (5_00, "5.19")})
    assert scene.report({1: "flush", 3: None}).results[0].award == FLUSH_AWARD
    assert scene.hands_refused({1: "flush", 2: "nothing", 3: None}) == ("hand_invalidated", "5.19")


def test_s_5_20_an_error_noticed_in_a_later_round_has_no_effect(scene: Scene) -> None:
    scene.report({1: "flush", 2: None, 3: None})
    scene.floor.bets("t1", [1])
    assert scene.refused("5.15", round=1, reconstructed=False, boxes=(1,)) == (
        "round_stands",
        "5.20",
        None,
    )
    assert scene.floor.value == SEED + 4 * SHARE


def test_s_5_22_the_table_may_void_what_the_house_has_voided(scene: Scene) -> None:
    answer = scene.declare("5.8.1")
    told = scene.floor.void("t1")
    assert given_back(told) == given_back(answer) == ALL_BACK
    assert scene.accounts == scene.before
    assert len(scene.floor.facts(RoundVoided)) == 1


@pytest.mark.parametrize(
    ("resolution", "expected"), [(Resolution.VOID, VOIDED), (Resolution.CONTINUE, CONTINUES)]
)
def test_s_5_24_what_the_rules_do_not_foresee_the_house_resolves(
    scene: Scene, resolution: Resolution, expected: str
) -> None:
    assert scene.refused("5.24", resolution=resolution) == ("reason_missing", None, "note")
    assert scene.refused("5.24", note="a cat") == ("resolution_missing", None, "resolution")
    answer = scene.declare("5.24", resolution=resolution, note="a cat on the table")
    assert follows(answer) == (expected, "5.24")
    assert scene.floor.value == (SEED if expected is VOIDED else SEED + 3 * SHARE)
