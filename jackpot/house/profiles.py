"""Profiles: what a jurisdiction asks of a floor, each value with the paragraph it comes from.

A profile gives the settings that a floor file leaves unsaid, and says beyond which values a floor needs a
reason. Another profile is one more `Profile` in `PROFILES`; nothing else has to be told of it. What could not
be found in the texts that were read is `confirmed=False`, and is this program's own default.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Generic, TypeVar

from jackpot.link.awards import Policy

Value = str | int | None
V = TypeVar("V", bound=Value)
V_co = TypeVar("V_co", bound=Value, covariant=True)
NOT_FOUND = "Not found in what could be read; our default."


class ChangesWhen(StrEnum):
    """When the seed, the rates and the ceiling may change."""

    CLOSED = "closed"
    """At once, on a closed link without wins in line."""
    NEXT_RESET = "next_reset"
    """From the next reset of the pool on."""
    EITHER = "either"

    @property
    def ways(self) -> frozenset[str]:
        return frozenset({"closed", "next_reset"} if self is ChangesWhen.EITHER else {self.value})


@dataclass(frozen=True, kw_only=True, slots=True)
class Sourced(Generic[V_co]):
    """A value, and where it comes from."""

    value: V_co
    paragraph: str | None = None
    confirmed: bool
    """Whether the paragraph says so. If not, the value is our default."""
    note: str = ""

    @property
    def words(self) -> str:
        return self.note if self.confirmed else f"{NOT_FOUND} {self.note}".rstrip()


def _says(paragraph: str, value: V, note: str = "") -> Sourced[V]:
    return Sourced(value=value, paragraph=paragraph, confirmed=True, note=note)


def _default(value: V, note: str = "") -> Sourced[V]:
    return Sourced(value=value, confirmed=False, note=note)


@dataclass(frozen=True, kw_only=True, slots=True)
class Profile:
    name: str
    title: str
    # What a link's entry in the floor file says
    policy: Sourced[str]
    window_ms: Sourced[int | None]
    straight_flush_approvals: Sourced[int]
    royal_flush_approvals: Sourced[int]
    # What the floor file says for all links
    changes_when: Sourced[str]
    sign_seconds: Sourced[int]
    retention_years: Sourced[int]
    ceiling_to_players: Sourced[str]
    # What this program always does
    changes_by: Sourced[int]
    bets_after_a_hit: Sourced[str]
    hits_kept: Sourced[int]
    overflow: Sourced[str]


class ToPlayers(StrEnum):
    """Whether players are told something."""

    SHOWN = "shown"
    HIDDEN = "hidden"


class Scope(StrEnum):
    LINK = "link"
    """A key of `[[link]]`."""
    FLOOR = "floor"
    """A key of the floor file itself."""
    ALWAYS = "always"
    """No setting: the program does so, or says in the note what it leaves to people."""


def _never(_given: Value, _asked: Value) -> bool:
    return False


def _more(given: Value, asked: Value) -> bool:
    return isinstance(given, int) and isinstance(asked, int) and given > asked


def _less(given: Value, asked: Value) -> bool:
    return _more(asked, given)


def _wider(given: Value, asked: Value) -> bool:
    """More wins count as simultaneous; None is the narrowest: only intervals that overlap."""
    return given is not None and (asked is None or _more(given, asked))


def _fewer_ways(given: Value, asked: Value) -> bool:
    return ChangesWhen(str(given)).ways < ChangesWhen(str(asked)).ways


def _told(given: Value, asked: Value) -> bool:
    return given == ToPlayers.SHOWN and asked == ToPlayers.HIDDEN


@dataclass(frozen=True, kw_only=True, slots=True)
class Setting:
    """One of the values that every profile has."""

    name: str
    """As the floor file writes it; with a dot inside a table."""
    what: str
    unit: str = ""
    scope: Scope
    of: Callable[[Profile], Sourced[Value]]
    tighter: Callable[[Value, Value], bool] = _never
    """Whether the first value asks more of the House than the second. What is neither that nor the same needs
    a reason."""


SETTINGS = (
    Setting(
        name="policy",
        what="How wins that meet are paid",
        scope=Scope.LINK,
        of=lambda profile: profile.policy,
    ),
    Setting(
        name="window_ms",
        what="How far apart wins may be and still count as simultaneous",
        unit="ms",
        scope=Scope.LINK,
        of=lambda profile: profile.window_ms,
        tighter=_wider,
    ),
    Setting(
        name="approvals.straight_flush",
        what="Different people who approve a win of a part of the pool",
        scope=Scope.LINK,
        of=lambda profile: profile.straight_flush_approvals,
        tighter=_more,
    ),
    Setting(
        name="approvals.royal_flush",
        what="Different people who approve a win of the whole pool",
        scope=Scope.LINK,
        of=lambda profile: profile.royal_flush_approvals,
        tighter=_more,
    ),
    Setting(
        name="changes_when",
        what="When seed, rates and ceiling may change",
        scope=Scope.FLOOR,
        of=lambda profile: profile.changes_when,
        tighter=_fewer_ways,
    ),
    Setting(
        name="sign_seconds",
        what="Within what time a sign shows the value; later raises an alert",
        unit="s",
        scope=Scope.FLOOR,
        of=lambda profile: profile.sign_seconds,
        tighter=_less,
    ),
    Setting(
        name="retention_years",
        what="How long records are kept",
        unit="years",
        scope=Scope.FLOOR,
        of=lambda profile: profile.retention_years,
        tighter=_more,
    ),
    Setting(
        name="ceiling_to_players",
        what="Whether players are told how high the pool may rise",
        scope=Scope.FLOOR,
        of=lambda profile: profile.ceiling_to_players,
        tighter=_told,
    ),
    Setting(
        name="changes_by",
        what="Different people who change seed, rates and ceiling",
        scope=Scope.ALWAYS,
        of=lambda profile: profile.changes_by,
    ),
    Setting(
        name="bets_after_a_hit",
        what="To which jackpot a bet counts",
        scope=Scope.ALWAYS,
        of=lambda profile: profile.bets_after_a_hit,
    ),
    Setting(
        name="hits_kept",
        what="How many of the latest hits the service has at hand",
        scope=Scope.ALWAYS,
        of=lambda profile: profile.hits_kept,
    ),
    Setting(
        name="overflow",
        what="What becomes of money above the ceiling",
        scope=Scope.ALWAYS,
        of=lambda profile: profile.overflow,
    ),
)
BY_NAME: Mapping[str, Setting] = {one.name: one for one in SETTINGS}

_OVERLAP = "Wins count as simultaneous when the intervals in which they can have been dealt overlap."
_SIGNS = "30 s is the only figure found anywhere: Arkansas EGS 29.1(d)."
_YEARS = "5 years is the only figure found anywhere: Indiana 68 IAC 2-6-34. The book itself deletes nothing."
_BEFORE_AND_AFTER = "before a hit to this one, after it to the next"
_TWO = "One person alone can write the floor file or run jackpot token: guard that machine with two keys."
_HITS = "25, as New York asks; the journal has all."
_NEXT_RESET = "joins the pool at the next reset"

RULE_BOOK = Profile(
    name="rule-book",
    title="The rule books of the games",
    policy=_says(
        "S 4.5, H 4.5",
        Policy.ORDERED.value,
        "The order of the deal, determined by the House where it is unclear.",
    ),
    window_ms=_default(None, _OVERLAP),
    straight_flush_approvals=_default(1),
    royal_flush_approvals=_default(2),
    changes_when=_default(ChangesWhen.EITHER.value),
    sign_seconds=_default(30, _SIGNS),
    retention_years=_default(5, _YEARS),
    ceiling_to_players=_default(ToPlayers.SHOWN.value),
    changes_by=_default(2, _TWO),
    bets_after_a_hit=_default(_BEFORE_AND_AFTER),
    hits_kept=_default(25, _HITS),
    overflow=_default(_NEXT_RESET),
)
NEW_MEXICO = Profile(
    name="new-mexico",
    title="New Mexico, 15.1.24 NMAC",
    policy=_says(
        "15.1.24.19A NMAC",
        Policy.FULL_EACH.value,
        "Wins of one polling cycle each receive the full amount of the meter.",
    ),
    window_ms=_default(None, f"15.1.24.19A names a polling cycle and no time; ours has none. {_OVERLAP}"),
    straight_flush_approvals=_default(1),
    royal_flush_approvals=_default(2),
    changes_when=_default(ChangesWhen.EITHER.value),
    sign_seconds=_default(30, _SIGNS),
    retention_years=_default(5, _YEARS),
    ceiling_to_players=_default(ToPlayers.SHOWN.value),
    changes_by=_says("15.1.24.12A NMAC", 2, f"No single person reaches the configuration. {_TWO}"),
    bets_after_a_hit=_says("15.1.24.19A NMAC", _BEFORE_AND_AFTER),
    hits_kept=_default(25, _HITS),
    overflow=_default(_NEXT_RESET),
)
NEW_YORK = Profile(
    name="new-york",
    title="New York, 9 NYCRR 5320 and 5321",
    policy=_says(
        "9 NYCRR 5321.18(b)(3)(iii)",
        Policy.ORDERED.value,
        "The order of wins at nearly the same time is identified and recorded.",
    ),
    window_ms=_default(None, _OVERLAP),
    straight_flush_approvals=_default(1),
    royal_flush_approvals=_default(2),
    changes_when=_says(
        "9 NYCRR 5321.18(b)(4)", ChangesWhen.CLOSED.value, "No change while the link is in operation."
    ),
    sign_seconds=_default(30, _SIGNS),
    retention_years=_default(5, _YEARS),
    ceiling_to_players=_default(ToPlayers.SHOWN.value),
    changes_by=_default(2, _TWO),
    bets_after_a_hit=_default(_BEFORE_AND_AFTER),
    hits_kept=_says("9 NYCRR 5320.8(b)(4)", 25, "The journal has all."),
    overflow=_says(
        "9 NYCRR 5320.8(b)(2)",
        "counts as revenue",
        "It has an account of its own. To book it is left to people: it joins the pool at the next reset.",
    ),
)
PROFILES: Mapping[str, Profile] = {one.name: one for one in (RULE_BOOK, NEW_MEXICO, NEW_YORK)}
