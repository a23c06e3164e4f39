"""What blackjack tables are told, in the words of the wire."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.games.blackjack import Adjusted, Line, shown
from jackpot.link.answers import Answer, PitBetsAnswer, PitHandsAnswer, PitVoidAnswer


def told_in_pit(answer: Answer) -> dict[str, Any]:
    if isinstance(answer, PitBetsAnswer):
        told = {"playing": answer.playing, "notice": answer.notice}
        return _of_round(answer) | told | {"settlement": told_pit_lines(answer.settlement)}
    if isinstance(answer, PitHandsAnswer):
        return _of_round(answer) | {"hands": answer.hands, "dealer": answer.dealer} | _settled(answer)
    if isinstance(answer, PitVoidAnswer):
        return _of_round(answer) | {"returned": _returned(answer.returned)} | _settled(answer)
    raise TypeError(f"{type(answer).__name__} is no answer to a table")


def _of_round(answer: PitBetsAnswer | PitHandsAnswer | PitVoidAnswer) -> dict[str, Any]:
    return {"table": answer.table, "round": answer.round, "state": answer.state, "meter": answer.meter}


def _settled(answer: PitHandsAnswer | PitVoidAnswer) -> dict[str, Any]:
    return {
        "settlement": told_pit_lines(answer.settlement),
        "adjustments": told_pit_adjustments(answer.adjustments),
    }


def _returned(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [
        {
            "box": one.box,
            "player": one.player,
            "hand": one.hand,
            "wager": one.wager,
            "amount": one.stake,
            "code": "round_voided",
            "rule": one.rule,
        }
        for one in lines
    ]


def told_pit_lines(lines: Iterable[Line]) -> list[dict[str, Any]]:
    return [shown(line) for line in lines]


def told_pit_adjustments(adjustments: Iterable[Adjusted]) -> list[dict[str, Any]]:
    return [
        {
            "box": one.box,
            "player": one.player,
            "hand": one.hand,
            "wager": one.wager,
            "before": one.before,
            "after": one.after,
            "difference": one.difference,
        }
        for one in adjustments
    ]
