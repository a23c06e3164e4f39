"""Pages for people, and the files they are made with."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Query, Request
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from api.callers.identity import csrf_token
from api.http.errors import Invalid
from api.routing.auth import SIGN_COOKIE
from api.service import Service, service_of
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
def enrolment() -> Response:
    return shown("enrol.html", theme=THEMES[0])


@router.get("/signs/tables/{table}")
def table_display(request: Request, table: str, theme: str = "") -> Response:
    service = service_of(request.app)
    known = service.hub.table(table)
    if known is None and service.is_public(""):
        return shown("missing.html", 404, theme=THEMES[0], what=f"table {table}")
    chosen = _theme(service, theme, "" if known is None else known.link)
    in_pit = known is not None and service.hub.is_pit(known.link)
    return shown("pit_table.html" if in_pit else "table.html", theme=chosen, table=table)


@router.get("/signs/{links}")
async def sign(request: Request, links: str, theme: str = "", rotate: Rotate = 10) -> Response:
    """One link, or several in turn: `/signs/main,high?rotate=10&theme=midnight`."""
    service = service_of(request.app)
    names = list(dict.fromkeys(links.split(",")))
    if len(names) > MOST_LINKS:
        raise Invalid(f"a sign shows at most {MOST_LINKS} links", "links")
    for name in names:
        if service.is_public(name) and service.hub.latest(name) is None:
            return shown("missing.html", 404, theme=THEMES[0], what=f"jackpot {name}")
    chosen = _theme(service, theme, names[0])
    enrolled = await _enrolled(service, request)
    return shown("sign.html", theme=chosen, links=names, rotate=rotate, **enrolled)


async def _enrolled(service: Service, request: Request) -> dict[str, Any]:
    """Who this sign is, and what it says when it tells what it shows."""
    cookie = request.cookies.get(SIGN_COOKIE)
    caller = None if cookie is None else await service.identity.of_sign(cookie)
    if cookie is None or caller is None:
        return {"sign": "", "csrf": ""}
    return {"sign": caller.name, "csrf": csrf_token(cookie)}


def _theme(service: Service, asked: str, link: str) -> str:
    """As the address says, else as the floor file says of the link."""
    return asked if asked in THEMES else service.theme_of(link)
