"""Readings and tables as displays get them: encoded once, however many ask."""

from __future__ import annotations

import json
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from displays.hub.player_terms import terms_told, ways
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import spoken_instant
from jackpot.core.money import spoken
from jackpot.games.blackjack import (
    BLACKJACK_GAMES,
    PitGame,
    SideBet,
    SideLimits,
    main_rules,
    side_bets,
)
from jackpot.games.progressive import Level, odds, shares
from jackpot.link.awards import Awards
from jackpot.link.wins import Hit
from jackpot.readings.meter import Reading
from jackpot.readings.table_views import TableView

STALE = "stale"
JSON = (b"content-type", b"application/json")
NO_CACHE = (b"cache-control", b"no-cache")


@dataclass(frozen=True, slots=True)
class Shown:
    """A reading as signs get it."""

    sequence: int
    value: int
    state: str
    tag: str
    """epoch.sequence.state: two readings with the same tag are the same bytes, unless one was taken back."""
    again: bool
    """Something else may have been told under this tag, before the book denied it."""
    etag: bytes
    display: str
    body: bytes
    event: bytes
    """The same for a stream of events."""
    headers: tuple[tuple[bytes, bytes], ...]
    """Of an answer with this body."""

    @property
    def key(self) -> str:
        """What tells it from everything that was shown before."""
        return f"{self.tag} again" if self.again else self.tag


@dataclass(frozen=True, slots=True)
class TableShown:
    """What a table's display shows besides the meter."""

    link: str
    tag: str
    body: bytes
    event: bytes


def shown(link: str, found: Reading, state: str, epoch: str, *, again: bool = False) -> Shown:
    display = spoken(found.value, found.currency)
    body = _of_link(link, found, state, epoch, display) if found.jackpot else _of_pit(link, found)
    tag = f"{epoch}.{found.sequence}.{state}"
    data, etag = _encoded(body), f'"{tag}"'.encode()
    event = _event("meter", tag, data)
    headers = JSON, NO_CACHE, (b"etag", etag), (b"content-length", str(len(data)).encode())
    return Shown(found.sequence, found.value, state, tag, again, etag, display, data, event, headers)


def _of_pit(pit: str, found: Reading) -> dict[str, Any]:
    """It has no meter: only that something has happened there."""
    return {
        "pit": pit,
        "name": found.name,
        "currency": found.currency,
        "sequence": found.sequence,
        "as_of": spoken_instant(found.at),
    }


def _of_link(link: str, found: Reading, state: str, epoch: str, display: str) -> dict[str, Any]:
    return {
        "link": link,
        "name": found.name,
        "value": found.value,
        "display": display,
        "currency": found.currency,
        "epoch": epoch,
        "sequence": found.sequence,
        "state": state,
        "pending": [
            {"hand": one.hand.value, "table": one.table, "amount": one.amount} for one in found.pending
        ],
        "next": found.next,
        "last_hit": None if found.last_hit is None else _hit(found.last_hit),
        "shares": {hand.value: percent for hand, percent in shares(found.awards.levels).items()},
        "as_of": spoken_instant(found.at),
    }


def _hit(hit: Hit) -> dict[str, Any]:
    return {
        "win": hit.win,
        "hand": hit.hand.value,
        "table": hit.table,
        "box": hit.box,
        "amount": hit.amount,
        "at": spoken_instant(hit.at),
    }


def table_shown(link: str, found: Reading, view: TableView, *, ceiling_hidden: bool = False) -> TableShown:
    told = (
        _on_link(link, found, view, ceiling_hidden=ceiling_hidden)
        if found.jackpot
        else _in_pit(link, found, view)
    )
    data = _encoded(told)
    tag = sha256(data).hexdigest()[:16]
    return TableShown(link, tag, data, _event("table", None, data))


def _in_pit(pit: str, found: Reading, view: TableView) -> dict[str, Any]:
    """The game, its limits and its odds: what players of blackjack ask."""
    rules = BLACKJACK_GAMES[PitGame(view.game)]
    return {
        "table": view.table,
        "table_name": view.name or view.table,
        "pit": pit,
        "name": found.name,
        "currency": found.currency,
        "game": view.game,
        "game_name": rules.name,
        "boxes": view.boxes,
        "decks": view.decks,
        "state": view.state.value,
        "notice": view.notice,
        "minimum": view.minimum,
        "maximum": view.maximum,
        "rules": main_rules(rules),
        "side_bets": [_side_bet(one, view.side.get(one.wager)) for one in side_bets(rules)],
    }


def _side_bet(one: SideBet, limits: SideLimits | None) -> dict[str, Any]:
    return {
        "wager": one.wager,
        "name": one.name,
        "per": "table" if one.of_table else "box",
        "minimum": None if limits is None else limits.minimum,
        "maximum": None if limits is None else limits.maximum,
        "pays_for": one.pays_for,
        "pays": [{"words": prize.words, "odds": prize.odds} for prize in one.prizes],
    }


def link_terms(link: str, found: Reading, view: TableView, *, ceiling_hidden: bool = False) -> bytes:
    """What a player is told of a link, whichever of its tables he sits at."""
    named = {"link": link, "name": found.name, "currency": found.currency}
    return _encoded(named | _terms(view, ceiling_hidden=ceiling_hidden))


def _terms(view: TableView, *, ceiling_hidden: bool) -> dict[str, Any]:
    terms = view.terms
    if terms is None:
        return {"progressive_bet": None, "pay_table": [], "cap": None, "terms": None}
    return {
        "progressive_bet": terms.progressive_bet,
        "pay_table": pay_table(terms.awards, terms.progressive_bet),
        "cap": terms.awards.cap,
        "terms": terms_told(terms, next_seed=view.next_seed, ceiling_hidden=ceiling_hidden),
    }


def _on_link(link: str, found: Reading, view: TableView, *, ceiling_hidden: bool) -> dict[str, Any]:
    return {
        "table": view.table,
        "table_name": view.name or view.table,
        "link": link,
        "name": found.name,
        "currency": found.currency,
        "game": view.game,
        "boxes": view.boxes,
        "state": view.state.value,
        "notice": view.notice,
        "blocked": view.blocked,
        "minimum": view.minimum,
        "maximum": view.maximum,
        **_terms(view, ceiling_hidden=ceiling_hidden),
    }


def pay_table(awards: Awards, bet: int) -> list[dict[str, Any]]:
    """What each hand pays (4.2), best first: a share of the pool, or the bet times its odds."""
    majors = [_line(hand, Level.MAJOR, percent=share) for hand, share in shares(awards.levels).items()]
    minors = [
        _line(hand, Level.MINOR, times=times, award=awards.minor_award(hand, bet))
        for hand, times in odds(awards.levels).items()
    ]
    return majors + minors


def _line(hand: Hand, level: Level, **pays: int) -> dict[str, Any]:
    nothing = {"percent": None, "times": None, "award": None}
    said = {"hand": hand.value, "name": hand_name(hand), "level": level.value, "ways": ways(hand)}
    return said | nothing | pays


def hand_name(hand: Hand) -> str:
    return hand.value.replace("_", " ").title().replace(" Of A ", " of a ")


def _encoded(body: dict[str, Any]) -> bytes:
    return json.dumps(body, separators=(",", ":")).encode()


def _event(kind: str, id: str | None, data: bytes) -> bytes:
    head = f"event: {kind}\n" + ("" if id is None else f"id: {id}\n")
    return head.encode() + b"data: " + data + b"\n\n"
