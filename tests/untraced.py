"""What runs without coverage watching: proofs over millions of hands, and all but the tests of the rules."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

WATCHING = sys.gettrace()
"""Coverage's eyes, as they were when the tests were found; None without coverage."""


@contextmanager
def traced() -> Iterator[None]:
    """Also if a test before has lost the trace: one that runs a loop of another kind in this thread may."""
    if sys.gettrace() is None:
        sys.settrace(WATCHING)
    yield


@contextmanager
def untraced() -> Iterator[None]:
    """Lines run in here, and in threads begun here, are counted as not run; small tests run them too."""
    watching, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        sys.settrace(watching)
        threading.settrace(in_threads)
