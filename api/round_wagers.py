"""What became of each wager of a round, of the main game and of the progressive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from api.house_answers import Cents, Told
from api.settlement_answers import told_adjustments, told_lines
from api.win_answers import PaymentTold
from jackpot.book.evidence import RoundEvidence
from jackpot.facts import BetsClosed, HandsInvalidated, HandsReported, RoundVoided
from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Line
from jackpot.hands import PERCENT_OF_POOL, Level
from jackpot.state import Box, HandResult

PAY_TABLE, NOT_REVEALED = "4.2", "4.3"


class WagerTold(Told):
    box: int
    wager: str
    outcome: str = Field(description="win, lose, stand_off, returned; or open while nobody knows.")
    stake: Cents
    pays: str | None = Field(description="The odds of a win.")
    payout: Cents | None = Field(description="All that the player is handed; null while it is not known.")
    won: Cents | None
    collected: Cents
    rule: str | None = Field(description="The paragraph of the table's own game that says so.")
    win: str | None = Field(default=None, description="Of a major: its win or late claim.")


def lines_told(lines: Iterable[Line]) -> list[WagerTold]:
    return [WagerTold(**line) for line in told_lines(lines)]


class AdjustmentTold(Told):
    box: int
    wager: str
    before: Cents
    after: Cents
    difference: Cents


def adjustments_told(adjustments: Iterable[Adjusted]) -> list[AdjustmentTold]:
    return [AdjustmentTold(**one) for one in told_adjustments(adjustments)]


def progressive_wagers(found: RoundEvidence, payments: Mapping[str, PaymentTold | None]) -> list[WagerTold]:
    """What went back at the closing of the bets, then what became of what stood; box by box."""
    back = [
        _returned(one.box, one.amount, one.rule)
        for _, fact in found.story
        if isinstance(fact, BetsClosed) and fact.round == found.round.number
        for one in fact.returned
    ]
    rules = _rules_of_return(found)
    stood = [
        _returned(box.number, box.bet, rules.get(box.number))
        if box.returned
        else _played(box, stands=found.round.stands, payments=payments)
        for box in found.round.boxes.values()
        if box.bet
    ]
    return sorted([*back, *stood], key=lambda one: one.box)


def _rules_of_return(found: RoundEvidence) -> dict[int, str | None]:
    return {
        one.box: one.rule
        for _, fact in found.story
        if isinstance(fact, HandsReported | HandsInvalidated | RoundVoided)
        for one in fact.returned
    }


def _returned(box: int, amount: int, rule: str | None) -> WagerTold:
    return _wager(box, amount, "returned", payout=amount, rule=rule)


def _played(box: Box, *, stands: bool, payments: Mapping[str, PaymentTold | None]) -> WagerTold:
    result = box.result
    if result is None and not stands:
        return _wager(box.number, box.bet, "open", payout=None, rule=None)
    if result is None or result.hand is None:
        return _wager(box.number, box.bet, "lose", payout=0, rule=NOT_REVEALED)
    if result.level is Level.MAJOR:
        return _major(box, result, payments)
    if result.level is Level.MINOR and result.award is not None:
        odds = f"{result.award // box.bet} for 1"
        return _wager(box.number, box.bet, "win", payout=result.award, rule=PAY_TABLE, pays=odds)
    return _wager(box.number, box.bet, "lose", payout=0, rule=PAY_TABLE)


def _major(box: Box, result: HandResult, payments: Mapping[str, PaymentTold | None]) -> WagerTold:
    """What it is paid stands in its win; until then nobody knows."""
    payment = payments.get(result.win or "")
    told = _wager(
        box.number,
        box.bet,
        "win",
        payout=None if payment is None else payment.amount,
        rule=PAY_TABLE,
        pays=None if result.hand is None else f"{PERCENT_OF_POOL[result.hand]} % of the jackpot",
    )
    return told.model_copy(update={"win": result.win or result.claim})


def _wager(
    box: int, stake: int, outcome: str, *, payout: int | None, rule: str | None, pays: str | None = None
) -> WagerTold:
    return WagerTold(
        box=box,
        wager="progressive",
        outcome=outcome,
        stake=stake,
        pays=pays,
        payout=payout,
        won=payout if outcome == "win" else 0,
        collected=stake if outcome in ("win", "lose") else 0,
        rule=rule,
    )
