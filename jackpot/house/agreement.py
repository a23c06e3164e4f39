"""What the House must know of a change that two people agree on. Every part of it is required."""

from __future__ import annotations

from abc import ABC, abstractmethod

from jackpot.link.execution import Desk
from jackpot.link.proposals import Proposal


class Agreement(ABC):
    @property
    @abstractmethod
    def reaches(self) -> str | None:
        """The other link that must take part in the same transaction, or `EVERY_LINK`."""

    @abstractmethod
    def check(self, desk: Desk) -> None:
        """Refuse what cannot be: when it is proposed, and again when it is confirmed."""

    @abstractmethod
    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        """Write what it changes, once the second person has confirmed."""


class WithinTheLink(Agreement):
    """One that concerns no other link."""

    @property
    def reaches(self) -> None:
        return None
