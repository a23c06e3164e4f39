"""A real browser for tests of pages: Chromium without a screen, found or fetched without root."""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, BrowserContext, Error, Page, sync_playwright

PACKAGE = "@sparticuz/chromium@147"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
A_AND_AA = {"runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]}}
_ARGUMENTS = ["--no-sandbox", "--disable-dev-shm-usage", "--force-color-profile=srgb"]


def _installed() -> str | None:
    """One that somebody named, or that is on the path."""
    named = os.environ.get("JACKPOT_CHROMIUM")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@cache
def _fetched() -> str | None:
    """The one that npm brings, unpacked into the user's cache."""
    npm, node = shutil.which("npm"), shutil.which("node")
    if npm is None or node is None:
        return None
    folder = Path.home() / ".cache" / "multilink-jackpot"
    folder.mkdir(parents=True, exist_ok=True)
    find = "import one from '@sparticuz/chromium'; console.log(await one.executablePath())"
    try:
        with _alone(folder):
            _run(
                [npm, "install", "--no-audit", "--no-fund", "--silent", "--prefix", str(folder), PACKAGE],
                folder,
            )
            return _run([node, "--input-type=module", "-e", find], folder).strip() or None
    except (subprocess.SubprocessError, OSError):
        return None


def _run(command: list[str], folder: Path) -> str:
    return subprocess.run(command, check=True, capture_output=True, text=True, timeout=180, cwd=folder).stdout


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Several workers of a test run want it at once."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def chromium() -> Iterator[Browser]:
    """Skips, and says so loudly, where none can be had."""
    with sync_playwright() as playwright:
        executable = _installed() or _fetched()
        if executable is None:
            message = "NO BROWSER: pages are not tested. Install Chromium, or set JACKPOT_CHROMIUM to one."
            sys.stderr.write(f"\n{message}\n")
            pytest.skip(message)
        browser = playwright.chromium.launch(executable_path=executable, args=_ARGUMENTS)
        try:
            yield browser
        finally:
            browser.close()


@contextmanager
def context(browser: Browser, base: str, **settings: Any) -> Iterator[BrowserContext]:
    """Somebody's browser: cookies of its own. What a page complains about fails the test."""
    complaints: list[str] = []
    made = browser.new_context(base_url=base, **settings)
    made.on("console", lambda said: complaints.append(said.text) if said.type == "error" else None)
    made.on("weberror", lambda error: complaints.append(str(error.error)))
    try:
        yield made
        assert not [one for one in complaints if "Failed to load resource" not in one], complaints
    finally:
        try:
            made.close()
        except Error as error:  # the browser itself may be gone already
            warnings.warn(str(error), ResourceWarning, stacklevel=2)


def violations(page: Page) -> list[str]:
    """What axe finds wrong for people who read otherwise, of levels A and AA: rule, and where."""
    found = Axe().run(page, options=A_AND_AA).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]
