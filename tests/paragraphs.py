"""What several games of blackjack say under numbers of their own: one test, with an id for each paragraph.

`python -m pytest tests -k "b_3_18 or f_3_19"` runs what is said of them.
"""

from __future__ import annotations

from collections.abc import Iterator
from types import FunctionType

import pytest

from tests.blackjack import LETTERS

_ARGUMENTS = ("rules", "rule", "also", "besides")


def paragraph(everywhere: str = "", /, **by_letter: str) -> pytest.MarkDecorator:
    """`@paragraph(B="3.18", P="3.19", F="3.19")`, or `@paragraph("5.7.3")` where all three number alike. The
    test is given `rules` and `rule`; further numbers after a blank, `also` and `besides`, name no test."""
    numbers = by_letter or dict.fromkeys(LETTERS, everywhere)
    cases = [(letter, said.split()) for letter, said in numbers.items()]
    count = {len(said) for _, said in cases}.pop()
    return pytest.mark.parametrize(
        _ARGUMENTS[: count + 1],
        [pytest.param(LETTERS[letter], *said, id=_id(letter, said[0])) for letter, said in cases],
    )


def _id(letter: str, number: str) -> str:
    return f"{letter.lower()}_{number.replace('.', '_')}"


def ids(test: FunctionType) -> Iterator[str]:
    """Of the paragraphs that such a test is for."""
    for mark in getattr(test, "pytestmark", ()):
        if mark.name == "parametrize" and mark.args[0] in [_ARGUMENTS[:end] for end in (2, 3, 4)]:
            yield from (case.id for case in mark.args[1])
