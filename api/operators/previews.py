"""What an act would do, as it is told; and which acts can be asked about."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

from pydantic import Field, StrictInt, ValidationError

from api.callers.identity import Caller
from api.http.errors import Invalid
from api.operators.act import Asked
from api.operators.acts import ACTS
from api.operators.house_answers import MinorUnits, Terms, Told, Units, plain
from api.operators.irregularity_answers import ConsequenceTold, resolved
from api.operators.pit_irregularity_answers import PitConsequenceTold, pit_resolved
from api.operators.wire import Name, Said
from jackpot.book.beside.calendar import Day
from jackpot.book.stores.committed import LinkUnknown
from jackpot.book.writing.preview import Rehearsal
from jackpot.core.money import UNITS_PER_MINOR_UNIT, Account, spoken
from jackpot.link.commands import HouseAct
from jackpot.link.state import Link, Pit
from jackpot.machine.kinds import foretold
from jackpot.machine.telling import Telling
from jackpot.maths.warnings import warnings
from jackpot.play.status import meter_state
from jackpot.pools.payout import scheduled_parameters
from jackpot.pools.pool import Payment
from jackpot.readings.meter import royal_now
from jackpot.readings.waiting import waiting_wins

_ACTS = {act.preview: act for act in ACTS if act.preview is not None}
if TYPE_CHECKING:
    _Named = str
else:
    _Named = Literal[tuple(_ACTS)]


class PreviewSaid(Said):
    """An act and its body, as its own address takes them; `id` is the win, claim, proposal, table,
    malfunction or difference that stands in that address."""

    act: _Named
    id: Name | None = None
    round: StrictInt | None = Field(default=None, description="With the table: the round in that address.")
    said: dict[str, Any] = Field(default={}, description="The body of the act.")


def command_of(
    preview: PreviewSaid, link: str, caller: Caller, *, in_pit: bool, day: Day | None = None
) -> HouseAct:
    act = _ACTS[preview.act]
    try:
        said = act.body.model_validate(preview.said)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(map(str, ("said", *first["loc"])))
        raise Invalid(str(first["msg"])[:200], where[:200]) from None
    about, number = preview.id or "", preview.round or 0
    return act.command(
        Asked(caller=caller, key=None, link=link, id=about, round=number, said=said, in_pit=in_pit, day=day)
    )


class Reset(Told):
    """What a royal flush would be paid if it were the next win, and what the reset after it takes."""

    amount: MinorUnits
    value_after: MinorUnits
    seed_from_reserve: MinorUnits
    seed_from_house: MinorUnits

    @classmethod
    def of(cls, paid: Payment) -> Reset:
        moves = paid.transfer.moves
        return cls(
            amount=paid.amount,
            value_after=paid.after,
            seed_from_reserve=-moves.get(Account.RESERVE, 0) // UNITS_PER_MINOR_UNIT,
            seed_from_house=-moves.get(Account.HOUSE, 0) // UNITS_PER_MINOR_UNIT,
        )


class Expected(Told):
    win: str
    position: int
    state: str
    amount: MinorUnits


class Standing(Told):
    value: MinorUnits
    display: str
    state: str
    accounts: dict[str, Units]
    parameters: Terms
    parameters_scheduled: Terms = Field(description="In force once every confirmed change is.")
    royal_now: Reset | None = Field(description="Null while a win waits.")
    wins: list[Expected] = Field(description="The line, with what each would be paid.")

    @classmethod
    def of(cls, link: Link) -> Standing:
        paid = royal_now(link)
        return cls(
            value=link.pool.value,
            display=spoken(link.pool.value, link.currency),
            state=meter_state(link),
            accounts={account.value: units for account, units in link.pool.accounts.items()},
            parameters=Terms.of(link.parameters),
            parameters_scheduled=Terms.of(scheduled_parameters(link)),
            royal_now=None if paid is None else Reset.of(paid),
            wins=[
                Expected(win=one.win.id, position=one.position, state=one.win.state, amount=one.amount)
                for one in waiting_wins(link)
            ],
        )


class Preview(Told):
    before: Standing
    after: Standing
    facts: list[dict[str, Any]] = Field(description="What the journal would say, in order.")
    consequence: ConsequenceTold | None = Field(description="Of an irregularity; null for other acts.")
    words: list[str] = Field(description="The same in sentences, for whoever confirms it.")
    warnings: list[str] = Field(description="What somebody should hear before these terms are in force.")

    @classmethod
    def of(cls, played: Rehearsal) -> Preview:
        found = resolved(entry.fact for entry in played.entries)
        consequence = found[0].told(played.after.currency) if found else None
        return cls(
            before=_standing(played.before),
            after=_standing(played.after),
            facts=_facts(played),
            consequence=consequence,
            words=_words(played) if consequence is None else consequence.words,
            warnings=_warnings(played),
        )


class PitPreview(Told):
    """As of a link, without anything of a pool."""

    facts: list[dict[str, Any]] = Field(description="What the journal would say, in order.")
    consequence: PitConsequenceTold | None = Field(description="Of an irregularity; null for other acts.")
    words: list[str] = Field(description="The same in sentences, for whoever confirms it.")

    @classmethod
    def of(cls, played: Rehearsal) -> PitPreview:
        found = pit_resolved(entry.fact for entry in played.entries)
        consequence = found[0].told(played.after.currency) if found else None
        words = _words(played) if consequence is None else consequence.words
        return cls(facts=_facts(played), consequence=consequence, words=words)


def _facts(played: Rehearsal) -> list[dict[str, Any]]:
    return [{"kind": type(entry.fact).__name__} | plain(entry.fact) for entry in played.entries]


def _words(played: Rehearsal) -> list[str]:
    at = Telling(played.after.currency)
    return [words for entry in played.entries if (words := foretold(entry.fact, at))]


def _warnings(played: Rehearsal) -> list[str]:
    """What a start of the service would warn of, and would not have before."""
    was = _warnings_of(played.before)
    return [one for one in _warnings_of(played.after) if one not in was]


def _warnings_of(place: Pit) -> list[str]:
    if not isinstance(place, Link):
        return []
    boxes = (table.setup.boxes for table in place.tables.values())
    return warnings(scheduled_parameters(place), boxes, place.currency)


def _standing(place: Pit) -> Standing:
    if not isinstance(place, Link):
        raise LinkUnknown(place.id)
    return Standing.of(place)
