"""Two nights on a floor with three links: everything that can happen to a book, once.

It is told over HTTP, so that the book is what the service at hand makes of it. Its end leaves open whatever
can be left open: a round, a hold with carryover, a claim, malfunctions, a proposal, a login.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from api.routing.auth import SIGN_COOKIE
from tests.callers import BOX, NOTHING, QUADS, ROYAL, STRAIGHT_FLUSH, Controller, Floor, done, now, refused
from tests.service import PASSWORD, SEED, SIGN, FloorFile, Json, Served, full_floor, token_of

FLUSH = "Kd Jd 9d 5d 2d"
PAIR = "9c 9d Kh 7s 2d"
OTHER_PAIR = "8c 8d Kh 7s 2d"
DEALER = {"cards": ["Ac", "Kd", "8h", "5s", "3c"]}
WALL = "wall-north"


@dataclass(frozen=True, slots=True)
class End:
    """What there is to ask about when the story is over."""

    at: str
    links: tuple[str, ...]
    signs: tuple[str, ...]
    proved: tuple[tuple[str, str], ...]
    """Wins whose proof is kept, each with its link."""
    rounds: tuple[str, ...]


# The floor file, at first and as it was applied last


def first_floor() -> FloorFile:
    """`main` is plain, `high` has a ceiling, `old` will be retired."""
    floor = full_floor("main")
    floor.add_link("high", ceiling=SEED + 500, approvals={"straight_flush": 2, "royal_flush": 3})
    floor.add_link("old", top_up_to_seed=True, public_readings=False)
    floor.add_credential("ira", "operator")
    return floor


def last_floor() -> FloorFile:
    """A table and somebody new, another token for ben, and ira is gone."""
    floor = first_floor()
    floor.add_table("main-stud-03", "main")
    floor.add_credential("eve", "operator")
    floor.credential = [entry for entry in floor.credential if entry["name"] != "ira"]
    (ben,) = [entry for entry in floor.credential if entry["name"] == "ben"]
    ben["token_sha256"] = sha256(token_of("ben", 2).encode()).hexdigest()
    return floor


# Chapters


def first_night(service: Served) -> None:
    main, high, old = (Floor(service, link) for link in ("main", "high", "old"))
    for table in (*main.tables, *high.tables, old.stud):
        done(table.beat())
    _main_games(main)
    _jackpot_hands(main)
    _voids_and_irregularities(main)
    _parameters(main, high)
    _majors(main)
    _handed_over(main)
    _majors_that_are_not_paid(main)
    _ambiguous_order(main)
    _late_claims(main)
    _malfunctions(main)
    _offline(main)
    _ceiling(high)
    _another_clock(high)
    _tables_come_and_go(main)
    _miscounted(main)
    _money_between_links(main, high, old)
    _people(service)
    _signs(main)


def second_night(service: Served) -> End:
    main, high = Floor(service, "main"), Floor(service, "high")
    _continue_counting(main, high)
    _other_credentials(main)
    new = Controller(service, "main-stud-03")
    done(new.beat())
    done(new.bets([1, 2]))
    done(new.hands({1: FLUSH, 2: None}, final=True))
    _left_open_on_high(high)
    pending = _left_open_on_main(main)
    _signs_again(main)
    royals = [
        (floor.link, win["id"])
        for floor in (main, high)
        for win in done(floor.get("wins"))["wins"]
        if win["hand"] == "royal_flush" and win["state"] != "withdrawn"
    ]
    rounds = [
        f"/v1/tables/{table.table}/rounds/{number}"
        for table, numbers in {
            main.stud: (1, 2, 3, 4, 5, main.stud.round),
            main.stud2: (1, 10, 11),
            main.holdem: (1, 2, main.holdem.round),
        }.items()
        for number in numbers
    ]
    assert ("main", pending) in royals
    return End(now(), ("main", "high", "old"), (SIGN, WALL), tuple(royals), tuple(rounds))


def _continue_counting(*floors: Floor) -> None:
    """The tables number their rounds from where they left off before the stop."""
    for floor in floors:
        told = {one["id"]: one for one in done(floor.get("tables"))["tables"]}
        for table in floor.tables:
            table.round = (told[table.table]["round"] or {"round": 0})["round"]


def _main_games(floor: Floor) -> None:
    """Of both games: wagers, decisions, a correction that changes what was handed out, and the end."""
    boxes: list[int | Json] = [
        BOX,
        2,
        {"box": 3, "progressive": 500},
        BOX | {"box": 4, "progressive": 700},
        BOX | {"box": 5, "progressive": 300},
    ]
    done(floor.stud.bets(boxes))
    stays = {"decision": "bet", "bet": 5000, "examined": True}
    hands: dict[int, Any] = {
        1: {"cards": PAIR.split(), "player": "a guest", **stays},
        2: {"cards": ["Qc", "Td", "6h", "4s", "2c"], "folded": True, "decision": "fold"},
        4: {"cards": ["Ah", "Qh", "Js", "7d", "4c"], **stays},
        5: {"revealed": False, "decision": "fold"},
    }
    done(floor.stud.hands(hands, dealer=DEALER))
    hands[1]["cards"] = OTHER_PAIR.split()
    done(floor.stud.hands(hands, dealer=DEALER))
    done(floor.stud.hands(hands, dealer=DEALER, final=True))
    refused(floor.stud.hands({1: NOTHING}), 409, "round_stands")

    done(floor.holdem.bets([BOX | {"bonus": 500}, 2]))
    holes: dict[int, Any] = {
        1: {"cards": ["Jh", "Js"], "flop": 5000, "decision": "bet"},
        2: {"cards": ["Ad", "4c"], "folded": True, "decision": "fold"},
    }
    done(floor.holdem.hands(holes, community="2c 7d 9s"))
    holes[1] |= {"turn": 2500, "river": 0}
    whole: Json = {"community": "2c 7d 9s Jc 3h", "dealer": {"cards": ["9h", "5d"]}}
    done(floor.holdem.hands(holes, **whole))
    done(floor.holdem.hands(holes, final=True, **whole))


def _jackpot_hands(floor: Floor) -> None:
    """Tables that tell the jackpot's hands alone, with minors, one taken back, and a round nobody ends."""
    done(floor.stud2.bets([1, 2, 3, 7]))
    done(floor.stud2.hands({1: QUADS, 2: "Ts Th Tc 4h 4s", 3: "Ad Jd 8d 5d 2d", 7: None}))
    done(floor.stud2.hands({1: QUADS, 2: "Ts Th Tc 4h 5s", 3: "6s 5h 4d 3c 2s", 7: None}))
    done(floor.stud2.bets([1, 2]))
    done(floor.stud2.hands({1: NOTHING}))
    done(floor.stud2.bets([1]))
    done(floor.stud2.hands({1: {"cards": NOTHING.split(), "folded": True}}, final=True))
    done(floor.holdem2.bets([1, 4]))
    done(floor.holdem2.hands({1: "Ah Kh", 4: "3c 3d"}, community="Qh 7h 3h", final=True))
    refused(floor.holdem2.bets([8]), 422)
    floor.holdem2.round -= 1


