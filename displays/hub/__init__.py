"""The latest reading of each link and the view of each table, in memory, and how replicas tell each other."""
