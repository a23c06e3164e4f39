"""What happened to a round, entry by entry, in words that a floor manager and a lawyer read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import Field

from api.house_answers import Instant, Told
from jackpot import facts
from jackpot.book.history import Told as Entered
from jackpot.instants import spoken_instant
from jackpot.irregularities import Follows
from jackpot.money import spoken
from jackpot.proposals import ClaimDecision, RoyalRejection
from jackpot.rounds import PROGRESSIVE, ReturnedBet, RoundState

_FOLLOWS = {
    Follows.VOIDED: "the round is voided",
    Follows.CONTINUES: "the round continues",
    Follows.OPTIONS: "affected players choose",
}
_THEN = {"close": "closed", "block_box": "the box blocked", "progressive_off": "the progressive off"}


class Step(Told):
    sequence: int
    at: Instant
    by: str = Field(description="The table, the people of the House, or the service itself.")
    words: str
    hash: str


def steps_of(story: Sequence[Entered], *, table: str, number: int, currency: str) -> list[Step]:
    first = next((entry.sequence for entry, fact in story if isinstance(fact, facts.HandsReported)), 0)
    return [
        Step(
            sequence=entry.sequence,
            at=spoken_instant(entry.at),
            by=_who(fact, table),
            words=_SENTENCES[type(fact)](fact, _Place(number, currency, again=entry.sequence > first)),
            hash=entry.hash,
        )
        for entry, fact in story
    ]


def _who(fact: Any, table: str) -> str:
    """A person where one acted, the table where it spoke; the rest is the service's own work."""
    if isinstance(fact, facts.BetsClosed | facts.HandsReported):
        return table
    people = getattr(fact, "persons", None) or [getattr(fact, "person", None) or getattr(fact, "by", None)]
    named = [one for one in people if one]
    return ", ".join(named) or "the service"


@dataclass(frozen=True, slots=True)
class _Place:
    """Where in which round's story a fact stands."""

    round: int
    currency: str
    again: bool
    """Hands were reported before it."""

    def money(self, cents: int) -> str:
        return spoken(cents, self.currency)

    def returned(self, returned: Iterable[ReturnedBet]) -> list[str]:
        return [
            f"Box {one.box}: {self.money(one.amount)} of the {one.wager} goes back, "
            f"{_spaced(one.code)}{_by(one.rule)}."
            for one in returned
        ]


def _bets(fact: facts.BetsClosed, at: _Place) -> str:
    if fact.round != at.round:
        return f"Round {fact.round} begins: round {at.round} stands."
    boxes = ", ".join(str(one.box) for one in fact.boxes)
    stands = sum(one.progressive for one in fact.boxes)
    first = f"Bets are closed: boxes {boxes or 'none'}; {at.money(stands)} on the progressive."
    return " ".join([first, *at.returned(fact.returned)])


def _hands(fact: facts.HandsReported, at: _Place) -> str:
    boxes = ", ".join(str(one.box) for one in fact.records)
    whose = f"The hands of boxes {boxes}" if boxes else "The cards of the table"
    said = [f"{whose} are {'corrected' if at.again else 'reported'}."]
    if fact.adjustments:
        said.append(f"Payouts that changed: {len(fact.adjustments)}.")
    if fact.state is RoundState.SETTLED:
        said.append("It is final: the round stands.")
    return " ".join([*said, *at.returned(fact.returned)])


def _voided(fact: facts.RoundVoided, at: _Place) -> str:
    back = sum(one.amount for one in fact.returned if one.wager == PROGRESSIVE)
    return (
        f"The round is voided ({fact.reason}): every bet goes back, "
        f"{at.money(back)} of the progressive{_noted(fact.note)}."
    )


def _irregularity(fact: facts.IrregularityDeclared, _at: _Place) -> str:
    found, said = fact.consequence, fact.said
    follows = f"{_FOLLOWS[found.follows]} ({found.rule})"
    return f"Irregularity by {said.paragraph}: {follows}{_noted(said.note)}."


def _invalidated(fact: facts.HandsInvalidated, at: _Place) -> str:
    boxes = ", ".join(f"{box} ({rule})" for box, rule in fact.boxes.items())
    return " ".join([f"Hands are invalidated: box {boxes}.", *at.returned(fact.returned)])


