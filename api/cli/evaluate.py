"""`jackpot evaluate`."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from typing import Annotated

import typer

from api.cli.failures import bad_input
from jackpot.cards.cards import parse_all
from jackpot.cards.evaluator import CLASSES, best_of_seven, hand_of, strength_of_names
from jackpot.core.refusals import CardUnknown, Refused
from jackpot.games.progressive import RULE_BOOK_LEVELS

app = typer.Typer(add_completion=False, pretty_exceptions_enable=False)
_LINES_AT_ONCE = 4096


@app.command(epilog="Example: jackpot evaluate Ah Kh Qh Jh Th   or   jackpot evaluate - < hands.txt")
def evaluate(
    cards: Annotated[
        list[str], typer.Argument(help="Five cards, or seven for the best five; - reads lines.")
    ],
) -> None:
    """Name a hand and its strength among all 7,462. With -, a hand a line from standard input, at speed."""
    try:
        if cards == ["-"]:
            sys.stdout.writelines(evaluated(sys.stdin))
        else:
            typer.echo(_described(cards))
    except Refused as refused:
        sys.stdout.flush()
        raise bad_input(refused) from refused
    except UnicodeDecodeError as error:
        raise bad_input(CardUnknown("standard input is not text", field="cards")) from error


def evaluated(lines: Iterable[str]) -> Iterator[str]:
    """The name and strength of the hand on each line; blank lines are passed over."""
    answers = ["", *(f"{hand_of(number)} {number}\n" for number in range(1, CLASSES + 1))]
    several, begun = iter(lines), 0
    while chunk := list(islice(several, _LINES_AT_ONCE)):
        try:
            yield "".join([answers[strength_of_names(line.split())] for line in chunk if not line.isspace()])
        except Refused:
            yield from _up_to_the_wrong_one(chunk, begun, answers)
        begun += len(chunk)


def _up_to_the_wrong_one(chunk: list[str], begun: int, answers: list[str]) -> Iterator[str]:
    for number, line in enumerate(chunk, begun + 1):
        try:
            if not line.isspace():
                yield answers[strength_of_names(line.split())]
        except Refused as refused:
            refused.message = f"line {number}: {refused.message}"
            raise


def _described(cards: list[str]) -> str:
    seven = len(cards) == 7
    strength = best_of_seven(parse_all(cards)) if seven else strength_of_names(cards)
    hand = hand_of(strength)
    best = "the best five of seven are a hand " if seven else ""
    told = f"{hand.replace('_', ' ')}, {best}of strength {strength:,} of {CLASSES:,}"
    if seven:
        return told
    prize = RULE_BOOK_LEVELS.get(hand)
    if prize is None:
        return told
    if prize.share is not None:
        return f"{told}; a major: {prize.share} % of the jackpot"
    return f"{told}; a minor: {prize.odds} for 1"
