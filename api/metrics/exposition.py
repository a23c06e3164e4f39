"""What a process tells Prometheus. Nothing is counted here: all of it is read when somebody asks.

Everything else only adds to plain integers, so that no bet waits for a metric.
"""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Iterable, Iterator
from http import HTTPStatus

from prometheus_client import GCCollector, ProcessCollector, generate_latest
from prometheus_client.core import (
    CollectorRegistry,
    CounterMetricFamily,
    GaugeMetricFamily,
    HistogramMetricFamily,
)
from prometheus_client.metrics_core import Metric as Family
from prometheus_client.registry import Collector

from api.metrics.links import break_even_samples, link_samples, suspicion_samples
from api.metrics.names import METRICS, Metric, ToldTo
from api.metrics.samples import Sample, Samples, amount, seconds
from api.service import Service
from api.watching.commit_counters import LinkTally
from api.watching.link_watch import Seen
from api.webhooks.lags import Behind
from jackpot.book.checking.selfcheck import Checked
from jackpot.book.webhooks.subscriptions import Paused
from jackpot.book.writing.histograms import Histogram
from jackpot.book.writing.writer import Writer
from jackpot.core.instants import SECOND


async def exposition(service: Service, *, to_house: bool) -> bytes:
    """`to_house`: for whoever may read accounts and every meter. All others are told the rest."""
    seen = await service.watch.look()
    registry = CollectorRegistry(auto_describe=False)
    behind = await service.deliveries.lags.look()
    registry.register(_Told(service, seen, behind, to_house=to_house))
    ProcessCollector(registry=registry)
    GCCollector(registry=registry)
    return generate_latest(registry)


class _Told(Collector):
    def __init__(self, service: Service, seen: list[Seen], behind: list[Behind], *, to_house: bool) -> None:
        self._service, self._seen, self._behind, self._to_house = service, seen, behind, to_house

    def collect(self) -> Iterator[Family]:
        samples: dict[str, list[Sample]] = {one.name: [] for one in METRICS}
        for name, labels, value in (*_all(self._service, self._seen), *_listening(self._behind)):
            samples[name].append((name, labels, value))
        for metric in METRICS:
            told = [one for one in samples[metric.name] if self._may_hear(metric, one)]
            if self._to_house or metric.told_to is not ToldTo.HOUSE:
                yield _family(metric, told)

    def _may_hear(self, metric: Metric, sample: Sample) -> bool:
        """What is as open as a meter has the link as its first label."""
        if self._to_house or metric.told_to is not ToldTo.METER:
            return True
        _, labels, _ = sample
        return self._service.is_public(labels[0])


def _family(metric: Metric, samples: list[Sample]) -> Family:
    if metric.kind == "histogram":
        spread = HistogramMetricFamily(metric.name, metric.what, labels=metric.labels)
        for _, labels, value in samples:
            if isinstance(value, Histogram):
                scale = 1 if metric.name.endswith("_commands") else SECOND
                spread.add_metric(labels, *_buckets(value, scale))
        return spread
    kind = CounterMetricFamily if metric.kind == "counter" else GaugeMetricFamily
    family = kind(metric.name, metric.what, labels=metric.labels)
    for _, labels, value in samples:
        if not isinstance(value, Histogram):
            family.add_metric(labels, value)
    return family


def _buckets(spread: Histogram, scale: int) -> tuple[list[tuple[str, float]], float]:
    total, buckets = 0, []
    bounds = [f"{bound / scale:g}" for bound in spread.bounds]
    for bound, count in zip([*bounds, "+Inf"], spread.counts, strict=True):
        total += count
        buckets.append((bound, float(total)))
    return buckets, spread.sum / scale


def _all(service: Service, seen: Iterable[Seen]) -> Samples:
    now = service.book.clock.now()
    for one in seen:
        yield from link_samples(one, now=now)
        yield from break_even_samples(one.link, service.break_even)
        yield from _counted(one.link.id, service.tally.links[one.link.id])
        if service.suspicions is not None:
            yield from suspicion_samples(one.link, service.suspicions)
    for link, writer in service.book.writers.items():
        yield from _written(link, writer)
        yield "jackpot_commit_waiting_seconds", (link,), round(service.book.pulse.waiting(link), 3)
    for link, checked in service.check.last.items():
        yield from _checked(link, checked)
    yield from _shown(service)
    yield from _asked(service)
    yield from _process(service)


