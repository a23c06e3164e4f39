"""What anybody would write first: the meter as a FastAPI route with a dependency and a response model."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, FastAPI, Header, HTTPException
from pydantic import BaseModel

app = FastAPI()


class Meter(BaseModel):
    link: str
    value: int
    display: str
    currency: str
    epoch: str
    sequence: int
    state: str
    pending: list[str]
    next: int | None
    as_of: str


def known(authorization: Annotated[str, Header()]) -> str:
    if authorization != "Bearer plain":
        raise HTTPException(401)
    return authorization


@app.get("/meter")
async def meter(_caller: Annotated[str, Depends(known)]) -> Meter:
    return Meter(
        link="main",
        value=5_012_345,
        display="SGD 50,123.45",
        currency="SGD",
        epoch="0123456789abcdef0123456789abcdef",
        sequence=12_345,
        state="open",
        pending=[],
        next=None,
        as_of="2026-11-16T12:00:00.000000Z",
    )
