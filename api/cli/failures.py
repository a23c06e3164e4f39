"""How a command says that it cannot: in one line, apart from what it has to say otherwise."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

from jackpot.core.refusals import Refused

_BAD_INPUT = 2


def fail(message: object) -> typer.Exit:
    from rich.console import Console  # a service that starts has nothing to print
    from rich.text import Text

    Console(stderr=True).print(Text(str(message), "bold red"), soft_wrap=True)
    return typer.Exit(1)


def bad_input(refused: Refused) -> typer.Exit:
    typer.echo(f"{refused.code}: {refused.message}", err=True)
    return typer.Exit(_BAD_INPUT)


@contextmanager
def told_clearly(*refusals: type[Exception]) -> Iterator[None]:
    """What can go wrong with a book; the refusals say themselves what they are about."""
    from sqlalchemy.exc import DBAPIError  # not every command has a book

    from jackpot.book.stores.base import StoreRefused
    from jackpot.book.stores.migrating import SchemaOutdated

    known: tuple[type[Exception], ...] = (StoreRefused, SchemaOutdated, *refusals)
    try:
        yield
    except known as refused:
        raise fail(refused) from refused
    except DBAPIError as trouble:
        raise fail(f"the store does not answer as a book: {trouble.orig}") from trouble
    except OSError as trouble:
        raise fail(f"the store cannot be reached: {trouble}") from trouble
