"""How commands become durable: the writer of each link, its batches, house time, and acts that reach
several links.

Nothing is acknowledged before it is committed here.
"""
