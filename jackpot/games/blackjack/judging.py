"""A report, judged: refused whole if the rules make it impossible, else settled as far as it goes.

First the message, then the boxes in order, each hand in order of play, then the dealer, then the shoe.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from jackpot.core.refusals import PlayIncomplete
from jackpot.games.blackjack.closing import Closing
from jackpot.games.blackjack.legality import check_boxes
from jackpot.games.blackjack.lines import Line, OpenWager
from jackpot.games.blackjack.messages import check_message
from jackpot.games.blackjack.play import Play, Returned, played
from jackpot.games.blackjack.retelling import check_nothing_missing, laid_over, spelled
from jackpot.games.blackjack.settlement import settle
from jackpot.games.blackjack.shoe import check_dealer, check_shoe
from jackpot.games.blackjack.told import Report
from jackpot.games.blackjack.undoing import open_wagers

_NO_COUNTS: Mapping[str, int] = {}


class Judged(NamedTuple):
    report: Report
    """As it is kept: spelled canonically, laid over what was told before."""
    play: Play
    lines: tuple[Line, ...]
    open: tuple[OpenWager, ...]
    """What is not decided yet; nothing in a final report."""


def judge(
    closing: Closing,
    told: Report,
    *,
    before: Report | None = None,
    returned: Returned | None = None,
    counts: Mapping[str, int] = _NO_COUNTS,
    irregular: bool = False,
) -> Judged:
    """`before` is the report kept last; `returned` whose bets the House has given back; `counts` the cards
    that left the shoe before this round; `irregular` that an irregularity of this round was declared."""
    report = spelled(closing.rules, laid_over(before, told))
    check_message(closing.layout, report)
    if before is not None:
        check_nothing_missing(before, report)
    play = played(closing, report, returned)
    check_boxes(play)
    check_dealer(play)
    lines = settle(play)
    still_open = open_wagers(play, lines)
    if report.final and still_open:
        raise _incomplete(still_open)
    check_shoe(play, counts, any_order=irregular)
    return Judged(report=report, play=play, lines=lines, open=still_open)


def _incomplete(still_open: tuple[OpenWager, ...]) -> PlayIncomplete:
    first = still_open[0]
    where = "the table" if first.box is None else f"box {first.box}"
    return PlayIncomplete(
        f"the {first.wager} of {first.player} on {where} is open",
        field="final",
        box=first.box,
        player=first.player,
        wager=first.wager,
        open=[
            {"box": one.box, "player": one.player, "hand": one.hand, "wager": one.wager} for one in still_open
        ],
    )
