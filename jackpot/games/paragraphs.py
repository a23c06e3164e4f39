"""Which paragraph of a game's own rules says what.

The documents number the same paragraphs differently; a refusal or a returned bet names the number in the
game of that table.
"""

from __future__ import annotations

from jackpot.core.records import frozen


@frozen(kw_only=True)
class Paragraphs:
    round_ends: str
    community_cards: str
    """Says how many there are, of a game without any that there is none."""
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
