"""What the log warns of when a floor file is applied, though it is served."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from tests.in_process import floor_text, house


def link_with(**settings: Any) -> str:
    added = "".join(f"{name} = {value}\n" for name, value in settings.items())
    return floor_text().replace("[[link]]\n", f"[[link]]\n{added}", 1)


async def warned(url: str, folder: Path, log: pytest.LogCaptureFixture, **settings: Any) -> list[str]:
    async with house(url, folder, link_with(**settings)) as at:
        assert at.service.book.links == ["main"]
    return [one.getMessage() for one in log.records if one.levelname == "WARNING"]


async def test_a_window_below_the_error_of_clocks_is_logged(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (told,) = await warned(sqlite_url, tmp_path, caplog, window_ms=89)
    assert "link main: the window of 89 ms is below the error of clocks, 90 ms" in told


async def test_a_window_wide_enough_is_not(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    assert await warned(sqlite_url, tmp_path, caplog, window_ms=90) == []


async def test_the_price_of_a_cap_is_logged(
    sqlite_url: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (told,) = await warned(sqlite_url, tmp_path, caplog, cap=10_000)
    assert "link main: the cap of SGD 100.00 a round costs a bet on average" in told
