"""What the page on scaling says was measured is what the benchmarks wrote."""

from __future__ import annotations

import re
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
MEASURED = "".join((DOCS / f"benchmarks-{part}.md").read_text() for part in ("book", "messages", "signs"))
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (DOCS / "scaling.md").read_text().splitlines()
    if re.match(r"\| (whole|bets|polls|event|opening)", line)
]


def test_every_figure_of_one_machine_was_measured() -> None:
    told = [re.match(r"[\d.,]+", row[1]) for row in ROWS]
    figures = [found[0] for found in told if found is not None]
    assert len(figures) == len(ROWS) == 6
    figures += re.findall(r"within (\d+) ms", ROWS[4][2])
    missing = [one for one in figures if not re.search(rf"(?<![\d.,]){re.escape(one)}(?![\d.,])", MEASURED)]
    assert missing == [], "a benchmark found other figures: bring docs/scaling.md up to date"


def test_tables_follow_from_the_rounds() -> None:
    """A round a minute at each."""
    rounds, (tables,) = _number(ROWS[0][1]), map(_number, re.findall(r"[\d,]{5,}", ROWS[0][2]))
    assert abs(tables - rounds * 60) < 1_000


def _number(text: str) -> int:
    return int(text.split()[0].replace(",", ""))
