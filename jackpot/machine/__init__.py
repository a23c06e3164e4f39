"""The machine: carries out one command, declares every kind of fact (what it does to the state, how an
auditor computes it again, how it is told), and checks what must always hold.

The only room that knows all rules. It decides nothing itself.
"""
