"""The rules of a multi-link progressive jackpot: pure, deterministic, standard library only."""
