"""Every act of the House with the function that carries it out."""

from __future__ import annotations

from typing import assert_never

from jackpot.games.irregularities import Irregularity
from jackpot.house import (
    days,
    handovers,
    irregularities,
    malfunction,
    mending,
    moving,
    offline,
    pit_irregularities,
    queue,
    tables,
    timekeeping,
    transfers,
    two_people,
)
from jackpot.link import commands
from jackpot.link.answers import Answer
from jackpot.link.execution import Desk
from jackpot.pools import majors

_IN_ANY_PIT = (
    commands.AddTable,
    commands.ChangeTable,
    commands.MoveTable,
    commands.ReceiveTable,
    commands.OpenTable,
    commands.CloseTable,
    commands.CloseDay,
    commands.DeclareIrregularity,
    commands.MendMeters,
    commands.BreakTime,
)


def carry_out(desk: Desk, command: commands.HouseAct) -> Answer:  # noqa: C901  a list, not a decision
    if not isinstance(command, _IN_ANY_PIT):
        desk.need_jackpot()
    match command:
        case commands.AddTable():
            return tables.add_table(desk, command)
        case commands.ChangeTable():
            return tables.change_table(desk, command)
        case commands.MoveTable():
            return moving.move_table(desk, command)
        case commands.ReceiveTable():
            return moving.receive_table(desk, command)
        case commands.OpenTable():
            return tables.open_table(desk, command)
        case commands.CloseTable():
            return tables.close_table(desk, command)
        case commands.CloseLink():
            return two_people.close_link(desk, command)
        case commands.CloseDay():
            return days.close_day(desk, command)
        case commands.ApproveWin():
            return queue.approve_win(desk, command)
        case commands.RejectWin():
            return two_people.reject_win(desk, command)
        case commands.DecideOrder():
            return majors.decide_order(desk, command)
        case commands.DeclareMalfunction():
            return malfunction.declare_malfunction(desk, command)
        case commands.ClearMalfunction():
            return malfunction.clear_malfunction(desk, command)
        case commands.DeclareIrregularity():
            return _declare_irregularity(desk, command)
        case commands.MendMeters():
            return mending.mend_meters(desk, command)
        case commands.Propose():
            return two_people.propose(desk, command)
        case commands.Confirm():
            return two_people.confirm(desk, command)
        case commands.Withdraw():
            return two_people.withdraw(desk, command)
        case commands.DecideClaim():
            return two_people.decide_late_claim(desk, command)
        case commands.PrintSlip():
            return handovers.print_slip(desk, command)
        case commands.HandOver():
            return two_people.hand_over(desk, command)
        case commands.LeaveUnclaimed():
            return handovers.leave_unclaimed(desk, command)
        case commands.ReceiveTransfer():
            return transfers.receive(desk, command)
        case commands.BreakTime():
            return timekeeping.break_time(desk, command)
        case commands.ReportOffline():
            return offline.report_offline(desk, command)
        case commands.ReturnOnline():
            return offline.return_online(desk, command)
    assert_never(command)


def _declare_irregularity(desk: Desk, command: commands.DeclareIrregularity) -> Answer:
    """In the words of the table's game."""
    said = command.said
    if isinstance(said, Irregularity):
        return irregularities.declare_irregularity(desk, command, said)
    return pit_irregularities.declare(desk, command, said)
