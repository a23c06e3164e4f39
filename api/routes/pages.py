"""Pages for people, and the files they are made with."""

from __future__ import annotations

from fastapi import FastAPI
from fastapi.responses import HTMLResponse, Response
from fastapi.staticfiles import StaticFiles
from starlette.types import Scope

from displays.pages import PAGE_HEADERS, STATIC, page


class _Files(StaticFiles):
    async def get_response(self, path: str, scope: Scope) -> Response:
        response = await super().get_response(path, scope)
        response.headers["Cache-Control"] = "no-cache"  # asked about each time, sent only if it changed
        return response


def install(app: FastAPI) -> None:
    app.mount("/static", _Files(directory=STATIC), name="static")


def shown(template: str, **context: object) -> HTMLResponse:
    """A page with the headers that every page has."""
    return HTMLResponse(page(template, **context), headers=PAGE_HEADERS)
