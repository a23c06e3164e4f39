"""Whether a report's own words are the game's: the first of the checks, box by box as they stand in it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from jackpot.core.refusals import (
    BoxToldTwice,
    CardRepeated,
    DecisionUnknown,
    DiscardUnknown,
    InvalidationUnknown,
    TextInvisible,
    TextTooLong,
    WagerNotInGame,
)
from jackpot.core.texts import unseen
from jackpot.games.blackjack.closing import Layout
from jackpot.games.blackjack.openings import check_amount, check_box, check_name
from jackpot.games.blackjack.retelling import cards_told
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.blackjack.told import BoxHand, Follows, Hand, PlayerWagers, Report

LONGEST_SHOE = 80
_FOLLOWS = frozenset(Follows)


def check_message(layout: Layout, report: Report) -> None:
    seen: set[int] = set()
    for place, hand in enumerate(report.hands):
        field = f"hands[{place}]"
        check_box(layout, hand.box, field)
        if hand.box in seen:
            raise BoxToldTwice(f"box {hand.box} has two hands", field=f"{field}.box")
        seen.add(hand.box)
        _check_invalidation(layout.rules, hand.invalidated, field)
        if hand.decision is not None or hand.wagers or hand.split:
            _check_words(layout.rules, hand, field, hand.box)
    for place, one in enumerate(report.discarded):
        if one.rule not in layout.rules.paragraphs.discards:
            raise DiscardUnknown(
                f"paragraph {one.rule[:20]!r} discards no card", field=f"discarded[{place}].rule"
            )
    if report.shoe is not None and report.shoe.id is not None:
        _check_shoe_id(report.shoe.id)
    cards = cards_told(report)
    if len(cards) > layout.decks:
        check_repeated(layout, Counter(cards), {})


def _check_shoe_id(told: str) -> None:
    if len(told) > LONGEST_SHOE:
        raise TextTooLong(f"a shoe's id has at most {LONGEST_SHOE} characters", field="shoe.id")
    hidden = unseen(told)
    if hidden is not None:
        raise TextInvisible(f"{hidden} shows nothing", field="shoe.id")


def check_repeated(layout: Layout, cards: Mapping[str, int], counts: Mapping[str, int]) -> None:
    """`counts` are the cards that have left the shoe before this round."""
    if not counts and max(cards.values(), default=0) <= layout.decks:
        return
    for card, times in cards.items():
        if times + counts.get(card, 0) > layout.decks:
            raise CardRepeated(
                f"{card} was drawn {times + counts.get(card, 0)} times from {layout.decks} decks",
                field="shoe.id" if counts else "hands",
                rule=layout.rules.paragraphs.decks,
                card=card,
            )


def _check_invalidation(rules: BlackjackRules, told: str | None, field: str) -> None:
    if told is not None and told != rules.paragraphs.bets_back:
        raise InvalidationUnknown(
            f"paragraph {told[:20]!r} makes no hand invalid", field=f"{field}.invalidated"
        )


def _check_words(rules: BlackjackRules, hand: Hand, field: str, box: int) -> None:
    if hand.decision is not None and hand.decision not in rules.decisions:
        raise DecisionUnknown(f"{rules.name} has no {hand.decision[:20]!r}", field=f"{field}.decision")
    for place, said in enumerate(hand.wagers):
        _check_wagers(rules, said, f"{field}.wagers[{place}]", box)
        if said.invalidated is not None and not isinstance(hand, BoxHand):
            raise InvalidationUnknown("bets go back for the whole box", field=f"{field}.wagers[{place}]")
    for place, one in enumerate(hand.split):
        _check_words(rules, one, f"{field}.split[{place}]", box)


def _check_wagers(rules: BlackjackRules, said: PlayerWagers, field: str, box: int) -> None:
    check_name(said.name(box), field)
    check_amount(said.insurance or 0, field, "insurance")
    check_amount(said.double or 0, field, "double")
    _check_invalidation(rules, said.invalidated, field)
    if said.split is not None and said.split not in _FOLLOWS:
        raise DecisionUnknown(
            f"a split is paid, free or none, not {said.split[:20]!r}", field=f"{field}.split"
        )
    if rules.free_bets:
        return
    if said.free_double is not None or said.split == Follows.FREE:
        name = "split" if said.free_double is None else "free_double"
        raise WagerNotInGame(f"{rules.name} has no free bets", field=f"{field}.{name}")
