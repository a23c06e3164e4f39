"""A report of hands laid over what earlier messages of the round told.

What a message leaves unsaid of dealer, community, boxes, decisions and wagers stays as told: chips do not
vanish because a message is silent about them, nor does a fold. What it says takes the place of what was told.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple, TypeVar

from jackpot.cards.cards import names
from jackpot.core.records import maker
from jackpot.games.lines import Decision
from jackpot.games.rulebook import Rulebook
from jackpot.link.commands import HandReport, ReportHands
from jackpot.link.rounds import Box, HandRecord, MainGame, Round

FOLD, BET, CHECK, WALK_AWAY = Decision
STAYS = (BET, CHECK)
_new_record = maker(HandRecord)
_NOTHING = MainGame()
_UNTOLD = HandRecord(box=0, awaited=True)
"""As any box is, before anything is told of it."""
T = TypeVar("T")


class TableCards(NamedTuple):
    dealer: tuple[str, ...]
    community: tuple[str, ...]


def cards_on_table(current: Round, command: ReportHands) -> TableCards:
    """The dealer's and the community cards, once this is reported."""
    dealer, community = command.dealer, command.community
    return TableCards(
        dealer=current.dealer if dealer is None else names(dealer),
        community=current.community if community is None else names(community),
    )


def records_of(rulebook: Rulebook, current: Round, command: ReportHands) -> list[HandRecord]:
    """Every box that was told, once this is reported, clockwise. A round that stands is only told of: what a
    late message says is read by itself. A hand that the House has invalidated is no longer told of."""
    said = {report.box: report for report in command.hands}
    community = cards_on_table(current, command).community
    shared = rulebook.shared
    same_shared = community[:shared] == current.community[:shared]
    known = len(community) >= shared
    found = []
    for number in sorted(current.boxes):
        box, report = current.boxes[number], said.get(number)
        if report is None:
            if box.record is None or box.invalidated is not None or current.stands:
                continue
            report = HandReport(box=number)
        found.append(_retold(box, report, rulebook, same_shared=same_shared, shared_known=known))
    return found


def _retold(
    box: Box, report: HandReport, rulebook: Rulebook, *, same_shared: bool, shared_known: bool
) -> HandRecord:
    """What is told of a box, once this is reported of it."""
    before = box.record or _UNTOLD
    cards, invalidated, awaited = _hand(before, report)
    folded, main = _played(box, report, rulebook)
    dealt_at = report.dealt_at
    if dealt_at is None and same_shared and cards == before.cards:
        dealt_at = before.dealt_at  # otherwise it was stamped before its last progressive card came
    return _new_record(
        box=box.number,
        cards=cards,
        dealt_at=dealt_at,
        deal_order=_either(report.deal_order, before.deal_order),
        folded=folded,
        invalidated=invalidated,
        main=None if main.silent else main,
        awaited=not shared_known if cards else awaited,
    )


def _hand(before: HandRecord, report: HandReport) -> tuple[tuple[str, ...], str | None, bool]:
    """Its cards, or by which paragraph it is invalid; and whether it is awaited. A hand that was invalidated
    stays so until its cards are told anew."""
    if report.invalidated is not None:
        return (), report.invalidated, False
    if report.revealed is False:
        return (), None, False
    if report.cards is not None:
        return names(report.cards), None, not report.cards
    if report.revealed is True:
        return before.cards, None, not before.cards
    return before.cards, before.invalidated, before.awaited


def _played(box: Box, report: HandReport, rulebook: Rulebook) -> tuple[bool, MainGame]:
    """Whether its player has folded, and his main game."""
    said, lying = report.main or _NOTHING, box.main or _NOTHING
    flagged = box.record is not None and box.record.folded
    out = flagged or lying.folds
    if box.invalidated is not None and lying.wagered:
        return flagged, _laid_over(lying, replace(_NOTHING, examined=said.examined, player=said.player))
    if report.folded or said.decision == FOLD:
        return flagged if report.folded is None else report.folded, _folding(lying, said)
    if said.decision in STAYS or said.bet or said.flop:
        return False, _laid_over(
            _before_folding(lying) if out else lying, _placed(box, lying, said, rulebook)
        )
    if report.folded is False:
        return False, _laid_over(_before_folding(lying) if out else lying, said)
    main = _laid_over(lying, _placed(box, lying, said, rulebook))
    # Who has folded and then walks away has folded.
    return flagged or (out and not main.folds), main


def _folding(lying: MainGame, said: MainGame) -> MainGame:
    """Of a hand that is said to be folded only those chips lie there that the same message names."""
    left = lying.decision if lying.decision in (FOLD, WALK_AWAY) else None
    if left is None:
        return _laid_over(_before_folding(lying), said)
    return _laid_over(MainGame(decision=left, examined=lying.examined, player=lying.player), said)


def _before_folding(lying: MainGame) -> MainGame:
    """The fold is taken back, with the chips that were said not to be there."""
    if lying is _NOTHING:
        return lying
    return MainGame(examined=lying.examined, player=lying.player)


def _placed(box: Box, lying: MainGame, said: MainGame, rulebook: Rulebook) -> MainGame:
    """A BET or Flop that was only announced is twice the Ante (S 3.12.2, H 1.11), also once its player checks
    or leaves."""
    if lying.decision != BET or said.decision in (None, BET):
        return said
    stays_with = rulebook.further[0].value
    if getattr(lying, stays_with) is not None:
        return said
    return replace(said, **{stays_with: _either(getattr(said, stays_with), 2 * box.ante)})


def _laid_over(lying: MainGame, said: MainGame) -> MainGame:
    if lying is _NOTHING:
        return said
    return MainGame(
        bet=_either(said.bet, lying.bet),
        flop=_either(said.flop, lying.flop),
        turn=_either(said.turn, lying.turn),
        river=_either(said.river, lying.river),
        decision=_either(said.decision, lying.decision),
        examined=_either(said.examined, lying.examined),
        player=_either(said.player, lying.player),
    )


def _either(said: T | None, before: T | None) -> T | None:
    return before if said is None else said
