"""Where a book denies itself."""

from __future__ import annotations


class Difference(Exception):
    """Where the book denies itself."""

    def __init__(self, link: str, sequence: int | None, message: str) -> None:
        where = f"link {link}" if sequence is None else f"link {link}, entry {sequence}"
        super().__init__(f"{where}: {message}")
        self.link, self.sequence, self.message = link, sequence, message

    def __reduce__(self) -> tuple[type[Difference], tuple[str, int | None, str]]:
        """It may have been found in another process."""
        return Difference, (self.link, self.sequence, self.message)
