"""The side bets of the blackjack games and the dealer's hand, counted: against published figures, against
closed forms, and against plain enumeration."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest

from jackpot.maths import dealers_hand, lucky_stash
from jackpot.maths.blackjack_exact import ON_TWO_CARDS, counted
from jackpot.maths.dealers_hand import BUST, ENDS, TWENTY_TWO, boom_busted, finished
from jackpot.maths.lucky_stash import LUCKY_STASH, POLICIES, markers
from jackpot.maths.side_bets import SideBet

DECKS = range(4, 11)
SEATED = {
    "perfect_pairs": ("7/69", "20/259", "19/311", "6/121", "17/415"),
    "rws_pairs": ("42/299", "400/3367", "422/4043", "148/1573", "466/5395"),
    "player_pair": ("3/23", "31/259", "35/311", "13/121", "43/415"),
    "under_13": ("271/2691", "339/3367", "407/4043", "475/4719", "543/5395"),
    "over_13": ("59/897", "17/259", "265/4043", "103/1573", "353/5395"),
    "insurance": ("5/69", "19/259", "23/311", "9/121", "31/415"),
}
"""Edges with 4, 5, 6, 7 and 8 decks."""
TEN_DECKS = {"rws_pairs": "170/2249", "insurance": "13/173"}


def printed(part: Fraction, digits: int) -> str:
    return f"{float(part):.{digits}f}"


def percent(part: Fraction) -> str:
    return f"{float(part) * 100:.4f}"


# On the first two cards, and insurance


@pytest.mark.parametrize("name", SEATED)
def test_side_bets_on_two_cards_keep_exactly_these_fractions(name: str) -> None:
    edges = [ON_TWO_CARDS[name](decks).edge for decks in range(4, 9)]
    assert edges == [Fraction(text) for text in SEATED[name]]


@pytest.mark.parametrize("name", TEN_DECKS)
def test_side_bets_of_free_bet_blackjack_with_ten_decks(name: str) -> None:
    assert ON_TWO_CARDS[name](10).edge == Fraction(TEN_DECKS[name])


@pytest.mark.parametrize("decks", DECKS)
def test_pairs_are_as_likely_as_the_closed_forms_say(decks: int) -> None:
    others = 52 * decks - 1
    suited, coloured, mixed = (Fraction(ways, others) for ways in (decks - 1, decks, 2 * decks))
    assert chances(ON_TWO_CARDS["perfect_pairs"](decks)) == [suited, coloured, mixed]
    aces = [suited / 13, suited * 12 / 13, coloured, mixed]
    assert chances(ON_TWO_CARDS["rws_pairs"](decks)) == aces
    assert chances(ON_TWO_CARDS["player_pair"](decks)) == [suited + coloured + mixed]


def chances(bet: SideBet) -> list[Fraction]:
    return [way.chance for way in bet.paid]


def test_thirteen_loses_under_and_over() -> None:
    under, over = (ON_TWO_CARDS[name](8) for name in ("under_13", "over_13"))
    (below,), (above,) = chances(under), chances(over)
    # 3 and 10, 4 and 9, 5 and 8, 6 and 7; an ace counts 1, so it needs a 12 that no card is.
    thirteen = Fraction(2 * 32 * (128 + 3 * 32), 416 * 415)
    assert below + above + thirteen == 1


@pytest.mark.parametrize(
    ("name", "decks", "published"),
    [
        ("perfect_pairs", 8, "0.040964"),
        ("over_13", 6, "0.06555"),
        ("under_13", 6, "0.10067"),
        ("insurance", 4, "0.07246"),
        ("insurance", 6, "0.07395"),
        ("insurance", 8, "0.07470"),
    ],
)
def test_side_bets_keep_what_is_published(name: str, decks: int, published: str) -> None:
    digits = len(published.partition(".")[2])
    # 7.39550 % is published as 7.395.
    assert abs(ON_TWO_CARDS[name](decks).edge - Fraction(published)) <= Fraction(6, 10 ** (digits + 1))


# The dealer's hand

STANDS = (".145215", ".139318", ".133629", ".179709", ".072838", ".047451")
DRAWS = (".133409", ".141280", ".135630", ".181714", ".074841", ".047451")


@pytest.mark.parametrize(("draws", "told"), [(False, STANDS), (True, DRAWS)])
def test_the_dealer_ends_with_eight_decks_as_is_known(draws: bool, told: tuple[str, ...]) -> None:
    hand = finished(8, draws_to_soft_17=draws)
    assert [printed(hand.chance(end), 6)[1:] for end in ENDS[:6]] == list(told)


def test_the_dealer_is_bust_as_often_as_is_known() -> None:
    stands, draws = (finished(8, draws_to_soft_17=draws) for draws in (False, True))
    assert printed(stands.chance(BUST, TWENTY_TWO), 6) == "0.281839"
    assert printed(stands.chance(TWENTY_TWO), 6) == "0.072599"
    assert printed(draws.chance(BUST), 6) == "0.212131"


@pytest.mark.parametrize(("decks", "published"), [(4, "0.073520"), (6, "0.073536"), (8, "0.073544")])
def test_a_dealer_who_draws_to_soft_17_has_22_as_often_as_is_published(decks: int, published: str) -> None:
    assert printed(finished(decks, draws_to_soft_17=True).chance(TWENTY_TWO), 6) == published


def test_busts_with_22_have_so_many_cards_as_is_published_with_six_decks() -> None:
    hand = finished(6, draws_to_soft_17=True)
    found = [printed(hand.chance(BUST, TWENTY_TWO, cards=range(many, many + 1)), 6) for many in range(3, 8)]
    assert found == ["0.173032", "0.089392", "0.020473", "0.002638", "0.000214"]


@pytest.mark.parametrize("draws", [False, True])
@pytest.mark.parametrize("decks", DECKS)
def test_the_dealer_ends_somehow(decks: int, draws: bool) -> None:
    hand = finished(decks, draws_to_soft_17=draws)
    assert sum(hand.chances.values()) == hand.chance(*ENDS) == 1


def test_the_dealers_orders_are_those_that_a_plain_walk_finds() -> None:
    """Every order of every finished hand of up to four cards, tried one by one."""
    found = dealers_hand._orders(True)
    for held in (held for held in found if sum(held) <= 4):
        values = [value for value, many in enumerate(held, 1) for _ in range(many)]
        assert found[held] == sum(_ends_only_at_last(order) for order in set(permutations(values)))


def _ends_only_at_last(order: tuple[int, ...]) -> bool:
    return all(_goes_on(order[:many]) for many in range(len(order))) and not _goes_on(order)


def _goes_on(values: tuple[int, ...]) -> bool:
    low = sum(values)
    soft = 1 in values and low + 10 <= 21
    total = low + 10 * soft
    return total < 17 or (soft and total == 17)


# Boom Busted


@pytest.mark.parametrize(
    ("decks", "told", "edge"),
    [
        (4, ".1933345 .0167068 .0021845 .0001758 .0000094", "29.7207"),
        (6, ".1930784 .0167289 .0022222 .0001841 .0000103", "29.6764"),
        (8, ".1929509 .0167397 .0022410 .0001883 .0000108", "29.6535"),
        (10, ".1928745 .0167461 .0022522 .0001908 .0000111", "29.6397"),
    ],
)
def test_f_3_26_boom_busted_keeps_this_part(decks: int, told: str, edge: str) -> None:
    bet = boom_busted(finished(decks, draws_to_soft_17=True))
    assert [printed(chance, 7)[1:] for chance in chances(bet)] == told.split()
    assert percent(bet.edge) == edge


def test_f_1_4_boom_busted_would_keep_little_if_22_were_a_bust() -> None:
    hand = finished(8, draws_to_soft_17=True)
    assert f"{float(boom_busted(hand, on_22=True).edge) * 100:.2f}" == "6.24"
    with_22 = sum(chances(boom_busted(hand, on_22=True)))
    assert with_22 - sum(chances(boom_busted(hand))) == hand.chance(TWENTY_TWO)


# Lucky Stash


@pytest.mark.parametrize(
    ("policy", "told"),
    [
        (POLICIES[0], ["18.5988", "16.9352", "16.0898", "15.5782"]),
        (POLICIES[1], ["21.0256", "19.4560", "18.6582", "18.1754"]),
        (POLICIES[2], ["23.9944", "22.5830", "21.8669", "21.4340"]),
    ],
    ids=[policy.words for policy in POLICIES],
)
def test_f_3_27_lucky_stash_keeps_this_part_by_what_the_player_does(
    policy: lucky_stash.Policy, told: list[str]
) -> None:
    found = [percent(lucky_stash.lucky_stash(decks, policy).edge) for decks in (4, 6, 8, 10)]
    assert found == told


def test_f_3_27_so_many_markers_are_used_with_eight_decks() -> None:
    told = [".824", ".154", ".0162", ".00444", ".000999", ".000230", ".0000328", ".00000237"]
    found = markers(8, POLICIES[0])
    for chance, text in zip(found.values(), told, strict=True):
        assert printed(chance, len(text) - 1)[1:] == text
    assert sum(found.values()) == 1


def test_f_3_22_markers_of_split_twos_agree_with_every_order_of_second_cards() -> None:
    """A little shoe: two twos are split, and every order of the cards left is played out."""
    left = "2279KQ"
    box = lucky_stash._Open(waiting=2, hands=2, alike=2, doubling=2, pair_doubles=False, left=6)
    orders = list(permutations(left))
    found = dict(lucky_stash._played(box))
    for many in found:
        assert found[many] == Fraction(sum(_markers_of_twos(order) == many for order in orders), len(orders))
    assert sum(found.values()) == 1


def _markers_of_twos(order: tuple[str, ...]) -> int:
    cards, hands, waiting, used = iter(order), 2, 2, 0
    while waiting:
        card = next(cards)
        if card == "2" and hands < 4:
            hands, waiting, used = hands + 1, waiting + 1, used + 1
        else:
            used += card in "79"
            waiting -= 1
    return used


def test_f_3_27_who_has_most_markers_never_has_a_policy_with_fewer() -> None:
    most, fewer, fewest = (
        sum(many * chance for many, chance in markers(8, policy).items()) for policy in POLICIES
    )
    assert most > fewer > fewest
    assert list(LUCKY_STASH) == list(range(1, 8))


def test_a_game_is_counted_by_its_own_wagers() -> None:
    found = counted(["bet", "rws_pairs", "lucky_stash", "boom_busted"], 10, draws_to_soft_17=True)
    assert [bet.name for bet in found.side_bets] == ["rws_pairs", "boom_busted"]
    assert [policy for policy, _ in found.stashes] == list(POLICIES)
    plain = counted(["bet", "perfect_pairs", "insurance"], 8, draws_to_soft_17=False)
    assert [bet.name for bet in plain.side_bets] == ["perfect_pairs", "insurance"]
    assert plain.stashes == ()
    assert plain.dealer == finished(8, draws_to_soft_17=False)
