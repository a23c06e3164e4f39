"""Files that we make are ours alone, from their first moment on."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

PRIVATE = 0o600
"""Given when a file is made: between making it and changing its mode, others could open it."""


def make_private(file: Path) -> None:
    """Unless it is there. What SQLite makes beside a book has the book's mode."""
    with suppress(FileExistsError):
        os.close(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, PRIVATE))


def exposure(file: Path) -> str | None:
    """Why others can read a secret or put another in its place. A group of ours may read it."""
    found = file.stat()
    mode = stat.S_IMODE(found.st_mode)
    if mode & stat.S_IRWXO:
        return f"others can use it (mode {mode:04o})"
    if mode & stat.S_IWGRP:
        return f"its group can change it (mode {mode:04o})"
    if mode & stat.S_IRGRP and found.st_gid not in {os.getegid(), *os.getgroups()}:
        return f"a group that is not ours can read it (mode {mode:04o})"
    return None
