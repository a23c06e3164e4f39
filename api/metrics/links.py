"""What the book says of a link and its tables, as samples; what it means is for `jackpot.readings`."""

from __future__ import annotations

from collections import Counter

from api.metrics.samples import Samples, amount, seconds
from api.watching.break_even import BreakEven
from api.watching.link_watch import Seen
from api.watching.suspicions import Suspicions
from jackpot.core.currencies import minor_units
from jackpot.core.money import Account
from jackpot.link.state import Link, Pit, TableOfPlay
from jackpot.link.wins import WinState
from jackpot.maths.plausibility import LIKELY, PAID, WINDOWS
from jackpot.pools.payout import due_parameters
from jackpot.readings.alerts import ALERTS, alerts
from jackpot.readings.meter import royal_now
from jackpot.readings.table_views import clock_offset
from jackpot.readings.waiting import Obstacle, waiting_wins


def link_samples(seen: Seen, *, now: int) -> Samples:
    """Of a pit only what its tables tell."""
    link = seen.link
    yield from _tables(link, now)
    if not isinstance(link, Link):
        return
    yield from _money(link)
    yield from _waiting(link)
    yield "jackpot_minor_units", (link.id,), minor_units(link.currency)
    yield "jackpot_claims_open", (link.id,), len(link.claims)
    yield "jackpot_malfunctions_open", (link.id,), len(link.malfunctions)
    yield "jackpot_receipts_behind_seconds", (link.id,), seconds(seen.behind)
    yield "jackpot_signs_telling", (link.id,), seen.signs


def _money(link: Link) -> Samples:
    for account, units in link.pool.accounts.items():
        yield "jackpot_account_cents", (link.id, account.value), amount(units)
    yield "jackpot_seed_cents", (link.id,), due_parameters(link).seed
    royal = royal_now(link)
    if royal is not None:
        added = -royal.transfer.moves.get(Account.HOUSE, 0)
        yield "jackpot_seed_shortfall_cents", (link.id,), amount(max(0, added))


def _waiting(link: Link) -> Samples:
    line = waiting_wins(link) if link.queue else []
    for state in (WinState.PENDING, WinState.ORDERED):
        yield "jackpot_wins_waiting", (link.id, state.value), sum(one.win.state is state for one in line)
    for obstacle in Obstacle:
        obstructed = sum(obstacle in one.obstacles for one in line)
        yield "jackpot_wins_obstructed", (link.id, obstacle.value), obstructed
    if line:
        since = min(one.win.registered_at for one in line)
        yield "jackpot_win_waiting_since_timestamp_seconds", (link.id,), seconds(since)
    awaited = Counter(table for one in line for table in one.waiting_for)
    for table in link.tables:
        yield "jackpot_wins_waiting_for_table", (link.id, table), awaited[table]


def _tables(link: Pit, now: int) -> Samples:
    raised = {(one.table, one.code) for one in alerts(link, now=now)}
    for name, table in link.tables.items():
        yield "jackpot_table_in_play", (link.id, name), int(link.in_play(table))
        yield from _contact(link, table, now)
        for code in ALERTS:
            yield "jackpot_table_alert", (link.id, name, code), int((name, code) in raised)


def _contact(link: Pit, table: TableOfPlay, now: int) -> Samples:
    here = (link.id, table.setup.id)
    if table.contact.seen_at is not None:
        yield "jackpot_table_last_seen_timestamp_seconds", here, seconds(table.contact.seen_at)
    offset = clock_offset(link, table, now=now)
    if offset.least is not None and offset.most is not None:
        yield "jackpot_table_clock_error_seconds", here, seconds((offset.most - offset.least + 1) // 2)
    if table.round is not None and table.round.open:
        yield "jackpot_table_round_open_since_timestamp_seconds", here, seconds(table.round.dealt_from)


def break_even_samples(link: Pit, break_even: BreakEven) -> Samples:
    if isinstance(link, Link):
        yield "jackpot_break_even_cents", (link.id,), break_even.value(link)
        yield "jackpot_above_break_even", (link.id,), int(break_even.is_passed(link))


def suspicion_samples(link: Pit, suspicions: Suspicions) -> Samples:
    for table in link.tables if isinstance(link, Link) else ():
        known = {(one.hand, one.window): one.chance for one in suspicions.of(table)}
        for window in WINDOWS:
            for hand in PAID:
                one_in = float(1 / known.get((hand, window), LIKELY))
                yield "jackpot_implausible_hands_one_in", (link.id, table, hand.value, window), one_in
