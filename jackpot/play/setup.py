"""Which tables there can be: their boxes, limits and shoes, and the name they are shown by."""

from __future__ import annotations

import re

from jackpot.core.currencies import USUAL, decimals_of
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.refusals import ParameterWrong
from jackpot.core.texts import unseen
from jackpot.link.state import PitSetup, Setup, TableSetup

MOST_BOXES = 20
LONGEST_NAME = 60
_TABLE_ID = re.compile(r"[A-Za-z0-9_-]{1,40}")


def check_setup(setup: Setup) -> None:
    if not _TABLE_ID.fullmatch(setup.id):
        raise ParameterWrong("a table's id is letters, digits, - and _", field="id")
    if not 1 <= setup.boxes <= MOST_BOXES:
        raise ParameterWrong(f"a table has 1 to {MOST_BOXES} boxes", field="boxes")
    _check_name(setup.name)
    _check_limits(setup.minimum, setup.maximum, "")
    if isinstance(setup, PitSetup):
        _check_pit_setup(setup)


def check_most_won(setup: TableSetup, currency: str) -> None:
    """The rule book knows dollars and cents; what is as much in won or in dinars the House must say."""
    if setup.most_won is None:
        if decimals_of(currency) != USUAL:
            said = f"table {setup.id}: say the most that a box wins with a wager (4.1.1) in {currency}"
            raise ParameterWrong(said, field="most_won")
    elif not 1 <= setup.most_won <= LARGEST_AMOUNT:
        said = f"table {setup.id}: most_won must be from 1 to {LARGEST_AMOUNT}, not {setup.most_won}"
        raise ParameterWrong(said, field="most_won")


def _check_name(name: str) -> None:
    if len(name) > LONGEST_NAME:
        raise ParameterWrong(f"a name has at most {LONGEST_NAME} characters", field="name")
    if unseen(name) or (name and not name.strip()):
        raise ParameterWrong("a name has only characters that can be seen", field="name")


def _check_limits(minimum: int | None, maximum: int | None, of: str) -> None:
    least, most = minimum or 0, LARGEST_AMOUNT if maximum is None else maximum
    if not 0 <= least <= most <= LARGEST_AMOUNT:
        raise ParameterWrong("the minimum is not above the maximum, nor below zero", field=f"{of}minimum")
    if not most:
        raise ParameterWrong("a maximum of nothing lets nobody play", field=f"{of}maximum")


def _check_pit_setup(setup: PitSetup) -> None:
    """What the rules say of a layout, its shoe and its side bets (2.1.1, 2.2.1)."""
    rules = setup.rules
    if setup.decks not in rules.decks:
        least, most = rules.decks[0], rules.decks[-1]
        raise ParameterWrong(f"{rules.name} is dealt from {least} to {most} decks (2.2.1)", field="decks")
    if rules.most_boxes is not None and setup.boxes > rules.most_boxes:
        raise ParameterWrong(f"{rules.name} has 1 to {rules.most_boxes} boxes (2.1.1)", field="boxes")
    for name, limits in setup.side.items():
        if name not in rules.side_bets:
            raise ParameterWrong(f"{rules.name} has no side bet {name[:40]!r}", field=f"side.{name[:40]}")
        _check_limits(limits.minimum, limits.maximum, f"side.{name}.")
