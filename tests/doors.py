"""Every call that changes something, each with a body that is taken as it is, once its floor is prepared."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

import httpx

from tests.callers import BOX, NOTHING, ROYAL, STRAIGHT_FLUSH, Floor, done, now
from tests.hostile import written
from tests.service import PIT, SEED, SIGN, Json, Served

NOWHERE = "https://1.1.1.1:9/"
DEALER = "Kc Kd 3h 4d 9s"
HEADERS = {"Content-Type": "application/json"}


@dataclass(frozen=True)
class Door:
    """A call that changes something: where it goes, who sends it, and a body that is taken as it is."""

    method: str
    path: str
    by: str
    body: Json
    needs: tuple[str, ...] = ()
    """The fields that cannot be left out, as dotted paths; in lists, of the first entry."""

    def send(self, service: Served, body: object) -> httpx.Response:
        return service.call(self.method, self.path, self.by, content=written(body), headers=HEADERS)


def _bets(floor: Floor) -> Door:
    body = floor.holdem.bets_body([BOX | {"bonus": 100}], seq=1)
    needs = ("sent_at", "closed_at", "boxes", "boxes.0.box")
    return Door("PUT", floor.holdem.path("bets", 1), floor.holdem.table, body, needs)


def _hands(floor: Floor) -> Door:
    done(floor.stud.bets())
    hand = {"box": 1, "cards": NOTHING.split(), "dealt_at": now(), "deal_order": 1, "folded": False}
    body = {"sent_at": now(), "final": False, "hands": [hand], "dealer": {"cards": DEALER.split()}}
    return Door("PUT", floor.stud.path("hands"), floor.stud.table, body, ("sent_at", "hands", "hands.0.box"))


def _holdem(floor: Floor) -> Door:
    done(floor.holdem.bets())
    body = floor.holdem.hands_body({1: "Ah Kd"}, community="2c 7d 9s Jc")
    return Door("PUT", floor.holdem.path("hands"), floor.holdem.table, body, ("community",))


def _not_revealed(floor: Floor) -> Door:
    done(floor.stud.bets([1, 2]))
    body = floor.stud.hands_body({1: {"revealed": False}, 2: {"invalidated": "5.15"}})
    return Door("PUT", floor.stud.path("hands"), floor.stud.table, body)


def _pit_round(floor: Floor, table: str) -> str:
    """The path of the table's next round: others may have played there."""
    tables = done(floor.service.get(f"/v1/pits/{PIT}/tables", "ana"))["tables"]
    latest = next(one["round"] for one in tables if one["id"] == table)
    return f"/v1/tables/{table}/rounds/{latest['round'] + 1 if latest else 1}"


def _pit_bets() -> Json:
    boxes = [{"box": 1, "bet": 2500, "player": "A", "standing": False}]
    return {"sent_at": (moment := now()), "closed_at": moment, "boxes": boxes}


def _blackjack_bets(floor: Floor) -> Door:
    body = _pit_bets()
    body["boxes"][0] |= {"rws_pairs": 500}
    body["boom_busted"] = [{"player": "A", "bet": 500}]
    needs = ("sent_at", "closed_at", "boxes", "boxes.0.box", "boom_busted.0.player", "boom_busted.0.bet")
    return Door("PUT", f"{_pit_round(floor, 'fb-01')}/bets", "fb-01", body, needs)


def _blackjack_hands(floor: Floor) -> Door:
    path = _pit_round(floor, "pp-01")
    done(floor.service.call("PUT", f"{path}/bets", "pp-01", json=_pit_bets()))
    hands = [
        {
            "box": 1,
            "cards": ["8c", "8d"],
            "decision": "split",
            "split": [{"cards": ["8c", "Tc"], "decision": "stand"}, {"cards": ["8d", "9d"]}],
            "wagers": [{"player": "A", "split": "paid"}],
        }
    ]
    shoe = {"id": "shoe", "drawn": ["8c", "6h", "8d", "Tc", "9d"]}
    body = {"sent_at": now(), "final": False, "hands": hands, "dealer": {"cards": ["6h"]}, "shoe": shoe}
    return Door("PUT", f"{path}/hands", "pp-01", body, ("sent_at", "hands.0.box"))


def _irregularity(floor: Floor) -> Door:
    path = _pit_round(floor, "bj-01")
    done(floor.service.call("PUT", f"{path}/bets", "bj-01", json=_pit_bets()))
    body = {
        "paragraph": "5.7",
        "reconstructed": True,
        "interim_settled": False,
        "choices": {"1/A": "return"},
        "note": "a card too many",
    }
    return Door("POST", f"{path}/irregularities", "sue", body, ("paragraph", "choices"))


