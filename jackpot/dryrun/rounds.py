"""Rounds as they would have been: contributions, minors and reversals made anew."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackpot.dryrun.alternative import Alternative
from jackpot.dryrun.wins import (
    drop_only_here,
    is_only_here,
    majors_only_here,
    name_only_here,
    register_only_here,
    waiting_only_here,
)
from jackpot.games.progressive import MAJOR, MINOR
from jackpot.house.malfunction import still_registered
from jackpot.link.facts import BetsClosed, HandsInvalidated, HandsReported, RoundContinued, RoundVoided
from jackpot.link.rounds import PROGRESSIVE, Box, HandResult, Round
from jackpot.play.hands import capped
from jackpot.pools.pool import Draft, award, contribute, give_back


def bets_closed(side: Alternative, fact: BetsClosed) -> None:
    link, parameters = side.link, side.link.parameters
    draft, total = Draft(link.pool), sum([box.progressive for box in fact.boxes])
    contribute(draft, total, parameters.rates, held=link.held, ceiling=parameters.ceiling)
    made = draft.done()
    side.write(
        replace(
            fact,
            meter_ppm=parameters.meter_ppm,
            reserve_ppm=parameters.reserve_ppm,
            awards=parameters.awards.of_rounds,
            moves=made.moves,
            contributed=made.contributed,
        )
    )


def hands_reported(side: Alternative, fact: HandsReported) -> None:
    link, current = side.link, round_at(side, fact.table)
    results = capped(current, {told.box: _result(fact.table, current, told) for told in fact.results})
    drop_only_here(side, current, majors_only_here(side, current, fact, results), reason="corrected")
    draft = Draft(link.pool)
    for returned in fact.returned:
        if returned.wager == PROGRESSIVE:
            _give_back(side, draft, current, current.boxes[returned.box])
    for number in fact.restored:
        bet, ceiling = current.boxes[number].bet, link.parameters.ceiling
        contribute(draft, bet, current.rates, held=link.held, ceiling=ceiling)
    minors = sum([one.award or 0 for one in results if one.level is MINOR])
    award(draft, minors - sum([box.minor for box in current.boxes.values()]))
    made = draft.done()
    side.write(replace(fact, results=results, moves=made.moves, contributed=made.contributed))
    register_only_here(side, current, fact, results)


def _result(table: str, current: Round, told: HandResult) -> HandResult:
    """What a hand is worth by the awards of its round."""
    box = current.boxes[told.box]
    if told.hand is None or not box.bet:
        return told
    before = box.result
    if box.paid and before is not None and is_only_here(before.win):
        return before  # what was paid here, no report changes
    awards = current.awards
    level = awards.level_of(told.hand)
    if level is MAJOR:
        return told if told.level is MAJOR else _major(table, current, told)
    won = awards.minor_award(told.hand, box.bet)
    return HandResult(box=box.number, hand=told.hand, level=level, award=won or None)


def _major(table: str, current: Round, told: HandResult) -> HandResult:
    win = name_only_here(table, current.number, told.box)
    return HandResult(box=told.box, hand=told.hand, level=MAJOR, win=win)


def round_voided(side: Alternative, fact: RoundVoided) -> None:
    current = round_at(side, fact.table)
    drop_only_here(side, current, {}, reason="round_voided")
    side.write(_reversed(side, fact, current, current.boxes.values()))


def hands_invalidated(side: Alternative, fact: HandsInvalidated) -> None:
    current = round_at(side, fact.table)
    others = {
        number: cards
        for number, cards in waiting_only_here(side, current).items()
        if number not in fact.boxes
    }
    drop_only_here(side, current, others, reason="hand_invalidated")
    side.write(_reversed(side, fact, current, [current.boxes[number] for number in fact.boxes]))


def _reversed(
    side: Alternative, fact: RoundVoided | HandsInvalidated, current: Round, boxes: Iterable[Box]
) -> RoundVoided | HandsInvalidated:
    """What these boxes have contributed here goes back, and so do their minors."""
    draft, several = Draft(side.link.pool), list(boxes)
    for box in several:
        if box.stands:
            _give_back(side, draft, current, box)
    award(draft, -sum([box.minor for box in several]))
    made = draft.done()
    return replace(fact, moves=made.moves, contributed=made.contributed)


def _give_back(side: Alternative, draft: Draft, current: Round, box: Box) -> None:
    pool = side.link.pool
    mirrored = box.payments == pool.payments
    give_back(draft, box.bet, current.rates, held=side.link.held, mirrored=mirrored)


def round_continued(side: Alternative, fact: RoundContinued) -> None:
    """Its majors are paid from what the meter was here at that reading."""
    reading = side.readings.get(fact.registered.sequence)
    amount = fact.registered if reading is None else still_registered(side.link, reading)
    side.write(replace(fact, registered=amount))


def round_at(side: Alternative, table: str) -> Round:
    current = side.link.tables[table].round
    if current is None:
        raise ValueError(f"a fact about a round at {table}, which has none")
    return current
