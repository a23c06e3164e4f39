"""Reports as they follow each other: spelled alike, laid over the last, taking nothing back by silence.

A later message tells the round so far, whole. What it tells otherwise is a correction; what it leaves out is
refused, unless the cards are told elsewhere in it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from jackpot.cards.cards import NAMES, names, parse_all
from jackpot.core.refusals import SplitNotAllowed, ToldBefore
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.blackjack.told import BoxHand, Decision, Hand, PlayerWagers, Report, Shoe, SplitHand

_CANONICAL = frozenset(NAMES)
_MOST_SPLITS = 3


def laid_over(before: Report | None, report: Report) -> Report:
    """A final message without any hand settles what was last told; the shoe stays known once it was named."""
    if before is None:
        return report
    named = None if before.shoe is None else before.shoe.id
    if named is not None and (report.shoe is None or report.shoe.id is None):
        report = replace(report, shoe=replace(report.shoe or Shoe(), id=named))
    if report.hands or not report.final:
        return report
    if report.dealer or report.discarded:
        return replace(report, hands=before.hands)
    counted = report.shoe is not None and report.shoe.drawn is not None
    return replace(before, final=True, shoe=report.shoe if counted else before.shoe or report.shoe)


def spelled(rules: BlackjackRules, report: Report) -> Report:
    """With every card by its canonical name; itself if it is so already."""
    for place, hand in enumerate(report.hands):
        if hand.split:
            _check_depth(rules, hand, f"hands[{place}]")
    shoe = report.shoe
    drawn = None if shoe is None else shoe.drawn
    if _CANONICAL.issuperset(_every_spelling(report)) and (drawn is None or _CANONICAL.issuperset(drawn)):
        return report
    return replace(
        report,
        hands=tuple(_box_spelled(hand, f"hands[{place}]") for place, hand in enumerate(report.hands)),
        dealer=_cards(report.dealer, "dealer.cards"),
        discarded=tuple(
            replace(one, card=_cards([one.card], f"discarded[{place}].card")[0])
            for place, one in enumerate(report.discarded)
        ),
        shoe=shoe if shoe is None or drawn is None else replace(shoe, drawn=_cards(drawn, "shoe.drawn")),
    )


def _check_depth(rules: BlackjackRules, hand: Hand, field: str, depth: int = 0) -> None:
    """Before anything else walks down the splits."""
    if depth == _MOST_SPLITS and hand.split:
        rule = rules.paragraphs.split_limits
        raise SplitNotAllowed("no hand is split into more than four", field=f"{field}.split", rule=rule)
    for place, one in enumerate(hand.split):
        _check_depth(rules, one, f"{field}.split[{place}]", depth + 1)


def _every_spelling(report: Report) -> list[str]:
    found = [*report.dealer, *[one.card for one in report.discarded]]
    for hand in report.hands:
        _collect(hand, 0, found, of_split=0)
    return found


def _cards(told: Sequence[str], field: str) -> tuple[str, ...]:
    return names(parse_all(told, field=field))


def _box_spelled(hand: BoxHand, field: str) -> BoxHand:
    return replace(hand, cards=_cards(hand.cards, f"{field}.cards"), split=_split_spelled(hand, field))


def _split_spelled(hand: Hand, field: str) -> tuple[BoxHand | SplitHand, ...]:
    return tuple(
        replace(
            one,
            cards=_cards(one.cards, f"{field}.split[{place}].cards"),
            split=_split_spelled(one, f"{field}.split[{place}]"),
        )
        for place, one in enumerate(hand.split)
    )


def cards_told(report: Report) -> list[str]:
    """Every card of the round once: the first card of a split hand is one of the hand it came of."""
    found = [*report.dealer, *[one.card for one in report.discarded]]
    for hand in report.hands:
        _collect(hand, 0, found, of_split=1)
    return found


def _collect(hand: Hand, skipped: int, found: list[str], *, of_split: int) -> None:
    found += hand.cards[skipped:]
    for one in hand.split:
        _collect(one, of_split, found, of_split=of_split)


# Nothing is taken back by silence


def check_nothing_missing(before: Report, report: Report) -> None:
    """Both spelled alike."""
    shorter: list[tuple[str, str]] = []
    hands = {hand.box: (place, hand) for place, hand in enumerate(report.hands)}
    for old in before.hands:
        if old.box not in hands:
            raise ToldBefore(f"box {old.box} was told before", field="hands", box=old.box)
        place, new = hands[old.box]
        if old != new:
            _check_box(old, new, f"hands[{place}]", shorter)
    if len(report.dealer) < len(before.dealer):
        shorter.append(("dealer.cards", "the dealer's cards were told before"))
    if len(report.discarded) < len(before.discarded):
        shorter.append(("discarded", "discarded cards were told before"))
    if shorter and Counter(cards_told(before)) - Counter(cards_told(report)):
        field, words = shorter[0]
        raise ToldBefore(words, field=field)


def _check_box(old: BoxHand, new: BoxHand, field: str, shorter: list[tuple[str, str]]) -> None:
    if old.invalidated is not None and new.invalidated is None:
        raise _missing(f"{field}.invalidated", "that the hand is invalid")
    if new.invalidated is None:
        _check_hand(old, new, field, old.box, shorter)


def _check_hand(old: Hand, new: Hand, field: str, box: int, shorter: list[tuple[str, str]]) -> None:
    if old.decision not in (None, Decision.STAND) and new.decision is None:
        raise _missing(f"{field}.decision", f"the {old.decision}")
    if len(new.cards) < len(old.cards):
        shorter.append((f"{field}.cards", f"further cards of box {box} were told before"))
    told = {one.name(box): one for one in new.wagers}
    for wagers in old.wagers:
        _check_wagers(wagers, told.get(wagers.name(box)), wagers.name(box), field)
    if new.decision != old.decision:
        return
    if len(new.split) < len(old.split):
        raise _missing(f"{field}.split", "a hand of the split")
    for place, (one, other) in enumerate(zip(old.split, new.split, strict=False)):
        _check_hand(one, other, f"{field}.split[{place}]", box, shorter)


_SAID = ("insurance", "even_money", "split", "double", "free_double", "invalidated")


def _check_wagers(old: PlayerWagers, new: PlayerWagers | None, player: str, field: str) -> None:
    for name in _SAID:
        if getattr(old, name) is not None and (new is None or getattr(new, name) is None):
            raise _missing(f"{field}.wagers", f"the {name} of {player}")


def _missing(field: str, what: str) -> ToldBefore:
    return ToldBefore(f"{what} was told before", field=field)
