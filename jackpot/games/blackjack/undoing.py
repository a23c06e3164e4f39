"""All that lies on the layout: what a void hands back, and what is still open."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from jackpot.core.refusals import OutcomeEstablished, VoidReasonUnknown
from jackpot.games.blackjack.closing import BET, Placed
from jackpot.games.blackjack.lines import Line, OpenWager, established
from jackpot.games.blackjack.play import INSURANCE, BoxPlay, Play, stakes
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.blackjack.writing import all_back, laid_back


def void_lines(play: Play) -> tuple[Line, ...]:
    """Every bet goes back in full, also what was settled or over a limit; markers are taken back."""
    return tuple(_lying(play, play.closing.rules.paragraphs.void_returns_all))


def _lying(play: Play, rule: str) -> Iterator[Line]:
    for box in play.boxes.values():
        for name in box.closed.bettors:
            yield from _of_player(play, box, name, rule)
    table = play.closing.rules.table_bet
    if table is not None:
        for placed in play.closing.table:
            yield all_back(None, None, table.name, placed, rule)


def _of_player(play: Play, box: BoxPlay, name: str, rule: str) -> Iterator[Line]:
    number, placed = box.closed.box, box.closed.placed
    if name in box.insurance:
        laid = box.insurance[name]
        yield all_back(number, None, INSURANCE, Placed(name, laid, laid), rule)
    for wager in play.closing.rules.side:
        if wager in placed and name in placed[wager]:
            yield all_back(number, None, wager, placed[wager][name], rule)
    if name in box.closed.players:
        for stake in stakes(play, box, name):
            yield laid_back(box, stake, rule)
    elif BET in placed and name in placed[BET]:
        yield all_back(number, 1, BET, placed[BET][name], rule)


def open_wagers(play: Play, lines: Sequence[Line]) -> tuple[OpenWager, ...]:
    """What lies on the layout and is not told by these lines."""
    told = {line.place for line in lines}
    lying = [line for line in _lying(play, "") if line.place not in told]
    return tuple([OpenWager(box=one.box, player=one.player, hand=one.hand, wager=one.wager) for one in lying])


def check_void(rules: BlackjackRules, reason: str, lines: Sequence[Line]) -> None:
    """Whether a table may void a round for that reason, of which these lines were told."""
    own = rules.paragraphs
    if reason not in own.voids:
        raise VoidReasonUnknown(
            f"paragraph {reason[:20]!r} voids no round", field="reason", rule=own.voided_when
        )
    if reason == own.interruption_voids and established(lines):
        raise OutcomeEstablished("a bet has won or lost: play continues", rule=own.interruption_continues)
