"""Scrapes of a service, as a Prometheus would have made them, and what the alert rules say of them."""

from __future__ import annotations

import shutil
import subprocess
from collections import Counter
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from prometheus_client.parser import text_string_to_metric_families

from tests.promql import NAME, Labels, Rules, Vector

ROOT = Path(__file__).parent.parent
RULES = ROOT / "helm" / "files" / "rules.yaml"
EVERY = 15
PROMTOOL = shutil.which("promtool")


@cache
def groups() -> list[Any]:
    return list(yaml.load(RULES.read_text(), yaml.CSafeLoader)["groups"])


def parsed(text: str) -> Vector:
    found: Vector = {}
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            found[frozenset((sample.labels | {NAME: sample.name, "instance": "one"}).items())] = sample.value
    return found


def metric(text: str, name: str, **labels: str) -> float:
    """The sum of the samples that are of this name and have these labels."""
    wanted = (labels | {NAME: name}).items()
    return sum(value for sample, value in parsed(text).items() if sample >= wanted)


@dataclass
class Scrapes:
    """The first at a real moment, the following one interval apart each."""

    begin: float
    taken: list[Vector] = field(default_factory=list)

    def take(self, text: str, *, times: int = 1) -> None:
        """More than once: as if it had stayed so for that long."""
        self.taken += [parsed(text)] * times

    def firing(self) -> set[tuple[str, Labels]]:
        rules = Rules(groups())
        for number, series in enumerate(self.taken):
            rules.scraped(self.begin + number * EVERY, series)
        return rules.firing()

    def promtool_agrees(self, folder: Path) -> str:
        """What the real Prometheus says against the alerts that we found firing after the last scrape."""
        counted = Counter(alert for alert, _ in self.firing())
        expected = {
            "expr": 'count by (alertname) (ALERTS{alertstate="firing"})',
            "eval_time": f"{(len(self.taken) - 1) * EVERY}s",
            "exp_samples": [
                {"labels": f'{{alertname="{alert}"}}', "value": count} for alert, count in counted.items()
            ],
        }
        test = {"interval": f"{EVERY}s", "input_series": self._series(), "promql_expr_test": [expected]}
        file = folder / "recorded.yaml"
        every = {"rule_files": [str(RULES)], "evaluation_interval": f"{EVERY}s"}
        file.write_text(yaml.safe_dump(every | {"tests": [test]}))
        return promtool("test", "rules", str(file))

    def _series(self) -> list[dict[str, str]]:
        """Promtool's time begins at zero, and so must the stamps among the values."""
        every = sorted({one for series in self.taken for one in series}, key=sorted)
        return [{"series": _written(one), "values": " ".join(self._values(one))} for one in every]

    def _values(self, one: Labels) -> list[str]:
        offset = self.begin if dict(one)[NAME].endswith("_timestamp_seconds") else 0.0
        told: list[str] = []
        for series in self.taken:
            ended = "stale" if told and told[-1] not in ("_", "stale") else "_"
            told.append(repr(series[one] - offset) if one in series else ended)
        return told


def promtool(*arguments: str) -> str:
    """What it complains of; nothing if all is well."""
    assert PROMTOOL is not None
    done = subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, check=False)
    return "" if done.returncode == 0 else f"{done.stdout}{done.stderr}"


def _written(one: Labels) -> str:
    said = dict(one)
    inside = ",".join(f'{name}="{value}"' for name, value in sorted(said.items()) if name != NAME)
    return f"{said[NAME]}{{{inside}}}"
