"""What is asked of a dry run, and what is told of it."""

from __future__ import annotations

from typing import Annotated, Any

from pydantic import Field, StrictInt, StrictStr

from api.dryruns.asked import Asked, check_time, overrides_told
from api.dryruns.jobs import Job
from api.operators.acts_of_two import LevelSaid
from api.operators.house_answers import Instant, MinorUnits, Told
from api.operators.wire import Amount, Said, Share
from jackpot.cards.evaluator import Hand
from jackpot.core.instants import MILLISECOND, parse_instant, spoken_instant
from jackpot.link.awards import LONGEST_WINDOW, Policy, levels_of
from jackpot.link.parameters import Changes

Time = Annotated[StrictStr, Field(max_length=40, examples=["2026-10-01T00:00:00+08:00"])]


class DryRunSaid(Said):
    """What is to be other than it was, and when. What is not named stays as it was recorded; `ceiling`,
    `window_ms` or `cap` null takes that away; `level` is the whole pay table. Without any of them the dry run
    proves itself: every fact must come out as it was recorded."""

    start: Time | None = Field(default=None, alias="from")
    end: Time | None = Field(default=None, alias="to")
    seed: Amount | None = None
    meter_ppm: Share | None = None
    reserve_ppm: Share | None = None
    ceiling: Amount | None = None
    level: list[LevelSaid] | None = Field(default=None, max_length=len(Hand))
    policy: Policy | None = None
    window_ms: Annotated[StrictInt, Field(ge=0, le=LONGEST_WINDOW // MILLISECOND)] | None = None
    cap: Amount | None = None

    def asked(self, link: str) -> Asked:
        changes = Changes(
            seed=self.seed,
            meter_ppm=self.meter_ppm,
            reserve_ppm=self.reserve_ppm,
            ceiling=self.ceiling,
            no_ceiling=self._taken_away("ceiling"),
            levels=None if self.level is None else levels_of((o.hand, o.share, o.odds) for o in self.level),
            policy=self.policy,
            window=None if self.window_ms is None else self.window_ms * MILLISECOND,
            no_window=self._taken_away("window_ms"),
            cap=self.cap,
            no_cap=self._taken_away("cap"),
        )
        since = None if self.start is None else parse_instant(self.start, field="from")
        until = None if self.end is None else parse_instant(self.end, field="to")
        return check_time(Asked(link=link, since=since, until=until, overrides=changes))

    def _taken_away(self, name: str) -> bool:
        return name in self.model_fields_set and getattr(self, name) is None


class PaidSo(Told):
    at: Instant
    sequence: int
    reading: MinorUnits | None = Field(
        description="The value that the percentage is of: displayed, or registered before a malfunction; null"
        " of a late claim."
    )
    percent: int | None
    amount: MinorUnits


class BothPayments(Told):
    win: str
    table: str
    round: int
    box: int
    hand: str | None
    claim: bool = Field(description="A late claim, which is paid its recorded amount.")
    then: PaidSo | None = Field(description="As it was paid; null if it was not.")
    so: PaidSo | None = Field(description="As it would have been; null if it would not.")
    difference: MinorUnits


class CrossingTold(Told):
    at: Instant
    sequence: int
    value: MinorUnits
    break_even: MinorUnits
    above: bool = Field(description="From here on a bet favours its player; false: no longer.")


class OutcomeTold(Told):
    break_even: MinorUnits
    began: dict[str, MinorUnits] = Field(description="Balances before the first entry, by account.")
    ended: dict[str, MinorUnits] = Field(description="Balances after the last.")
    highest: MinorUnits
    highest_at: Instant
    resets: int
    majors: MinorUnits = Field(description="Paid to majors and late claims.")
    minors: MinorUnits
    waiting: list[str] = Field(description="Wins that were not paid at the end.")
    crossings: list[CrossingTold]


class BothMeters(Told):
    at: Instant
    then: MinorUnits
    so: MinorUnits


class FoundTold(Told):
    link: str
    name: str
    currency: str
    start: Instant = Field(alias="from")
    end: Instant = Field(alias="to")
    first: int
    last: int
    changed: dict[str, Any] = Field(description="What is other than it was, as it was asked.")
    proved: bool = Field(description="Nothing was changed, and every fact came out as it was recorded.")
    then: OutcomeTold
    so: OutcomeTold
    payments: list[BothPayments]
    curve: list[BothMeters]
    warnings: list[str]
    notes: list[str] = Field(description="What it cannot know, and what it had to assume.")


class WrongTold(Told):
    code: str
    detail: str


class DryRunTold(Told):
    id: str
    link: str
    by: str
    at: Instant
    start: Instant | None = Field(alias="from")
    end: Instant | None = Field(alias="to")
    changed: dict[str, Any]
    state: str = Field(description="running, done, failed or stopped")
    read: int = Field(description="Entries so far, of so many:")
    of: int
    found: FoundTold | None = Field(description="Once it is done.")
    problem: WrongTold | None = Field(description="If it failed: why.")


class DryRunsTold(Told):
    dryruns: list[dict[str, Any]] = Field(description="The latest first, without what they found.")


def told(job: Job, *, whole: bool = True) -> dict[str, Any]:
    asked = job.asked
    return {
        "id": job.id,
        "link": asked.link,
        "by": job.by,
        "at": spoken_instant(job.at),
        "from": None if asked.since is None else spoken_instant(asked.since),
        "to": None if asked.until is None else spoken_instant(asked.until),
        "changed": overrides_told(asked.overrides),
        "state": job.state.value,
        "read": job.read,
        "of": job.of,
        "found": job.found if whole else None,
        "problem": job.problem,
    }
