"""What a dry run is asked to play: a link, a time, and what is to be other than it was."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND
from jackpot.core.refusals import ParameterWrong
from jackpot.games.progressive import Levels, Prize
from jackpot.link.awards import levels_of
from jackpot.link.parameters import Changes


@dataclass(frozen=True, kw_only=True, slots=True)
class Asked:
    link: str
    since: int | None = None
    until: int | None = None
    overrides: Changes


def check_time(asked: Asked) -> Asked:
    if asked.since is not None and asked.until is not None and asked.since >= asked.until:
        raise ParameterWrong("the time ends before it begins", field="from")
    return asked


def read_levels(file: Path) -> dict[Hand, Prize]:
    """A pay table, as a floor file has it: each `[[level]]` with hand, and share or odds."""
    try:
        told = tomllib.loads(file.read_text())
    except OSError as missing:
        raise ParameterWrong(f"{file} cannot be read: {missing.strerror}", field="levels") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as wrong:
        raise ParameterWrong(f"{file} is not TOML: {wrong}", field="levels") from None
    several = told.get("level")
    if not isinstance(several, list) or not several or told.keys() != {"level"}:
        raise ParameterWrong(f"{file} has [[level]] entries and nothing else", field="levels")
    return levels_of([_level(file, one) for one in several])


def _level(file: Path, told: Any) -> tuple[Hand, int | None, int | None]:
    if not isinstance(told, dict) or not told.keys() <= {"hand", "share", "odds"}:
        raise ParameterWrong(f"{file}: a level has hand, and share or odds", field="levels")
    name, share, odds = told.get("hand"), told.get("share"), told.get("odds")
    if name not in list(Hand):
        raise ParameterWrong(f"{file}: {str(name)[:40]!r} is no hand", field="levels")
    if not all(one is None or type(one) is int for one in (share, odds)):
        raise ParameterWrong(f"{file}: share and odds are whole numbers", field="levels")
    return Hand(name), share, odds


def overrides_told(overrides: Changes) -> dict[str, Any]:
    """What is named, as the API takes it: null takes a limit away."""
    told: dict[str, Any] = {
        "seed": overrides.seed,
        "meter_ppm": overrides.meter_ppm,
        "reserve_ppm": overrides.reserve_ppm,
        "ceiling": overrides.ceiling,
        "policy": overrides.policy,
        "window_ms": None if overrides.window is None else overrides.window // MILLISECOND,
        "cap": overrides.cap,
        "level": None if overrides.levels is None else _levels_told(overrides.levels),
    }
    gone = {"ceiling": overrides.no_ceiling, "window_ms": overrides.no_window, "cap": overrides.no_cap}
    return {name: one for name, one in told.items() if one is not None or gone.get(name)}


def _levels_told(levels: Levels) -> list[dict[str, Any]]:
    return [
        {"hand": hand.value, "share": levels[hand].share, "odds": levels[hand].odds}
        for hand in reversed(Hand)
        if hand in levels
    ]
