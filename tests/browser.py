"""A real browser for tests of pages: Chromium without a screen, found or fetched without root."""

from __future__ import annotations

import asyncio
import fcntl
import json
import os
import shutil
import subprocess
import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from functools import cache
from pathlib import Path
from typing import Any, Literal

import pytest
from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Browser, BrowserContext, Error, Page, expect, sync_playwright

PACKAGE, MAJOR = "@sparticuz/chromium", "147"
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
A_AND_AA = {
    "runOnly": {"type": "tag", "values": ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]},
    "resultTypes": ["violations"],  # a description of each element that passes takes longer than the search
}
BY_LOOK = {
    "runOnly": {
        "type": "rule",
        "values": ["color-contrast", "link-in-text-block", "scrollable-region-focusable", "target-size"],
    },
    "resultTypes": ["violations"],
}
"""What another look of the same page may change: the rest of it axe has searched already."""
LOOKS: dict[str, tuple[Literal["light", "dark"], int, int]] = {
    "dark tablet": ("dark", 1024, 768),
    "light desktop": ("light", 1440, 900),
}
STEADY = "() => document.getAnimations().every((one) => one.playState !== 'running')"
RUN_AXE = """([part, options]) => {
    window.violations = null;
    axe.run(part, options).then((found) => { window.violations = found.violations; });
}"""
FOUND = "window.violations !== null"
PATIENCE = 60_000
"""Milliseconds. A wait ends with what it waits for; this is when a test gives up, also on a busy machine."""
expect.set_options(timeout=PATIENCE)
_ARGUMENTS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--force-color-profile=srgb",
    "--disable-gpu",
    "--renderer-process-limit=1",
]


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
            if not _is_there(folder):
                wanted = ["--prefix", str(folder), f"{PACKAGE}@{MAJOR}"]
                _run([npm, "install", "--no-audit", "--no-fund", "--silent", *wanted], folder)
            return _run([node, "--input-type=module", "-e", find], folder).strip() or None
    except (subprocess.SubprocessError, OSError):
        return None


def _is_there(folder: Path) -> bool:
    """Of the version that is wanted: npm would ask the registry about it before every run."""
    package = folder / "node_modules" / PACKAGE / "package.json"
    return package.exists() and json.loads(package.read_text())["version"].startswith(f"{MAJOR}.")


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


class SharedBrowser:
    """One browser for tests among which others run loops of their own.

    Playwright's loop counts as running in this thread from its start to its end, also between two calls, and
    no other loop may run meanwhile. Here it counts only while the browser is in use.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._loop = asyncio.get_running_loop()

    @contextmanager
    def in_use(self) -> Iterator[Browser]:
        asyncio._set_running_loop(self._loop)
        try:
            yield self._browser
        finally:
            asyncio._set_running_loop(None)


@contextmanager
def shared_chromium() -> Iterator[SharedBrowser]:
    with chromium() as browser:
        shared = SharedBrowser(browser)
        asyncio._set_running_loop(None)
        try:
            yield shared
        finally:
            asyncio._set_running_loop(shared._loop)  # to close it


@contextmanager
def context(browser: Browser, base: str, **settings: Any) -> Iterator[BrowserContext]:
    """Somebody's browser: cookies of its own. What a page complains about fails the test."""
    complaints: list[str] = []
    made = browser.new_context(base_url=base, **settings)
    made.set_default_timeout(PATIENCE)
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


def stand_still(page: Page, at: datetime) -> None:
    """The page's time is the test's from its next load on: its timers wait for `page.clock`."""
    page.clock.install(time=at - timedelta(seconds=1))
    page.clock.pause_at(at)


def violations(
    page: Page, part: str = "html", *, standing: bool = False, options: dict[str, Any] = A_AND_AA
) -> list[str]:
    """What axe finds wrong for people who read otherwise, of levels A and AA: rule, and where.

    It sets timers: of a page that stands still it needs some time. It reads colours: none may be on its way.
    """
    page.wait_for_function(STEADY)
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    page.evaluate(RUN_AXE, [part, options])
    for _ in range(100 if standing else 0):
        if page.evaluate(FOUND):
            break
        page.clock.run_for(100)
    found = page.wait_for_function("() => window.violations").json_value()
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:300]}"
        for one in found
        for node in one["nodes"]
    ]


def wear(page: Page, look: str) -> None:
    scheme, width, height = LOOKS[look]
    page.emulate_media(color_scheme=scheme)
    page.set_viewport_size({"width": width, "height": height})
    page.wait_for_function("width => innerWidth === width", arg=width)


def keeps_nobody_out(
    page: Page, what: str, part: str = "html", *, drawn_to_size: Callable[[], object] | None = None
) -> None:
    """In no look axe finds anything in that part of a page that stands still, and nothing is cut off. What is
    drawn as wide as the page was is drawn anew."""
    options = A_AND_AA
    for look in LOOKS:
        wear(page, look)
        if drawn_to_size is not None:
            drawn_to_size()
        found = violations(page, part, standing=True, options=options)
        assert found == [], (what, look, found)
        wider = page.evaluate("document.documentElement.scrollWidth - document.documentElement.clientWidth")
        assert wider == 0, f"{what}, {look} is wider than the screen"
        options = BY_LOOK
