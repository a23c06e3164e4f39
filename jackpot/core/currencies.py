"""How many decimals each currency has, as ISO 4217 lists them: what a minor unit is."""

from __future__ import annotations

_DECIMALS = {
    0: "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF",
    2: "AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF"
    " CHF CNY COP CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG"
    " HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR"
    " MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK"
    " SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD"
    " XCG YER ZAR ZMW ZWG",
    3: "BHD IQD JOD KWD LYD OMR TND",
}
FOUR_DECIMALS = frozenset({"CLF", "UYW"})
"""Units of account with four decimals."""
DECIMALS = {currency: decimals for decimals, listed in _DECIMALS.items() for currency in listed.split()}
USUAL = 2
_POWERS = {0: 1, 2: 100, 3: 1000}
UNUSUAL = {currency: decimals for currency, decimals in DECIMALS.items() if decimals != USUAL}
"""What a browser is told."""


def decimals_of(currency: str) -> int:
    """Two of a currency that is not listed: 0.1 took any three letters for one with cents.

    >>> decimals_of("KRW"), decimals_of("SGD"), decimals_of("KWD")
    (0, 2, 3)
    """
    return UNUSUAL.get(currency, USUAL)


def minor_units(currency: str) -> int:
    """How many are one of the currency.

    >>> minor_units("KRW"), minor_units("SGD"), minor_units("KWD")
    (1, 100, 1000)
    """
    return _POWERS[decimals_of(currency)]
