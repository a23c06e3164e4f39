"""What a table controller uses to talk to the jackpot service.

    async with TableClient(url, "stud-01", token, Game.CASINO_STUD, Path("spool.db")) as table:
        answer = await table.close_bets(1, [Bets(box=1, ante=2500, progressive=500)])
        # deal only now
        await table.report_hands(1, [Hand(box=1, cards=("Ah", "Kh", "Qh", "Jh", "10h"))], final=True)

It needs httpx, msgspec and the rules, and nothing of the service. What is said is on disk before it is sent;
an answer with `local` set was given by the fallback of the game rules, without the service.
"""

from api.client.clock import Clocks
from api.client.errors import (
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
from api.client.messages import (
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
from api.client.spool import Waiting
from api.client.sync import SyncTableClient
from api.client.table import TableClient
from api.client.transport import Patience
from jackpot.rulebook import Game

__all__ = [
    "AcceptedBet",
    "Adjusted",
    "AuthoritiesUnusable",
    "BadInput",
    "Bets",
    "BetsAnswer",
    "ClientError",
    "Clocks",
    "Conflict",
    "Game",
    "Hand",
    "HandResult",
    "HandsAnswer",
    "HeartbeatAnswer",
    "Line",
    "Meter",
    "NotAllowed",
    "NotAuthenticated",
    "Patience",
    "Refused",
    "ReturnedBet",
    "SpoolUnusable",
    "SyncTableClient",
    "TableClient",
    "Unknown",
    "Unreachable",
    "VoidAnswer",
    "Waiting",
]
