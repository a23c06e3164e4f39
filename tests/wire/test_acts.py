"""Every act of the House has a declaration, and what a declaration says of itself is true."""

from __future__ import annotations

from typing import Any, get_args

import pytest

from api.callers.identity import Caller
from api.operators.act import Act, Asked
from api.operators.acts import ACTS
from jackpot.book.beside.calendar import Calendar
from jackpot.book.beside.roles import Role
from jackpot.link import commands
from jackpot.link.proposals import Change, ClaimDecision, HandingOver, RoyalRejection

BY_THE_SERVICE = {
    commands.ReceiveTable,  # with the departure at another link or pit
    commands.ReceiveTransfer,  # with the departure at another link
    commands.BreakTime,  # at a start, and once two people have set the clock
    commands.ReportOffline,  # by a table that comes back
    commands.ReturnOnline,
}
BY_OTHER_COMMANDS = {
    RoyalRejection: commands.RejectWin,
    ClaimDecision: commands.DecideClaim,
    HandingOver: commands.HandOver,
}


def commanded(act: Act[Any]) -> commands.HouseAct:
    caller = Caller(name="sue", role=Role.SUPERVISOR, person="sue")
    said = act.body.model_validate(act.example)
    day = Calendar().named("2026-01-31")
    asked = Asked(caller=caller, key="k", link="main", id="main.1", round=1, said=said, day=day)
    return act.command(asked)


@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.name)
def test_an_act_takes_its_own_example_and_passes_on_who_it_was(act: Act[Any]) -> None:
    command = commanded(act)
    assert (command.person, command.act_id) == ("sue", "k")


def test_every_command_of_people_has_an_act() -> None:
    assert {type(commanded(act)) for act in ACTS} | BY_THE_SERVICE == set(get_args(commands.HouseAct))


def test_every_change_that_takes_two_people_can_be_proposed() -> None:
    given = [commanded(act) for act in ACTS]
    proposed = {type(one.change) for one in given if isinstance(one, commands.Propose)}
    assert proposed | BY_OTHER_COMMANDS.keys() == set(get_args(Change))


def test_names_paths_and_previews_are_unlike_each_other() -> None:
    previews = [act.preview for act in ACTS if act.preview is not None]
    for names in ([act.name for act in ACTS], [act.path for act in ACTS], previews):
        assert len(set(names)) == len(names)
