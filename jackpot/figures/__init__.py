"""Figures: what play has come to, counted fact by fact since a link or pit began, as additive integers. What
happened between two entries is the difference of what was counted up to each. Nothing here decides anything
or moves money; a day is two instants to whoever asks.
"""
