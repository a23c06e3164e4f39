"""A floor to look at: the real service, six simulated table controllers and a House that approves."""
