"""The chart, by the real Helm: every values file of `helm/ci` gives manifests that Kubernetes takes."""

from __future__ import annotations

import json
import re
import tomllib
from functools import cache
from pathlib import Path
from typing import Any

import jsonschema
import kubernetes_validate
import pytest
import typer
import yaml

from api.cli import app
from api.settings import Settings
from tests.helm import (
    CASES,
    CHART,
    NEWEST,
    OLDEST,
    ROOT,
    Manifest,
    containers,
    helm,
    manifests,
    of_kind,
    pods,
    serving,
    sources,
    values_of,
)

OPERATOR = "monitoring.coreos.com/v1"
CHOSEN_BY_THE_CHART = {
    *("host", "port", "metrics_host", "metrics_port"),
    *("floor", "database_url", "redis_url"),
    *("anchors", "anchor_key", "tls_cert", "tls_key", "webhooks_key"),
}
NOT_FOR_A_CLUSTER = {"demo"}
NOT_OURS = {"POD_NAME", "PGSSLMODE", "PGSSLROOTCERT", "SSL_CERT_FILE"}
"""Of the pod, of the database's driver, of TLS."""
SQLITE = "sqlite+aiosqlite:////var/lib/jackpot/book/book.db"
in_each_case = pytest.mark.parametrize("case", CASES)


def _strict(properties: dict[str, Any], *required: str) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "required": list(required),
        "additionalProperties": False,
    }


_TEXT, _TEXTS = (
    {"type": "string", "minLength": 1},
    {"type": "object", "additionalProperties": {"type": "string"}},
)
_DURATION = {"type": "string", "pattern": "^[0-9]+(ms|s|m|h|d)$"}
_RULE = _strict(
    {
        "alert": _TEXT,
        "record": _TEXT,
        "expr": {"type": ["string", "integer"]},
        "for": _DURATION,
        "keep_firing_for": _DURATION,
        "labels": _TEXTS,
        "annotations": _TEXTS,
    },
    "expr",
) | {"oneOf": [{"required": ["alert"]}, {"required": ["record"]}]}
_GROUP = _strict(
    {"name": _TEXT, "interval": _DURATION, "rules": {"type": "array", "items": _RULE, "minItems": 1}},
    "name",
    "rules",
)
_KEY_OF_A_SECRET = _strict({"name": _TEXT, "key": _TEXT}, "name", "key")
_ENDPOINT = _strict(
    {
        "port": _TEXT,
        "path": {"type": "string", "pattern": "^/"},
        "scheme": {"enum": ["http", "https"]},
        "tlsConfig": _strict({"serverName": _TEXT, "ca": _strict({"secret": _KEY_OF_A_SECRET}, "secret")}),
        "interval": _DURATION,
        "scrapeTimeout": _DURATION,
    },
    "port",
)
OF_THE_OPERATOR = {
    "PrometheusRule": _strict({"groups": {"type": "array", "items": _GROUP, "minItems": 1}}, "groups"),
    "ServiceMonitor": _strict(
        {
            "selector": _strict({"matchLabels": _TEXTS}, "matchLabels"),
            "endpoints": {"type": "array", "items": _ENDPOINT, "minItems": 1},
        },
        "selector",
        "endpoints",
    ),
}
"""The specs of the Prometheus operator's kinds, as far as we use them: Kubernetes' own schemas lack them."""


# What Helm and Kubernetes say


@in_each_case
def test_helm_finds_nothing_to_complain_of(case: str) -> None:
    said = helm("lint", "--strict", str(CHART), "--values", values_of(case))
    assert said.returncode == 0, said.stdout
    assert "[WARNING]" not in said.stdout


def test_helm_takes_the_chart_as_it_is() -> None:
    assert helm("lint", "--strict", str(CHART)).returncode == 0


@pytest.mark.parametrize("version", [OLDEST, NEWEST])
@in_each_case
def test_every_manifest_is_valid(case: str, version: str) -> None:
    made = manifests(case, version)
    assert {"Deployment", "Service", "ServiceAccount"} <= {one["kind"] for one in made}
    for one in made:
        _check(json.dumps(one), version)


@cache
def _check(manifest: str, version: str) -> None:
    """Once each: most manifests are the same in most cases."""
    one = json.loads(manifest)
    if one["apiVersion"] == OPERATOR:
        jsonschema.validate(one["spec"], OF_THE_OPERATOR[one["kind"]])
    else:
        kubernetes_validate.validate(one, version, strict=True)


@in_each_case
def test_no_two_manifests_have_one_name(case: str) -> None:
    names = [(one["kind"], one["metadata"]["name"]) for one in manifests(case)]
    assert len(set(names)) == len(names)
    assert all(len(name) <= 63 for _, name in names)


