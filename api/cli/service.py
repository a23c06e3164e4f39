"""The command that serves."""

from __future__ import annotations

import gc
from pathlib import Path
from types import ModuleType
from typing import Annotated, Any

import typer
from pydantic import ValidationError
from sqlalchemy.exc import DBAPIError

from api.cli.failures import fail
from api.settings import Settings
from jackpot.book.beside.anchors import AnchorsUnusable
from jackpot.book.stores.base import StoreRefused
from jackpot.book.stores.migrating import SchemaOutdated
from jackpot.book.writing.writer import LinkStopped
from jackpot.core.refusals import Refused

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)


def settings_from(**given: Any) -> Settings:
    """What the command line says, then the environment."""
    try:
        return Settings(**{name: value for name, value in given.items() if value is not None})
    except ValidationError as error:
        first = error.errors()[0]
        raise fail(f"{'.'.join(map(str, first['loc'])) or 'settings'}: {first['msg']}") from error


@app.command("serve", epilog="Example: jackpot serve --floor floor.toml --port 8000")
def serve_command(
    floor: Annotated[Path | None, typer.Option(help="The floor file (JACKPOT_FLOOR).")] = None,
    host: Annotated[str | None, typer.Option(help="Where to listen (JACKPOT_HOST).")] = None,
    port: Annotated[int | None, typer.Option(help="0: any free port (JACKPOT_PORT).")] = None,
) -> None:
    """Serve a floor: tables, signs and the House, until told to stop."""
    settings = settings_from(floor=floor, host=host, port=port)
    serving = _server()
    try:
        serving.serve(settings)
    except (Refused, StoreRefused, SchemaOutdated, AnchorsUnusable, *serving.CANNOT_SERVE) as refused:
        raise fail(refused) from refused
    except LinkStopped as stopped:
        raise fail(f"the floor file asks for a change, but the book denies itself: {stopped}") from stopped
    except DBAPIError as trouble:
        raise fail(f"the store does not answer as a book: {trouble.orig}") from trouble
    except OSError as trouble:
        raise fail(f"cannot serve: {trouble}") from trouble


def _server() -> ModuleType:
    """Imported now: options can be wrong before, and `--help` needs none of it. What is imported stays for
    good, so nothing of it is searched for cycles, neither on the way nor later."""
    gc.disable()
    from api import serving

    gc.freeze()
    gc.enable()
    return serving
