"""A run in words: on the terminal and as a page."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from rich.table import Table

from loadtests.accounting import Journal
from loadtests.figures import Kind, Limits, Slice
from loadtests.plan import Plan
from loadtests.soak import Sample, Trend
from tests.bench.timing import machine

SHARED = "the database, Redis, both replicas and the whole floor share it"


class Outcome(Struct, frozen=True):
    plan: Plan
    limits: Limits
    kinds: list[Kind]
    slices: list[Slice]
    journal: Journal
    accounted: str
    """How the answers that the tables were given compare to it."""
    verified: str
    """The last line of `jackpot verify`."""
    failures: list[str]

    @property
    def requests(self) -> int:
        return sum(kind.count for kind in self.kinds if kind.name != "stream")

    @property
    def rounds(self) -> int:
        return sum(len(rounds) for rounds in self.journal.rounds.values())


def summary(found: Outcome) -> list[tuple[str, str]]:
    plan, book = found.plan, found.journal
    return [
        ("shape", f"{plan.shape}, {plan.seconds:.0f} s"),
        ("tables", f"{plan.tables}, {plan.rate:g} rounds a second in all"),
        ("signs", f"{plan.signs} poll every second, {plan.signs} hold a stream"),
        ("requests", f"{found.requests:,} ({found.requests / plan.seconds:,.0f} a second)"),
        ("rounds", f"{found.rounds:,}"),
        ("progressive bets", f"{book.bets:,} ({book.bets / plan.seconds:,.0f} a second)"),
        ("majors", f"{book.registered} registered, {book.paid} paid"),
        ("messages of tables", f"{book.answers:,} in the journal"),
        ("answers", found.accounted),
        ("journal", found.verified),
    ]


def _kind_row(kind: Kind) -> list[str]:
    errors = sum(kind.troubles.values())
    return [
        kind.name,
        f"{kind.count:,}",
        f"{kind.middle:.1f}",
        f"{kind.slowest:.1f}",
        f"{kind.worst:.1f}",
        str(errors),
    ]


TRENDS = ("", "start", "end", "slope an hour")
HEAD = ("kind", "requests", "median ms", "99th ms", "slowest ms", "errors")


def kinds_table(found: Outcome) -> Table:
    table = Table(*HEAD[:1], title="What was asked", title_justify="left")
    for name in HEAD[1:]:
        table.add_column(name, justify="right")
    for kind in found.kinds:
        table.add_row(*_kind_row(kind))
    return table


def summary_table(found: Outcome) -> Table:
    table = Table("", "", show_header=False, title="The run", title_justify="left")
    for row in summary(found):
        table.add_row(*row)
    return table


def trends_table(trends: Sequence[Trend]) -> Table:
    table = Table("", title="What is held", title_justify="left")
    for name in TRENDS[1:]:
        table.add_column(name, justify="right")
    for one in trends:
        table.add_row(*_trend_row(one))
    return table


def _trend_row(one: Trend) -> list[str]:
    return [one.name, f"{one.start:.1f}", f"{one.end:.1f}", f"{one.slope:+.2f}"]


def _markdown(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = [head, ["---", *["---:"] * (len(head) - 1)], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _page(title: str, how: str, found: Outcome, parts: Sequence[str]) -> str:
    head = f"Written by `python -m loadtests {how} --report docs`. This machine: {machine()}; {SHARED}."
    facts = "\n".join(f"- {name}: {said}" for name, said in summary(found))
    wrong = "\n".join(f"- {failure}" for failure in found.failures)
    return "\n\n".join([f"# {title}", head, facts, *parts, *([wrong] if wrong else [])]) + "\n"


def load_page(found: Outcome) -> str:
    limits, plan = found.limits, found.plan
    meaning = (
        "`stream` is the time from the journal's stamp of a reading to its arrival at a sign; `again`"
        " a message that was answered already."
    )
    rule = (
        "The run fails with an error, a refusal that its story does not explain, a stale or an older reading"
        " on a sign, somebody who did nothing, a major that is left unpaid, a difference between the answers"
        " and the journal, a journal that does not verify,"
        f" or a 99th percentile above {limits.slowest:.0f} ms"
        f" ({limits.slowest_replay:.0f} ms for a part of a spool)."
        f" It {'failed' if found.failures else 'passed'}."
    )
    kinds = _markdown(HEAD, [_kind_row(kind) for kind in found.kinds])
    picture = "![Requests a second, and how long a table's message takes](images/load.svg)"
    how = f"run --shape {plan.shape} --seconds {plan.seconds:g} --tables {plan.tables} --rate {plan.rate:g}"
    return _page("The floor under load", how, found, [kinds, meaning, rule, picture])


def soak_page(found: Outcome, samples: Sequence[Sample], trends: Sequence[Trend]) -> str:
    minutes, loads = found.plan.seconds / 60, [one.load for one in samples]
    meaning = (
        f"Start and end are means over {minutes / 6:g} minutes each, after {minutes / 6:g} minutes that are"
        f" left out. The machine's load average was between {min(loads):.1f} and {max(loads):.1f}."
    )
    held = _markdown(TRENDS, [_trend_row(one) for one in trends])
    kinds = _markdown(HEAD, [_kind_row(kind) for kind in found.kinds])
    flat = (
        "Nothing grew, and latency at the end is that of the start." if not found.failures else "It failed:"
    )
    picture = "![Memory, connections, tasks and latency over time](images/soak.svg)"
    return _page("A long run", f"soak --minutes {minutes:g}", found, [held, meaning, kinds, picture, flat])
