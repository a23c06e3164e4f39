"""What one table can gain by lying to the House with its own token: nearly nothing, and it shows.

The table's clock and the House's are the same here, so that the true offset is none.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from tests.callers import ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now, refused
from tests.service import SEED, FloorFile, InThread, Json, in_thread
from tests.waiting import until

ROYAL_OF_SPADES = "As Ks Qs Js Ts"
AGREE_WITHIN = 50_000
"""Microseconds by which two clocks of one machine may have come apart."""
RAISED = 100_000_000
"""What the House adds to the meter, so that an old reading is worth lying for."""


@pytest.fixture(scope="module")
def strict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InThread]:
    """Links on which no stamp decides, and on which silence is soon noticed."""
    folder, floor = tmp_path_factory.mktemp("strict"), FloorFile()
    floor.add_people()
    floor.add_link("witnessed", order_basis="witnessed")
    floor.add_link("impatient", silent_after_s=1)
    with in_thread(_store(folder), floor, folder) as service:
        yield service


def _store(folder: Path) -> str:
    return f"sqlite+aiosqlite:///{folder / 'book.db'}"


def alerts(floor: Floor, table: Controller) -> set[str]:
    listed = done(floor.get("tables"))["tables"]
    found = next(one for one in listed if one["id"] == table.table)
    return {alert["code"] for alert in found["alerts"]}


def span(win: Json, name: str) -> tuple[datetime, datetime]:
    return datetime.fromisoformat(win[name]["from"]), datetime.fromisoformat(win[name]["to"])


def is_inside(win: Json) -> bool:
    """The stamped interval inside of the witnessed one."""
    (start, end), (earliest, latest) = span(win, "interval"), span(win, "witnessed")
    return earliest <= start <= end <= latest


def stands_before(win: Json, other: Json, interval: str = "interval") -> bool:
    return span(win, interval)[1] < span(other, interval)[0]


def later(moment: str, seconds: float) -> str:
    return (datetime.fromisoformat(moment) + timedelta(seconds=seconds)).isoformat(timespec="microseconds")


def claims(floor: Floor) -> list[Json]:
    return list(done(floor.get("claims", "ada"))["claims"])


def dealt(table: Controller, cards: str = STRAIGHT_FLUSH, **more: object) -> str:
    """That hand in the round in play; the id of its win."""
    answer = done(table.hands({1: {"cards": cards.split()} | more}))
    return str(answer["results"][0]["win"])


def proof(floor: Floor, win: str) -> Json:
    return done(floor.get(f"wins/{win}", "ada"))


def test_a_win_on_a_quiet_floor_is_ordered_at_once(floor: Floor) -> None:
    for table in floor.tables:
        done(table.beat())
    win = floor.waiting(floor.stud.wins())
    assert (win["state"], win["waiting_for"]) == ("ordered", [])
    assert win["basis"] == "witnessed"


def test_backdated_closings_order_nothing(floor: Floor) -> None:
    honest, liar = floor.stud, floor.stud2
    first = honest.wins()
    done(liar.bets(closed_at=now(-3000)))
    second = floor.waiting(dealt(liar, dealt_at=now()))
    first_win = floor.waiting(first)
    assert [first_win["position"], second["position"]] == [1, 2]
    assert stands_before(first_win, second, "witnessed")
    assert (first_win["basis"], second["basis"]) == ("witnessed", "witnessed")
    assert is_inside(second)


def test_a_claimed_clock_decides_nothing(floor: Floor) -> None:
    honest, liar = floor.stud, floor.stud2
    word = {"offset_us": -1_900_000, "error_us": 0}
    for table in (honest, liar):
        done(table.beat(clock=word if table is liar else {"offset_us": 0, "error_us": 0}))
        done(table.bets())
    first = dealt(honest, dealt_at=now())
    second = dealt(liar, dealt_at=now())
    evidence = proof(floor, second)["evidence"]
    assert evidence["offset_from_us"] <= AGREE_WITHIN
    assert evidence["offset_to_us"] >= -AGREE_WITHIN
    assert not stands_before(floor.waiting(second), floor.waiting(first))
    told = next(one for one in done(floor.get("tables"))["tables"] if one["id"] == liar.table)
    assert told["clock"]["word"] == word


def test_silence_holds_only_its_own_open_round(strict: InThread) -> None:
    floor = Floor(strict, "impatient")
    honest, liar, idle = floor.stud, floor.stud2, floor.holdem
    done(idle.beat())
    done(liar.bets())
    win = honest.wins()
    done(floor.approve(win, "ana"))
    assert floor.waiting(win)["waiting_for"] == [liar.table]
    assert until(lambda: "table_silent" in alerts(floor, liar))
    assert floor.waiting(win)["state"] == "pending"
    done(liar.bets())  # its next round was journalled after the win: nothing of it was dealt before
    assert floor.waiting(win)["state"] == "paid"


def test_slow_heartbeats_order_nothing(floor: Floor) -> None:
    honest, liar, slow = floor.stud, floor.stud2, -30.0
    done(liar.beat(seq=1))
    for number in range(2, 6):
        heard = None if liar.echo is None else later(liar.echo["heard_at"], slow)
        echo = None if liar.echo is None else liar.echo | {"heard_at": heard}
        done(liar.beat(seq=number, sent_at=now(slow), echo=echo))
    assert "clock_set" in alerts(floor, liar)
    win = honest.wins()
    assert floor.waiting(win)["state"] == "ordered"
    done(liar.bets(seq=6, sent_at=now(slow), closed_at=now(slow)))
    body = {"box": 1, "cards": STRAIGHT_FLUSH.split(), "dealt_at": now(slow)}
    answer = done(liar.send("hands", {"sent_at": now(slow), "seq": 7, "hands": [body]}))
    second = floor.waiting(answer["results"][0]["win"])
    assert is_inside(second)
    assert (second["position"], second["basis"]) == (2, "witnessed")


def _false(kind: str, liar: Controller, other: Controller, oldest: Json) -> Json:
    """An echo that says something untrue."""
    assert liar.echo is not None
    assert other.echo is not None
    return {
        "heard too early": liar.echo | {"heard_at": later(liar.echo["heard_at"], -30)},
        "heard too late": liar.echo | {"heard_at": now()},
        "never said": liar.echo | {"replied_at": later(liar.echo["replied_at"], 0.000001)},
        "of another table": other.echo | {"heard_at": later(liar.echo["heard_at"], -30)},
        "replayed": oldest,
    }[kind]


@pytest.mark.parametrize(
    "kind", ["heard too early", "heard too late", "never said", "of another table", "replayed"]
)
def test_false_echoes_move_a_win_only_within_what_was_witnessed(floor: Floor, kind: str) -> None:
    earlier, honest, liar = floor.holdem, floor.stud, floor.stud2
    done(liar.beat())
    assert liar.echo is not None
    oldest = liar.echo
    before = earlier.wins(STRAIGHT_FLUSH)
    done(liar.bets())
    meanwhile = honest.wins()
    echo = _false(kind, liar, honest, oldest)
    answer = done(
        liar.send(
            "hands",
            {
                "sent_at": now(),
                "echo": echo,
                "hands": [{"box": 1, "cards": STRAIGHT_FLUSH.split(), "dealt_at": now()}],
            },
        )
    )
    lie = floor.waiting(answer["results"][0]["win"])
    evidence = proof(floor, lie["id"])["evidence"]
    assert is_inside(lie)
    assert evidence["offset_from_us"] is None or evidence["offset_from_us"] <= AGREE_WITHIN
    assert stands_before(floor.waiting(before), lie, "witnessed")
    assert not stands_before(lie, floor.waiting(meanwhile))
    assert lie["basis"] != "witnessed"
    assert ("clock_set" in alerts(floor, liar)) == (kind == "heard too early")


@pytest.mark.parametrize("shift", [-1.9, 1.9])
def test_stamps_move_a_win_only_within_what_was_witnessed(floor: Floor, shift: float) -> None:
    earlier, honest, liar = floor.holdem, floor.stud, floor.stud2
    before = earlier.wins(STRAIGHT_FLUSH)
    done(liar.bets(closed_at=now(-1.9)))
    answered = now()
    meanwhile = honest.wins()
    refused(liar.hands({1: {"cards": STRAIGHT_FLUSH.split(), "dealt_at": now(-10)}}), 422)
    refused(liar.hands({1: {"cards": STRAIGHT_FLUSH.split(), "dealt_at": now(10)}}), 422)
    possible = floor.waiting(dealt(liar, dealt_at=answered))
    assert is_inside(possible)
    assert possible["basis"] != "witnessed"  # wherever it stands, the House did not see it
    assert stands_before(floor.waiting(before), possible, "witnessed")
    assert "dealt_outside" not in alerts(floor, liar)
    moved = later(answered, shift) if shift < 0 else now(shift)
    lie = floor.waiting(dealt(liar, dealt_at=moved))
    assert is_inside(lie)
    assert lie["interval"] == lie["witnessed"]
    assert lie["basis"] is None  # ambiguous with the honest win: the House decides
    assert sorted(lie["cluster"]) == sorted([meanwhile, lie["id"]])
    assert "dealt_outside" in alerts(floor, liar)


def test_a_deal_before_its_bets_were_answered_is_cut_and_alerted(floor: Floor) -> None:
    liar = floor.stud
    done(liar.beat())
    done(liar.bets(closed_at=now(-100)))
    assert alerts(floor, liar) == set()
    win = dealt(liar, dealt_at=now(-60))
    told = proof(floor, win)
    assert told["interval"] == told["witnessed"]
    assert told["evidence"]["outside"] is True
    assert "dealt_outside" in alerts(floor, liar)


def test_with_witnessed_order_no_stamp_decides(strict: InThread) -> None:
    floor = Floor(strict, "witnessed")
    honest, liar = floor.stud, floor.stud2
    done(liar.bets())
    answered = now()
    first = honest.wins()
    lie = dealt(liar, dealt_at=answered)
    told = floor.waiting(lie)
    assert span(told, "interval")[1] < span(told, "witnessed")[1]  # its stamp is believed for nothing
    assert (told["ambiguous"], told["basis"], told["state"]) == (True, None, "pending")
    for win in (first, lie):
        done(floor.approve(win, "ana"))
    assert floor.waiting(first)["state"] == "pending"
    done(floor.post("order", "sue", {"wins": [first, lie], "reason": "camera 3"}))
    assert floor.waiting(first)["amount"] > floor.waiting(lie)["amount"]


# Old readings


def raised(floor: Floor) -> None:
    done(floor.agree("adjustments", {"amount": RAISED, "from": "house", "reason": "a year of play"}))
    assert floor.meter()["value"] == SEED + RAISED


def broken(liar: Controller, floor: Floor, observed_at: str) -> Json:
    """The table declares a malfunction of itself."""
    said = {
        "scope": {"table": liar.table},
        "observed_at": observed_at,
        "cards_seen": {liar.table: True},
        "then": "progressive_off",
    }
    return done(floor.service.post("/v1/malfunctions", liar.table, said))


def test_a_malfunction_of_itself_falls_back_to_nothing_older_than_was_heard(floor: Floor) -> None:
    """The attack: bets stamped as closed before another table's paid royal, then a malfunction before it."""
    honest, liar = floor.stud, floor.stud2
    done(liar.beat())
    raised(floor)
    long_ago = now()
    floor.paid(honest, ROYAL, "ana", "ben")
    assert floor.meter()["value"] == SEED
    told = done(liar.bets(closed_at=long_ago))["meter"]
    broken(liar, floor, long_ago)
    win = floor.waiting(dealt(liar, ROYAL_OF_SPADES, dealt_at=now()))
    assert told["value"] == SEED + 200
    assert win["amount"] == told["value"]
    assert win["registered"]["sequence"] >= told["sequence"]
    for person in ("ana", "ben"):
        done(floor.approve(win["id"], person))
    assert floor.waiting(win["id"])["amount"] == told["value"]


