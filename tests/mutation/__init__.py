"""`make mutate`: do the tests notice when a rule is wrong?

A mutant is a module of the rules with one small mistake in it: `<` for `<=`, a one too many, a statement left
out. Each of a seeded sample is tried against the tests that reach its line, until one of them fails. A
mutant that all of them let pass survives, and is listed in docs/mutation.md.
"""
