"""What players are told before they bet: the terms of a jackpot or a table, on their own devices."""

from __future__ import annotations

from functools import lru_cache
from io import BytesIO
from urllib.parse import quote

from fastapi import APIRouter, Request, Response

from api.http.errors import Problem
from api.http.language import of_reader
from api.service import Service, service_of
from api.signage.pages import missing, shown, theme_of
from displays.pages.languages import LANGUAGES, translator
from displays.pages.pages import PAGE_HEADERS

router = APIRouter(include_in_schema=False)


@router.get("/players/tables/{table}")
def of_table(request: Request, table: str, lang: str = "") -> Response:
    service = service_of(request.app)
    language, known = _language(request, lang), service.hub.table(table)
    if known is None and service.is_public(""):
        return missing(language, translator(language)("There is no table {table}.", table=table))
    place = "" if known is None else known.link
    pit = known is not None and service.hub.is_pit(place)
    theme = theme_of(service, "", place)
    return shown("players.html", theme=theme, language=language, link="", table=table, pit=pit)


@router.get("/players/tables/{table}/code.svg")
def code(request: Request, table: str) -> Response:
    """Leads a player's device from the table's display to the page of this table."""
    service = service_of(request.app)
    base = service.settings.public_address
    if not base or service.hub.table(table) is None:
        raise Problem(404, "not_found", "there is no code for this table")
    drawn = _drawn(f"{base}/players/tables/{quote(table, safe='')}")
    return Response(drawn, headers=PAGE_HEADERS, media_type="image/svg+xml")


@router.get("/players/{link}")
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
