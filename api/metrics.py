"""What a process tells about itself, in the text format of Prometheus."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Iterator

from api.service import Service

Sample = tuple[dict[str, str], int]


def exposition(service: Service) -> str:
    return "".join(f"{line}\n" for line in _lines(service))


def _lines(service: Service) -> Iterator[str]:
    counters, hub = service.counters, service.hub
    answered = [({"status": str(status)}, count) for status, count in counters.answered.items()]
    refused = [({"code": code}, count) for code, count in counters.refused.items()]
    shown = [(link, hub.latest(link)) for link in hub.links]
    yield from _family("jackpot_answers_total", "counter", "Answers by status", answered)
    yield from _family("jackpot_refusals_total", "counter", "Refusals of known callers, by code", refused)
    under_way: list[Sample] = [({}, counters.under_way)]
    yield from _family("jackpot_requests_under_way", "gauge", "Requests being answered", under_way)
    tasks: list[Sample] = [({}, len(asyncio.all_tasks()))]
    yield from _family("jackpot_tasks", "gauge", "Tasks of the event loop", tasks)
    unknown: list[Sample] = [({}, counters.unauthenticated)]
    yield from _family("jackpot_unauthenticated_total", "counter", "Requests without a known token", unknown)
    lost: list[Sample] = [({}, service.notes.lost)]
    yield from _family("jackpot_notes_lost_total", "counter", "Notes that found no room", lost)
    for name, what, of in (
        ("jackpot_meter_cents", "The displayed value", "value"),
        ("jackpot_journal_sequence", "The last journal entry known here", "sequence"),
    ):
        samples = [({"link": link}, getattr(one, of)) for link, one in shown if one is not None]
        yield from _family(name, "gauge", what, samples)
    stale = [({"link": link}, int(one.state == "stale")) for link, one in shown if one is not None]
    yield from _family("jackpot_meter_stale", "gauge", "1 while the book cannot be read", stale)


def _family(name: str, kind: str, what: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield f"# HELP {name} {what}"
    yield f"# TYPE {name} {kind}"
    for labels, value in samples:
        said = ",".join(f'{label}="{text}"' for label, text in labels.items())
        yield f"{name}{{{said}}} {value}" if said else f"{name} {value}"
