"""The floor file: what it may say, and how it meets the book at a start."""
