"""Measurements that need a fresh process, and the count of all 133,784,560 deals of seven cards."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable
from itertools import combinations
from math import comb
from statistics import median
from time import perf_counter

import numpy as np
import numpy.typing as npt

from jackpot.cards import bulk
from jackpot.cards.cards import NAMES
from jackpot.cards.evaluator import Hand

_IMPORTED = """
import time
def resident():
    with open("/proc/self/status") as status:
        return next(int(line.split()[1]) for line in status if line.startswith("VmRSS"))
before, began = resident(), time.perf_counter()
import jackpot.cards.evaluator
print(time.perf_counter() - began, (resident() - before) / 1024)
"""


def import_cost(times: int = 7) -> tuple[float, float]:
    """Seconds and megabytes that importing the evaluator takes, the medians of fresh processes."""
    told = [
        subprocess.run([sys.executable, "-c", _IMPORTED], capture_output=True, text=True, check=True).stdout
        for _ in range(times)
    ]
    seconds, megabytes = zip(*(map(float, line.split()) for line in told), strict=True)
    return median(seconds), median(megabytes)


def lines_cost() -> float:
    """Seconds in which `jackpot evaluate -` names all 2,598,960 hands, its start included."""
    text = "".join(f"{' '.join(hand)}\n" for hand in combinations(NAMES, 5))
    command = [sys.executable, "-c", "from api.cli import main; main()", "evaluate", "-"]
    began = perf_counter()
    done = subprocess.run(command, input=text, capture_output=True, text=True, check=True)
    taken = perf_counter() - began
    if done.stdout.count("\n") != comb(52, 5):
        raise SystemExit("jackpot evaluate - did not answer each line")
    return taken


def seven_card_counts(progress: Callable[[float], None]) -> dict[Hand, int]:
    """Every deal of seven cards, evaluated: none is left to chance or to a formula."""
    fives = np.array(list(combinations(range(52), 5)), np.uint8)
    found = np.zeros(len(bulk.HANDS), np.int64)
    done = 0
    for low, high in combinations(range(47), 2):
        found += _counted(low, high, fives)
        done += comb(51 - high, 5)
        progress(done / comb(52, 7))
    return {hand: int(count) for hand, count in zip(bulk.HANDS, found, strict=True)}


def _counted(low: int, high: int, fives: npt.NDArray[np.uint8]) -> npt.NDArray[np.int64]:
    """All sevens whose lowest two cards are these: the fives above them come last in their order."""
    above = fives[len(fives) - comb(51 - high, 5) :]
    pair = np.broadcast_to(np.array([low, high], np.uint8), (len(above), 2))
    codes = bulk.hand_codes(bulk.best_of_seven(np.hstack([pair, above])))
    return np.bincount(codes, minlength=len(bulk.HANDS))
