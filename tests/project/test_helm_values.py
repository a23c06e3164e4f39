"""What the chart is told: nonsense is refused, every value is described, every door leads where it says."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from pkgutil import walk_packages
from typing import Any

import pytest
import yaml
from fastapi import APIRouter
from fastapi.routing import APIRoute

import api
from tests.helm import CASES, CHART, helm, of_kind, refusal, values_of

DOORS = "doors"
"""The case with all doors open, for links `main` and `high` and the table `stud-01`."""
VALUES = yaml.safe_load((CHART / "values.yaml").read_text())
ONE_POD = ("replicas=1", "sqlite.enabled=true")
TWO_PODS = {"enabled": True, "minReplicas": 1, "maxReplicas": 2}


# Refused


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (["sqlite.enabled=true"], "SQLite is for one process"),
        ([*ONE_POD, f"autoscaling={json.dumps(TWO_PODS)}"], "SQLite is for one process"),
        (['autoscaling={"enabled": true, "minReplicas": 7}'], "minReplicas is more than maxReplicas"),
        (['anchors={"enabled": true, "accessMode": "ReadWriteOnce"}'], "several pods write anchors"),
        (["serviceMonitor.enabled=true"], "Set metrics.enabled"),
        (['metrics={"enabled": true, "port": 8000}'], "8000 is the port of the service"),
        (
            ["metrics.enabled=true", 'networkPolicy={"enabled": true, "callers": [{"podSelector": {}}]}'],
            "say who may scrape",
        ),
        (
            ["metrics.enabled=true", "serviceMonitor.enabled=true", 'tlsSecret="jackpot-tls"'],
            "the name that the certificate is for",
        ),
        (["networkPolicy.enabled=true"], "say who may call"),
        (["doors.tables.enabled=true"], "a door needs a host"),
        (['doors.signs={"enabled": true, "host": "signs.example"}'], "name the links"),
        (
            [f'doors.{one}={{"enabled": true, "host": "one.example"}}' for one in ("tables", "operators")],
            "Each door has one of its own",
        ),
        ([r'floor.content="[[credential]]\n  token = \"walk-in\"\n"'], "in plain"),
        ([r'floor.content="[[credential]]\npassword=\"walk-in\"\n"'], "in plain"),
    ],
)
def test_values_that_contradict_each_other_are_refused(settings: list[str], said: str) -> None:
    assert said in refusal(*settings)


def test_a_hash_in_the_floor_file_is_no_secret() -> None:
    assert "token_sha256" in of_kind("ConfigMap", "floor")[0]["data"]["floor.toml"]


UNKNOWN = {
    "replica=3": "at '': additional properties 'replica' not allowed",
    "replicas=0": "at '/replicas': minimum: got 0",
    "replicas=2.5": "at '/replicas': got number",
    'replicas="2"': "at '/replicas': got string",
    'settings.demo="true"': "at '/settings': additional properties 'demo' not allowed",
    "settings.sessionHours=25": "at '/settings/sessionHours'",
    'settings.logLevel="loud"': "at '/settings/logLevel'",
    'database.url="postgresql+asyncpg://db/book"': "at '/database': additional properties 'url' not allowed",
    'redis.url="redis://:secret@redis"': "at '/redis': additional properties 'url' not allowed",
    'database.secret=""': "at '/database/secret'",
    'database.sslMode="perhaps"': "at '/database/sslMode'",
    'image.digest="latest"': "at '/image/digest'",
    "user=0": "at '/user': minimum: got 0",
    'user="root"': "at '/user': got string",
    'doors.signs.links=["main/../../console"]': "at '/doors/signs/links/0'",
    'doors.operators.host="http://console.example"': "at '/doors/operators/host'",
    "doors.cellar.enabled=true": "at '/doors': additional properties 'cellar' not allowed",
    "disruptionBudget.maxUnavailable=0": "at '/disruptionBudget/maxUnavailable'",
    'probes.readiness.path="/healthz"': "at '/probes/readiness': additional properties 'path' not allowed",
    'resources.limits.memory="much"': "at '/resources/limits/memory'",
    "networkPolicy.callers=[{}]": "at '/networkPolicy/callers/0'",
    "networkPolicy.database.ports=[]": "at '/networkPolicy/database/ports'",
    'listen="localhost"': "at '/listen'",
}
"""Settings, and what Helm says of each."""


@cache
def _refused(turn: int) -> str:
    """What Helm says of all settings at once; of those with one name, of that whose turn it is."""
    named: dict[str, list[str]] = {}
    for setting in UNKNOWN:
        named.setdefault(setting.partition("=")[0], []).append(setting)
    return refusal(*[several[min(turn, len(several) - 1)] for several in named.values()])


def _turn(setting: str) -> int:
    name = setting.partition("=")[0]
    return [one for one in UNKNOWN if one.partition("=")[0] == name].index(setting)


@pytest.mark.parametrize("setting", UNKNOWN)
def test_what_the_schema_does_not_know_is_refused(setting: str) -> None:
    said = _refused(_turn(setting))
    assert "values don't meet the specifications of the schema" in said
    assert UNKNOWN[setting] in said


def test_the_schema_is_strict_everywhere_and_knows_every_value() -> None:
    schema = json.loads((CHART / "values.schema.json").read_text())
    free = {"global", "affinity"}
    open_ones = [
        name
        for name, one in _objects(schema["properties"], schema["definitions"])
        if one.get("additionalProperties") is not False and name not in free and not _is_texts(one)
    ]
    assert open_ones == []
    assert schema["additionalProperties"] is False
    assert schema["properties"].keys() - VALUES.keys() == {"global"}


def _objects(properties: dict[str, Any], definitions: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    for name, one in properties.items():
        known = definitions[one["$ref"].rsplit("/", 1)[1]] if "$ref" in one else one
        if known.get("type") == "object":
            yield name, known
            yield from _objects(known.get("properties", {}), definitions)


def _is_texts(schema: dict[str, Any]) -> bool:
    """Labels, annotations: names and texts of somebody else."""
    return bool(schema.get("additionalProperties") == {"type": "string"})


# Described


def _leaves(values: dict[str, Any], before: str = "") -> Iterator[tuple[str, Any]]:
    for name, value in values.items():
        if isinstance(value, dict) and value and name != "labels":
            yield from _leaves(value, f"{before}{name}.")
        else:
            yield f"{before}{name}", value


def test_the_readme_has_every_value_with_its_default() -> None:
    rows = re.findall(
        r"^\| `([\w.]+)` \| `([^`]*)` \|(.*)\|$", (CHART / "README.md").read_text(), re.MULTILINE
    )
    described = {name: json.loads(default) for name, default, _ in rows}
    assert len(described) == len(rows)
    assert described == dict(_leaves(VALUES))


def test_the_readme_lists_every_case() -> None:
    listed = re.findall(r"`ci/([\w-]+)-values.yaml`", (CHART / "README.md").read_text())
    assert sorted(listed) == CASES


def _notes(*arguments: str) -> str:
    said = helm("install", "floor", str(CHART), "--dry-run=client", *arguments)
    assert said.returncode == 0, said.stderr
    return said.stdout.partition("NOTES:")[2]


def test_the_notes_warn_of_what_is_allowed_but_unwise() -> None:
    notes = _notes()
    assert "several replicas without Redis" in notes
    assert "no anchors" in notes
    assert "No door is open" in notes
    assert "metrics for everybody" in _notes("--set", "metrics.enabled=true")


def test_the_notes_of_a_whole_installation_warn_of_nothing() -> None:
    notes = _notes("--values", values_of("production"))
    assert "WARNING" not in notes
    assert "https://console.jackpot.example" in notes


def test_the_notes_say_where_cookies_would_be_lost_for_want_of_encryption() -> None:
    notes = _notes("--values", values_of(DOORS))
    assert "the door for signs has no TLS" in notes
    assert "the door for operators has no TLS" not in notes


# Doors


def _door(name: str) -> list[tuple[str, str]]:
    """The paths that it lets through: each with how it is meant."""
    [door] = [one for one in of_kind("Ingress", DOORS) if one["metadata"]["name"].endswith(f"-{name}")]
    [rule] = door["spec"]["rules"]
    return [(one["path"], one["pathType"]) for one in rule["http"]["paths"]]


def _lets_in(door: str, path: str) -> bool:
    return any(path == one or (kind == "Prefix" and path.startswith(f"{one}/")) for one, kind in _door(door))


def _calls() -> Iterator[tuple[str, str]]:
    """Every call of the service, for the link `main` and the table `stud-01`."""
    yield from (("GET", path) for path in ("/static/sign.js", "/docs", "/docs/files/it.js", "/openapi.json"))
    for module in walk_packages(api.__path__, "api."):
        for route in getattr(import_module(module.name), "router", APIRouter()).routes:
            assert isinstance(route, APIRoute)
            path = route.path.replace("{link}", "main").replace("{table}", "stud-01")
            for method in route.methods or ():
                yield method, re.sub(r"\{\w+\}", "1", path)


def test_every_call_has_a_door_but_those_for_the_machinery() -> None:
    calls = [*_calls()]
    shut = {path for _, path in calls if not any(_lets_in(one, path) for one in VALUES["doors"])}
    assert shut == {"/healthz", "/readyz", "/metrics"}


def test_nothing_but_signs_and_their_readings_goes_through_their_door() -> None:
    let_in = {(method, path) for method, path in _calls() if _lets_in("signs", path)}
    assert {path for method, path in let_in if method != "GET"} == {"/v1/signs", "/v1/links/main/receipts"}
    house = ("/v1/links/main/wins", "/v1/links/main/journal", "/v1/audit", "/v1/signs/codes", "/console")
    assert not [path for path in house if _lets_in("signs", path)]
    assert {path.rsplit("/", 1)[1] for _, path in let_in if path.startswith("/v1/tables/")} == {
        "display",
        "meter",
        "stream",
    }


def test_the_tables_door_lets_in_what_is_about_tables_only() -> None:
    let_in = {path for _, path in _calls() if _lets_in("tables", path)}
    assert {f"/v1/tables/stud-01/{one}" for one in ("heartbeat", "events", "rounds/1/bets")} <= let_in
    others = {path for path in let_in if not path.startswith("/v1/tables/stud-01/")}
    assert others == {"/v1/malfunctions"}


def test_every_path_of_a_door_leads_to_something() -> None:
    known = {path.replace("main", "*").replace("stud-01", "*") for _, path in _calls()}
    for path, kind in [one for door in VALUES["doors"] for one in _door(door)]:
        meant = re.sub(r"/(main|high|stud-01)\b", "/*", path)
        assert any(one == meant or (kind == "Prefix" and one.startswith(f"{meant}/")) for one in known), path
