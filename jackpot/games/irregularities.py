"""What follows when something goes wrong in a round of play.

Paragraphs 5.7 to 5.15 of both games, S 5.16, S 5.19 and H 5.18, S 5.24 and H 5.23. Pure: from the game's
provisions, what the House says of the irregularity and what is known of the round, to what becomes of the
round and of each box, with the paragraph of that game which says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from enum import StrEnum
from typing import NamedTuple, Protocol, TypeVar

from jackpot.core.records import frozen
from jackpot.core.refusals import (
    BoxesMissing,
    BoxesUnexpected,
    BoxNotInRound,
    BoxRepeated,
    CardsSeenMissing,
    ChoiceMissing,
    ChoiceNotOffered,
    IrregularityUnknown,
    OtherParagraphApplies,
    ReasonMissing,
    ReconstructedMissing,
    ResolutionMissing,
)
from jackpot.games.paragraphs import Paragraphs

T = TypeVar("T")


class Choice(StrEnum):
    """A player's options after a dealing error (5.10; at blackjack 5.7)."""

    CONTINUE = "continue"
    RETURN = "return"


class Resolution(StrEnum):
    """How the House resolves what the rules leave to it (S 5.24, H 5.23)."""

    VOID = "void"
    CONTINUE = "continue"


class Follows(StrEnum):
    VOIDED = "voided"
    CONTINUES = "continues"
    OPTIONS = "options"
    """The round continues with those boxes whose players chose so."""


class Said(Protocol):
    """What the House says of an irregularity of any game, as far as all games ask for it."""

    @property
    def reconstructed(self) -> bool | None: ...
    @property
    def resolution(self) -> Resolution | None: ...
    @property
    def note(self) -> str: ...


class Heard:
    """What it has said, or the refusal of a case that cannot be resolved without."""

    __slots__ = ()
    said: Said

    @property
    def reconstructed(self) -> bool:
        if self.said.reconstructed is None:
            raise ReconstructedMissing("say whether the cards are reconstructed", field="reconstructed")
        return self.said.reconstructed

    @property
    def resolution(self) -> Resolution:
        self.reasoned("what happened and why it is resolved so")
        if self.said.resolution is None:
            raise ResolutionMissing("say whether the round is voided or continues", field="resolution")
        return self.said.resolution

    def reasoned(self, of: str) -> None:
        if not self.said.note.strip():
            raise ReasonMissing(f"the note says {of}", field="note")


@frozen(kw_only=True)
class Irregularity:
    """What the House says of it."""

    paragraph: str
    cards_seen: bool | None = None
    """Whether any player has seen cards dealt to him."""
    reconstructed: bool | None = None
    """Whether the cards can be put back into the order intended."""
    boxes: tuple[int, ...] = ()
    """The boxes it happened to: by 5.15 those with a wrong number of cards, by S 5.19 and H 5.18 those whose
    hands were examined in addition."""
    others: tuple[int, ...] = ()
    """Boxes that 5.15 affects besides."""
    choices: dict[int, Choice] = field(default_factory=dict)
    resolution: Resolution | None = None
    note: str = ""


@frozen(kw_only=True)
class BoxFollows:
    box: int
    rule: str
    returned: bool
    """Its bets go back and its hand is invalid; otherwise it continues."""


@frozen(kw_only=True)
class Consequence:
    follows: Follows
    rule: str
    boxes: tuple[BoxFollows, ...] = ()

    @property
    def invalid(self) -> dict[int, str]:
        """The boxes whose bets go back, each with its paragraph."""
        return {one.box: one.rule for one in self.boxes if one.returned}


