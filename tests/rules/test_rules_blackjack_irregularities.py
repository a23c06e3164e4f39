"""The games of blackjack, paragraph by paragraph: limits, interruptions, voids, and who leaves (section 5).

An Initial Bet is 10.00 unless a test says otherwise.
"""

from __future__ import annotations

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    BLACKJACK,
    PERFECT_PAIRS,
    BlackjackRules,
    Choice,
    Resolution,
    RoundFollows,
    adjusted,
    check_void,
    playing,
    returned_at_once,
    void_lines,
)
from tests.blackjack import (
    ONE,
    SIDE,
    TWO,
    Json,
    beside,
    brief,
    closed,
    declared,
    follows,
    hand,
    judged,
    no,
    not_declared,
    part,
    refusal,
    returned,
    settled,
)
from tests.paragraphs import paragraph

CONTINUE, RETURN = Choice.CONTINUE, Choice.RETURN


# Limits


@paragraph("5.1.1")
def test_what_exceeds_the_maximum_of_a_box_goes_back_pro_rata_down_to_the_cent(
    rules: BlackjackRules, rule: str
) -> None:
    """A12: 90.00, 40.01, 12.00 and 5.00 on a box of at most 100.00 and at least 10.00. Of 147.01 in all the
    first plays 90 * 100 / 147.01; what the third would play is raised to the minimum."""
    boxes = [{"box": 1, "bet": 90_00}, beside(40_01), beside(12_00, "C"), beside(5_00, "D")]
    limits: Json = {"minimum": 10_00, "maximum": 100_00}
    assert [one.stake for one in playing(closed(rules, *boxes, **limits))] == [61_22, 27_21, 10_00, 5_00]
    found = settled(rules, hand(1, "Th 9s"), dealer="9c 9d", boxes=boxes, limits=limits, final=True)
    assert [line[-4:-1] for line in found if line[-1] == rule] == [
        ("returned", 28_78, 28_78),
        ("returned", 12_80, 12_80),
        ("returned", 2_00, 2_00),
    ]
    assert [line[-2] for line in found if line[-1] != rule] == [122_44, 54_42, 20_00, 10_00]


@paragraph("5.1.1")
def test_each_side_bet_has_limits_of_its_own(rules: BlackjackRules, rule: str) -> None:
    wager = SIDE[rules.game]
    boxes: list[Json] = [{"box": 1, "bet": 10_00, wager: 3_00}, beside(5_00) | {wager: 1_00}]
    limits = {"side": {wager: {"maximum": 2_00}}}
    found = settled(rules, hand(1, "9h 3d"), dealer="9c", boxes=boxes, limits=limits)
    assert [line[-5:-1] for line in found] == [
        (wager, "returned", 1_50, 1_50),
        (wager, "lose", 1_50, 0),
        (wager, "returned", 50, 50),
        (wager, "lose", 50, 0),
    ]
    assert (found[0][-1], found[2][-1]) == (rule, rule)


