"""Amounts in words, as on a cheque: exact, in English, simplified Chinese and Malay.

The Chinese numerals are the financial ones, which no stroke turns into another. The end of an amount is said
(only, 整, sahaja), so that nothing can be added to it.
"""

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum

from jackpot.core.currencies import decimals_of, minor_units
from jackpot.core.currency_names import CurrencyName, name_of
from jackpot.core.money import LARGEST_AMOUNT


class Language(StrEnum):
    ENGLISH = "en"
    CHINESE = "zh-CN"
    MALAY = "ms"


def in_words(amount: int, currency: str, language: Language) -> str:
    """An amount of minor units.

    >>> in_words(5_001_245, "SGD", Language.ENGLISH)
    'fifty thousand and twelve Singapore dollars and forty-five cents only'
    >>> in_words(5_001_245, "SGD", Language.CHINESE)
    '新加坡元伍万零壹拾贰元肆角伍分'
    >>> in_words(5_001_245, "MYR", Language.MALAY)
    'lima puluh ribu dua belas ringgit dan empat puluh lima sen sahaja'
    >>> in_words(1_500, "KRW", Language.CHINESE), in_words(2_005, "KWD", Language.CHINESE)
    ('韩元壹仟伍佰元整', '科威特第纳尔贰元零伍厘')
    """
    if not 0 <= amount <= LARGEST_AMOUNT:
        raise ValueError(f"{amount} is no amount that is paid")
    decimals = decimals_of(currency)
    whole, rest = divmod(amount, minor_units(currency))
    return _WAYS[language](whole, rest, decimals, name_of(currency, decimals))


# English

_SMALL = (
    *("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"),
    *("ten", "eleven", "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen"),
    "nineteen",
)
_TENS = ("twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety")
_THOUSANDS = ("", " thousand", " million", " billion", " trillion")


def _english(whole: int, rest: int, _decimals: int, name: CurrencyName) -> str:
    units = f"{english_number(whole)} {name.one if whole == 1 else name.several}"
    parts = f"{english_number(rest)} {name.minor if rest == 1 else name.minors}"
    return f"{_joined(units, parts, whole, rest, ' and ')} only"


def english_number(number: int) -> str:
    """
    >>> english_number(1_000_021), english_number(101_100)
    ('one million and twenty-one', 'one hundred and one thousand one hundred')
    """
    groups = list(enumerate(_groups(number, 1000)))
    told = [f"{_english_hundreds(group)}{_THOUSANDS[place]}" for place, group in reversed(groups) if group]
    if len(told) > 1 and 0 < number % 1000 < 100:
        told[-1] = f"and {told[-1]}"
    return " ".join(told) or _SMALL[0]


def _english_hundreds(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    told = [f"{_SMALL[hundreds]} hundred"] if hundreds else []
    return " and ".join([*told, *([_english_tens(rest)] if rest else [])])


def _english_tens(number: int) -> str:
    if number < len(_SMALL):
        return _SMALL[number]
    tens, ones = divmod(number, 10)
    return f"{_TENS[tens - 2]}-{_SMALL[ones]}" if ones else _TENS[tens - 2]


# Chinese

_DIGITS = "零壹贰叁肆伍陆柒捌玖"
_PLACES = ("", "拾", "佰", "仟")
_BELOW_THE_UNIT = "角分厘"
_TEN_THOUSAND, _HUNDRED_MILLION = 10**4, 10**8


def _chinese(whole: int, rest: int, decimals: int, name: CurrencyName) -> str:
    digits = f"{rest:0{decimals}d}" if decimals else ""
    units = f"{chinese_number(whole)}元" if whole or not rest else ""
    below, skipped = "", False
    for digit, place in zip(digits, _BELOW_THE_UNIT[:decimals], strict=True):
        if digit == "0":
            skipped = True
            continue
        below += f"{'零' if skipped and (units or below) else ''}{_DIGITS[int(digit)]}{place}"
        skipped = False
    return f"{name.chinese}{units}{below}{'' if digits and digits[-1] != '0' else '整'}"


def chinese_number(number: int) -> str:
    """
    >>> chinese_number(100_050_010), chinese_number(10), chinese_number(10**12)
    ('壹亿零伍万零壹拾', '壹拾', '壹万亿')
    """
    for size, word, below in ((_HUNDRED_MILLION, "亿", 10**7), (_TEN_THOUSAND, "万", 10**3)):
        high, low = divmod(number, size)
        if high:
            gap = "零" if 0 < low < below else ""
            return f"{chinese_number(high)}{word}{gap}{chinese_number(low) if low else ''}"
    return _chinese_thousands(number)


def _chinese_thousands(number: int) -> str:
    told, skipped = "", False
    for place in (3, 2, 1, 0):
        digit = number // 10**place % 10
        if digit:
            told += f"{'零' if skipped and told else ''}{_DIGITS[digit]}{_PLACES[place]}"
        skipped = not digit
    return told or _DIGITS[0]


# Malay

_MALAY_DIGITS = ["kosong", "satu", "dua", "tiga", "empat", "lima", "enam", "tujuh", "lapan", "sembilan"]
_MALAY_THOUSANDS = ("", " ribu", " juta", " bilion", " trilion")


def _malay(whole: int, rest: int, _decimals: int, name: CurrencyName) -> str:
    units, parts = f"{malay_number(whole)} {name.malay}", f"{malay_number(rest)} {name.malay_minor}"
    return f"{_joined(units, parts, whole, rest, ' dan ')} sahaja"


def malay_number(number: int) -> str:
    """
    >>> malay_number(1_011), malay_number(1_000_100), malay_number(21_010)
    ('seribu sebelas', 'satu juta seratus', 'dua puluh satu ribu sepuluh')
    """
    groups = list(enumerate(_groups(number, 1000)))
    told = [
        "seribu" if (place, group) == (1, 1) else f"{_malay_hundreds(group)}{_MALAY_THOUSANDS[place]}"
        for place, group in reversed(groups)
        if group
    ]
    return " ".join(told) or _MALAY_DIGITS[0]


def _malay_hundreds(number: int) -> str:
    hundreds, rest = divmod(number, 100)
    told = [_malay_counted(hundreds, "ratus")] if hundreds else []
    tens, ones = divmod(rest, 10)
    if tens == 1 and ones:
        return " ".join([*told, _malay_counted(ones, "belas")])
    told += [_malay_counted(tens, "puluh")] if tens else []
    return " ".join([*told, *([_MALAY_DIGITS[ones]] if ones else [])])


def _malay_counted(digit: int, of: str) -> str:
    return f"se{of}" if digit == 1 else f"{_MALAY_DIGITS[digit]} {of}"


def _groups(number: int, size: int) -> list[int]:
    """The lowest first."""
    found: list[int] = []
    while number:
        number, group = divmod(number, size)
        found.append(group)
    return found


def _joined(units: str, parts: str, whole: int, rest: int, between: str) -> str:
    if not rest:
        return units
    return f"{units}{between}{parts}" if whole else parts


_WAYS: dict[Language, Callable[[int, int, int, CurrencyName], str]] = {
    Language.ENGLISH: _english,
    Language.CHINESE: _chinese,
    Language.MALAY: _malay,
}
