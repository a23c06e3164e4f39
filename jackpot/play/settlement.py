"""The main game of a round: its boxes as the settlement of the game reads them, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jackpot.cards.cards import CARD_OF
from jackpot.core.versions import RULES_OF_0_1
from jackpot.games.lines import Decision, Limits, Line, OpenWager, Outcome, Stakes, Wager
from jackpot.link.rounds import PROGRESSIVE, Box, HandRecord, MainGame, ReturnedBet, Round
from jackpot.link.state import TableSetup

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
        _stakes(current, box, record, box.main if record is None else record.main)
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
    return setup.rulebook.settle(limits, boxes, dealer=_cards(dealer), community=_cards(community))


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
    return setup.rulebook.give_back(stakes_of(current), setup.paragraphs.void_returns_all)


def stakes_of(current: Round) -> list[Stakes]:
    """The boxes of a round as they were last reported, clockwise."""
    boxes = [current.boxes[number] for number in sorted(current.boxes)]
    return [_stakes(current, box, box.record, box.main) for box in boxes]


def open_wagers(
    setup: TableSetup,
    current: Round,
    records: Iterable[HandRecord],
    *,
    dealer: Sequence[str],
    lines: Iterable[Line],
) -> tuple[OpenWager, ...]:
    """Wagers without an outcome, once anything of the main game was told: the dealer's cards, a decision, or
    a wager beyond Ante and Bonus. Of a table that tells only the jackpot's hands nothing is expected."""
    by_box = {record.box: record for record in records}
    mains = {
        number: by_box[number].main if number in by_box else box.main for number, box in current.boxes.items()
    }
    told = bool(dealer) or any(main is not None and main.wagered for main in mains.values())
    if not told or current.rules == RULES_OF_0_1:
        return ()
    settled = {(line.box, line.wager) for line in lines}
    return tuple(
        OpenWager(box=number, wager=wager)
        for number in sorted(current.boxes)
        for wager, _, _ in setup.rulebook.laid(
            _stakes(current, current.boxes[number], by_box.get(number), mains[number])
        )
        if (number, wager) not in settled
    )


def left_open(setup: TableSetup, current: Round | None) -> tuple[OpenWager, ...]:
    """Of a round that the next one's bets end."""
    if current is None or current.stands:
        return ()
    records = [box.record for box in current.boxes.values() if box.record is not None]
    return open_wagers(setup, current, records, dealer=current.dealer, lines=current.settlement)


def handed_back(
    current: Round, lines: Iterable[Line], rules: Mapping[int, str], code: str
) -> tuple[ReturnedBet, ...]:
    """What goes back from these boxes, each by its paragraph, that was not told before: the progressive bet,
    and every wager of the main game. What was told before and is another now is an adjustment."""
    known = {(line.box, line.wager) for line in current.settlement}
    back: dict[tuple[int, Wager], int] = {}
    for line in lines:
        place = line.box, line.wager
        if line.box in rules and line.outcome is Outcome.RETURNED and place not in known:
            back[place] = back.get(place, 0) + line.stake
    found = []
    for number in sorted(rules):
        box, rule = current.boxes[number], rules[number]
        amounts = [(PROGRESSIVE, box.bet)] if box.stands else []
        if current.rules != RULES_OF_0_1:
            amounts += [(wager.value, amount) for (at, wager), amount in back.items() if at == number]
        found += [
            ReturnedBet(box=number, amount=amount, code=code, rule=rule, wager=wager)
            for wager, amount in amounts
        ]
    return tuple(found)


def established(lines: Iterable[Line]) -> bool:
    """Whether a bet has conclusively won or lost (5.7.1)."""
    return any(line.outcome in (Outcome.WIN, Outcome.LOSE) for line in lines)


def mistold(setup: TableSetup, current: Round, lines: Sequence[Line]) -> Line | None:
    """A line by which money would appear or vanish: each tells all of a wager, and what becomes of it."""
    left = {
        (box.box, wager): amount
        for box in stakes_of(current)
        for wager, amount, _ in setup.rulebook.laid(box)
    }
    for line in lines:
        kept = line.stake + line.won == line.payout + line.collected and line.won >= 0 and line.stake > 0
        left[line.box, line.wager] = left.get((line.box, line.wager), 0) - line.stake
        if not kept or left[line.box, line.wager] < 0:
            return line
    return next((line for line in lines if left[line.box, line.wager]), None)


def _stakes(current: Round, box: Box, record: HandRecord | None, told: MainGame | None) -> Stakes:
    main = told or _NOTHING_SAID
    shown = record or HandRecord(box=box.number)
    turn, river, lost_by = main.turn, main.river, _lost_by(current, box.number)
    if current.rules == RULES_OF_0_1:
        lost_by = None
        if main.decision != Decision.WALK_AWAY:  # 0.1 took what was unsaid of Turn and River for a check
            turn, river = turn or 0, river or 0
    return Stakes(
        box=box.number,
        ante=box.ante,
        bonus=box.bonus,
        cards=_cards(shown.cards),
        known=record is not None,
        awaited=shown.awaited,
        folded=shown.folded,
        invalidated=box.invalidated or shown.invalidated,
        decision=None if main.decision is None else _DECISIONS[main.decision],
        bet=main.bet,
        flop=main.flop,
        turn=turn,
        river=river,
        lost_by=lost_by,
    )


def _lost_by(current: Round, box: int) -> str | None:
    lost = [line.rule for line in current.settlement if line.box == box and line.outcome is Outcome.LOSE]
    return lost[0] if lost else None


def _cards(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([CARD_OF[name] for name in names])
