"""Every way in which the House's system says no.

A refusal is a type with its data, a stable code for machines, a sentence for people and, where a
paragraph of the game rules is the reason, its number. A refused command changes nothing.

    Refused
    ├── BadInput      the message itself is wrong, whatever the state
    ├── Unknown       it names something that does not exist
    ├── NotAllowed    this person may not do it
    └── Conflict      it was possible once, or may be later, but not now
"""

from __future__ import annotations

from typing import ClassVar


class Refused(Exception):
    """The command was refused and nothing has changed."""

    code: ClassVar[str]
    rule: str | None = None

    def __init__(self, message: str, *, rule: str | None = None, **data: object) -> None:
        super().__init__(message)
        self.message = message
        self.data = data
        if rule is not None:
            self.rule = rule


class BadInput(Refused):
    """`field` names the part of the message that is wrong."""

    def __init__(self, message: str, *, field: str, rule: str | None = None, **data: object) -> None:
        super().__init__(message, rule=rule, field=field, **data)


class Unknown(Refused):
    pass


class NotAllowed(Refused):
    pass


class Conflict(Refused):
    pass


# What is named but does not exist


class NoJackpot(Conflict):
    """Asked of a pit, whose tables share none."""

    code = "no_jackpot"


class TableUnknown(Unknown):
    code = "table_unknown"


class RoundUnknown(Unknown):
    code = "round_unknown"


class WinUnknown(Unknown):
    code = "win_unknown"


class ClaimUnknown(Unknown):
    code = "claim_unknown"


class MalfunctionUnknown(Unknown):
    code = "malfunction_unknown"


class ProposalUnknown(Unknown):
    code = "proposal_unknown"


class DifferenceUnknown(Unknown):
    """Of the meters of a table controller and those of the House."""

    code = "difference_unknown"


class DayUnknown(Unknown):
    """No gaming day is called so, or the link or pit was not there then."""

    code = "day_unknown"


class ShiftUnknown(Unknown):
    code = "shift_unknown"


# Cards


class CardUnknown(BadInput):
    code = "card_unknown"
    rule = "2.2.1"


class CardRepeated(BadInput):
    code = "card_repeated"
    rule = "2.2.1"


class WrongNumberOfCards(BadInput):
    code = "wrong_number_of_cards"
    rule = "5.15"


class HandContradictory(BadInput):
    code = "hand_contradictory"


class DealOrderWrong(BadInput):
    code = "deal_order_wrong"
    rule = "4.5.1"


class DecisionUnknown(BadInput):
    code = "decision_unknown"


class DecisionContradictory(BadInput):
    code = "decision_contradictory"


class WagerNotInGame(BadInput):
    code = "wager_not_in_game"
    rule = "2.1.1"


class InvalidationUnknown(BadInput):
    code = "invalidation_unknown"


# Blackjack: the paragraph differs by game and is given with each


class PlayerRepeated(BadInput):
    code = "player_repeated"


class SeatTaken(BadInput):
    code = "seat_taken"
    rule = "3.8"


class PlayerNotOnBox(BadInput):
    """Somebody without an Initial Bet there."""

    code = "player_not_on_box"


class DrawNotAllowed(BadInput):
    code = "draw_not_allowed"


class DrawMissing(BadInput):
    code = "draw_missing"


class SplitNotAllowed(BadInput):
    code = "split_not_allowed"


class FreeSplitNotAllowed(BadInput):
    code = "free_split_not_allowed"


class DoubleNotAllowed(BadInput):
    code = "double_not_allowed"


class FreeDoubleNotAllowed(BadInput):
    code = "free_double_not_allowed"


class SurrenderNotAllowed(BadInput):
    code = "surrender_not_allowed"


class InsuranceNotAllowed(BadInput):
    code = "insurance_not_allowed"


class EvenMoneyNotAllowed(BadInput):
    code = "even_money_not_allowed"


class DealerDrawWrong(BadInput):
    code = "dealer_draw_wrong"
    rule = "5.10.2"


class ShoeDiffers(BadInput):
    code = "shoe_differs"


class ToldBefore(BadInput):
    """Something that an earlier message of the round told is missing: silence takes nothing back."""

    code = "told_before"


class DiscardUnknown(BadInput):
    code = "discard_unknown"


class SupervisorNeeded(BadInput):
    """A paragraph by which only people of the House decide: a table does not declare it."""

    code = "supervisor_needed"


