"""The dealer's draws, and whether the shoe counted out the round that was told (3.11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from jackpot.core.refusals import DealerDrawWrong, ShoeDiffers
from jackpot.games.blackjack.messages import check_repeated
from jackpot.games.blackjack.play import Play
from jackpot.games.blackjack.points import points
from jackpot.games.blackjack.retelling import cards_told
from jackpot.games.blackjack.told import Hand, Report


def check_dealer(play: Play) -> None:
    """He draws no card after he had to stand; one that he drew all the same is discarded."""
    rules = play.closing.rules
    for count in range(2, len(play.dealer.cards)):
        if rules.dealer_stands(points(play.dealer.cards[:count])):
            rule = rules.paragraphs.dealer_overdrawn
            words = f"the dealer stands after {count} cards"
            raise DealerDrawWrong(words, field=f"dealer.cards[{count}]", rule=rule)


def check_shoe(play: Play, counts: Mapping[str, int], *, any_order: bool) -> None:
    """`any_order` after an irregularity was declared: then only which cards were drawn is compared."""
    report = play.report
    if counts:
        check_repeated(play.closing.layout, Counter(left_shoe(report)), counts)
    if report.shoe is None or report.shoe.drawn is None:
        return
    deal = dealt_in_order(report)
    if not report.discarded and deal == list(report.shoe.drawn):
        return  # card by card what was told, and counted with the message
    drawn, rule = Counter(report.shoe.drawn), play.closing.rules.paragraphs.deal
    check_repeated(play.closing.layout, drawn, counts)
    regular = not any_order and not any(box.back for box in play.boxes.values())
    if regular and not _in_order(deal, report.shoe.drawn):
        raise ShoeDiffers("the shoe's cards are not the deal", field="shoe.drawn", rule=rule)
    told = Counter(cards_told(report))
    unseen = any(_unseen(play, number) for number in play.boxes)
    same = told <= drawn if unseen else told == drawn
    if not same:
        raise ShoeDiffers("the shoe drew other cards", field="shoe.drawn", rule=rule)


def _unseen(play: Play, number: int) -> bool:
    """Its hand is invalid, and its cards need not be told."""
    box = play.boxes[number]
    return box.all_back is not None and (box.told is None or len(box.told.cards) < 2)


def _in_order(deal: Sequence[str], drawn: Sequence[str]) -> bool:
    """Cards that were discarded may lie anywhere between."""
    rest = iter(drawn)
    return all(card in rest for card in deal)


def dealt_in_order(report: Report) -> list[str]:
    """First cards, the dealer's, second cards; then each hand's further cards, the dealer's rest."""
    hands = sorted(report.hands, key=lambda hand: hand.box)
    deal = [hand.cards[0] for hand in hands if hand.cards]
    deal += report.dealer[:1]
    deal += [hand.cards[1] for hand in hands if len(hand.cards) > 1]
    for hand in hands:
        _further(hand, 2, deal)
    deal += report.dealer[1:]
    return deal


def _further(hand: Hand, known: int, deal: list[str]) -> None:
    deal += hand.cards[known:]
    for one in hand.split:
        _further(one, 1, deal)


def left_shoe(report: Report) -> Sequence[str]:
    """The cards of the round: as the shoe counted them, else as they were told."""
    if report.shoe is not None and report.shoe.drawn is not None:
        return report.shoe.drawn
    return cards_told(report)


def counted(counts: Mapping[str, int], report: Report) -> dict[str, int]:
    """How often each card has left the shoe since the shuffle, after this round too."""
    found = dict(counts)
    for card in left_shoe(report):
        found[card] = found.get(card, 0) + 1
    return found
