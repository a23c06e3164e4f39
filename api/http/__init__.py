"""How HTTP is spoken, whoever asks: errors, logs, connections and their limits, certificates.

No route and no rule.
"""
