"""What is kept beside the journals: the audit, credentials and sessions, anchors, stopped links, the floor
file as it was last applied.

None of it is needed to work out anybody's money.
"""