@frozen(kw_only=True)
class Case(Heard):
    paragraphs: Paragraphs
    """Of the table's game."""
    said: Irregularity
    playing: Sequence[int]
    """The boxes whose bets stand."""
    established: bool
    """Some bet has conclusively won or lost."""

    @property
    def seen(self) -> bool:
        if self.said.cards_seen is None:
            raise CardsSeenMissing("say whether a player has seen cards", field="cards_seen")
        return self.said.cards_seen

    @property
    def affected(self) -> tuple[int, ...]:
        if not self.said.boxes:
            raise BoxesMissing("say which boxes are affected", field="boxes")
        return self.said.boxes


Rule = Callable[[Case], Consequence]


class Provision(NamedTuple):
    """A paragraph by which the House can resolve an irregularity."""

    words: str
    """What has happened, as the House is asked."""
    follows: Rule


def consequence(provisions: Mapping[str, Provision], case: Case) -> Consequence:
    provision = provided(provisions, case.said.paragraph)
    _check_boxes(case)
    found = provision.follows(case)
    _check_offered(case.said, found)
    return found


def provided(provisions: Mapping[str, T], paragraph: str) -> T:
    if paragraph not in provisions:
        words = f"paragraph {paragraph[:20]!r} resolves no irregularity of this game"
        raise IrregularityUnknown(words, field="paragraph")
    return provisions[paragraph]


def poker_provisions(own: Paragraphs, *, dealers_cards: str) -> dict[str, Provision]:
    """Of a game with these paragraphs. `dealers_cards` says whose number 5.8.7 is about. The simulator draws
    from them in this order: another one would be another journal of the same seed."""
    exposed = Provision("One of the dealer's cards exposed as it was dealt", _continues)
    return {
        "5.7": Provision("Play was interrupted, for instance by a loss of power", _interruption),
        "5.8.1": Provision("A card is found that is not of the set", _voids),
        "5.8.3": Provision("Too few or too many cards in the deck", _voids),
        "5.8.4": Provision("Not enough cards left to complete the round", _voids),
        "5.8.5": Provision("The cards were not shuffled", _voids),
        "5.8.2": Provision("Two or more cards wrongly exposed during the deal", _cards_exposed),
        "5.8.6": Provision("Cards dealt to wrong places", _dealt_incorrectly),
        "5.8.7": Provision(f"A wrong number of cards for {dealers_cards}", _wrong_number_for_dealer),
        "5.9": Provision("The burnt card was not discarded", _burnt_card),
        "5.10": Provision("Any other dealing error", _dealing_error),
        "5.12": Provision("A card wrongly exposed during the deal", _card_exposed),
        "5.13": Provision("A card lies face up in the shoe or shuffler", _continues),
        "5.14": Provision("Cards drawn at once, their order unknown", _simultaneous_cards),
        "5.15": Provision("A wrong number of cards for a player", _wrong_number_for_player),
        **({} if own.dealers_card_exposed is None else {own.dealers_card_exposed: exposed}),
        own.examined_additional_hand: Provision(
            "A player examined an additional hand on purpose", _additional_hand
        ),
        own.house_resolves: Provision("Something the rules do not provide for", _house_resolves),
    }


def _voids(case: Case, rule: str | None = None) -> Consequence:
    back = case.paragraphs.void_returns_all
    boxes = tuple(BoxFollows(box=box, rule=back, returned=True) for box in sorted(case.playing))
    return Consequence(follows=Follows.VOIDED, rule=rule or case.said.paragraph, boxes=boxes)


def _continues(case: Case) -> Consequence:
    return Consequence(follows=Follows.CONTINUES, rule=case.said.paragraph)


def instead(paragraph: str, why: str) -> OtherParagraphApplies:
    return OtherParagraphApplies(f"{why}: paragraph {paragraph} applies", field="paragraph", rule=paragraph)


def _interruption(case: Case) -> Consequence:
    if case.established:
        return Consequence(follows=Follows.CONTINUES, rule="5.7.1")
    return _voids(case, "5.7.2")


def _cards_exposed(case: Case) -> Consequence:
    if case.seen:
        raise instead("5.12", "a player has seen cards")
    return _voids(case)


