"""Facts about pits and rounds at their tables: what each does, and how it is computed again."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from jackpot.core.refusals import Refused
from jackpot.games.blackjack import (
    WAGERS,
    Adjusted,
    Bets,
    Line,
    RoundFollows,
    adjusted,
    check_bets,
    check_void,
    close,
)
from jackpot.house.pit_irregularities import what_follows
from jackpot.link.facts import Stamp
from jackpot.link.pit_facts import (
    PitBetsClosed,
    PitBetsReturned,
    PitCreated,
    PitHandsReported,
    PitIrregularityDeclared,
    PitRoundVoided,
    PitSettling,
    PitTableAdded,
)
from jackpot.link.pit_rounds import PitRound
from jackpot.link.rounds import RoundState
from jackpot.link.state import Pit, PitTable
from jackpot.machine import events
from jackpot.machine.arrivals import arrived, say_added
from jackpot.machine.kind import Denied, Kind, MeterMay, must_equal, must_hold, no_table, own_table
from jackpot.machine.telling import Telling, noted
from jackpot.play.pit_rounds import (
    counted_shoe,
    judged,
    left_open,
    lines_of_void,
    returned_with_bets,
    settled_by_the_next,
    settlement_with,
    state_after,
)
from jackpot.play.reconciliation import count
from jackpot.play.setup import check_setup
from jackpot.play.status import table_closed


def _table(pit: Pit, name: str) -> PitTable:
    table = pit.tables[name]
    if not isinstance(table, PitTable):
        raise Denied(f"table {name} plays on a link")
    return table


def _round(pit: Pit, name: str) -> PitRound:
    current = _table(pit, name).round
    if current is None:
        raise Denied(f"a fact about a round at {name}, which has none")
    return current


@contextmanager
def _lawful(what: str) -> Iterator[None]:
    try:
        yield
    except Refused as refusal:
        raise Denied(f"{what}: {refusal.message}") from None


def _playing(pit: Pit, fact: PitSettling | PitIrregularityDeclared) -> tuple[PitTable, PitRound]:
    """The round that a fact is about, of which something can still be said."""
    table, current = _table(pit, fact.table), _round(pit, fact.table)
    must_equal("the round at the table", fact.round, current.number)
    must_hold(f"round {current.number} was over", holds=not current.stands)
    return table, current


def _create(pit: Pit, _fact: PitCreated, _stamp: Stamp) -> None:
    must_hold("a pit is created by the first entry of its journal", holds=pit.sequence == 0)


def _recompute_creation(pit: Pit, _fact: PitCreated) -> None:
    must_hold("a pit is created by the first entry of its journal", holds=pit.sequence == 0)


PIT_CREATED = Kind(
    PitCreated,
    place=Pit,
    apply=_create,
    recompute=_recompute_creation,
    meter=MeterMay.RISE,
    touches=no_table,
    shown_at_tables=False,
    history=None,
    words=lambda fact, _: f"Pit {fact.id} is created.",
    foretold=None,
    event=events.PIT_CREATED,
)


def _add_table(pit: Pit, fact: PitTableAdded, _stamp: Stamp) -> None:
    table = PitTable(setup=fact.setup, **arrived(pit, fact.setup.id, fact.source))
    pit.tables = {**pit.tables, fact.setup.id: table}


def _recompute_added_table(pit: Pit, fact: PitTableAdded) -> None:
    must_hold(f"table {fact.setup.id} was there already", holds=fact.setup.id not in pit.tables)
    with _lawful("the table"):
        check_setup(fact.setup)


PIT_TABLE_ADDED = Kind(
    PitTableAdded,
    place=Pit,
    apply=_add_table,
    recompute=_recompute_added_table,
    meter=MeterMay.RISE,
    touches=lambda fact, _pit: (fact.setup.id,),
    shown_at_tables=True,
    history=None,
    words=lambda fact, _: say_added(fact.setup.id, fact.source, fact.reason),
    foretold=None,
    event=events.PIT_TABLE_ADDED,
)


def _close_bets(pit: Pit, fact: PitBetsClosed, stamp: Stamp) -> None:
    table = _table(pit, fact.table)
    if fact.settles is not None:
        ended = _round(pit, fact.table)
        ended.state = RoundState.SETTLED
        count(table, ended)
        table.wagers_open = stamp.at if fact.left_open else None
    table.shoe = counted_shoe(table)
    table.last_round = fact.round
    table.round = PitRound(
        number=fact.round,
        closed_at=fact.closed_at,
        dealt_from=fact.dealt_from,
        sequence=stamp.sequence,
        state=RoundState.BETS_CLOSED,
        bets=Bets() if fact.table_closed else fact.bets,
        settlement=fact.settlement,
        handed_back=fact.settlement if fact.table_closed else (),
        rules=stamp.rules,
    )


def _recompute_bets(pit: Pit, fact: PitBetsClosed) -> None:
    table = _table(pit, fact.table)
    must_hold(f"round {table.last_round} had begun", holds=fact.round > table.last_round)
    must_equal("whether the table is closed", fact.table_closed, table_closed(pit, table))
    must_equal("the round that stands now", fact.settles, settled_by_the_next(table))
    with _lawful("the bets"):
        check_bets(table.setup.layout, fact.bets)
    closing = close(table.setup.layout, fact.bets)
    lines = returned_with_bets(closing, table_closed=fact.table_closed)
    must_equal("what goes back at once", fact.settlement, lines)
    must_equal("the wagers left open", fact.left_open, left_open(table.played, table.round))


def _say_bets(fact: PitBetsClosed, at: Telling) -> str:
    if at.round not in (None, fact.round):
        return f"Round {fact.round} begins: round {at.round} stands."
    boxes = ", ".join(str(box) for box in sorted({one.box for one in fact.bets.boxes}))
    laid = sum(one.bet for one in fact.bets.boxes)
    said = [f"Bets are closed: boxes {boxes or 'none'}; {at.money(laid)} of Initial Bets."]
    if fact.table_closed:
        said.append("The table is closed: all of it goes back.")
    return " ".join([*said, *_returned(fact.settlement, at)])


def _returned(lines: tuple[Line, ...], at: Telling) -> list[str]:
    return [
        f"{_where(one)}: {at.money(one.stake)} of {WAGERS[one.wager]} goes back ({one.rule})."
        for one in lines
    ]


def _where(one: Line | Adjusted) -> str:
    return one.player if one.box is None else f"Box {one.box}, {one.player}"


PIT_BETS_CLOSED = Kind(
    PitBetsClosed,
    place=Pit,
    apply=_close_bets,
    recompute=_recompute_bets,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_bets,
    foretold=None,
    event=None,
)


def _settle(current: PitRound, fact: PitSettling) -> None:
    current.settlement, current.adjustments = fact.settlement, fact.adjustments


def _must_settle(current: PitRound, fact: PitSettling, computed: tuple[Line, ...]) -> None:
    must_equal("the settlement", fact.settlement, computed)
    must_equal("the adjustments", fact.adjustments, adjusted(current.settlement, computed))


def _report_hands(pit: Pit, fact: PitHandsReported, _stamp: Stamp) -> None:
    table, current = _table(pit, fact.table), _round(pit, fact.table)
    current.report, current.state = fact.report, fact.state
    current.hands_content, current.hands_sent_at = fact.content, fact.sent_at
    _settle(current, fact)
    if fact.state is RoundState.SETTLED:
        table.wagers_open = None
        count(table, current)


def _recompute_hands(pit: Pit, fact: PitHandsReported) -> None:
    table, current = _playing(pit, fact)
    with _lawful("the report"):
        found = judged(table, current, fact.report)
    must_equal("the report", fact.report, found.report)
    must_equal("the state of the round", fact.state, state_after(found))
    _must_settle(current, fact, found.lines)


def _say_hands(fact: PitHandsReported, at: Telling) -> str:
    boxes = ", ".join(str(one.box) for one in fact.report.hands)
    whose = f"The hands of boxes {boxes}" if boxes else "The cards of the table"
    said = [f"{whose} are {'told anew' if at.again else 'reported'}."]
    if fact.adjustments:
        said.append(f"Payouts that changed: {len(fact.adjustments)}.")
    if fact.state is RoundState.SETTLED:
        said.append("It is final: the round stands.")
    return " ".join(said)


PIT_HANDS_REPORTED = Kind(
    PitHandsReported,
    place=Pit,
    apply=_report_hands,
    recompute=_recompute_hands,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_hands,
    foretold=None,
    event=None,
)


def _void_round(pit: Pit, fact: PitRoundVoided, _stamp: Stamp) -> None:
    current = _round(pit, fact.table)
    current.state = RoundState.VOIDED
    current.voided_by_house = fact.irregularity is not None
    _settle(current, fact)
    count(_table(pit, fact.table), current)


def _recompute_void(pit: Pit, fact: PitRoundVoided) -> None:
    table, current = _playing(pit, fact)
    _must_settle(current, fact, lines_of_void(table.played, current))
    if fact.irregularity is None:
        with _lawful("the void"):
            check_void(table.setup.rules, fact.reason, current.settlement)
    else:
        last = current.consequences[-1] if current.consequences else None
        voids = last is not None and last.follows is RoundFollows.VOIDED
        must_hold("no irregularity was declared that voids the round", holds=voids)
        must_equal("what voids the round", fact.reason, None if last is None else last.rule)


def _say_void(fact: PitRoundVoided, at: Telling) -> str:
    back = sum(one.payout for one in fact.settlement)
    return f"The round is voided ({fact.reason}): {at.money(back)} goes back{noted(fact.note)}."


def _foretell_void(fact: PitRoundVoided, at: Telling) -> str:
    back = at.money(sum(one.payout for one in fact.settlement))
    return f"Round {fact.round} at {fact.table} is voided (rule {fact.reason}): bets of {back} are returned."


PIT_ROUND_VOIDED = Kind(
    PitRoundVoided,
    place=Pit,
    apply=_void_round,
    recompute=_recompute_void,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_void,
    foretold=_foretell_void,
    event=None,
)


def _declare_irregularity(pit: Pit, fact: PitIrregularityDeclared, _stamp: Stamp) -> None:
    current = _round(pit, fact.table)
    current.consequences = (*current.consequences, fact.consequence)


def _recompute_irregularity(pit: Pit, fact: PitIrregularityDeclared) -> None:
    table, current = _playing(pit, fact)
    with _lawful("the irregularity"):
        found = what_follows(table.played, current, fact.said)
    must_equal("what follows from the irregularity", fact.consequence, found)


_FOLLOWS = {
    RoundFollows.VOIDED: "the round is voided",
    RoundFollows.CONTINUES: "the round continues",
    RoundFollows.OPTIONS: "players choose",
}


def _say_irregularity(fact: PitIrregularityDeclared, _at: Telling) -> str:
    found = fact.consequence
    follows = f"{_FOLLOWS[found.follows]} ({found.rule})"
    return f"Irregularity by {fact.said.paragraph}: {follows}{noted(fact.said.note)}."


PIT_IRREGULARITY_DECLARED = Kind(
    PitIrregularityDeclared,
    place=Pit,
    apply=_declare_irregularity,
    recompute=_recompute_irregularity,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_irregularity,
    foretold=None,
    event=None,
)


def _return_bets(pit: Pit, fact: PitBetsReturned, _stamp: Stamp) -> None:
    current = _round(pit, fact.table)
    current.hands_content = fact.content
    _settle(current, fact)


def _recompute_return(pit: Pit, fact: PitBetsReturned) -> None:
    table, current = _playing(pit, fact)
    must_hold("nobody's bets were to go back", holds=bool(current.returned))
    _must_settle(current, fact, settlement_with(table.played, current, current.returned))


def _say_return(fact: PitBetsReturned, at: Telling) -> str:
    back = [one for one in fact.settlement if one.rule.startswith("5.7")]
    return " ".join(["Bets go back to the players who chose so.", *_returned(tuple(back), at)])


PIT_BETS_RETURNED = Kind(
    PitBetsReturned,
    place=Pit,
    apply=_return_bets,
    recompute=_recompute_return,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_return,
    foretold=None,
    event=None,
)

PIT_KINDS = (
    PIT_CREATED
    | PIT_TABLE_ADDED
    | PIT_BETS_CLOSED
    | PIT_HANDS_REPORTED
    | PIT_ROUND_VOIDED
    | PIT_IRREGULARITY_DECLARED
    | PIT_BETS_RETURNED
)
