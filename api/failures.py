"""How a command says that it cannot: in one line, apart from what it has to say otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer
from rich.console import Console
from rich.text import Text
from sqlalchemy.exc import DBAPIError

from jackpot.book.migrating import SchemaOutdated
from jackpot.book.primary import StoreRefused

_console = Console(stderr=True)


def fail(message: object) -> typer.Exit:
    _console.print(Text(str(message), "bold red"), soft_wrap=True)
    return typer.Exit(1)


@contextmanager
def told_clearly(*refusals: type[Exception]) -> Iterator[None]:
    """What can go wrong with a book; the refusals say themselves what they are about."""
    known: tuple[type[Exception], ...] = (StoreRefused, SchemaOutdated, *refusals)
    try:
        yield
    except known as refused:
        raise fail(refused) from refused
    except DBAPIError as trouble:
        raise fail(f"the store does not answer as a book: {trouble.orig}") from trouble
    except OSError as trouble:
        raise fail(f"the store cannot be reached: {trouble}") from trouble
