"""The command line, as people type it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tomllib
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from pathlib import Path

import pytest
from typer.main import get_group
from typer.testing import CliRunner

from api.cli.commands import COMMANDS, app, command_of
from jackpot.core.money import Account
from jackpot.pools import pool
from tests.servers import free_port

run = CliRunner()
ROOT = Path(__file__).parents[2]
SERVICE = {
    "argon2",
    "fastapi",
    "httptools",
    "jinja2",
    "prometheus_client",
    "pydantic_settings",
    "redis",
    "starlette",
    "structlog",
    "uvloop",
}
"""What only a service needs. Pydantic is not among it: typer checks every argument by it."""
BOOK = {"aiosqlite", "alembic", "asyncpg", "cryptography", "sqlalchemy"}
MATH = {"matplotlib", "numpy"}
CALLED = """
import sys
sys.modules.update(dict.fromkeys({absent!r}))
from api.cli import main
sys.argv = ["jackpot", *{arguments!r}]
main()
"""
IMPORTED = """
import sys
from api.cli import main
for words in {several!r}:
    sys.argv = ["jackpot", *words]
    try:
        main()
    except SystemExit:
        pass
    print("imported:", *{{name.partition(".")[0] for name in sys.modules}}, file=sys.stderr)
"""


def called(
    *arguments: object, absent: tuple[str, ...] = (), folder: Path = ROOT
) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own, where some libraries are not installed."""
    program = CALLED.format(arguments=[str(one) for one in arguments], absent=absent)
    return _interpreted(program, folder)


def _interpreted(program: str, folder: Path = ROOT) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", program]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)


def imported(*several: tuple[str, ...]) -> list[set[str]]:
    """After each of several commands, what it and those before it imported: one interpreter for all."""
    done = _interpreted(IMPORTED.format(several=several))
    lines = [line.split() for line in done.stderr.splitlines() if line.startswith("imported:")]
    assert len(lines) == len(several), done.stderr
    return [set(names[1:]) for names in lines]


def test_one_seed_twice_prints_the_same_hash() -> None:
    first, second = (run.invoke(app, ["simulate", "--seed", "5", "--steps", "120"]) for _ in range(2))
    assert first.exit_code == 0
    found = re.search(r"seed 5: journal ([0-9a-f]{64})", first.output)
    assert found is not None
    assert found.group(1) in second.output


def test_several_seeds_in_several_processes_print_counts() -> None:
    result = run.invoke(app, ["simulate", "--seeds", "8", "--steps", "60", "--jobs", "2"])
    assert result.exit_code == 0
    assert "8 seeds, " in result.output
    assert re.search(r"BetsClosed\s+\d+", result.output)
    assert "Never happened:" in result.output


def test_a_failure_exits_with_1_and_tells_the_story(monkeypatch: pytest.MonkeyPatch) -> None:
    def careless(draft: pool.Draft, *_arguments: object, **_named: object) -> None:
        draft.move(Account.WAGERS, Account.METER, 1)
        draft._now[Account.METER] += 1

    monkeypatch.setattr("jackpot.play.bets.contribute", careless)
    result = run.invoke(app, ["simulate", "--seeds", "3", "--jobs", "1"])
    assert result.exit_code == 1
    assert "InvariantBroken" in result.output
    assert "CloseBets" in result.output
    assert re.search(r"\d steps\. Again: jackpot simulate --seed 0", result.output)


@pytest.mark.parametrize("command", ["simulate", "demo"])
def test_help_has_an_example(command: str) -> None:
    assert f"Example: jackpot {command}" in run.invoke(app, [command, "--help"]).output


# What is listed is what is called


@pytest.mark.parametrize("name", COMMANDS)
def test_the_list_says_of_a_command_what_the_command_says_of_itself(name: str) -> None:
    assert COMMANDS[name].help == command_of(name).help


def test_every_command_of_a_module_is_listed() -> None:
    for module in {listed.module for listed in COMMANDS.values()}:
        here = {name for name, listed in COMMANDS.items() if listed.module == module}
        assert set(get_group(import_module(module).app).commands) == here


def test_a_misspelled_command_is_told_the_right_one() -> None:
    result = run.invoke(app, ["verfiy"])
    assert result.exit_code == 2
    assert "Did you mean 'verify'?" in result.output