def test_bets_from_before_a_paid_royal_make_a_case_for_the_house(floor: Floor) -> None:
    """Its round was open all the while, until the House took the table out to pay the other."""
    honest, liar = floor.stud, floor.stud2
    raised(floor)
    done(liar.bets())
    long_ago = now()
    royal = honest.wins(ROYAL)
    for person in ("ana", "ben"):
        done(floor.approve(royal, person))
    assert floor.waiting(royal)["waiting_for"] == [liar.table]
    done(floor.service.post(f"/v1/tables/{liar.table}/close", "ana", {"reason": "silent"}))
    assert floor.waiting(royal)["state"] == "paid"
    value = floor.meter()["value"]
    broken(liar, floor, long_ago)
    answer = done(liar.hands({1: {"cards": ROYAL_OF_SPADES.split(), "dealt_at": now()}}))
    assert answer["results"][0]["win"] is None
    assert [claim["reason"] for claim in claims(floor)] == ["before_paid_royal"]
    assert floor.meter()["value"] == value


def test_a_malfunction_before_a_royal_is_paid_gains_nothing_once_it_is(floor: Floor) -> None:
    """It declares itself broken while the meter is high, and waits until another table has emptied it."""
    honest, liar = floor.stud, floor.stud2
    raised(floor)
    done(liar.bets())
    broken(liar, floor, now())
    floor.paid(honest, ROYAL, "ana", "ben")
    value = floor.meter()["value"]
    answer = done(liar.hands({1: {"cards": ROYAL_OF_SPADES.split(), "dealt_at": now()}}))
    assert answer["results"][0]["win"] is None
    assert [claim["reason"] for claim in claims(floor)] == ["before_paid_royal"]
    assert floor.meter()["value"] == value


