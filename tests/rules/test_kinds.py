"""Every kind of fact is declared, and what can be computed of a fact is: a made-up one is denied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.money import Account
from jackpot.link import facts
from jackpot.link.commands import CloseLink, CloseTable
from jackpot.link.facts import Fact, read_entry
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening
from jackpot.link.state import Scope
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.kind import Evidence
from jackpot.machine.kinds import EVERY_KIND, foretold, told
from jackpot.machine.telling import Telling
from tests.floor import ROYAL, STRAIGHT_FLUSH, Floor
from tests.golden import kept, releases

ADJUSTMENT = Adjustment(amount=100, account=Account.HOUSE)
TWO = ("ana", "ben")


def test_every_fact_class_has_a_kind_of_its_own() -> None:
    bases = {facts.Fact, facts.Posted, facts.Settling}
    classes = {one for one in vars(facts).values() if isinstance(one, type) and issubclass(one, Fact)} - bases
    assert set(EVERY_KIND) == set(facts.KINDS.values()) == classes
    assert all(kind.fact is fact for fact, kind in EVERY_KIND.items())


def test_what_cannot_be_computed_again_says_why() -> None:
    unproved = {
        kind.fact: kind.recompute.reason
        for kind in EVERY_KIND.values()
        if isinstance(kind.recompute, Evidence)
    }
    assert set(unproved) == {facts.ClaimWithdrawn, facts.MalfunctionCleared, facts.ProposalWithdrawn}
    assert all(unproved.values())


def test_there_are_words_for_every_kind_of_fact() -> None:
    newest = releases()[-1]
    several = [read_entry("main", data, "").fact for one in kept(newest) for data in one.entries]
    assert {type(fact) for fact in several} == set(EVERY_KIND)
    at = Telling("SGD")
    assert [fact for fact in several if not told(fact, at).endswith(".")] == []
    assert {type(fact) for fact in several if not foretold(fact, at)} == {facts.ProposalConfirmed}


def closed() -> Floor:
    floor = Floor()
    floor.act(CloseLink(person="ana", reason="night"))
    floor.act(CloseTable(person="ana", table="s2", reason="night"))
    return floor


def playing() -> Floor:
    floor = Floor()
    floor.bets("s1", [1])
    floor.malfunction("s2")
    return floor


def proposed() -> Floor:
    floor = Floor()
    floor.propose(ADJUSTMENT)
    return floor


def waiting() -> Floor:
    floor = Floor()
    floor.bets("s2", [1])
    floor.wins_major("s1", ROYAL["h"])
    floor.wait(1)
    floor.wins_major("s1", STRAIGHT_FLUSH["h"])
    floor.approve(floor.line[0], "ana")
    return floor


def _again(floor: Floor) -> Fact:
    return floor.book.entries[0].fact


def _continued(floor: Floor, **forged: Any) -> Fact:
    reading = floor.book.archive.readings[-1]
    rule = floor.link.tables["s1"].setup.paragraphs.registered_amount
    malfunction = next(iter(floor.link.malfunctions))
    honest = facts.RoundContinued(table="s1", round=1, malfunction=malfunction, rule=rule, registered=reading)
    audit(floor.link, honest)
    return replace(honest, **forged)


def _malfunction(floor: Floor, **forged: Any) -> Fact:
    return replace(floor.facts(facts.MalfunctionDeclared)[0], malfunction=_id(floor, "m"), **forged)  # type: ignore[no-any-return]


def _id(floor: Floor, letter: str) -> str:
    return f"main.{letter}{floor.link.sequence + 1}"


@pytest.mark.parametrize(
    ("story", "forged"),
    [
        (Floor, _again),
        (Floor, lambda _: facts.LinkOpened(proposal="main.p1", persons=TWO, reason="day")),
        (closed, lambda _: facts.LinkOpened(proposal="main.p1", persons=("ana", "ana"), reason="day")),
        (closed, lambda _: facts.LinkClosed(person="ana", reason="night")),
        (Floor, lambda floor: facts.TableAdded(setup=floor.link.tables["s1"].setup, person="ana")),
        (playing, lambda _: facts.TableJoined(table="s1")),
        (closed, lambda _: facts.TableJoined(table="s2")),
        (closed, lambda _: facts.TableLeft(table="s2")),
        (playing, lambda _: facts.TableLeft(table="s1")),
        (playing, lambda _: facts.TableOpened(table="s1", person="ana", reason="day", in_play=True)),
        (closed, lambda _: facts.TableClosed(table="s2", person="ana", reason="night")),
        (waiting, lambda floor: facts.WinApproved(win=floor.line[0], person="ana", note="")),
        (waiting, lambda floor: facts.OrderReopened(wins=tuple(floor.line))),
        (waiting, lambda floor: facts.OrderDecided(wins=tuple(floor.line), person="sue", reason="seen")),
        (waiting, lambda _: facts.OrderDecided(wins=(), person="sue", reason="seen")),
        (playing, lambda floor: _malfunction(floor, scope=Scope(table="s1", box=99))),
        (playing, lambda floor: _malfunction(floor, scope=Scope(box=1))),
        (playing, lambda floor: floor.facts(facts.MalfunctionDeclared)[0]),
        (playing, lambda floor: _continued(floor, rule="5.8.1")),
        (playing, lambda floor: _continued(floor, malfunction="main.m1")),
        (playing, lambda floor: _continued(floor, round=2)),
        (playing, lambda floor: _continued(floor, emptied=True)),
        (proposed, lambda floor: replace(floor.facts(facts.Proposed)[0], proposal=_id(floor, "p"))),
        (
            proposed,
            lambda _: facts.Proposed(proposal="main.p1", change=LinkOpening(), reason="day", person="ana"),
        ),
        (
            proposed,
            lambda floor: facts.ProposalConfirmed(proposal=next(iter(floor.link.proposals)), person="ana"),
        ),
        (proposed, lambda _: facts.ProposalConfirmed(proposal="main.p1", person="ben")),
        (
            Floor,
            lambda _: facts.ParametersScheduled(proposal="main.p1", changes=Changes(meter_ppm=2_000_000)),
        ),
    ],
)
def test_a_made_up_fact_is_denied(story: Callable[[], Floor], forged: Callable[[Floor], Fact]) -> None:
    floor = story()
    with pytest.raises(Denied):
        audit(floor.link, forged(floor))
