"""Records the examples of the OpenAPI document: `python -m tests.examples` plays an evening and asks for it.

Tables are renamed as the document names them, and of a list of records only the first is kept.
"""

from __future__ import annotations

import asyncio
import json
import re
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from api.operators.examples import FILE
from jackpot.core.instants import spoken_instant
from tests.house import ROYAL, STRAIGHT_FLUSH, House, Json, a_house, answered, put

_NAMES = {"s1": "stud-01", "s2": "stud-02", "h1": "holdem-01", "bj": "bj-01"}
_LINK, _PIT = "/v1/links/main", "/v1/pits/pit-3"
_AT_BLACKJACK = {
    "act": "irregularity",
    "id": "bj",
    "round": 1,
    "said": {
        "paragraph": "5.7",
        "reconstructed": False,
        "interim_settled": True,
        "choices": {"1": "return"},
        "note": "a card too many",
    },
}


async def _evening(house: House) -> str:
    """A bit of everything; the id of a win that was paid."""
    floor = house.floor
    won = await house.paid("s1", STRAIGHT_FLUSH)
    await floor.submit(floor.bets("s1"))
    await floor.submit(floor.hands("s1", {1: None}, final=True))
    await floor.submit(floor.hands("s1", {1: STRAIGHT_FLUSH}))  # too late: a claim
    await floor.submit(floor.bets("h1"))
    await house.approve(await floor.wins_major("s2", ROYAL), "ana")
    await house.does(f"{_LINK}/parameters", "ana", {"meter_ppm": 300_000, "reason": "new season"})
    scope = {"scope": {"table": "h1"}, "cards_seen": {"h1": True}, "then": "progressive_off"}
    observed = {"observed_at": spoken_instant(floor.clock.time), "note": "bet sensors dead"}
    await house.does("/v1/malfunctions", "sue", scope | observed)
    reading = await house.told(f"{_LINK}/meter", "sign-1")
    shown = {name: reading[name] for name in ("sequence", "value")} | {"shown_at": reading["as_of"]}
    await house.does(f"{_LINK}/receipts", "sign-1", {"sign": "sign-1"} | shown)
    await put(house, "bj", "bets", {"boxes": [{"box": 1, "bet": 2500, "player_pair": 500}]})
    hands = {"hands": [{"box": 1, "cards": ["Th", "9c"]}], "dealer": {"cards": ["Kd"]}}
    await put(house, "bj", "hands", hands)
    await _miscounted(house)
    await house.service.notes._flush()
    return won


async def _miscounted(house: House) -> None:
    """Controllers tell their meters: that of s1 twice otherwise than the House, once settled already."""
    meters = {"round": 2, "rounds": 2, "bets": 1000, "returned": 0, "awards": 0, "first": 1}
    for more in (500, 1000):
        said = {"sent_at": spoken_instant(house.floor.clock.time), "meters": meters | {"bets": 1000 + more}}
        await house.does("/v1/tables/s1/heartbeat", "s1", said)
        tables = (await house.told(f"{_LINK}/reconciliation"))["tables"]
        found = next(one["difference"] for one in tables if one["table"] == "s1")
        if more == 500:
            reason = {"reason": "a chip counted twice by the sensor of box 1"}
            await house.does(f"/v1/differences/{found['id']}/mend", "sue", reason)


async def _dry_run(house: House) -> Json:
    address = f"{_LINK}/dryruns"
    begun = await house.does(address, "ana", {"seed": 10_000_000, "policy": "split"})
    one = f"{address}/{begun['id']}"
    while (found := await house.told(one))["state"] == "running":
        await asyncio.sleep(0.05)
    found["found"]["curve"] = found["found"]["curve"][-2:]
    return {"dryrun_started": begun, "dryruns": await house.told(address), "dryrun": found}