def _malfunction(fact: facts.MalfunctionDeclared, _at: _Place) -> str:
    scope = "the whole link" if fact.scope.table is None else f"table {fact.scope.table}"
    box = "" if fact.scope.box is None else f", box {fact.scope.box}"
    return f"Malfunction of {scope}{box}; for later rounds {_THEN[fact.then]}{_noted(fact.note)}."


def _continued(fact: facts.RoundContinued, at: _Place) -> str:
    return (
        f"Cards were seen: the round goes on ({fact.rule}); its progressive wins are paid from "
        f"{at.money(fact.registered.value)}."
    )


def _registered(fact: facts.WinRegistered, _at: _Place) -> str:
    instead = "" if fact.replaces is None else f" It takes the place of {fact.replaces}."
    return f"Box {fact.box}: {_spaced(fact.hand)}, win {fact.win} is registered.{instead}"


def _paid(fact: facts.WinPaid, at: _Place) -> str:
    return (
        f"Win {fact.win} is paid {at.money(fact.amount)}: {fact.percent} % of {at.money(fact.before)}. "
        f"The meter then shows {at.money(fact.after)}."
    )


def _claimed(fact: facts.ClaimRaised, _at: _Place) -> str:
    return f"Box {fact.box}: {_spaced(fact.hand)}, a late claim ({fact.claim}): {_spaced(fact.reason)}."


def _decided(fact: facts.ClaimDecided, at: _Place) -> str:
    outcome = f"{_spaced(fact.outcome)}, {at.money(fact.amount)}"
    return f"Claim {fact.claim} is decided: {outcome}{_noted(fact.reason)}."


def _proposed(fact: facts.Proposed, _at: _Place) -> str:
    change = fact.change
    if isinstance(change, ClaimDecision):
        what = f"to decide claim {change.claim}: {_spaced(change.outcome)}"
    else:
        what = f"to reject {change.win}" if isinstance(change, RoyalRejection) else "of another change"
    return f"Proposal {fact.proposal} {what}{_noted(fact.reason)}."


def _spaced(code: str) -> str:
    return code.replace("_", " ")


def _by(rule: str | None) -> str:
    return "" if rule is None else f" ({rule})"


def _noted(note: str) -> str:
    return f": {note.rstrip('.')}" if note else ""


_SENTENCES: dict[type[facts.Fact], Callable[[Any, _Place], str]] = {
    facts.BetsClosed: _bets,
    facts.HandsReported: _hands,
    facts.RoundVoided: _voided,
    facts.IrregularityDeclared: _irregularity,
    facts.HandsInvalidated: _invalidated,
    facts.MalfunctionDeclared: _malfunction,
    facts.RoundContinued: _continued,
    facts.MalfunctionCleared: lambda fact, _: (
        f"Malfunction {fact.malfunction} is cleared{_noted(fact.note)}."
    ),
    facts.WinRegistered: _registered,
    facts.WinApproved: lambda fact, _: f"Win {fact.win} is approved{_noted(fact.note)}.",
    facts.WinsOrdered: lambda fact, _: f"In order beyond doubt: {', '.join(fact.wins)}.",
    facts.OrderReopened: lambda fact, _: f"The order is open again: {', '.join(fact.wins)}.",
    facts.OrderDecided: lambda fact, _: (
        f"The order is decided (4.5.2): {', then '.join(fact.wins)}{_noted(fact.reason)}."
    ),
    facts.WinPaid: _paid,
    facts.WinRejected: lambda fact, _: f"Win {fact.win} is rejected{_noted(fact.reason)}.",
    facts.WinWithdrawn: lambda fact, _: f"Win {fact.win} is withdrawn: {_spaced(fact.reason)}.",
    facts.ClaimRaised: _claimed,
    facts.ClaimWithdrawn: lambda fact, _: f"Claim {fact.claim} is withdrawn: {_spaced(fact.reason)}.",
    facts.ClaimDecided: _decided,
    facts.Proposed: _proposed,
    facts.ProposalConfirmed: lambda fact, _: f"Proposal {fact.proposal} is confirmed.",
    facts.ProposalWithdrawn: lambda fact, _: f"Proposal {fact.proposal} is withdrawn.",
}
SPOKEN_OF = frozenset(_SENTENCES)
"""The kinds of facts that there are words for."""