def _voids_and_irregularities(floor: Floor) -> None:
    done(floor.stud.bets([1, 2]))
    done(floor.stud.void(note="a card fell"))
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: {"invalidated": "5.15"}, 2: PAIR}))
    done(floor.stud.hands({1: QUADS, 2: OTHER_PAIR}))
    done(floor.stud.hands({1: {"invalidated": "5.15"}, 2: OTHER_PAIR}, final=True))
    done(floor.stud.bets([1, 2]))
    done(floor.stud.hands({1: FLUSH, 2: "Qc Td 6s 4s 2c"}))
    returned = {"paragraph": "5.10", "reconstructed": False, "boxes": [1], "choices": {"1": "return"}}
    done(_irregular(floor.stud, floor, returned | {"note": "dealt out of turn"}))
    refused(_irregular(floor.stud, floor, {"paragraph": "5.8.3"}, by="ana"), 403)
    done(floor.stud.hands({2: "Qc Td 6s 4s 2c"}, final=True))
    done(floor.holdem2.bets([1, 2]))
    done(floor.holdem2.hands({1: "Ah Kh", 2: "3c 3d"}, community="Qh Jh Th"))
    done(_irregular(floor.holdem2, floor, {"paragraph": "5.8.3", "note": "a boxed card"}))


def _irregular(table: Controller, floor: Floor, said: Json, by: str = "sue") -> Any:
    return floor.service.post(table.path("irregularities"), by, said)


