"""What runs without coverage watching: proofs over millions of hands, and all but the tests of the rules."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


class Eyes:
    """Coverage's, as they were before the first test; none without coverage."""

    def __init__(self) -> None:
        self.here, self.in_threads = sys.gettrace(), threading.gettrace()

    def open(self) -> None:
        sys.settrace(self.here)
        threading.settrace(self.in_threads)


@contextmanager
def traced(eyes: Eyes) -> Iterator[None]:
    """Also if a test before has lost the trace: one that runs a loop of another kind in this thread may."""
    before = Eyes()
    eyes.open()
    try:
        yield
    finally:
        before.open()


@contextmanager
def untraced() -> Iterator[None]:
    """Lines run in here, and in threads begun here, are counted as not run; small tests run them too."""
    before = Eyes()
    sys.settrace(None)
    threading.settrace(None)
    try:
        yield
    finally:
        before.open()
