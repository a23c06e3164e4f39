"""The wheel, built as the image's recipe builds it, and installed far from the source tree: with everything,
as an image has it, and bare, as a table controller has it."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterator
from importlib.metadata import Distribution, PathDistribution, distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from tests import service as services
from tests.callers import Floor
from tests.certificates import Authority, Files
from tests.containerfile import ROOT, copied, said
from tests.guide import BLACKJACK, CONTROLLER
from tests.servers import free_port
from tests.service import Service, full_floor, in_thread, token_of

NO_ISOLATION = os.environ | {"PIP_NO_BUILD_ISOLATION": "0"}  # 0 is how pip spells that there is none


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What the recipe builds from what it copies. What builds it is lent by our environment."""
    source = tmp_path_factory.mktemp("src")
    for name in copied():
        here = ROOT / name
        leave = shutil.ignore_patterns("__pycache__")
        if here.is_dir():
            shutil.copytree(here, source / name, ignore=leave)
        else:
            shutil.copy(here, source / name)
    build = next(words for words in said("RUN", 1) if "pip wheel" in words)
    _run([sys.executable, *shlex.split(build)[1:]], source)
    [built] = (source / "dist").glob("*.whl")
    kept = tmp_path_factory.mktemp("dist")
    shutil.move(built, kept)
    shutil.rmtree(source)
    return kept / built.name


def _installed(wheel: Path, target: Path) -> Path:
    """The wheel alone in a new environment, which knows no source tree; where its packages are."""
    venv.create(target, symlinks=True)
    pip = [sys.executable, "-m", "pip", "--python", str(target / "bin" / "python"), "install"]
    _run([*pip, "--quiet", "--no-deps", "--no-index", str(wheel)], target)
    return next(target.glob("lib/python*/site-packages"))


def _run(command: list[str], folder: Path) -> None:
    done = subprocess.run(
        command, cwd=folder, env=NO_ISOLATION, capture_output=True, text=True, check=False, timeout=300
    )
    assert done.returncode == 0, done.stderr


# As the image has it


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What it depends on is lent by our environment: only the image itself installs that anew."""
    target = tmp_path_factory.mktemp("opt") / "jackpot"
    (_installed(wheel, target) / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n")
    return target / "bin"


@pytest.fixture
def image(installed: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Service]:
    """What would run in a container: the program of the wheel, far from the source tree."""
    monkeypatch.setattr(services, "JACKPOT", installed / "jackpot")
    service = Service(f"sqlite+aiosqlite:///{tmp_path}/book.db", full_floor("main"), tmp_path)
    yield service
    service.close()


def test_the_wheel_serves_everything_outside_the_source_tree(image: Service, installed: Path) -> None:
    migrated = image.jackpot("migrate")
    assert migrated.returncode == 0, migrated.stderr
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
        "/static/fonts/text-400.woff2",
        "/words/zh-CN.js",
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
    words = json.loads(said("HEALTHCHECK")[0].partition("CMD ")[2])
    check = [str(installed / words[0]), *words[1:]]
    environment = os.environ | {"JACKPOT_PORT": str(port)} | settings
    return subprocess.run(check, env=environment, capture_output=True, text=True, check=False)


# As a table controller has it


@pytest.fixture(scope="module")
def bare(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Without an extra, and with what it then depends on: linked from our environment, one by one."""
    target = tmp_path_factory.mktemp("bare")
    packages = _installed(wheel, target)
    for lent in _needed_by(_project(packages)).values():
        for name in {file.parts[0] for file in lent.files or ()} - {"..", "__pycache__"}:
            (packages / name).symlink_to(Path(str(lent.locate_file(name))))
    return target / "bin"


def _project(packages: Path) -> Distribution:
    return PathDistribution(next(packages.glob("multilink_jackpot-*.dist-info")))


def _requirements(of: Distribution) -> list[str]:
    """The names of what it needs here and without an extra."""
    wanted = [Requirement(line) for line in of.requires or ()]
    return [
        canonicalize_name(one.name)
        for one in wanted
        if one.marker is None or one.marker.evaluate({"extra": ""})
    ]


