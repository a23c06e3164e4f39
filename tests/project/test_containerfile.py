"""The image's recipe, as far as it can be proved without a registry: read, linted, its steps carried out."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
import yaml

from api.settings import Settings
from tests import service as services
from tests.certificates import Authority, Files
from tests.servers import free_port
from tests.service import Service, full_floor, in_thread

ROOT = Path(__file__).parents[2]
RECIPE = ROOT / "Containerfile"
TOOLS = Path(sys.executable).parent


@dataclass(frozen=True)
class Step:
    stage: int
    verb: str
    said: str


def _steps() -> list[Step]:
    """Every instruction, on one line, with the number of its stage; 0 is what comes before the first."""
    text = re.sub(r"^#.*\n", "", RECIPE.read_text(), flags=re.MULTILINE)
    steps: list[Step] = []
    for line in re.sub(r"\\\n\s*", " ", text).splitlines():
        verb, _, said = line.partition(" ")
        if verb:
            stage = steps[-1].stage if steps else 0
            steps.append(Step(stage + (verb == "FROM"), verb, said.strip()))
    return steps


STEPS = _steps()
LAST = STEPS[-1].stage


def _said(verb: str, stage: int = LAST) -> list[str]:
    return [step.said for step in STEPS if (step.verb, step.stage) == (verb, stage)]


def _copied() -> list[str]:
    """From the source tree, in whichever stage."""
    steps = [shlex.split(step.said) for step in STEPS if step.verb == "COPY"]
    return [name for words in steps if not words[0].startswith("--from") for name in words[:-1]]


def test_the_linter_finds_nothing() -> None:
    said = subprocess.run([TOOLS / "hadolint", RECIPE], capture_output=True, text=True, check=False)
    assert (said.returncode, said.stdout) == (0, "")


def test_what_is_copied_is_there_and_is_not_ignored() -> None:
    ignored = (ROOT / ".dockerignore").read_text().splitlines()
    assert [name for name in _copied() if not (ROOT / name).exists()] == []
    assert {line[1:] for line in ignored if line.startswith("!")} == set(_copied())


def test_every_package_of_the_project_is_copied() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packages = project["tool"]["hatch"]["build"]["targets"]["wheel"]["packages"]
    assert {*packages, "pyproject.toml", "constraints.txt", project["project"]["readme"]} <= set(_copied())


def test_the_python_is_the_one_we_test_with() -> None:
    [base] = _said("ARG", 0)
    assert base.startswith(f"BASE=python:{sys.version_info[0]}.{sys.version_info[1]}-slim-")
    assert {step.said.split()[0] for step in STEPS if step.verb == "FROM"} == {"${BASE}"}


def test_nobody_is_root_and_the_chart_knows_who_it_is() -> None:
    values = yaml.safe_load((ROOT / "helm" / "values.yaml").read_text())
    assert _said("USER") == [f"{values['user']}:{values['user']}"]
    assert f"--uid {values['user']} " in _said("RUN")[0]


def test_it_serves_where_the_chart_expects_it() -> None:
    template = (ROOT / "helm" / "templates" / "deployment.yaml").read_text()
    [port] = _said("EXPOSE")
    assert f"containerPort: {port}" in template
    given = dict(word.split("=", 1) for word in shlex.split(_said("ENV")[0]))
    assert given["JACKPOT_PORT"] == port
    ours = {name.removeprefix("JACKPOT_").lower() for name in given if name.startswith("JACKPOT_")}
    assert ours <= Settings.model_fields.keys()
    assert (_said("ENTRYPOINT"), _said("CMD")) == (['["jackpot"]'], ['["serve"]'])


def test_what_serving_needs_is_installed_and_no_tool_of_ours() -> None:
    [extras] = re.findall(r'pip install "\$1\[(.*)\]"', " ".join(_said("RUN", 1)))
    assert extras == "service"


def test_it_is_tagged_with_this_release() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    first = RECIPE.read_text().splitlines()[0]
    assert first.endswith(f"--tag {project['name']}:{project['version']} .")


# Its steps, carried out


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project as the recipe builds it from what it copies, in an environment that knows no source tree.
    What it depends on is lent by ours: only the image itself installs that anew."""
    source, target = tmp_path_factory.mktemp("src"), tmp_path_factory.mktemp("opt") / "jackpot"
    for name in _copied():
        here = ROOT / name
        leave = shutil.ignore_patterns("__pycache__")
        if here.is_dir():
            shutil.copytree(here, source / name, ignore=leave)
        else:
            shutil.copy(here, source / name)
    build = next(said for said in _said("RUN", 1) if "pip wheel" in said)
    environment = os.environ | {"PIP_CONSTRAINT": str(source / "constraints.txt")}
    _run([sys.executable, *shlex.split(build)[1:]], source, environment)
    venv.create(target, symlinks=True)
    [wheel] = (source / "dist").glob("*.whl")
    pip = [sys.executable, "-m", "pip", "--python", str(target / "bin" / "python"), "install"]
    _run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], source, environment)
    packages = next(target.glob("lib/python*/site-packages"))
    (packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    shutil.rmtree(source)
    return target / "bin"


def _run(command: list[str], folder: Path, environment: dict[str, str]) -> None:
    said = subprocess.run(
        command, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=300
    )
    assert said.returncode == 0, said.stderr


@pytest.fixture
def image(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """What would run in a container: the program of the wheel, far from the source tree."""
    monkeypatch.setattr(services, "JACKPOT", installed / "jackpot")
    service = Service(f"sqlite+aiosqlite:///{tmp_path}/book.db", full_floor("main"), tmp_path)
    yield service
    service.close()


def test_the_wheel_serves_everything_outside_the_source_tree(image: Service, installed: Path) -> None:
    said = image.jackpot("migrate")
    assert said.returncode == 0, said.stderr
    image.start()
    where = subprocess.run(
        [installed / "python", "-c", "import api, displays, jackpot; print(api.__path__, displays.__path__)"],
        capture_output=True,
        text=True,
        check=True,
        cwd=image.folder,
    ).stdout
    assert str(ROOT) not in where
    for path in (
        "/readyz",
        "/signs/main",
        "/static/sign.js",
        "/console",
        "/docs",
        "/openapi.json",
        "/metrics",
    ):
        answer = image.get(path)
        assert answer.status_code in (200, 303), path
    checked = _health(installed, image.port)
    assert checked.returncode == 0, checked.stderr
    assert image.get("/healthz").json() == {"status": "alive"}
    assert image.stop() == 0


def test_the_health_check_fails_when_nothing_serves(installed: Path) -> None:
    """Where something serves it passes: the test above."""
    checked = _health(installed, free_port())
    assert checked.returncode != 0
    assert "Connection refused" in checked.stderr


def test_the_health_check_speaks_tls_where_the_service_does(installed: Path, tmp_path: Path) -> None:
    authority, files = Authority(tmp_path), Files(tmp_path)
    files.write(*authority.issue())
    url = f"sqlite+aiosqlite:///{tmp_path / 'book.db'}"
    with in_thread(url, full_floor("main"), tmp_path, ca=authority.file, **files.settings) as service:
        assert _health(installed, service.port).returncode != 0
        checked = _health(installed, service.port, **files.environment)
        assert checked.returncode == 0, checked.stderr


def _health(installed: Path, port: int, **settings: str) -> subprocess.CompletedProcess[str]:
    words = json.loads(_said("HEALTHCHECK")[0].partition("CMD ")[2])
    check = [str(installed / words[0]), *words[1:]]
    environment = os.environ | {"JACKPOT_PORT": str(port)} | settings
    return subprocess.run(check, env=environment, capture_output=True, text=True, check=False)
