"""Times. Inside, whole microseconds since 1970 in UTC; outside, RFC 3339 with an offset."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import lru_cache

from jackpot.core.refusals import TimeMalformed, TimeWithoutZone

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_HERE = EPOCH.replace(tzinfo=None)
"""Of a moment whose offset is known without being asked."""
SECOND = 1_000_000
MILLISECOND = 1_000
DAY = 86_400 * SECOND
_DAY = 86_400
"""Of seconds."""


def parse_instant(text: str, *, field: str) -> int:
    """
    >>> parse_instant("2026-01-01T08:00:00.25+08:00", field="sent_at")
    1767225600250000
    """
    try:
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is not None:
            since = moment - EPOCH
            return (since.days * _DAY + since.seconds) * SECOND + since.microseconds
    except (ValueError, OverflowError):
        raise TimeMalformed(f"{text[:40]!r} is not an RFC 3339 time", field=field) from None
    raise TimeWithoutZone(f"{text[:40]!r} does not say its offset from UTC", field=field)


@lru_cache(256)
def spoken_instant(instant: int) -> str:
    """
    >>> spoken_instant(1767225600250000)
    '2026-01-01T00:00:00.250000Z'
    """
    seconds, rest = divmod(instant, SECOND)
    return f"{_spoken_second(seconds)}.{rest:06d}Z"


@lru_cache(256)
def _spoken_second(seconds: int) -> str:
    """Most times that are spoken are of the same few seconds, and many are the same."""
    return (_HERE + timedelta(seconds=seconds)).isoformat()
