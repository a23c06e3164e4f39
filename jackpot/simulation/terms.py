"""What a simulated link is played on: rates, levels and award policy, drawn from a seed."""

from __future__ import annotations

from random import Random

from jackpot.cards.evaluator import Hand
from jackpot.core.currencies import USUAL, decimals_of
from jackpot.core.instants import MILLISECOND, SECOND
from jackpot.games.progressive import ALL_OF_IT, RULE_BOOK_LEVELS, Prize
from jackpot.link.awards import Awards, Policy
from jackpot.link.commands import ChangeTable
from jackpot.link.parameters import Basis, Changes, Parameters
from jackpot.link.state import TableOfPlay
from jackpot.link.table_terms import TableChanges

CURRENCIES = ("SGD", "SGD", "JPY", "KRW", "VND", "BHD", "KWD")
WINDOWS = (None, None, 0, 80 * MILLISECOND, 2 * SECOND, 10 * SECOND)
CAPS = (None, None, 30_000, 150_000)


def parameters_of(seed: int) -> Parameters:
    rng = Random(f"parameters {seed}")
    return Parameters(
        seed=100_000,
        progressive_bet=500,
        meter_ppm=rng.choice((400_000, 333_333, 700_000)),
        reserve_ppm=rng.choice((0, 50_000, 123_457)),
        ceiling=rng.choice((None, None, 100_000, 150_000)),
        top_up_to_seed=rng.random() < 0.3,
        straight_flush_approvals=rng.choice((0, 1, 1, 2)),
        royal_flush_approvals=rng.choice((1, 2, 2)),
        order_basis=rng.choice((Basis.STAMPED, Basis.STAMPED, Basis.WITNESSED)),
        awards=any_awards(rng),
        said_unclaimed_after_days=rng.choice((None, 1, 1)),
    )


def currency_of(seed: int, of: str = "link") -> str:
    return Random(f"currency of {of} {seed}").choice(CURRENCIES)


def most_won_of(seed: int, table: str, currency: str) -> int | None:
    """Near enough that a box's winnings come to it."""
    rng = Random(f"most won at {table} {seed}")
    if decimals_of(currency) == USUAL and rng.random() < 0.5:
        return None
    return rng.choice((7_001, 20_000, 10_000_000))


def any_awards(rng: Random) -> Awards:
    return Awards(
        levels=any_levels(rng),
        policy=rng.choice((Policy.ORDERED, *Policy)),
        window=rng.choice(WINDOWS),
        cap=rng.choice(CAPS),
    )


def any_levels(rng: Random) -> dict[Hand, Prize]:
    """Often the rule book's; a royal flush always takes all."""
    levels = dict(RULE_BOOK_LEVELS)
    if rng.random() < 0.5:
        return levels
    levels[Hand.STRAIGHT_FLUSH] = Prize(share=rng.choice((1, 10, 33, 50, ALL_OF_IT)))
    levels[Hand.FOUR_OF_A_KIND] = rng.choice((Prize(share=1), Prize(share=7), Prize(odds=400)))
    levels[Hand.FLUSH] = Prize(odds=rng.randrange(1, 60))
    if rng.random() < 0.3:
        del levels[Hand.STRAIGHT]
    return levels


def any_change_of(rng: Random, table: TableOfPlay) -> ChangeTable:
    """Of limits, boxes or name: now and then one that cannot be, or of what somebody has not seen."""
    boxes, luck = table.setup.boxes, rng.random()
    changes = rng.choice(
        (
            TableChanges(maximum=rng.choice((1_000, 5_000, 20_000))),
            TableChanges(minimum=rng.choice((100, 1_000, 50_000))),
            TableChanges(no_minimum=True, no_maximum=True),
            TableChanges(boxes=max(1, boxes + rng.choice((-1, 1)))),
            TableChanges(boxes=rng.randrange(1, 9)),
            TableChanges(name=rng.choice(("Dragon room", "Lotus room", ""))),
        )
    )
    known = None if luck < 0.5 else table.changed if luck < 0.9 else table.changed + 1
    return ChangeTable(
        person=rng.choice(("ana", "ben")),
        table=table.setup.id,
        changes=changes,
        reason="simulated",
        known=known,
    )


def any_change(rng: Random) -> Changes:
    """Of levels and policy."""
    return rng.choice(
        (
            Changes(policy=rng.choice(tuple(Policy))),
            Changes(levels=any_levels(rng)),
            Changes(window=rng.choice((0, 500 * MILLISECOND))),
            Changes(no_window=True),
            Changes(cap=rng.choice((20_000, 90_000))),
            Changes(no_cap=True),
            Changes(royal_flush_approvals=rng.randrange(1, 4)),
            Changes(straight_flush_approvals=rng.randrange(1, 3)),
        )
    )