def _parameters(main: Floor, high: Floor) -> None:
    """On `main` from the next reset on, on `high` at once; an adjustment, and one that is taken back."""
    season = {"seed": SEED + 100_000, "reason": "new season", "when": "next_reset"}
    done(main.agree("seed", season))
    done(main.agree("adjustments", {"amount": 700, "from": "house", "reason": "a sticky button"}))
    moot = done(main.post("adjustments", "ana", {"amount": -900, "from": "house", "reason": "a mistake"}))
    refused(main.confirm(moot["proposal"], "ana-desk"), 403, "same_person")
    done(main.service.post(f"/v1/proposals/{moot['proposal']}/withdraw", "ana"))
    refused(high.post("seed", "ana", season | {"when": "now"}), 409, "link_not_closed")
    done(high.post("close", "ana", {"reason": "new season"}))
    assert done(high.stud.bets())["returned"][0]["code"] == "link_closed"
    rates = {"meter_ppm": 300_000, "reserve_ppm": 100_000, "reason": "new season", "when": "now"}
    done(high.agree("parameters", rates))
    done(high.agree("open", {"reason": "start of business"}))


def _majors(floor: Floor) -> None:
    """Paid: a straight flush by one person, a royal by two, which resets to the scheduled seed."""
    key = {"Idempotency-Key": "the first straight flush"}
    first = floor.stud.wins(STRAIGHT_FLUSH)
    for _ in range(2):
        done(floor.post(f"wins/{first}/approve", "ana", {"note": "seen on camera"}, headers=key))
    royal = floor.holdem.wins(ROYAL)
    done(floor.stud2.bets([1, 2, 3]))  # carried over
    done(floor.stud2.hands({1: NOTHING, 2: None, 3: None}, final=True))
    done(floor.approve(royal, "ana"))
    refused(floor.approve(royal, "ana"), 409, "already_approved")
    refused(floor.approve(royal, "ada"), 403)
    done(floor.approve(royal, "ben"))
    assert [floor.waiting(win)["state"] for win in (first, royal)] == ["paid", "paid"]
    assert done(floor.service.get("/v1/links", "ada"))["links"][1]["parameters"]["seed"] == SEED + 100_000


def _handed_over(floor: Floor) -> None:
    """By one, by two, and not to a name."""
    small, royal = [one["win"] for one in done(floor.get("handovers"))["handovers"]][::-1]
    for win in (small, royal):
        done(floor.post(f"wins/{win}/slip", "ana", None))
    cash = {"reference": "IDC-2026-0001", "method": "cash"}
    refused(floor.post(f"wins/{small}/hand-over", "ana", cash), 403, "same_person")
    refused(floor.post(f"wins/{small}/hand-over", "ben", cash | {"reference": "Tan"}), 422, "reference_wrong")
    done(floor.post(f"wins/{small}/hand-over", "ben", cash))
    cheque = {"reference": "IDC-2026-0002", "method": "cheque", "note": "cheque 100871"}
    proposal = done(floor.post(f"wins/{royal}/hand-over", "ana", cheque))["proposal"]
    done(floor.confirm(proposal, "tom"))
    refused(floor.post(f"wins/{royal}/unclaimed", "sue", {"reason": "nobody came"}), 409, "handed_over")


