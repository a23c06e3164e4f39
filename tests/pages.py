"""The floor on which pages are tested: links of special kinds, and one for each test that plays."""

from __future__ import annotations

from tests.service import HASHED_PASSWORD, FloorFile, full_floor

NAMED = ("main", "high", "hostile", "private")
"""No test plays on `main`; `high` has a theme; strangers named `hostile`; `private` is for enrolled signs."""
HOSTILE = "<script>document.title='taken'</script><b>Gold</b>"
STRANGER = "eve"
"""A supervisor whose name is a script."""


def pages_floor(links: int) -> FloorFile:
    floor = full_floor(*NAMED, *(f"link-{number}" for number in range(1, links + 1)))
    special = {str(link["id"]): link for link in floor.link}
    special["high"]["theme"] = "midnight"
    special["hostile"]["name"] = HOSTILE
    special["private"]["public_readings"] = False
    floor.add_credential(STRANGER, "supervisor", person=HOSTILE, password_hash=HASHED_PASSWORD)
    return floor
