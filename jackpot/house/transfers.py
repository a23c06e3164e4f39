"""Money of one link that goes to another, and the link that is given up.

Each link has its own journal, and the accounts of each sum to zero. So what departs goes to the house in one
journal, and what arrives comes from the house in the other; both facts have the transfer's id, and the book
commits them together. What departs from an account arrives in the account of the same name.
"""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.core.money import LARGEST_AMOUNT, Account, to_units
from jackpot.core.records import frozen
from jackpot.core.refusals import (
    AccountShort,
    ClaimsOpen,
    CurrencyDiffers,
    LinkHeld,
    LinkIsRetired,
    LinkNotClosed,
    RoundsOpen,
    TransferWrong,
)
from jackpot.house.agreement import Agreement
from jackpot.link.answers import Done
from jackpot.link.commands import ReceiveTransfer
from jackpot.link.execution import Desk, bounded, reasoned
from jackpot.link.facts import LinkRetired, PoolArrived, PoolDeparted, ProposalWithdrawn
from jackpot.link.parameters import Parameters
from jackpot.link.proposals import PoolTransfer, Proposal, Retirement
from jackpot.link.state import Link, Pool, in_order_made
from jackpot.pools.pool import CARRYOVER, HOUSE, METER, OVERFLOW, RESERVE, Draft, Transfer

THE_POOL = (METER, OVERFLOW, RESERVE)
"""What players' bets have built, and what they were promised for the next seed."""
Amounts = Mapping[Account, int]


def whole_pool(pool: Pool) -> dict[Account, int]:
    """All of it, in units. A link without a win waiting has no carryover."""
    return {account: pool.accounts[account] for account in THE_POOL if pool.accounts[account]}


def departure(pool: Pool, amounts: Amounts) -> Transfer:
    draft = Draft(pool)
    for account, units in amounts.items():
        draft.move(account, HOUSE, units)
    return draft.done()


def arrival(pool: Pool, parameters: Parameters, amounts: Amounts, *, held: bool) -> Transfer:
    """As if it had been bet here: while a win waits it builds the next jackpot, and the ceiling holds."""
    draft = Draft(pool)
    for account, units in amounts.items():
        draft.move(HOUSE, CARRYOVER if held and account is METER else account, units)
    draft.contributed = amounts.get(METER, 0) - (0 if held else draft.cap(parameters.ceiling))
    return draft.done()


def check_receiver(link: Link, currency: str) -> None:
    """Whether this link can take what departs from another of that currency."""
    if link.retired is not None:
        raise LinkIsRetired(f"link {link.id} is retired", link=link.id)
    if link.currency != currency:
        raise CurrencyDiffers(f"link {link.id} counts in {link.currency}, not in {currency}", link=link.id)


@frozen()
class MovingMoney(Agreement):
    change: PoolTransfer

    @property
    def reaches(self) -> str:
        return self.change.to

    def check(self, desk: Desk) -> None:
        change = self.change
        _check_other(desk.link, change.to)
        if not 1 <= change.amount <= LARGEST_AMOUNT:
            raise TransferWrong(f"a transfer is of 1 to {LARGEST_AMOUNT}", field="amount")
        if change.account not in THE_POOL:
            raise TransferWrong("a transfer is from meter, overflow or reserve", field="from")
        if desk.link.held:
            raise LinkHeld("nothing leaves the pool while a win is waiting")
        if desk.link.pool.accounts[change.account] < to_units(change.amount):
            raise AccountShort(f"{change.account} holds less than that", account=str(change.account))

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        change = self.change
        _depart(desk, proposal, change.to, {change.account: to_units(change.amount)}, persons)


@frozen()
class RetiringTheLink(Agreement):
    change: Retirement

    @property
    def reaches(self) -> str | None:
        return self.change.to

    def check(self, desk: Desk) -> None:
        link = desk.link
        if self.change.to is not None:
            _check_other(link, self.change.to)
        if not link.closed:
            raise LinkNotClosed("only a closed link is retired")
        if link.held:
            raise LinkHeld("a win is waiting to be paid")
        going_on = [
            name for name, one in link.tables.items() if one.round is not None and not one.round.stands
        ]
        if going_on:
            raise RoundsOpen(f"a round is not settled at {', '.join(going_on)}", tables=going_on)
        if link.claims:
            raise ClaimsOpen(f"late claims are undecided: {', '.join(link.claims)}", claims=list(link.claims))

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        """The whole pool leaves, what others have proposed is moot, and the link is only read from now on."""
        amounts = whole_pool(desk.link.pool)
        if amounts:
            _depart(desk, proposal, self.change.to, amounts, persons)
        for other in in_order_made(desk.link.proposals):
            desk.write(ProposalWithdrawn(proposal=other.id, person=None))
        desk.write(LinkRetired(proposal=proposal.id, persons=persons, reason=proposal.reason))


def _check_other(link: Link, to: str) -> None:
    if bounded(to, field="to") in ("", link.id):
        raise TransferWrong("a transfer names another link", field="to")


def _depart(
    desk: Desk, proposal: Proposal, to: str | None, amounts: dict[Account, int], persons: tuple[str, ...]
) -> None:
    desk.write(
        PoolDeparted(
            transfer=desk.next_id("t"),
            proposal=proposal.id,
            to=to,
            amounts=amounts,
            persons=persons,
            reason=proposal.reason,
            moves=departure(desk.link.pool, amounts).moves,
        )
    )


def receive(desk: Desk, command: ReceiveTransfer) -> Done:
    check_receiver(desk.link, command.currency)
    _check_other(desk.link, command.source)
    for account, units in command.amounts.items():
        if account not in THE_POOL or not 0 < units <= to_units(LARGEST_AMOUNT):
            raise TransferWrong(f"{units} units of {account} are no transfer", field="amounts")
    transfer = arrival(desk.link.pool, desk.link.parameters, command.amounts, held=desk.link.held)
    desk.write(
        PoolArrived(
            transfer=bounded(command.transfer, field="transfer"),
            source=command.source,
            amounts=command.amounts,
            persons=command.persons,
            reason=reasoned(command.reason),
            moves=transfer.moves,
            contributed=transfer.contributed,
        )
    )
    return Done()
