"""What a floor makes of its profile: what it leaves unsaid, what it tightens, and what it loosens and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from jackpot.core.instants import MILLISECOND
from jackpot.core.refusals import ParameterWrong
from jackpot.house.profiles import BY_NAME, PROFILES, RULE_BOOK, SETTINGS, Profile, Scope, Setting, Value
from jackpot.link.parameters import Parameters

Values = Mapping[str, Value]
"""By the setting's name."""


class Standing(StrEnum):
    TIGHTENED = "tightened"
    LOOSENED = "loosened"


@dataclass(frozen=True, kw_only=True, slots=True)
class Loosening:
    """A reason that the floor file gives."""

    setting: str
    link: str | None
    """None: of all links, or of the floor."""
    reason: str


@dataclass(frozen=True, kw_only=True, slots=True)
class Difference:
    """A value that is not the profile's."""

    setting: Setting
    link: str | None
    asked: Value
    given: Value
    standing: Standing
    reason: str | None
    """Why, where it is loosened."""


def profile_named(name: str) -> Profile:
    if name not in PROFILES:
        raise ParameterWrong(f"there is no profile {name[:40]!r}: {', '.join(PROFILES)}", field="profile")
    return PROFILES[name]


# What the file leaves unsaid


def with_defaults(told: dict[str, Any]) -> dict[str, Any]:
    """The file as it was read, with the profile's values where it says none. What is of a wrong type is left
    as it is: the file's own checks refuse it."""
    name = told.get("profile", RULE_BOOK.name)
    profile = PROFILES.get(name) if isinstance(name, str) else None
    if profile is None:
        return told
    links = told.get("link")
    entries = [one for one in links if isinstance(one, dict)] if isinstance(links, list) else []
    for setting in SETTINGS:
        value = setting.of(profile).value
        if value is None or setting.scope is Scope.ALWAYS:
            continue
        for entry in entries if setting.scope is Scope.LINK else [told]:
            _set_default(entry, setting.name, value)
    return told


def _set_default(entry: dict[str, Any], name: str, value: Value) -> None:
    table, _, key = name.rpartition(".")
    holder = entry.setdefault(table, {}) if table else entry
    if isinstance(holder, dict):
        holder.setdefault(key, value)


# What it says otherwise


def values_of(parameters: Parameters) -> dict[str, Value]:
    """The settings of a link that profiles know."""
    window = parameters.awards.window
    return {
        "policy": parameters.awards.policy.value,
        "window_ms": None if window is None else window // MILLISECOND,
        "approvals.straight_flush": parameters.straight_flush_approvals,
        "approvals.royal_flush": parameters.royal_flush_approvals,
    }


def differences(
    profile: Profile, floor: Values, links: Mapping[str, Values], loosened: Sequence[Loosening]
) -> list[Difference]:
    """In the order of the settings. A reason for one link goes before one for all."""
    reasons = {(one.setting, one.link): one.reason for one in loosened}
    return list(_differences(profile, floor, links, reasons))


def _differences(
    profile: Profile,
    floor: Values,
    links: Mapping[str, Values],
    reasons: Mapping[tuple[str, str | None], str],
) -> Iterator[Difference]:
    for setting in SETTINGS:
        asked = setting.of(profile).value
        places = [(None, floor)] if setting.scope is Scope.FLOOR else [*links.items()]
        for link, values in places:
            given = values.get(setting.name, asked)
            if given == asked:
                continue
            tighter = setting.tighter(given, asked)
            reason = reasons.get((setting.name, link), reasons.get((setting.name, None)))
            yield Difference(
                setting=setting,
                link=link,
                asked=asked,
                given=given,
                standing=Standing.TIGHTENED if tighter else Standing.LOOSENED,
                reason=None if tighter else reason,
            )


def check_loosened(
    profile: Profile, floor: Values, links: Mapping[str, Values], loosened: Sequence[Loosening]
) -> None:
    """Whatever is looser than the profile has a reason, and each reason loosens something."""
    named = [(one.setting, one.link) for one in loosened]
    for one in loosened:
        _check_named(one, links)
        if named.count((one.setting, one.link)) > 1:
            raise _wrong(f"the floor gives two reasons for {_spoken(one.setting, one.link)}")
    used = set()
    for found in differences(profile, floor, links, loosened):
        if found.standing is Standing.LOOSENED:
            if found.reason is None:
                raise _wrong(_refusal(profile, found))
            its_own = (found.setting.name, found.link)
            used.add(its_own if its_own in named else (found.setting.name, None))
    for setting, link in named:
        if (setting, link) not in used:
            raise _wrong(
                f"the reason for {_spoken(setting, link)} loosens nothing:"
                f" the profile {profile.name} allows what the floor says"
            )


def _check_named(one: Loosening, links: Mapping[str, Values]) -> None:
    setting = BY_NAME.get(one.setting)
    if setting is None or setting.scope is Scope.ALWAYS:
        known = ", ".join(setting.name for setting in SETTINGS if setting.scope is not Scope.ALWAYS)
        raise _wrong(f"there is no setting {one.setting[:40]!r} to loosen: {known}")
    if one.link is not None and setting.scope is not Scope.LINK:
        raise _wrong(f"{one.setting} is a setting of the whole floor, not of link {one.link[:40]!r}")
    if one.link is not None and one.link not in links:
        raise _wrong(f"the floor has no link {one.link[:40]!r} whose {one.setting} could be loosened")


def _refusal(profile: Profile, one: Difference) -> str:
    source = one.setting.of(profile)
    by = f" ({source.paragraph})" if source.paragraph else ""
    return (
        f"{_spoken(one.setting.name, one.link)} = {spoken_value(one.given)} is looser than the profile"
        f" {profile.name} asks{by}, which is {spoken_value(one.asked)}: say why in [[loosened]]"
    )


def _spoken(setting: str, link: str | None) -> str:
    return setting if link is None else f"link {link}: {setting}"


def spoken_value(value: Value, unit: str = "") -> str:
    """As tables show it."""
    return "none" if value is None else f"{value} {unit}".rstrip()


def _wrong(message: str) -> ParameterWrong:
    return ParameterWrong(message, field="loosened")
