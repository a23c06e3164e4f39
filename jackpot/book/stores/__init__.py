"""Where a book is kept: a port (`base`), what SQLite and PostgreSQL make of it, the schema and its rows.

No rule of the game, and no other room of the book: whoever asks which database it is asks here.
"""
