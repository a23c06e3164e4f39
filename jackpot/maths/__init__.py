"""The mathematics of the bets: return, edge, long run, forecasts, and whether reported hands can have been
dealt.

Nothing that pays anybody depends on it. `forecast`, `edge`, `stud` and `holdem` need NumPy
(the extra `math`).
"""
