"""What is counted at a table of a link: bets, where their units went, and what hands won."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from jackpot.core.money import UNITS_PER_MINOR_UNIT, Account
from jackpot.figures.counters import Counters, add
from jackpot.games.progressive import MINOR
from jackpot.link.rounds import PROGRESSIVE

Told = dict[str, Counters]
"""What was counted of the current round and may be taken out again, by box."""

WAGERS, METER, CARRYOVER, RESERVE, OVERFLOW, HOUSE, PRIZES, *_ = Account


def close_bets(at: Counters, told: Told, fact: Any) -> None:
    told.clear()
    back = [one.amount for one in fact.returned if one.wager == PROGRESSIVE]
    bets = sum(box.progressive > 0 for box in fact.boxes)
    add(at, {"rounds": 1, "bets": bets, "returns": len(back), "returned": sum(back)})
    _post(at, fact)


def report_hands(at: Counters, told: Told, fact: Any) -> None:
    _give_back(at, fact, restored=len(fact.restored))
    _take_out(at, told, list(told))
    _count_minors(at, told, fact.results)


def invalidate_hands(at: Counters, told: Told, fact: Any) -> None:
    _give_back(at, fact)
    _take_out(at, told, [str(box) for box in fact.boxes])
    _take_out(at, told, [str(one.box) for one in fact.results])
    _count_minors(at, told, fact.results)


def void_round(at: Counters, told: Told, fact: Any) -> None:
    add(at, {"voided": 1})
    _give_back(at, fact)
    _take_out(at, told, list(told))


def pay(at: Counters, hand: str, amount: int) -> None:
    """A major or a late claim."""
    if amount:
        add(at, {"majors": amount, f"major.{hand}.count": 1, f"major.{hand}.amount": amount})


def _give_back(at: Counters, fact: Any, restored: int = 0) -> None:
    """Bets that stood and go back, less those that stand again."""
    back = sum(one.wager == PROGRESSIVE for one in fact.returned) - restored
    add(at, {"returns": back, "returned": fact.moves.get(WAGERS, 0) // UNITS_PER_MINOR_UNIT})
    _post(at, fact)


def _post(at: Counters, fact: Any) -> None:
    """A minor goes from house to prizes in the same moves: what is left of house is its share of bets."""
    moved = fact.moves.get
    add(
        at,
        {
            "wagered": -moved(WAGERS, 0) // UNITS_PER_MINOR_UNIT,
            "pool_units": moved(METER, 0) + moved(CARRYOVER, 0) + moved(OVERFLOW, 0),
            "reserve_units": moved(RESERVE, 0),
            "overflow_units": moved(OVERFLOW, 0),
            "house_units": moved(HOUSE, 0) + moved(PRIZES, 0),
            "minors": moved(PRIZES, 0) // UNITS_PER_MINOR_UNIT,
        },
    )


def _take_out(at: Counters, told: Told, boxes: Iterable[str]) -> None:
    for box in boxes:
        add(at, told.pop(box, {}), -1)


def _count_minors(at: Counters, told: Told, results: Iterable[Any]) -> None:
    for one in results:
        if one.level == MINOR and one.award:
            counted = {f"minor.{one.hand}.count": 1, f"minor.{one.hand}.amount": one.award}
            told[str(one.box)] = counted
            add(at, counted)
