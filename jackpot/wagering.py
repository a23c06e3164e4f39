"""The main game of a round: its boxes as the settlement of the game reads them, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from jackpot.cards import CARD_OF
from jackpot.games import give_back, settle
from jackpot.games.lines import Decision, Limits, Line, Outcome, Stakes
from jackpot.games.wagers import on_layout
from jackpot.rounds import Box, HandRecord, MainGame, Round
from jackpot.state import TableSetup

_NOTHING_SAID = MainGame()
_DECISIONS = {one.value: one for one in Decision}


def settlement(
    setup: TableSetup,
    current: Round,
    records: Iterable[HandRecord],
    *,
    dealer: Sequence[str],
    community: Sequence[str],
) -> tuple[Line, ...]:
    """What is conclusively known of a round's wagers, once its boxes are reported so."""
    by_box = {record.box: record for record in records}
    reported = [(box, by_box.get(number)) for number, box in current.boxes.items()]
    boxes = [
        _stakes(box, record, box.main if record is None else record.main)
        for box, record in reported
        if _concerned(box, record)
    ]
    return _settled(setup, boxes, dealer, community)


def settlement_without(setup: TableSetup, current: Round, invalid: dict[int, str]) -> tuple[Line, ...]:
    """The same, of what was last reported, once the House has invalidated these boxes' hands."""
    boxes = [
        replace(box, invalidated=invalid[box.box]) if box.box in invalid else box
        for box in stakes_of(current)
    ]
    return _settled(setup, boxes, current.dealer, current.community)


def _settled(
    setup: TableSetup, boxes: Sequence[Stakes], dealer: Sequence[str], community: Sequence[str]
) -> tuple[Line, ...]:
    limits = Limits(minimum=setup.minimum, maximum=setup.maximum)
    return settle(setup.game, limits, boxes, dealer=_cards(dealer), community=_cards(community))


def _concerned(box: Box, record: HandRecord | None) -> bool:
    """Of a box that only shows its cards nothing can be told: a table that reports no more than the jackpot
    needs is spared the work."""
    if not box.ante or box.bonus or box.invalidated is not None:
        return True
    if record is None:
        return False
    return record.main is not None or record.folded or record.invalidated is not None or not record.cards


def settlement_of_void(setup: TableSetup, current: Round) -> tuple[Line, ...]:
    """Every bet that was placed goes back (S 5.22, H 5.21)."""
    return give_back(setup.game, stakes_of(current), setup.paragraphs.void_returns_all)


def stakes_of(current: Round) -> list[Stakes]:
    """The boxes of a round as they were last reported, clockwise."""
    boxes = [current.boxes[number] for number in sorted(current.boxes)]
    return [_stakes(box, box.record, box.main) for box in boxes]


def established(lines: Iterable[Line]) -> bool:
    """Whether a bet has conclusively won or lost (5.7.1)."""
    return any(line.outcome in (Outcome.WIN, Outcome.LOSE) for line in lines)


def mistold(setup: TableSetup, current: Round, lines: Sequence[Line]) -> Line | None:
    """A line by which money would appear or vanish: each tells all of a wager, and what becomes of it."""
    left = {
        (box.box, wager): amount
        for box in stakes_of(current)
        for wager, amount, _ in on_layout(setup.game, box)
    }
    for line in lines:
        kept = line.stake + line.won == line.payout + line.collected and line.won >= 0 and line.stake > 0
        left[line.box, line.wager] = left.get((line.box, line.wager), 0) - line.stake
        if not kept or left[line.box, line.wager] < 0:
            return line
    return next((line for line in lines if left[line.box, line.wager]), None)


def _stakes(box: Box, record: HandRecord | None, told: MainGame | None) -> Stakes:
    main = told or _NOTHING_SAID
    shown = record or HandRecord(box=box.number)
    return Stakes(
        box=box.number,
        ante=box.ante,
        bonus=box.bonus,
        cards=_cards(shown.cards),
        known=record is not None,
        folded=shown.folded,
        invalidated=box.invalidated or shown.invalidated,
        decision=None if main.decision is None else _DECISIONS[main.decision],
        bet=main.bet,
        flop=main.flop,
        turn=main.turn,
        river=main.river,
    )


def _cards(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([CARD_OF[name] for name in names])
