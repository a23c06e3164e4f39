"""A floor that keeps two replicas of the service busy: tables, signs and people, all on this machine.

`python -m loadtests run` starts the servers, lets the floor play, and fails if anything was lost, doubled,
refused, stale or slow; `python -m loadtests soak` does it for an hour and looks for what grows.
"""