def _majors_that_are_not_paid(floor: Floor) -> None:
    """Rejected by one and by two, withdrawn by a correction and by a void, replaced by a correction."""
    done(floor.post(f"wins/{floor.stud.wins()}/reject", "sue", {"reason": "a marked card"}))
    royal = floor.stud.wins(ROYAL)
    rejection = done(floor.post(f"wins/{royal}/reject", "sue", {"reason": "a card switched"}))["proposal"]
    done(floor.confirm(rejection, "tom"))
    royal = floor.stud.wins(ROYAL)
    moot = done(floor.post(f"wins/{royal}/reject", "sue", {"reason": "the wrong camera"}))["proposal"]
    done(floor.stud.hands({1: "Ah Kh Qh Jh Ts"}, final=True))
    refused(floor.confirm(moot, "tom"), 409, "proposal_ended")
    floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.stud.void(reason="5.8.1", note="two cards stuck together"))
    replaced = floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.approve(replaced, "ana"))
    done(floor.stud2.bets([1]))
    done(floor.stud2.hands({1: NOTHING}, final=True))
    answer = done(floor.stud.hands({1: "Ts 9s 8s 7s 6s"}, final=True))
    done(floor.approve(answer["results"][0]["win"], "ben"))
    assert floor.meter()["state"] == "open"


def _ambiguous_order(floor: Floor) -> None:
    """Neither table says when it dealt: the House orders, looks again, and orders otherwise."""
    pair = (floor.stud, floor.stud2)
    for table in pair:
        done(table.bets())
    wins = [_undated(table) for table in pair]
    refused(floor.post("order", "sue", {"wins": wins[:1], "reason": "camera 3"}), 422, "order_incomplete")
    done(floor.post("order", "sue", {"wins": wins, "reason": "camera 3"}))
    done(floor.post("order", "tom", {"wins": wins[::-1], "reason": "camera 4"}))
    for win in wins:
        done(floor.approve(win, "ana"))
    assert [floor.waiting(win)["state"] for win in wins] == ["paid", "paid"]
    for table in pair:
        done(table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}, final=True))


def _undated(table: Controller) -> str:
    return str(done(table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}))["results"][0]["win"])


def _late_claims(floor: Floor) -> None:
    """Of a table that was closed and so held nobody back, and of settled rounds."""
    done(floor.stud2.bets())
    win = floor.holdem.wins()
    done(floor.approve(win, "ana"))
    path = f"/v1/tables/{floor.stud2.table}"
    done(floor.service.post(f"{path}/close", "ana", {"reason": "silent"}))
    assert floor.waiting(win)["state"] == "paid"
    late = done(floor.stud2.hands({1: {"cards": ROYAL.split()}}, final=True))["results"][0]["claim"]
    _decided(floor, late, "registered")
    done(floor.service.post(f"{path}/open", "ana", {"reason": "heard again"}))
    for outcome, cards in (("in_order", ROYAL), ("refused", STRAIGHT_FLUSH)):
        claim = _claimed(floor.stud, cards)
        _decided(floor, claim, outcome)
        refused(floor.service.post(f"/v1/claims/{claim}/decide", "sue", _decision(outcome)), 409)


def _claimed(table: Controller, cards: str) -> str:
    done(table.bets())
    done(table.hands({1: None}, final=True))
    return str(done(table.hands({1: cards}))["results"][0]["claim"])


def _decided(floor: Floor, claim: str, outcome: str) -> None:
    proposal = done(floor.service.post(f"/v1/claims/{claim}/decide", "sue", _decision(outcome)))["proposal"]
    done(floor.confirm(proposal, "tom"))


def _decision(outcome: str) -> Json:
    return {"outcome": outcome, "reason": "camera footage"}


