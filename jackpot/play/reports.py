"""Reading a report of hands: is it possible, and what is each box's hand worth (4.2, 5.15)?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import replace
from itertools import pairwise
from operator import attrgetter

from jackpot.cards.cards import DECK
from jackpot.cards.evaluator import Hand, hand_of, strength_of_names
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.records import frozen
from jackpot.core.refusals import (
    AmountNegative,
    AmountTooLarge,
    BoxNotInRound,
    BoxRepeated,
    BoxUnknown,
    CardRepeated,
    CardUnknown,
    DealOrderWrong,
    DealtAfterSent,
    DealtBeforeBetsClosed,
    DecisionContradictory,
    DecisionUnknown,
    HandContradictory,
    HandInvalid,
    InvalidationUnknown,
    SupervisorNeeded,
    WagerNotInGame,
    WrongNumberOfCards,
)
from jackpot.games.progressive import Progressive
from jackpot.games.rulebook import Rulebook
from jackpot.link.clocks import Offset
from jackpot.link.commands import HandReport, ReportHands
from jackpot.link.execution import bounded
from jackpot.link.rounds import HandRecord, MainGame, Round
from jackpot.link.state import Table, TableSetup
from jackpot.link.wins import DealEvidence, Win
from jackpot.play.contact import Arrival
from jackpot.play.merging import BET, FOLD, STAYS, TableCards, cards_on_table, records_of
from jackpot.pools.majors import Major
from jackpot.pools.order import STAMPS_MAY_CROSS, clockwise, fitted, stamped_interval, witnessed_interval

_BOX = attrgetter("box")
_KNOWN = frozenset(DECK)


@frozen()
class Assessed:
    """A box's hand, as reported and as evaluated."""

    record: HandRecord
    hand: Hand | None = None
    progressive: tuple[str, ...] = ()


def assess(setup: TableSetup, current: Round, command: ReportHands) -> list[Assessed]:
    """Every hand as it stands once this is reported, clockwise, or the refusal of the whole report."""
    rulebook, hands = setup.rulebook, sorted(command.hands, key=_BOX)
    for report in hands:
        _check_hand(setup, rulebook, current, command, report)
    _check_each_box_once(hands)
    _check_known_cards(command)
    records, shown = records_of(rulebook, current, command), cards_on_table(current, command)
    for record in records:
        if record.main is not None:
            _check_decision(record, record.main)
    _check_deal_order(records)
    _check_table_cards(rulebook, shown, records)
    _check_decks(rulebook.decks, records, shown)
    return [_assessed(rulebook.progressive, record, shown.community) for record in records]


def _check_hand(
    setup: TableSetup, rulebook: Rulebook, current: Round, command: ReportHands, report: HandReport
) -> None:
    if not 1 <= report.box <= setup.boxes:
        raise BoxUnknown(f"the layout has boxes 1 to {setup.boxes}", field=_field(report))
    if report.box not in current.boxes:
        raise BoxNotInRound(f"no bet was placed on box {report.box}", field=_field(report))
    if bool(report.cards) + (report.revealed is False) + (report.invalidated is not None) > 1:
        raise HandContradictory(
            "a hand has cards, or is not revealed, or is invalidated", field=_field(report)
        )
    by_house, expected = current.boxes[report.box].invalidated, rulebook.dealt.own
    if by_house is not None or report.invalidated is not None:
        _check_invalidation(setup, by_house, report)
    if report.cards and len(report.cards) != expected:
        raise WrongNumberOfCards(f"{expected} cards are dealt, not {len(report.cards)}", field=_field(report))
    if report.dealt_at is not None:
        _check_deal(current, command, report, report.dealt_at)
    if report.main is not None:
        _check_main_game(rulebook, report, report.main)


def _field(of: HandReport | HandRecord) -> str:
    return f"hands[box {of.box}]"


def _check_deal(current: Round, command: ReportHands, report: HandReport, dealt_at: int) -> None:
    if dealt_at < current.closed_at - STAMPS_MAY_CROSS:
        raise DealtBeforeBetsClosed("no hand is dealt before the bets are closed", field=_field(report))
    if dealt_at > command.sent_at + STAMPS_MAY_CROSS:
        raise DealtAfterSent("no hand is reported before it is dealt", field=_field(report))


