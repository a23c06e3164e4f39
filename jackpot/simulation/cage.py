"""The simulated cage: it prints slips, hands over what was paid, and says what nobody came for."""

from __future__ import annotations

from random import Random

from jackpot.link.commands import Command, HandOver, LeaveUnclaimed, PrintSlip
from jackpot.link.handovers import Method
from jackpot.link.state import Link
from jackpot.pools.handovers import overdue_from

WRONG_REFERENCES = ("Tan Ah Kow", "S1234567D", "a@b.sg", "", "guest", "7" * 41)


class SimulatedCage:
    def __init__(self, rng: Random, people: tuple[str, ...]) -> None:
        self.rng, self.people = rng, people

    def _person(self) -> str:
        return self.rng.choice(self.people)

    def print_slip(self, link: Link, _now: int) -> PrintSlip | None:
        waiting = list(link.handovers)
        return PrintSlip(person=self._person(), win=self.rng.choice(waiting)) if waiting else None

    def hand_over(self, link: Link, _now: int) -> HandOver | None:
        waiting = list(link.handovers)
        if not waiting:
            return None
        number = self.rng.randrange(10**6)
        return HandOver(
            person=self._person(),
            win=self.rng.choice(waiting),
            reference=f"ID-{number:06d}",
            method=self.rng.choice(tuple(Method)),
            note=self.rng.choice(("", "half in chips")),
        )

    def leave_unclaimed(self, link: Link, now: int) -> LeaveUnclaimed | None:
        overdue = [
            win
            for win, one in link.handovers.items()
            if one.unclaimed is None and overdue_from(link, one) <= now
        ]
        if not overdue:
            return None
        return LeaveUnclaimed(person=self._person(), win=self.rng.choice(overdue), reason="nobody came")


def wrong_payouts(link: Link, rng: Random) -> list[Command]:
    """Slips of what was not paid, of what is gone, and to references that name a person."""
    unpaid = [*link.queue, *link.claims, "x.1.1.1"]
    gone = [hit.win for hit in link.hits if hit.win not in link.handovers]
    acts: list[Command] = [PrintSlip(person="eve", win=win) for win in [*unpaid[:2], *gone[-1:]]]
    for win in list(link.handovers)[:2]:
        reference = rng.choice(WRONG_REFERENCES)
        acts += [
            HandOver(person="eve", win=win, reference=reference, method=Method.CASH),
            LeaveUnclaimed(person="eve", win=win, reason="why"),
            *(
                HandOver(person=person, win=win, reference="ID-1", method=Method.CASH)
                for person in link.handovers[win].approved_by[:1]
            ),
        ]
    return acts
