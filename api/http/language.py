"""In which language a person is answered."""

from __future__ import annotations

from fastapi import Request

from displays.pages.languages import readers_language

LANGUAGE_COOKIE = "jackpot_language"
"""What a person chose with the switch of the console; its script sets it."""


def of_reader(request: Request, house: str) -> str:
    return readers_language(
        chosen=request.cookies.get(LANGUAGE_COOKIE),
        accepts=request.headers.get("accept-language", ""),
        house=house,
    )
