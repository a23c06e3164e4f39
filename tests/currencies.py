"""A floor that counts in won and in dinars, without cents: a link of each, and a pit in won."""

from __future__ import annotations

from typing import NamedTuple

from tests.service import FloorFile


class Played(NamedTuple):
    """One jackpot of a link, worked out by hand. A bet brings the meter no whole number of minor units."""

    currency: str
    seed: int
    bet: int
    most_won: int
    opening: str
    after_bets: str
    """Of four boxes."""
    frozen: str
    """With the straight flush's own bet."""
    tenth: int
    """What the straight flush is paid: a half is rounded up."""
    after_tenth: str
    """With two bets that came meanwhile."""
    royal: int
    reset: str
    """With one bet that came meanwhile."""
    meter_units: int
    """After the reset, with what was less than a minor unit before it."""
    quads: int
    ante: int
    won: int
    """By a BET of twice the ante with a royal flush, up to the most."""


METER_PPM, RESERVE_PPM = 333_333, 50_000
KRW = Played(
    currency="KRW",
    seed=50_000_002,
    bet=5_000,
    most_won=100_000_000,
    opening="KRW 50,000,002",
    after_bets="KRW 50,006,668",
    frozen="KRW 50,008,335",
    tenth=5_000_834,
    after_tenth="KRW 45,010,834",
    royal=45_012_501,
    reset="KRW 50,001,668",
    meter_units=50_001_668_985_000,
    quads=2_000_000,
    ante=1_000_000,
    won=100_000_000,
)
KWD = Played(
    currency="KWD",
    seed=50_000_006,
    bet=1_500,
    most_won=25_000_000,
    opening="KWD 50,000.006",
    after_bets="KWD 50,002.005",
    frozen="KWD 50,002.505",
    tenth=5_000_251,
    after_tenth="KWD 45,003.254",
    royal=45_003_754,
    reset="KWD 50,000.506",
    meter_units=50_000_506_995_500,
    quads=600_000,
    ante=20_000,
    won=10_000_000,
)
PLAYED = (KRW, KWD)
LINKS = {"won": KRW, "dinar": KWD}
PIT = "pit-1"


def floor_without_cents() -> FloorFile:
    floor = FloorFile()
    floor.add_people()
    for link, one in LINKS.items():
        floor.add_link(
            link,
            currency=one.currency,
            seed=one.seed,
            progressive_bet=one.bet,
            meter_ppm=METER_PPM,
            reserve_ppm=RESERVE_PPM,
        )
        for table in floor.table[-4:]:
            table |= {"minimum": one.ante // 40, "maximum": one.ante, "most_won": one.most_won}
    floor.add_pit(PIT)
    floor.pit[-1] |= {"name": "Won Pit", "currency": "KRW"}
    return floor
