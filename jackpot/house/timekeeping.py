"""House time in a link's journal: where it did not simply go on, and whether it may be set."""

from __future__ import annotations

from jackpot.core.refusals import ClockWouldFall, FloorInPlay
from jackpot.house.agreement import Agreement
from jackpot.link.answers import Done
from jackpot.link.commands import BreakTime
from jackpot.link.execution import Desk
from jackpot.link.facts import HouseTimeBroke
from jackpot.link.proposals import Proposal
from jackpot.link.state import Break, Link, Pit

EVERY_LINK = "*"
"""What a confirmation must reach to set the clock. No link has this name."""


def break_time(desk: Desk, command: BreakTime) -> Done:
    pit = desk.pit
    if command.cause is Break.SET:
        check_quiet(pit)
        check_not_falling(pit, desk.now)
    desk.write(
        HouseTimeBroke(
            cause=command.cause,
            before=pit.time if command.cause is Break.START else command.before,
            difference=command.difference,
            persons=command.persons,
            reason=command.reason,
        )
    )
    return Done()


class SettingTheClock(Agreement):
    @property
    def reaches(self) -> str:
        return EVERY_LINK

    def check(self, desk: Desk) -> None:
        check_quiet(desk.link)

    def carry_out(self, desk: Desk, proposal: Proposal, persons: tuple[str, ...]) -> None:
        """Nothing here: the book breaks house time at every link, this one among them."""


def check_quiet(link: Pit) -> None:
    """No round open and no win pending: their order was measured by the time that is about to end. In a pit
    nothing is ordered by time."""
    if not isinstance(link, Link):
        return
    for name, table in link.tables.items():
        if table.round is not None and table.round.open:
            message = f"link {link.id}: a round is open at table {name}"
            raise FloorInPlay(message, link=link.id, table=name)
    for win in link.queue:
        raise FloorInPlay(f"link {link.id}: win {win} waits", link=link.id, win=win)


def check_not_falling(link: Pit, time: int) -> None:
    if time < link.time:
        by = link.time - time
        message = f"{link.id}: its journal is {by} microseconds ahead of the server's clock"
        raise ClockWouldFall(message, link=link.id, by_us=by)
