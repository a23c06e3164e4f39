"""Sending events to others who listen: where to, how, when again, and what alerts they are told.

What is sent and who may send it is known to the book (`jackpot.book.webhooks`); who may ask for it is said in
`api.operators`.
"""
