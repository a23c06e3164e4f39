"""Every change that two people agree on, each in one class: how it is checked, and how it is carried out.

Those about money between links are in `transfers`; that about the clock is in `timekeeping`.
"""

from __future__ import annotations

from typing import assert_never

from jackpot.core.money import LARGEST_AMOUNT, Account, to_units
from jackpot.core.records import frozen
from jackpot.core.refusals import (
    AccountShort,
    AdjustmentWrong,
    LinkAlreadyOpen,
    LinkHeld,
    LinkNotClosed,
    ParameterWrong,
)
from jackpot.house.agreement import Agreement, WithinTheLink
from jackpot.house.handovers import check_handing_over, hand_over
from jackpot.house.timekeeping import SettingTheClock
from jackpot.house.transfers import MovingMoney, RetiringTheLink
from jackpot.link.execution import Desk
from jackpot.link.facts import LinkOpened, MeterAdjusted, ParametersChanged, ParametersScheduled
from jackpot.link.parameters import Changes, check_parameters
from jackpot.link.proposals import (
    Adjustment,
    Change,
    ClaimDecision,
    ClockSetting,
    HandingOver,
    LinkOpening,
    ParameterChange,
    PoolTransfer,
    Proposal,
    Retirement,
    RoyalRejection,
)
from jackpot.pools.claims import decide_claim, payable_claim
from jackpot.pools.majors import reject, waiting_win
from jackpot.pools.pool import adjustment, changeover


def agreement_on(change: Change) -> Agreement:
    match change:
        case ParameterChange():
            return ChangingParameters(change)
        case Adjustment():
            return AdjustingTheMeter(change)
        case LinkOpening():
            return OpeningTheLink()
        case RoyalRejection():
            return RejectingARoyal(change)
        case ClaimDecision():
            return DecidingAClaim(change)
        case PoolTransfer():
            return MovingMoney(change)
        case Retirement():
            return RetiringTheLink(change)
        case ClockSetting():
            return SettingTheClock()
        case HandingOver():
            return PayingOut(change)
    assert_never(change)


@frozen()
class ChangingParameters(WithinTheLink):
    change: ParameterChange

    def check(self, desk: Desk) -> None:
        link, changes, now = desk.link, self.change.changes, self.change.now
        if changes == Changes() or changes.contradictory:
            raise ParameterWrong("say what is to change, and only one thing of each", field="changes")
        if 0 in (changes.straight_flush_approvals, changes.royal_flush_approvals):
            raise ParameterWrong("a major is approved by somebody", field="approvals")
        if now and not link.closed:
            raise LinkNotClosed("parameters change at once only while the link is closed")
        if now and link.held:
            raise LinkHeld("parameters change at once only while no win is waiting")
        planned = [one.changes for one in link.scheduled]
        parameters = link.parameters
        for step in [changes, *planned] if now else [*planned, changes]:
            parameters = check_parameters(step.applied_to(parameters))

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:  # noqa: ARG002
        if not self.change.now:
            desk.write(ParametersScheduled(proposal=proposal.id, changes=self.change.changes))
            return
        parameters = self.change.changes.applied_to(desk.link.parameters)
        transfer = changeover(desk.link.pool, desk.link.parameters, parameters)
        desk.write(ParametersChanged(proposal=proposal.id, parameters=parameters, moves=transfer.moves))


@frozen()
class AdjustingTheMeter(WithinTheLink):
    change: Adjustment

    def check(self, desk: Desk) -> None:
        amount, account = self.change.amount, self.change.account
        if not amount or abs(amount) > LARGEST_AMOUNT:
            raise AdjustmentWrong("an adjustment has an amount", field="amount")
        if account not in (Account.HOUSE, Account.RESERVE, Account.OVERFLOW):
            raise AdjustmentWrong("the meter is adjusted from or to house, reserve or overflow", field="from")
        if desk.link.held:
            raise LinkHeld("the displayed value is frozen while a win is waiting")
        units = to_units(amount)
        short = account if units > 0 else Account.METER
        if short is not Account.HOUSE and desk.link.pool.accounts[short] < abs(units):
            raise AccountShort(f"{short} holds less than that", account=str(short))

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        change = self.change
        transfer = adjustment(desk.link.pool, desk.link.parameters, change.amount, change.account)
        desk.write(
            MeterAdjusted(
                proposal=proposal.id,
                adjustment=change,
                persons=persons,
                reason=proposal.reason,
                moves=transfer.moves,
            )
        )


class OpeningTheLink(WithinTheLink):
    def check(self, desk: Desk) -> None:
        if not desk.link.closed:
            raise LinkAlreadyOpen(f"link {desk.link.id} is open already")

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        desk.write(LinkOpened(proposal=proposal.id, persons=persons, reason=proposal.reason))


@frozen()
class RejectingARoyal(WithinTheLink):
    change: RoyalRejection

    def check(self, desk: Desk) -> None:
        waiting_win(desk, self.change.win)

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        reject(desk, self.change.win, persons=persons, reason=proposal.reason)


@frozen()
class DecidingAClaim(WithinTheLink):
    change: ClaimDecision

    def check(self, desk: Desk) -> None:
        payable_claim(desk, self.change)

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        decide_claim(desk, self.change, persons=persons, reason=proposal.reason)


@frozen()
class PayingOut(WithinTheLink):
    change: HandingOver

    def check(self, desk: Desk) -> None:
        check_handing_over(desk, self.change)

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:  # noqa: ARG002
        hand_over(desk, self.change, persons)