def test_the_oldest_version_is_the_one_the_chart_names() -> None:
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert chart["kubeVersion"] == f">={OLDEST}-0"
    assert "1.29" in helm("template", "floor", str(CHART), "--kube-version", "1.29.0").stderr


def test_every_template_is_rendered_by_some_case() -> None:
    made = {path.name for path in (CHART / "templates").glob("*.yaml")}
    assert set().union(*(sources(case) for case in CASES)) == made


def test_the_chart_is_of_this_release() -> None:
    release = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]
    chart = yaml.safe_load((CHART / "Chart.yaml").read_text())
    assert (chart["version"], chart["appVersion"]) == (release, release)


# Pods


@in_each_case
def test_no_pod_can_do_more_than_it_must(case: str) -> None:
    for pod in pods(case):
        assert pod["automountServiceAccountToken"] is False
        assert pod["securityContext"]["runAsNonRoot"] is True
        assert pod["securityContext"].get("runAsUser", 1) > 0
        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    for one in containers(case):
        assert one["securityContext"] == {
            "allowPrivilegeEscalation": False,
            "readOnlyRootFilesystem": True,
            "capabilities": {"drop": ["ALL"]},
        }
        assert {"cpu", "memory"} <= one["resources"]["requests"].keys()
        assert "memory" in one["resources"]["limits"]


@in_each_case
def test_only_claims_and_tmp_can_be_written(case: str) -> None:
    for pod in pods(case):
        lasting = {one["name"] for one in pod["volumes"] if "persistentVolumeClaim" in one}
        for one in [*pod.get("initContainers", ()), *pod["containers"]]:
            mounts = one["volumeMounts"]
            assert {mount["name"] for mount in mounts} <= {volume["name"] for volume in pod["volumes"]}
            written = {mount["name"] for mount in mounts if not mount.get("readOnly")}
            assert written <= lasting | {"tmp"}


@in_each_case
def test_a_service_called_jackpot_sets_nothing_in_our_pods(case: str) -> None:
    """Kubernetes would set JACKPOT_PORT to tcp://..., which is a setting of ours."""
    assert [pod["enableServiceLinks"] for pod in pods(case)] == [False] * len(pods(case))


@in_each_case
def test_every_variable_is_a_setting(case: str) -> None:
    known = {f"JACKPOT_{name.upper()}" for name in Settings.model_fields}
    for one in containers(case):
        names = [variable["name"] for variable in one["env"]]
        assert len(set(names)) == len(names)
        assert set(names) <= known | NOT_OURS


def test_every_setting_can_be_set() -> None:
    schema = yaml.safe_load((CHART / "values.schema.json").read_text())
    settable = {_snake(name) for name in schema["properties"]["settings"]["properties"]}
    assert settable == Settings.model_fields.keys() - CHOSEN_BY_THE_CHART - NOT_FOR_A_CLUSTER


