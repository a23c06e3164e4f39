"""A seeded floor of many tables, unkind clocks and networks, late operators and mischief.

The same seed gives the same journal, to the hash. After every step all invariants are checked.
"""
