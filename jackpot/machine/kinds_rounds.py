"""Facts about rounds of play: what each does, and how it is computed again."""

from __future__ import annotations

from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import Hand
from jackpot.core.money import Account
from jackpot.core.records import maker
from jackpot.core.refusals import Refused
from jackpot.games.adjustments import adjusted
from jackpot.games.irregularities import Consequence, Follows
from jackpot.games.lines import Line
from jackpot.games.progressive import Level
from jackpot.house.irregularities import awards_without, undone_by, what_follows
from jackpot.link.facts import (
    BetsClosed,
    HandsInvalidated,
    HandsReported,
    IrregularityDeclared,
    RoundContinued,
    RoundVoided,
    Settling,
    Stamp,
)
from jackpot.link.rounds import PROGRESSIVE, Box, ReturnedBet, Round, RoundState
from jackpot.link.state import Link
from jackpot.machine.kind import (
    Denied,
    Kind,
    MeterMay,
    must_equal,
    must_hold,
    own_table,
    post_moves,
    round_at,
)
from jackpot.machine.telling import Telling, noted
from jackpot.play.reconciliation import count
from jackpot.play.settlement import (
    boxes_told,
    handed_back,
    left_open,
    settlement,
    settlement_of_void,
    settlement_without,
)
from jackpot.pools.claims import emptied_since
from jackpot.pools.pool import Draft, award, contribute, give_back

_new_box, _new_round = maker(Box), maker(Round)


def _close_bets(link: Link, fact: BetsClosed, stamp: Stamp) -> None:
    table = link.tables[fact.table]
    payments = link.pool.payments
    boxes = {
        bets.box: _new_box(
            number=bets.box, ante=bets.ante, bonus=bets.bonus, bet=bets.progressive, payments=payments
        )
        for bets in fact.boxes
    }
    if fact.settles is not None:
        ended = round_at(link, fact.table)
        ended.state = RoundState.SETTLED
        count(table, ended)
        table.wagers_open = stamp.at if fact.left_open else None
    table.last_round = fact.round
    table.round = _new_round(
        number=fact.round,
        closed_at=fact.closed_at,
        dealt_from=fact.dealt_from,
        sequence=stamp.sequence,
        state=RoundState.BETS_CLOSED,
        boxes=boxes,
        meter_ppm=fact.meter_ppm,
        reserve_ppm=fact.reserve_ppm,
        rules=stamp.rules,
        said_awards=fact.awards,
    )
    forget_registers(link)
    post_moves(link, fact)


def forget_registers(link: Link) -> None:
    """A registered amount is kept while a round in play or a waiting win may be paid from it."""
    if link.registers:
        needed = {win.registered for win in link.queue.values()}
        needed |= {table.round.registered for table in link.tables.values() if table.round is not None}
        link.registers = {sequence: one for sequence, one in link.registers.items() if sequence in needed}


def _recompute_bets(link: Link, fact: BetsClosed) -> None:
    draft = Draft(link.pool)
    total = sum(box.progressive for box in fact.boxes)
    contribute(draft, total, link.parameters.rates, held=link.held, ceiling=link.parameters.ceiling)
    must_equal("the contribution", (fact.moves, fact.contributed), _drafted(draft))
    rates = link.parameters.rates
    must_equal("the rates", (fact.meter_ppm, fact.reserve_ppm), (rates.meter_ppm, rates.reserve_ppm))
    must_equal("what its hands win", fact.awards, link.parameters.awards.of_rounds)
    prescribed = link.parameters.progressive_bet
    must_equal("accepted bets", {box.progressive for box in fact.boxes} - {0, prescribed}, set())
    table = link.tables[fact.table]
    must_equal("the wagers left open", fact.left_open, left_open(table.played, table.round))


def _drafted(draft: Draft) -> tuple[dict[Account, int], int]:
    transfer = draft.done()
    return transfer.moves, transfer.contributed


def _say_bets(fact: BetsClosed, at: Telling) -> str:
    if at.round not in (None, fact.round):
        return f"Round {fact.round} begins: round {at.round} stands."
    boxes = ", ".join(str(one.box) for one in fact.boxes)
    stands = sum(one.progressive for one in fact.boxes)
    first = f"Bets are closed: boxes {boxes or 'none'}; {at.money(stands)} on the progressive."
    return " ".join([first, *at.returned(fact.returned)])


