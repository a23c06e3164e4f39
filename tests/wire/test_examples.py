"""The examples of the OpenAPI document are what the service says."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from api.operators import examples
from tests.examples import recorded


def shape(told: Any) -> Any:
    if isinstance(told, dict):
        return {name: shape(value) for name, value in told.items()}
    return [shape(one) for one in told] if isinstance(told, list) else type(told).__name__


async def test_recorded_again_the_examples_have_the_same_fields(sqlite_url: str, tmp_path: Path) -> None:
    """If not: `python -m tests.examples`."""
    assert shape(await recorded(sqlite_url, tmp_path)) == shape(json.loads(examples.FILE.read_text()))


def test_no_example_is_missing() -> None:
    """A name that nobody records."""
    told = [
        value[200]["content"] for value in vars(examples).values() if isinstance(value, dict) and 200 in value
    ]
    assert len(told) > 15
    of_files = examples.DRYRUN_FILE[200]["content"]
    assert all(
        one["application/json"]["example"]
        for one in told
        if "application/json" in one and one is not of_files
    )