@paragraph(B="5.1.1 3.14.2 5.17", P="5.1.1 3.15.2 5.17", F="5.1.1 3.15.2 5.18")
def test_what_follows_from_an_initial_bet_is_measured_by_the_part_that_plays(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    boxes, limits = [{"box": 1, "bet": 30_00}], {"maximum": 20_01}
    insured = hand(1, "Th 9s", wagers=[{"insurance": 15_00}])
    assert settled(rules, insured, dealer="As Kc", boxes=boxes, limits=limits)[:2] == [
        ("insurance", "returned", 5_00, 5_00, also),
        ("insurance", "win", 10_00, 30_00, also),
    ]
    assert returned(rules, insured, dealer="As", boxes=boxes, limits=limits) == [
        ("insurance", "returned", 15_00, 15_00, besides),
        ("bet", "returned", 30_00, 30_00, besides),
    ], rule


@paragraph("5.1.2")
def test_a_bet_below_the_minimum_on_such_a_box_plays_in_full(rules: BlackjackRules, rule: str) -> None:
    closing = closed(rules, {"box": 1, "bet": 99_00}, beside(4_00), minimum=10_00, maximum=50_00)
    assert [one.stake for one in playing(closing)] == [99_00 * 50_00 // 103_00, 4_00], rule


@paragraph(B="5.2.1 3.23.2", P="5.2.1 3.24.2", F="5.2.1 3.24.2")
def test_a_bet_below_the_minimum_that_nobody_noticed_plays_as_it_lies(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    found = settled(rules, hand(1, "Th 9s"), dealer="9c 9d", limits={"minimum": 25_00}, final=True)
    assert found == [("bet", "win", 10_00, 20_00, also)], rule


# Who leaves


@paragraph("5.3")
def test_who_walks_away_alone_has_cards_drawn_to_12_and_is_settled_like_anybody(
    rules: BlackjackRules, rule: str
) -> None:
    gone = hand(1, "5c 4d 3h", "walk_away")
    found = settled(rules, gone, dealer="9c 4d Ts", final=True)
    assert [line[:4] for line in found] == [("bet", "win", 10_00, 20_00)]
    low = hand(1, "5c 4d", "walk_away")
    assert no(rules, low, dealer="9c 8d") == ("draw_missing", rule, "hands[0].cards")


@paragraph("5.3")
def test_where_others_bet_on_the_box_the_next_one_calls(rules: BlackjackRules, rule: str) -> None:
    """A24."""
    boxes = [*ONE, beside(5_00)]
    gone = no(rules, hand(1, "Th 9s", "walk_away"), dealer="9c", boxes=boxes)
    assert gone == ("decision_contradictory", rule, "hands[0].decision")


# Interruptions


@paragraph("5.4 5.4.1 5.4.2")
def test_an_interruption_ends_a_round_or_not_by_what_was_told(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    told = judged(rules, ONE, [hand(1, "Th 6s 9h")], "9c").lines
    assert declared(rules, rule, told=told).rule == also
    assert declared(rules, rule).rule == besides


@paragraph("5.4.1 5.4")
def test_after_an_outcome_play_goes_on(rules: BlackjackRules, rule: str, also: str) -> None:
    """A bust, a natural, a surrendered half or a side bet is one; a stand off is none."""
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}]
    for one, dealer, bets in (
        (hand(1, "Th 6s 9h"), "9c", ONE),
        (hand(1, "Ah Kd"), "9c", ONE),
        (hand(1, "Th 6s", "surrender"), "9c", ONE),
        (hand(1, "9h 3d"), "9c", boxes),
    ):
        told = judged(rules, bets, [one], dealer).lines
        found = declared(rules, also, boxes=bets, told=told)
        assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, rule, ())
        with pytest.raises(Refused) as refused:
            check_void(rules, "5.4.2", told)
        assert refusal(refused)[:2] == ("outcome_established", rule)


@paragraph(B="5.4.2 5.4 5.17", P="5.4.2 5.4 5.17", F="5.4.2 5.4 5.18")
def test_without_an_outcome_the_round_is_voided(
    rules: BlackjackRules, rule: str, also: str, besides: str
) -> None:
    told = judged(rules, TWO, [hand(1, "Th 9s"), hand(3, "8c 8d")], "9c").lines
    found = declared(rules, also, boxes=TWO, told=told)
    assert (found.follows, found.rule) == (RoundFollows.VOIDED, rule)
    assert follows(found) == [(1, "1", besides, True), (1, "B", besides, True), (3, "3", besides, True)]
    check_void(rules, rule, told)


# What voids a round


@paragraph(B="5.5 5.17", P="5.5 5.17", F="5.5 5.18")
def test_a_void_for_the_cards_returns_every_bet_whatever_was_told(
    rules: BlackjackRules, rule: str, also: str
) -> None:
    lost = judged(rules, ONE, [hand(1, "Th 6s 9h")], "9c")
    check_void(rules, rule, lost.lines)
    assert brief(void_lines(lost.play)) == [("bet", "returned", 10_00, 10_00, also)]


@paragraph("5.5")
def test_a_paragraph_that_voids_nothing_is_refused_as_a_reason(rules: BlackjackRules, rule: str) -> None:
    for reason in ("5.4.1", "5.7", "5.5.5", "3.11", ""):
        with pytest.raises(Refused) as refused:
            check_void(rules, reason, ())
        assert refusal(refused) == ("void_reason_unknown", None, "reason"), rule


def _voids(rules: BlackjackRules, rule: str) -> None:
    found = declared(rules, rule, boxes=TWO)
    assert (found.follows, found.rule) == (RoundFollows.VOIDED, rule)
    assert [one.returned for one in found.players] == [True, True, True]
    check_void(rules, rule, ())
    assert not_declared(rules, rule, choices={"1": CONTINUE})[0] == "choice_not_offered"


@paragraph("5.5.1 2.2.1")
def test_a_card_that_is_not_of_the_set_voids_the_round(rules: BlackjackRules, rule: str, also: str) -> None:
    _voids(rules, rule)
    assert no(rules, hand(1, "Th Zs"), dealer="9c")[:2] == ("card_unknown", also)


@paragraph("5.5.2")
def test_too_few_or_too_many_cards_void_the_round(rules: BlackjackRules, rule: str) -> None:
    _voids(rules, rule)


@paragraph("5.5.3")
def test_too_few_cards_to_complete_the_round_void_it(rules: BlackjackRules, rule: str) -> None:
    _voids(rules, rule)


@paragraph("5.5.4")
def test_cards_that_were_not_shuffled_void_the_round(rules: BlackjackRules, rule: str) -> None:
    _voids(rules, rule)


@paragraph("5.6")
def test_nothing_can_be_declared_that_undoes_an_earlier_round(rules: BlackjackRules, rule: str) -> None:
    """What was settled before the bets of the next round stands. That a round is an earlier one is known to
    the table's journal, which refuses any declaration for it."""
    assert not_declared(rules, rule) == ("irregularity_unknown", None, "paragraph")


# Later rounds, bets as they lie, voids, and the House


@paragraph(B="5.13", P="5.13", F="5.14")
def test_an_error_of_an_earlier_round_can_be_declared_for_none_after_it(
    rules: BlackjackRules, rule: str
) -> None:
    assert not_declared(rules, rule) == ("irregularity_unknown", None, "paragraph")


@paragraph(B="5.14 3.23.2", P="5.14 3.24.2", F="5.15 3.24.2")
def test_a_bet_plays_for_the_box_on_which_it_lay(rules: BlackjackRules, rule: str, also: str) -> None:
    boxes = [*ONE, beside(5_00, "1", box=2), {"box": 2, "bet": 7_00}]
    found = judged(rules, boxes, [hand(1, "Th 6s"), hand(2, "Tc 9d")], "9c 8d", final=True).lines
    assert [(line.box, line.player, line.won, line.collected) for line in found] == [
        (1, "1", 0, 10_00),
        (2, "1", 5_00, 0),
        (2, "2", 7_00, 0),
    ], rule
    assert found[1].rule == also


@paragraph(B="5.15", P="5.15", F="5.16")
def test_a_side_bet_on_a_box_without_an_initial_bet_goes_back_with_the_bets(
    rules: BlackjackRules, rule: str
) -> None:
    for wager in rules.side:
        closing = closed(
            rules, *ONE, {"box": 2, wager: 3_00}, {"box": 2, "player": "X", "standing": True, wager: 1}
        )
        assert brief(returned_at_once(closing)) == [
            (wager, "returned", 3_00, 3_00, rule),
            ("X", wager, "returned", 1, 1, rule),
        ]
        assert [one.box for one in playing(closing)] == [1]


@paragraph(B="5.16", P="5.16", F="5.17")
def test_side_bets_settled_late_change_nothing(rules: BlackjackRules, rule: str) -> None:
    found = declared(rules, rule)
    assert (found.follows, found.rule, found.players) == (RoundFollows.CONTINUES, rule, ())
    boxes = [{"box": 1, "bet": 10_00, SIDE[rules.game]: 1_00}]
    late = settled(rules, hand(1, "9h 3d 7s"), dealer="9c 8d", boxes=boxes)
    assert [line[:2] for line in late] == [(SIDE[rules.game], "lose"), ("bet", "win")]


@paragraph(B="5.17", P="5.17", F="5.18")
def test_a_void_returns_every_bet_in_full_also_what_was_settled_or_over_a_limit(
    rules: BlackjackRules, rule: str
) -> None:
    boxes = [
        {"box": 1, "bet": 30_00, SIDE[rules.game]: 1_00},
        beside(5_00),
        {"box": 2, SIDE[rules.game]: 2_00},
    ]
    split = hand(
        1, "8c 8d", "split", part("8c 5d Tc"), part("8d 3s Th", "double"), wagers=[{"insurance": 20_00}]
    )
    assert returned(rules, split, dealer="As 5c", boxes=boxes, limits={"maximum": 20_00}) == [
        ("insurance", "returned", 20_00, 20_00, rule),
        (SIDE[rules.game], "returned", 1_00, 1_00, rule),
        ("bet", "returned", 30_00, 30_00, rule),
        ("split 2", "returned", 30_00, 30_00, rule),
        ("double 2", "returned", 30_00, 30_00, rule),
        ("B", "bet", "returned", 5_00, 5_00, rule),
        ("B", "split 2", "returned", 5_00, 5_00, rule),
        ("B", "double 2", "returned", 5_00, 5_00, rule),
        (SIDE[rules.game], "returned", 2_00, 2_00, rule),
    ]


@paragraph(B="5.17", P="5.17", F="5.18")
def test_a_void_undoes_what_was_told(rules: BlackjackRules, rule: str) -> None:
    boxes = [*ONE, {"box": 2, "bet": 10_00}]
    found = judged(rules, boxes, [hand(1, "Th 6s 9h"), hand(2, "Ah Kd")], "9c")
    undone = adjusted(found.lines, void_lines(found.play))
    assert [(one.box, one.before, one.after, one.difference) for one in undone] == [
        (1, 0, 10_00, 10_00),
        (2, 25_00, 10_00, -15_00),
    ], rule


@paragraph(B="5.19", P="5.19", F="5.20")
def test_what_the_rules_do_not_provide_for_the_house_resolves_with_a_reason(
    rules: BlackjackRules, rule: str
) -> None:
    """A25: so it does with a split that was laid for another amount."""
    assert not_declared(rules, rule, resolution=Resolution.VOID) == ("reason_missing", None, "note")
    assert not_declared(rules, rule, note="a split for less") == ("resolution_missing", None, "resolution")
    found = declared(rules, rule, note="a split for less", resolution=Resolution.VOID)
    assert (found.follows, found.rule) == (RoundFollows.VOIDED, rule)
    found = declared(rules, rule, note="a split for less", resolution=Resolution.CONTINUE)
    assert (found.follows, found.rule) == (RoundFollows.CONTINUES, rule)
    check_void(rules, rule, ())


@paragraph(B="5.19", P="5.19")
def test_so_it_does_with_a_damaged_card(rules: BlackjackRules, rule: str) -> None:
    """Only Free Bet Blackjack has a paragraph for it."""
    assert rules in (BLACKJACK, PERFECT_PAIRS)
    assert not_declared(rules, "5.13", note="torn")[0] == "irregularity_unknown"
    found = declared(rules, rule, note="a torn card", resolution=Resolution.VOID)
    assert found.follows is RoundFollows.VOIDED
