"""Transfers that cannot be, and tables that come back with a story that cannot be true."""

from __future__ import annotations

from dataclasses import replace

from jackpot.core.instants import SECOND
from jackpot.core.money import Account
from jackpot.house.agreements import agreement_on
from jackpot.link.commands import Command, Confirm, Propose, ReceiveTransfer, ReportOffline
from jackpot.link.proposals import Change, PoolTransfer, Retirement
from jackpot.link.rounds import Promise
from jackpot.link.state import Link


def wrong_transfers(link: Link) -> list[Command]:
    changes: list[Change] = [
        PoolTransfer(to=link.id, amount=1, account=Account.METER),
        PoolTransfer(to="elsewhere", amount=1, account=Account.PRIZES),
        PoolTransfer(to="elsewhere", amount=10**9, account=Account.RESERVE),
        Retirement(to=None),
    ]
    proposed = [Propose(person="eve", change=change, reason="why") for change in changes]
    return [*(10 * _alone(link)), *_wrong_arrivals(link), *proposed]


def _alone(link: Link) -> list[Command]:
    """One side of a transfer without the other."""
    two = [one.id for one in link.proposals.values() if agreement_on(one.change).reaches is not None]
    return [Confirm(person="eve", proposal=one) for one in two]


def _wrong_arrivals(link: Link) -> list[Command]:
    arrival = ReceiveTransfer(
        person="eve",
        transfer="elsewhere.t1",
        source="elsewhere",
        currency=link.currency,
        amounts={Account.METER: 1},
        persons=("eve",),
        reason="why",
    )
    return [replace(arrival, currency="USD"), replace(arrival, amounts={Account.HOUSE: 1})]


def wrong_returns(link: Link, now: int) -> list[Command]:
    name = next(iter(link.tables))
    report = ReportOffline(person=name, table=name, since=now)
    unsaid = [one for one, table in link.tables.items() if table.round is not None and table.round.open]
    return [
        replace(report, registered=Promise(value=-1, sequence=1)),
        replace(report, since=now + 3600 * SECOND, cards_seen=True),
        replace(report, table="nowhere"),
        *(replace(report, table=one) for one in unsaid[:1]),
    ]
