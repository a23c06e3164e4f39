"""The floors on which pages are tested: links of special kinds, and one for each test that plays."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from tests.service import HASHED_PASSWORD, FloorFile, InThread, full_floor

NAMED = ("main", "high", "hostile", "private")
"""No test plays on `main`; `high` has a theme; `private` is for enrolled signs."""
PLAYED = 10
"""Links that tests play on. The console reads all links at every change: with forty it does little else."""
HOSTILE = "<script>document.title='taken'</script><b>Gold</b>"
"""The name of a link, and of a supervisor."""
STRANGER = "eve"


def pages_floor() -> FloorFile:
    floor = full_floor(*NAMED, *(f"link-{number}" for number in range(1, PLAYED + 1)))
    special = {str(link["id"]): link for link in floor.link}
    special["high"]["theme"] = "midnight"
    special["hostile"]["name"] = HOSTILE
    special["private"]["public_readings"] = False
    floor.add_credential(STRANGER, "supervisor", person=HOSTILE, password_hash=HASHED_PASSWORD)
    return floor


class Houses:
    """One service after another, each with few links: the next starts when the links of one are used up."""

    def __init__(self, folder: Callable[[], Path]) -> None:
        self._folder = folder
        self._house: InThread | None = None
        self._left = 0

    def any(self) -> InThread:
        return self._house or self._start()

    def with_a_link(self) -> InThread:
        """For a test that takes one link."""
        house = self.any() if self._left else self._start()
        self._left -= 1
        return house

    def close(self) -> None:
        house, self._house = self._house, None
        if house is not None:
            house.close()
            assert "Traceback" not in house.log()

    def _start(self) -> InThread:
        self.close()
        folder = self._folder()
        house = InThread(f"sqlite+aiosqlite:///{folder / 'book.db'}", pages_floor(), folder)
        self._house, self._left = house, PLAYED
        house.start()
        for _ in NAMED:
            house.next_link()
        return house
