"""The simulation is reproducible, and it finds what is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from random import Random
from types import NoneType
from typing import get_args, get_type_hints

import pytest

from jackpot.core import refusals
from jackpot.core.money import Account, to_units
from jackpot.games.blackjack import Line, Play, settle
from jackpot.link import facts
from jackpot.link.commands import AddTable, HouseAct, ReportOffline, ReturnOnline
from jackpot.link.execution import Desk
from jackpot.link.rounds import Round
from jackpot.link.state import Registered
from jackpot.link.wins import DealEvidence, Interval
from jackpot.machine.invariants import InvariantBroken
from jackpot.pools import pool
from jackpot.simulation.house import SimulatedHouse
from jackpot.simulation.pits import PitSimulation
from jackpot.simulation.run import (
    DEFAULT_STEPS,
    Character,
    Simulation,
    never_happened,
    replays,
    shortest_story,
    simulate,
)
from jackpot.simulation.stage import SimulationFailed


def test_the_same_seed_gives_the_same_journals_of_link_and_pit() -> None:
    first, *others = (simulate(seed, 200) for seed in (3, 3, 11, 12))
    assert others[0] == first
    assert len({one.hash for one in others}) == len({one.pit_hash for one in others}) == 3


def test_a_certain_order_that_is_false_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a House that takes every hand to be dealt with its bets, whatever its table stamps."""

    def hasty(_evidence: DealEvidence, witnessed: Interval) -> Interval:
        return Interval(start=witnessed.start, end=witnessed.start)

    monkeypatch.setattr("jackpot.play.reports.stamped_interval", hasty)
    failure = next(filter(None, map(_failure, range(50))))
    assert isinstance(failure.cause, InvariantBroken)
    assert "outside Interval" in str(failure) or "stands before" in str(failure)


def test_a_reading_older_than_was_told_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a House that believes a table of when it broke."""

    def trusting(desk: Desk, _current: Round, _moment: int, _heard: int | None) -> Registered:
        found = desk.archive.reading_at(2)
        assert found is not None
        return found

    monkeypatch.setattr("jackpot.house.malfunction.reading_before", trusting)
    failure = next(filter(None, map(_failure, range(50))))
    assert "falls back to 2, but was told" in str(failure)


@pytest.mark.untraced
def test_a_calm_floor_pays_majors_without_mischief() -> None:
    run = Simulation(7, Character(calm=True, rigged=0.05))
    report = run.run(1500)
    assert report.facts["WinPaid"] > 3
    assert report.facts["MalfunctionDeclared"] == 0


def test_a_failure_tells_its_seed_and_the_shortest_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a house that forgets the cents of a minor, the books break at the first one paid."""

    def careless(draft: pool.Draft, cents: int) -> None:
        draft.move(Account.HOUSE, Account.PRIZES, to_units(cents))
        draft._now[Account.HOUSE] += 1 if cents else 0

    monkeypatch.setattr("jackpot.play.hands.award", careless)
    failure = next(filter(None, map(_failure, range(50))))
    assert isinstance(failure.cause, InvariantBroken)
    assert str(failure).startswith(f"seed {failure.seed}: InvariantBroken")
    story = shortest_story(failure)
    assert len(story) <= 4
    kinds = [type(step.doing).__name__ for step in story]
    assert kinds[0] == "AddTable"
    assert kinds[-1] == "ReportHands"
    assert isinstance(replays(failure.seed, story), InvariantBroken)


def _failure(seed: int) -> SimulationFailed | None:
    try:
        Simulation(seed).run(DEFAULT_STEPS)
    except SimulationFailed as failure:
        return failure
    return None


def test_a_story_that_does_not_break_again_is_told_whole() -> None:
    run = Simulation(3)
    run.run(50)
    failure = SimulationFailed(3, run.stage.steps, KeyError("once"))
    assert shortest_story(failure) == tuple(run.stage.steps)
    assert replays(3, run.stage.steps) is None


def test_a_refusal_that_changes_something_is_a_failure(monkeypatch: pytest.MonkeyPatch) -> None:
    run = Simulation(3)

    def sly(*_arguments: object, **_named: object) -> None:
        run.stage.book.link.pool.accounts[Account.METER] += to_units(1)
        raise facts_refusal

    from jackpot.core.refusals import RoundStands

    facts_refusal = RoundStands("said no")
    monkeypatch.setattr(run.stage.book, "submit", sly)
    with pytest.raises(SimulationFailed, match="round_stands changed the state"):
        run.run(10)


def test_what_never_happened_is_named() -> None:
    missing_facts, missing_refusals = never_happened(Counter(), Counter())
    assert set(missing_facts) == set(facts.KINDS)
    assert "gap" in missing_refusals
    seen = Counter(dict.fromkeys(missing_facts, 1))
    refused = Counter(dict.fromkeys(missing_refusals, 1))
    assert never_happened(seen, refused) == ([], [])


def test_simulated_people_give_every_act_of_the_house() -> None:
    """But for those that a floor file and a returning table give."""
    given = [get_type_hints(habit)["return"] for _, habit in SimulatedHouse(Random(1)).habits]
    kinds = {kind for one in given for kind in get_args(one) or (one,)} - {NoneType}
    assert kinds | {AddTable, ReportOffline, ReturnOnline} == set(get_args(HouseAct))


