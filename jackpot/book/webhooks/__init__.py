"""Others who listen: who they are, how far each has come, and what comes next for them.

The journal is the outbox of facts, and `told_alerts` that of alerts. What sends it is in `api.webhooks`.
"""
