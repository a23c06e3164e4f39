"""What five cards are worth: the deck, the evaluator, the chances of each hand, and hands by the million.

No money and no game: what a hand is paid is said in `jackpot.games`. `bulk` and `suit_classes` need NumPy
and are imported by nobody who does not.
"""
