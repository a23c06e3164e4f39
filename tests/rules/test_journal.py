"""Facts are bytes, chained by hash, and they alone give the state."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace

import pytest

from jackpot.cards.cards import parse_all
from jackpot.core.codec import from_bytes, to_bytes
from jackpot.core.versions import RULES, SCHEMA
from jackpot.link.answers import read_said
from jackpot.link.commands import HandReport, ReportHands, VoidRound, content_of
from jackpot.link.facts import ForeignEntry, LinkClosed, Stamp, UnknownVersion, chain, read_entry
from jackpot.link.parameters import Changes
from jackpot.link.proposals import ParameterChange
from jackpot.link.rounds import MainGame
from jackpot.link.state import Link, in_order_made
from jackpot.machine.applying import apply, created
from tests.floor import ROYAL, Floor


def busy_floor() -> Floor:
    floor = Floor()
    win = floor.wins_major("s1", ROYAL["h"])
    floor.bets("h1", [1, 2, 3])
    floor.approve(win, "ana")
    floor.propose(ParameterChange(changes=Changes(seed=60_000_00)))
    return floor


def test_entries_are_canonical_json_without_floats() -> None:
    for entry in busy_floor().book.entries:
        parsed = json.loads(entry.data, parse_float=pytest.fail)
        assert (
            json.dumps(parsed, sort_keys=True, separators=(",", ":"), ensure_ascii=False).encode()
            == entry.data
        )
        assert parsed["schema"] == parsed["rules"] == 2


def test_an_entry_read_back_is_the_entry_that_was_written() -> None:
    head = ""
    for entry in busy_floor().book.entries:
        assert read_entry("main", entry.data, head) == entry
        head = entry.hash


def test_changing_one_byte_breaks_the_chain_from_there_on() -> None:
    entries = busy_floor().book.entries
    changed = entries[3].data.replace(b'"at":1', b'"at":2')
    assert changed != entries[3].data
    assert read_entry("main", changed, entries[2].hash).hash != entries[3].hash


def test_the_state_is_rebuilt_from_facts_alone() -> None:
    floor = busy_floor()
    before = floor.book.restart()
    assert before is not floor.book.link
    assert before == floor.book.link


def test_a_state_goes_through_bytes_unchanged() -> None:
    link = busy_floor().book.link
    assert from_bytes(Link, to_bytes(link)) == link


def test_proposals_come_back_in_the_order_in_which_they_were_made() -> None:
    """Or a start would change which of several facts is written first."""
    floor = busy_floor()
    for seed in range(60_001, 60_101):
        floor.propose(ParameterChange(changes=Changes(seed=seed * 100)))
    link = floor.book.link
    read = from_bytes(Link, to_bytes(link))
    assert [one.id for one in in_order_made(read.proposals)] == list(link.proposals)
    assert list(read.proposals) != list(link.proposals)


@dataclass(frozen=True)
class Numbered:
    boxes: dict[int, str]


def test_boxes_come_back_in_the_order_of_their_numbers() -> None:
    read = from_bytes(Numbered, to_bytes(Numbered(dict.fromkeys(range(1, 13), ""))))
    assert list(read.boxes) == [*range(1, 13)]


def test_a_version_it_does_not_know_stops_the_reader() -> None:
    entry = busy_floor().book.entries[0]
    for name, newest in (("schema", SCHEMA), ("rules", RULES)):
        newer = entry.data.replace(f'"{name}":{newest}'.encode(), f'"{name}":{newest + 1}'.encode())
        with pytest.raises(UnknownVersion, match=f"{name} {newest + 1}"):
            read_entry("main", newer, "")


def test_an_entry_of_another_link_is_not_read() -> None:
    with pytest.raises(ForeignEntry, match="main"):
        read_entry("other", busy_floor().book.entries[0].data, "")


def test_the_last_entry_of_a_command_holds_its_answer() -> None:
    floor = Floor()
    answer = floor.bets("s1", [1])
    said = read_said(floor.book.entries[-1].data)
    assert said is not None
    assert (said.key, said.answer) == ("s1/1/bets", answer)


def test_a_journal_begins_with_its_link() -> None:
    entry = chain("main", LinkClosed(person="ana", reason="night"), Stamp(1, 0), head="")
    with pytest.raises(ValueError, match="begins"):
        created(entry)


def test_a_fact_about_a_round_that_is_not_there_is_an_error() -> None:
    floor = Floor()
    other = Floor()
    other.bets("s1", [1])
    other.void("s1")
    with pytest.raises(ValueError, match="none"):
        apply(floor.link, other.book.entries[-1].fact, other.book.entries[-1].stamp)


def test_content_is_what_is_said_not_how_it_came() -> None:
    first = VoidRound(table="s1", round=1, reason="5.8.1", sent_at=1, received_at=1)
    assert content_of(first) == content_of(replace(first, sent_at=2, received_at=3, seq=4, live=False))
    assert content_of(first) != content_of(replace(first, round=9))


def test_what_a_table_says_of_the_main_game_is_kept_as_evidence() -> None:
    floor = Floor()
    floor.bets("s1", [1, 2])
    main = MainGame(bet=5000, decision="bet", examined=False, player="seat 3")
    told = HandReport(box=1, cards=parse_all(ROYAL["h"].split()), main=main)
    report = ReportHands(table="s1", round=1, sent_at=floor.now, received_at=floor.now, hands=(told,))
    floor.send(report)
    floor.book.restart()
    assert floor.link.tables["s1"].round.boxes[1].record.main == main
