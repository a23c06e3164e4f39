"""In which language the service serves a page, and what it says in it."""

from __future__ import annotations

import json
from collections.abc import Iterator

import pytest

from displays.pages.languages import LANGUAGES, catalogue
from tests.service import FloorFile, Served, full_floor, in_thread


@pytest.fixture(scope="module")
def speaking(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A house that speaks Malay, with a link and a pit that speak Chinese."""
    file: FloorFile = full_floor("main", "high")
    file.top["language"] = "ms"
    file.link[1]["language"] = "zh-CN"
    file.pit[0]["language"] = "zh-CN"
    folder = tmp_path_factory.mktemp("speaking")
    with in_thread(f"sqlite+aiosqlite:///{folder / 'book.db'}", file, folder) as service:
        yield service


@pytest.mark.parametrize(
    ("path", "language"),
    [
        ("/signs/main", "ms"),
        ("/signs/high", "zh-CN"),
        ("/signs/high,main", "zh-CN"),
        ("/signs/main?lang=en", "en"),
        ("/signs/high?lang=ms", "ms"),
        ("/signs/main?lang=zh-TW", "ms"),
        ("/signs/main?lang=%22%3E%3Cscript%3E", "ms"),
        ("/signs/tables/main-stud-01", "ms"),
        ("/signs/tables/high-stud-01", "zh-CN"),
        ("/signs/tables/fb-01", "zh-CN"),
        ("/signs/tables/fb-01?lang=en", "en"),
        ("/signs/nowhere", "ms"),
        ("/enrol?lang=zh-CN", "zh-CN"),
    ],
)
def test_a_sign_speaks_as_its_address_says_else_as_the_floor_file_does(
    speaking: Served, path: str, language: str
) -> None:
    """Not as its browser asks: nobody has set that up."""
    answer = speaking.get(path, headers={"Accept-Language": "fr"})
    assert f'<html lang="{language}"' in answer.text
    assert f'<script src="/words/{language}.js"></script>' in answer.text


@pytest.mark.parametrize(
    ("cookie", "accepts", "language"),
    [("", "", "ms"), ("", "zh-CN,en;q=0.5", "zh-CN"), ("en", "zh-CN", "en"), ("../x", "en-GB", "en")],
)
def test_the_console_speaks_as_its_reader_chose_else_as_the_browser_asks(
    speaking: Served, cookie: str, accepts: str, language: str
) -> None:
    headers = {"Accept-Language": accepts} | ({"Cookie": f"jackpot_language={cookie}"} if cookie else {})
    answer = speaking.get("/console/login", headers=headers)
    assert f'<html lang="{language}"' in answer.text
    assert catalogue(language).say("Password") in answer.text


@pytest.mark.parametrize("language", LANGUAGES)
def test_a_catalogue_is_sent_again_only_if_it_has_changed(speaking: Served, language: str) -> None:
    answer = speaking.get(f"/words/{language}.js")
    assert answer.headers["content-type"].startswith("text/javascript")
    told = json.loads(answer.text.removeprefix("globalThis.catalogue = ").removesuffix(";\n"))
    assert told == {"language": language, "texts": catalogue(language).texts}
    again = speaking.get(f"/words/{language}.js", headers={"If-None-Match": answer.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")


@pytest.mark.parametrize("name", ["xx", "zh-cn", "%2e%2e%2fen", "en%00"])
def test_there_is_no_other_catalogue(speaking: Served, name: str) -> None:
    assert speaking.get(f"/words/{name}.js").status_code == 404


def test_pages_take_typefaces_from_the_service_alone(speaking: Served) -> None:
    assert "font-src 'self'" in speaking.get("/signs/main").headers["content-security-policy"]
    assert speaking.get("/static/fonts/text-700.woff2").content[:4] == b"wOF2"
    assert "SIL OPEN FONT LICENSE" in speaking.get("/static/fonts/OFL.txt").text
