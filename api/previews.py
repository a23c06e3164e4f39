"""What an act would do, as it is told; and which acts can be asked about."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, NamedTuple, get_args

from pydantic import Field, StrictInt, ValidationError

from api.errors import Invalid
from api.house_answers import Cents, Terms, Told, Units, plain
from api.house_wire import (
    AdjustmentSaid,
    DecisionSaid,
    IrregularitySaid,
    MalfunctionSaid,
    Name,
    Noted,
    Nothing,
    OrderSaid,
    ParametersSaid,
    Reasoned,
    RetirementSaid,
    Said,
    SeedSaid,
    TransferSaid,
)
from api.irregularity_answers import ConsequenceTold, resolved
from jackpot import commands
from jackpot.book.rehearsal import Rehearsal
from jackpot.money import UNITS_PER_CENT, Account, spoken
from jackpot.payout import scheduled_parameters
from jackpot.pool import Payment
from jackpot.proposals import ClockSetting, LinkOpening
from jackpot.state import Link
from jackpot.views import meter_state, royal_now, waiting_wins

Asked = Literal[
    "seed",
    "parameters",
    "adjustments",
    "open",
    "close",
    "clock",
    "transfer",
    "retire",
    "order",
    "approve",
    "reject",
    "malfunctions",
    "decide",
    "confirm",
    "close_table",
    "open_table",
    "clear",
    "irregularity",
]


class PreviewSaid(Said):
    """An act and its body, as its own address takes them; `id` is the win, claim, proposal, table or
    malfunction that stands in that address."""

    act: Asked
    id: Name | None = None
    round: StrictInt | None = Field(default=None, description="With the table: the round in that address.")
    said: dict[str, Any] = Field(default={}, description="The body of the act.")


def command_of(asked: PreviewSaid, person: str) -> commands.HouseAct:
    kind, build = _ACTS[asked.act]
    try:
        said = kind.model_validate(asked.said)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, ("said", *first["loc"])))
        raise Invalid(str(first["msg"])[:200], where[:200]) from None
    return build(person, _Place(asked.id or "", asked.round or 0), said)


class _Place(NamedTuple):
    """What stands in the act's own address."""

    id: str
    round: int


_Build = Callable[[str, _Place, Any], commands.HouseAct]


def _proposed(person: str, _place: _Place, said: Any) -> commands.HouseAct:
    return commands.Propose(person=person, change=said.change(), reason=said.reason)


_ACTS: dict[str, tuple[type[Said], _Build]] = {
    "seed": (SeedSaid, _proposed),
    "parameters": (ParametersSaid, _proposed),
    "adjustments": (AdjustmentSaid, _proposed),
    "transfer": (TransferSaid, _proposed),
    "retire": (RetirementSaid, _proposed),
    "open": (
        Reasoned,
        lambda person, _, said: commands.Propose(person=person, change=LinkOpening(), reason=said.reason),
    ),
    "clock": (
        Reasoned,
        lambda person, _, said: commands.Propose(person=person, change=ClockSetting(), reason=said.reason),
    ),
    "close": (Reasoned, lambda person, _, said: commands.CloseLink(person=person, reason=said.reason)),
    "order": (
        OrderSaid,
        lambda person, _, said: commands.DecideOrder(
            person=person, wins=tuple(said.wins), reason=said.reason
        ),
    ),
    "approve": (
        Noted,
        lambda person, place, said: commands.ApproveWin(person=person, win=place.id, note=said.note),
    ),
    "reject": (
        Reasoned,
        lambda person, place, said: commands.RejectWin(person=person, win=place.id, reason=said.reason),
    ),
    "malfunctions": (MalfunctionSaid, lambda person, _, said: said.declared(person=person, act_id=None)),
    "decide": (
        DecisionSaid,
        lambda person, place, said: commands.DecideClaim(
            person=person, claim=place.id, outcome=said.outcome, reason=said.reason
        ),
    ),
    "confirm": (Nothing, lambda person, place, _: commands.Confirm(person=person, proposal=place.id)),
    "close_table": (
        Reasoned,
        lambda person, place, said: commands.CloseTable(person=person, table=place.id, reason=said.reason),
    ),
    "open_table": (
        Reasoned,
        lambda person, place, said: commands.OpenTable(person=person, table=place.id, reason=said.reason),
    ),
    "clear": (
        Noted,
        lambda person, place, said: commands.ClearMalfunction(
            person=person, malfunction=place.id, note=said.note
        ),
    ),
    "irregularity": (
        IrregularitySaid,
        lambda person, place, said: said.declared(
            person=person, act_id=None, table=place.id, round=place.round
        ),
    ),
}
assert set(_ACTS) == set(get_args(Asked))  # noqa: S101


class Reset(Told):
    """What a royal flush would be paid if it were the next win, and what the reset after it takes."""

    amount: Cents
    value_after: Cents
    seed_from_reserve: Cents
    seed_from_house: Cents

    @classmethod
    def of(cls, paid: Payment) -> Reset:
        moves = paid.transfer.moves
        return cls(
            amount=paid.amount,
            value_after=paid.after,
            seed_from_reserve=-moves.get(Account.RESERVE, 0) // UNITS_PER_CENT,
            seed_from_house=-moves.get(Account.HOUSE, 0) // UNITS_PER_CENT,
        )


class Expected(Told):
    win: str
    position: int
    state: str
    amount: Cents


class Standing(Told):
    value: Cents
    display: str
    state: str
    accounts: dict[str, Units]
    parameters: Terms
    parameters_scheduled: Terms = Field(description="In force once every confirmed change is.")
    royal_now: Reset | None = Field(description="Null while a win waits.")
    wins: list[Expected] = Field(description="The line, with what each would be paid.")

    @classmethod
    def of(cls, link: Link) -> Standing:
        paid = royal_now(link)
        return cls(
            value=link.pool.value,
            display=spoken(link.pool.value, link.currency),
            state=meter_state(link),
            accounts={account.value: units for account, units in link.pool.accounts.items()},
            parameters=Terms.of(link.parameters),
            parameters_scheduled=Terms.of(scheduled_parameters(link)),
            royal_now=None if paid is None else Reset.of(paid),
            wins=[
                Expected(win=one.win.id, position=one.position, state=one.win.state, amount=one.amount)
                for one in waiting_wins(link)
            ],
        )


class Preview(Told):
    before: Standing
    after: Standing
    facts: list[dict[str, Any]] = Field(description="What the journal would say, in order.")
    consequence: ConsequenceTold | None = Field(description="Of an irregularity; null for other acts.")

    @classmethod
    def of(cls, played: Rehearsal) -> Preview:
        return cls(
            before=Standing.of(played.before),
            after=Standing.of(played.after),
            facts=[{"kind": type(entry.fact).__name__} | plain(entry.fact) for entry in played.entries],
            consequence=_consequence(played),
        )


def _consequence(played: Rehearsal) -> ConsequenceTold | None:
    found = resolved(entry.fact for entry in played.entries)
    return found[0].told(played.after.currency) if found else None
