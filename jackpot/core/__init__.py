"""What everything else is written with: amounts, times, text, canonical bytes, refusals, and the versions
of what releases wrote.

Nothing here knows a card, a table or a link. Whoever needs a new way to count, to encode or to say no adds
it here; whoever needs a rule of the game goes on to another room.
"""
