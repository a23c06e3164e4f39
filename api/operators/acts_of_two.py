"""Acts of two people: one proposes, another confirms, and it is carried out. Each with its body."""

from __future__ import annotations

from typing import Annotated, Literal

from fastapi import Request
from pydantic import Field, StrictInt

from api.operators.act import (
    DESK,
    NAMED_LINK,
    SUPERVISOR,
    Act,
    Asked,
    People,
    Place,
    Target,
    link_in_id,
    proposing,
)
from api.operators.act_answers import CONFIRMED, PROPOSED, WITHDRAWN
from api.operators.wire import Amount, LinkName, Nothing, Reason, Reasoned, Said, Share, taken_away
from api.service import service_of
from jackpot.book.beside.roles import Role
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.writing.breaks import first_link
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND
from jackpot.core.money import LARGEST_AMOUNT, Account
from jackpot.core.refusals import ClaimUnknown, ProposalUnknown, TableUnknown
from jackpot.link.awards import LONGEST_WINDOW, Policy, levels_of
from jackpot.link.commands import Confirm, DecideClaim, Withdraw
from jackpot.link.parameters import Changes
from jackpot.link.proposals import (
    Adjustment,
    ClockSetting,
    LinkOpening,
    ParameterChange,
    PoolTransfer,
    Retirement,
)
from jackpot.link.wins import ClaimOutcome

When = Literal["next_reset", "now"]


class SeedSaid(Said):
    seed: Amount
    reason: Reason
    when: When = "next_reset"

    def change(self) -> ParameterChange:
        return ParameterChange(changes=Changes(seed=self.seed), now=self.when == "now")


SEED = Act(
    name="seed",
    path="/links/{link}/seed",
    people=People.TWO,
    roles=DESK,
    body=SeedSaid,
    example={"seed": 6000000, "reason": "new season", "when": "next_reset"},
    place=NAMED_LINK,
    command=proposing(SeedSaid.change),
    preview="seed",
    reply=PROPOSED,
    summary="Propose another seed",
    description="`now` needs a closed link without pending wins, and moves the meter by the difference.",
)


class LevelSaid(Said):
    """What a hand wins: a share of the displayed value in percent, or odds for 1."""

    hand: Hand
    share: StrictInt | None = None
    odds: StrictInt | None = None


class ApprovalsSaid(Said):
    """How many different people approve a win of a part of the pool, and of the whole of it."""

    straight_flush: Annotated[StrictInt, Field(ge=1, le=10)] | None = None
    royal_flush: Annotated[StrictInt, Field(ge=1, le=10)] | None = None