def _void(floor: Floor) -> Door:
    done(floor.stud.bets())
    body = {"sent_at": now(), "reason": "5.8.1", "note": "a card fell"}
    return Door("POST", floor.stud.path("void"), floor.stud.table, body, ("sent_at", "reason"))


def _heartbeat(floor: Floor) -> Door:
    clock = {"offset_us": 120, "error_us": 2000}
    body = {"sent_at": now(), "clock": clock, "in_play": True}
    needs = ("sent_at", "clock.offset_us", "clock.error_us")
    return Door("POST", floor.stud.path("heartbeat"), floor.stud.table, body, needs)


def _receipt(floor: Floor) -> Door:
    body = {"sign": SIGN, "sequence": 1, "value": SEED, "shown_at": now()}
    return Door("POST", floor.path("receipts"), SIGN, body, tuple(body))


def _approve(floor: Floor) -> Door:
    win = floor.stud.wins(ROYAL)
    return Door("POST", floor.path(f"wins/{win}/approve"), "ana", {"note": "seen"})


def _reject(floor: Floor) -> Door:
    win = floor.stud.wins(STRAIGHT_FLUSH)
    return Door("POST", floor.path(f"wins/{win}/reject"), "sue", {"reason": "marked"}, ("reason",))


def _paid(floor: Floor) -> str:
    win = floor.stud.wins(STRAIGHT_FLUSH)
    done(floor.approve(win, "ana"))
    return win


def _hand_over(floor: Floor) -> Door:
    body = {"reference": "IDC-4711", "method": "several", "note": "half cash, half chips"}
    path = floor.path(f"wins/{_paid(floor)}/hand-over")
    return Door("POST", path, "ben", body, ("reference", "method", "note"))


def _order(floor: Floor) -> Door:
    for table in (floor.stud, floor.stud2):
        done(table.bets())
    hands = [table.hands({1: {"cards": STRAIGHT_FLUSH.split()}}) for table in (floor.stud, floor.stud2)]
    wins = [done(answer)["results"][0]["win"] for answer in hands]
    return Door("POST", floor.path("order"), "sue", {"wins": wins, "reason": "camera"}, ("wins", "reason"))


def _proposal(tail: str, body: Json, *needs: str) -> Callable[[Floor], Door]:
    return lambda floor: Door("POST", floor.path(tail), "ana", body, needs)


def _closed(tail: str, body: Json, *needs: str) -> Callable[[Floor], Door]:
    def make(floor: Floor) -> Door:
        done(floor.post("close", "ana", {"reason": "night"}))
        return Door("POST", floor.path(tail), "ana", body, needs)

    return make


def _table_act(tail: str) -> Callable[[Floor], Door]:
    def make(floor: Floor) -> Door:
        path = f"/v1/tables/{floor.stud.table}"
        if tail == "open":
            done(floor.service.post(f"{path}/close", "ana", {"reason": "shift"}))
        return Door("POST", f"{path}/{tail}", "ana", {"reason": "shift"}, ("reason",))

    return make


def _change(tail: str, body: Json, by: str = "ana") -> Callable[[Floor], Door]:
    def make(floor: Floor) -> Door:
        path, said = f"/v1/tables/{floor.stud.table}/{tail}", body | {"reason": "Friday", "known": 0}
        return Door("POST", path, by, said, (*(set(body) - {"minimum", "maximum"}), "reason"))

    return make


def _moving(floor: Floor) -> Door:
    path = f"/v1/tables/{floor.stud.table}/move"
    return Door("POST", path, "sue", {"to": "main", "reason": "the big game"}, ("to", "reason"))


_NUMBERS = count(1)
"""Of tables that are added: each has a name of its own."""


def _adding(floor: Floor) -> Door:
    body = {"id": f"added-{next(_NUMBERS)}", "game": "casino_stud", "boxes": 5, "minimum": 100, "reason": "x"}
    return Door("POST", floor.path("tables"), "sue", body, ("id", "game", "boxes", "reason"))


def _adding_in_pit(_floor: Floor) -> Door:
    body = {"id": f"added-{next(_NUMBERS)}", "game": "blackjack", "boxes": 5, "decks": 8, "reason": "x"}
    body["side"] = {"player_pair": {"maximum": 5000}}
    return Door("POST", f"/v1/pits/{PIT}/tables", "sue", body, ("id", "game", "boxes", "decks", "reason"))