# Boxes, rounds and amounts


class BoxUnknown(BadInput):
    code = "box_unknown"
    rule = "2.1.1"


class BoxRepeated(BadInput):
    code = "box_repeated"
    rule: str | None = "3.5"


class BoxToldTwice(BoxRepeated):
    """Of two hands for a box no paragraph speaks."""

    rule = None


class BoxNotInRound(BadInput):
    code = "box_not_in_round"
    rule = "4.2.1"


class RoundNumberWrong(BadInput):
    code = "round_number_wrong"


class AmountNegative(BadInput):
    code = "amount_negative"


class AmountTooLarge(BadInput):
    code = "amount_too_large"


class AmountUnreasonable(BadInput):
    code = "amount_unreasonable"
    rule = "3.4"


class VoidReasonUnknown(BadInput):
    code = "void_reason_unknown"


class PlayIncomplete(BadInput):
    """`box` and `wager` name the first wager that is open, `open` all of them."""

    code = "play_incomplete"


class CardsWereSeen(BadInput):
    """A decision, a fold, a further wager, or that a player has looked was told."""

    code = "cards_were_seen"


# Times and clocks


class TimeMalformed(BadInput):
    code = "time_malformed"


class TimeWithoutZone(BadInput):
    code = "time_without_zone"


class TimeInFuture(BadInput):
    code = "time_in_future"


class BetsClosedTooEarly(BadInput):
    code = "bets_closed_too_early"


class BetsClosedAfterSent(BadInput):
    code = "bets_closed_after_sent"


class DealtBeforeBetsClosed(BadInput):
    code = "dealt_before_bets_closed"
    rule = "5.11"


class DealtAfterSent(BadInput):
    code = "dealt_after_sent"


class ClockOutOfRange(BadInput):
    code = "clock_out_of_range"


# People, reasons and the House's acts


class PersonMissing(BadInput):
    code = "person_missing"


class ReasonMissing(BadInput):
    code = "reason_missing"


class TextTooLong(BadInput):
    code = "text_too_long"


class TextMalformed(BadInput):
    code = "text_malformed"


class TextInvisible(BadInput):
    """It has a character that nobody sees, or that has others read differently from how they are written."""

    code = "text_invisible"


class ParameterWrong(BadInput):
    code = "parameter_wrong"


class UnequalOdds(BadInput):
    code = "unequal_odds"
    rule = "4.2.1"


class AdjustmentWrong(BadInput):
    code = "adjustment_wrong"


class TransferWrong(BadInput):
    code = "transfer_wrong"


class ReferenceWrong(BadInput):
    code = "reference_wrong"


class ReferencePersonal(BadInput):
    """It looks like the number of an identity card, and nothing of a person is kept here."""

    code = "reference_personal"


class OutcomeWrong(BadInput):
    code = "outcome_wrong"


class PromiseWrong(BadInput):
    code = "promise_wrong"


class OrderIncomplete(BadInput):
    code = "order_incomplete"
    rule = "4.5.2"


class OrderContradictsDeal(BadInput):
    code = "order_contradicts_deal"
    rule = "4.5"


class ScopeWrong(BadInput):
    code = "scope_wrong"


class CardsSeenMissing(BadInput):
    code = "cards_seen_missing"


# Irregularities


class FigureUnknown(BadInput):
    """At the closing of a day: nobody counts it."""

    code = "figure_unknown"


class FigureRepeated(BadInput):
    code = "figure_repeated"


class IrregularityUnknown(BadInput):
    code = "irregularity_unknown"


class OtherParagraphApplies(BadInput):
    """`rule` is the paragraph that applies instead."""

    code = "other_paragraph_applies"


class ReconstructedMissing(BadInput):
    code = "reconstructed_missing"


class InterimSettledMissing(BadInput):
    code = "interim_settled_missing"


class BoxesMissing(BadInput):
    code = "boxes_missing"


class BoxesUnexpected(BadInput):
    code = "boxes_unexpected"


class ChoiceMissing(BadInput):
    """`boxes` are those whose players have the options."""

    code = "choice_missing"


class ChoiceNotOffered(BadInput):
    code = "choice_not_offered"


class ResolutionMissing(BadInput):
    code = "resolution_missing"


class SamePerson(NotAllowed):
    code = "same_person"


class ProposedByAnother(NotAllowed):
    code = "proposed_by_another"


# Conflicts with the state


