"""Simulated irregularities: any paragraph, and what is said of it more often right than wrong."""

from __future__ import annotations

from random import Random

from jackpot.games.irregularities import Choice, Irregularity, Resolution
from jackpot.link.state import Table


def any_irregularity(rng: Random, table: Table) -> Irregularity:
    paragraph = rng.choice([*table.setup.rulebook.irregularities, "5.11"])
    playing = table.round.playing if table.round is not None else []
    boxes, others = _affected(rng, playing)
    return Irregularity(
        paragraph=paragraph,
        cards_seen=_maybe(rng),
        reconstructed=_maybe(rng),
        boxes=boxes,
        others=others if paragraph == "5.15" or rng.random() < 0.03 else (),
        choices=_choices(rng, paragraph, playing, boxes, others),
        resolution=rng.choice((*Resolution, None)),
        note="simulated" if rng.random() < 0.95 else "",
    )


def _maybe(rng: Random) -> bool | None:
    return None if rng.random() < 0.05 else rng.random() < 0.4


def _affected(rng: Random, playing: list[int]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    mixed = rng.sample(playing, len(playing))
    first = rng.randrange(1, len(mixed) + 1) if mixed else 0
    return tuple(mixed[:first]), tuple(mixed[first:])


def _choices(
    rng: Random, paragraph: str, playing: list[int], boxes: tuple[int, ...], others: tuple[int, ...]
) -> dict[int, Choice]:
    """Of those who may have the options; now and then of nobody."""
    asked = {"5.9": playing, "5.14": playing, "5.10": boxes, "5.12": boxes, "5.15": others}
    if rng.random() < 0.1:
        return {}
    return {box: rng.choice(tuple(Choice)) for box in asked.get(paragraph, ())}