def _check_invalidation(setup: TableSetup, by_house: str | None, report: HandReport) -> None:
    """`by_house` is the paragraph by which the House has invalidated the hand: the table may repeat it."""
    said = report.invalidated
    if by_house is not None and said is None:
        raise HandInvalid(
            f"the House has invalidated the hand of box {report.box}", rule=by_house, box=report.box
        )
    if said is None or said == by_house or said in setup.paragraphs.invalidations:
        return
    if said == setup.paragraphs.examined_additional_hand:
        raise SupervisorNeeded(f"a supervisor declares paragraph {said}", field=_field(report), rule=said)
    raise InvalidationUnknown(f"paragraph {said[:20]!r} invalidates no hand", field=_field(report))


def _check_main_game(rulebook: Rulebook, report: HandReport, main: MainGame) -> None:
    told, decision = _amounts(main), main.decision
    unknown = decision is not None and decision not in rulebook.decisions
    if told:
        _check_amounts(report, told)
    if decision and unknown:  # it is kept as it was said, so it must be such that it can be kept
        bounded(decision, field=f"{_field(report)}.decision")
    if main.player:
        bounded(main.player, field=f"{_field(report)}.player")
    for name, _ in told:
        if name not in rulebook.further:
            raise WagerNotInGame(f"{rulebook.game} has no {name}", field=f"{_field(report)}.{name}")
    if decision is not None and unknown:
        raise DecisionUnknown(
            f"{rulebook.game} has no decision {decision[:20]!r}", field=f"{_field(report)}.decision"
        )


def _amounts(main: MainGame) -> list[tuple[str, int]]:
    """The wagers that are told, by name."""
    told = []
    if main.bet is not None:
        told.append(("bet", main.bet))
    if main.flop is not None:
        told.append(("flop", main.flop))
    if main.turn is not None:
        told.append(("turn", main.turn))
    if main.river is not None:
        told.append(("river", main.river))
    return told


def _check_amounts(report: HandReport, told: list[tuple[str, int]]) -> None:
    for name, amount in told:
        if amount < 0:
            raise AmountNegative(f"{name} is below zero", field=f"{_field(report)}.{name}")
        if amount > LARGEST_AMOUNT:
            raise AmountTooLarge(f"{name} is above {LARGEST_AMOUNT}", field=f"{_field(report)}.{name}")


def _check_decision(record: HandRecord, main: MainGame) -> None:
    """A player has folded, or has placed what he stays in with, before anything else."""
    decision, stayed = main.decision, main.flop if main.bet is None else main.bet
    stays = bool(stayed) or (decision == BET and stayed is None)
    out = record.folded or decision == FOLD
    if out and (stays or decision in STAYS):
        raise DecisionContradictory("a folded hand stays in with no bet", field=f"{_field(record)}.decision")
    if not stays and decision in STAYS:
        raise DecisionContradictory("who stays in has placed a bet", field=f"{_field(record)}.decision")
    if not stays and (main.turn or main.river):
        raise DecisionContradictory("no Turn or River without a Flop", field=f"{_field(record)}.flop")
    if main.river is not None and main.turn is None:
        raise DecisionContradictory(
            "the Turn is decided before the River; 0 is a check",
            field=f"{_field(record)}.turn",
            rule="3.11.4",
        )


def _check_each_box_once(hands: list[HandReport]) -> None:
    for report, other in pairwise(hands):
        if report.box == other.box:
            raise BoxRepeated(f"box {report.box} is named twice", field="hands")


def _check_known_cards(command: ReportHands) -> None:
    for cards in (*[report.cards for report in command.hands], command.community, command.dealer):
        if cards and not _KNOWN.issuperset(cards):
            raise CardUnknown("not one of the 52 cards", field="cards")


def _check_deal_order(records: list[HandRecord]) -> None:
    orders = [record.deal_order for record in records if record.deal_order is not None]
    if orders != sorted(set(orders)):
        raise DealOrderWrong("the deal goes clockwise: deal_order rises with the box", field="deal_order")
    if orders and orders[0] < 0:
        raise DealOrderWrong(
            "nothing is dealt before the first: deal_order is not below 0", field="deal_order"
        )


