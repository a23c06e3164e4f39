"""What became of each wager of a round, of the main game and of the progressive."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from pydantic import Field

from api.controllers.settlement_answers import told_adjustments, told_lines
from api.operators.claim_answers import ClaimTold
from api.operators.house_answers import MinorUnits, Told
from api.operators.win_answers import WinProof
from jackpot.book.reading.evidence import RoundEvidence
from jackpot.cards.evaluator import Hand
from jackpot.games.adjustments import Adjusted
from jackpot.games.lines import Line
from jackpot.games.progressive import Level
from jackpot.link.awards import Awards, Policy
from jackpot.link.facts import BetsClosed, HandsInvalidated, HandsReported, RoundVoided
from jackpot.link.rounds import PROGRESSIVE, Box, HandResult, Round
from jackpot.link.wins import WinState

PAY_TABLE, NOT_REVEALED = "4.2", "4.3"


class WagerTold(Told):
    box: int
    wager: str
    outcome: str = Field(
        description="win, lose, stand_off, returned; rejected or withdrawn for a major that is not paid;"
        " or open while nobody knows."
    )
    stake: MinorUnits
    pays: str | None = Field(description="The odds of a win.")
    payout: MinorUnits | None = Field(
        description="All that the player is handed; null while it is not known."
    )
    won: MinorUnits | None
    collected: MinorUnits
    rule: str | None = Field(description="The paragraph of the table's own game that says so.")
    win: str | None = Field(default=None, description="Of a major: its win or late claim.")


def lines_told(lines: Iterable[Line]) -> list[WagerTold]:
    return [WagerTold(**line) for line in told_lines(lines)]


class AdjustmentTold(Told):
    box: int
    wager: str
    before: MinorUnits
    after: MinorUnits
    difference: MinorUnits


def adjustments_told(adjustments: Iterable[Adjusted]) -> list[AdjustmentTold]:
    return [AdjustmentTold(**one) for one in told_adjustments(adjustments)]


def progressive_wagers(
    found: RoundEvidence, majors: Iterable[WinProof], claims: Iterable[ClaimTold]
) -> list[WagerTold]:
    """What went back at the closing of the bets, then what became of what stood; box by box."""
    back = [
        _returned(one.box, one.amount, one.rule)
        for _, fact in found.story
        if isinstance(fact, BetsClosed) and fact.round == found.round.number
        for one in fact.returned
        if one.wager == PROGRESSIVE
    ]
    rules = _rules_of_return(found)
    wins = {win.id: win for win in majors}
    late = {one.box: one for one in claims if one.state != "withdrawn" or one.id in found.round.claims}
    stood = [
        _returned(box.number, box.bet, rules.get(box.number))
        if box.returned
        else _claimed(box, late[box.number], found.round.awards)
        if box.number in late
        else _played(box, found.round, wins=wins)
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


def _claimed(box: Box, claim: ClaimTold, awards: Awards) -> WagerTold:
    """A late claim says more than what was reported before it, or could not be registered after it."""
    outcome = {"open": "open", "withdrawn": "withdrawn"}.get(
        claim.state, "win" if claim.amount else "rejected"
    )
    payout = None if outcome == "open" else claim.amount or 0
    pays = _share(awards, claim.hand) if outcome == "win" else None
    told = _wager(box.number, box.bet, outcome, payout=payout, rule=PAY_TABLE, pays=pays)
    return told.model_copy(update={"win": claim.id})


def _played(box: Box, current: Round, *, wins: Mapping[str, WinProof]) -> WagerTold:
    result = box.result
    if result is None and not current.stands:
        return _wager(box.number, box.bet, "open", payout=None, rule=None)
    if result is None or result.hand is None:
        return _wager(box.number, box.bet, "lose", payout=0, rule=NOT_REVEALED)
    if result.level is Level.MAJOR:
        return _major(box, result, current.awards, wins)
    if result.level is Level.MINOR and result.award is not None:
        pays = _odds(current.awards, result.hand, box.bet, result.award)
        return _wager(box.number, box.bet, "win", payout=result.award, rule=PAY_TABLE, pays=pays)
    return _wager(box.number, box.bet, "lose", payout=0, rule=PAY_TABLE)


def _major(box: Box, result: HandResult, awards: Awards, wins: Mapping[str, WinProof]) -> WagerTold:
    """What it is paid stands in its win; until then nobody knows."""
    win = wins.get(result.win or "")
    outcome, payout, pays = "win", None, None if result.hand is None else _share(awards, result.hand)
    if win is not None and win.state in (WinState.REJECTED, WinState.WITHDRAWN):
        outcome, payout, pays = win.state, 0, None
    elif win is not None and win.payment is not None:
        payout = win.payment.amount
        if win.payment.policy == Policy.SPLIT and len(win.payment.shared_by) > 1:
            pays = f"{pays}, shared by {len(win.payment.shared_by)}"
    told = _wager(box.number, box.bet, outcome, payout=payout, rule=PAY_TABLE, pays=pays)
    return told.model_copy(update={"win": result.win or result.claim})


def _share(awards: Awards, hand: str) -> str:
    return f"{awards.share_of(Hand(hand))} % of the jackpot"


def _odds(awards: Awards, hand: Hand, bet: int, award: int) -> str:
    whole = awards.minor_award(hand, bet)
    odds = f"{whole // bet} for 1"
    return odds if award == whole else f"{odds}, less by the cap of a round"


def _wager(
    box: int, stake: int, outcome: str, *, payout: int | None, rule: str | None, pays: str | None = None
) -> WagerTold:
    return WagerTold(
        box=box,
        wager=PROGRESSIVE,
        outcome=outcome,
        stake=stake,
        pays=pays,
        payout=payout,
        won=payout if outcome == "win" else 0,
        collected=stake if outcome in ("win", "lose", "rejected", "withdrawn") else 0,
        rule=rule,
    )
