"""Figures: what play has come to, counted fact by fact since a link or pit began.

Additive integers and nothing else: what happened between two entries is the difference of what was counted up
to each of them. Nothing here decides anything or moves money; days and shifts are instants to whoever asks.
"""
