"""What tables may be told without asking the rules again: the durable answers to their last heartbeats."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from jackpot.book.stores.committed import Committed
from jackpot.core.refusals import Refused
from jackpot.link.answers import Answer, HeartbeatAnswer, Meter
from jackpot.link.commands import Command, Heartbeat
from jackpot.machine.execute import Outcome


class Told:
    def __init__(self) -> None:
        self._answers: dict[str, HeartbeatAnswer] = {}
        self._meter: Meter | None = None

    def of(self, table: str) -> HeartbeatAnswer | None:
        """With the meter as it is now; None if the table's next heartbeat is to be carried out."""
        told = self._answers.get(table)
        if told is None or told.meter is self._meter:
            return told
        now = self._answers[table] = replace(told, meter=self._meter)
        return now

    def keep(
        self, committed: Committed, meter: Meter | None, outcomes: Iterable[tuple[Command, Outcome | Refused]]
    ) -> None:
        """This is durable, and changes what some tables are told."""
        self._meter = meter
        for command, outcome in outcomes:
            if isinstance(command, Heartbeat) and isinstance(outcome, Outcome):
                self._keep(command.table, outcome.answer)
        if committed.tables is not None:  # displays may show something else, or another process has written
            self._answers.clear()
        for entry in committed.entries:
            self._answers.pop(getattr(entry.fact, "table", ""), None)

    def _keep(self, table: str, answer: Answer) -> None:
        if isinstance(answer, HeartbeatAnswer):
            self._answers[table] = answer
