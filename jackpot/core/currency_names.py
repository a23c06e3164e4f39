"""What a currency and its minor unit are called where an amount is written in words."""

from __future__ import annotations

from typing import NamedTuple


class CurrencyName(NamedTuple):
    one: str
    several: str
    minor: str
    """One minor unit; empty where the currency has none."""
    minors: str
    chinese: str
    malay: str
    malay_minor: str


_LISTED = """
AUD | Australian dollar | Australian dollars | cent | cents | 澳大利亚元 | dolar Australia | sen
BHD | Bahraini dinar | Bahraini dinars | fils | fils | 巴林第纳尔 | dinar Bahrain | fils
BND | Brunei dollar | Brunei dollars | cent | cents | 文莱元 | dolar Brunei | sen
CNY | yuan | yuan | fen | fen | 人民币 | yuan | fen
EUR | euro | euros | cent | cents | 欧元 | euro | sen
GBP | pound sterling | pounds sterling | penny | pence | 英镑 | paun sterling | peni
HKD | Hong Kong dollar | Hong Kong dollars | cent | cents | 港币 | dolar Hong Kong | sen
IDR | rupiah | rupiah | sen | sen | 印度尼西亚盾 | rupiah | sen
INR | Indian rupee | Indian rupees | paisa | paise | 印度卢比 | rupee India | paisa
JPY | yen | yen |  |  | 日元 | yen |
KRW | won | won |  |  | 韩元 | won |
KWD | Kuwaiti dinar | Kuwaiti dinars | fils | fils | 科威特第纳尔 | dinar Kuwait | fils
MOP | pataca | patacas | avo | avos | 澳门币 | pataca | avo
MYR | ringgit | ringgit | sen | sen | 马来西亚令吉 | ringgit | sen
NZD | New Zealand dollar | New Zealand dollars | cent | cents | 新西兰元 | dolar New Zealand | sen
PHP | Philippine peso | Philippine pesos | centavo | centavos | 菲律宾比索 | peso Filipina | sentimo
SGD | Singapore dollar | Singapore dollars | cent | cents | 新加坡元 | dolar Singapura | sen
THB | baht | baht | satang | satang | 泰铢 | baht | satang
TWD | New Taiwan dollar | New Taiwan dollars | cent | cents | 新台币 | dolar Taiwan Baharu | sen
USD | US dollar | US dollars | cent | cents | 美元 | dolar Amerika | sen
VND | dong | dong |  |  | 越南盾 | dong |
"""
NAMES = {
    code: CurrencyName(*names)
    for code, *names in ([cell.strip() for cell in line.split("|")] for line in _LISTED.split("\n") if line)
}
_PARTS = {0: ("", ""), 2: ("hundredth", "perseratus"), 3: ("thousandth", "perseribu")}


def name_of(currency: str, decimals: int) -> CurrencyName:
    """Of a currency that is not listed, its code; its minor unit is the part that it is.

    >>> name_of("CHF", 2).minors, name_of("OMR", 3).malay_minor, name_of("SGD", 2).several
    ('hundredths', 'perseribu', 'Singapore dollars')
    """
    part, malay = _PARTS[decimals]
    unlisted = CurrencyName(currency, currency, part, f"{part}s", currency, currency, malay)
    return NAMES.get(currency, unlisted)
