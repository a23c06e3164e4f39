"""What a table's display tells its players of the game: its main rules, and what its side bets pay."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from jackpot.core.records import frozen
from jackpot.games.blackjack.names import WAGERS
from jackpot.games.blackjack.rules import INSURED, NATURAL, BlackjackRules, CountBet, TableBet


class Prize(NamedTuple):
    words: str
    odds: str


@frozen(kw_only=True)
class SideBet:
    wager: str
    name: str
    of_table: bool
    """It lies on no box and has one limit for the table."""
    pays_for: str | None
    """What is counted, where its prizes are for a number."""
    prizes: tuple[Prize, ...]
    """The best first."""


def side_bets(rules: BlackjackRules) -> tuple[SideBet, ...]:
    """In the order in which they are told."""
    found = [
        SideBet(
            wager=bet.name,
            name=WAGERS[bet.name],
            of_table=False,
            pays_for=None,
            prizes=tuple(Prize(pays.words, pays.odds.text) for _, pays in bet.pays),
        )
        for bet in rules.card_bets
    ]
    for counted, noun, pays_for in (
        (rules.marker_bet, "marker", "Free Bet Markers"),
        (rules.table_bet, "card", "Dealer bust"),
    ):
        if counted is not None:
            found.append(
                SideBet(
                    wager=counted.name,
                    name=WAGERS[counted.name],
                    of_table=counted is rules.table_bet,
                    pays_for=pays_for,
                    prizes=_by_number(counted, noun),
                )
            )
    return tuple(found)


def _by_number(bet: CountBet, noun: str) -> tuple[Prize, ...]:
    """Numbers that pay alike are one prize."""
    alike: dict[str, list[int]] = {}
    for count, pays in bet.pays.items():
        alike.setdefault(pays.odds.text, []).append(count)
    most = max(bet.pays) if isinstance(bet, TableBet) else None
    several = [Prize(_numbers(counts, noun, most), odds) for odds, counts in alike.items()]
    return tuple(reversed(several))


def _numbers(counts: Sequence[int], noun: str, most: int | None) -> str:
    said = " or ".join(str(one) for one in counts)
    plural = noun if counts == [1] else f"{noun}s"
    return f"{said} {plural} or more" if most in counts else f"{said} {plural}"


def main_rules(rules: BlackjackRules) -> tuple[str, ...]:
    """In the words of a notice, the most asked first."""
    found = [f"Blackjack pays {NATURAL.text}", f"Insurance pays {INSURED.text}"]
    if rules.draws_to_soft_17:
        found.append("Dealer draws to soft 17 and stands on hard 17")
    else:
        found.append("Dealer draws to 16 and stands on all 17s")
    if rules.stands_off_with_22:
        found.append("A dealer's 22 stands off against all hands but Blackjack")
    if rules.free_bets:
        found.append("Free double on hard 9, 10 and 11")
        found.append("Free split of all pairs without a picture card")
    found.append("Surrender for half the bet, unless the dealer shows an ace")
    return tuple(found)
