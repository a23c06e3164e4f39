"""What a dry run has found, as JSON and CSV. Amounts are minor units, and times RFC 3339."""

from __future__ import annotations

import csv
import io
from typing import Any

from api.dryruns.asked import overrides_told
from jackpot.core.instants import spoken_instant
from jackpot.core.money import Account, displayed
from jackpot.core.texts import cell
from jackpot.dryrun.findings import Crossing, Findings, Outcome, Paid, Payment

Json = dict[str, Any]
ACCOUNTS = tuple(one for one in Account if one is not Account.WAGERS)


def told(found: Findings) -> Json:
    return {
        "link": found.link,
        "name": found.name,
        "currency": found.currency,
        "from": spoken_instant(found.since),
        "to": spoken_instant(found.until),
        "first": found.first,
        "last": found.last,
        "changed": overrides_told(found.overrides),
        "proved": found.proved,
        "then": _outcome(found.then),
        "so": _outcome(found.so),
        "payments": [_payment(one) for one in found.payments],
        "curve": [{"at": spoken_instant(one.at), "then": one.then, "so": one.so} for one in found.curve],
        "warnings": list(found.warnings),
        "notes": list(found.notes),
    }


def _outcome(one: Outcome) -> Json:
    return {
        "break_even": one.break_even,
        "began": _balances(one.began),
        "ended": _balances(one.ended),
        "highest": one.highest,
        "highest_at": spoken_instant(one.highest_at),
        "resets": one.resets,
        "majors": one.majors,
        "minors": one.minors,
        "waiting": list(one.waiting),
        "crossings": [_crossing(each) for each in one.crossings],
    }


def _balances(accounts: dict[Account, int]) -> dict[str, int]:
    return {account.value: displayed(accounts[account]) for account in ACCOUNTS}


def _crossing(one: Crossing) -> Json:
    return {
        "at": spoken_instant(one.at),
        "sequence": one.sequence,
        "value": one.value,
        "break_even": one.break_even,
        "above": one.above,
    }


def _payment(one: Payment) -> Json:
    return {
        "win": one.win,
        "table": one.table,
        "round": one.round,
        "box": one.box,
        "hand": None if one.hand is None else one.hand.value,
        "claim": one.claim,
        "then": _paid(one.then),
        "so": _paid(one.so),
        "difference": one.difference,
    }


def _paid(one: Paid | None) -> Json | None:
    if one is None:
        return None
    return {
        "at": spoken_instant(one.at),
        "sequence": one.sequence,
        "reading": one.reading,
        "percent": one.percent,
        "amount": one.amount,
    }


_OF_A_SIDE = ("at", "sequence", "reading", "percent", "amount")


def as_csv(told: Json) -> str:
    """A line a payment."""
    text = io.StringIO()
    names = ["win", "table", "round", "box", "hand", "claim"]
    sides = [f"{side}_{name}" for side in ("then", "so") for name in _OF_A_SIDE]
    rows = csv.writer(text, lineterminator="\n")
    rows.writerow([*names, *sides, "difference"])
    for one in told["payments"]:
        paid = [(one[side] or {}).get(name) for side in ("then", "so") for name in _OF_A_SIDE]
        rows.writerow([*[cell(one[name]) for name in names], *paid, one["difference"]])
    return text.getvalue()
