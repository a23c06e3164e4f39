"""Whether the book is what its journal says, and the journal what the rules give; and state made anew where
it is not.

A check repairs nothing by itself.
"""