# Pits


PIT_REFUSALS: set[type[refusals.Refused]] = {
    refusals.NoJackpot,
    refusals.PlayerRepeated,
    refusals.SeatTaken,
    refusals.PlayerNotOnBox,
    refusals.DrawNotAllowed,
    refusals.DrawMissing,
    refusals.SplitNotAllowed,
    refusals.FreeSplitNotAllowed,
    refusals.DoubleNotAllowed,
    refusals.FreeDoubleNotAllowed,
    refusals.SurrenderNotAllowed,
    refusals.InsuranceNotAllowed,
    refusals.EvenMoneyNotAllowed,
    refusals.DealerDrawWrong,
    refusals.ShoeDiffers,
    refusals.ToldBefore,
    refusals.DiscardUnknown,
    # Known from the poker tables too:
    refusals.WagerNotInGame,
    refusals.BoxUnknown,
    refusals.BoxToldTwice,
    refusals.BoxNotInRound,
    refusals.CardUnknown,
    refusals.CardRepeated,
    refusals.WrongNumberOfCards,
    refusals.DecisionUnknown,
    refusals.DecisionContradictory,
    refusals.PlayIncomplete,
    refusals.InvalidationUnknown,
    refusals.VoidReasonUnknown,
    refusals.OutcomeEstablished,
    refusals.ContentConflict,
    refusals.RoundStands,
    refusals.RoundIsVoid,
    refusals.IrregularityUnknown,
    refusals.OtherParagraphApplies,
    refusals.ReconstructedMissing,
    refusals.InterimSettledMissing,
    refusals.ChoiceMissing,
    refusals.ChoiceNotOffered,
    refusals.ResolutionMissing,
    refusals.ReasonMissing,
}


@pytest.mark.untraced
def test_few_pits_show_every_kind_of_fact_and_refusal_of_blackjack() -> None:
    """In each every fact is audited, and the journal gives the state again."""
    runs = [PitSimulation(seed).run(200) for seed in range(34)]
    seen = sum((one.facts for one in runs), Counter[str]())
    refused = sum((one.refusals for one in runs), Counter[str]())
    kinds = {name for name in facts.KINDS if name.startswith("Pit")}
    kinds |= set(facts.names_of(facts.MetersFact))
    assert kinds | {
        "TableJoined",
        "TableClosed",
        "TableOpened",
        "TableChanged",
        "DayClosed",
        "HouseTimeBroke",
    } == set(seen)
    assert sorted(kind.code for kind in PIT_REFUSALS if not refused[kind.code]) == []


def _pit_failure(seed: int) -> SimulationFailed | None:
    try:
        PitSimulation(seed).run(200)
    except SimulationFailed as failure:
        return failure
    return None


def test_a_failure_in_a_pit_tells_the_shortest_story(monkeypatch: pytest.MonkeyPatch) -> None:
    """With a settlement that tells of a cent more than was laid."""

    def careless(play: Play) -> tuple[Line, ...]:
        first, *others = settle(play) or (None,)
        return () if first is None else (replace(first, stake=first.stake + 1), *others)

    monkeypatch.setattr("jackpot.games.blackjack.judging.settle", careless)
    failure = next(filter(None, map(_pit_failure, range(50))))
    assert isinstance(failure.cause, InvariantBroken)
    assert "is not conserved" in str(failure)
    story = shortest_story(failure)
    assert [type(step.doing).__name__ for step in story] == ["AddTable", "ClosePitBets", "ReportPlay"]
    assert isinstance(replays(failure.seed, story, pit=True), InvariantBroken)


def _never(*_arguments: object, **_named: object) -> None:
    raise refusals.ShoeDiffers("said no", field="shoe.drawn", rule="3.11")


@pytest.mark.parametrize(
    ("broken", "otherwise", "told"),
    [
        ("judging.check_shoe", _never, "refused shoe_differs: said no"),
        ("judging.check_dealer", lambda _: None, "taken, but is ('dealer_draw_wrong',)"),
        ("judging.check_nothing_missing", lambda *_: None, "('told_before',)"),
        ("play._Growth._doubled", lambda _self, _call, held, *_: held, "laid Counter"),
    ],
)
def test_a_pit_fails_that_refuses_what_is_right_takes_what_is_wrong_or_loses_a_stake(
    broken: str, otherwise: Callable[..., object], told: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(f"jackpot.games.blackjack.{broken}", otherwise)
    failure = next(filter(None, map(_pit_failure, range(20))))
    assert told in str(failure)


def test_a_seed_plays_the_same_journals_in_every_process() -> None:
    """Also where texts have other hashes, and a set of them another order."""
    told = (
        "from jackpot.simulation.run import simulate;"
        "print([simulate(seed, 300).pit_hash for seed in range(4)])"
    )
    heard = {
        subprocess.run(
            [sys.executable, "-c", told],
            env=os.environ | {"PYTHONHASHSEED": hashes},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for hashes in ("0", "2")
    }
    assert len(heard) == 1
