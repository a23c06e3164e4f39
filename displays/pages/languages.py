"""The languages that people read: what each says, and in which of them somebody is answered."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path

CATALOGUES = Path(__file__).parent.parent / "catalogues"
ENGLISH = "en"
LANGUAGES = {ENGLISH: "English", "zh-CN": "简体中文", "ms": "Bahasa Melayu"}
"""Each by its own name. Of each there is a catalogue, `displays/catalogues/NAME.json`."""
MOST_ASKED = 20
"""Of the languages that a browser asks for, more are not looked at."""
TRADITIONAL = frozenset({"hant", "tw", "hk", "mo"})
Text = str | Mapping[str, str]
"""What a language says; where it distinguishes one from several, a text for each."""


@dataclass(frozen=True, slots=True)
class Catalogue:
    """English texts and what a language says for them. English itself lists only what has a plural."""

    language: str
    texts: Mapping[str, Text]
    script: bytes = field(init=False)
    """For browsers: it gives the same to the modules of a page."""
    etag: str = field(init=False)

    def __post_init__(self) -> None:
        told = json.dumps({"language": self.language, "texts": self.texts}, ensure_ascii=False)
        script = f"globalThis.catalogue = {told};\n".encode()
        object.__setattr__(self, "script", script)
        object.__setattr__(self, "etag", f'"{sha256(script).hexdigest()[:16]}"')

    def say(self, text: str, **values: object) -> str:
        """An English sentence in this language; `{name}` stands for a value, `count` says whether it is one
        or several, and what follows a `|` only tells two meanings apart."""
        found = self.texts.get(text, text.split("|")[0])
        if not isinstance(found, str):
            found = found.get("one" if values.get("count") == 1 else "other", found["other"])
        return found.format(**values) if values else found


def _read(language: str) -> Catalogue:
    told = json.loads((CATALOGUES / f"{language}.json").read_text(encoding="utf-8"))
    return Catalogue(language, told["texts"])


_CATALOGUES = {language: _read(language) for language in LANGUAGES}


def catalogue(language: str) -> Catalogue:
    return _CATALOGUES[language]


def translator(language: str) -> Callable[..., str]:
    return _CATALOGUES[language].say


def readers_language(*, chosen: str | None, accepts: str, house: str) -> str:
    """Of a person: as they once chose, else the first that their browser asks for and we have, else the
    house's."""
    if chosen in LANGUAGES:
        return chosen or house
    known = (one for asked in _asked_for(accepts) if (one := _ours(asked)) is not None)
    return next(known, house)


def _asked_for(accepts: str) -> Iterator[str]:
    """The tags of an Accept-Language, the most wanted first."""
    ranked: list[tuple[float, str]] = []
    for part in accepts.split(",")[:MOST_ASKED]:
        tag, _, weight = part.partition(";")
        ranked.append((_weight(weight), tag.strip().lower()))
    yield from (tag for weight, tag in sorted(ranked, key=lambda one: -one[0]) if weight > 0)


def _weight(text: str) -> float:
    name, _, number = text.strip().partition("=")
    if name.strip() != "q":
        return 1.0
    digits = number.strip()
    return float(digits) if digits.replace(".", "", 1).isdecimal() else 0.0


def _ours(tag: str) -> str | None:
    """`zh` and `zh-Hans-SG` are ours; `zh-TW` is written with other characters, and is not."""
    first, *rest = tag.split("-")
    if first == "zh":
        return None if TRADITIONAL & set(rest) and "hans" not in rest else "zh-CN"
    return first if first in LANGUAGES else None
