"""The OpenAPI document: what routes cannot say of themselves."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.routing import BaseRoute

from api.http.errors import CONTENT_TYPE

_REF = "#/components/schemas/{name}"
_WHY = {
    400: "Who is calling was said twice",
    401: "No token, or one that is not known",
    403: "Not for this caller",
    404: "Unknown",
    409: "In conflict with the state; nothing has changed",
    413: "The body is too long",
    415: "The body is not application/json",
    422: "The message itself is wrong; `field` says where",
    429: "Too many; `Retry-After` says when to come back",
    503: "The book cannot serve this now; `Retry-After` says when to try again",
}
_PROBLEM = {
    "title": "Problem",
    "description": "RFC 9457. `code` is stable; `rule` is a paragraph of the table's own game rules.",
    "type": "object",
    "required": ["type", "title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "examples": ["conflict"]},
        "detail": {"type": "string"},
        "rule": {"type": "string", "examples": ["5.4"]},
        "field": {"type": "string", "examples": ["boxes[0].ante"]},
        "expected": {"type": "integer", "description": "with `gap`: the number that is next"},
        "boxes": {
            "type": "array",
            "items": {"type": "integer"},
            "description": "with `choice_missing`: the boxes whose players have the options",
        },
    },
}
_SECURITY = {
    "token": {"type": "http", "scheme": "bearer"},
    "session": {"type": "apiKey", "in": "cookie", "name": "jackpot_session"},
}
READ = (400, 401, 403, 404, 422, 503)
ACT = (400, 401, 403, 404, 409, 413, 415, 422, 429, 503)
Responses = dict[int | str, dict[str, Any]]


def problems(*statuses: int) -> Responses:
    """The refusals a route can give: `READ` for one that reads, `ACT` for one that changes something."""
    content = {CONTENT_TYPE: {"schema": {"$ref": _REF.format(name="Problem")}}}
    return {status: {"description": _WHY[status], "content": content} for status in statuses}


def answered(status: int, description: str, example: Any) -> Responses:
    return {status: {"description": description, "content": {"application/json": {"example": example}}}}


def said(*kinds: type[msgspec.Struct], example: Any) -> dict[str, Any]:
    """The body of a route that reads it with `api.controllers.wire`: of one kind, or of one of several."""
    schemas: list[dict[str, Any]] = [{"$ref": _REF.format(name=kind.__name__)} for kind in kinds]
    schema = schemas[0] if len(schemas) == 1 else {"anyOf": schemas}
    content = {"application/json": {"schema": schema, "example": example}}
    return {"requestBody": {"required": True, "content": content}}


def describe(app: FastAPI, doors: list[BaseRoute], messages: Sequence[type[msgspec.Struct]]) -> None:
    """Give the app a document that also knows the doors and the messages of tables."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = _document(app, doors, messages)
        return app.openapi_schema

    app.openapi = document  # type: ignore[method-assign]


def _document(
    app: FastAPI, doors: list[BaseRoute], messages: Sequence[type[msgspec.Struct]]
) -> dict[str, Any]:
    found = get_openapi(
        title=app.title, version=app.version, description=app.description, routes=[*doors, *app.routes]
    )
    _, schemas = msgspec.json.schema_components(messages, ref_template=_REF)
    components = found.setdefault("components", {})
    components["schemas"] = {**components.get("schemas", {}), **schemas, "Problem": _PROBLEM}
    components["securitySchemes"] = _SECURITY
    found["security"] = [{"token": []}, {"session": []}]
    return found