async def _webhook(house: House) -> Json:
    """Somebody listens, and answers that it has nothing to say."""

    async def hear(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 204 No Content\r\nConnection: close\r\n\r\n")
        await writer.drain()
        writer.close()

    async with await asyncio.start_server(hear, "127.0.0.1", 0) as server:
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        said = {"name": "Monitor", "url": url, "topics": ["wins", "payments"], "links": ["main"]}
        made = await house.does("/v1/webhooks", "sue", said)
        one = f"/v1/webhooks/{made['webhook']['id']}"
        told = {
            "webhook_made": made,
            "webhook_tried": await house.does(f"{one}/test", "sue"),
            "webhook_deliveries": await house.told(f"{one}/deliveries"),
            "webhook": await house.does(f"{one}/pause", "sue"),
            "webhooks": await house.told("/v1/webhooks"),
            "webhook_replayed": await house.does(f"{one}/replay", "sue", {"link": "main", "sequence": 5}),
            "webhook_deleted": answered(await house.call("DELETE", one, "sue")),
        }
        shown = {url: "https://monitor.example/", made["secret"]: "whsec_" + "A" * 43 + "="}
        text = json.dumps(told)
        for mine, instead in shown.items():
            text = text.replace(mine, instead)
        return dict(json.loads(text))


async def recorded(url: str, folder: Path) -> Json:
    async with a_house(url, folder, webhooks_allow="127.0.0.1/32") as house:
        began = spoken_instant(house.floor.clock.time)
        won = await _evening(house)
        await house.does("/v1/tables/s2/limits", "ana", {"maximum": 200_000, "reason": "Friday night"})
        seed = {"act": "seed", "said": {"seed": 6_000_000, "reason": "new season"}}
        answers = {
            "irregularities": _asking(await house.told("/v1/irregularities")),
            "links": await house.told("/v1/links"),
            "link": await house.told(_LINK),
            "overview": await house.told("/v1/overview"),
            "last_day": await house.told("/v1/overview/last-day"),
            "profile": await house.told("/v1/profile"),
            "floor": await house.told("/v1/floor"),
            "tables": await house.told(f"{_LINK}/tables"),
            "wins": await house.told(f"{_LINK}/wins"),
            "proof": await house.told(f"{_LINK}/wins/{won}"),
            "handovers": await house.told(f"{_LINK}/handovers"),
            "slip": await house.told(f"{_LINK}/wins/{won}/slip"),
            "claims": await house.told(f"{_LINK}/claims"),
            "proposals": await house.told("/v1/proposals"),
            "malfunctions": await house.told("/v1/malfunctions"),
            "reconciliation": _differing(await house.told(f"{_LINK}/reconciliation")),
            "journal": await house.told(f"{_LINK}/journal", params={"kind": "WinApproved", "limit": 1}),
            "reading": await house.told(f"{_LINK}/readings", params={"at": began}),
            "audit": await house.told("/v1/audit", params={"limit": 1}),
            "receipts": await house.told(f"{_LINK}/receipts", params={"sign": "sign-1"}),
            "round": await house.told("/v1/tables/s2/rounds/1"),
            "report": await house.told(f"{_LINK}/report"),
            **await _dry_run(house),
            "days": await house.told(f"{_LINK}/days"),
            "pits": await house.told("/v1/pits"),
            "pit": await house.told(_PIT),
            "pit_tables": await house.told(f"{_PIT}/tables"),
            "pit_reconciliation": await house.told(f"{_PIT}/reconciliation"),
            "pit_journal": await house.told(f"{_PIT}/journal", params={"kind": "PitBetsClosed"}),
            "pit_report": await house.told(f"{_PIT}/report"),
            "pit_preview": await house.does(f"{_PIT}/previews", "sue", _AT_BLACKJACK),
            "curve": await house.told(f"{_LINK}/history"),
            "preview": await house.does(f"{_LINK}/previews", "ana", seed),
            **await _webhook(house),
        }
    named = re.sub(r"\b(s1|s2|h1|bj)\b", lambda name: _NAMES[name[1]], json.dumps(answers))
    return dict(_short(json.loads(named)))


def _differing(told: Json) -> Json:
    return told | {"tables": [one for one in told["tables"] if one["difference"]]}


def _asking(told: Json) -> Json:
    """Paragraphs of which something has to be said."""
    return {"games": {game: [one for one in forms if one["needs"]] for game, forms in told["games"].items()}}


def _short(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: _short(value) for name, value in told.items()}
    if isinstance(told, list) and told and isinstance(told[0], dict):
        return [_short(told[0])]
    return told


def main() -> None:
    with TemporaryDirectory() as folder:
        url = f"sqlite+aiosqlite:///{folder}/book.db"
        answers = asyncio.run(recorded(url, Path(folder)))
    FILE.write_text(json.dumps(answers, indent=1) + "\n")


if __name__ == "__main__":
    main()