class ParametersSaid(Said):
    """Only what is to change. `ceiling`, `window_ms` or `cap` null takes that away; `level` is the whole pay
    table as it is to be."""

    seed: Amount | None = None
    meter_ppm: Share | None = None
    reserve_ppm: Share | None = None
    ceiling: Amount | None = None
    level: list[LevelSaid] | None = Field(default=None, max_length=len(Hand))
    policy: Policy | None = None
    window_ms: Annotated[StrictInt, Field(ge=0, le=LONGEST_WINDOW // MILLISECOND)] | None = None
    cap: Amount | None = None
    approvals: ApprovalsSaid = ApprovalsSaid()
    reason: Reason
    when: When = "next_reset"

    def change(self) -> ParameterChange:
        changes = Changes(
            seed=self.seed,
            meter_ppm=self.meter_ppm,
            reserve_ppm=self.reserve_ppm,
            ceiling=self.ceiling,
            no_ceiling=taken_away(self, "ceiling"),
            levels=None if self.level is None else levels_of((o.hand, o.share, o.odds) for o in self.level),
            policy=self.policy,
            window=None if self.window_ms is None else self.window_ms * MILLISECOND,
            no_window=taken_away(self, "window_ms"),
            cap=self.cap,
            no_cap=taken_away(self, "cap"),
            straight_flush_approvals=self.approvals.straight_flush,
            royal_flush_approvals=self.approvals.royal_flush,
        )
        return ParameterChange(changes=changes, now=self.when == "now")


PARAMETERS = Act(
    name="parameters",
    path="/links/{link}/parameters",
    people=People.TWO,
    roles=DESK,
    body=ParametersSaid,
    example={"meter_ppm": 300000, "reserve_ppm": 100000, "reason": "new season"},
    place=NAMED_LINK,
    command=proposing(ParametersSaid.change),
    preview="parameters",
    reply=PROPOSED,
    summary="Propose other rates, ceiling, seed, levels, award policy or approvals",
    description="""
    Only what is to change is named. It holds from the next reset on, or `now` while the link is closed.
    """,
)


class AdjustmentSaid(Said):
    amount: Annotated[
        StrictInt,
        Field(ge=-LARGEST_AMOUNT, le=LARGEST_AMOUNT, description="Above zero it raises the meter."),
    ]
    account: Literal["house", "reserve", "overflow"] = Field(alias="from")
    reason: Reason

    def change(self) -> Adjustment:
        return Adjustment(amount=self.amount, account=Account(self.account))


ADJUST = Act(
    name="adjust",
    path="/links/{link}/adjustments",
    people=People.TWO,
    roles=DESK,
    body=AdjustmentSaid,
    example={"amount": -500, "from": "house", "reason": "a bet counted twice"},
    place=NAMED_LINK,
    command=proposing(AdjustmentSaid.change),
    preview="adjustments",
    reply=PROPOSED,
    summary="Propose an adjustment of the meter",
    description="Above zero it raises the meter from that account, below zero it lowers the meter into it.",
)

OPEN_LINK = Act(
    name="open_link",
    path="/links/{link}/open",
    people=People.TWO,
    roles=DESK,
    body=Reasoned,
    example={"reason": "start of business"},
    place=NAMED_LINK,
    command=proposing(lambda _: LinkOpening()),
    preview="open",
    reply=PROPOSED,
    summary="Propose to open a closed link",
    description="Its tables take progressive bets again once another person has confirmed.",
)


class TransferSaid(Said):
    to: LinkName
    amount: Annotated[StrictInt, Field(ge=1, le=LARGEST_AMOUNT)]
    account: Literal["meter", "overflow", "reserve"] = Field(alias="from", default="meter")
    reason: Reason

    def change(self) -> PoolTransfer:
        return PoolTransfer(to=self.to, amount=self.amount, account=Account(self.account))


TRANSFER = Act(
    name="transfer",
    path="/links/{link}/transfer",
    people=People.TWO,
    roles=DESK,
    body=TransferSaid,
    example={"to": "main", "amount": 100000, "reason": "one pool too many"},
    place=NAMED_LINK,
    command=proposing(TransferSaid.change),
    preview="transfer",
    reply=PROPOSED,
    summary="Propose to move money to another link",
    description="""
    It leaves meter, overflow or reserve here and arrives in the account of the same name there, both or
    neither.
    """,
)


class RetirementSaid(Said):
    to: LinkName | None = Field(description="The link that takes the whole pool; null for the house.")
    reason: Reason

    def change(self) -> Retirement:
        return Retirement(to=self.to)


RETIRE = Act(
    name="retire",
    path="/links/{link}/retire",
    people=People.TWO,
    roles=DESK,
    body=RetirementSaid,
    example={"to": "main", "reason": "end of the game"},
    place=NAMED_LINK,
    command=proposing(RetirementSaid.change),
    preview="retire",
    reply=PROPOSED,
    summary="Propose to retire a closed link",
    description="The whole pool goes to another link, or to the house; afterwards the link can only be read.",
)


async def _first_link(request: Request, _asked: Asked[object]) -> Target:
    link = await first_link(service_of(request.app).book.store)
    if link is None:
        raise LinkUnknown("any")
    return Target(link)


SET_CLOCK = Act(
    name="set_clock",
    path="/house/clock",
    people=People.TWO,
    roles=DESK,
    body=Reasoned,
    example={"reason": "the server's clock was an hour slow"},
    place=Place(_first_link),
    command=proposing(lambda _: ClockSetting()),
    preview="clock",
    reply=PROPOSED,
    summary="Propose to set the house clock",
    description="""
    To the clock of the database server, at every link at once. It needs no open round and no pending win
    anywhere, and a clock that is not behind any journal.
    """,
)

CONFIRM = Act(
    name="confirm",
    path="/proposals/{proposal}/confirm",
    people=People.TWO,
    roles=SUPERVISOR,
    body=Nothing,
    example={},
    place=Place(link_in_id, ProposalUnknown),
    command=lambda asked: Confirm(person=asked.person, act_id=asked.key, proposal=asked.id),
    preview="confirm",
    reply=CONFIRMED,
    summary="Confirm what another person proposed",
    description="It is carried out at once, if it is still possible.",
)


def _withdraw(asked: Asked[Nothing]) -> Withdraw:
    own_only = asked.caller.role is not Role.SUPERVISOR
    return Withdraw(person=asked.person, act_id=asked.key, proposal=asked.id, own_only=own_only)


WITHDRAW = Act(
    name="withdraw",
    path="/proposals/{proposal}/withdraw",
    people=People.TWO,
    roles=DESK,
    body=Nothing,
    example={},
    place=Place(link_in_id, ProposalUnknown),
    command=_withdraw,
    preview=None,
    reply=WITHDRAWN,
    summary="Withdraw a proposal",
    description="""
    An operator withdraws only what that person has proposed (403 `proposed_by_another`), a supervisor any:
    like a confirmation, it decides about another's proposal.
    """,
)


class DecisionSaid(Said):
    outcome: ClaimOutcome
    reason: Reason


async def _link_of_claim(request: Request, asked: Asked[object]) -> Target:
    """Ids of claims begin with their table's."""
    try:
        return Target(await service_of(request.app).link_of(asked.id.partition(".")[0]))
    except TableUnknown:
        raise ClaimUnknown(f"no late claim {asked.id[:80]!r} is open", claim=asked.id[:80]) from None


def _decide(asked: Asked[DecisionSaid]) -> DecideClaim:
    said = asked.said
    return DecideClaim(
        person=asked.person, act_id=asked.key, claim=asked.id, outcome=said.outcome, reason=said.reason
    )


DECIDE_CLAIM = Act(
    name="decide_claim",
    path="/claims/{claim}/decide",
    people=People.TWO,
    roles=DESK,
    body=DecisionSaid,
    example={"outcome": "in_order", "reason": "camera footage"},
    place=Place(_link_of_claim),
    command=_decide,
    preview="decide",
    reply=PROPOSED,
    summary="Propose how to decide a late claim",
    description="""
    Paid as in its order or as registered, from reserve, then house; or refused. Two people decide.
    """,
)
