"""The image's recipe, read and linted. Its steps are carried out in `test_wheel.py`."""

from __future__ import annotations

import re
import shlex
import subprocess
import sys
import tomllib
from pathlib import Path

import yaml

from api.settings import Settings
from tests.containerfile import RECIPE, ROOT, STEPS, copied, said

TOOLS = Path(sys.executable).parent


def test_the_linter_finds_nothing() -> None:
    found = subprocess.run([TOOLS / "hadolint", RECIPE], capture_output=True, text=True, check=False)
    assert (found.returncode, found.stdout) == (0, "")


def test_what_is_copied_is_there_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert [name for name in copied() if not (ROOT / name).exists()] == []
    assert {line[1:] for line in ignored if line.startswith("!")} == set(copied())


def test_every_package_of_the_project_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {*packages, "pyproject.toml", "constraints.txt", project["project"]["readme"]} <= set(copied())


def test_the_python_is_the_one_we_test_with() -> None:
    [base] = said("ARG", 0)
    assert base.startswith(f"BASE=python:{sys.version_info[0]}.{sys.version_info[1]}-slim-")
    assert {step.words.split()[0] for step in STEPS if step.verb == "FROM"} == {"${BASE}"}


def test_nobody_is_root_and_the_chart_knows_who_it_is() -> None:
    values = yaml.safe_load((ROOT / "helm" / "values.yaml").read_text())
    assert said("USER") == [f"{values['user']}:{values['user']}"]
    assert f"--uid {values['user']} " in said("RUN")[0]


def test_it_serves_where_the_chart_expects_it() -> None:
    template = (ROOT / "helm" / "templates" / "deployment.yaml").read_text()
    [port] = said("EXPOSE")
    assert f"containerPort: {port}" in template
    given = dict(word.split("=", 1) for word in shlex.split(said("ENV")[0]))
    assert given["JACKPOT_PORT"] == port
    ours = {name.removeprefix("JACKPOT_").lower() for name in given if name.startswith("JACKPOT_")}
    assert ours <= Settings.model_fields.keys()
    assert (said("ENTRYPOINT"), said("CMD")) == (['["jackpot"]'], ['["serve"]'])


def test_what_serving_needs_is_installed_and_no_tool_of_ours() -> None:
    [extras] = re.findall(r'pip install "\$1\[(.*)\]"', " ".join(said("RUN", 1)))
    assert extras == "service"


def test_it_is_tagged_with_this_release() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    first = RECIPE.read_text().splitlines()[0]
    assert first.endswith(f"--tag {project['name']}:{project['version']} .")
