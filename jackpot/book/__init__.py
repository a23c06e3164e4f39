"""The book: a durable journal of facts, and the state that it implies, in SQL."""
