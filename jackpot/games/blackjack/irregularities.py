"""What follows when something goes wrong in a round of blackjack (5.4 to 5.13, and what the House resolves).

Pure: from what the House says and what is known of the round, to what becomes of the round and of each player
on each box, with the paragraph of that game which says so.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import NamedTuple

from jackpot.core.records import frozen
from jackpot.core.refusals import ChoiceMissing, ChoiceNotOffered, InterimSettledMissing
from jackpot.games.blackjack.closing import Closing, places
from jackpot.games.blackjack.lines import LOSE, Line, established
from jackpot.games.blackjack.play import Back, Whose
from jackpot.games.blackjack.rules import BlackjackRules, Paragraphs
from jackpot.games.irregularities import Choice, Follows, Heard, Resolution, instead, provided


@frozen(kw_only=True)
class Irregularity:
    """What the House says of it."""

    paragraph: str
    reconstructed: bool | None = None
    """Whether the cards are put back into the order intended (5.9)."""
    interim_settled: bool | None = None
    """Whether side bets, naturals and surrenders were settled before."""
    choices: dict[str, Choice] = field(default_factory=dict)
    """By box, `1`; by box and player, `1/B`, which goes before; by player of Boom Busted, `boom_busted/X`."""
    resolution: Resolution | None = None
    note: str = ""


@frozen(kw_only=True)
class PlayerFollows:
    box: int | None
    """None: his bet on Boom Busted."""
    player: str
    rule: str
    returned: bool
    """His bets go back and he has no hand there; otherwise he continues."""
    interim_settled: bool = False
    """Then what the interim settlement decided stands."""
    busted: tuple[int, ...] = ()
    """Hands that he had lost before."""


@frozen(kw_only=True)
class Consequence:
    follows: Follows
    rule: str
    players: tuple[PlayerFollows, ...] = ()

    @property
    def returned(self) -> dict[Whose, Back]:
        """Whose bets go back, as `judge` takes them. A voided round hands everything back by itself."""
        if self.follows is Follows.VOIDED:
            return {}
        return {
            (one.box, one.player): Back(
                rule=one.rule,
                side_stands=one.interim_settled,
                interim_stands=one.interim_settled,
                busted=one.busted,
            )
            for one in self.players
            if one.returned
        }


@frozen(kw_only=True)
class Case(Heard):
    rules: BlackjackRules
    said: Irregularity
    places: Sequence[Whose]
    """Every player with his box for whom something plays, and those of Boom Busted."""
    told: Sequence[Line] = ()
    """The settlement as far as it was told."""

    @property
    def own(self) -> Paragraphs:
        return self.rules.paragraphs

    @property
    def interim_settled(self) -> bool:
        if self.said.interim_settled is None:
            raise InterimSettledMissing("say whether side bets were settled", field="interim_settled")
        return self.said.interim_settled


Rule = Callable[[Case], Consequence]


class Provision(NamedTuple):
    """A paragraph by which the House can resolve an irregularity."""

    words: str
    """What has happened, as the House is asked."""
    follows: Rule


def case_of(closing: Closing, said: Irregularity, told: Sequence[Line] = ()) -> Case:
    return Case(rules=closing.rules, said=said, places=places(closing), told=told)


def consequence(case: Case) -> Consequence:
    found = provided(provisions(case.rules), case.said.paragraph).follows(case)
    if found.follows is not Follows.OPTIONS:
        _check_offered(case, set())
    return found


def provisions(rules: BlackjackRules) -> Mapping[str, Provision]:
    own = rules.paragraphs
    found = {
        own.interruption: Provision("Play was interrupted, for instance by a loss of power", _interruption),
        f"{own.voided_when}.1": Provision("A card is found that is not of the set", _voids),
        f"{own.voided_when}.2": Provision("Too few or too many cards in the deck", _voids),
        f"{own.voided_when}.3": Provision("Not enough cards left to complete the round", _voids),
        f"{own.voided_when}.4": Provision("The cards were not shuffled", _voids),
        own.dealing_error: Provision("Any other dealing error", _dealing_error),
        own.dealer_overdrawn: Provision("The dealer drew on a finished hand", _continues),
        own.cards_without_bet: Provision("Cards dealt to a place without a bet", _without_bet),
        own.face_up_in_shoe: Provision("A card lies face up in the shoe or shuffler", _continues),
        own.drawn_at_once: Provision("Cards drawn at once for a player, their order unknown", _at_once),
        own.drawn_at_once_dealer: Provision("Cards drawn at once for the dealer", _at_once_for_dealer),
        own.side_settled_late: Provision("Side bets were settled late", _continues),
        own.house_resolves: Provision("Something the rules do not provide for", _house_resolves),
    }
    if own.damaged_card is not None:
        found[own.damaged_card] = Provision("A card is damaged or lost", _damaged)
    return found


def _voids(case: Case, rule: str | None = None) -> Consequence:
    back = case.own.void_returns_all
    return Consequence(
        follows=Follows.VOIDED,
        rule=rule or case.said.paragraph,
        players=tuple(
            PlayerFollows(box=box, player=player, rule=back, returned=True) for box, player in case.places
        ),
    )


def _continues(case: Case, rule: str | None = None) -> Consequence:
    return Consequence(follows=Follows.CONTINUES, rule=rule or case.said.paragraph)


def _interruption(case: Case) -> Consequence:
    if established(case.told):
        return _continues(case, case.own.interruption_continues)
    return _voids(case, case.own.interruption_voids)


def _dealing_error(case: Case) -> Consequence:
    reconstructed, settled = case.reconstructed, case.interim_settled
    return _options(case, rule=case.own.dealing_error, reconstructed=reconstructed, settled=settled)


def _without_bet(case: Case) -> Consequence:
    """Before the interim settlement it is a dealing error like any other."""
    if case.said.interim_settled is False:
        raise instead(case.own.dealing_error, "nothing was settled yet")
    return _continues(case)


def _at_once(case: Case) -> Consequence:
    """Cards whose order cannot be determined cannot be put back into it."""
    case.reasoned("which card the player took first")
    return _at_once_for_dealer(case)


def _at_once_for_dealer(case: Case) -> Consequence:
    """Unless it is said whether side bets were settled, they were if any outcome was told."""
    said = case.said.interim_settled
    settled = established(case.told) if said is None else said
    return _options(case, rule=case.own.drawn_at_once_options, reconstructed=False, settled=settled)


def _damaged(case: Case) -> Consequence:
    """The House determines what the card was, or cannot."""
    if case.resolution is Resolution.VOID:
        return _voids(case, f"{case.own.damaged_card}.2")
    return _continues(case, f"{case.own.damaged_card}.1")


def _house_resolves(case: Case) -> Consequence:
    return _voids(case) if case.resolution is Resolution.VOID else _continues(case)


def _options(case: Case, *, rule: str, reconstructed: bool, settled: bool) -> Consequence:
    """All players of the table have them, each for each of his boxes."""
    chosen = _chosen(case)
    goes_on = case.own.goes_on_put_right if reconstructed else case.own.goes_on
    found = [
        PlayerFollows(
            box=box,
            player=player,
            rule=case.own.bets_back if back else goes_on,
            returned=back,
            interim_settled=settled,
            busted=_busted(case.told, box, player) if back else (),
        )
        for (box, player), back in chosen.items()
    ]
    return Consequence(follows=Follows.OPTIONS, rule=rule, players=tuple(found))


def _chosen(case: Case) -> dict[Whose, bool]:
    choices, missing = case.said.choices, []
    found: dict[Whose, bool] = {}
    offered: set[str] = set()
    for box, player in case.places:
        keys = _keys(case.rules, box, player)
        offered.update(keys)
        choice = next((choices[key] for key in keys if key in choices), None)
        if choice is None:
            missing.append(keys[0])
        found[box, player] = choice is Choice.RETURN
    _check_offered(case, offered)
    if missing:
        words = f"{', '.join(missing)}: the options are to continue, or to have the bets returned"
        raise ChoiceMissing(words, field="choices", rule=case.own.dealing_error, players=missing)
    return found


def _keys(rules: BlackjackRules, box: int | None, player: str) -> tuple[str, ...]:
    """Under which a choice is found, the most special first."""
    if box is None and rules.table_bet is not None:
        return (f"{rules.table_bet.name}/{player}",)
    return f"{box}/{player}", str(box)


def _busted(told: Sequence[Line], box: int | None, player: str) -> tuple[int, ...]:
    """Hands that were told as lost."""
    lost = {
        line.hand
        for line in told
        if line.hand is not None and line.outcome is LOSE and (line.box, line.player) == (box, player)
    }
    return tuple(sorted(lost))


def _check_offered(case: Case, offered: set[str]) -> None:
    for key in case.said.choices:
        if key not in offered:
            rule = case.own.dealing_error
            words = f"{key[:100]!r} has no options here"
            raise ChoiceNotOffered(words, field=f"choices.{key[:100]}", rule=rule)