BETS_CLOSED = Kind(
    BetsClosed,
    place=Link,
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


def _report_hands(link: Link, fact: HandsReported, _stamp: Stamp) -> None:
    current = round_at(link, fact.table)
    records = {record.box: record for record in fact.records}
    results = {result.box: result for result in fact.results}
    for box in current.boxes.values():
        box.record, box.result = records.get(box.number), results.get(box.number)
        if box.record is not None:
            box.main = box.record.main
        if box.result is not None and box.result.win is not None:
            box.registrations = max(box.registrations, _registration(box.result.win))
    for returned in fact.returned:
        if returned.wager == PROGRESSIVE:
            current.boxes[returned.box].returned = True
    for number in fact.restored:
        current.boxes[number].returned = False
        current.boxes[number].payments = link.pool.payments
    current.state = fact.state
    if fact.state is RoundState.SETTLED:
        table = link.tables[fact.table]
        table.wagers_open = None
        count(table, current)
    current.hands_content, current.hands_sent_at = fact.content, fact.sent_at
    current.community, current.dealer = fact.community, fact.dealer
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    post_moves(link, fact)


def _registration(win: str) -> int:
    return int(win.rsplit(".", 1)[1])


def _recompute_hands(link: Link, fact: HandsReported) -> None:
    current, setup = round_at(link, fact.table), link.tables[fact.table].played
    community = parse_all(fact.community)
    cards = {record.box: record.cards for record in fact.records}
    for result in fact.results:
        bet = current.boxes[result.box].bet
        if result.hand is not None:
            shown = setup.rulebook.progressive_hand(parse_all(cards[result.box]), community)
            must_equal(f"the hand of box {result.box}", result.hand, shown)
            must_equal(f"the level of box {result.box}", result.level, _level(current, result.hand, bet))
    _recompute_minors(current, fact)
    draft = Draft(link.pool)
    for returned in fact.returned:
        if returned.wager == PROGRESSIVE:
            _give_back(link, draft, current, current.boxes[returned.box])
    for number in fact.restored:
        bet, ceiling = current.boxes[number].bet, link.parameters.ceiling
        contribute(draft, bet, current.rates, held=link.held, ceiling=ceiling)
    minors = sum(one.award or 0 for one in fact.results if one.level is Level.MINOR)
    award(draft, minors - sum(box.minor for box in current.boxes.values()))
    must_equal("the moves of the hands", (fact.moves, fact.contributed), _drafted(draft))
    boxes = boxes_told(current, fact.records)
    lines = settlement(setup, boxes, dealer=fact.dealer, community=fact.community)
    _settled(current, fact, lines)
    invalid = {record.box: record.invalidated for record in fact.records if record.invalidated}
    _returned(fact.returned, handed_back(current, lines, invalid, "hand_invalidated"))


def _level(current: Round, hand: Hand, bet: int) -> Level | None:
    return current.awards.level_of(hand) if bet else None


def _recompute_minors(current: Round, fact: HandsReported) -> None:
    awards = {
        result.box: current.awards.minor_award(result.hand, current.boxes[result.box].bet)
        for result in fact.results
        if result.hand is not None and result.level is Level.MINOR
    }
    within = current.awards.within_cap(awards)
    for result in fact.results:
        must_equal(f"the award of box {result.box}", result.award or 0, within.get(result.box, 0))


def _settled(current: Round, fact: Settling, computed: tuple[Line, ...]) -> None:
    must_equal("the settlement", fact.settlement, computed)
    must_equal("the adjustments", fact.adjustments, adjusted(current.settlement, computed))


def _give_back(link: Link, draft: Draft, current: Round, box: Box) -> None:
    mirrored = box.payments == link.pool.payments
    give_back(draft, box.bet, current.rates, held=link.held, mirrored=mirrored)


def _returned(written: tuple[ReturnedBet, ...], computed: tuple[ReturnedBet, ...]) -> None:
    must_equal("the bets returned", _amounts(written), _amounts(computed))


def _amounts(returned: tuple[ReturnedBet, ...]) -> dict[tuple[int, str], int]:
    return {(one.box, one.wager): one.amount for one in returned}


def _say_hands(fact: HandsReported, at: Telling) -> str:
    boxes = ", ".join(str(one.box) for one in fact.records)
    whose = f"The hands of boxes {boxes}" if boxes else "The cards of the table"
    said = [f"{whose} are {'corrected' if at.again else 'reported'}."]
    if fact.adjustments:
        said.append(f"Payouts that changed: {len(fact.adjustments)}.")
    if fact.state is RoundState.SETTLED:
        said.append("It is final: the round stands.")
    return " ".join([*said, *at.returned(fact.returned)])


HANDS_REPORTED = Kind(
    HandsReported,
    place=Link,
    apply=_report_hands,
    recompute=_recompute_hands,
    meter=MeterMay.FALL,  # the reversal of an invalidated box
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_hands,
    foretold=None,
    event=None,
)


def _void_round(link: Link, fact: RoundVoided, _stamp: Stamp) -> None:
    current = round_at(link, fact.table)
    current.state = RoundState.VOIDED
    if fact.malfunction is not None or fact.irregularity is not None:
        current.void_returned = fact.returned
    for box in current.boxes.values():
        box.returned, box.result = True, None
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    count(link.tables[fact.table], current)
    post_moves(link, fact)


def _recompute_void(link: Link, fact: RoundVoided) -> None:
    current, draft = round_at(link, fact.table), Draft(link.pool)
    standing = [box for box in current.boxes.values() if box.stands]
    for box in standing:
        _give_back(link, draft, current, box)
    award(draft, -sum(box.minor for box in current.boxes.values()))
    must_equal("the reversal", (fact.moves, fact.contributed), _drafted(draft))
    setup = link.tables[fact.table].played
    lines, rule = settlement_of_void(setup, current), setup.paragraphs.void_returns_all
    _settled(current, fact, lines)
    _returned(fact.returned, handed_back(current, lines, dict.fromkeys(current.boxes, rule), "round_voided"))
    if fact.irregularity is not None:
        must_equal("what voids the round", fact.reason, _declared(current, Follows.VOIDED).rule)


def _say_void(fact: RoundVoided, at: Telling) -> str:
    back = sum(one.amount for one in fact.returned if one.wager == PROGRESSIVE)
    return (
        f"The round is voided ({fact.reason}): every bet goes back, "
        f"{at.money(back)} of the progressive{noted(fact.note)}."
    )


def _foretell_void(fact: RoundVoided, at: Telling) -> str:
    back = at.money(sum(one.amount for one in fact.returned))
    return (
        f"Round {fact.round} at {fact.table} is voided (rule {fact.reason}): "
        f"bets of {back} are returned and their contributions are reversed."
    )


ROUND_VOIDED = Kind(
    RoundVoided,
    place=Link,
    apply=_void_round,
    recompute=_recompute_void,
    meter=MeterMay.FALL,  # the reversal of a voided round
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_void,
    foretold=_foretell_void,
    event=None,
)


def _declare_irregularity(link: Link, fact: IrregularityDeclared, _stamp: Stamp) -> None:
    round_at(link, fact.table).consequence = fact.consequence


def _recompute_irregularity(link: Link, fact: IrregularityDeclared) -> None:
    current = round_at(link, fact.table)
    try:
        found = what_follows(link.tables[fact.table].played, current, fact.said)
    except Refused as refusal:
        raise Denied(f"the irregularity: {refusal.message}") from None
    must_equal("what follows from the irregularity", fact.consequence, found)
    must_equal("what is taken back", fact.undone, undone_by(current, found))


_FOLLOWS = {
    Follows.VOIDED: "the round is voided",
    Follows.CONTINUES: "the round continues",
    Follows.OPTIONS: "affected players choose",
}


def _say_irregularity(fact: IrregularityDeclared, _at: Telling) -> str:
    found, said = fact.consequence, fact.said
    follows = f"{_FOLLOWS[found.follows]} ({found.rule})"
    return f"Irregularity by {said.paragraph}: {follows}{noted(said.note)}."


IRREGULARITY_DECLARED = Kind(
    IrregularityDeclared,
    place=Link,
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


def _invalidate_hands(link: Link, fact: HandsInvalidated, _stamp: Stamp) -> None:
    current = round_at(link, fact.table)
    for number, rule in fact.boxes.items():
        box = current.boxes[number]
        box.invalidated, box.returned, box.result = rule, True, None
    for result in fact.results:
        current.boxes[result.box].result = result
    current.state, current.hands_content = fact.state, fact.content
    current.settlement, current.adjustments = fact.settlement, fact.adjustments
    post_moves(link, fact)


def _recompute_invalidation(link: Link, fact: HandsInvalidated) -> None:
    current, draft = round_at(link, fact.table), Draft(link.pool)
    must_equal(
        "the hands invalidated", fact.boxes, _declared(current, Follows.CONTINUES, Follows.OPTIONS).invalid
    )
    boxes = [current.boxes[number] for number in fact.boxes]
    standing = [box for box in boxes if box.stands]
    for box in standing:
        _give_back(link, draft, current, box)
    must_equal("the awards of the others", fact.results, awards_without(current, fact.boxes))
    more = sum((one.award or 0) - current.boxes[one.box].minor for one in fact.results)
    award(draft, more - sum(box.minor for box in boxes))
    must_equal("the reversal", (fact.moves, fact.contributed), _drafted(draft))
    lines = settlement_without(link.tables[fact.table].played, current, fact.boxes)
    _settled(current, fact, lines)
    _returned(fact.returned, handed_back(current, lines, fact.boxes, "hand_invalidated"))


def _declared(current: Round, *possible: Follows) -> Consequence:
    found = current.consequence
    if found is None or found.follows not in possible:
        raise Denied(f"round {current.number}: no irregularity was declared that has this consequence")
    return found


def _say_invalidation(fact: HandsInvalidated, at: Telling) -> str:
    boxes = ", ".join(f"{box} ({rule})" for box, rule in fact.boxes.items())
    more = [f"Box {one.box} is now awarded {at.money(one.award or 0)}." for one in fact.results]
    return " ".join([f"Hands are invalidated: box {boxes}.", *more, *at.returned(fact.returned)])


HANDS_INVALIDATED = Kind(
    HandsInvalidated,
    place=Link,
    apply=_invalidate_hands,
    recompute=_recompute_invalidation,
    meter=MeterMay.FALL,  # the reversal of invalidated boxes, by the House
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_invalidation,
    foretold=None,
    event=None,
)


def _continue_round(link: Link, fact: RoundContinued, _stamp: Stamp) -> None:
    current = round_at(link, fact.table)
    link.registers.setdefault(fact.registered.sequence, fact.registered)
    current.registered = fact.registered.sequence
    current.registered_value = fact.registered.value
    current.promised, current.emptied = fact.promised, fact.emptied
    current.void_denied = fact.void_denied
    for win in current.wins:
        if win in link.queue:
            link.queue[win].registered = current.registered


def _recompute_continuation(link: Link, fact: RoundContinued) -> None:
    """The reading itself is of the past and not in the state: that it was emptied can be seen in part."""
    table, current = link.tables[fact.table], round_at(link, fact.table)
    must_hold(f"malfunction {fact.malfunction} was not open", holds=fact.malfunction in link.malfunctions)
    must_equal("the round that goes on", fact.round, current.number)
    must_equal("the rule by which it goes on", fact.rule, table.setup.paragraphs.registered_amount)
    if fact.emptied:
        royal = emptied_since(link, fact.registered)
        must_hold("no royal flush was paid since its reading", holds=royal)


def _say_continuation(fact: RoundContinued, at: Telling) -> str:
    return (
        f"Cards were seen: the round goes on ({fact.rule}); its progressive wins are paid from "
        f"{at.money(fact.registered.value)}."
    )


def _foretell_continuation(fact: RoundContinued, at: Telling) -> str:
    return (
        f"Round {fact.round} at {fact.table} continues (rule {fact.rule}): its progressive wins are "
        f"paid from {at.money(fact.registered.value)}, the amount registered before the malfunction."
    )


ROUND_CONTINUED = Kind(
    RoundContinued,
    place=Link,
    apply=_continue_round,
    recompute=_recompute_continuation,
    meter=MeterMay.RISE,
    touches=own_table,
    shown_at_tables=False,
    history=None,
    words=_say_continuation,
    foretold=_foretell_continuation,
    event=None,
)


def mark_paid(link: Link, table: str, number: int, box: int) -> None:
    current = link.tables[table].round
    if current is not None and current.number == number:
        current.boxes[box].paid = True


ROUND_KINDS = (
    BETS_CLOSED | HANDS_REPORTED | ROUND_VOIDED | IRREGULARITY_DECLARED | HANDS_INVALIDATED | ROUND_CONTINUED
)