def _check_table_cards(rulebook: Rulebook, shown: TableCards, records: list[HandRecord]) -> None:
    """Before the flop, Hold'em has no community cards and only the hands that were folded (H 3.11.2)."""
    told, shared = len(shown.community), rulebook.shared
    least = shared if shared and any(record.cards and not record.out for record in records) else 0
    if told not in rulebook.community_told or told < least:
        rule = rulebook.paragraphs.community_cards
        raise WrongNumberOfCards(f"{told} community cards", field="community", rule=rule)
    if len(shown.dealer) > rulebook.dealt.dealer:
        raise WrongNumberOfCards(f"{len(shown.dealer)} cards for the dealer", field="dealer", rule="5.8.7")


def _check_decks(decks: int, records: list[HandRecord], shown: TableCards) -> None:
    """No card is seen more often than the decks have it."""
    hands = (*[record.cards for record in records], shown.community, shown.dealer)
    cards = [card for hand in hands for card in hand]
    if len(set(cards)) == len(cards):
        return
    seen: Counter[str] = Counter()
    for card in cards:
        seen[card] += 1
        if seen[card] > decks:
            times = "twice" if decks == 1 else f"{seen[card]} times"
            raise CardRepeated(f"{card} was seen {times} in this round", field="cards", card=card)


def _assessed(progressive: Progressive | None, record: HandRecord, community: tuple[str, ...]) -> Assessed:
    if progressive is None or not record.cards or record.awaited:
        return Assessed(record)
    made_of = progressive.cards(record.cards, community)
    hand = hand_of(strength_of_names(made_of))
    return Assessed(record, hand, made_of)


def majors_of(
    line: Iterable[Win],
    table: Table,
    current: Round,
    command: ReportHands,
    arrival: Arrival,
    dealt: list[Assessed],
) -> list[Major]:
    """These hands as majors, their deal times as intervals that agree with the clockwise deal and with the
    wins that stay in line."""
    if not dealt:
        return []
    evidence = [_evidence(current, command, arrival, one.record) for one in dealt]
    others = [win for win in line if win.table == table.setup.id]
    seen = [witnessed_interval(one, dealt_from=current.dealt_from) for one in evidence]
    stamped = [stamped_interval(one, witnessed) for one, witnessed in zip(evidence, seen, strict=True)]
    intervals = clockwise([one or witnessed for one, witnessed in zip(stamped, seen, strict=True)])
    return [
        Major(
            table=table.setup.id,
            round=current.number,
            box=one.record.box,
            hand=one.hand,
            percent=current.awards.share_of(one.hand),
            cards=one.progressive,
            bet=current.boxes[one.record.box].bet,
            bets=current.sequence,
            interval=fitted(interval, (current.number, one.record.box), others),
            witnessed=witnessed,
            evidence=proof,
            registered=current.registered,
            registered_value=current.registered_value,
            emptied=current.emptied,
            promised=None if current.promised is None else current.promised.amount,
        )
        for one, proof, witnessed, interval in zip(dealt, evidence, seen, intervals, strict=True)
        if one.hand is not None
    ]


def _evidence(current: Round, command: ReportHands, arrival: Arrival, record: HandRecord) -> DealEvidence:
    evidence = DealEvidence(
        dealt_at=record.dealt_at,
        sent_at=command.sent_at,
        received_at=command.received_at,
        error=command.error,
        offset=_offset_at(current, arrival, record.dealt_at, command.received_at),
        live=arrival.live,
        spooled=not command.live,
    )
    witnessed = witnessed_interval(evidence, dealt_from=current.dealt_from)
    return replace(evidence, outside=stamped_interval(evidence, witnessed) is None)


def _offset_at(current: Round, arrival: Arrival, dealt_at: int | None, received_at: int) -> Offset:
    """As loose as it was when the hand was dealt, or is now, whichever is looser. Has house time broken since
    the bets, the hand may have been dealt by a time that the offset is not of."""
    if current.dealt_from <= arrival.era:
        return Offset()
    bounds = arrival.measured.bounds
    now = bounds.offset(received_at)
    if dealt_at is None or now.most is None:
        return now
    return now.or_looser(bounds.offset(min(received_at, dealt_at + now.most)))


def dealt_outside(current: Round, command: ReportHands, arrival: Arrival, dealt: Iterable[Assessed]) -> bool:
    """Whether it tells a deal that cannot have been then, as one before the bets were answered."""
    stamped = [one.record for one in dealt if one.record.dealt_at is not None]
    return any(_evidence(current, command, arrival, one).outside for one in stamped)
