"""The audit: who did what. An act that was allowed is written in the transaction of what it did."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from sqlalchemy.ext.asyncio import AsyncConnection

from jackpot.book.stores.inserting import insert_new
from jackpot.book.stores.schema import audit


def first_id(at: int) -> str:
    """No id of that time or later comes before it."""
    return f"{max(0, at):015x}"


def new_id(at: int) -> str:
    """Rises with time, so that rows of one microsecond have an order too."""
    return f"{first_id(at)}{uuid4().hex[:17]}"


@dataclass(frozen=True, kw_only=True, slots=True)
class Act:
    """Who did what, when, with which outcome, and what there is to know about it."""

    at: int
    actor: str
    act: str
    outcome: str = "allowed"
    detail: Mapping[str, Any] = field(default_factory=dict)
    id: str = ""
    """Of its row: however often it is written, it is there once."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "id", self.id or new_id(self.at))

    def row(self) -> dict[str, Any]:
        detail = json.dumps(self.detail, sort_keys=True, default=str).encode()
        texts = {"actor": self.actor[:80], "act": self.act[:80], "outcome": self.outcome[:80]}
        return {"id": self.id, "at": self.at, "detail": detail, **texts}


async def write_acts(connection: AsyncConnection, acts: Sequence[Act]) -> None:
    await insert_new(connection, audit, [act.row() for act in acts])
