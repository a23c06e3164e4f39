"""What people write: which names are one name, and which characters nobody would see."""

from __future__ import annotations

from collections.abc import Iterable
from unicodedata import category, normalize

_UNSEEN = frozenset({"Cc", "Cf", "Zl", "Zp"})
"""Control characters, separators of lines, and what turns the direction of the text or joins parts of it."""
_BLANK = frozenset(
    "\u034f\u115f\u1160\u17b4\u17b5\u180b\u180c\u180d\u180f\u2800\u3164\uffa0"
    + "".join(map(chr, range(0xFE00, 0xFE10)))
    + "".join(map(chr, range(0xE0100, 0xE01F0)))
)
"""Letters and marks that leave no mark on paper: fillers, joiners, selectors of a variant."""


def folded(name: str) -> str:
    """Two names that differ only in capitals, in spaces or in how a letter is encoded, are one."""
    return " ".join(normalize("NFKC", normalize("NFKC", name).casefold()).split())


def spelled_differently(names: Iterable[str]) -> list[list[str]]:
    """The names of which others are only another spelling, those of each together."""
    spellings: dict[str, set[str]] = {}
    for name in names:
        spellings.setdefault(folded(name), set()).add(name)
    return sorted(sorted(same) for same in spellings.values() if len(same) > 1)


def unseen(text: str, *, lines: bool = False) -> str | None:
    """The first character that shows nothing or changes how others show; with `lines`, lines may end."""
    if text.isascii() and text.isprintable():
        return None
    for one in text:
        if (category(one) in _UNSEEN or one in _BLANK) and not (lines and one == "\n"):
            return f"U+{ord(one):04X}"
    return None


_FORMULA = ("=", "+", "-", "@", "\t", "\r")


def cell(value: object) -> str:
    """As a spreadsheet takes it for text, and not for a formula.

    >>> cell("=1+1"), cell(-5), cell(None), cell("stud-01")
    ("'=1+1", "'-5", '', 'stud-01')
    """
    text = "" if value is None else str(value)
    return f"'{text}" if text.startswith(_FORMULA) else text
