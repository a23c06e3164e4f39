"""The 52 cards of the one deck (2.2.1). A card is a number: four times its rank plus its suit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.core.refusals import CardUnknown

RANKS = "23456789TJQKA"
SUITS = "cdhs"
DECK = tuple(range(52))
NAMES = tuple(rank + suit for rank in RANKS for suit in SUITS)


def _spellings() -> dict[str, int]:
    spelled: dict[str, int] = {}
    for card, name in enumerate(NAMES):
        for text in (name, name.replace("T", "10")):
            for first in (text[:-1], text[:-1].lower()):
                spelled[first + text[-1]] = card
                spelled[first + text[-1].upper()] = card
    return spelled


CARD_OF = _spellings()
"""Every accepted spelling: rank then suit, 10 or T, any case."""


def rank_of(card: int) -> int:
    """0 for a deuce to 12 for an ace.

    >>> rank_of(CARD_OF["Ah"])
    12
    """
    return card >> 2


def suit_of(card: int) -> int:
    return card & 3


def parse(text: str, *, field: str = "cards") -> int:
    """
    >>> NAMES[parse("10D")]
    'Td'
    """
    card = CARD_OF.get(text)
    if card is None:
        raise CardUnknown(f"{text[:20]!r} is not one of the 52 cards", field=field, card=text[:20])
    return card


def parse_all(texts: Iterable[str], *, field: str = "cards") -> tuple[int, ...]:
    several = tuple(texts)
    try:
        return tuple([CARD_OF[text] for text in several])
    except KeyError:
        return tuple([parse(text, field=field) for text in several])


def names(cards: Sequence[int]) -> tuple[str, ...]:
    return tuple([NAMES[card] for card in cards])