def test_the_version_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    result = run.invoke(app, ["--version"])
    assert (result.exit_code, result.output) == (0, f"jackpot {project['version']}\n")


def test_without_an_installation_the_version_is_not_known(monkeypatch: pytest.MonkeyPatch) -> None:
    def missing(name: str) -> str:
        raise PackageNotFoundError(name)

    monkeypatch.setattr("importlib.metadata.version", missing)
    assert run.invoke(app, ["--version"]).output == "jackpot (not installed: run from its source)\n"


# What a command imports


def test_help_and_version_import_no_command_and_the_rules_neither_service_nor_book() -> None:
    *asked, evaluated, weighed, compared, simulated = imported(
        ("--help",),
        ("--version",),
        ("evaluate", "Ah", "Kh", "Qh", "Jh", "Th"),
        ("odds", "--floor", "docs/floor.example.toml", "--runs", "0"),
        ("profile", "--floor", "docs/floor.example.toml"),
        ("simulate", "--seed", "1", "--steps", "5"),
    )
    for found in asked:
        assert "api" in found
        assert found & (SERVICE | BOOK | MATH | {"displays", "jackpot", "pydantic"}) == set()
    for found in (evaluated, weighed, compared, simulated):
        assert "jackpot" in found
        assert found & (SERVICE | BOOK | MATH | {"displays"}) == set()


def test_commands_on_a_book_import_nothing_of_the_service(tmp_path: Path) -> None:
    book = ("--database", f"sqlite+aiosqlite:///{tmp_path / 'book.db'}")
    copy = str(tmp_path / "copy.db")
    for found in imported(
        ("migrate", *book), ("verify", *book), ("replay", *book), ("restored", *book), ("backup", copy, *book)
    ):
        assert "sqlalchemy" in found
        assert found & (SERVICE | MATH | {"asyncpg", "displays"}) == set()


def test_commands_on_postgresql_import_no_driver_of_sqlite() -> None:
    [found] = imported(("verify", "--database", "postgresql+asyncpg://nobody@127.0.0.1:1/none"))
    assert "asyncpg" in found
    assert "aiosqlite" not in found


def test_a_service_on_sqlite_alone_imports_neither_other_servers_nor_what_migrates(sqlite_url: str) -> None:
    """It is listed when the service is ready: a start after a crash takes as long as its imports."""
    program = "import sys\nfrom api.cli import main\ntry: main()\nfinally: print(*sys.modules)"
    floor, port = ROOT / "docs" / "first-jackpot.floor.toml", free_port()
    service = subprocess.Popen(
        [sys.executable, "-c", program, "serve", "--floor", floor, "--port", str(port)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=os.environ | {"JACKPOT_DEMO": "1", "JACKPOT_DATABASE_URL": sqlite_url},
    )
    assert service.stderr is not None
    for line in service.stderr:
        if "serving on" in line:
            break
    service.terminate()
    found = {name.partition(".")[0] for name in service.communicate(timeout=60)[0].split()}
    assert "fastapi" in found
    assert found & (MATH | {"alembic", "asyncpg", "mako", "redis", "httpx"}) == set()


# What is said when its libraries are not installed


@pytest.mark.parametrize(
    ("arguments", "absent"),
    [
        (("serve",), "fastapi"),
        (("serve", "--help"), "pydantic_settings"),
        (("verify",), "sqlalchemy"),
        (("password",), "argon2"),
        (("odds", "--floor", "docs/floor.example.toml"), "pydantic"),
    ],
)
def test_a_command_without_its_libraries_says_what_to_install(
    arguments: tuple[str, ...], absent: str
) -> None:
    result = called(*arguments, absent=(absent,))
    assert result.returncode == 1
    assert result.stdout == ""
    assert f"{absent} is needed: pip install 'multilink-jackpot[service]'" in result.stderr
    assert "Traceback" not in result.stderr


def test_a_module_of_ours_that_is_missing_is_a_mistake_and_shown_as_one() -> None:
    result = called("evaluate", "Ah", absent=("jackpot.cards.evaluator",))
    assert result.returncode == 1
    assert "Traceback" in result.stderr
    assert "pip install" not in result.stderr