def _malfunction(floor: Floor) -> Door:
    done(floor.stud.bets())
    scope = {"table": floor.stud.table, "box": 1}
    body = {"scope": scope, "observed_at": now(), "cards_seen": {floor.stud.table: True}}
    body |= {"then": "block_box", "note": "a button sticks"}
    needs = ("scope", "observed_at", "then", "cards_seen")
    return Door("POST", "/v1/malfunctions", "sue", body, needs)


def _clear(floor: Floor) -> Door:
    body = {"scope": {"table": floor.stud.table}, "observed_at": now(), "then": "close"}
    found = done(floor.service.post("/v1/malfunctions", "sue", body))["id"]
    return Door("POST", f"/v1/malfunctions/{found}/clear", "sue", {"note": "mended"})


def _metered(floor: Floor) -> Door:
    done(floor.stud.bets())
    done(floor.stud.hands({1: NOTHING}, final=True))
    meters = {"round": 1, "rounds": 1, "bets": 500, "returned": 0, "awards": 0, "first": 1}
    needs = ("meters.round", "meters.rounds", "meters.bets", "meters.returned", "meters.awards")
    body = {"sent_at": now(), "meters": meters}
    return Door("POST", floor.stud.path("heartbeat"), floor.stud.table, body, needs)


def _mend(floor: Floor) -> Door:
    said = dict(_metered(floor).body["meters"]) | {"bets": 400}
    done(floor.stud.beat(meters=said))
    tables = done(floor.get("reconciliation"))["tables"]
    found = next(one for one in tables if one["table"] == floor.stud.table)["difference"]["id"]
    return Door("POST", f"/v1/differences/{found}/mend", "sue", {"reason": "counted again"}, ("reason",))


def _claim(floor: Floor) -> Door:
    done(floor.stud.bets())
    done(floor.stud.hands({1: None}, final=True))
    done(floor.stud.hands({1: ROYAL}))
    claim = done(floor.get("claims"))["claims"][0]["id"]
    body = {"outcome": "registered", "reason": "camera"}
    return Door("POST", f"/v1/claims/{claim}/decide", "sue", body, ("outcome", "reason"))


def _webhook(_floor: Floor) -> Door:
    """To an address that no name has to be looked up for, and where nobody listens."""
    body = {"name": "Monitor", "url": NOWHERE, "topics": ["claims"], "links": [PIT]}
    return Door("POST", "/v1/webhooks", "sue", body, ("name", "url"))


def _replay(floor: Floor) -> Door:
    made = done(_webhook(floor).send(floor.service, _webhook(floor).body))["webhook"]
    body = {"link": PIT, "sequence": 1}
    return Door("POST", f"/v1/webhooks/{made['id']}/replay", "sue", body, ("sequence",))


DOORS: dict[str, Callable[[Floor], Door]] = {
    "bets": _bets,
    "hands": _hands,
    "holdem hands": _holdem,
    "hands without cards": _not_revealed,
    "blackjack bets": _blackjack_bets,
    "blackjack hands": _blackjack_hands,
    "irregularity at blackjack": _irregularity,
    "void": _void,
    "heartbeat": _heartbeat,
    "receipt": _receipt,
    "approve": _approve,
    "reject": _reject,
    "hand over": _hand_over,
    "order": _order,
    "seed": _proposal(
        "seed", {"seed": 6_000_000, "reason": "season", "when": "next_reset"}, "seed", "reason"
    ),
    "parameters": _proposal("parameters", {"meter_ppm": 300_000, "reason": "season"}, "reason"),
    "adjustments": _proposal(
        "adjustments", {"amount": 100, "from": "house", "reason": "count"}, "amount", "from", "reason"
    ),
    "close": _proposal("close", {"reason": "night"}, "reason"),
    "open": _closed("open", {"reason": "morning"}, "reason"),
    "transfer": _proposal("transfer", {"to": "main", "amount": 100, "reason": "merge"}, "to", "reason"),
    "retire": _closed("retire", {"to": "main", "reason": "the end"}, "reason"),
    "close a table": _table_act("close"),
    "open a table": _table_act("open"),
    "limits of a table": _change("limits", {"minimum": 100, "maximum": 200_000}),
    "name of a table": _change("name", {"name": "Dragon room 1"}),
    "boxes of a table": _change("boxes", {"boxes": 6}, by="sue"),
    "move a table": _moving,
    "add a table": _adding,
    "add a table to a pit": _adding_in_pit,
    "malfunction": _malfunction,
    "clear": _clear,
    "heartbeat with meters": _metered,
    "mend": _mend,
    "decide": _claim,
    "webhook": _webhook,
    "replay": _replay,
}