def _counted(link: str, tally: LinkTally) -> Samples:
    here = (link,)
    yield "jackpot_bets_total", here, tally.bets
    yield "jackpot_bets_cents_total", here, tally.staked
    yield "jackpot_contributions_cents_total", here, amount(tally.contributed)
    yield "jackpot_reversals_cents_total", here, amount(tally.reversed)
    yield "jackpot_claims_total", here, tally.claims
    yield "jackpot_win_paid_after_seconds", here, tally.paid_after
    for name, counted in (
        ("jackpot_returned_bets_total", tally.returned),
        ("jackpot_rounds_total", tally.rounds),
        ("jackpot_hands_total", tally.hands),
        ("jackpot_prizes_cents_total", tally.prizes),
    ):
        for label, count in counted.items():
            yield name, (link, label), count
    for (level, state), count in tally.wins.items():
        yield "jackpot_wins_total", (link, level, state), count


def _written(link: str, writer: Writer) -> Samples:
    here, figures = (link,), writer.figures
    yield "jackpot_commit_seconds", here, figures.commit
    yield "jackpot_batch_commands", here, figures.batch
    yield "jackpot_commit_failures_total", here, figures.failures
    yield "jackpot_commit_troubled", here, int(writer.troubled)
    yield "jackpot_queue_length", here, writer.waiting
    yield "jackpot_queue_limit", here, writer.most_waiting
    yield "jackpot_invariant_checks_total", here, figures.checks
    yield "jackpot_invariants_broken_total", here, figures.broken
    yield "jackpot_link_stopped", here, int(writer.stopped is not None)


def _checked(link: str, checked: Checked) -> Samples:
    here = (link,)
    yield "jackpot_self_check_passed", here, int(checked.why is None)
    yield "jackpot_self_check_timestamp_seconds", here, seconds(checked.at)
    yield "jackpot_self_check_seconds", here, round(checked.seconds, 3)
    yield "jackpot_self_check_entries", here, checked.entries


def _shown(service: Service) -> Samples:
    """From the hub: what signs are shown, also while the book cannot be read."""
    for link in service.hub.links:
        shown = service.latest(link)
        yield "jackpot_meter_cents", (link,), shown.value
        yield "jackpot_journal_sequence", (link,), shown.sequence
        yield "jackpot_receipts_allowed_seconds", (link,), service.floor.sign_seconds
        for state in ("open", "held", "off", "closed", "stale"):
            yield "jackpot_meter_state", (link, state), int(state == shown.state)
        yield "jackpot_book_disagreements_total", (link,), service.hub.disagreements[link]
    yield "jackpot_news_dropped_total", (), service.hub.news_dropped
    yield "jackpot_book_stale", (), int(service.hub.stale)
    for kind, count in service.counters.streams.items():
        yield "jackpot_sign_streams", (kind,), count


def _asked(service: Service) -> Samples:
    counters = service.counters
    asked: Counter[tuple[str, str, str]] = Counter()
    for (route, method, status, link), count in counters.answered.items():
        asked[route, method, str(status)] += count
        if link:
            yield (
                "jackpot_sign_polls_total",
                (link, "no" if status == HTTPStatus.NOT_MODIFIED else "yes"),
                count,
            )
    for labels, count in asked.items():
        yield "jackpot_requests_total", labels, count
    for code, count in counters.refused.items():
        yield "jackpot_refusals_total", (code,), count
    for (link, verified), count in counters.receipts.items():
        yield "jackpot_receipts_total", (link, "yes" if verified else "no"), count
    yield "jackpot_requests_under_way", (), counters.under_way
    yield "jackpot_unauthenticated_total", (), counters.unauthenticated


def _listening(behind: Iterable[Behind]) -> Samples:
    for one in behind:
        here = (one.webhook.id, one.webhook.name)
        yield "jackpot_webhook_lag_seconds", here, seconds(one.lag)
        yield "jackpot_webhook_failures", here, one.failures
        for why in Paused:
            yield "jackpot_webhook_paused", (*here, why.value), int(one.webhook.paused is why)


def _process(service: Service) -> Samples:
    clock = service.book.clock
    yield "jackpot_tasks", (), len(asyncio.all_tasks())
    yield "jackpot_book_readable", (), int(service.watch.readable)
    yield "jackpot_house_clock_error_seconds", (), seconds(clock.error)
    yield "jackpot_house_clock_offset_seconds", (), seconds(clock.offset)
    yield "jackpot_house_clock_difference_seconds", (), seconds(clock.difference)
    yield "jackpot_files_open", (), service.crowd.open
    yield "jackpot_files_limit", (), service.crowd.limit
    yield "jackpot_crowded", (), int(service.crowd.crowded)
    if service.renewal is not None:
        expires = service.renewal.pair.expires.timestamp()
        yield "jackpot_certificate_expires_timestamp_seconds", (), expires
        yield "jackpot_certificate_refused", (), int(service.renewal.refused is not None)
    yield "jackpot_notes_waiting", (), service.notes.waiting
    yield "jackpot_notes_lost_total", (), service.notes.lost
    yield "jackpot_anchor_failures_total", (), service.book.anchor_failures
    yield "jackpot_anchors_waiting_seconds", (), round(service.book.anchors_waiting, 3)
