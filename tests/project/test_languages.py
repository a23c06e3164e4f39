"""The catalogues: complete, used, alike in their values, in a typeface that has their characters."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable

import pytest

from displays.pages.languages import CATALOGUES, ENGLISH, LANGUAGES, Text, catalogue, readers_language
from tests import fonts, page_texts, service_texts
from tests.javascript import tokens

OTHERS = [language for language in LANGUAGES if language != ENGLISH]


def _said() -> set[str]:
    """Everything that a page can be asked to say."""
    on_pages = page_texts.said_in_scripts() | page_texts.said_in_templates() | page_texts.said_by_pages()
    return on_pages | service_texts.texts() | service_texts.sentences()


def _forms(text: Text) -> list[str]:
    return [text] if isinstance(text, str) else list(text.values())


def _values(text: str) -> set[str]:
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_is_in_every_catalogue(language: str) -> None:
    assert sorted(_said() - catalogue(language).texts.keys()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_no_catalogue_has_a_text_that_nobody_says(language: str) -> None:
    assert sorted(catalogue(language).texts.keys() - _said()) == []


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_language_has_the_values_of_the_english_text(language: str) -> None:
    """A form for one may leave out how many they are."""
    for key, text in catalogue(language).texts.items():
        for form in _forms(text):
            assert _values(form) <= _values(key), key
            assert _values(key) - _values(form) <= ({"count"} if isinstance(text, dict) else set()), key
            assert form.strip(), key


def test_english_says_of_one_what_it_says_of_several() -> None:
    for key, text in catalogue(ENGLISH).texts.items():
        assert isinstance(text, dict), key
        assert sorted(text) == ["one", "other"]
        assert text["other"] == key


@pytest.mark.parametrize("language", OTHERS)
def test_a_catalogue_that_nobody_has_read_says_so(language: str) -> None:
    told = json.loads((CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    assert told["note"].startswith("Awaits a native reader")


def test_a_language_is_its_catalogue() -> None:
    assert sorted(file.stem for file in CATALOGUES.glob("*.json")) == sorted(LANGUAGES)


# Nothing goes past the catalogue


def test_no_text_of_a_page_goes_past_the_catalogue() -> None:
    found = [
        *page_texts.unsaid_in_scripts(),
        *page_texts.unsaid_in_templates(),
        *page_texts.unsaid_in_styles(),
    ]
    assert found == []


def test_no_text_is_computed_where_it_is_said() -> None:
    assert page_texts.computed_keys() == []


@pytest.mark.parametrize(
    "script",
    [
        'h("p", {}, "none");',
        'chip("proposed", "warn");',
        "tell(`Declared as ${id}.`);",
        'const head = ["Time", t("Who")];',
        'const label = open ? "Close table" : t("Open");',
        'h("p", { title: "Add this to it" });',
        'show(place, [time, ", on "]);',
    ],
)
def test_a_text_that_goes_past_the_catalogue_is_found(script: str) -> None:
    assert list(page_texts.unsaid(tokens(script)))


@pytest.mark.parametrize(
    "script",
    [
        'h("span.soft", { class: "win ambiguous", "data-key": `cluster ${id}` }, t("No wins are waiting."));',
        'import { t } from "../catalogue.js";',
        'if (one.kind === "WinPaid") get("/v1/links");',
        'woven("{hand} at {table}", { hand });',
    ],
)
def test_what_nobody_reads_is_no_text(script: str) -> None:
    assert not list(page_texts.unsaid(tokens(script)))


# The typeface


@pytest.mark.parametrize("weight", fonts.WEIGHTS)
def test_the_typeface_has_every_character_of_the_catalogues(weight: int) -> None:
    """`python -m tests.fonts FOLDER` cuts it anew."""
    assert _shown(fonts.said() - fonts.characters_of(fonts.text_file(weight))) == []
    assert fonts.common() <= fonts.characters_of(fonts.names_file(weight))


def test_the_style_sheet_of_the_typeface_says_what_is_in_it() -> None:
    assert (fonts.FONTS / "faces.css").read_text() == fonts.faces()


def _shown(characters: Iterable[str]) -> list[str]:
    """A font need not have what is no sign of its own."""
    return sorted(one for one in characters if one.isprintable() and one != "\u00ad")


# Whose language


@pytest.mark.parametrize(
    ("chosen", "accepts", "language"),
    [
        (None, "", "ms"),
        ("en", "zh-CN,zh;q=0.9", "en"),
        ("tlh", "zh-CN,zh;q=0.9", "zh-CN"),
        (None, "zh-CN,zh;q=0.9,en;q=0.8", "zh-CN"),
        (None, "zh-Hans-SG", "zh-CN"),
        (None, "zh-TW,en;q=0.5", "en"),
        (None, "zh-Hant;q=0.9, zh-HK, en;q=0.1", "en"),
        (None, "fr, de;q=0.9", "ms"),
        (None, "en;q=0.3, ms-MY;q=0.7", "ms"),
        (None, "en-GB", "en"),
        (None, "en;q=0", "ms"),
        (None, ";;;=,q=,en;q=x;q=1,\x00", "ms"),
        (None, ",".join(["xx"] * 5000 + ["en"]), "ms"),
    ],
)
def test_a_person_is_answered_as_chosen_else_as_the_browser_asks_else_as_the_house_speaks(
    chosen: str | None, accepts: str, language: str
) -> None:
    assert readers_language(chosen=chosen, accepts=accepts, house="ms") == language


@pytest.mark.parametrize(
    ("count", "text"), [(1, "1 open round may"), (2, "2 open rounds may"), (0, "0 open rounds may")]
)
def test_english_distinguishes_one_from_several(count: int, text: str) -> None:
    said = catalogue(ENGLISH).say("{count} open rounds may contain an earlier hand", count=count)
    assert said.startswith(text)


def test_what_tells_two_meanings_apart_is_not_shown() -> None:
    assert catalogue(ENGLISH).say("Split|a hand") == "Split"
    assert catalogue("zh-CN").say("Split|a hand") != catalogue("zh-CN").say("Split")
