"""What the book remembers, for whoever asks: pages of the journal, histories, reports, evidence.

Nothing here writes.
"""
