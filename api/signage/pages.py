"""Pages for people, and the files they are made with."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from api.callers.identity import csrf_token
from api.http.errors import Invalid, Problem
from api.http.language import of_reader
from api.routing.auth import SIGN_COOKIE
from api.service import Service, service_of
from displays.pages.languages import LANGUAGES, catalogue, translator
from displays.pages.pages import DOCUMENTATION_POLICY, PAGE_HEADERS, POLICY, STATIC, THEMES, page

MOST_LINKS = 12
router = APIRouter(include_in_schema=False)
Rotate = Annotated[int, Query(ge=2, le=3600, description="Seconds for each link")]


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"  # asked about each time, sent only if it changed
        return response


def install(app: FastAPI, *, documented: bool) -> None:
    app.include_router(router)
    app.mount("/static", _Files(directory=STATIC), name="static")
    if documented:
        app.add_api_route("/docs", documentation, include_in_schema=False)
        app.mount("/docs/files", _Files(packages=[("fastapi_offline", "static")]), name="documentation")


def documentation() -> Response:
    """Swagger's page from files of this machine: a casino's network may not reach any other."""
    return HTMLResponse(page("docs.html"), headers=PAGE_HEADERS | {POLICY: DOCUMENTATION_POLICY})


def shown(template: str, status: int = 200, **context: Any) -> HTMLResponse:
    """A page with the headers that every page has."""
    return HTMLResponse(page(template, **context), status, headers=PAGE_HEADERS)


@router.get("/enrol")
def enrolment(request: Request, lang: str = "") -> Response:
    language = lang if lang in LANGUAGES else of_reader(request, service_of(request.app).floor.language)
    return shown("enrol.html", theme=THEMES[0], language=language)


@router.get("/words/{language}.js")
def words(request: Request, language: str) -> Response:
    """What a page's modules say in its language; asked about each time, sent only if it changed."""
    if language not in LANGUAGES:
        raise Problem(404, "not_found", "there is no catalogue of this language")
    told = catalogue(language)
    headers = {"ETag": told.etag, "Cache-Control": "no-cache"}
    if request.headers.get("if-none-match") == told.etag:
        return Response(status_code=304, headers=headers)
    return Response(told.script, headers=headers, media_type="text/javascript")


@router.get("/signs/tables/{table}")
def table_display(request: Request, table: str, theme: str = "", lang: str = "") -> Response:
    service = service_of(request.app)
    known = service.hub.table(table)
    place = "" if known is None else known.link
    language = _language(service, lang, place)
    if known is None and service.is_public(""):
        return missing(language, translator(language)("There is no table {table}.", table=table))
    in_pit = known is not None and service.hub.is_pit(known.link)
    template = "pit_table.html" if in_pit else "table.html"
    code = known is not None and bool(service.settings.public_address)
    theme = theme_of(service, theme, place)
    return shown(template, theme=theme, language=language, table=table, code=code)


def missing(language: str, what: str) -> HTMLResponse:
    return shown("missing.html", 404, theme=THEMES[0], language=language, what=what)


@router.get("/signs/{links}")
async def sign(
    request: Request, links: str, theme: str = "", rotate: Rotate = 10, lang: str = ""
) -> Response:
    """One link, or several in turn: `/signs/main,high?rotate=10&theme=midnight&lang=ms`."""
    service = service_of(request.app)
    names = list(dict.fromkeys(links.split(",")))
    if len(names) > MOST_LINKS:
        raise Invalid(f"a sign shows at most {MOST_LINKS} links", "links")
    language = _language(service, lang, names[0])
    for name in names:
        if service.is_public(name) and service.hub.latest(name) is None:
            return missing(language, translator(language)("There is no jackpot {link}.", link=name))
    chosen = theme_of(service, theme, names[0])
    enrolled = await _enrolled(service, request)
    return shown("sign.html", theme=chosen, language=language, links=names, rotate=rotate, **enrolled)


async def _enrolled(service: Service, request: Request) -> dict[str, Any]:
    """Who this sign is, and what it says when it tells what it shows."""
    cookie = request.cookies.get(SIGN_COOKIE)
    caller = None if cookie is None else await service.identity.of_sign(cookie)
    if cookie is None or caller is None:
        return {"sign": "", "csrf": ""}
    return {"sign": caller.name, "csrf": csrf_token(cookie)}


def _language(service: Service, asked: str, place: str) -> str:
    """As the address says, else as the floor file says of the link or pit, else of the house."""
    return asked if asked in LANGUAGES else service.language_of(place)


def theme_of(service: Service, asked: str, link: str) -> str:
    """As the address says, else as the floor file says of the link."""
    return asked if asked in THEMES else service.theme_of(link)
