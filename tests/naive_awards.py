"""A second pool and a second line of wins, to hold the first ones against: written from the design and from
`docs/policies.md`, plain and slow. It shares no code with `jackpot.pools` and `jackpot.house`.

It is told what happened (bets, wins with their intervals, what the House decided) and says what each win is
paid, where that comes from and what the meter shows after. All of it in whole units, 10^-8 of the currency.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

CENT = 1_000_000


@dataclass
class PlainWin:
    id: str
    table: str
    round: int
    box: int
    hand: str
    percent: int
    start: int
    end: int
    segment: int = 0
    """The carryover segment that its registration began."""
    registered: int | None = None
    """Which reading from before a malfunction it is paid from."""


@dataclass
class PlainReading:
    """What the system had registered before a malfunction, and what its wins have left of it."""

    meter: int
    overflow: int
    brought: int
    """Of all that bets ever brought in, what had come by then."""

    @property
    def value(self) -> int:
        return self.meter // CENT


@dataclass
class PlainPayment:
    win: str
    amount: int
    """Cents."""
    reading: int
    from_pool: int = 0
    """Units."""


@dataclass
class PlainPool:
    policy: str
    window: int
    seed: int
    """Cents, as the ceiling."""
    ceiling: int | None
    top_up: bool
    meter_ppm: int
    reserve_ppm: int
    meter: int = 0
    reserve: int = 0
    overflow: int = 0
    house: int = 0
    segments: list[int] = field(default_factory=list)
    """Carryover; the newest takes what comes in."""
    gone: int = 0
    """How many segments have joined the pool."""
    waiting: dict[str, PlainWin] = field(default_factory=dict)
    readings: dict[int, PlainReading] = field(default_factory=dict)
    resets: int = 0
    brought: int = 0
    """All that bets ever brought to the meter or the carryover, less what went to overflow."""
    brought_before_reset: int = 0
    """Of that, what a reset has taken out of the pool."""

    @property
    def value(self) -> int:
        return self.meter // CENT

    @property
    def carryover(self) -> int:
        return sum(self.segments)

    # Bets

    def bet(self, cents: int) -> None:
        to_meter, to_reserve = cents * self.meter_ppm, cents * self.reserve_ppm  # cents x ppm are units
        self.reserve += to_reserve
        self.house += cents * CENT - to_meter - to_reserve
        self.brought += to_meter
        if self.waiting:
            self.segments[-1] += to_meter
        else:
            self.brought -= self._into_meter(to_meter)

    def bet_returned(self, cents: int, *, since_last_payment: bool) -> None:
        if not since_last_payment:
            self.house -= cents * CENT
            return
        to_meter, to_reserve = cents * self.meter_ppm, cents * self.reserve_ppm
        from_reserve = min(to_reserve, self.reserve)
        self.reserve -= from_reserve
        self.house -= cents * CENT - to_meter - from_reserve
        if self.waiting:
            self.segments[-1] -= to_meter
        else:
            self._out_of_meter(to_meter)

    def _into_meter(self, units: int) -> int:
        """What the ceiling leaves no room for goes to overflow."""
        self.meter += units
        over = 0 if self.ceiling is None else max(0, self.meter - self.ceiling * CENT)
        self.meter -= over
        self.overflow += over
        return over

    def _out_of_meter(self, units: int) -> None:
        """A reversal takes from overflow first; what the meter lacks, the house returns."""
        from_overflow = min(units, self.overflow)
        self.overflow -= from_overflow
        from_meter = min(units - from_overflow, self.meter)
        self.meter -= from_meter
        self.house -= units - from_overflow - from_meter

    # The line

    def win(self, win: PlainWin) -> None:
        if not self.waiting:
            self.segments = []
        self.segments.append(0)
        win.segment = self.gone + len(self.segments) - 1
        self.waiting[win.id] = win

    def win_corrected(self, old: str, win: PlainWin) -> None:
        """In its predecessor's place as to carryover."""
        win.segment = self.waiting.pop(old).segment
        self.waiting[win.id] = win

    def win_left(self, *wins: str) -> None:
        """Rejected or withdrawn: what joins now joins as it is, below zero as a reversal."""
        for win in wins:
            del self.waiting[win]
        joining = self._joining()
        if joining >= 0:
            self.brought -= self._into_meter(joining)
        else:
            self._out_of_meter(-joining)

    def _joining(self) -> int:
        """The segments older than the earliest registration among those that wait; all if none waits."""
        first = min((win.segment for win in self.waiting.values()), default=self.gone + len(self.segments))
        joining = self.segments[: first - self.gone]
        self.segments = self.segments[first - self.gone :]
        self.gone = max(first, self.gone)
        return sum(joining)

    def simultaneous(self, one: PlainWin, other: PlainWin) -> bool:
        if one.table == other.table and one.round != other.round and not self.window:
            return False  # rounds follow each other, however well the House knows its own time
        return one.start - other.end <= self.window and other.start - one.end <= self.window

    def first_cluster(self) -> list[PlainWin]:
        """Who was dealt first, and all that meet it, and all that meet those."""
        cluster = [min(self.waiting.values(), key=lambda win: (win.start, win.end))]
        while True:
            more = [
                win
                for win in self.waiting.values()
                if win not in cluster and any(self._meet(win, met) for met in cluster)
            ]
            if not more:
                return cluster
            cluster += more

    def _meet(self, one: PlainWin, other: PlainWin) -> bool:
        """Under `ordered` only those meet whose order is in doubt."""
        if self.policy == "ordered":
            return not self.certain(one, other) and not self.certain(other, one)
        return self.simultaneous(one, other)

    def certain(self, one: PlainWin, other: PlainWin) -> bool:
        """`ordered`: the first of them was dealt first, whatever the House would say."""
        if one.table == other.table:
            return (one.round, one.box) < (other.round, other.box)
        return not self.simultaneous(one, other) and one.end < other.start

    def may_be_first(self, win: PlainWin) -> bool:
        """`ordered`: nobody was certainly dealt before it."""
        return not any(self.certain(other, win) for other in self.waiting.values())

    # Payment

    def pay(self, first: str) -> list[PlainPayment]:
        """Who is paid now. `first` is who the House says is first: it matters only under `ordered`."""
        cluster = [self.waiting[first]] if self.policy == "ordered" else self.first_cluster()
        now = self.value
        levels: dict[tuple[str, int], list[PlainWin]] = {}
        for win in cluster:
            levels.setdefault((win.hand, win.percent), []).append(win)
        paid: dict[str, PlainPayment] = {}
        for (_, percent), wins in levels.items():
            for place, win in enumerate(sorted(wins, key=lambda each: (each.box, each.table, each.round))):
                reading = now if win.registered is None else self.readings[win.registered].value
                whole = (reading * percent + 50) // 100
                each, over = divmod(whole, len(wins))
                share = each + (1 if place < over else 0)
                paid[win.id] = PlainPayment(win.id, share if self.policy == "split" else whole, reading)
        clockwise = sorted(cluster, key=lambda win: (win.percent == 100, win.box, win.table, win.round))
        for win in clockwise:
            self._take(win, paid[win.id])
        for win in cluster:
            del self.waiting[win.id]
        self._after(resets=any(win.percent == 100 for win in cluster))
        self._after_readings(clockwise, paid)
        return [paid[win.id] for win in clockwise]

    def _take(self, win: PlainWin, paid: PlainPayment) -> None:
        """From the pool as far as it reaches, the rest from the reserve, then the house. Of a registered
        reading, what was bet after it stays."""
        reach = self.meter
        if win.registered is not None:
            later = self.brought - max(self.readings[win.registered].brought, self.brought_before_reset)
            reach -= max(0, later - max(0, self.carryover))
        units = paid.amount * CENT
        paid.from_pool = max(0, min(units, reach))
        from_reserve = min(self.reserve, units - paid.from_pool)
        self.meter -= paid.from_pool
        self.reserve -= from_reserve
        self.house -= units - paid.from_pool - from_reserve

    def _after(self, *, resets: bool) -> None:
        if resets:
            self.resets += 1
            self._seeded(self.seed * CENT)
            overflow, self.overflow = self.overflow, 0
            self._into_meter(overflow)
        elif self.top_up and self.meter < self.seed * CENT:
            self._seeded(self.seed * CENT - self.meter)
        joining = self._joining()
        if joining < 0:
            self.house += joining
        over = self._into_meter(max(0, joining))
        if resets:
            self.brought_before_reset = self.brought - max(0, joining) - max(0, self.carryover)
        else:
            self.brought -= min(over, max(0, joining))

    def _seeded(self, units: int) -> None:
        from_reserve = min(units, self.reserve)
        self.reserve -= from_reserve
        self.house -= units - from_reserve
        self._into_meter(units)

    def _after_readings(self, cluster: Sequence[PlainWin], paid: dict[str, PlainPayment]) -> None:
        """What a registered reading leaves for those that are paid from it later."""
        for number, reading in self.readings.items():
            of_it = [win for win in cluster if win.registered == number]
            if not of_it:
                continue
            for win in of_it:
                reading.meter -= min(reading.meter, paid[win.id].amount * CENT)
            if any(win.percent == 100 for win in of_it):
                reading.meter += self.seed * CENT + reading.overflow
                reading.overflow = 0
            elif self.top_up:
                reading.meter = max(reading.meter, self.seed * CENT)
            if self.ceiling is not None and reading.meter > self.ceiling * CENT:
                reading.overflow += reading.meter - self.ceiling * CENT
                reading.meter = self.ceiling * CENT


def capped(cap: int | None, awards: Sequence[int]) -> list[int]:
    """What the fixed odds of one round are paid."""
    total = sum(awards)
    if cap is None or total <= cap:
        return list(awards)
    return [award * cap // total for award in awards]
