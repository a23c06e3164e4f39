"""Rounds of blackjack as tables write them, for tests of the rules alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    BLACKJACK,
    FREE_BET,
    PERFECT_PAIRS,
    Bets,
    BlackjackRules,
    BoomBet,
    BoxBet,
    BoxHand,
    Closing,
    Consequence,
    Discarded,
    Irregularity,
    Judged,
    Layout,
    Line,
    PlayerWagers,
    Report,
    Shoe,
    SideLimits,
    SplitHand,
    case_of,
    check_bets,
    close,
    consequence,
    judge,
    void_lines,
)

Json = dict[str, Any]
GAMES = (BLACKJACK, PERFECT_PAIRS, FREE_BET)
LETTERS = {"B": BLACKJACK, "P": PERFECT_PAIRS, "F": FREE_BET}
_OWN = {"box", "player", "standing", "bet"}


def layout(rules: BlackjackRules, **limits: Any) -> Layout:
    side = {name: SideLimits(**one) for name, one in limits.pop("side", {}).items()}
    return Layout(rules=rules, side=side, **{"boxes": 6, "decks": 8, **limits})


def bets_of(told: Json) -> Bets:
    return Bets(
        boxes=tuple(
            BoxBet(
                **{name: one[name] for name in _OWN if name in one},
                side={name: amount for name, amount in one.items() if name not in _OWN},
            )
            for one in told.get("boxes", ())
        ),
        boom_busted=tuple(BoomBet(**one) for one in told.get("boom_busted", ())),
    )


def report_of(told: Json) -> Report:
    shoe = told.get("shoe")
    return Report(
        final=told.get("final", False),
        hands=tuple(BoxHand(**_hand(one)) for one in told.get("hands", ())),
        dealer=tuple(told.get("dealer", {}).get("cards", ())),
        discarded=tuple(Discarded(**one) for one in told.get("discarded", ())),
        shoe=None if shoe is None else Shoe(id=shoe.get("id"), drawn=_cards(shoe.get("drawn"))),
    )


def _cards(told: list[str] | None) -> tuple[str, ...] | None:
    return None if told is None else tuple(told)


def _hand(told: Json) -> Json:
    return {
        **told,
        "cards": tuple(told.get("cards", ())),
        "split": tuple(SplitHand(**_hand(one)) for one in told.get("split", ())),
        "wagers": tuple(PlayerWagers(**one) for one in told.get("wagers", ())),
    }


def closed(rules: BlackjackRules, *boxes: Json, boom: list[Json] | None = None, **limits: Any) -> Closing:
    bets = bets_of({"boxes": boxes, "boom_busted": boom or []})
    at = layout(rules, **limits)
    check_bets(at, bets)
    return close(at, bets)


def hand(box: int, cards: str, decision: str | None = None, *split: Json, **more: Any) -> Json:
    """`hand(1, "8c 8d", "split", part("8c 9d"), part("8d Th"))`."""
    return {"box": box, **part(cards, decision, *split, **more)}


def part(cards: str, decision: str | None = None, *split: Json, **more: Any) -> Json:
    return {"cards": cards.split(), "decision": decision, "split": list(split), **more}


def told(*hands: Json, dealer: str = "", final: bool = False, **more: Any) -> Report:
    return report_of({"hands": hands, "dealer": {"cards": dealer.split()}, "final": final, **more})


def judged(
    rules: BlackjackRules,
    boxes: list[Json],
    hands: list[Json],
    dealer: str,
    *,
    final: bool = False,
    **more: Any,
) -> Judged:
    """A round of these bets and hands; final only where that is the subject."""
    limits = more.pop("limits", {})
    closing = closed(rules, *boxes, boom=more.pop("boom", None), **limits)
    passed = {name: more.pop(name) for name in ("before", "returned", "counts", "irregular") if name in more}
    return judge(closing, told(*hands, dealer=dealer, final=final, **more), **passed)


Told = tuple[Any, ...]


def brief(lines: tuple[Line, ...]) -> list[Told]:
    """Hand and wager, outcome, stake, payout, rule; before them the player where he is not the box's own."""
    return [
        (
            *(() if line.player == str(line.box) else (line.player,)),
            line.wager if line.hand in (None, 1) else f"{line.wager} {line.hand}",
            line.outcome.value,
            line.stake,
            line.payout,
            line.rule,
        )
        for line in lines
    ]


ONE: list[Json] = [{"box": 1, "bet": 10_00}]
"""An Initial Bet of 10.00 on box 1."""


SIDE = {
    "blackjack": "player_pair",
    "blackjack_perfect_pairs": "perfect_pairs",
    "free_bet_blackjack": "rws_pairs",
}
"""A side bet of each game on the first two cards."""


def beside(bet: int = 5_00, player: str = "B", box: int = 1, **more: Any) -> Json:
    """What a standing player has on a box."""
    return {"box": box, "player": player, "standing": True, "bet": bet, **more}


TWO = [*ONE, beside(5_00), {"box": 3, "bet": 20_00}]
"""Box 1 with a player seated and B beside him, and box 3."""


def settled(rules: BlackjackRules, *hands: Json, dealer: str = "", **more: Any) -> list[Told]:
    """What is told of these hands: of an Initial Bet of 10.00 on box 1, unless `boxes` says more."""
    return brief(judged(rules, more.pop("boxes", ONE), list(hands), dealer, **more).lines)


def no(rules: BlackjackRules, *hands: Json, **more: Any) -> tuple[str, str | None, object]:
    """How a report of these hands is refused: code, paragraph, and the part of the message that is named."""
    with pytest.raises(Refused) as refused:
        settled(rules, *hands, **more)
    return refusal(refused)


def refusal(refused: pytest.ExceptionInfo[Any]) -> tuple[str, str | None, object]:
    found = refused.value
    return found.code, found.rule, found.data.get("field")


def returned(rules: BlackjackRules, *hands: Json, dealer: str = "", **more: Any) -> list[Told]:
    """What a void of such a round hands back."""
    return brief(void_lines(judged(rules, more.pop("boxes", ONE), list(hands), dealer, **more).play))


def declared(
    rules: BlackjackRules, paragraph: str, *, boxes: list[Json] | None = None, told: Any = (), **more: Any
) -> Consequence:
    """What follows when the House declares an irregularity of a round of these bets, so far told."""
    closing = closed(rules, *(boxes or ONE), boom=more.pop("boom", None))
    said = Irregularity(paragraph=paragraph, **more)
    return consequence(case_of(closing, said, told))


def not_declared(rules: BlackjackRules, number: str, **said: Any) -> tuple[str, str | None, object]:
    """How such a declaration is refused."""
    with pytest.raises(Refused) as refused:
        declared(rules, number, **said)
    return refusal(refused)


def follows(found: Consequence) -> list[tuple[int | None, str, str, bool]]:
    """Of each player on each box: the paragraph, and whether his bets go back."""
    return [(one.box, one.player, one.rule, one.returned) for one in found.players]


def spelled_otherwise(report: Report) -> Report:
    """With 10 for T and small letters."""
    return replace(report, dealer=tuple(card.replace("T", "10").lower() for card in report.dealer))
