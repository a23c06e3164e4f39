"""A floor to look at: the real service, nine simulated table controllers, three of them of blackjack, and a
House that approves."""
