"""What a dry run cannot know, and what it had to assume, in plain words."""

from __future__ import annotations

from collections.abc import Iterable

from jackpot.core.instants import MILLISECOND
from jackpot.dryrun.alternative import Alternative
from jackpot.dryrun.findings import Payment
from jackpot.dryrun.overrides import LIKELY_ERROR, NOTHING
from jackpot.dryrun.wins import is_only_here

THE_SAME = "Nothing was changed: every fact came out as it was recorded, to the last unit."
PLAYERS = (
    "Players would have bet differently: a higher meter draws bets, a lower one does not. "
    "The bets are those that were made."
)

HOUSE = (
    "The House would have acted differently too: approvals, orders, adjustments and transfers are those that "
    "were made, when they were made."
)


def notes_of(side: Alternative, payments: Iterable[Payment], *, mid_journal: bool) -> tuple[str, ...]:
    """Those that concern this run, the gravest first."""
    if side.overrides == NOTHING:
        return (THE_SAME,)
    several, assumed = list(payments), side.notes
    found = [PLAYERS, HOUSE, *_of_wins(side, several)]
    if any(one.claim for one in several):
        found.append("Late claims are paid their recorded amounts.")
    if assumed.cut:
        where = _listed(assumed.cut)
        found.append(
            f"Adjustments and transfers of more than there was are cut to what there was: entry {where}."
        )
    if side.overrides.seed is not None and mid_journal:
        found.append("Both sides begin with the recorded state; the new seed counts from the next reset.")
    elif mid_journal:
        found.append("Both sides begin with the recorded state.")
    return tuple(found)


def _of_wins(side: Alternative, payments: Iterable[Payment]) -> list[str]:
    assumed, found = side.notes, list[str]()
    fresh = sum(is_only_here(one.win) for one in payments)
    if fresh:
        found.append(
            f"{fresh} wins exist only under the other levels. Their approvals are assumed at once, "
            "and their deal is known only between the bets and the report of the hand."
        )
    if assumed.fell_away:
        found.append(
            f"{len(assumed.fell_away)} majors are none under the other levels. "
            "Each is paid as the hand it is, at odds or not at all."
        )
    if assumed.proposed:
        found.append(
            f"{len(assumed.proposed)} wins are paid in the order that the service proposes: "
            "the House did not have to decide it then."
        )
    late = [one for one in payments if one.then and one.so and one.so.at > one.then.at]
    if late:
        found.append(f"{len(late)} wins are paid later than they were: with others, or behind them.")
    return found


def _listed(several: Iterable[int]) -> str:
    return ", ".join(f"{one:,}" for one in sorted(several))


def warnings_of(side: Alternative) -> tuple[str, ...]:
    """What is probably not meant."""
    window, best = side.overrides.window, side.notes.best_known
    error = LIKELY_ERROR if best is None else best
    if window is None or window >= error:
        return ()
    known = "usually" if best is None else "at best"
    said = (
        f"The window of {window // MILLISECOND} ms is below the clocks' error: {known} a deal is known to"
        f" {error // MILLISECOND} ms. Whether two wins were simultaneous is then a matter of the clocks."
    )
    return (said,)
