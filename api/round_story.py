"""What happened to a round, entry by entry, in words that a floor manager and a lawyer read."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

from pydantic import Field

from api.house_answers import Instant, Told
from jackpot import facts
from jackpot.book.history import Told as Entered
from jackpot.instants import spoken_instant
from jackpot.irregularities import Follows
from jackpot.money import spoken
from jackpot.state import ClaimDecision, RoundState, RoyalRejection

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
    teller = _Teller(table, number, currency)
    return [
        Step(
            sequence=entry.sequence,
            at=spoken_instant(entry.at),
            by=_who(fact, table),
            words=teller.told(fact),
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


class _Teller:
    """Sentences about one round's facts, by kind. Hands are counted: the second report is a correction."""

    def __init__(self, table: str, number: int, currency: str) -> None:
        self._table, self._number, self._currency = table, number, currency
        self._reports = 0
        self._say: dict[type[facts.Fact], Callable[[Any], str]] = {
            facts.BetsClosed: self._bets,
            facts.HandsReported: self._hands,
            facts.RoundVoided: self._voided,
            facts.IrregularityDeclared: _irregularity,
            facts.HandsInvalidated: self._invalidated,
            facts.MalfunctionDeclared: _malfunction,
            facts.RoundContinued: self._continued,
            facts.MalfunctionCleared: lambda fact: (
                f"Malfunction {fact.malfunction} is cleared{_noted(fact.note)}."
            ),
            facts.WinRegistered: _registered,
            facts.WinApproved: lambda fact: f"Win {fact.win} is approved{_noted(fact.note)}.",
            facts.WinsOrdered: lambda fact: f"In order beyond doubt: {', '.join(fact.wins)}.",
            facts.OrderReopened: lambda fact: f"The order is open again: {', '.join(fact.wins)}.",
            facts.OrderDecided: lambda fact: (
                f"The order is decided (4.5.2): {', then '.join(fact.wins)}{_noted(fact.reason)}."
            ),
            facts.WinPaid: self._paid,
            facts.WinRejected: lambda fact: f"Win {fact.win} is rejected{_noted(fact.reason)}.",
            facts.WinWithdrawn: lambda fact: f"Win {fact.win} is withdrawn: {_spaced(fact.reason)}.",
            facts.ClaimRaised: lambda fact: (
                f"Box {fact.box}: {_spaced(fact.hand)}, a late claim ({fact.claim}): {_spaced(fact.reason)}."
            ),
            facts.ClaimWithdrawn: lambda fact: f"Claim {fact.claim} is withdrawn: {_spaced(fact.reason)}.",
            facts.ClaimDecided: self._decided,
            facts.Proposed: _proposed,
            facts.ProposalConfirmed: lambda fact: f"Proposal {fact.proposal} is confirmed.",
            facts.ProposalWithdrawn: lambda fact: f"Proposal {fact.proposal} is withdrawn.",
        }

    def told(self, fact: facts.Fact) -> str:
        return self._say[type(fact)](fact)

    def _money(self, cents: int) -> str:
        return spoken(cents, self._currency)

    def _bets(self, fact: facts.BetsClosed) -> str:
        if fact.round != self._number:
            return f"Round {fact.round} begins: round {self._number} stands."
        boxes = ", ".join(str(one.box) for one in fact.boxes)
        stands = sum(one.progressive for one in fact.boxes)
        first = f"Bets are closed on boxes {boxes or 'none'}; {self._money(stands)} on the progressive."
        return " ".join([first, *self._returned(fact.returned)])

    def _returned(self, returned: Iterable[facts.ReturnedBet]) -> list[str]:
        return [
            f"Box {one.box}: {self._money(one.amount)} goes back, {_spaced(one.code)}{_by(one.rule)}."
            for one in returned
        ]

    def _hands(self, fact: facts.HandsReported) -> str:
        self._reports += 1
        boxes = ", ".join(str(one.box) for one in fact.records)
        verb = "corrected" if self._reports > 1 else "reported"
        final = " It is final: the round stands." if fact.state is RoundState.SETTLED else ""
        adjusted = f" {_count(len(fact.adjustments), 'payout')} changed." if fact.adjustments else ""
        whose = f"The hands of boxes {boxes}" if boxes else "The cards of the table"
        return " ".join([f"{whose} are {verb}.{adjusted}{final}", *self._returned(fact.returned)])

    def _voided(self, fact: facts.RoundVoided) -> str:
        back = sum(one.amount for one in fact.returned)
        return (
            f"The round is voided ({fact.reason}): every bet goes back, "
            f"{self._money(back)} of the progressive{_noted(fact.note)}."
        )

    def _invalidated(self, fact: facts.HandsInvalidated) -> str:
        boxes = ", ".join(f"{box} ({rule})" for box, rule in fact.boxes.items())
        return " ".join([f"Hands are invalidated: box {boxes}.", *self._returned(fact.returned)])

    def _continued(self, fact: facts.RoundContinued) -> str:
        return (
            f"Cards were seen: the round goes on ({fact.rule}); its progressive wins are paid from "
            f"{self._money(fact.registered.value)}."
        )

    def _paid(self, fact: facts.WinPaid) -> str:
        return (
            f"Win {fact.win} is paid {self._money(fact.amount)}: {fact.percent} % of "
            f"{self._money(fact.before)}. The meter then shows {self._money(fact.after)}."
        )

    def _decided(self, fact: facts.ClaimDecided) -> str:
        return (
            f"Claim {fact.claim} is decided: {_spaced(fact.outcome)}, {self._money(fact.amount)}"
            f"{_noted(fact.reason)}."
        )


def _irregularity(fact: facts.IrregularityDeclared) -> str:
    found, said = fact.consequence, fact.said
    follows = f"{_FOLLOWS[found.follows]} ({found.rule})"
    return f"Irregularity by {said.paragraph}: {follows}{_noted(said.note)}."


def _malfunction(fact: facts.MalfunctionDeclared) -> str:
    scope = "the whole link" if fact.scope.table is None else f"table {fact.scope.table}"
    box = "" if fact.scope.box is None else f", box {fact.scope.box}"
    return f"Malfunction of {scope}{box}; for later rounds {_THEN[fact.then]}{_noted(fact.note)}."


def _registered(fact: facts.WinRegistered) -> str:
    instead = "" if fact.replaces is None else f" It takes the place of {fact.replaces}."
    return f"Box {fact.box}: {_spaced(fact.hand)}, win {fact.win} is registered.{instead}"


def _proposed(fact: facts.Proposed) -> str:
    change = fact.change
    if isinstance(change, ClaimDecision):
        what = f"to decide claim {change.claim}: {_spaced(change.outcome)}"
    else:
        what = f"to reject {change.win}" if isinstance(change, RoyalRejection) else ""
    return f"Proposal {fact.proposal} {what}{_noted(fact.reason)}."


def _spaced(code: str) -> str:
    return code.replace("_", " ")


def _by(rule: str | None) -> str:
    return "" if rule is None else f" ({rule})"


def _noted(note: str) -> str:
    return f": {note}" if note else ""


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
