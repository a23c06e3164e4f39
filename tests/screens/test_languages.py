"""Pages in the languages besides English: what is seen of them has no English left."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page, expect

from displays.pages.languages import ENGLISH, LANGUAGES, catalogue
from tests.browser import context, violations
from tests.callers import Floor, done
from tests.console import PAGES, at_the_console, late_claim, play, royal
from tests.service import PIT, FloorFile, Served, full_floor, in_thread

OTHERS = [language for language in LANGUAGES if language != ENGLISH]
SEEN = """() => {
    const NOT_READ = "code, pre, script, noscript, #language, .who-name, [translate=no]";
    const NAMES = ["aria-label", "title", "placeholder"];
    const found = [];
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    for (let node = walker.nextNode(); node; node = walker.nextNode()) {
        if (!node.parentElement.closest(NOT_READ)) found.push(node.data);
    }
    for (const element of document.querySelectorAll("[aria-label], [title], [placeholder]")) {
        for (const name of NAMES) found.push(element.getAttribute(name) ?? "");
    }
    const texts = [document.title, ...found].map((text) => text.trim());
    return texts.filter((text) => /^[^/].*[A-Za-z]{2}/.test(text));
}"""
"""Everything that a page says to eyes and ears."""
DATA = re.compile(
    r"\b[\w.]*\d[\w.:-]*|\b[A-Za-z]+(?:-[A-Za-z0-9]+)+|\b[A-Z][a-z]+(?:[A-Z][a-z0-9]+)+|\b[A-Z]{2,}\b"
)
"""Ids, times, kinds of facts, currencies and other abbreviations."""
NAMES = {
    "link",
    "ana",
    "ben",
    "sue",
    "webhook",
    "enrol",
    "https",
    "http",
    "none",
    "day",
    "stud",
    "min",
    "jackpot",
    "token",
    "evening",
    "night",
    "nowhere",
}
"""What the house of this test calls its things, and words that are typed as they stand."""
FEWEST = 8
"""Letters of a text that would be recognised anywhere."""


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    file: FloorFile = full_floor("link-1", "link-2")
    for link in file.link:
        link["name"] = str(link["id"])
    file.pit[0]["name"] = PIT
    folder = tmp_path_factory.mktemp("languages")
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", file, folder) as service:
        floor = Floor(service, "link-1")
        play(floor)
        late_claim(floor)
        royal(floor)
        done(floor.post("seed", "ana", {"seed": 9_000_000, "reason": "7"}))
        yield service


def _english(language: str) -> list[re.Pattern[str]]:
    """How an English text would be recognised that this language says otherwise."""
    found = []
    for key, text in catalogue(language).texts.items():
        fixed = re.split(r"\{\w+\}", key.split("|")[0])
        if len(re.sub("[^A-Za-z]", "", "".join(fixed))) >= FEWEST and not _alike(fixed, text):
            found.append(re.compile(".+".join(map(re.escape, fixed)) + "$"))
    return found


def _alike(fixed: list[str], text: object) -> bool:
    return isinstance(text, str) and all(part.strip().lower() in text.lower() for part in fixed)


def _left(page: Page, language: str) -> list[str]:
    """What is seen in English."""
    said: list[str] = page.evaluate(SEEN)
    patterns = _english(language)
    left = [text for text in said if any(pattern.match(text) for pattern in patterns)]
    if language == "zh-CN":
        left += [text for text in said if _latin(text)]
    return sorted(set(left))


def _latin(text: str) -> list[str]:
    """Words in Latin letters that are no names of anything."""
    words = re.findall(r"[A-Za-z]{3,}", DATA.sub(" ", text))
    return [word for word in words if word.lower() not in NAMES]


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize("name", PAGES)
def test_a_page_of_the_console_has_no_english_left(
    browser: Browser, house: Served, name: str, language: str
) -> None:
    with at_the_console(browser, house, "link-1", "sue", locale=language) as sue:
        page = sue.opens(name)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert _left(page, language) == []


@pytest.mark.parametrize("language", OTHERS)
@pytest.mark.parametrize(
    "path",
    [
        "/console/login",
        "/enrol",
        "/signs/link-1?lang={language}",
        "/signs/tables/link-1-stud-01?lang={language}",
        "/signs/tables/fb-01?lang={language}",
        "/signs/tables/bj-01?lang={language}",
        "/players/tables/fb-01?lang={language}",
        "/signs/nowhere?lang={language}",
        "/signs/tables/nowhere?lang={language}",
    ],
)
def test_another_page_has_no_english_left(browser: Browser, house: Served, path: str, language: str) -> None:
    with context(browser, house.base, locale=language) as made:
        page = made.new_page()
        page.goto(path.format(language=language))
        expect(page.locator("[data-state=waiting]")).to_have_count(0)
        expect(page.locator("html")).to_have_attribute("lang", language)
        assert _left(page, language) == []


@pytest.mark.parametrize("language", OTHERS)
def test_players_read_odds_as_the_tables_display_writes_them(
    browser: Browser, house: Served, language: str
) -> None:
    with context(browser, house.base, locale=language) as made:
        page = made.new_page()
        page.goto(f"/players/tables/fb-01?lang={language}")
        sides = page.locator("main.players")
        expect(sides).to_contain_text("1,000:1")
        expect(sides).not_to_contain_text(" to 1")


@pytest.mark.parametrize("language", OTHERS)
def test_what_an_act_would_do_has_no_english_left(browser: Browser, house: Served, language: str) -> None:
    """The service's own sentences among it."""
    with at_the_console(browser, house, "link-1", "sue", locale=language) as sue:
        for name, act in (
            ("wins", "reject"),
            ("wins", "proof"),
            ("malfunctions", "declare"),
            ("changes", "seed"),
        ):
            page = sue.opens(name)
            page.locator(f"[data-act={act}]").first.click()
            expect(sue.dialog).to_be_visible()
            if act in {"reject", "declare"}:
                expect(sue.effect.locator("li")).not_to_have_count(0)
            assert _left(page, language) == [], act


def test_a_refusal_is_told_in_the_language_of_its_reader(browser: Browser, house: Served) -> None:
    with context(browser, house.base, locale="zh-CN") as made:
        page = made.new_page()
        page.goto("/console/login")
        page.locator("#name").fill("sue")
        page.locator("#password").fill("not this")
        page.locator("button.main").click()
        told = catalogue("zh-CN").say("name and password do not belong together")
        expect(page.get_by_role("alert")).to_contain_text(told)


def test_a_person_chooses_a_language_and_the_browser_remembers(browser: Browser, house: Served) -> None:
    with at_the_console(browser, house, "link-1", "ana") as ana:
        page = ana.opens("floor")
        expect(page.locator("h1")).to_have_text("Floor")
        page.locator("#language").select_option("ms")
        expect(page.locator("html")).to_have_attribute("lang", "ms")
        expect(page.locator("h1")).to_have_text(catalogue("ms").say("Floor"))
        ana.opens("wins")
        expect(page.locator("h1")).to_have_text(catalogue("ms").say("Wins"))
        page.locator("#language").select_option("en")
        expect(page.locator("h1")).to_have_text("Wins")


@pytest.mark.parametrize("language", OTHERS)
def test_a_page_is_as_accessible_in_every_language(browser: Browser, house: Served, language: str) -> None:
    with at_the_console(browser, house, "link-1", "sue", locale=language) as sue:
        assert violations(sue.opens("wins")) == []
