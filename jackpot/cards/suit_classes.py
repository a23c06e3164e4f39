"""Sets of cards that differ only in their suits, counted once. Needs NumPy (the extra `math`)."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain, combinations
from math import comb
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.integer[Any]]
Progress = Callable[[float], None]
"""Told the part of the work that is done, from 0 to 1."""


class Alike(NamedTuple):
    cards: Numbers
    """A row for each kind, of those alike the one whose suits are in order."""
    keys: Numbers
    """Of each row, rising."""
    ways: Numbers
    """How many are alike."""


def alike(every: Numbers) -> Alike:
    masks = by_suit(every)
    keys, first, ways = np.unique(key(masks), return_index=True, return_counts=True)
    cards, place = every[first], places(masks[first])
    return Alike(np.take_along_axis(place, cards & 3, axis=1) + (cards >> 2) * 4, keys, ways)


def every(size: int) -> npt.NDArray[np.uint8]:
    """All sets of so many cards."""
    cards = chain.from_iterable(combinations(range(52), size))
    return np.fromiter(cards, np.uint8, comb(52, size) * size).reshape(-1, size)


def by_suit(cards: Numbers) -> Numbers:
    """The ranks in each suit, a bit for each."""
    masks = np.zeros((len(cards), 4), np.int64)
    rows = np.arange(len(cards))
    for column in cards.T:
        masks[rows, column & 3] |= 1 << (column >> 2).astype(np.int64)
    return masks


def key(masks: Numbers) -> Numbers:
    """Equal for cards that differ only in their suits."""
    found: Numbers = (np.sort(masks, axis=1) << np.array([0, 13, 26, 39])).sum(axis=1)
    return found


def places(masks: Numbers) -> Numbers:
    """The suit that each suit becomes when they are put in order."""
    found: Numbers = np.argsort(np.argsort(masks, axis=1, kind="stable"), axis=1, kind="stable")
    return found
