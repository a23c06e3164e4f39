"""What callers are told. A repeated message is told the same again."""

from __future__ import annotations

import json
from dataclasses import field

from jackpot.core.codec import Tagged, decoder, encoder
from jackpot.core.records import SPARSE, frozen
from jackpot.games import blackjack
from jackpot.games.adjustments import Adjusted
from jackpot.games.irregularities import Consequence
from jackpot.games.lines import Line
from jackpot.link.awards import Awards
from jackpot.link.handovers import HandoverState
from jackpot.link.rounds import HandResult, ReturnedBet, RoundState
from jackpot.link.state import TableStatus
from jackpot.link.table_terms import TableTerms
from jackpot.link.wins import WinState


@frozen(kw_only=True)
class Meter:
    value: int
    sequence: int
    next: int | None = None
    """What the reading leaves once the wins that wait are paid; None while none waits."""


@frozen(kw_only=True)
class Answer(Tagged):
    meter: Meter | None = None
    """As the command left it; filled in once it is carried out. None where there is no jackpot."""

    @property
    def reading(self) -> Meter:
        """The meter, of a link's answer."""
        if self.meter is None:
            raise ValueError("no jackpot, no meter")
        return self.meter


@frozen()
class AcceptedBet:
    box: int
    progressive: int


@frozen(kw_only=True)
class BetsAnswer(Answer):
    table: str
    round: int
    state: RoundState
    accepted: tuple[AcceptedBet, ...]
    returned: tuple[ReturnedBet, ...]
    awards: Awards | None = field(default=None, metadata=SPARSE)
    """What the round's hands win, if not what the rule book says: a table may have to finish it alone."""


@frozen(kw_only=True)
class HandsAnswer(Answer):
    table: str
    round: int
    state: RoundState
    results: tuple[HandResult, ...]
    returned: tuple[ReturnedBet, ...]
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


@frozen(kw_only=True)
class VoidAnswer(Answer):
    table: str
    round: int
    state: RoundState
    returned: tuple[ReturnedBet, ...]
    settlement: tuple[Line, ...] = ()
    adjustments: tuple[Adjusted, ...] = ()


@frozen(kw_only=True)
class HeartbeatAnswer(Answer):
    table_state: TableStatus
    progressive: bool | None
    """None where there is no jackpot."""
    notice: str | None
    terms: TableTerms | None = field(default=None, metadata=SPARSE)
    """For the rounds to come."""


@frozen(kw_only=True)
class WinAnswer(Answer):
    win: str
    state: WinState
    approvals: int


@frozen(kw_only=True)
class ProposalAnswer(Answer):
    """Another person has to confirm."""

    proposal: str


@frozen(kw_only=True)
class MalfunctionAnswer(Answer):
    malfunction: str


@frozen(kw_only=True)
class IrregularityAnswer(Answer):
    irregularity: str
    table: str
    round: int
    state: RoundState
    consequence: Consequence
    undone: tuple[HandResult, ...]
    """Awards, wins and claims that are taken back."""
    returned: tuple[ReturnedBet, ...]
    settlement: tuple[Line, ...]
    adjustments: tuple[Adjusted, ...]


@frozen(kw_only=True)
class OfflineAnswer(Answer):
    malfunction: str
    voided: int | None
    """The round that this voided."""
    confirmed: bool | None
    """Whether the journal has the reading that was promised; None if no round depended on it."""


@frozen(kw_only=True)
class PitBetsAnswer(Answer):
    table: str
    round: int
    state: RoundState
    playing: tuple[blackjack.Playing, ...]
    settlement: tuple[blackjack.Line, ...]
    """What goes back at once."""
    notice: str | None


@frozen(kw_only=True)
class PitHandsAnswer(Answer):
    table: str
    round: int
    state: RoundState
    hands: tuple[blackjack.HandView, ...]
    dealer: blackjack.DealerView
    settlement: tuple[blackjack.Line, ...]
    adjustments: tuple[blackjack.Adjusted, ...]


@frozen(kw_only=True)
class PitVoidAnswer(Answer):
    table: str
    round: int
    state: RoundState
    settlement: tuple[blackjack.Line, ...]
    adjustments: tuple[blackjack.Adjusted, ...]
    returned: tuple[blackjack.Line, ...]
    """Those of the settlement whose wagers were not told before."""


@frozen(kw_only=True)
class PitIrregularityAnswer(Answer):
    irregularity: str
    table: str
    round: int
    state: RoundState
    consequence: blackjack.Consequence
    settlement: tuple[blackjack.Line, ...]
    adjustments: tuple[blackjack.Adjusted, ...]


@frozen(kw_only=True)
class SlipAnswer(Answer):
    win: str
    slip: int
    copy: int


@frozen(kw_only=True)
class HandoverAnswer(Answer):
    win: str
    slip: int
    state: HandoverState


@frozen(kw_only=True)
class Done(Answer):
    pass


KINDS: dict[str, type[Answer]] = {
    kind.__name__: kind
    for kind in (
        BetsAnswer,
        HandsAnswer,
        VoidAnswer,
        HeartbeatAnswer,
        WinAnswer,
        ProposalAnswer,
        MalfunctionAnswer,
        IrregularityAnswer,
        OfflineAnswer,
        PitBetsAnswer,
        PitHandsAnswer,
        PitVoidAnswer,
        PitIrregularityAnswer,
        SlipAnswer,
        HandoverAnswer,
        Done,
    )
}
"""Every kind of answer by its name on the record."""


@frozen()
class Said:
    """What a message said and what it was answered, as the journal keeps them."""

    key: str | None
    content: str | None
    answer: Answer

    def text(self) -> str:
        told = encoder(type(self.answer))(self.answer)
        return f'{{"answer":{told},"content":{_text(self.content)},"key":{_text(self.key)}}}'


_text = encoder(str | None)


def read_said(data: bytes) -> Said | None:
    """What is said in an entry's bytes, if it was the last of its command."""
    said = json.loads(data)["said"]
    if said is None:
        return None
    return Said(said["key"], said["content"], decoder(KINDS[said["answer"]["kind"]])(said["answer"]))
