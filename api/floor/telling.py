"""What is told of a profile, by the command line and by the API alike."""

from __future__ import annotations

from typing import Any

from api.floor.bounds import Difference
from jackpot.house.profiles import SETTINGS, Profile

Told = dict[str, Any]


def profile_told(profile: Profile) -> Told:
    return {
        "name": profile.name,
        "title": profile.title,
        "settings": [
            {
                "setting": setting.name,
                "what": setting.what,
                "value": source.value,
                "unit": setting.unit,
                "scope": setting.scope.value,
                "paragraph": source.paragraph,
                "confirmed": source.confirmed,
                "note": source.words,
            }
            for setting in SETTINGS
            for source in [setting.of(profile)]
        ],
    }


def difference_told(one: Difference) -> Told:
    return {
        "setting": one.setting.name,
        "link": one.link,
        "asked": one.asked,
        "given": one.given,
        "standing": one.standing.value,
        "reason": one.reason,
    }
