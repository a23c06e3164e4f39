"""The command `jackpot`. A command's module is imported when it is called: only `serve` needs the service."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import Annotated, Any, NamedTuple, NoReturn

import typer
from typer.core import TyperGroup
from typer.main import get_group

OURS = ("api", "displays", "jackpot")
MATH = ("matplotlib", "numpy")


class Listed(NamedTuple):
    """A command as `jackpot --help` lists it, before anything of it is imported."""

    module: str
    help: str


COMMANDS = {
    "simulate": Listed(
        "api.cli.simulate",
        "Play seeded floors with unkind clocks, networks and people; check all invariants after each step.",
    ),
    "evaluate": Listed(
        "api.cli.evaluate",
        "Name a hand and its strength among all 7,462. With -, a hand a line from standard input, at speed.",
    ),
    "odds": Listed("api.cli.odds", "What the jackpot of a floor gives back, costs and may come to owe."),
    "profile": Listed(
        "api.cli.profile",
        "What a jurisdiction asks of a floor: each value with its paragraph, and whether that was confirmed.",
    ),
    "edge": Listed(
        "api.cli.edge",
        "What the main game costs a player with a simple strategy: by rounds settled, and by every deal.",
    ),
    "verify": Listed(
        "api.cli.book",
        "Compute the chain, the accounts, every payment and the state again; exit 1 at the first difference.",
    ),
    "replay": Listed(
        "api.cli.book", "The state of a link after an entry of its journal, from its facts alone."
    ),
    "dryrun": Listed(
        "api.cli.dryrun",
        "What a link's recorded play would have come to under other parameters; nothing is written to it.",
    ),
    "migrate": Listed(
        "api.cli.book",
        "Bring a store to this release: its schema, and every state made anew from its journal.",
    ),
    "rebuild": Listed(
        "api.cli.book",
        "Make the stored state anew from the journal, and say what differed. The service must be stopped.",
    ),
    "backup": Listed("api.cli.book", "A consistent copy of a SQLite book, also while it is in use."),
    "restored": Listed(
        "api.cli.book",
        "After a restore, before serving: give the book a new epoch,"
        " so that signs and replicas start afresh.",
    ),
    "anchor-key": Listed(
        "api.cli.book", "Make the key that signs anchors, and the public key for auditors beside it."
    ),
    "serve": Listed("api.cli.service", "Serve a floor: tables, signs and the House, until told to stop."),
    "password": Listed("api.cli.identity", "Read a password and print the `password_hash` of a floor file."),
    "token": Listed("api.cli.identity", "Make, revoke and list credentials."),
    "demo": Listed(
        "api.cli.demo",
        "Serve a demo floor: nine simulated tables of five games; majors are ordered, approved and paid.",
    ),
}


class Commands(TyperGroup):
    """Lists commands by name and help, and imports the one that is called."""

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:
        name, listed, rest = super().resolve_command(ctx, args)
        return name, listed if name is None else command_of(name), rest


def command_of(name: str) -> Any:
    """The command itself, with its arguments and options."""
    return get_group(import_module(COMMANDS[name].module).app).commands[name]


app = typer.Typer(cls=Commands, no_args_is_help=True, pretty_exceptions_enable=False, add_completion=False)


def _listed_only() -> NoReturn:
    raise AssertionError("the command itself is called, not its line in the list")


for _name, _listed in COMMANDS.items():
    app.command(_name, help=_listed.help)(_listed_only)


def main() -> None:
    try:
        app()
    except ModuleNotFoundError as missing:
        sys.exit(_what_to_install(missing))


def _what_to_install(missing: ModuleNotFoundError) -> str:
    """For whoever installed less than the command needs. One of our own modules is missing by a mistake of
    ours, which no installation mends."""
    library = (missing.name or "").partition(".")[0]
    if not library or library in OURS:
        raise missing
    extra = "math" if library in MATH else "service"
    return f"{library} is needed: pip install 'multilink-jackpot[{extra}]'"


def _version(asked: bool) -> None:  # noqa: FBT001  typer calls it with the flag's value
    if asked:
        typer.echo(f"jackpot {_installed_version()}")
        raise typer.Exit


def _installed_version() -> str:
    from importlib.metadata import PackageNotFoundError, version  # no other command needs it

    try:
        return version("multilink-jackpot")
    except PackageNotFoundError:
        return "(not installed: run from its source)"


@app.callback()
def _root(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """The multi-link progressive jackpot controller."""
