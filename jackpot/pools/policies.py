"""What wins are paid of one reading: each award policy one small object, with its proof.

A percentage is rounded half up to the minor unit (4.2). How a hold comes to its clusters and readings is
said in `order` and `payout`.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from typing import NamedTuple, Protocol

from jackpot.cards.evaluator import Hand
from jackpot.core.money import percentage
from jackpot.core.records import frozen
from jackpot.link.awards import Policy
from jackpot.link.wins import Proof


class AwardPolicy(Protocol):
    def proofs(self, reading: int, percent: int, wins: Sequence[str]) -> tuple[Proof, ...]:
        """What each of these wins of one level is paid of that reading, in the order they are named."""
        ...


@frozen()
class WholeEach:
    """Each is paid the whole amount: in order, since there is one win to a reading, or as the policy says."""

    policy: Policy

    def proofs(self, reading: int, percent: int, wins: Sequence[str]) -> tuple[Proof, ...]:
        amount, formula = _of(reading, percent)
        proof = Proof(
            policy=self.policy,
            reading=reading,
            percent=percent,
            wins=tuple(wins),
            formula=formula,
            amount=amount,
        )
        return (proof,) * len(wins)


class Split:
    """They share the amount equally; the minor units that are left go to the first ones, one each."""

    def proofs(self, reading: int, percent: int, wins: Sequence[str]) -> tuple[Proof, ...]:
        amount, formula = _of(reading, percent)
        share, left = divmod(amount, len(wins))
        shared = f"{formula}; {amount} / {len(wins)} = {share}, {left} left"
        return tuple(
            Proof(
                policy=Policy.SPLIT,
                reading=reading,
                percent=percent,
                wins=tuple(wins),
                formula=f"{shared}; place {place} of {len(wins)}: {share} + {int(place <= left)}",
                amount=share + int(place <= left),
            )
            for place in range(1, len(wins) + 1)
        )


def _of(reading: int, percent: int) -> tuple[int, str]:
    """In minor units, as a proof tells it."""
    amount, _ = percentage(reading, percent)
    return amount, f"{reading} x {percent} / 100 = {amount}"


POLICIES: dict[Policy, AwardPolicy] = {
    Policy.ORDERED: WholeEach(Policy.ORDERED),
    Policy.SPLIT: Split(),
    Policy.FULL_EACH: WholeEach(Policy.FULL_EACH),
}


class Sharer(NamedTuple):
    """A win of a cluster that is paid, and what of."""

    win: str
    hand: Hand
    percent: int
    reading: int
    """The displayed value, or what was registered before a malfunction: each has its own."""


def proofs_of(policy: Policy, cluster: Sequence[Sharer]) -> list[Proof]:
    """What each is paid: those of one level are paid by the policy together, each of its own reading. Levels
    that were changed between two rounds are two, though the hand is the same."""
    levels = defaultdict[tuple[Hand, int], list[Sharer]](list)
    for one in cluster:
        levels[one.hand, one.percent].append(one)
    found: dict[str, Proof] = {}
    for (_, percent), several in levels.items():
        wins = [one.win for one in several]
        by_reading = {
            reading: POLICIES[policy].proofs(reading, percent, wins)
            for reading in {one.reading for one in several}
        }
        for place, one in enumerate(several):
            found[one.win] = by_reading[one.reading][place]
    return [found[one.win] for one in cluster]


def proof_of(policy: Policy, sharer: Sharer) -> Proof:
    """Of a win that is paid by itself."""
    return proofs_of(policy, [sharer])[0]
