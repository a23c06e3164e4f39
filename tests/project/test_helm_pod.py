"""What the chart's pods are given, given to real processes: they migrate, serve together, and sign."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest
from typer.testing import CliRunner

from api.cli import app
from jackpot.book.beside.anchors import new_key
from tests.callers import Floor, done
from tests.helm import Manifest, of_kind, serving
from tests.servers import Redis
from tests.service import JACKPOT, TRUST, Service, full_floor

ANCHORS = "/var/lib/jackpot/anchors"


class Pod(Service):
    """A container of the chart, as a process of this machine: with its arguments and its variables, but on
    a free port, and with folders of ours where volumes would be mounted."""

    def __init__(self, name: str, root: Path, secrets: dict[str, str], container: Manifest) -> None:
        folder = root / name
        folder.mkdir()
        super().__init__(secrets["JACKPOT_DATABASE_URL"], full_floor("main"), folder)
        self._container = container
        given = self._given(container, {"POD_NAME": name} | secrets)
        mounted = {name: _inside(root, value) for name, value in given.items()}
        here = {"JACKPOT_HOST": "127.0.0.1", "JACKPOT_PORT": str(self.port)}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("JACKPOT_")}
        self._environment = clean | mounted | here

    def _given(self, container: Manifest, known: dict[str, str]) -> dict[str, str]:
        """As the kubelet does it: in order, each `$(NAME)` replaced by what came before."""
        given: dict[str, str] = {}
        for one in container["env"]:
            value = one["value"] if "value" in one else known[one["name"]]
            for name, before in given.items():
                value = value.replace(f"$({name})", before)
            given[one["name"]] = value
        return given

    def launch(self) -> None:
        command = [JACKPOT, *self._container["args"]]
        with self.log_file.open("ab") as log:
            self._process = subprocess.Popen(
                command,
                stdout=log,
                stderr=log,
                cwd=self.folder,
                env=self._environment,
                start_new_session=True,
            )


def _inside(root: Path, value: str) -> str:
    return str(root) + value if value.startswith(("/etc/jackpot/", "/var/lib/jackpot/")) else value


@pytest.fixture
def mounted(tmp_path: Path) -> Path:
    """The volumes: floor file, key, and a folder for anchors."""
    for folder in ("/etc/jackpot/floor", "/etc/jackpot/anchor", ANCHORS):
        Path(f"{tmp_path}{folder}").mkdir(parents=True)
    (tmp_path / "etc/jackpot/floor/floor.toml").write_text(full_floor("main").costly_text())
    new_key(tmp_path / "etc/jackpot/anchor/anchor.pem")
    return tmp_path


@pytest.fixture
def secrets(postgres_url: str) -> Iterator[dict[str, str]]:
    redis = Redis()
    redis.start()
    yield {"JACKPOT_DATABASE_URL": postgres_url, "JACKPOT_REDIS_URL": redis.url}
    redis.kill()


def test_the_pods_of_a_release_migrate_serve_and_sign(mounted: Path, secrets: dict[str, str]) -> None:
    [job] = of_kind("Job", "anchors")
    [container] = job["spec"]["template"]["spec"]["containers"]
    migration = Pod("migrate", mounted, secrets, container)
    migration.launch()
    assert migration.ended() == 0, migration.log()
    pods = [Pod(name, mounted, secrets, _with_redis()) for name in ("pod-1", "pod-2")]
    try:
        for pod in pods:
            pod.start()
            assert [_probed(pod, kind) for kind in ("startup", "liveness", "readiness")] == [200, 200, 200]
        for pod, table in zip(pods, (0, 1), strict=True):
            done(Floor(pod, "main").tables[table].bets())
        assert [pod.stop() for pod in pods] == [0, 0]
    finally:
        for pod in (migration, *pods):
            pod.close()
    files = sorted(Path(f"{mounted}{ANCHORS}").iterdir())
    assert [file.name for file in files] == ["pod-1.jsonl", "pod-2.jsonl"]
    together = mounted / "anchors.jsonl"
    together.write_text("".join(file.read_text() for file in files))
    key = mounted / "etc/jackpot/anchor/anchor.pub"
    where = ["--database", secrets["JACKPOT_DATABASE_URL"], "--anchors", str(together), "--key", str(key)]
    said = CliRunner().invoke(app, ["verify", *where])
    assert said.exit_code == 0, said.output
    assert " 0 anchors" not in said.output


def _with_redis() -> Manifest:
    container = serving("anchors")
    redis = next(one for one in serving("redis")["env"] if one["name"] == "JACKPOT_REDIS_URL")
    return container | {"env": [*container["env"], redis]}


def _probed(pod: Service, kind: str) -> int:
    asked = serving("anchors")[f"{kind}Probe"]["httpGet"]
    return httpx.get(f"{pod.base}{asked['path']}", timeout=30, verify=TRUST).status_code
