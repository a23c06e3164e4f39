"""Every kind of fact is declared, and what can be computed of a fact is: a made-up one is denied."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from jackpot.core.money import Account
from jackpot.games.blackjack import Bets, BoxBet, Choice, OpenWager
from jackpot.link import facts, pit_facts
from jackpot.link.commands import CloseLink, CloseTable
from jackpot.link.facts import Fact, read_entry
from jackpot.link.parameters import Changes
from jackpot.link.proposals import Adjustment, LinkOpening
from jackpot.link.rounds import RoundState
from jackpot.link.state import Scope
from jackpot.machine.applying import replayed
from jackpot.machine.auditing import Denied, audit
from jackpot.machine.kind import Evidence
from jackpot.machine.kinds import EVERY_KIND, foretold, told
from jackpot.machine.telling import Telling
from tests.floor import ROYAL, STRAIGHT_FLUSH, Floor
from tests.golden import kept, releases
from tests.pit_floor import PitFloor

ADJUSTMENT = Adjustment(amount=100, account=Account.HOUSE)
TWO = ("ana", "ben")


def test_every_fact_class_has_a_kind_of_its_own() -> None:
    bases = {facts.Fact, facts.Posted, facts.Settling, pit_facts.PitSettling}
    named = [*vars(facts).values(), *vars(pit_facts).values()]
    classes = {one for one in named if isinstance(one, type) and issubclass(one, Fact)} - bases
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
    several = [read_entry(one.of, data, "").fact for one in kept(newest) for data in one.entries]
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


# In a pit


def at_a_table() -> PitFloor:
    """Another player stands behind the box; the first two cards are told."""
    floor = PitFloor()
    behind = {"box": 1, "player": "B", "standing": True, "bet": 1000}
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500, "player_pair": 500}, behind]})
    floor.hands("bj", {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd"]}})
    return floor


def told_whole() -> PitFloor:
    floor = at_a_table()
    floor.hands("bj", {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd", "8h"]}})
    return floor


def settled() -> PitFloor:
    floor = told_whole()
    floor.hands("bj", {"final": True})
    return floor


def voided() -> PitFloor:
    floor = at_a_table()
    floor.void("bj", "5.5.1")
    return floor


def voided_by_the_house() -> PitFloor:
    floor = at_a_table()
    floor.declare("bj", "5.5.2")
    return floor


def declared() -> PitFloor:
    floor = at_a_table()
    choices = {"1": Choice.CONTINUE, "1/B": Choice.RETURN}
    floor.declare("bj", "5.7", reconstructed=False, interim_settled=True, choices=choices)
    return floor


def next_bets() -> PitFloor:
    floor = at_a_table()
    floor.bets("bj", {"boxes": [{"box": 1, "bet": 2500}, {"box": 2, "player_pair": 500}]})
    return floor


def _unlike(lines: tuple[Any, ...]) -> tuple[Any, ...]:
    return replace(lines[0], payout=lines[0].payout + 1), *lines[1:]


Forge = dict[str, Callable[[Any], Any]]
THERE = OpenWager(box=1, player="1", hand=1, wager="bet")


@pytest.mark.parametrize(
    ("story", "kind", "forged"),
    [
        (PitFloor, "PitTableAdded", {"setup": lambda fact: replace(fact.setup, decks=3)}),
        (next_bets, "PitBetsClosed", {"settlement": lambda fact: _unlike(fact.settlement)}),
        (next_bets, "PitBetsClosed", {"left_open": lambda _: (THERE,)}),
        (next_bets, "PitBetsClosed", {"settles": lambda _: None}),
        (next_bets, "PitBetsClosed", {"round": lambda _: 1}),
        (next_bets, "PitBetsClosed", {"table_closed": lambda _: True}),
        (next_bets, "PitBetsClosed", {"bets": lambda _: Bets(boxes=(BoxBet(box=99, bet=1),))}),
        (told_whole, "PitHandsReported", {"settlement": lambda fact: _unlike(fact.settlement)}),
        (told_whole, "PitHandsReported", {"adjustments": lambda _: (THERE,)}),
        (told_whole, "PitHandsReported", {"state": lambda _: RoundState.SETTLED}),
        (told_whole, "PitHandsReported", {"round": lambda _: 2}),
        (told_whole, "PitHandsReported", {"report": lambda fact: replace(fact.report, dealer=("Kd", "8x"))}),
        (told_whole, "PitHandsReported", {"report": lambda fact: replace(fact.report, dealer=("Kd", "9h"))}),
        (settled, "PitHandsReported", {"report": lambda fact: replace(fact.report, dealer=("Kd",))}),
        (voided, "PitRoundVoided", {"settlement": lambda fact: _unlike(fact.settlement)}),
        (voided, "PitRoundVoided", {"reason": lambda _: "5.8"}),
        (voided, "PitRoundVoided", {"reason": lambda _: "5.4.2"}),
        (voided, "PitRoundVoided", {"irregularity": lambda _: "pit-3.i1"}),
        (voided_by_the_house, "PitRoundVoided", {"reason": lambda _: "5.5.1"}),
        (voided_by_the_house, "PitIrregularityDeclared", {"round": lambda _: 7}),
        (declared, "PitIrregularityDeclared", {"said": lambda fact: replace(fact.said, choices={})}),
        (
            declared,
            "PitIrregularityDeclared",
            {"consequence": lambda fact: replace(fact.consequence, players=())},
        ),
        (declared, "PitBetsReturned", {"settlement": lambda fact: _unlike(fact.settlement)}),
        (declared, "PitBetsReturned", {"round": lambda _: 2}),
    ],
)
def test_a_made_up_fact_of_a_pit_is_denied(story: Callable[[], PitFloor], kind: str, forged: Forge) -> None:
    """With anything else in it than what was written."""
    floor = story()
    fact = _before_the_last(floor, kind)
    audit(floor.pit, fact)
    other: Any = replace(fact, **{name: change(fact) for name, change in forged.items()})
    with pytest.raises(Denied):
        audit(floor.pit, other)


def _before_the_last(floor: PitFloor, kind: str) -> Any:
    """The last fact of that kind; the pit is brought back to just before it."""
    entries = floor.book.entries
    place = max(number for number, one in enumerate(entries) if type(one.fact).__name__ == kind)
    fact = entries[place].fact
    del entries[place:]
    floor.book.pit = replayed(floor.book._read_again())
    return fact


@pytest.mark.parametrize("story", [settled, voided])
@pytest.mark.parametrize("kind", ["PitHandsReported", "PitIrregularityDeclared", "PitRoundVoided"])
def test_nothing_is_said_of_a_round_in_a_pit_that_is_over(story: Callable[[], PitFloor], kind: str) -> None:
    whole = {"PitHandsReported": told_whole, "PitIrregularityDeclared": declared, "PitRoundVoided": voided}
    fact = _before_the_last(whole[kind](), kind)
    with pytest.raises(Denied, match="was over"):
        audit(story().pit, fact)


@pytest.mark.parametrize(
    ("story", "forged"),
    [
        (PitFloor, lambda floor: floor.book.entries[0].fact),
        (PitFloor, lambda floor: floor.book.entries[1].fact),
        (PitFloor, lambda _: Floor().book.entries[0].fact),
        (
            at_a_table,
            lambda _: pit_facts.PitBetsReturned(table="bj", round=1, irregularity="pit-3.i1", content=""),
        ),
        (
            PitFloor,
            lambda _: pit_facts.PitBetsReturned(table="bj", round=1, irregularity="pit-3.i1", content=""),
        ),
    ],
)
def test_what_cannot_happen_in_a_pit_now_is_denied(
    story: Callable[[], PitFloor], forged: Callable[[PitFloor], Fact]
) -> None:
    floor = story()
    with pytest.raises(Denied):
        audit(floor.pit, forged(floor))
