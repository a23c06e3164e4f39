"""The three games: Blackjack (Version 5), Blackjack Perfect Pairs (Version 5), Free Bet Blackjack."""

from __future__ import annotations

from collections.abc import Mapping

from jackpot.games.blackjack.points import is_coloured, is_pair, is_suited, low_total
from jackpot.games.blackjack.rules import (
    EVEN,
    BlackjackRules,
    CardBet,
    CountBet,
    Paragraphs,
    Pays,
    PitGame,
    TableBet,
    to_one,
)

BLACKJACK = BlackjackRules(
    game=PitGame.BLACKJACK,
    name="Blackjack",
    short="blackjack",
    decks=range(4, 9),
    card_bets=(
        CardBet(
            name="player_pair",
            pays=((is_pair, Pays("Player Pair", to_one(11), "3.13.1")),),
            lost="3.13.1",
        ),
        CardBet(
            name="under_13",
            pays=((lambda first, second: low_total(first, second) < 13, Pays("Under 13", EVEN, "3.13.2")),),
            lost="3.13.2",
            bounded="3.13.2",
        ),
        CardBet(
            name="over_13",
            pays=((lambda first, second: low_total(first, second) > 13, Pays("Over 13", EVEN, "3.13.2")),),
            lost="3.13.2",
            bounded="3.13.2",
        ),
    ),
    paragraphs=Paragraphs(
        ace_up="3.14",
        even_money="3.14.1",
        insurance="3.14.2",
        natural="3.15",
        surrender="3.16",
        no_draw="3.17",
        bust="3.18",
        draw_to_twelve="3.19",
        stand="3.20",
        split="3.21",
        split_declined="3.21.1",
        split_limits="3.21.2",
        split_lost="3.21.3",
        double="3.22",
        double_declined="3.22.1",
        double_lost="3.22.2",
        dealer_draws="3.23",
        dealer_bust="3.23.1",
        higher="3.23.2",
        lower="3.23.3",
        equal="3.23.4",
        noticed_later="5.13",
        chips_as_they_lie="5.14",
        side_without_bet="5.15",
        side_settled_late="5.16",
        void_returns_all="5.17",
        staff_bets="5.18",
        house_resolves="5.19",
    ),
)

PERFECT_PAIRS = BlackjackRules(
    game=PitGame.BLACKJACK_PERFECT_PAIRS,
    name="Blackjack Perfect Pairs",
    short="perfect-pairs",
    decks=range(4, 9),
    card_bets=(
        CardBet(
            name="perfect_pairs",
            pays=(
                (is_suited, Pays("Perfect Pair", to_one(25), "3.14.1")),
                (is_coloured, Pays("Coloured Pair", to_one(12), "3.14.2")),
                (is_pair, Pays("Mixed Pair", to_one(6), "3.14.3")),
            ),
            lost="3.14",
        ),
    ),
    paragraphs=Paragraphs(
        ace_up="3.15",
        even_money="3.15.1",
        insurance="3.15.2",
        natural="3.16",
        surrender="3.17",
        no_draw="3.18",
        bust="3.19",
        draw_to_twelve="3.20",
        stand="3.21",
        split="3.22",
        split_declined="3.22.1",
        split_limits="3.22.2",
        split_lost="3.22.3",
        double="3.23",
        double_declined="3.23.1",
        double_lost="3.23.2",
        dealer_draws="3.24",
        dealer_bust="3.24.1",
        higher="3.24.2",
        lower="3.24.3",
        equal="3.24.4",
        noticed_later="5.13",
        chips_as_they_lie="5.14",
        side_without_bet="5.15",
        side_settled_late="5.16",
        void_returns_all="5.17",
        staff_bets="5.18",
        house_resolves="5.19",
    ),
)

_STASH = {1: 2, 2: 10, 3: 25, 4: 50, 5: 100, 6: 200, 7: 1000}
_BOOM = {3: 2, 4: 2, 5: 4, 6: 12, 7: 50, 8: 200}

FREE_BET = BlackjackRules(
    game=PitGame.FREE_BET_BLACKJACK,
    name="Free Bet Blackjack",
    short="free-bet",
    decks=range(4, 11),
    most_boxes=6,
    draws_to_soft_17=True,
    stands_off_with_22=True,
    free_bets=True,
    card_bets=(
        CardBet(
            name="rws_pairs",
            pays=(
                (
                    lambda first, second: first == second and first[0] == "A",
                    Pays("Ace Pair Suited", to_one(50), "3.14.1"),
                ),
                (is_suited, Pays("Suited Pair", to_one(20), "3.14.2")),
                (is_coloured, Pays("Coloured Pair", to_one(12), "3.14.3")),
                (is_pair, Pays("Mixed Pair", to_one(6), "3.14.4")),
            ),
            lost="3.14",
        ),
    ),
    marker_bet=CountBet(
        name="lucky_stash",
        pays={
            count: Pays(f"{count} Free Bet Marker{'s' if count > 1 else ''}", to_one(times), "3.27")
            for count, times in _STASH.items()
        },
        lost="3.27",
    ),
    table_bet=TableBet(
        name="boom_busted",
        pays={
            count: Pays(f"{count} cards{' or more' if count > 7 else ''}", to_one(times), "3.26")
            for count, times in _BOOM.items()
        },
        lost="3.26.2",
        over_maximum="5.1.3",
        no_initial_bet="3.9.1",
    ),
    paragraphs=Paragraphs(
        ace_up="3.15",
        even_money="3.15.1",
        insurance="3.15.2",
        natural="3.16",
        surrender="3.17",
        no_draw="3.18",
        bust="3.19",
        draw_to_twelve="3.20",
        stand="3.21",
        split="3.22",
        split_declined="3.22.1",
        split_limits="3.22.2",
        split_lost="3.22.3",
        double="3.23",
        free_double="3.23.1",
        double_declined="3.23.2",
        double_lost="3.23.3",
        dealer_draws="3.24",
        dealer_bust="3.24.1",
        higher="3.24.2",
        lower="3.24.3",
        equal="3.24.4",
        dealer_22="3.24.5",
        marker="1.11.1",
        damaged_card="5.13",
        noticed_later="5.14",
        chips_as_they_lie="5.15",
        side_without_bet="5.16",
        side_settled_late="5.17",
        void_returns_all="5.18",
        staff_bets="5.19",
        house_resolves="5.20",
    ),
)

BLACKJACK_GAMES: Mapping[PitGame, BlackjackRules] = {
    rules.game: rules for rules in (BLACKJACK, PERFECT_PAIRS, FREE_BET)
}
"""By the name on the wire."""
