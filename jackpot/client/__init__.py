"""What a table controller uses to talk to the jackpot service: `TableClient` for a table with a jackpot and
`BlackjackClient` for a blackjack table, both for asyncio, `SyncTableClient` and `SyncBlackjackClient` without
it, `Gateway` for the tables of a site that speak over one connection, what a table says and is told, and what
can go wrong.

What is said is on disk before it is sent. When nobody answers, the fallback of the game rules does, and
`local` is set on its answer. The rules are not copied for that: `jackpot.play` checks and settles a round
here as it does in the service, with the records of `jackpot.link` that a round is made of. Nothing here may
know the House, a book or a server; it needs httpx and msgspec. A whole controller is shown in
docs/table-controllers.md.
"""

from jackpot.client.blackjack import BlackjackClient
from jackpot.client.blackjack_messages import (
    BlackjackBetsAnswer,
    BlackjackHandsAnswer,
    BlackjackVoidAnswer,
    ReturnedWager,
)
from jackpot.client.clock import Clocks
from jackpot.client.errors import (
    AuthoritiesUnusable,
    BadInput,
    ClientError,
    Conflict,
    NotAllowed,
    NotAuthenticated,
    Refused,
    SpoolUnusable,
    Unknown,
    Unreachable,
)
from jackpot.client.gateway import Gateway
from jackpot.client.messages import (
    AcceptedBet,
    Adjusted,
    Bets,
    BetsAnswer,
    Hand,
    HandResult,
    HandsAnswer,
    HeartbeatAnswer,
    Line,
    Meter,
    ReturnedBet,
    VoidAnswer,
)
from jackpot.client.spool import CountedMeters, Difference, Turned, Waiting
from jackpot.client.sync import SyncBlackjackClient, SyncTableClient
from jackpot.client.table import TableClient
from jackpot.client.transport import Patience
from jackpot.games.blackjack import (
    BoomBet,
    BoxBet,
    BoxHand,
    Decision,
    Discarded,
    Follows,
    Outcome,
    PitGame,
    PlayerWagers,
    Shoe,
    SideLimits,
    SplitHand,
)
from jackpot.games.rulebook import Game

__all__ = [
    "AcceptedBet",
    "Adjusted",
    "AuthoritiesUnusable",
    "BadInput",
    "Bets",
    "BetsAnswer",
    "BlackjackBetsAnswer",
    "BlackjackClient",
    "BlackjackHandsAnswer",
    "BlackjackVoidAnswer",
    "BoomBet",
    "BoxBet",
    "BoxHand",
    "ClientError",
    "Clocks",
    "Conflict",
    "CountedMeters",
    "Decision",
    "Difference",
    "Discarded",
    "Follows",
    "Game",
    "Gateway",
    "Hand",
    "HandResult",
    "HandsAnswer",
    "HeartbeatAnswer",
    "Line",
    "Meter",
    "NotAllowed",
    "NotAuthenticated",
    "Outcome",
    "Patience",
    "PitGame",
    "PlayerWagers",
    "Refused",
    "ReturnedBet",
    "ReturnedWager",
    "Shoe",
    "SideLimits",
    "SplitHand",
    "SpoolUnusable",
    "SyncBlackjackClient",
    "SyncTableClient",
    "TableClient",
    "Turned",
    "Unknown",
    "Unreachable",
    "VoidAnswer",
    "Waiting",
]
