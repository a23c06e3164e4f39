"""The profile of a floor: what a file leaves unsaid, and what it may loosen only with a reason."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from api.floor.bounds import with_defaults
from api.floor.file import Floor, LinkEntry, read_floor
from jackpot.core.refusals import ParameterWrong
from jackpot.house.profiles import PROFILES, RULE_BOOK
from jackpot.link.awards import Policy
from tests.in_process import LINK, House, floor_text, house
from tests.wire.test_floor_file import refused

MANUAL = (Path(__file__).parents[2] / "docs" / "operations.md").read_text()
BY_ONE = "approvals = { royal_flush = 1 }\n"


def loosened(setting: str, reason: str = "one supervisor at night, memo 7", link: str | None = None) -> str:
    about = "" if link is None else f"link = {json.dumps(link)}\n"
    return f"[[loosened]]\nsetting = {json.dumps(setting)}\nreason = {json.dumps(reason)}\n{about}"


def read(folder: Path, *sections: str) -> Floor:
    file = folder / "floor.toml"
    file.write_text("".join(sections))
    return read_floor(file)


def differences(floor: Floor) -> Mapping[str, tuple[str | None, Any, str, str | None]]:
    found = floor.differences
    return {one.setting.name: (one.link, one.given, one.standing.value, one.reason) for one in found}


# What a file leaves unsaid


@pytest.mark.parametrize("name", PROFILES)
def test_what_a_file_leaves_unsaid_is_as_its_profile_says(tmp_path: Path, name: str) -> None:
    floor, profile = read(tmp_path, f'profile = "{name}"\n', LINK), PROFILES[name]
    parameters = floor.link[0].parameters
    assert parameters.awards.policy == profile.policy.value
    assert parameters.awards.window == profile.window_ms.value
    assert parameters.straight_flush_approvals == profile.straight_flush_approvals.value
    assert parameters.royal_flush_approvals == profile.royal_flush_approvals.value
    assert floor.values == {
        "changes_when": profile.changes_when.value,
        "sign_seconds": profile.sign_seconds.value,
        "retention_years": profile.retention_years.value,
        "ceiling_to_players": profile.ceiling_to_players.value,
    }
    assert floor.differences == []


def test_without_a_profile_a_floor_is_by_the_rule_book_as_it_always_was(tmp_path: Path) -> None:
    floor = read(tmp_path, LINK)
    assert floor.profile == RULE_BOOK.name
    assert floor.link[0] == LinkEntry.model_validate(
        floor.link[0].model_dump(exclude={"policy", "approvals"})
    )


def test_half_of_the_approvals_may_be_said(tmp_path: Path) -> None:
    floor = read(tmp_path, LINK, "approvals = { straight_flush = 2 }\n")
    approvals = floor.link[0].approvals
    assert (approvals.straight_flush, approvals.royal_flush) == (2, 2)


@pytest.mark.parametrize(
    "told",
    [
        {"profile": ["new-york"], "link": [{}]},
        {"profile": "nowhere", "link": [{}]},
        {"link": "main"},
        {"link": ["main", 3, None]},
        {"link": [{"approvals": "two"}]},
        {"link": {"id": "main"}},
    ],
)
def test_what_is_of_a_wrong_type_is_left_to_the_files_own_checks(told: dict[str, Any]) -> None:
    links = told["link"]
    assert with_defaults(dict(told))["link"] == links
    with pytest.raises(ValueError, match="validation error"):
        Floor.model_validate(with_defaults(told))


# What it says otherwise


def test_a_floor_may_tighten_freely(tmp_path: Path) -> None:
    tight = 'sign_seconds = 5\nretention_years = 10\nchanges_when = "closed"\n'
    tighter = "approvals = { straight_flush = 2, royal_flush = 3 }\nwindow_ms = 250\n"
    found = differences(read(tmp_path, tight, LINK, tighter))
    assert found == {
        "window_ms": ("main", 250, "tightened", None),
        "approvals.straight_flush": ("main", 2, "tightened", None),
        "approvals.royal_flush": ("main", 3, "tightened", None),
        "changes_when": (None, "closed", "tightened", None),
        "sign_seconds": (None, 5, "tightened", None),
        "retention_years": (None, 10, "tightened", None),
    }


@pytest.mark.parametrize(
    ("top", "of_link", "setting"),
    [
        ("", BY_ONE, "approvals.royal_flush"),
        ("", "approvals = { straight_flush = 0 }\n", "approvals.straight_flush"),
        ("", 'policy = "split"\n', "policy"),
        ('profile = "new-mexico"\n', 'policy = "ordered"\n', "policy"),
        ('profile = "new-york"\n', 'policy = "full_each"\n', "policy"),
        ('profile = "new-york"\nchanges_when = "next_reset"\n', "", "changes_when"),
        ('profile = "new-york"\nchanges_when = "either"\n', "", "changes_when"),
        ("sign_seconds = 31\n", "", "sign_seconds"),
        ("retention_years = 4\n", "", "retention_years"),
        ('ceiling_to_players = "hidden"\n', "", "ceiling_to_players"),
    ],
)
def test_what_is_looser_than_the_profile_needs_a_reason(
    tmp_path: Path, top: str, of_link: str, setting: str
) -> None:
    named = top if top.startswith("profile") else f'profile = "rule-book"\n{top}'
    with pytest.raises(ParameterWrong, match=f"{re.escape(setting)} = .* is looser than the profile"):
        read(tmp_path, named, LINK, of_link)
    floor = read(tmp_path, named, LINK, of_link, loosened(setting))
    [(_, _, standing, reason)] = differences(floor).values()
    assert (standing, reason) == ("loosened", "one supervisor at night, memo 7")


def test_a_file_that_names_no_profile_needs_no_reason(tmp_path: Path) -> None:
    floor = read(tmp_path, "sign_seconds = 31\n", LINK, BY_ONE, 'policy = "split"\n')
    found = {name: (standing, reason) for name, (_, _, standing, reason) in differences(floor).items()}
    loose = ("loosened", None)
    assert found == {"sign_seconds": loose, "approvals.royal_flush": loose, "policy": loose}


def test_a_refusal_names_the_paragraph_that_asks_for_more(tmp_path: Path) -> None:
    with pytest.raises(ParameterWrong) as refusal:
        read(tmp_path, 'profile = "new-mexico"\n', LINK, 'policy = "ordered"\n')
    assert "link main: policy = ordered" in refusal.value.message
    assert "(15.1.24.19A NMAC), which is full_each" in refusal.value.message


@pytest.mark.parametrize(
    ("reason", "why"),
    [
        (loosened("approvals.royal_flush", link="main"), "link main: approvals.royal_flush loosens nothing"),
        (loosened("sign_seconds"), "sign_seconds loosens nothing"),
        (loosened("aprovals.royal_flush"), "there is no setting 'aprovals.royal_flush'"),
        (loosened("changes_by"), "there is no setting 'changes_by'"),
        (loosened("seed"), "there is no setting 'seed'"),
        (loosened("policy", link="nowhere"), "the floor has no link 'nowhere'"),
        (loosened("sign_seconds", link="main"), "a setting of the whole floor"),
        (loosened("policy") + loosened("policy"), "two reasons for policy"),
        (loosened("policy", ""), "a reason is required"),
        (loosened("policy", "  "), "a reason is required"),
        (loosened("policy", "x" * 501), "at most 500"),
        (loosened("policy", "nobody \u202e sees this"), "cannot be seen"),
        (loosened("x" * 5000), "there is no setting"),
        ('[[loosened]]\nsetting = "policy"\n', "reason"),
        ('[[loosened]]\nreason = "why"\n', "setting"),
        ('[[loosened]]\nsetting = 3\nreason = "why"\n', "setting"),
        ('[[loosened]]\nsetting = "policy"\nreason = ["why"]\n', "reason"),
        ('[[loosened]]\nsetting = "policy"\nreason = "why"\nuntil = "May"\n', "until"),
    ],
)
def test_a_reason_that_loosens_nothing_is_a_mistake(tmp_path: Path, reason: str, why: str) -> None:
    with pytest.raises(ParameterWrong) as refusal:
        read(tmp_path, LINK, reason)
    assert why in refusal.value.message
    assert len(refusal.value.message) < 1000


@pytest.mark.parametrize(
    ("top", "why"),
    [
        ('profile = "nevada"\n', "there is no profile 'nevada': rule-book, new-mexico, new-york"),
        ('profile = "New-York"\n', "there is no profile"),
        ('profile = "<script>\u202e"\n', "there is no profile"),
        ("profile = 3\n", "profile"),
        ('profile = ["new-york"]\n', "profile"),
        ("sign_seconds = 0\n", "sign_seconds"),
        ("sign_seconds = 2.5\n", "sign_seconds"),
        ('sign_seconds = "5"\n', "sign_seconds"),
        ("sign_seconds = 99999999999999999999\n", "sign_seconds"),
        ("retention_years = 0\n", "retention_years"),
        ("retention_years = true\n", "retention_years"),
        ('changes_when = "never"\n', "changes_when"),
        ("changes_when = 1\n", "changes_when"),
        ('loosened = "all"\n', "loosened"),
        ("changes_by = 1\n", "changes_by"),
    ],
)
def test_a_profile_that_is_none_and_values_that_cannot_be_are_refused(
    tmp_path: Path, top: str, why: str
) -> None:
    with pytest.raises(ParameterWrong, match=why.replace("'", ".")):
        read(tmp_path, top, LINK)


def test_a_reason_for_one_link_goes_before_one_for_all_and_each_is_needed(tmp_path: Path) -> None:
    other = LINK.replace('"main"', '"other"', 1)
    links = (LINK, BY_ONE, other, BY_ONE)
    both = (loosened("approvals.royal_flush", "night"), loosened("approvals.royal_flush", "day", "other"))
    found = {one.link: one.reason for one in read(tmp_path, *links, *both).differences}
    assert found == {"main": "night", "other": "day"}
    with pytest.raises(ParameterWrong, match=r"link main: approvals\.royal_flush = 1 is looser"):
        read(tmp_path, *links, both[1])
    more = loosened("approvals.royal_flush", "too", "main")
    with pytest.raises(ParameterWrong, match=r"the reason for approvals\.royal_flush loosens nothing"):
        read(tmp_path, *links, *both, more)


# At a start


async def test_the_profile_and_each_reason_are_in_the_audit(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path) as at:
        [added] = await at.acts(act="profile_added")
        assert json.loads(added.detail) == {
            "id": "floor",
            "profile": "rule-book",
            "changes_when": "either",
            "sign_seconds": 30,
            "retention_years": 5,
            "loosened": [],
        }
    patient = "sign_seconds = 60\n" + floor_text() + loosened("sign_seconds", "the wall of 2009")
    async with house(sqlite_url, tmp_path, patient) as at:
        [changed] = await at.acts(act="profile_changed")
        detail = json.loads(changed.detail)
        assert detail["sign_seconds"] == 60
        assert detail["loosened"] == [{"setting": "sign_seconds", "link": None, "reason": "the wall of 2009"}]
    async with house(sqlite_url, tmp_path, patient) as at:
        assert len(await at.acts(act="profile_changed")) == 1


async def test_a_link_begins_by_the_profile_of_its_floor(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, 'profile = "new-mexico"\n' + floor_text()) as at:
        [told] = (await at.say("GET", "/v1/links", "ada")).json()["links"]
        assert told["parameters"]["policy"] == "full_each"


async def test_another_profile_changes_no_link_that_exists(sqlite_url: str, tmp_path: Path) -> None:
    """It is refused as long as it would, and the refusal says how to go on."""
    async with house(sqlite_url, tmp_path):
        pass
    new = 'profile = "new-mexico"\n' + floor_text()
    said = await refused(sqlite_url, tmp_path, new)
    assert "link main: the file now says policy = full_each, and said ordered" in said
    assert "POST /v1/links/main/parameters" in said
    assert "The profile new-mexico changes no link that exists: write policy = ordered" in said
    kept = new.replace("[[table]]", 'policy = "ordered"\n[[table]]', 1)
    assert "looser than the profile new-mexico" in await refused(sqlite_url, tmp_path, kept)
    async with house(sqlite_url, tmp_path, kept + loosened("policy", "begun before we moved")) as at:
        told = (await at.say("GET", "/v1/profile", "ada")).json()
        assert told["name"] == "new-mexico"
        [one] = told["differences"]
        assert (one["given"], one["standing"], one["reason"]) == (
            "ordered",
            "loosened",
            "begun before we moved",
        )


async def test_another_profile_that_asks_the_same_of_links_is_taken(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path):
        pass
    async with house(sqlite_url, tmp_path, 'profile = "new-york"\n' + floor_text()) as at:
        assert (await at.say("GET", "/v1/profile", "ada")).json()["name"] == "new-york"
        [changed] = await at.acts(act="profile_changed")
        assert json.loads(changed.detail)["profile"] == "new-york"


# Who is told


async def test_the_profile_is_told_with_its_paragraphs(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, 'profile = "new-mexico"\n' + floor_text()) as at:
        told = (await at.say("GET", "/v1/profile", "otto")).json()
        settings = {one["setting"]: one for one in told["settings"]}
        assert settings["policy"]["paragraph"] == "15.1.24.19A NMAC"
        assert settings["policy"]["confirmed"] is True
        assert settings["sign_seconds"]["confirmed"] is False
        assert "our default" in settings["sign_seconds"]["note"]
        assert told["differences"] == []
        assert (await at.say("GET", "/v1/profile", "sign-1")).status_code == 403
        assert (await at.say("GET", "/v1/profile")).status_code == 401


async def test_links_are_compared_as_they_are_in_force(sqlite_url: str, tmp_path: Path) -> None:
    """What two people have changed since the file was applied is told, without a reason of the file."""
    async with house(sqlite_url, tmp_path) as at:
        await _agreed(at, {"policy": Policy.SPLIT.value, "window_ms": 40})
        found = (await at.say("GET", "/v1/profile", "ada")).json()["differences"]
        assert [(one["setting"], one["given"], one["standing"], one["reason"]) for one in found] == [
            ("policy", "split", "loosened", None),
            ("window_ms", 40, "tightened", None),
        ]
    async with house(sqlite_url, tmp_path) as at:
        assert at.service.book.links == ["main"], "it starts all the same"


async def _agreed(at: House, wanted: dict[str, Any]) -> None:
    answers = [await at.say("POST", "/v1/links/main/close", "otto", json={"reason": "a new season"})]
    said = wanted | {"reason": "a new season", "when": "now"}
    answers += [await at.say("POST", "/v1/links/main/parameters", "otto", json=said)]
    proposal = answers[-1].json()["proposal"]
    answers += [await at.say("POST", f"/v1/proposals/{proposal}/confirm", "sue", json={})]
    assert [one.status_code for one in answers] == [200, 202, 200], [one.text for one in answers]


# When parameters may change


@pytest.mark.parametrize(
    ("allowed", "ways"),
    [("either", {"now", "next_reset"}), ("closed", {"now"}), ("next_reset", {"next_reset"})],
)
@pytest.mark.parametrize(
    ("act", "change"), [("seed", {"seed": 6_000_000}), ("parameters", {"policy": "split"})]
)
async def test_parameters_change_only_when_the_floor_lets_them(
    sqlite_url: str, tmp_path: Path, allowed: str, ways: set[str], act: str, change: dict[str, Any]
) -> None:
    """A preview is refused as the act itself."""
    async with house(sqlite_url, tmp_path, f'changes_when = "{allowed}"\n' + floor_text()) as at:
        closed = await at.say("POST", "/v1/links/main/close", "otto", json={"reason": "new season"})
        assert closed.status_code == 200
        for when in ("now", "next_reset"):
            said = change | {"reason": "new season", "when": when}
            for path, body in (("previews", {"act": act, "said": said}), (act, said)):
                answer = await at.say("POST", f"/v1/links/main/{path}", "otto", json=body)
                if when in ways:
                    assert answer.status_code in (200, 202), answer.text
                else:
                    assert (answer.status_code, answer.json()["code"]) == (409, "change_not_then")
                    assert f"changes_when = {allowed}" in answer.json()["detail"]
        refusals = [row for row in await at.acts() if row.outcome == "change_not_then"]
        assert len(refusals) == (0 if allowed == "either" else 2)


async def test_new_york_lets_an_open_link_be_closed_and_opened_all_the_same(
    sqlite_url: str, tmp_path: Path
) -> None:
    async with house(sqlite_url, tmp_path, 'profile = "new-york"\n' + floor_text()) as at:
        later = {"seed": 6_000_000, "reason": "new season"}
        assert (await at.say("POST", "/v1/links/main/seed", "otto", json=later)).status_code == 409
        await _agreed(at, {"seed": 6_000_000})
        opened = await at.say("POST", "/v1/links/main/open", "otto", json={"reason": "done"})
        assert opened.status_code == 202
        assert at.service.latest("main").value == 6_000_000


# How late a sign may be


async def test_how_late_a_sign_may_be_is_told_to_monitoring(sqlite_url: str, tmp_path: Path) -> None:
    async with house(sqlite_url, tmp_path, "sign_seconds = 12\n" + floor_text()) as at:
        text = (await at.say("GET", "/metrics", "ada")).text
        assert 'jackpot_receipts_allowed_seconds{link="main"} 12.0' in text


# The manual


def test_every_key_of_the_floor_itself_is_in_the_manual() -> None:
    table = MANUAL.partition("| at the top |")[2].partition("\n\n")[0]
    named = re.findall(r"`(\w+)`", " ".join(row.split("|")[1] for row in table.splitlines()[2:]))
    tables = {"link", "pit", "table", "credential", "loosened", "gaming_day"}
    assert sorted(named) == sorted(Floor.model_fields.keys() - tables)
