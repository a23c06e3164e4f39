"""Every metric by name: what it is, its labels, and how several replicas' values are put together."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum


class Across(StrEnum):
    SUM = "sum"
    """Each replica counts what it did itself."""
    MAX = "max"
    """Read from the book, so each replica says the same, give or take a moment."""
    EACH = "each"
    """About this process alone."""


class ToldTo(StrEnum):
    ALL = "all"
    """Whoever asks: how the process is doing."""
    METER = "meter"
    """Whoever may read the meter of its link."""
    HOUSE = "house"
    """Who may read accounts: money beyond the meter, and whom the service suspects."""


@dataclass(frozen=True, slots=True)
class Metric:
    name: str
    kind: str
    what: str
    across: Across
    labels: tuple[str, ...] = ()
    told_to: ToldTo = ToldTo.ALL


def _counter(name: str, what: str, *labels: str, told_to: ToldTo = ToldTo.ALL) -> Metric:
    return Metric(name, "counter", what, Across.SUM, labels, told_to)


def _journal(name: str, what: str, *labels: str, told_to: ToldTo = ToldTo.METER) -> Metric:
    return _counter(name, what, "link", *labels, told_to=told_to)


def _histogram(name: str, what: str, *labels: str, told_to: ToldTo = ToldTo.ALL) -> Metric:
    return Metric(name, "histogram", what, Across.SUM, labels, told_to)


def _link(name: str, what: str, *labels: str, told_to: ToldTo = ToldTo.METER) -> Metric:
    return Metric(name, "gauge", what, Across.MAX, ("link", *labels), told_to)


def _webhook(name: str, what: str, *labels: str) -> Metric:
    return Metric(name, "gauge", what, Across.MAX, ("webhook", "name", *labels), ToldTo.HOUSE)


def _process(name: str, what: str, *labels: str) -> Metric:
    return Metric(name, "gauge", what, Across.EACH, labels)


METRICS = (
    # What the journal says happened
    _journal("jackpot_bets_total", "Progressive Jackpot Bets that stand"),
    _journal("jackpot_bets_cents_total", "The amount of bets that stand", told_to=ToldTo.HOUSE),
    _journal(
        "jackpot_contributions_cents_total",
        "What bets brought to meter, carryover, overflow",
        told_to=ToldTo.HOUSE,
    ),
    _journal(
        "jackpot_reversals_cents_total",
        "What of that voids and invalidated boxes took back",
        told_to=ToldTo.HOUSE,
    ),
    _journal("jackpot_returned_bets_total", "Bets that went back, by reason", "reason"),
    _journal("jackpot_rounds_total", "Rounds begun, settled by report and voided", "state"),
    _journal("jackpot_hands_total", "Hands reported, by kind; a correction counts again", "hand"),
    _journal("jackpot_wins_total", "Wins that came to a state, by level", "level", "state"),
    _journal(
        "jackpot_prizes_cents_total",
        "Majors and late claims paid, minors awarded and, apart, those taken back",
        "level",
        told_to=ToldTo.HOUSE,
    ),
    _journal("jackpot_claims_total", "Late claims raised"),
    _histogram(
        "jackpot_win_paid_after_seconds",
        "From the deal of a major to its payment",
        "link",
        told_to=ToldTo.METER,
    ),
    # What the book says now
    _link("jackpot_meter_cents", "The displayed value"),
    _link(
        "jackpot_minor_units", "How many of the minor units that amounts are told in are one of its currency"
    ),
    _link("jackpot_break_even_cents", "The displayed value at which a bet returns what it costs"),
    _link("jackpot_above_break_even", "1 while the displayed value is above that, and bets favour players"),
    _link("jackpot_meter_state", "1 for the state that signs show", "state"),
    _link("jackpot_journal_sequence", "The last journal entry"),
    _link("jackpot_account_cents", "An account's balance", "account", told_to=ToldTo.HOUSE),
    _link("jackpot_seed_cents", "What the pool is reset to", told_to=ToldTo.HOUSE),
    _link(
        "jackpot_seed_shortfall_cents",
        "What the house would add to the reset if a royal were paid now",
        told_to=ToldTo.HOUSE,
    ),
    _link("jackpot_wins_waiting", "Majors in line, by state", "state"),
    _link("jackpot_wins_obstructed", "Majors in line that this keeps from being paid", "obstacle"),
    _link("jackpot_win_waiting_since_timestamp_seconds", "Registration of the win that waits longest"),
    _link("jackpot_wins_waiting_for_table", "Majors that wait for the open round here", "table"),
    _link("jackpot_claims_open", "Late claims that the House has not decided"),
    _link("jackpot_malfunctions_open", "Malfunctions that are not cleared"),
    _link("jackpot_table_in_play", "1 if wins wait for its open rounds", "table"),
    _link("jackpot_table_last_seen_timestamp_seconds", "When the table was last heard", "table"),
    _link("jackpot_table_round_open_since_timestamp_seconds", "When its open round began", "table"),
    _link("jackpot_table_clock_error_seconds", "What its clock's measured offset may be wrong by", "table"),
    _link("jackpot_table_alert", "1 while the House is alerted of this table", "table", "code"),
    _link(
        "jackpot_implausible_hands_one_in",
        "One of so many honest tables reports so many hands like this or better; 1 if that is not unusual",
        "table",
        "hand",
        "window",
        told_to=ToldTo.HOUSE,
    ),
    _link("jackpot_receipts_behind_seconds", "How long the sign furthest behind has shown an old reading"),
    _link("jackpot_receipts_allowed_seconds", "How long a sign may: `sign_seconds` of the floor file"),
    _link("jackpot_signs_telling", "Signs that told what they showed in the last five minutes"),
    # Others who listen
    _webhook("jackpot_webhook_lag_seconds", "How long the oldest event has waited for a webhook in use"),
    _webhook("jackpot_webhook_failures", "Attempts to hand it an event that failed, one after the other"),
    _webhook("jackpot_webhook_paused", "1 while it is sent nothing, by why: a person, or it is gone", "why"),
    # How this process is doing
    _histogram("jackpot_commit_seconds", "From the sending of a batch until it is durable", "link"),
    _histogram("jackpot_batch_commands", "Commands committed together", "link"),
    _counter("jackpot_commit_failures_total", "Commits that the store did not confirm", "link"),
    _process("jackpot_commit_troubled", "1 while the last commit has not succeeded", "link"),
    _process("jackpot_commit_waiting_seconds", "For how long no commit could succeed", "link"),
    _process("jackpot_queue_length", "Commands that wait for a batch", "link"),
    _process("jackpot_queue_limit", "Commands that may wait", "link"),
    _counter("jackpot_invariant_checks_total", "Batches after which every invariant was checked", "link"),
    _counter("jackpot_invariants_broken_total", "Commands that would have broken one", "link"),
    _process("jackpot_link_stopped", "1 while nothing is taken because the book denies itself", "link"),
    _process("jackpot_self_check_passed", "1 if the last check of the book found nothing", "link"),
    _process("jackpot_self_check_timestamp_seconds", "When the last check of the book ended", "link"),
    _process("jackpot_self_check_seconds", "How long the last check took", "link"),
    _process("jackpot_self_check_entries", "Journal entries that the last check read", "link"),
    _process("jackpot_book_stale", "1 while the book has not been read for five seconds"),
    _counter("jackpot_book_disagreements_total", "Times that the book denied what signs were shown", "link"),
    _counter("jackpot_news_dropped_total", "News by way of Redis that no replica of this book has signed"),
    _process("jackpot_tasks", "Tasks of the event loop"),
    _process("jackpot_book_readable", "1 if the book could be read for these metrics"),
    _process("jackpot_house_clock_error_seconds", "What this process's house time may be wrong by"),
    _process("jackpot_house_clock_offset_seconds", "The store's clock less this machine's"),
    _process("jackpot_house_clock_difference_seconds", "House time less the store's clock"),
    _process("jackpot_sign_streams", "Streams of events that are open, by what they show", "kind"),
    _counter("jackpot_sign_polls_total", "Polls of the meter, by whether it had changed", "link", "changed"),
    _counter("jackpot_receipts_total", "Receipts of signs", "link", "verified"),
    _counter("jackpot_requests_total", "Answers by route and status", "route", "method", "status"),
    _process("jackpot_requests_under_way", "Requests being answered"),
    _counter("jackpot_refusals_total", "Refusals of known callers, by code", "code"),
    _counter("jackpot_unauthenticated_total", "Requests without a known token"),
    _process("jackpot_files_open", "Files that this process has open, connections among them"),
    _process("jackpot_files_limit", "Files that it may have open"),
    _process("jackpot_crowded", "1 while connections run out, and signs and strangers are refused"),
    _process("jackpot_certificate_expires_timestamp_seconds", "Until when the certificate in use is valid"),
    _process("jackpot_certificate_refused", "1 while a newer certificate lies there and cannot be used"),
    _process("jackpot_notes_waiting", "Audit rows and receipts that are not yet durable"),
    _counter("jackpot_notes_lost_total", "Audit rows and receipts that found no room"),
    _counter("jackpot_anchor_failures_total", "Times that a signed head could not be written"),
    _process("jackpot_anchors_waiting_seconds", "For how long a head that is due has not been signed"),
)