@pytest.mark.parametrize("remembered", ["a true reading", "an invention"])
def test_an_old_promise_is_a_case_for_the_house(floor: Floor, remembered: str) -> None:
    honest, liar = floor.stud, floor.stud2
    raised(floor)
    old = done(liar.beat())["meter"]
    assert old["value"] == SEED + RAISED
    promise = old if remembered == "a true reading" else old | {"value": old["value"] + 1}
    long_ago = now()
    floor.paid(honest, ROYAL, "ana", "ben")
    done(liar.bets())
    value = floor.meter()["value"]
    hand = {"box": 1, "cards": ROYAL_OF_SPADES.split(), "dealt_at": now()}
    answer = liar.events(
        {"kind": "hands", "round": 1, "sent_at": now(), "hands": [hand], "final": True},
        offline={"since": long_ago, "cards_seen": True, "registered": promise},
    )
    results = done(answer)["answers"][0]["answer"]["results"]
    assert results[0]["win"] is None
    assert [claim["reason"] for claim in claims(floor)] == ["promise_denied"]
    assert "promise_denied" in alerts(floor, liar)
    assert (floor.meter()["value"], floor.meter()["state"]) == (value, "open")


def test_a_spooled_major_needs_two_people(floor: Floor) -> None:
    liar = floor.stud
    done(liar.beat())
    done(liar.bets())
    hand = {"box": 1, "cards": STRAIGHT_FLUSH.split(), "dealt_at": now()}
    event = {"kind": "hands", "round": 1, "sent_at": now(), "hands": [hand]}
    results = done(liar.events(event))["answers"][0]["answer"]["results"]
    win = results[0]["win"]
    told = floor.waiting(win)
    assert (told["spooled"], told["approvals_needed"]) == (True, 2)
    assert told["interval"] == told["witnessed"]
    done(floor.approve(win, "ana"))
    assert floor.waiting(win)["state"] == "ordered"
    assert done(liar.events(event))["answers"][0]["answer"]["results"] == results
    done(liar.send("hands", {"sent_at": now(), "hands": [hand]}))  # said again as if it were live
    assert floor.waiting(win)["approvals_needed"] == 2
    done(floor.approve(win, "ben"))
    assert floor.waiting(win)["state"] == "paid"