def _malfunctions(floor: Floor) -> None:
    """Of a table; of the link, with rounds seen and not seen and a major paid from the registered amount."""
    sensor = _declared(floor, {"table": floor.stud2.table}, note="bet sensors dead")
    assert done(floor.stud2.bets())["returned"][0]["code"] == "progressive_off"
    done(floor.stud2.hands({}, final=True))
    _cleared(floor, sensor)
    done(floor.stud.bets([1, 2]))
    done(floor.holdem.bets())
    done(floor.stud2.bets())
    seen = {floor.stud.table: True, floor.holdem.table: False, floor.stud2.table: True}
    power = _declared(floor, {"link": floor.link}, cards_seen=seen, then="close", note="power cut")
    answer = done(floor.stud.hands({1: ROYAL, 2: None}, final=True))
    done(floor.stud2.hands({1: QUADS}, final=True))
    win = answer["results"][0]["win"]
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    _cleared(floor, power)
    assert floor.waiting(win)["state"] == "paid"
    own = floor.service.post(
        "/v1/malfunctions",
        floor.holdem2.table,
        {"scope": {"table": floor.holdem2.table}, "observed_at": now(), "then": "close"},
    )
    _cleared(floor, done(own)["id"])


def _declared(floor: Floor, scope: Json, **more: Any) -> str:
    said = {"scope": scope, "observed_at": now(), "then": "progressive_off"} | more
    return str(done(floor.service.post("/v1/malfunctions", "sue", said))["id"])


def _cleared(floor: Floor, malfunction: str) -> None:
    done(floor.service.post(f"/v1/malfunctions/{malfunction}/clear", "sue", {"note": "repaired"}))


def _offline(floor: Floor) -> None:
    """Spools: a promise that the journal has, one that it denies, a void, and a claim that comes of it."""
    table = floor.stud2
    meter = done(table.bets())["meter"]
    lost = {"since": now(), "cards_seen": True, "registered": meter}
    won = _hands_event(table, STRAIGHT_FLUSH)
    win = done(table.events(won, offline=lost))["answers"][0]["answer"]["results"][0]["win"]
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    assert floor.waiting(win)["state"] == "paid"
    done(table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}, final=True))

    meter = done(table.bets())["meter"]
    denied = {"since": now(), "cards_seen": True, "registered": meter | {"value": meter["value"] + 5}}
    told = done(table.events(_hands_event(table, ROYAL), offline=denied))["answers"][0]["answer"]
    assert told["results"][0]["claim"], told
    done(table.hands({1: NOTHING}, final=True))  # the claim is withdrawn
    meter = done(table.bets())["meter"]
    denied = {"since": now(), "cards_seen": True, "registered": meter | {"value": meter["value"] + 5}}
    told = done(table.events(_hands_event(table, ROYAL, final=True), offline=denied))["answers"][0]["answer"]
    _decided(floor, told["results"][0]["claim"], "promised")

    done(table.bets())
    void = {"kind": "void", "round": table.round, "sent_at": now(), "reason": "5.17"}
    beat = {"kind": "heartbeat", "sent_at": now()}
    unseen = {"since": now(), "cards_seen": False, "registered": None}
    done(table.events(void, beat, {"kind": "nonsense"}, offline=unseen))


def _hands_event(table: Controller, cards: str, *, final: bool = False) -> Json:
    hands = [{"box": 1, "cards": cards.split()}]
    return {"kind": "hands", "round": table.round, "sent_at": now(), "hands": hands, "final": final}


def _ceiling(floor: Floor) -> None:
    """Bets above the ceiling go to overflow, a void takes them from there, and a royal's reset brings it
    back."""
    done(floor.stud.bets([1, 2, 3, 4, 5, 6, 7]))
    done(floor.stud.hands({1: QUADS, **dict.fromkeys(range(2, 8))}, final=True))
    done(floor.stud.bets([1, 2]))
    done(floor.stud.void())
    win = floor.stud2.wins(ROYAL)
    done(floor.stud.bets([1, 2, 3]))
    done(floor.stud.hands(dict.fromkeys((1, 2, 3)), final=True))
    for person in ("ana", "ben", "sue"):
        done(floor.approve(win, person))
    assert floor.waiting(win)["state"] == "paid"
    done(floor.stud2.hands({1: ROYAL}, final=True))
    done(floor.stud.bets([1, 2, 3, 4, 5, 6, 7]))
    done(floor.stud.hands(dict.fromkeys(range(1, 8)), final=True))
    done(floor.agree("adjustments", {"amount": -100, "from": "overflow", "reason": "kept for the next"}))
    higher = {"ceiling": SEED + 900, "reason": "room for more", "when": "next_reset"}
    done(floor.agree("parameters", higher))


