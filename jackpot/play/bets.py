"""Closing the bets of a round (3.3 to 3.9, 5.1 to 5.4, 5.11): what stands, what goes back and why."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jackpot.core.instants import SECOND
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.records import maker
from jackpot.core.refusals import (
    AmountNegative,
    AmountTooLarge,
    AmountUnreasonable,
    BetsClosedAfterSent,
    BetsClosedTooEarly,
    BoxRepeated,
    BoxUnknown,
    ContentConflict,
    RoundNumberWrong,
    RoundPassed,
    WagerNotInGame,
)
from jackpot.games.lines import Wager
from jackpot.link.answers import AcceptedBet, BetsAnswer
from jackpot.link.commands import BoxBets, CloseBets
from jackpot.link.execution import Desk
from jackpot.link.facts import BetsClosed, StandingBets
from jackpot.link.rounds import PROGRESSIVE, ReturnedBet, RoundState
from jackpot.link.state import Table, TableOfPlay, TableSetup, TableStatus
from jackpot.play.contact import Arrival, join
from jackpot.play.settlement import left_open
from jackpot.play.status import blocked_boxes, progressive_off, table_closed
from jackpot.pools.order import STAMPS_MAY_CROSS
from jackpot.pools.pool import Draft, contribute

LARGEST_ROUND = 10**12
LONGEST_ROUND = 3600 * SECOND
UNREASONABLE = 100
"""A Progressive Jackpot Bet of more than this many times the prescribed one is an error of the device."""
Reason = tuple[str, str | None]
_new_fact, _new_answer = maker(BetsClosed), maker(BetsAnswer)


def close_bets(desk: Desk, command: CloseBets, _arrival: Arrival) -> BetsAnswer:
    table = desk.table(command.table)
    _check_round(desk, table, command)
    check_boxes(table.setup, command.boxes, prescribed=desk.link.parameters.progressive_bet)
    dealt_from = _dealt_from(desk)
    join(desk, table)
    parameters = desk.link.parameters
    returned = tuple(_returned(desk, table, command.boxes, parameters.progressive_bet))
    standing = _standing(command.boxes, returned)
    draft = Draft(desk.link.pool)
    total = sum([box.progressive for box in standing])
    contribute(draft, total, parameters.rates, held=desk.link.held, ceiling=parameters.ceiling)
    transfer = draft.done()
    earlier = table.round
    desk.write(
        _new_fact(
            table=command.table,
            round=command.round,
            closed_at=closed_at(command.closed_at, command.sent_at),
            dealt_from=dealt_from,
            sent_at=command.sent_at,
            received_at=command.received_at,
            boxes=standing,
            returned=returned,
            meter_ppm=parameters.meter_ppm,
            reserve_ppm=parameters.reserve_ppm,
            settles=earlier.number if earlier is not None and not earlier.stands else None,
            left_open=left_open(table.played, earlier),
            awards=parameters.awards.of_rounds,
            moves=transfer.moves,
            contributed=transfer.contributed,
        )
    )
    accepted = [AcceptedBet(one.box, one.progressive) for one in standing if one.progressive]
    return _new_answer(
        meter=desk.meter(),
        table=command.table,
        round=command.round,
        state=RoundState.BETS_CLOSED,
        accepted=tuple(accepted),
        returned=returned,
        awards=parameters.awards.of_rounds,
    )


def _check_round(desk: Desk, table: Table, command: CloseBets) -> None:
    check_round_number(desk, command.round, command.key, table=table, late_bet="5.11")
    check_closing_time(command.closed_at, command.sent_at)


def check_round_number(desk: Desk, number: int, key: str, *, table: TableOfPlay, late_bet: str) -> None:
    """`late_bet` is the paragraph by which nothing is bet after the closing."""
    if not 1 <= number <= LARGEST_ROUND:
        raise RoundNumberWrong(f"rounds are numbered 1 to {LARGEST_ROUND}", field="round")
    last, came = table.last_round, table.came_from
    if number <= last:
        if desk.archive.taken(key):
            raise ContentConflict(f"other bets of round {number} were closed before", rule=late_bet)
        more = {} if came is None or number > came.last_round else {"place": came.place}
        raise RoundPassed(f"round {last} has begun; round numbers rise", expected=last + 1, **more)


def check_closing_time(closed_at: int, sent_at: int) -> None:
    if closed_at < sent_at - LONGEST_ROUND:
        raise BetsClosedTooEarly("no table keeps its bets to itself for an hour", field="closed_at")
    if closed_at > sent_at + STAMPS_MAY_CROSS:
        raise BetsClosedAfterSent("bets are closed before the message is sent", field="closed_at")


def check_boxes(setup: TableSetup, boxes: Sequence[BoxBets], *, prescribed: int | None) -> None:
    """`prescribed` is None when the table plays without the service; then only the absolute limit applies."""
    seen: set[int] = set()
    unreasonable = LARGEST_AMOUNT if prescribed is None else UNREASONABLE * prescribed
    for place, bets in enumerate(boxes):
        if not 1 <= bets.box <= setup.boxes:
            raise BoxUnknown(f"the layout has boxes 1 to {setup.boxes}", field=f"boxes[{place}].box")
        if bets.box in seen:
            raise BoxRepeated(f"box {bets.box} is named twice", field=f"boxes[{place}].box")
        seen.add(bets.box)
        if not (
            0 <= bets.ante <= LARGEST_AMOUNT
            and 0 <= bets.progressive <= LARGEST_AMOUNT
            and 0 <= bets.bonus <= LARGEST_AMOUNT
        ):
            _check_amount(bets.ante, place, "ante")
            _check_amount(bets.progressive, place, "progressive")
            _check_amount(bets.bonus, place, "bonus")
        if bets.bonus and Wager.BONUS not in setup.rulebook.wagers:
            raise WagerNotInGame(f"{setup.game} has no bonus", field=f"boxes[{place}].bonus")
        if bets.progressive > unreasonable:
            raise AmountUnreasonable(
                f"a progressive bet above {UNREASONABLE} times the prescribed",
                field=f"boxes[{place}].progressive",
            )


def _check_amount(amount: int, place: int, name: str) -> None:
    if amount < 0:
        raise AmountNegative(f"{name} is below zero", field=f"boxes[{place}].{name}")
    if amount > LARGEST_AMOUNT:
        raise AmountTooLarge(f"{name} is above {LARGEST_AMOUNT}", field=f"boxes[{place}].{name}")


def closed_at(said: int, sent_at: int) -> int:
    """A message that was stamped before its bets were is no less true: they were closed when it was sent."""
    return min(said, sent_at)


def _dealt_from(desk: Desk) -> int:
    """Cards are dealt once these bets are answered: after now, and so after a major that ended now. No later
    than that is certain: other hands are compared with this time too, not only the majors known already."""
    link, earliest = desk.link, desk.now - desk.error
    ends = [win.witnessed.end for win in link.queue.values()] + [hit.witnessed.end for hit in link.hits]
    return earliest + 1 if earliest in ends else earliest


def _returned(desk: Desk, table: Table, boxes: tuple[BoxBets, ...], prescribed: int) -> Iterator[ReturnedBet]:
    closed, off = _closed(desk, table), _progressive_off(desk, table)
    blocked = blocked_boxes(desk.link, table)
    by_block = ("box_blocked", table.setup.paragraphs.then_block_box)
    for bets in boxes:
        nothing = closed or (by_block if bets.box in blocked else None)
        reason = nothing or off or _inadmissible(bets, prescribed)
        excess = bets.progressive - prescribed
        if reason is not None:
            yield from _back(bets.box, {PROGRESSIVE: bets.progressive}, reason)
        elif excess > 0:
            yield from _back(bets.box, {PROGRESSIVE: excess}, ("over_prescribed", "5.1"))
        if nothing is not None:
            yield from _back(bets.box, {"ante": bets.ante, "bonus": bets.bonus}, nothing)


def _back(box: int, wagers: dict[str, int], reason: Reason) -> Iterator[ReturnedBet]:
    code, rule = reason
    for wager, amount in wagers.items():
        if amount:
            yield ReturnedBet(box=box, amount=amount, code=code, rule=rule, wager=wager)


def _closed(desk: Desk, table: Table) -> Reason | None:
    """Why this table takes no bet of any kind just now (S 5.18.2, H 5.17.2)."""
    if not table_closed(desk.link, table):
        return None
    by_house = table.status is TableStatus.CLOSED
    return "table_closed", None if by_house else table.setup.paragraphs.then_close


def _progressive_off(desk: Desk, table: Table) -> Reason | None:
    """Why it takes no progressive bets; the main game goes on."""
    if desk.link.closed:
        return "link_closed", None
    if progressive_off(desk.link, table):
        return "progressive_off", table.setup.paragraphs.then_progressive_off
    return None


def _inadmissible(bets: BoxBets, prescribed: int) -> Reason | None:
    if not bets.progressive:
        return None
    if not bets.ante:
        return "no_ante", "5.4"
    return ("under_prescribed", "3.4") if bets.progressive < prescribed else None


def _standing(boxes: tuple[BoxBets, ...], returned: tuple[ReturnedBet, ...]) -> tuple[StandingBets, ...]:
    if not returned:
        return tuple([StandingBets(one.box, one.ante, one.bonus, one.progressive) for one in boxes])
    back = {(one.box, one.wager): one.amount for one in returned}
    return tuple(
        [
            StandingBets(
                box=bets.box,
                ante=bets.ante - back.get((bets.box, "ante"), 0),
                bonus=bets.bonus - back.get((bets.box, "bonus"), 0),
                progressive=bets.progressive - back.get((bets.box, PROGRESSIVE), 0),
            )
            for bets in boxes
        ]
    )
