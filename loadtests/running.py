"""One run from its servers to its outcome."""

from __future__ import annotations

import asyncio
import subprocess
from collections.abc import Callable, Sequence

from jackpot.core.instants import SECOND
from loadtests.accounting import differences, read_journal, told, unpaid
from loadtests.figures import Limits, failures, kinds, missing, slices
from loadtests.house import House, finished, floor_playing, house
from loadtests.notes import read_answered, read_asked
from loadtests.plan import Plan
from loadtests.report import Outcome
from loadtests.soak import Sample, Trend, trend, trends

SAID_BY_TABLES = frozenset({"bets", "hands", "heartbeat"})
Watching = Callable[[House, subprocess.Popen[bytes]], None]


def run(plan: Plan, limits: Limits, slice_of: float, watching: Watching = lambda *_: None) -> Outcome:
    """`slice_of`: seconds of one point in the picture."""
    with house(plan) as served:
        with floor_playing(served.plan) as floor:
            watching(served, floor)
            finished(served.plan, floor)
        return _outcome(served, limits, slice_of)


def _outcome(served: House, limits: Limits, slice_of: float) -> Outcome:
    asked = list(read_asked(served.plan.requests_file))
    found, book = kinds(asked), asyncio.run(read_journal(served.url))
    heard = told(read_answered(served.plan.answered_file))
    wrong = differences(heard, book)
    verify = served.services[0].verify()
    said = verify.stdout.strip().splitlines() or [verify.stderr.strip()[-300:]]
    accounted = f"{heard.answers:,} answers, {len(wrong)} differences to the journal"
    in_time = min(one.at for one in asked) + served.plan.seconds - served.plan.paid_within
    failed = failures(found, limits) + missing(found, served.plan.kinds)
    failed += unpaid(book, before=round(in_time * SECOND))
    failed += [f"{accounted}: {'; '.join(wrong[:3])}"] if wrong else []
    failed += [f"jackpot verify: {said[-1]}"] if verify.returncode else []
    failed += [
        f"replica {number}: a traceback in its log"
        for number, service in enumerate(served.services, 1)
        if "Traceback" in service.log()
    ]
    parts = slices(asked, slice_of, SAID_BY_TABLES)
    return Outcome(served.plan, limits, found, parts, book, accounted, said[-1], failed)


def long_run_trends(found: Outcome, samples: Sequence[Sample]) -> list[Trend]:
    """What the processes held, and how long a table's message took."""
    parts = [part for part in found.slices if part.at <= found.plan.seconds]
    seconds = [part.at for part in parts]
    return [
        *trends(samples),
        trend("median of a table's message, ms", seconds, [part.middle for part in parts]),
        trend("99th percentile of it, ms", seconds, [part.slowest for part in parts]),
    ]


def grown(found: Sequence[Trend], latency_ratio: float) -> list[str]:
    """What is more at the end than at the start. The 99th percentile is told, not judged."""
    *kept, middle, _ = found
    more = [one for one in kept if one.grows(share=0.05, few=5)]
    if middle.end > latency_ratio * middle.start:
        more.append(middle)
    return [f"{one.name}: {one.start:.1f} at the start, {one.end:.1f} at the end" for one in more]
