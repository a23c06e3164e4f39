"""Profiles of jurisdictions: every value has its source, and what is no paragraph's says so."""

from __future__ import annotations

from dataclasses import fields

import pytest

from jackpot.house.profiles import (
    BY_NAME,
    NEW_MEXICO,
    NEW_YORK,
    NOT_FOUND,
    PROFILES,
    RULE_BOOK,
    SETTINGS,
    ChangesWhen,
    Profile,
    Scope,
    Value,
)
from jackpot.machine.kinds_wins import HITS_KEPT

EVERY = list(PROFILES.values())


@pytest.mark.parametrize("profile", EVERY, ids=lambda one: one.name)
def test_what_is_confirmed_names_its_paragraph_and_nothing_else_does(profile: Profile) -> None:
    for setting in SETTINGS:
        source = setting.of(profile)
        assert source.confirmed is (source.paragraph is not None), setting.name
        assert (NOT_FOUND in source.words) is not source.confirmed, setting.name


def test_every_value_of_a_profile_is_a_setting_once() -> None:
    values = [name for one in fields(Profile) if (name := one.name) not in ("name", "title")]
    for profile in EVERY:
        found = [id(setting.of(profile)) for setting in SETTINGS]
        assert sorted(found) == sorted(id(getattr(profile, name)) for name in values)
    assert len(BY_NAME) == len(SETTINGS)


@pytest.mark.parametrize(
    ("profile", "confirmed"),
    [
        (RULE_BOOK, {"policy": ("ordered", "S 4.5, H 4.5")}),
        (
            NEW_MEXICO,
            {
                "policy": ("full_each", "15.1.24.19A NMAC"),
                "changes_by": (2, "15.1.24.12A NMAC"),
                "bets_after_a_hit": ("before a hit to this one, after it to the next", "15.1.24.19A NMAC"),
            },
        ),
        (
            NEW_YORK,
            {
                "policy": ("ordered", "9 NYCRR 5321.18(b)(3)(iii)"),
                "changes_when": ("closed", "9 NYCRR 5321.18(b)(4)"),
                "hits_kept": (25, "9 NYCRR 5320.8(b)(4)"),
                "overflow": ("counts as revenue", "9 NYCRR 5320.8(b)(2)"),
            },
        ),
    ],
    ids=lambda one: one.name if isinstance(one, Profile) else "",
)
def test_these_values_and_no_others_were_found_in_a_paragraph(
    profile: Profile, confirmed: dict[str, tuple[Value, str]]
) -> None:
    found = {one.name: one.of(profile) for one in SETTINGS if one.of(profile).confirmed}
    assert {name: (one.value, one.paragraph) for name, one in found.items()} == confirmed


@pytest.mark.parametrize("profile", EVERY, ids=lambda one: one.name)
def test_a_profile_can_be_run_as_it_is(profile: Profile) -> None:
    assert profile.policy.value in ("ordered", "split", "full_each")
    assert ChangesWhen(profile.changes_when.value).ways
    assert profile.royal_flush_approvals.value >= profile.straight_flush_approvals.value >= 1
    assert profile.sign_seconds.value <= 30, "the only figure that any regulation was found to have"
    assert profile.retention_years.value >= 5
    assert profile.changes_by.value == 2, "two people change parameters, whatever the profile"
    assert profile.hits_kept.value == HITS_KEPT


@pytest.mark.parametrize(
    ("setting", "tighter", "looser"),
    [
        ("approvals.straight_flush", 2, 1),
        ("approvals.royal_flush", 3, 2),
        ("retention_years", 10, 5),
        ("sign_seconds", 5, 30),
        ("window_ms", 500, 100),
        ("window_ms", 0, None),
        ("changes_when", "closed", "either"),
        ("changes_when", "next_reset", "either"),
        ("ceiling_to_players", "shown", "hidden"),
    ],
)
def test_more_asked_of_the_house_is_tighter_and_never_the_other_way_round(
    setting: str, tighter: Value, looser: Value
) -> None:
    compare = BY_NAME[setting].tighter
    assert compare(tighter, looser)
    assert not compare(looser, tighter)
    assert not compare(tighter, tighter)


@pytest.mark.parametrize(
    ("setting", "one", "other"),
    [
        ("policy", "ordered", "full_each"),
        ("policy", "split", "ordered"),
        ("changes_when", "closed", "next_reset"),
    ],
)
def test_what_is_merely_otherwise_is_never_tighter(setting: str, one: Value, other: Value) -> None:
    assert not BY_NAME[setting].tighter(one, other)
    assert not BY_NAME[setting].tighter(other, one)


def test_what_the_program_always_does_is_no_setting_of_a_file() -> None:
    always = {one.name for one in SETTINGS if one.scope is Scope.ALWAYS}
    assert always == {"changes_by", "bets_after_a_hit", "hits_kept", "overflow"}
