"""What others who listen are told of facts: names that never change, and data that any program can read."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from jackpot.link import facts, pit_facts
from jackpot.link.facts import Fact, read_entry
from jackpot.machine.event import Topic
from jackpot.machine.kinds import EVERY_KIND, event_of
from tests.golden import kept, releases

MANUAL = Path(__file__).parents[2] / "docs" / "webhooks.md"
OF_EVERY_ROUND = (
    facts.BetsClosed,
    facts.HandsReported,
    pit_facts.PitBetsClosed,
    pit_facts.PitHandsReported,
)
NAMES = {
    Topic.WINS: {
        "win.registered",
        "win.approved",
        "win.rejected",
        "win.withdrawn",
        "wins.ordered",
        "wins.order_reopened",
        "wins.order_decided",
    },
    Topic.PAYMENTS: {"win.paid", "win.handed_over", "win.unclaimed"},
    Topic.CLAIMS: {"claim.raised", "claim.withdrawn", "claim.decided"},
    Topic.ALERTS: {"malfunction.declared", "malfunction.cleared", "meters.differed", "meters.mended"},
    Topic.OPENINGS: {
        "link.created",
        "link.opened",
        "link.closed",
        "link.retired",
        "pit.created",
        "table.added",
        "table.changed",
        "table.moved",
        "table.opened",
        "table.closed",
        "table.in_play",
        "table.out_of_play",
    },
    Topic.PARAMETERS: {
        "proposal.made",
        "proposal.withdrawn",
        "proposal.confirmed",
        "parameters.scheduled",
        "parameters.changed",
        "meter.adjusted",
        "pool.departed",
        "pool.arrived",
    },
}


def several() -> list[Fact]:
    """Facts of every kind, as they were once written."""
    return [read_entry(one.of, data, "").fact for one in kept(releases()[-1]) for data in one.entries]


def test_an_event_keeps_its_name() -> None:
    found: dict[Topic, set[str]] = {topic: set() for topic in Topic}
    for kind in EVERY_KIND.values():
        if kind.event is not None:
            found[kind.event.topic].add(kind.event.type)
    assert all(names <= found[topic] for topic, names in NAMES.items())


def test_the_manual_names_every_event_with_its_topic() -> None:
    rows = re.findall(r"^\| `(\w+)` \| (`.*) \|$", MANUAL.read_text(), re.MULTILINE)
    named = {topic: set(re.findall(r"`([a-z_]+\.[a-z_]+)`", types)) for topic, types in rows}
    for kind in EVERY_KIND.values():
        if kind.event is not None:
            assert kind.event.type in named[kind.event.topic], kind.event.type


@pytest.mark.parametrize("kind", OF_EVERY_ROUND, ids=lambda kind: kind.__name__)
def test_what_every_round_brings_is_told_to_nobody(kind: type[Fact]) -> None:
    assert EVERY_KIND[kind].event is None


def test_every_event_is_plain_json_without_a_float() -> None:
    told = set()
    for fact in several():
        if (event := event_of(fact)) is not None:
            data = json.loads(json.dumps(event.data(fact)), parse_float=_no_float)
            assert data == event.data(fact)
            told.add(event.type)
    assert told == {kind.event.type for kind in EVERY_KIND.values() if kind.event is not None}


def _no_float(text: str) -> None:
    raise AssertionError(f"{text} is a float")


def test_a_payment_is_told_in_minor_units() -> None:
    paid = next(fact for fact in several() if isinstance(fact, facts.WinPaid))
    event = event_of(paid)
    assert event is not None
    told = event.data(paid)
    assert (told["amount"], told["before"], told["after"]) == (paid.amount, paid.before, paid.after)
    assert told["approved_by"] == [one.person for one in paid.approvals]


def test_a_link_that_is_made_tells_its_parameters() -> None:
    made = next(fact for fact in several() if isinstance(fact, facts.LinkCreated))
    event = event_of(made)
    assert event is not None
    assert event.data(made)["seed"] == made.parameters.seed
