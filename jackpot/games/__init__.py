"""Settlement of the games that are played at a link's tables: what is paid, collected, handed back."""

from __future__ import annotations

from jackpot.games.settling import give_back, settle

__all__ = ["give_back", "settle"]
