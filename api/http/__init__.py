"""How HTTP is spoken, whoever asks: errors, logs, the listening socket, connections and their limits, certificates.

No route and no rule.
"""
