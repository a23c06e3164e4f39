"""`jackpot profile`."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated, Any

import typer
from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from api.cli.failures import bad_input
from api.floor.bounds import Difference, profile_named, spoken_value
from api.floor.file import Floor, read_floor
from api.floor.telling import difference_told, profile_told
from jackpot.core.refusals import ParameterWrong, Refused
from jackpot.house.profiles import NOT_FOUND, PROFILES, SETTINGS, Profile

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
Told = dict[str, Any]


@app.command(epilog="Example: jackpot profile new-mexico")
def profile(
    name: Annotated[str | None, typer.Argument(help="The profile; without one, all are listed.")] = None,
    *,
    floor: Annotated[
        Path | None, typer.Option(help="A floor file: its profile, and what it tightens and loosens.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="For machines.")] = False,
) -> None:
    """What a jurisdiction asks of a floor: each value with its paragraph, and whether that was confirmed."""
    try:
        read = None if floor is None else read_floor(floor)
        named = _named(name, read)
    except Refused as refused:
        raise bad_input(refused) from refused
    if as_json:
        typer.echo(json.dumps(_told(named, read), indent=2))
    elif named is None:
        Console().print(_list())
    else:
        Console().print(_table(named))
        if read is not None:
            Console().print(_differences(read.differences))


def _named(name: str | None, floor: Floor | None) -> Profile | None:
    if name is None:
        return None if floor is None else profile_named(floor.profile)
    if floor is not None and floor.profile != name:
        raise ParameterWrong(
            f"the floor file names the profile {floor.profile}, not {name[:40]}", field="profile"
        )
    return profile_named(name)


# For machines


def _told(named: Profile | None, floor: Floor | None) -> Told:
    if named is None:
        return {"profiles": [{"name": one.name, "title": one.title} for one in PROFILES.values()]}
    told = profile_told(named)
    if floor is not None:
        told["differences"] = [difference_told(one) for one in floor.differences]
    return told


# For people


def _list() -> Table:
    grid = _grid("Profiles", "profile", "of", "confirmed")
    for one in PROFILES.values():
        confirmed = sum(setting.of(one).confirmed for setting in SETTINGS)
        grid.add_row(one.name, one.title, f"{confirmed} of {len(SETTINGS)} values")
    return grid


def _table(profile: Profile) -> Table:
    grid = _grid(
        f"{profile.name}: {profile.title}", "setting", "value", "paragraph", "confirmed", "what it is"
    )
    for setting in SETTINGS:
        source = setting.of(profile)
        what = f"{setting.what}. {source.note}".rstrip()
        confirmed = Text("yes", "green") if source.confirmed else Text("no", "yellow")
        value = spoken_value(source.value, setting.unit)
        grid.add_row(setting.name, value, source.paragraph or "", confirmed, what)
    grid.caption, grid.caption_justify = f"Not confirmed: {NOT_FOUND[0].lower()}{NOT_FOUND[1:]}", "left"
    return grid


def _differences(found: list[Difference]) -> Table | Text:
    if not found:
        return Text("This floor neither tightens nor loosens anything.")
    grid = _grid("What this floor says otherwise", "setting", "link", "profile", "here", "", "reason")
    for one in found:
        asked, given = (spoken_value(value, one.setting.unit) for value in (one.asked, one.given))
        row = (one.setting.name, one.link or "", asked, given, one.standing.value, one.reason or "")
        grid.add_row(*(Text(cell) for cell in row))
    return grid


def _grid(title: str, *columns: str) -> Table:
    grid = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for number, column in enumerate(columns):
        grid.add_column(column, justify="left", overflow="fold", no_wrap=number == 0)
    return grid
