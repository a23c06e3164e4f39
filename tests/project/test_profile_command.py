"""`jackpot profile`, and the tables of docs/policies.md, which are the same data."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner

from api.cli.commands import app
from api.floor.bounds import spoken_value
from api.floor.file import read_floor
from jackpot.house.profiles import PROFILES, SETTINGS, Profile
from tests.in_process import LINK

run = CliRunner()
WIDE = {"COLUMNS": "220"}
POLICIES = Path(__file__).parents[2] / "docs" / "policies.md"


def printed(*arguments: object) -> str:
    result = run.invoke(app, ["profile", *map(str, arguments)], env=WIDE)
    assert result.exit_code == 0, result.output
    return result.output


def told(*arguments: object) -> Any:
    return json.loads(printed(*arguments, "--json"))


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """It tightens one setting and loosens another, with a reason that looks like markup."""
    file = tmp_path / "floor.toml"
    top = 'profile = "new-york"\nretention_years = 9\n'
    why = '[[loosened]]\nsetting = "approvals.royal_flush"\nlink = "main"\nreason = "[bold]one[/] at night"\n'
    file.write_text(f"{top}{LINK}approvals = {{ royal_flush = 1 }}\n{why}")
    return file


def test_without_a_name_all_are_listed() -> None:
    text = printed()
    assert all(one.name in text and one.title in text for one in PROFILES.values())
    assert [one["name"] for one in told()["profiles"]] == list(PROFILES)


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_a_profile_is_a_table_of_settings_with_their_paragraphs(profile: Profile) -> None:
    lines = printed(profile.name).splitlines()
    for setting in SETTINGS:
        [line] = [one for one in lines if one.split()[:1] == [setting.name]]
        source = setting.of(profile)
        assert (source.paragraph or "") in line
        assert f" {'yes' if source.confirmed else 'no'} " in line
    found = told(profile.name)
    assert (found["name"], found["title"]) == (profile.name, profile.title)
    assert [one["setting"] for one in found["settings"]] == [one.name for one in SETTINGS]
    assert "differences" not in found


def test_a_floor_is_told_what_it_tightens_and_loosens(floor: Path) -> None:
    text = printed("--floor", floor)
    assert "new-york: New York" in text
    assert "[bold]one[/] at night" in text
    found = told("--floor", floor)["differences"]
    assert [(one["setting"], one["link"], one["standing"], one["reason"]) for one in found] == [
        ("approvals.royal_flush", "main", "loosened", "[bold]one[/] at night"),
        ("retention_years", None, "tightened", None),
    ]
    assert told("new-york", "--floor", floor)["differences"] == found


def test_a_floor_that_is_as_its_profile_asks_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "floor.toml").write_text(LINK)
    assert "neither tightens nor loosens" in printed("--floor", tmp_path / "floor.toml")


@pytest.mark.parametrize(
    ("arguments", "why"),
    [
        (("nevada",), "there is no profile 'nevada'"),
        (("x" * 4000,), "there is no profile"),
        (("--floor", "nowhere.toml"), "nowhere.toml cannot be read"),
        (("rule-book", "--floor", "FLOOR"), "the floor file names the profile new-york, not rule-book"),
    ],
)
def test_what_cannot_be_shown_is_told_in_a_line(floor: Path, arguments: tuple[str, ...], why: str) -> None:
    given = [str(floor) if one == "FLOOR" else one for one in arguments]
    result = run.invoke(app, ["profile", *given])
    assert result.exit_code == 2
    assert why in result.output
    assert len(result.output) < 300


# The document


@pytest.mark.parametrize("profile", PROFILES.values(), ids=list(PROFILES))
def test_the_document_has_the_table_of_every_profile(profile: Profile) -> None:
    table = (
        POLICIES.read_text()
        .partition(f"### `{profile.name}`")[2]
        .partition("\n### ")[0]
        .partition("\n## ")[0]
    )
    rows = [line for line in table.splitlines() if line.startswith("| `")]
    assert rows == [_row(profile, setting.name) for setting in SETTINGS]


def _row(profile: Profile, name: str) -> str:
    setting = next(one for one in SETTINGS if one.name == name)
    source = setting.of(profile)
    value = spoken_value(source.value, setting.unit)
    return f"| `{name}` | {value} | {source.paragraph or 'not found'} | {source.note} |".replace("  ", " ")


def test_the_example_of_the_document_can_be_read(tmp_path: Path) -> None:
    example = POLICIES.read_text().partition("```toml\nprofile")[2].partition("```")[0]
    file = tmp_path / "floor.toml"
    file.write_text("profile" + example)
    floor = read_floor(file)
    assert floor.profile == "new-mexico"
    assert {one.standing.value for one in floor.differences} == {"tightened", "loosened"}
