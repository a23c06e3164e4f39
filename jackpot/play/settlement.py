"""The main game of a round: its boxes as the settlement of the game reads them, and what comes of it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from jackpot.cards.cards import CARD_OF
from jackpot.core.records import maker
from jackpot.core.versions import RULES_OF_0_1
from jackpot.games.lines import LOSE, RETURNED, WIN, Decision, Limits, Line, OpenWager, Stakes, Wager
from jackpot.games.paytables import MOST_WON
from jackpot.link.rounds import PROGRESSIVE, Box, HandRecord, MainGame, ReturnedBet, Round
from jackpot.link.state import TableSetup

_new_stakes = maker(Stakes)
_NOTHING_SAID = MainGame()
_NOTHING_SHOWN = HandRecord(box=0)
_DECISIONS: dict[str | None, Decision | None] = {None: None, **{one.value: one for one in Decision}}


def settlement(
    setup: TableSetup, boxes: Sequence[Stakes], *, dealer: Sequence[str], community: Sequence[str]
) -> tuple[Line, ...]:
    """What is conclusively known of the wagers of a round's boxes."""
    most = MOST_WON if setup.most_won is None else setup.most_won
    limits = Limits(minimum=setup.minimum, maximum=setup.maximum, most_won=most)
    return setup.rulebook.settle(limits, boxes, dealer=_cards(dealer), community=_cards(community))


def settlement_without(setup: TableSetup, current: Round, invalid: dict[int, str]) -> tuple[Line, ...]:
    """The same, of what was last reported, once the House has invalidated these boxes' hands."""
    boxes = [
        replace(box, invalidated=invalid[box.box]) if box.box in invalid else box
        for box in stakes_of(current)
    ]
    return settlement(setup, boxes, dealer=current.dealer, community=current.community)


def settlement_of_void(setup: TableSetup, current: Round) -> tuple[Line, ...]:
    """Every bet that was placed goes back (S 5.22, H 5.21)."""
    return setup.rulebook.give_back(stakes_of(current), setup.paragraphs.void_returns_all)


def boxes_told(current: Round, records: Iterable[HandRecord]) -> list[Stakes]:
    """The boxes of a round clockwise, once they are reported so."""
    by_box = {record.box: record for record in records}
    lost = _lost_by(current)
    return [
        _stakes(current, current.boxes[number], by_box.get(number), lost.get(number))
        for number in sorted(current.boxes)
    ]


def stakes_of(current: Round) -> list[Stakes]:
    """The same, as they were last reported."""
    return boxes_told(current, [box.record for box in current.boxes.values() if box.record is not None])


def open_wagers(
    setup: TableSetup,
    current: Round,
    boxes: Sequence[Stakes],
    *,
    dealer: Sequence[str],
    lines: Iterable[Line],
) -> tuple[OpenWager, ...]:
    """Wagers without an outcome, once anything of the main game was told: the dealer's cards, a decision, or
    a wager beyond Ante and Bonus. Of a table that tells only the jackpot's hands nothing is expected."""
    if current.rules == RULES_OF_0_1 or not (dealer or any(box.wagered for box in boxes)):
        return ()
    settled, laid = {(line.box, line.wager) for line in lines}, setup.rulebook.laid
    return tuple(
        [
            OpenWager(box=box.box, wager=wager)
            for box in boxes
            for wager, _, _ in laid(box)
            if (box.box, wager) not in settled
        ]
    )


def left_open(setup: TableSetup, current: Round | None) -> tuple[OpenWager, ...]:
    """Of a round that the next one's bets end."""
    if current is None or current.stands:
        return ()
    if not current.dealer and all(box.main is None and box.record is None for box in current.boxes.values()):
        return ()  # nothing was told of it
    return open_wagers(setup, current, stakes_of(current), dealer=current.dealer, lines=current.settlement)


def handed_back(
    current: Round, lines: Iterable[Line], rules: Mapping[int, str], code: str
) -> tuple[ReturnedBet, ...]:
    """What goes back from these boxes, each by its paragraph, that was not told before: the progressive bet,
    and every wager of the main game. What was told before and is another now is an adjustment."""
    if not rules:
        return ()
    known = {(line.box, line.wager) for line in current.settlement}
    back: dict[tuple[int, Wager], int] = {}
    for line in lines:
        place = line.box, line.wager
        if line.box in rules and line.outcome is RETURNED and place not in known:
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
    return any(line.outcome in (WIN, LOSE) for line in lines)


def mistold(setup: TableSetup, current: Round, lines: Sequence[Line]) -> Line | None:
    """A line by which money would appear or vanish: each tells all of a wager, and what becomes of it."""
    laid = setup.rulebook.laid
    left = {
        (number, wager): amount
        for number, box in current.boxes.items()
        for wager, amount, _ in laid(_chips(box))
    }
    for line in lines:
        place, won = (line.box, line.wager), line.won
        kept = line.stake + won == line.payout + line.collected and won >= 0 and line.stake > 0
        now = left[place] = left.get(place, 0) - line.stake
        if not kept or now < 0:
            return line
    return next((line for line in lines if left[line.box, line.wager]), None)


def _chips(box: Box) -> Stakes:
    """What lies on a box, whatever its hand."""
    main = box.main or _NOTHING_SAID
    return _new_stakes(
        box=box.number,
        ante=box.ante,
        bonus=box.bonus,
        decision=_DECISIONS[main.decision],
        bet=main.bet,
        flop=main.flop,
        turn=main.turn,
        river=main.river,
    )


def _stakes(current: Round, box: Box, record: HandRecord | None, lost_by: str | None) -> Stakes:
    shown = record or _NOTHING_SHOWN
    main = (box.main if record is None else record.main) or _NOTHING_SAID
    turn, river = main.turn, main.river
    if current.rules == RULES_OF_0_1:
        lost_by = None
        if main.decision != Decision.WALK_AWAY:  # 0.1 took what was unsaid of Turn and River for a check
            turn, river = turn or 0, river or 0
    return _new_stakes(
        box=box.number,
        ante=box.ante,
        bonus=box.bonus,
        cards=_cards(shown.cards),
        known=record is not None,
        awaited=shown.awaited,
        folded=shown.folded,
        invalidated=box.invalidated or shown.invalidated,
        decision=_DECISIONS[main.decision],
        bet=main.bet,
        flop=main.flop,
        turn=turn,
        river=river,
        lost_by=lost_by,
    )


def _lost_by(current: Round) -> dict[int, str]:
    """By which paragraph each box is told to have lost, by its first line that does."""
    found: dict[int, str] = {}
    for line in current.settlement:
        if line.outcome is LOSE:
            found.setdefault(line.box, line.rule)
    return found


def _cards(names: Iterable[str]) -> tuple[int, ...]:
    return tuple([CARD_OF[name] for name in names])