def _another_clock(floor: Floor) -> None:
    """A table that numbers its messages, and whose clock is three seconds slow."""
    table, slow = floor.holdem2, -3.0

    def stamped(seq: int) -> Json:
        return {"sent_at": now(slow), "seq": seq}

    clock = {"offset_us": 3_000_000, "error_us": 2000}
    done(table.beat(clock=clock, **stamped(1)))
    refused(table.beat(clock=clock, **stamped(7)), 409, "gap")
    done(table.bets(closed_at=now(slow), **stamped(2)))
    dealt = {"cards": STRAIGHT_FLUSH.split()[:2], "dealt_at": now(slow), "deal_order": 1}
    flop = " ".join(STRAIGHT_FLUSH.split()[2:])
    answer = done(table.hands({1: dealt}, community=flop, final=True, **stamped(3)))
    win = answer["results"][0]["win"]
    for person in ("ana", "ben"):
        done(floor.approve(win, person))
    done(table.beat(clock=clock, **stamped(4)))
    assert floor.waiting(win)["state"] == "paid"


def _tables_come_and_go(floor: Floor) -> None:
    path = f"/v1/tables/{floor.holdem.table}"
    done(floor.service.post(f"{path}/close", "ana", {"reason": "shift"}))
    assert done(floor.holdem.bets())["returned"][0]["code"] == "table_closed"
    done(floor.holdem.hands({}, final=True))
    done(floor.service.post(f"{path}/open", "sue", {"reason": "shift"}))
    done(floor.service.post(f"{path}/limits", "ana", {"maximum": 500_000, "reason": "Friday night"}))
    done(floor.holdem2.beat(in_play=False))
    there = f"/v1/tables/{floor.link}-guest"
    guest = {"id": f"{floor.link}-guest", "game": "casino_stud", "boxes": 5, "reason": "the feast"}
    done(floor.service.post(f"/v1/links/{floor.link}/tables", "sue", guest))
    done(floor.service.post(f"{there}/move", "sue", {"to": "high", "reason": "the big game"}))


def _miscounted(floor: Floor) -> None:
    """A controller has counted otherwise than the House; it is settled, and happens again."""
    done(floor.holdem.bets())
    done(floor.holdem.hands({1: None}, final=True))
    for more in (500, 700):
        tables = done(floor.get("reconciliation"))["tables"]
        found = next(one for one in tables if one["table"] == floor.holdem.table)
        meters = found["house"] | {"bets": found["house"]["bets"] + more}
        done(floor.holdem.beat(meters=meters | {"round": found["round"], "first": 1}))
        if more == 500:
            told = done(floor.get("reconciliation"))["tables"]
            (open_one,) = [one["difference"]["id"] for one in told if one["difference"]]
            reason = {"reason": "a chip counted twice"}
            refused(floor.service.post(f"/v1/differences/{open_one}/mend", "ana", reason), 403)
            done(floor.service.post(f"/v1/differences/{open_one}/mend", "sue", reason))


def _money_between_links(main: Floor, high: Floor, old: Floor) -> None:
    done(main.agree("transfer", {"to": "high", "amount": 1000, "reason": "one pool too many"}))
    done(old.stud.bets([1, 2]))
    done(old.stud.hands({1: FLUSH, 2: None}, final=True))
    done(old.post("adjustments", "ana", {"amount": 1, "from": "reserve", "reason": "never decided"}))
    done(old.post("close", "ana", {"reason": "end of the game"}))
    done(old.agree("retire", {"to": "main", "reason": "end of the game"}))
    refused(old.stud.bets(), 409)
    assert high.meter()["value"] <= SEED + 900


