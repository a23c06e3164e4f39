"""Which game is played at a table, and which paragraph of its own rules says what.

The two documents number the same paragraphs differently; a refusal or a returned bet names the
number in the game of that table.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Game(StrEnum):
    CASINO_STUD = "casino_stud"
    TEXAS_HOLDEM = "texas_holdem"


@dataclass(frozen=True, kw_only=True, slots=True)
class Paragraphs:
    round_ends: str
    not_seen_voids: str
    registered_amount: str
    then_close: str
    then_block_box: str
    then_progressive_off: str
    dealers_card_exposed: str | None
    examined_additional_hand: str
    earlier_rounds_stand: str
    void_returns_all: str
    house_resolves: str
    cards_in_hand: int
    dealer_cards: int

    @property
    def invalidations(self) -> frozenset[str]:
        """The paragraphs by which a table may say that one box's hand is invalid and its bets go back. That a
        player has examined a further hand on purpose is for a supervisor to declare."""
        return frozenset({"5.15", "5.10.3"})

    @property
    def voids(self) -> frozenset[str]:
        """The paragraphs by which a table may void a round of play. What the rules do not foresee is for the
        House to resolve."""
        dealing = {f"5.8.{number}" for number in range(1, 8)}
        return frozenset({"5.7.2", "5.9", self.not_seen_voids} | dealing)


PARAGRAPHS = {
    Game.CASINO_STUD: Paragraphs(
        round_ends="1.16",
        not_seen_voids="5.17",
        registered_amount="5.18.1",
        then_close="5.18.2a",
        then_block_box="5.18.2b",
        then_progressive_off="5.18.2c",
        dealers_card_exposed="5.16",
        examined_additional_hand="5.19",
        earlier_rounds_stand="5.20",
        void_returns_all="5.22",
        house_resolves="5.24",
        cards_in_hand=5,
        dealer_cards=5,
    ),
    Game.TEXAS_HOLDEM: Paragraphs(
        round_ends="1.25",
        not_seen_voids="5.16",
        registered_amount="5.17.1",
        then_close="5.17.2a",
        then_block_box="5.17.2b",
        then_progressive_off="5.17.2c",
        dealers_card_exposed=None,
        examined_additional_hand="5.18",
        earlier_rounds_stand="5.19",
        void_returns_all="5.21",
        house_resolves="5.23",
        cards_in_hand=2,
        dealer_cards=2,
    ),
}
