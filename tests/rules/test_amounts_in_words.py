"""Amounts in words: each can be read back to the minor unit, by another way than it was written."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random

import pytest

from jackpot.core.currencies import DECIMALS, minor_units
from jackpot.core.currency_names import NAMES, name_of
from jackpot.core.money import LARGEST_AMOUNT
from jackpot.core.numerals import Language, chinese_number, english_number, in_words, malay_number

CURRENCIES = ("SGD", "MYR", "CNY", "KRW", "JPY", "KWD", "OMR", "CHF")
EDGES = [
    *range(131),
    *(10**power + more for power in range(2, 12) for more in (-1, 0, 1, 5, 10)),
    *(place * 10_010 for place in range(1, 40)),
    LARGEST_AMOUNT - 1,
    LARGEST_AMOUNT,
]
AMOUNTS = EDGES + [Random(amount).randrange(10 ** (1 + amount % 12)) for amount in range(400)]


# Read back


def _numbered(text: str, first: int = 0) -> dict[str, int]:
    return {word: number for number, word in enumerate(text.split(), first)}


def english_value(text: str) -> int:
    words = _numbered("zero one two three four five six seven eight nine ten eleven twelve thirteen")
    words |= _numbered("fourteen fifteen sixteen seventeen eighteen nineteen", 14)
    tens = _numbered("twenty thirty forty fifty sixty seventy eighty ninety", 2)
    words |= {word: 10 * number for word, number in tens.items()}
    sizes = {"thousand": 10**3, "million": 10**6, "billion": 10**9, "trillion": 10**12}
    total = group = 0
    for word in text.replace("-", " ").split():
        if word in sizes:
            total, group = total + group * sizes[word], 0
        elif word == "hundred":
            group *= 100
        elif word != "and":
            group += words[word]
    return total + group


def malay_value(text: str) -> int:
    digits = _numbered("kosong satu dua tiga empat lima enam tujuh lapan sembilan")
    sizes = {"ribu": 10**3, "juta": 10**6, "bilion": 10**9, "trilion": 10**12}
    total = group = last = 0
    for word in re.sub(r"\bse(ribu|ratus|puluh|belas)", r"satu \1", text).split():
        if word in sizes:
            total, group, last = total + (group + last) * sizes[word], 0, 0
        elif word == "belas":
            group, last = group + 10 + last, 0
        elif word in ("ratus", "puluh"):
            group, last = group + last * {"ratus": 100, "puluh": 10}[word], 0
        else:
            last = digits[word]
    return total + group + last


def chinese_value(text: str) -> int:
    places = {"拾": 10, "佰": 100, "仟": 1000}
    total = section = digit = 0
    for one in text:
        if one in "零壹贰叁肆伍陆柒捌玖":
            digit = "零壹贰叁肆伍陆柒捌玖".index(one)
        elif one in places:
            section, digit = section + digit * places[one], 0
        elif one == "万":
            total, section, digit = total + (section + digit) * 10**4, 0, 0
        elif one == "亿":
            total, section, digit = (total + section + digit) * 10**8, 0, 0
        else:
            raise AssertionError(f"{one} is no numeral")
    return total + section + digit


@pytest.mark.parametrize(
    ("told", "read"),
    [(english_number, english_value), (malay_number, malay_value), (chinese_number, chinese_value)],
    ids=["English", "Malay", "Chinese"],
)
def test_a_number_in_words_is_read_back(told: Callable[[int], str], read: Callable[[str], int]) -> None:
    assert [number for number in AMOUNTS if read(told(number)) != number] == []
    assert len({told(number) for number in AMOUNTS}) == len(set(AMOUNTS))


def of_english(text: str, currency: str) -> tuple[int, int]:
    name = name_of(currency, _decimals(currency))
    names = name.one, name.several, name.minor, name.minors
    return _of_parts(text.removesuffix(" only"), *names, english_value)


def of_malay(text: str, currency: str) -> tuple[int, int]:
    name = name_of(currency, _decimals(currency))
    parts = name.malay, name.malay, name.malay_minor, name.malay_minor
    return _of_parts(text.removesuffix(" sahaja"), *parts, malay_value)


def _of_parts(
    text: str, one: str, several: str, minor: str, minors: str, read: Callable[[str], int]
) -> tuple[int, int]:
    currency = text.split(" ")[-1] if text.split(" ")[-1] in (minor, minors) else ""
    whole, rest = text, ""
    if currency:
        name = several if f" {several} " in text else one
        whole, _, rest = text.rpartition(f" {name} ") if f" {name} " in text else ("", "", text)
        rest = rest.removeprefix("and ").removeprefix("dan ")
    for name in (several, one):
        whole = whole.removesuffix(f" {name}")
    units = read(whole) if whole else 0
    return units, (read(rest.rpartition(" ")[0]) if rest else 0)


def of_chinese(text: str, currency: str) -> tuple[int, int]:
    text = text.removeprefix(name_of(currency, _decimals(currency)).chinese).removesuffix("整")
    whole, unit, rest = text.partition("元")
    if not unit:
        whole, rest = "", text
    places = {"角": 1, "分": 2, "厘": 3}
    decimals, parts = _decimals(currency), 0
    for digit, place in re.findall("零?(.)([角分厘])", rest):
        parts += chinese_value(digit) * 10 ** (decimals - places[place])
    return (chinese_value(whole) if whole else 0), parts


def _decimals(currency: str) -> int:
    return DECIMALS[currency]


@pytest.mark.parametrize("currency", CURRENCIES)
@pytest.mark.parametrize(
    ("language", "read"),
    [(Language.ENGLISH, of_english), (Language.MALAY, of_malay), (Language.CHINESE, of_chinese)],
    ids=lambda one: one.value if isinstance(one, Language) else "",
)
def test_an_amount_in_words_is_read_back_to_the_minor_unit(
    language: Language, read: Callable[[str, str], tuple[int, int]], currency: str
) -> None:
    wrong = {
        amount: told
        for amount in AMOUNTS
        if read(told := in_words(amount, currency, language), currency)
        != divmod(amount, minor_units(currency))
    }
    assert wrong == {}


# As they are written


@pytest.mark.parametrize(
    ("amount", "currency", "told"),
    [
        (0, "SGD", "零元整"),
        (5, "SGD", "伍分"),
        (10, "SGD", "壹角整"),
        (105, "SGD", "壹元零伍分"),
        (1_000_00, "SGD", "壹仟元整"),
        (10_001_000_00, "SGD", "壹仟万壹仟元整"),
        (100_000_001_00, "SGD", "壹亿零壹元整"),
        (1_409_50, "SGD", "壹仟肆佰零玖元伍角整"),
        (6_007_14, "SGD", "陆仟零柒元壹角肆分"),
        (107_000_53, "SGD", "壹拾万柒仟元伍角叁分"),
        (LARGEST_AMOUNT, "KRW", "壹万亿元整"),
        (1_005, "KWD", "壹元零伍厘"),
        (1_500, "KWD", "壹元伍角整"),
    ],
)
def test_chinese_amounts_are_in_financial_numerals(amount: int, currency: str, told: str) -> None:
    assert in_words(amount, currency, Language.CHINESE) == f"{NAMES[currency].chinese}{told}"


@pytest.mark.parametrize(
    ("amount", "currency", "told"),
    [
        (1_00, "SGD", "one Singapore dollar only"),
        (1_01, "GBP", "one pound sterling and one penny only"),
        (2_000_021, "KRW", "two million and twenty-one won only"),
        (1_115, "KWD", "one Kuwaiti dinar and one hundred and fifteen fils only"),
        (1_05, "CHF", "one CHF and five hundredths only"),
    ],
)
def test_english_amounts(amount: int, currency: str, told: str) -> None:
    assert in_words(amount, currency, Language.ENGLISH) == told


@pytest.mark.parametrize(
    ("amount", "currency", "told"),
    [
        (1_000_00, "MYR", "seribu ringgit sahaja"),
        (1_111_10, "MYR", "seribu seratus sebelas ringgit dan sepuluh sen sahaja"),
        (21_001, "KRW", "dua puluh satu ribu satu won sahaja"),
        (12, "SGD", "dua belas sen sahaja"),
    ],
)
def test_malay_amounts(amount: int, currency: str, told: str) -> None:
    assert in_words(amount, currency, Language.MALAY) == told


@pytest.mark.parametrize("amount", [-1, LARGEST_AMOUNT + 1])
def test_no_other_amount_has_words(amount: int) -> None:
    with pytest.raises(ValueError, match="no amount"):
        in_words(amount, "SGD", Language.ENGLISH)


def test_every_currency_that_has_a_name_is_one_that_a_link_may_have() -> None:
    assert set(DECIMALS) >= set(NAMES)
    assert {bool(name.minor) == bool(DECIMALS[code]) for code, name in NAMES.items()} == {True}
