"""Contestants take turns, so that a busy moment of the machine falls on all of them; medians are compared."""

from __future__ import annotations

import os
import platform
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import median
from time import perf_counter
from timeit import Timer
from typing import Any

Clock = Callable[[], float]


@dataclass(frozen=True)
class Contestant:
    name: str
    statement: str
    """What is timed. Each statement is compiled by itself: the interpreter tunes a loop to what it calls, and
    two contestants in one loop would spoil that for each other."""
    function: Callable[..., object]
    hands: Sequence[Any]

    def seconds(self, clock: Clock) -> float:
        names = {"given_function": self.function, "given_hands": self.hands}
        setup = "function, hands = given_function, given_hands"
        return Timer(self.statement, setup, timer=clock, globals=names).timeit(1)


EACH = "for hand in hands: function(hand)"
EACH_OF_FIVE = "for a, b, c, d, e in hands: function(a, b, c, d, e)"
AT_ONCE = "function(hands)"


def rates(contestants: Sequence[Contestant], turns: int, clock: Clock = perf_counter) -> dict[str, float]:
    """Hands per second of each, the median of its turns."""
    seconds: dict[str, list[float]] = {each.name: [] for each in contestants}
    for _ in range(turns):
        for each in contestants:
            seconds[each.name].append(each.seconds(clock))
    return {each.name: len(each.hands) / median(seconds[each.name]) for each in contestants}


def machine() -> str:
    """The processor, as far as the system names it, and Python."""
    processor = platform.processor() or platform.machine()
    described = Path("/proc/cpuinfo")
    if described.exists():
        named = [line for line in described.read_text().splitlines() if line.startswith("model name")]
        processor = named[0].partition(":")[2].strip() if named else processor
    python = f"{platform.python_implementation()} {platform.python_version()}"
    return f"{processor}, {os.cpu_count()} cores, {platform.system()}, {python}"


def cpu_of(pid: int) -> float:
    """Seconds of CPU that a process has used."""
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