def _dealt_incorrectly(case: Case) -> Consequence:
    if case.seen:
        raise instead("5.10", "a player has seen cards")
    if case.reconstructed:
        raise instead("5.10", "the hands are reconstructed")
    return _voids(case)


def _wrong_number_for_dealer(case: Case) -> Consequence:
    if case.reconstructed:
        raise instead("5.10", "the cards are reconstructed")
    return _voids(case)


def _burnt_card(case: Case) -> Consequence:
    if case.seen or not case.reconstructed:
        return _voids(case)
    return _options(case, case.playing, rule="5.9", reconstructed=True)


def _dealing_error(case: Case) -> Consequence:
    return _options(case, case.affected, rule="5.10", reconstructed=case.reconstructed)


def _card_exposed(case: Case) -> Consequence:
    if case.seen:
        return _continues(case)
    return _options(case, case.affected, rule="5.12", reconstructed=case.reconstructed)


def _simultaneous_cards(case: Case) -> Consequence:
    """Cards whose order cannot be determined cannot be put back into it."""
    case.reasoned("which card is received first")
    return _options(case, case.playing, rule="5.14.1", reconstructed=False)


def _wrong_number_for_player(case: Case) -> Consequence:
    if case.reconstructed:
        raise instead("5.10", "the cards are reconstructed")
    invalid = _invalidated(case)
    if not case.said.others:
        return Consequence(follows=Follows.CONTINUES, rule="5.15", boxes=invalid)
    options = _options(case, case.said.others, rule="5.15", reconstructed=False)
    boxes = sorted((*invalid, *options.boxes), key=lambda one: one.box)
    return Consequence(follows=Follows.OPTIONS, rule="5.15", boxes=tuple(boxes))


def _additional_hand(case: Case) -> Consequence:
    rule = case.said.paragraph
    return Consequence(follows=Follows.CONTINUES, rule=rule, boxes=_invalidated(case))


def _house_resolves(case: Case) -> Consequence:
    return _voids(case) if case.resolution is Resolution.VOID else _continues(case)


def _invalidated(case: Case) -> tuple[BoxFollows, ...]:
    rule = case.said.paragraph
    return tuple(BoxFollows(box=box, rule=rule, returned=True) for box in sorted(case.affected))


def _options(case: Case, boxes: Sequence[int], *, rule: str, reconstructed: bool) -> Consequence:
    choices = case.said.choices
    missing = [box for box in sorted(boxes) if box not in choices]
    if missing:
        named = ", ".join(map(str, missing))
        raise ChoiceMissing(
            f"box {named} has the options of 5.10: continue, or have the bets returned",
            field="choices",
            rule="5.10",
            boxes=missing,
        )
    goes_on = "5.10.2" if reconstructed else "5.10.1"
    chosen = [(box, choices[box] is Choice.RETURN) for box in sorted(boxes)]
    return Consequence(
        follows=Follows.OPTIONS,
        rule=rule,
        boxes=tuple(
            BoxFollows(box=box, rule="5.10.3" if returned else goes_on, returned=returned)
            for box, returned in chosen
        ),
    )


def _check_boxes(case: Case) -> None:
    if case.said.others and case.said.paragraph != "5.15":
        raise BoxesUnexpected("only 5.15 tells affected boxes apart from others", field="others")
    seen: set[int] = set()
    for name, boxes in (("boxes", case.said.boxes), ("others", case.said.others)):
        for box in boxes:
            if box not in case.playing:
                raise BoxNotInRound(f"no bet stands on box {box}", field=name)
            if box in seen:
                raise BoxRepeated(f"box {box} is named twice", field=name)
            seen.add(box)


def _check_offered(said: Irregularity, found: Consequence) -> None:
    offered = {one.box for one in found.boxes if one.rule.startswith("5.10.")}
    for box in said.choices:
        if box not in offered:
            raise ChoiceNotOffered(f"box {box} has no options here", field=f"choices.{box}", rule="5.10")