def _needed_by(one: Distribution) -> dict[str, Distribution]:
    needed: dict[str, Distribution] = {}
    waiting = _requirements(one)
    while waiting:
        name = waiting.pop()
        if name not in needed:
            needed[name] = distribution(name)
            waiting += _requirements(needed[name])
    return needed


def _python(bare: Path, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    command = [str(bare / "python"), "-I", *arguments]  # whatever PYTHONPATH says
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, timeout=300)


@pytest.fixture
def controller(tmp_path: Path) -> Path:
    """The first that the guide shows, word for word, and beside it the one for blackjack."""
    for name, text in {"controller": CONTROLLER, "blackjack": BLACKJACK}.items():
        assert len(text.splitlines()) <= 30
        (tmp_path / f"{name}.py").write_text(text)
    return tmp_path / "controller.py"


def test_without_an_extra_it_needs_what_the_client_and_the_commands_need(bare: Path) -> None:
    packages = next(bare.parent.glob("lib/python*/site-packages"))
    assert sorted(_requirements(_project(packages))) == ["httpx", "msgspec", "typer"]


def test_the_client_imports_the_rules_of_a_round_and_nothing_of_the_house(bare: Path, tmp_path: Path) -> None:
    program = "import sys, jackpot.client; print(jackpot.__file__, *sys.modules)"
    done = _python(bare, tmp_path, "-c", program)
    assert done.returncode == 0, done.stderr
    where, *modules = done.stdout.split()
    assert Path(where).is_relative_to(bare.parent)
    rooms = {name.split(".")[1] for name in modules if name.startswith("jackpot.")}
    assert rooms == {"cards", "client", "core", "games", "link", "play", "pools"}
    assert {"api", "displays", "pydantic", "typer"} & set(modules) == set()


@pytest.mark.parametrize("words", ["evaluate Ah Kh Qh Jh Th", "simulate --seed 1 --steps 5"])
def test_commands_without_a_book_work(bare: Path, tmp_path: Path, words: str) -> None:
    done = _python(bare, tmp_path, str(bare / "jackpot"), *words.split())
    assert done.returncode == 0, done.stderr


def test_serving_says_what_to_install(bare: Path, tmp_path: Path) -> None:
    done = _python(bare, tmp_path, str(bare / "jackpot"), "serve")
    assert (done.returncode, done.stdout) == (1, "")
    assert re.fullmatch(r"\w+ is needed: pip install 'multilink-jackpot\[service\]'\n", done.stderr)


def test_the_controllers_of_the_guide_are_typed(bare: Path, controller: Path) -> None:
    """Whoever calls the client wrongly is told by mypy: the wheel says that its types may be believed."""
    wrong = controller.with_name("wrong.py")
    wrong.write_text('from jackpot.client import Bets\n\nBets(box="1", ante=2500)\n')
    options = ["--strict", "--python-executable", str(bare / "python"), "--cache-dir", os.devnull]
    command = [sys.executable, "-m", "mypy", *options, controller.name, "blackjack.py", wrong.name]
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    done = subprocess.run(
        command, cwd=controller.parent, env=environment, capture_output=True, text=True, check=False
    )
    first, last = done.stdout.splitlines()
    assert first.startswith('wrong.py:3: error: Argument "box" to "Bets" has incompatible type')
    assert last.startswith("Found 1 error in 1 file (checked 3")


def test_a_controller_of_thirty_lines_plays(bare: Path, controller: Path, floor: Floor) -> None:
    table = floor.stud.table
    done = _python(bare, controller.parent, controller.name, floor.service.base, table, token_of(table))
    assert done.returncode == 0, done.stderr
    told = re.findall(r"^round (\d): box 1 (ante|bet) [a-z_]+, pay \d+ ", done.stdout, re.MULTILINE)
    assert told == [(str(number), wager) for number in (1, 2, 3) for wager in ("ante", "bet")]