@in_each_case
def test_the_service_takes_what_the_pod_is_given(case: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for one in serving(case)["env"]:
        monkeypatch.setenv(one["name"], one.get("value", "redis+sentinel://of-a-secret/name"))
    settings = Settings()
    values = yaml.safe_load((CHART / "values.yaml").read_text())["settings"]
    given = (yaml.safe_load((CHART / "ci" / f"{case}-values.yaml").read_text()) or {}).get("settings", {})
    for name, value in (values | given).items():
        assert getattr(settings, _snake(name)) == value


def _snake(name: str) -> str:
    return re.sub("([A-Z])", r"_\1", name).lower()


@in_each_case
def test_every_port_and_probe_leads_to_the_service(case: str) -> None:
    container = serving(case)
    port, *apart = container["ports"]
    listening = {one["name"]: one.get("value") for one in container["env"]}
    assert listening["JACKPOT_PORT"] == str(port["containerPort"])
    assert listening.get("JACKPOT_METRICS_PORT") == next((str(one["containerPort"]) for one in apart), None)
    service, *_ = of_kind("Service", case)
    assert [one["targetPort"] for one in service["spec"]["ports"]] == [port["name"]]
    asked = {kind: container[f"{kind}Probe"]["httpGet"] for kind in ("startup", "liveness", "readiness")}
    assert {one["port"] for one in asked.values()} == {port["name"]}
    scheme = "https" if "JACKPOT_TLS_CERT" in listening else "http"
    assert {one["scheme"] for one in asked.values()} == {scheme.upper()}
    assert [one["appProtocol"] for one in service["spec"]["ports"]] == [scheme]
    monitors = [each for one in of_kind("ServiceMonitor", case) for each in one["spec"]["endpoints"]]
    assert {one["scheme"] for one in monitors} <= {scheme}
    assert {kind: one["path"] for kind, one in asked.items()} == {
        "startup": "/readyz",
        "liveness": "/healthz",
        "readiness": "/readyz",
    }


@in_each_case
def test_everything_that_selects_pods_finds_those_that_serve(case: str) -> None:
    [deployment] = of_kind("Deployment", case)
    labels = deployment["spec"]["template"]["metadata"]["labels"].items()
    services = of_kind("Service", case)
    selectors = [
        deployment["spec"]["selector"]["matchLabels"],
        *[one["spec"]["selector"] for one in services],
    ]
    selectors += [one["spec"]["selector"]["matchLabels"] for one in of_kind("PodDisruptionBudget", case)]
    assert all(selector.items() <= labels for selector in selectors)


@pytest.mark.parametrize("case", ["monitoring", "network-policy", "production"])
def test_only_prometheus_is_led_to_the_port_of_the_metrics(case: str) -> None:
    [public, apart] = of_kind("Service", case)
    [port] = apart["spec"]["ports"]
    assert (port["targetPort"], apart["spec"]["clusterIP"]) == ("metrics", "None")
    assert [one["targetPort"] for one in public["spec"]["ports"]] == ["http"]
    for monitor in of_kind("ServiceMonitor", case):
        selector = monitor["spec"]["selector"]["matchLabels"].items()
        found = [one for one in (public, apart) if selector <= one["metadata"]["labels"].items()]
        assert found == [apart]
        assert [one["port"] for one in monitor["spec"]["endpoints"]] == [port["name"]]
    said = yaml.safe_load(Path(values_of(case)).read_text()).get("networkPolicy", {})
    rules = [rule for one in of_kind("NetworkPolicy", case) for rule in one["spec"].get("ingress", [])]
    let_in = {one["port"]: rule["from"] for rule in rules for one in rule["ports"]}
    assert let_in == ({"http": said["callers"], "metrics": said["monitoring"]} if said else {})


@in_each_case
def test_every_command_is_one_of_ours(case: str) -> None:
    known = vars(typer.main.get_command(app))["commands"]
    assert {argument for one in containers(case) for argument in one["args"]} <= known.keys()


@in_each_case
def test_what_was_accepted_is_answered_before_a_pod_is_killed(case: str) -> None:
    for one in of_kind("Deployment", case):
        pod = one["spec"]["template"]["spec"]
        draining = serving(case)["lifecycle"]["preStop"]["sleep"]["seconds"]
        given = {one["name"]: one.get("value") for one in serving(case)["env"]}
        assert pod["terminationGracePeriodSeconds"] > draining + float(given["JACKPOT_STOP_SECONDS"])


def test_the_certificate_is_mounted_whole_so_that_a_renewed_one_arrives() -> None:
    """Kubernetes never changes a file that is mounted alone."""
    given = {one["name"]: one.get("value") for one in serving("tls")["env"]}
    [mount] = [one for one in serving("tls")["volumeMounts"] if one["name"] == "tls"]
    assert "subPath" not in mount
    names = [given[f"JACKPOT_TLS_{name}"].removeprefix(mount["mountPath"] + "/") for name in ("CERT", "KEY")]
    [pod] = [one for one in pods("tls") if any(each["name"] == "tls" for each in one["volumes"])]
    [volume] = [one["secret"] for one in pod["volumes"] if one["name"] == "tls"]
    assert volume["secretName"] == "jackpot-tls"
    assert [one["path"] for one in volume["items"]] == names == ["tls.crt", "tls.key"]


# Stores


def test_the_migration_runs_before_the_pods_of_the_release() -> None:
    [job] = of_kind("Job", "production")
    assert job["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"
    [container] = job["spec"]["template"]["spec"]["containers"]
    assert container["args"] == ["migrate"]
    assert container["image"] == serving("production")["image"]


def test_the_migration_needs_nothing_that_the_release_makes() -> None:
    """It runs first: what it names must be there already, or be a hook that comes earlier."""
    for case in CASES:
        made = {one["metadata"]["name"] for one in manifests(case) if "helm.sh/hook" not in _annotations(one)}
        for job in of_kind("Job", case):
            assert "serviceAccountName" not in job["spec"]["template"]["spec"]
            assert not made & set(_named(job["spec"]["template"]["spec"]["volumes"]))


def _annotations(manifest: Manifest) -> dict[str, str]:
    return dict(manifest["metadata"].get("annotations", {}))


def _named(volumes: list[Manifest]) -> list[str]:
    inner = [one for volume in volumes for one in volume.values() if isinstance(one, dict)]
    return [one[key] for one in inner for key in ("name", "secretName", "claimName") if key in one]


def test_the_owner_of_the_tables_migrates_and_the_service_does_not_know_its_password() -> None:
    [job] = of_kind("Job", "postgresql")
    assert _secret(job["spec"]["template"]["spec"]["containers"][0]) == ("book-owner", "owner-url")
    assert _secret(serving("postgresql")) == ("book", "service-url")


def _secret(container: Manifest, name: str = "JACKPOT_DATABASE_URL") -> tuple[str, str]:
    found = next(one for one in container["env"] if one["name"] == name)["valueFrom"]["secretKeyRef"]
    return found["name"], found["key"]


@in_each_case
def test_addresses_with_passwords_come_from_secrets_that_the_chart_does_not_make(case: str) -> None:
    assert of_kind("Secret", case) == []
    plain = {one["name"]: one["value"] for each in containers(case) for one in each["env"] if "value" in one}
    assert "JACKPOT_REDIS_URL" not in plain
    assert plain.get("JACKPOT_DATABASE_URL", SQLITE) == SQLITE


def test_redis_is_named_by_its_secret() -> None:
    assert _secret(serving("redis"), "JACKPOT_REDIS_URL") == ("signs-redis", "sentinel-url")


def test_sqlite_has_one_pod_which_migrates_before_it_serves() -> None:
    [deployment] = of_kind("Deployment", "sqlite")
    assert deployment["spec"]["replicas"] == 1
    assert deployment["spec"]["strategy"] == {"type": "Recreate"}
    [first] = deployment["spec"]["template"]["spec"]["initContainers"]
    assert first["args"] == ["migrate"]
    assert of_kind("Job", "sqlite") == []


def test_each_pod_signs_into_a_file_of_its_own() -> None:
    """Appends of two machines to one file of a shared volume could mix."""
    given = {one["name"]: one.get("value") for one in serving("anchors")["env"]}
    assert given["JACKPOT_ANCHORS"] == "/var/lib/jackpot/anchors/$(POD_NAME).jsonl"
    names = [one["name"] for one in serving("anchors")["env"]]
    assert names.index("POD_NAME") < names.index("JACKPOT_ANCHORS"), "it is replaced only if it comes first"


def test_what_is_evidence_stays_when_the_release_goes() -> None:
    claims = [*of_kind("PersistentVolumeClaim", "anchors"), *of_kind("PersistentVolumeClaim", "sqlite")]
    assert [one["metadata"]["annotations"]["helm.sh/resource-policy"] for one in claims] == ["keep", "keep"]
    assert of_kind("PersistentVolumeClaim", "anchors-claim") == []


def test_a_changed_floor_file_restarts_the_pods() -> None:
    [one] = of_kind("Deployment", "floor")
    [other] = of_kind("Deployment", "defaults")
    sums = [each["spec"]["template"]["metadata"]["annotations"]["checksum/floor"] for each in (one, other)]
    assert sums[0] != sums[1]


def test_the_autoscaler_alone_says_how_many() -> None:
    [deployment] = of_kind("Deployment", "autoscaling")
    assert "replicas" not in deployment["spec"]
    [scaler] = of_kind("HorizontalPodAutoscaler", "autoscaling")
    assert scaler["spec"]["scaleTargetRef"]["name"] == deployment["metadata"]["name"]


def test_the_migration_may_reach_the_database_before_the_release_is_there() -> None:
    policies = of_kind("NetworkPolicy", "network-policy")
    early = [one for one in policies if "helm.sh/hook" in _annotations(one)]
    [job] = of_kind("Job", "network-policy")
    assert len(early) == 1
    assert int(_annotations(early[0])["helm.sh/hook-weight"]) < int(_annotations(job)["helm.sh/hook-weight"])
    labels = job["spec"]["template"]["metadata"]["labels"].items()
    assert early[0]["spec"]["podSelector"]["matchLabels"].items() <= labels
    assert "ingress" not in early[0]["spec"]


def test_the_rules_and_the_dashboard_are_the_files_of_the_chart() -> None:
    [rule] = of_kind("PrometheusRule", "monitoring")
    assert rule["spec"] == yaml.safe_load((CHART / "files" / "rules.yaml").read_text())
    [dashboard] = of_kind("ConfigMap", "monitoring")
    [text] = dashboard["data"].values()
    assert yaml.safe_load(text) == yaml.safe_load((CHART / "files" / "dashboard.json").read_text())