def _people(service: Served) -> None:
    """Logged in, out, and not; and somebody who is made and revoked by command."""
    refused(service.post("/v1/sessions", None, {"name": "tom", "password": "guessed"}), 401, "login_failed")
    csrf = _log_in(service, "tom")
    assert service.call("DELETE", "/v1/sessions", headers=csrf).status_code == 204
    _log_in(service, "sue")
    service.http.cookies.clear()
    for command in (("create", "zoe", "--role", "auditor"), ("revoke", "zoe")):
        assert service.jackpot("token", *command).returncode == 0


def _log_in(service: Served, name: str) -> dict[str, str]:
    told = done(service.post("/v1/sessions", None, {"name": name, "password": PASSWORD}))
    return {"X-CSRF-Token": str(told["csrf"])}


def _signs(floor: Floor) -> None:
    """A sign with a token, one that is enrolled, and one that says another's name."""
    service = floor.service
    code = done(service.post("/v1/signs/codes", "sue", {"sign": WALL}))["code"]
    done(service.post("/v1/signs", None, {"code": code}))
    own = {"Authorization": f"Bearer {service.http.cookies[SIGN_COOKIE]}"}
    service.http.cookies.clear()
    assert done(floor.post("receipts", None, _shown(floor, WALL), headers=own))["verified"]
    assert done(floor.post("receipts", SIGN, _shown(floor, SIGN)))["verified"]
    assert not done(floor.post("receipts", SIGN, _shown(floor, WALL)))["verified"]
    refused(floor.post("receipts", SIGN, _shown(floor, WALL)), 429)


def _shown(floor: Floor, sign: str) -> Json:
    reading = floor.meter()
    return {"sign": sign, "sequence": reading["sequence"], "value": reading["value"], "shown_at": now()}


def _other_credentials(floor: Floor) -> None:
    """ben has another token, ira none any more, eve is new."""
    service, path = floor.service, floor.path("wins")
    for by in ("ben", "ira"):
        refused(service.get(path, by), 401)
    again = {"Authorization": f"Bearer {token_of('ben', 2)}"}
    done(service.get(path, headers=again))
    done(service.get(path, "eve"))


def _left_open_on_high(floor: Floor) -> None:
    """A table whose progressive is off, and a claim on which one person has said a word."""
    _declared(floor, {"table": floor.holdem.table}, note="the display is dark")
    done(floor.holdem.bets())
    done(floor.holdem.hands({}, final=True))
    for cards in (STRAIGHT_FLUSH, ROYAL):
        claim = _claimed(floor.stud2, cards)
    done(floor.service.post(f"/v1/claims/{claim}/decide", "ana", _decision("registered")))


def _left_open_on_main(floor: Floor) -> str:
    """A royal that one of two people has approved and that waits for a round begun before it was dealt; bets
    that are carried over; a blocked box; a proposal. The win's id."""
    _declared(floor, {"table": floor.stud2.table, "box": 7}, then="block_box", note="the slot is jammed")
    done(floor.holdem.bets([1, 2]))
    done(floor.stud.bets([1, 2]))
    answer = done(floor.stud.hands({1: ROYAL, 2: PAIR.replace("Kh", "Ks")}))
    win = str(answer["results"][0]["win"])
    done(floor.approve(win, "ana"))
    done(floor.stud2.bets([1, 2, 7]))
    done(floor.stud2.hands({1: NOTHING, 2: None}, final=True))
    done(floor.holdem.hands({2: "2c 3d"}, community="Kd 9s 4h"))  # box 1 is still to be told
    done(floor.post("seed", "eve", {"seed": 2 * SEED, "reason": "ten years", "when": "next_reset"}))
    assert (floor.meter()["state"], floor.waiting(win)["waiting_for"]) == ("held", [floor.holdem.table])
    return win


def _signs_again(floor: Floor) -> None:
    """What a sign shows while a win waits; kept before the story ends."""
    done(floor.post("receipts", SIGN, _shown(floor, SIGN)))
    _log_in(floor.service, "sue")
    floor.service.http.cookies.clear()
    done(floor.service.post("/v1/signs/codes", "sue", {"sign": "wall-south"}))
    _until(lambda: len(done(floor.get("receipts", params={"sign": SIGN}))["receipts"]) == 2)


def _until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.05)
