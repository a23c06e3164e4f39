"""Settlement of the games that a link's tables play: what each box is paid, what is collected and what
goes back."""

from __future__ import annotations

from jackpot.games.settling import give_back, settle

__all__ = ["give_back", "settle"]
