"""What runs without coverage watching every call: proofs over millions of hands, and all but the rules' tests."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def untraced() -> Iterator[None]:
    """Lines run in here are counted as not run; small tests run them too. Threads begun here are not traced."""
    watching, in_threads = sys.gettrace(), threading.gettrace()
    sys.settrace(None)
    threading.settrace(None)  # type: ignore[arg-type]  as the documentation has it
    try:
        yield
    finally:
        sys.settrace(watching)
        threading.settrace(in_threads)  # type: ignore[arg-type]
