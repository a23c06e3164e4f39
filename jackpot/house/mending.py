"""A difference between a table controller's meters and the House's, settled by a person."""

from __future__ import annotations

from jackpot.core.refusals import DifferenceIsMended, DifferenceUnknown
from jackpot.link.answers import Done
from jackpot.link.commands import MendMeters
from jackpot.link.execution import Desk, reasoned
from jackpot.link.facts import MetersDiffered, MetersMended
from jackpot.link.state import Pit, TableOfPlay


def mend_meters(desk: Desk, command: MendMeters) -> Done:
    """From the round of the difference on both are compared anew: what went wrong later will differ again."""
    reason = reasoned(command.reason)
    table = table_of(desk.pit, command.difference)
    if table is None:
        if desk.was_made(command.difference, "d", MetersDiffered):
            raise DifferenceIsMended(f"difference {command.difference} was settled")
        raise DifferenceUnknown(f"no difference {command.difference[:80]!r} is open")
    name = table.setup.id
    desk.write(MetersMended(difference=command.difference, table=name, person=command.person, reason=reason))
    return Done()


def table_of(pit: Pit, difference: str) -> TableOfPlay | None:
    open_ones = (one for one in pit.tables.values() if one.difference is not None)
    return next((one for one in open_ones if one.difference and one.difference.id == difference), None)
