"""The typeface that pages ship, cut from Noto Sans CJK: `python -m tests.fonts FOLDER`.

The folder has `NotoSansCJK-Regular.ttc` and `NotoSansCJK-Bold.ttc`, as Debian's package `fonts-noto-cjk` has
them. Cut are the characters of the catalogues; and for names that a house gives, the 3755 most common Chinese
characters (GB 2312, level 1), which browsers fetch only where one of them is shown. Each in two weights.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont

from displays.pages.languages import LANGUAGES, catalogue
from displays.pages.pages import STATIC

FONTS = STATIC / "fonts"
FAMILY = "House"
SIMPLIFIED = 2
"""Which of the collection has the shapes that are written in mainland China."""
SIGNS = "–—‘’“”…−×÷≤≥→♠♥♦♣▲▼"  # noqa: RUF001 - written as they are shown
LATIN = {*map(chr, range(0x20, 0x7F)), *map(chr, range(0xA0, 0x100)), *SIGNS}
WEIGHTS = {400: "NotoSansCJK-Regular.ttc", 700: "NotoSansCJK-Bold.ttc"}


def said() -> set[str]:
    """Every character of the catalogues, and what figures and cards are written with."""
    texts = [text for language in LANGUAGES for text in catalogue(language).texts.values()]
    forms = [form for text in texts for form in ([text] if isinstance(text, str) else text.values())]
    return LATIN | set("".join([*forms, *LANGUAGES.values()]))


def common() -> set[str]:
    """GB 2312, level 1."""
    rows = (bytes([row, cell]) for row in range(0xB0, 0xD8) for cell in range(0xA1, 0xFF))
    return {pair.decode("gb2312") for pair in rows if pair < b"\xd7\xfa"}


def text_file(weight: int) -> str:
    return f"text-{weight}.woff2"


def names_file(weight: int) -> str:
    return f"names-{weight}.woff2"


def characters_of(file: str) -> set[str]:
    return set(map(chr, TTFont(FONTS / file).getBestCmap()))


def cut(source: Path, wanted: set[str], target: Path) -> None:
    options = Options()
    options.hinting = False
    options.layout_features = ["kern"]
    options.drop_tables += ["BASE", "VORG", "vhea", "vmtx"]
    font = TTFont(source, fontNumber=SIMPLIFIED, lazy=True)
    subsetter = Subsetter(options)
    subsetter.populate(unicodes=map(ord, wanted))
    subsetter.subset(font)
    font.flavor = "woff2"
    font.save(target)


def ranges(characters: Iterable[str]) -> str:
    """As a style sheet lists them."""
    codes = sorted(map(ord, characters))
    breaks = [index for index, (one, other) in enumerate(pairwise(codes), 1) if other > one + 1]
    parts = [codes[first:last] for first, last in pairwise([0, *breaks, len(codes)])]
    return ", ".join(f"U+{one[0]:X}" if len(one) == 1 else f"U+{one[0]:X}-{one[-1]:X}" for one in parts)


def faces() -> str:
    """Where two of one weight have a character, the later one gives it. Only faces of the very same weight
    complete each other."""
    found = [(names_file(weight), weight, "U+4E00-9FFF") for weight in WEIGHTS]
    found += [(text_file(weight), weight, ranges(characters_of(text_file(weight)))) for weight in WEIGHTS]
    return "/* Written by tests/fonts.py. */\n" + "".join(_face(*one) for one in found)


def _face(file: str, weight: int, characters: str) -> str:
    told = {
        "font-family": f'"{FAMILY}"',
        "font-weight": str(weight),
        "font-display": "block",
        "src": f'url("/static/fonts/{file}") format("woff2")',
        "unicode-range": characters,
    }
    return "\n@font-face {\n" + "".join(f"  {name}: {value};\n" for name, value in told.items()) + "}\n"


def main(folder: Path) -> None:
    FONTS.mkdir(exist_ok=True)
    for weight, source in WEIGHTS.items():
        cut(folder / source, said(), FONTS / text_file(weight))
        if not (FONTS / names_file(weight)).exists():
            cut(folder / source, common(), FONTS / names_file(weight))
    (FONTS / "faces.css").write_text(faces())


if __name__ == "__main__":
    main(Path(sys.argv[1]))