class ContentConflict(Conflict):
    code = "conflict"


class MetersWrong(BadInput):
    """No controller can have counted that."""

    code = "meters_wrong"


class SequenceWrong(BadInput):
    code = "seq_wrong"


class SequenceGap(Conflict):
    code = "gap"


class SequencePassed(Conflict):
    code = "seq_passed"


class SentAtFell(Conflict):
    code = "sent_at_fell"


class MetersAhead(Conflict):
    """A controller tells its meters after a round that is not over."""

    code = "meters_ahead"


class RoundPassed(Conflict):
    code = "round_passed"


class RoundStands(Conflict):
    code = "round_stands"
    rule = "5.8"


class RoundIsVoid(Conflict):
    code = "round_voided"


class OutcomeEstablished(Conflict):
    code = "outcome_established"
    rule = "5.7.1"


class HandInvalid(Conflict):
    """The House has invalidated it: no report gives the box a hand again."""

    code = "hand_invalidated"


class WinAlreadyPaid(Conflict):
    code = "win_paid"


class WinNotPaid(Conflict):
    """It waits, or ended without being paid."""

    code = "win_not_paid"


class WinWithoutSlip(Conflict):
    """An earlier release paid it."""

    code = "win_without_slip"


class AlreadyHandedOver(Conflict):
    code = "handed_over"


class AlreadyUnclaimed(Conflict):
    code = "already_unclaimed"


class NotOverdue(Conflict):
    """`overdue_from` says from when on nobody need wait for its winner."""

    code = "not_overdue"


class WinStillWaiting(Conflict):
    code = "win_waiting"


class ProposalEnded(Conflict):
    code = "proposal_ended"


class MalfunctionIsCleared(Conflict):
    code = "malfunction_cleared"


class DifferenceIsMended(Conflict):
    code = "difference_mended"


class ClaimIsDecided(Conflict):
    code = "claim_decided"


class AlreadyProposed(Conflict):
    code = "already_proposed"


class AlreadyApproved(Conflict):
    code = "already_approved"


class NotAmbiguous(Conflict):
    code = "not_ambiguous"
    rule = "4.5.2"


class TableAlreadyKnown(Conflict):
    code = "table_already_known"


class DayAlreadyClosed(Conflict):
    code = "day_closed"


class DayNotOver(Conflict):
    code = "day_not_over"


class EarlierDayOpen(Conflict):
    """Days are closed in their order."""

    code = "earlier_day_open"


class TableAlreadyOpen(Conflict):
    code = "table_already_open"


class TableAlreadyClosed(Conflict):
    code = "table_already_closed"


class TermsChangedMeanwhile(Conflict):
    """Somebody else has changed what this person saw."""

    code = "terms_changed"


class TableBusy(Conflict):
    """Something of it is open here: `open` says what."""

    code = "table_busy"


class TableThere(Conflict):
    """It plays there already."""

    code = "table_there"


class RoundElsewhere(Conflict):
    """The table has been moved since: `place` says where it was played."""

    code = "round_elsewhere"


class BoxInUse(Conflict):
    """It is blocked, or in play, and would not be on the layout any more."""

    code = "box_in_use"


class LinkAlreadyOpen(Conflict):
    code = "link_already_open"


class LinkAlreadyClosed(Conflict):
    code = "link_already_closed"


class LinkNotClosed(Conflict):
    code = "link_not_closed"


class LinkHeld(Conflict):
    code = "link_held"


class LinkIsRetired(Conflict):
    code = "link_retired"


class RoundsOpen(Conflict):
    code = "rounds_open"


class ClaimsOpen(Conflict):
    code = "claims_open"


class FloorInPlay(Conflict):
    """`link`, and the `table` with an open round or the `win` that waits."""

    code = "floor_in_play"


class ClockWouldFall(Conflict):
    """`link`, and `by_us`: how much earlier than its last journal entry the clock is."""

    code = "clock_would_fall"


class AccountShort(Conflict):
    code = "account_short"


class ReceiverMissing(Conflict):
    code = "receiver_missing"


class CurrencyDiffers(Conflict):
    code = "currency_differs"


def kinds(base: type[Refused] = Refused) -> list[type[Refused]]:
    """Every refusal that can be given, in the order of this file."""
    found: list[type[Refused]] = []
    for kind in base.__subclasses__():
        found += [kind] if "code" in vars(kind) else []
        found += kinds(kind)
    return found
