"""What players are told before they bet: the terms of a jackpot or a table, on their own devices."""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from io import BytesIO
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from api.callers.identity import Caller
from api.http.describing import READ, answered, problems
from api.http.errors import Problem
from api.http.language import of_reader
from api.routing.auth import Reading, guarded_router
from api.service import Service, service_of
from api.signage.pages import missing, shown, theme_of
from displays.pages.languages import LANGUAGES, translator
from displays.pages.pages import PAGE_HEADERS
from jackpot.core.refusals import TableUnknown

router = APIRouter()
_read = guarded_router(prefix="/v1/links/{link}", tags=["signs"])
_pages = APIRouter(include_in_schema=False)
_TERMS = {
    "link": "main",
    "name": "Multi-Link Progressive",
    "currency": "SGD",
    "progressive_bet": 500,
    "pay_table": [
        {
            "hand": "royal_flush",
            "name": "Royal Flush",
            "level": "major",
            "ways": 4,
            "percent": 100,
            "times": None,
            "award": None,
        }
    ],
    "cap": None,
    "terms": {
        "seed": 5000000,
        "meter_ppm": 400000,
        "reserve_ppm": 50000,
        "house_ppm": 550000,
        "ceiling": None,
        "ceiling_hidden": False,
        "top_up_to_seed": False,
        "policy": "ordered",
        "window_ms": None,
        "deals": 2598960,
        "return": {"fixed": 478775, "of_value": 1, "over": 1299480},
    },
}


@_read.get(
    "/terms",
    summary="What players are told of a jackpot before they bet",
    response_class=Response,
    responses=problems(*READ) | answered(200, "The bet, the pay table and the terms", _TERMS),
)
async def terms(request: Request, link: str, _: Caller | None = Reading) -> Response:
    """As public as the meter, and from memory like it. Of a bet, `(fixed + of_value * value) / over` comes
    back on average, exactly, where `value` is the displayed one; a hand's chance is `ways` of `deals`.
    `seed` is that with which the jackpot of a bet placed now begins again. A ceiling may be hidden."""
    service = service_of(request.app)
    service.latest(link)
    told = service.hub.terms(link)
    if told is None:
        raise TableUnknown(f"no table plays for {link[:80]!r}")
    tag = f'"{sha256(told).hexdigest()[:16]}"'
    headers = {"Cache-Control": "no-cache", "ETag": tag}
    if request.headers.get("if-none-match") == tag:
        return Response(status_code=304, headers=headers)
    return Response(told, 200, headers, "application/json")


@_pages.get("/players/tables/{table}")
def of_table(request: Request, table: str, lang: str = "") -> Response:
    service = service_of(request.app)
    language, known = _language(request, lang), service.hub.table(table)
    if known is None and service.is_public(""):
        return missing(language, translator(language)("There is no table {table}.", table=table))
    place = "" if known is None else known.link
    pit = known is not None and service.hub.is_pit(place)
    theme = theme_of(service, "", place)
    return shown("players.html", theme=theme, language=language, link="", table=table, pit=pit)


@_pages.get("/players/tables/{table}/code.svg")
def code(request: Request, table: str) -> Response:
    """Leads a player's device from the table's display to the page of this table."""
    service = service_of(request.app)
    base = service.settings.public_address
    if base is None or service.hub.table(table) is None:
        raise Problem(404, "not_found", "there is no code for this table")
    drawn = _drawn(f"{base}/players/tables/{quote(table, safe='')}")
    return Response(drawn, headers=PAGE_HEADERS, media_type="image/svg+xml")


@_pages.get("/players/{link}")
def of_link(request: Request, link: str, lang: str = "") -> Response:
    service, language = service_of(request.app), _language(request, lang)
    if service.is_public(link) and service.hub.latest(link) is None:
        return missing(language, translator(language)("There is no jackpot {link}.", link=link))
    theme = theme_of(service, "", link)
    return shown("players.html", theme=theme, language=language, link=link, table="", pit=False)


def _language(request: Request, asked: str) -> str:
    """As the address says, else as the reader's browser asks, else of the house."""
    service: Service = service_of(request.app)
    return asked if asked in LANGUAGES else of_reader(request, service.floor.language)


@lru_cache(maxsize=1024)
def _drawn(address: str) -> bytes:
    """With the light zone around it that readers need; as large as who shows it makes it."""
    import segno  # a service without the address does not import it

    out = BytesIO()
    segno.make(address, error="m", micro=False).save(
        out, kind="svg", border=4, light="#fff", svgclass=None, lineclass=None, omitsize=True
    )
    return out.getvalue()


router.include_router(_read)
router.include_router(_pages)
