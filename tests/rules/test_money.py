"""Amounts of every currency that ISO 4217 lists, from one minor unit to the largest that a field carries."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.core.currencies import DECIMALS, FOUR_DECIMALS, decimals_of, minor_units
from jackpot.core.money import (
    LARGEST_AMOUNT,
    UNITS_PER_MINOR_UNIT,
    Rates,
    displayed,
    figures,
    percentage,
    shares_of,
    spoken,
    to_units,
)
from jackpot.core.refusals import ParameterWrong
from jackpot.games.blackjack.rules import NATURAL
from jackpot.games.rulebook import Game
from jackpot.link import commands
from jackpot.link.parameters import check_currency
from jackpot.link.state import TableSetup
from jackpot.machine.memory_book import MemoryBook
from tests.floor import DEFAULTS, START

CURRENCIES = st.sampled_from(sorted(DECIMALS))
AMOUNTS = st.integers(0, LARGEST_AMOUNT)
PPM = st.integers(0, 1_000_000)


def test_the_currencies_without_two_decimals_are_those_of_the_standard() -> None:
    by_decimals = {
        count: {one for one, decimals in DECIMALS.items() if decimals == count} for count in (0, 2, 3)
    }
    assert {"JPY", "KRW", "VND", "CLP", "ISK", "XAF"} <= by_decimals[0]
    assert by_decimals[3] == {"BHD", "IQD", "JOD", "KWD", "LYD", "OMR", "TND"}
    assert {"SGD", "USD", "EUR", "MYR", "CNY", "CVE", "MGA", "MRU"} <= by_decimals[2]
    assert (len(by_decimals[0]), set(DECIMALS) & FOUR_DECIMALS) == (16, set())
    for currency in DECIMALS:
        assert check_currency(currency) == currency
        assert minor_units(currency) == 10 ** decimals_of(currency)


@given(AMOUNTS, CURRENCIES, st.booleans())
def test_an_amount_is_written_with_as_many_decimals_as_its_currency_has(
    amount: int, currency: str, below: bool
) -> None:
    signed = -amount if below else amount
    text = figures(signed, currency)
    assert Decimal(text.replace(",", "")) == Decimal(signed).scaleb(-decimals_of(currency))
    assert len(text.partition(".")[2]) == decimals_of(currency)
    assert spoken(signed, currency) == f"{currency} {text}"


@given(AMOUNTS, PPM, PPM)
def test_a_bet_is_split_without_a_rest_in_any_currency(bet: int, meter: int, reserve: int) -> None:
    rates = Rates(meter, reserve * (1_000_000 - meter) // 1_000_000)
    shares = shares_of(bet, rates)
    assert sum(shares) == to_units(bet)
    assert min(shares) >= 0
    assert Fraction(shares[0], UNITS_PER_MINOR_UNIT) == Fraction(bet * meter, 1_000_000)
    assert displayed(shares[0]) == int(Fraction(bet * meter, 1_000_000))


@given(AMOUNTS, st.integers(1, 100))
def test_a_share_is_rounded_half_up_to_the_minor_unit(amount: int, percent: int) -> None:
    share, left = percentage(amount, percent)
    assert share + left == amount
    assert Fraction(-1, 2) < share - Fraction(amount * percent, 100) <= Fraction(1, 2)


@given(AMOUNTS)
def test_half_a_minor_unit_of_3_to_2_goes_to_the_player(stake: int) -> None:
    assert NATURAL.winnings(stake) - Fraction(3 * stake, 2) in (0, Fraction(1, 2))


@pytest.mark.parametrize(
    ("currency", "most_won", "why"),
    [
        ("KRW", None, r"say the most that a box wins with a wager \(4\.1\.1\) in KRW"),
        ("KWD", None, r"say the most that a box wins with a wager \(4\.1\.1\) in KWD"),
        ("KRW", 0, "most_won must be from 1 to 1000000000000, not 0"),
        ("SGD", LARGEST_AMOUNT + 1, "most_won must be from 1 to"),
    ],
)
def test_4_1_1_without_cents_a_table_says_what_a_box_wins_at_most(
    currency: str, most_won: int | None, why: str
) -> None:
    book = MemoryBook("main", "Main", currency, DEFAULTS, at=START)
    setup = TableSetup(id="stud", game=Game.CASINO_STUD, boxes=7, most_won=most_won)
    with pytest.raises(ParameterWrong, match=why) as refused:
        book.submit(commands.AddTable(person="floor", setup=setup), at=START)
    assert refused.value.data["field"] == "most_won"
    assert book.link.tables == {}
