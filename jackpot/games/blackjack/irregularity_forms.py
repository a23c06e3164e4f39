"""What the House is asked when it declares an irregularity of blackjack, found as for the poker games.

Whether side bets were settled before may be left unsaid where the settlement as told answers it; it is asked
all the same, since it decides what goes back.
"""

from __future__ import annotations

from jackpot.core.refusals import ChoiceMissing
from jackpot.games.blackjack.irregularities import Case, Consequence, Irregularity, consequence, provisions
from jackpot.games.blackjack.rules import BlackjackRules
from jackpot.games.irregularities import Choice
from jackpot.games.irregularity_forms import ALL_GAMES, YES_NO, Paragraph, Search

_SETTLED = {"interim_settled": YES_NO}


def paragraphs(rules: BlackjackRules) -> list[Paragraph]:
    """Those by which an irregularity of that game is resolved, in their order."""

    def follows(said: Irregularity) -> Consequence:
        return consequence(Case(rules=rules, said=said, places=((1, "1"), (1, "B"), (2, "2"))))

    search = Search(follows=follows, answers={**ALL_GAMES, **_SETTLED}, optional=_SETTLED, chosen=_chosen)
    words = {number: provision.words for number, provision in provisions(rules).items()}
    return search.paragraphs(words, lambda number: Irregularity(paragraph=number))


def _chosen(_said: Irregularity, _refusal: ChoiceMissing) -> tuple[str, dict[str, Choice]]:
    """All players have the options, here by box."""
    return "all", dict.fromkeys(("1", "2"), Choice.CONTINUE)
