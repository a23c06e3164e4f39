"""The process of the floor: locust's users, for as long as the plan says. `loadtests` starts it."""

from __future__ import annotations

import sys
from io import TextIOBase
from pathlib import Path
from typing import Any, cast

import gevent
from locust.env import Environment

from loadtests.callers import Floor
from loadtests.notes import Asked, Notes
from loadtests.people import Operator, Supervisor
from loadtests.plan import Plan, read_plan
from loadtests.signs import PollingSign, StreamingSign
from loadtests.tables import TableUser

GRACE = 30.0
"""Seconds for a round that is being played when time is up."""


def play(plan: Plan, notes: Notes) -> None:
    crowd = {TableUser: plan.tables, PollingSign: plan.signs, StreamingSign: plan.signs}
    for kind, count in crowd.items():
        kind.fixed_count = count
    environment = Environment(user_classes=[*crowd, Operator, Supervisor], stop_timeout=GRACE)
    environment.events.request.add_listener(lambda **told: notes.asked(_asked(**told)))
    runner = environment.create_local_runner()
    environment.floor = Floor(plan, notes)
    users = sum(crowd.values()) + 2
    runner.start(users, spawn_rate=users)
    gevent.sleep(plan.seconds)
    runner.quit()


def _asked(
    *, name: str, response_time: float, start_time: float, exception: BaseException | None, **_: Any
) -> Asked:
    return Asked(start_time, name, response_time, "" if exception is None else str(exception)[:80])


def main(file: Path) -> None:
    plan = read_plan(file)
    with (
        plan.requests_file.open("w", newline="") as requests,
        plan.answered_file.open("w", newline="") as answered,
    ):
        play(plan, Notes(cast(TextIOBase, requests), cast(TextIOBase, answered)))


if __name__ == "__main__":
    main(Path(sys.argv[1]))
