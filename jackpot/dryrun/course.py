"""The course of one side: its highest meter, its resets, and when a bet began to favour its player."""

from __future__ import annotations

from jackpot.core.money import Account, displayed, to_units
from jackpot.dryrun.findings import Crossing, Outcome
from jackpot.link.parameters import Parameters
from jackpot.maths.odds import Wager


class Course:
    def __init__(self, accounts: dict[Account, int], parameters: Parameters | None, at: int) -> None:
        """`accounts` are those of the side itself: they change under our eyes."""
        self.accounts, self._began = accounts, dict(accounts)
        self.value = displayed(accounts[Account.METER])
        self.resets = self.majors = 0
        self._highest, self._highest_at = self.value, at
        self._parameters: Parameters | None = None
        self._even = 0
        self._crossings: list[Crossing] = []
        self._above: bool | None = None
        if parameters is not None:
            self._go_by(parameters)
            self._above = self.value > self._even

    def _go_by(self, parameters: Parameters) -> None:
        self._parameters = parameters
        self._even = int(Wager(parameters=parameters).break_even)

    def look(self, parameters: Parameters, at: int, sequence: int) -> None:
        """After each command."""
        value = self.value = displayed(self.accounts[Account.METER])
        if parameters is not self._parameters:
            self._go_by(parameters)
        if value > self._highest:
            self._highest, self._highest_at = value, at
        above = value > self._even
        if above is not self._above:
            if above or self._above is not None:
                self._crossings.append(
                    Crossing(at=at, sequence=sequence, value=value, break_even=self._even, above=above)
                )
            self._above = above

    def outcome(self, waiting: tuple[str, ...]) -> Outcome:
        if self._parameters is None:
            raise ValueError("nothing was played")
        prizes = self.accounts[Account.PRIZES] - self._began[Account.PRIZES]
        return Outcome(
            parameters=self._parameters,
            break_even=self._even,
            began=self._began,
            ended=dict(self.accounts),
            highest=self._highest,
            highest_at=self._highest_at,
            resets=self.resets,
            majors=self.majors,
            minors=displayed(prizes - to_units(self.majors)),
            waiting=waiting,
            crossings=tuple(self._crossings),
        )
