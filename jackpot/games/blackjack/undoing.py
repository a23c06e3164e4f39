"""All that lies on the layout: what a void hands back, and what is still open."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.core.refusals import OutcomeEstablished, VoidReasonUnknown
from jackpot.games.blackjack.closing import BET, Placed
from jackpot.games.blackjack.lines import Line, OpenWager, Place, established
from jackpot.games.blackjack.play import INSURANCE, BoxPlay, Play
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.blackjack.writing import all_back

_Lying = tuple[Place, Placed, int | None]
"""Which wager, the bet as it lies, and what a marker is worth."""


def void_lines(play: Play) -> tuple[Line, ...]:
    """Every bet goes back in full, also what was settled or over a limit; markers are taken back."""
    rule = play.closing.rules.paragraphs.void_returns_all
    return tuple(
        [
            all_back(box, hand, wager, placed, rule, marker=marker)
            for (box, _, hand, wager), placed, marker in _lying(play)
        ]
    )


def _lying(play: Play) -> list[_Lying]:
    found: list[_Lying] = []
    for box in play.boxes.values():
        for name in box.closed.bettors:
            _add_of_player(play, box, name, found)
    table = play.closing.rules.table_bet
    if table is not None:
        found += [((None, one.player, None, table.name), one, None) for one in play.closing.table]
    return found


def _add_of_player(play: Play, box: BoxPlay, name: str, found: list[_Lying]) -> None:
    number, placed = box.closed.box, box.closed.placed
    if name in box.insurance:
        laid = box.insurance[name]
        found.append(((number, name, None, INSURANCE), Placed(name, laid, laid), None))
    for wager in play.closing.rules.side:
        if wager in placed and name in placed[wager]:
            found.append(((number, name, None, wager), placed[wager][name], None))
    if name in box.closed.players:
        for leaf, wager, stake, marker in box.stakes[name]:
            found.append(((number, name, leaf.number, wager), stake, marker))
    elif BET in placed and name in placed[BET]:
        found.append(((number, name, 1, BET), placed[BET][name], None))


def open_wagers(play: Play, lines: Sequence[Line]) -> tuple[OpenWager, ...]:
    """What lies on the layout and is not told by these lines."""
    told = {line.place for line in lines}
    return tuple(
        [
            OpenWager(box=place[0], player=place[1], hand=place[2], wager=place[3])
            for place, _, _ in _lying(play)
            if place not in told
        ]
    )


def check_void(rules: BlackjackRules, reason: str, lines: Sequence[Line]) -> None:
    """Whether a table may void a round for that reason, of which these lines were told."""
    own = rules.paragraphs
    if reason not in own.voids:
        raise VoidReasonUnknown(f"paragraph {reason[:20]!r} voids no round", field="reason")
    if reason == own.interruption_voids and established(lines):
        raise OutcomeEstablished("a bet has won or lost: play continues", rule=own.interruption_continues)
