"""A table that finishes a round alone pays what its players were told when they bet."""

from __future__ import annotations

import msgspec
import pytest

from jackpot.cards.evaluator import Hand
from jackpot.client.jackpot_fallback import JackpotFallback
from jackpot.client.messages import BetsAnswer, Body, HandsAnswer, Meter
from jackpot.client.spool import RoundKnown, Waiting
from jackpot.games import Game
from jackpot.games.progressive import Prize
from jackpot.link.awards import Awards, Policy
from jackpot.link.state import TableSetup

LEVELS = {
    Hand.ROYAL_FLUSH: Prize(share=100),
    Hand.FOUR_OF_A_KIND: Prize(share=2),
    Hand.FLUSH: Prize(odds=150),
}
NOW = "2026-01-01T00:00:00Z"


QUADS_AND_FLUSHES = {1: "9c 9d 9h 9s Kd", 2: "Kh Jh 8h 5h 2h", 3: "Kc Jc 8c 5c 2c"}


def finished(awards: Awards | None, hands: dict[int, str] = QUADS_AND_FLUSHES) -> HandsAnswer:
    """Bets as the service answered them, kept as a spool keeps them; then the hands, alone."""
    fallback = JackpotFallback(TableSetup(id="s1", game=Game.CASINO_STUD, boxes=3))
    boxes = [{"box": box, "ante": 2500, "progressive": 500} for box in (1, 2, 3)]
    body: Body = {"closed_at": NOW, "boxes": boxes}
    answer = {
        "table": "s1",
        "round": 1,
        "state": "bets_closed",
        "accepted": [{"box": box, "progressive": 500} for box in (1, 2, 3)],
        "awards": awards,
    }
    told = msgspec.json.decode(msgspec.json.encode(answer), type=BetsAnswer)
    said = Waiting(id=1, kind="bets", round=1, sent_at=0, body=body, tried=True)
    known = fallback.noted(None, said, told)
    kept = msgspec.json.decode(msgspec.json.encode(known), type=RoundKnown)
    report: Body = {
        "hands": [{"box": box, "cards": cards.split()} for box, cards in hands.items()],
        "final": True,
    }
    return fallback.hands(kept, 0, report, Meter(value=8_000_000, sequence=5))


@pytest.mark.parametrize(
    ("awards", "quads", "flush"),
    [
        (None, (None, 200_000), 20_000),
        (Awards(levels=LEVELS), (160_000, None), 75_000),
        (Awards(levels=LEVELS, cap=100_001), (160_000, None), 50_000),
    ],
)
def test_hands_are_worth_what_the_service_said_with_the_bets(
    awards: Awards | None, quads: tuple[int | None, int | None], flush: int
) -> None:
    four, first, second = finished(awards).results
    assert (four.promised, four.award) == quads
    assert first.award == second.award == flush


ONE = {1: "9c 8c 7c 6c 5c", 2: "Kh Jh 8h 5h 2h"}
TWO = {1: "9c 8c 7c 6c 5c", 2: "9h 8h 7h 6h 5h"}


@pytest.mark.parametrize(
    ("policy", "hands", "promised"),
    [
        (Policy.ORDERED, ONE, [800_000, None]),
        (Policy.ORDERED, TWO, [800_000, 720_000]),
        (Policy.SPLIT, ONE, [None, None]),
        (Policy.SPLIT, TWO, [None, None]),
        (Policy.FULL_EACH, ONE, [800_000, None]),
        (Policy.FULL_EACH, TWO, [None, None]),
    ],
)
def test_nothing_is_promised_that_only_the_house_can_say(
    policy: Policy, hands: dict[int, str], promised: list[int | None]
) -> None:
    """Whoever shares, at whichever table: a table alone does not know."""
    told = finished(Awards(policy=policy).of_rounds, hands).results
    assert [one.promised for one in told] == promised
