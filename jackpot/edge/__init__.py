"""What the main games cost their players: simple strategies, every deal counted, and rounds settled as at a
table. Counting needs NumPy (the extra `math`), the rest does not."""
