"""How HTTP is spoken, whoever asks: errors, logs, the listening socket, certificates, limits of connections.

No route and no rule.
"""
