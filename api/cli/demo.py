"""The command `jackpot demo`."""

from __future__ import annotations

import asyncio
import signal
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.text import Text

from api.cli.failures import fail
from api.demo.run import Demo, DemoFailed, Tell, play

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console = Console()
LINE_EVERY = 5.0
"""Seconds between lines where nothing can be shown in place."""


@app.command(epilog="Example: jackpot demo --speed 3 --folder demo")
def demo(
    port: Annotated[int, typer.Option(min=1, max=65535, help="Where to listen on this machine.")] = 8000,
    folder: Annotated[
        Path | None, typer.Option(help="Keep the book here and go on with it; default: a temporary one.")
    ] = None,
    seed: Annotated[int, typer.Option(help="Which cards are dealt.")] = 7,
    speed: Annotated[float, typer.Option(min=0.1, max=20, help="Times as fast as life.")] = 1.0,
    seconds: Annotated[float | None, typer.Option(help="Stop after so long; default: at Ctrl-C.")] = None,
) -> None:
    """Serve a demo floor: nine simulated tables of five games; majors are ordered, approved and paid."""
    with ExitStack() as stack:
        place = folder or Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="jackpot-demo-")))
        place.mkdir(parents=True, exist_ok=True)
        show = _live(stack) if console.is_terminal else _lines()
        floor = Demo(folder=place.resolve(), port=port, seed=seed, speed=speed, seconds=seconds)
        try:
            asyncio.run(_until_stopped(floor, show))
        except DemoFailed as failure:
            raise fail(failure) from failure
        except KeyboardInterrupt:
            pass
    console.print("The floor is closed.")


async def _until_stopped(floor: Demo, show: Tell) -> None:
    task = asyncio.create_task(play(floor, _tell, show))
    loop = asyncio.get_running_loop()
    for one in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(one, task.cancel)
    try:
        await task
    except asyncio.CancelledError:
        return


def _tell(line: str) -> None:
    console.print(line, soft_wrap=True, highlight=False, markup=False)


def _live(stack: ExitStack) -> Tell:
    live = stack.enter_context(Live(console=console, auto_refresh=False, transient=True))
    return lambda line: live.update(Text(line, "bold"), refresh=True)


def _lines() -> Tell:
    last = [0.0]

    def show(line: str) -> None:
        if time.monotonic() - last[0] > LINE_EVERY:
            last[0] = time.monotonic()
            _tell(line)

    return show
