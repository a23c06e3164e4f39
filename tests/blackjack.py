"""Rounds of blackjack as tables write them, for tests of the rules alone."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

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
    Discarded,
    Judged,
    Layout,
    Line,
    PlayerWagers,
    Report,
    Shoe,
    SideLimits,
    SplitHand,
    check_bets,
    close,
    judge,
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


def spelled_otherwise(report: Report) -> Report:
    """With 10 for T and small letters."""
    return replace(report, dealer=tuple(card.replace("T", "10").lower() for card in report.dealer))
