"""Blackjack, Blackjack Perfect Pairs and Free Bet Blackjack: bets, play, settlement.

Pure, and all that differs between the games is data of their `BlackjackRules`. A table's bets go through
`check_bets` and `close`, its reports through `judge`.
"""

from __future__ import annotations

from jackpot.games.blackjack.closing import (
    Closing,
    Layout,
    Playing,
    SideLimits,
    close,
    places,
    playing,
    returned_at_once,
)
from jackpot.games.blackjack.games import BLACKJACK, BLACKJACK_GAMES, FREE_BET, PERFECT_PAIRS
from jackpot.games.blackjack.irregularities import (
    Case,
    Consequence,
    Irregularity,
    PlayerFollows,
    case_of,
    consequence,
    provisions,
)
from jackpot.games.blackjack.judging import Judged, judge
from jackpot.games.blackjack.laying import laid
from jackpot.games.blackjack.lines import Adjusted, Line, OpenWager, adjusted, established, shown
from jackpot.games.blackjack.names import WAGERS
from jackpot.games.blackjack.notices import SideBet, main_rules, side_bets
from jackpot.games.blackjack.openings import check_bets
from jackpot.games.blackjack.play import Back, Play, Returned, played
from jackpot.games.blackjack.rules import BlackjackRules, Paragraphs, PitGame
from jackpot.games.blackjack.settlement import settle
from jackpot.games.blackjack.shoe import counted
from jackpot.games.blackjack.told import (
    Bets,
    BoomBet,
    BoxBet,
    BoxHand,
    Decision,
    Discarded,
    Follows,
    PlayerWagers,
    Report,
    Shoe,
    SplitHand,
)
from jackpot.games.blackjack.trees import HandTree, hand_tree
from jackpot.games.blackjack.undoing import check_void, open_wagers, void_lines
from jackpot.games.blackjack.views import DealerView, HandView, dealer_view, hands_view
from jackpot.games.irregularities import Choice, Resolution
from jackpot.games.irregularities import Follows as RoundFollows
from jackpot.games.lines import Outcome

__all__ = [
    "BLACKJACK",
    "BLACKJACK_GAMES",
    "FREE_BET",
    "PERFECT_PAIRS",
    "WAGERS",
    "Adjusted",
    "Back",
    "Bets",
    "BlackjackRules",
    "BoomBet",
    "BoxBet",
    "BoxHand",
    "Case",
    "Choice",
    "Closing",
    "Consequence",
    "DealerView",
    "Decision",
    "Discarded",
    "Follows",
    "HandTree",
    "HandView",
    "Irregularity",
    "Judged",
    "Layout",
    "Line",
    "OpenWager",
    "Outcome",
    "Paragraphs",
    "PitGame",
    "Play",
    "PlayerFollows",
    "PlayerWagers",
    "Playing",
    "Report",
    "Resolution",
    "Returned",
    "RoundFollows",
    "Shoe",
    "SideBet",
    "SideLimits",
    "SplitHand",
    "adjusted",
    "case_of",
    "check_bets",
    "check_void",
    "close",
    "consequence",
    "counted",
    "dealer_view",
    "established",
    "hand_tree",
    "hands_view",
    "judge",
    "laid",
    "main_rules",
    "open_wagers",
    "places",
    "played",
    "playing",
    "provisions",
    "returned_at_once",
    "settle",
    "shown",
    "side_bets",
    "void_lines",
]
