"""How a route says in OpenAPI which problems it may answer."""

from __future__ import annotations

from typing import Any

_MEANINGS = {
    401: "No token, or one that this house does not know.",
    403: "Not for this role or person.",
    404: "What is named does not exist.",
    409: "It conflicts with the state; nothing has changed.",
    413: "The body is too long.",
    415: "The body is not application/json.",
    422: "The message is wrong, at the field named; nothing has changed.",
    503: "The book cannot be reached now. Try again after Retry-After seconds.",
}
_SCHEMA = {
    "type": "object",
    "required": ["title", "status", "code", "detail"],
    "properties": {
        "type": {"type": "string"},
        "title": {"type": "string"},
        "status": {"type": "integer"},
        "code": {"type": "string", "description": "Stable, for machines."},
        "detail": {"type": "string"},
        "rule": {"type": "string", "description": "The paragraph of the game rules that is the reason."},
        "field": {"type": "string", "description": "Where the message is wrong."},
    },
}


def problems(*statuses: int) -> dict[int | str, dict[str, Any]]:
    return {
        status: {
            "description": _MEANINGS[status],
            "content": {"application/problem+json": {"schema": _SCHEMA}},
        }
        for status in statuses
    }


READING = problems(401, 403, 404, 422, 503)
ACTING = problems(401, 403, 404, 409, 413, 415, 422, 503)


def example(told: dict[str, Any]) -> dict[str, Any]:
    """An example of a body, for `openapi_examples`."""
    return {"example": {"value": told}}
