"""`jackpot dryrun`."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from api.cli.dryrun_report import report
from api.cli.failures import bad_input, fail, told_clearly
from api.dryruns.asked import Asked, check_time, read_levels
from api.dryruns.picture import drawn
from api.dryruns.running import Unplayable, found_by
from api.dryruns.told import as_csv, told
from jackpot.book.reading.playback import NoJackpot, NothingHappened
from jackpot.book.stores.addresses import DEFAULT_URL, existing_store
from jackpot.book.stores.committed import LinkUnknown
from jackpot.core.instants import MILLISECOND, parse_instant
from jackpot.core.refusals import ParameterWrong, Refused
from jackpot.dryrun.findings import Findings
from jackpot.dryrun.playing import Differs
from jackpot.link.awards import Policy
from jackpot.link.parameters import Changes

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
console, errors = Console(), Console(stderr=True)

_SO = """Examples:

jackpot dryrun --link main

jackpot dryrun --link main --from 2026-10-01T00:00:00+08:00 --to 2026-11-01T00:00:00+08:00 --seed 10000000

jackpot dryrun --link main --policy split --levels levels.toml --csv payments.csv --plot meter.svg

Without other parameters it proves itself: every fact must come out as it was recorded."""


@app.command("dryrun", epilog=_SO)
def dryrun_command(
    link: Annotated[str, typer.Option(help="Which link.")],
    *,
    since: Annotated[
        str | None, typer.Option("--from", metavar="TIME", help="From here on; default: its creation.")
    ] = None,
    until: Annotated[
        str | None, typer.Option("--to", metavar="TIME", help="Before this; default: up to now.")
    ] = None,
    seed: Annotated[int | None, typer.Option(metavar="AMOUNT", help="After each reset.")] = None,
    meter_ppm: Annotated[int | None, typer.Option(metavar="N", help="Of a bet to the meter.")] = None,
    reserve_ppm: Annotated[int | None, typer.Option(metavar="N", help="Of a bet to the reserve.")] = None,
    ceiling: Annotated[int | None, typer.Option(metavar="AMOUNT", help="The most the meter shows.")] = None,
    no_ceiling: Annotated[bool, typer.Option("--no-ceiling", help="No such limit.")] = False,
    policy: Annotated[
        str | None, typer.Option(metavar="|".join(Policy), help="How wins that meet are paid.")
    ] = None,
    window_ms: Annotated[
        int | None, typer.Option(metavar="N", help="Wins no further apart are simultaneous.")
    ] = None,
    cap: Annotated[
        int | None, typer.Option(metavar="AMOUNT", help="The most that fixed odds of one round pay.")
    ] = None,
    levels: Annotated[
        Path | None, typer.Option(metavar="FILE.toml", help="The pay table, as a floor file has it.")
    ] = None,
    csv_file: Annotated[Path | None, typer.Option("--csv", help="Write the payments here.")] = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write all of it here.")] = None,
    plot: Annotated[Path | None, typer.Option(metavar="FILE.svg", help="Draw the meter here.")] = None,
    database: Annotated[
        str,
        typer.Option("--database", envvar="JACKPOT_DATABASE_URL", help="The store, as a SQLAlchemy address."),
    ] = DEFAULT_URL,
) -> None:
    """What a link's recorded play would have come to under other parameters; nothing is written to it."""
    try:
        overrides = Changes(
            seed=seed,
            meter_ppm=meter_ppm,
            reserve_ppm=reserve_ppm,
            ceiling=ceiling,
            no_ceiling=no_ceiling,
            levels=None if levels is None else read_levels(levels),
            policy=None if policy is None else _policy(policy),
            window=None if window_ms is None else window_ms * MILLISECOND,
            cap=cap,
        )
        asked = Asked(
            link=link,
            since=None if since is None else parse_instant(since, field="from"),
            until=None if until is None else parse_instant(until, field="to"),
            overrides=overrides,
        )
        _check_plot(plot)
        found = _found(database, check_time(asked))
    except Refused as refused:
        raise bad_input(refused) from refused
    _tell(found, csv_file, json_file, plot)


def _policy(name: str) -> Policy:
    if name not in list(Policy):
        raise ParameterWrong(f"{name[:40]!r} is no policy: {', '.join(Policy)}", field="policy")
    return Policy(name)


def _check_plot(file: Path | None) -> None:
    if file is not None and file.suffix.lower() != ".svg":
        raise ParameterWrong(f"{file}: a plot is an .svg file", field="plot")


def _found(database: str, asked: Asked) -> Findings:
    with told_clearly(NoJackpot, NothingHappened, Differs, Unplayable):
        columns = (TextColumn("playing {task.fields[link]}"), BarColumn(), MofNCompleteColumn())
        paces = (TextColumn("{task.fields[pace]}"), TimeRemainingColumn())
        with Progress(*columns, *paces, console=errors, disable=not errors.is_terminal) as bar:
            try:
                return asyncio.run(_played(database, asked, _pace(bar, asked.link)))
            except LinkUnknown as unknown:
                raise fail(f"the book has no link {asked.link[:80]}") from unknown


def _pace(bar: Progress, link: str) -> Callable[[int, int], None]:
    begun, task = time.monotonic(), bar.add_task("entries", total=None, link=link, pace="")

    def progress(done: int, total: int) -> None:
        pace = done / max(time.monotonic() - begun, 1e-3)
        bar.update(task, completed=done, total=total, pace=f"{pace:,.0f}/s")

    return progress


async def _played(database: str, asked: Asked, progress: Callable[[int, int], None]) -> Findings:
    store = existing_store(database)
    try:
        return await found_by(store, asked, progress)
    finally:
        await store.close()


def _tell(found: Findings, csv_file: Path | None, json_file: Path | None, plot: Path | None) -> None:
    for warning in found.warnings:
        errors.print(f"[bold yellow]{warning}[/]", soft_wrap=True, highlight=False)
    answer = told(found)
    for part in report(answer):
        console.print(part)
    texts: tuple[tuple[Path | None, Callable[[], str]], ...] = (
        (csv_file, lambda: as_csv(answer)),
        (json_file, lambda: json.dumps(answer, indent=1) + "\n"),
        (plot, lambda: drawn(answer)),
    )
    for file, made in texts:
        if file is not None:
            with told_clearly():
                file.write_text(made())
            errors.print(f"written to {file}", soft_wrap=True, markup=False, highlight=False)
