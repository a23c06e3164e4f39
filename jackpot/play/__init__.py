"""A round of play at a table: how the table is heard, its bets, its hands and their correction, its
settlement and its void.

What differs from game to game is asked of `jackpot.games`. What people of the House decide about a round
lives in `jackpot.house`.
"""
