"""What a table's display tells its players of the game: its main rules, and what its side bets pay."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from jackpot.games.blackjack.names import WAGERS
from jackpot.games.blackjack.rules import INSURED, NATURAL, BlackjackRules, Pays


@dataclass(frozen=True, kw_only=True, slots=True)
class SideBet:
    wager: str
    name: str
    of_table: bool
    """It lies on no box and has one limit for the table."""
    pays: tuple[Pays, ...]
    """The best first."""


def side_bets(rules: BlackjackRules) -> tuple[SideBet, ...]:
    """In the order in which they are told."""
    found = [_side_bet(bet.name, [pays for _, pays in bet.pays]) for bet in rules.card_bets]
    if rules.marker_bet is not None:
        found.append(_side_bet(rules.marker_bet.name, rules.marker_bet.pays.values()))
    if rules.table_bet is not None:
        found.append(_side_bet(rules.table_bet.name, rules.table_bet.pays.values(), of_table=True))
    return tuple(found)


def _side_bet(wager: str, pays: Iterable[Pays], *, of_table: bool = False) -> SideBet:
    best_first = sorted(pays, key=lambda one: -one.odds.won)
    return SideBet(wager=wager, name=WAGERS[wager], of_table=of_table, pays=tuple(best_first))


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
