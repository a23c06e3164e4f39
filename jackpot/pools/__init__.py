"""The jackpot's money: what a bet, a void, a payment and a reset move, who was dealt first, and what each
win is paid.

A table without a jackpot needs nothing of this. Rounds of play live in `jackpot.play`.
"""
