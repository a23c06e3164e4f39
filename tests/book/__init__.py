"""The durable book: both stores, replicas, crashes, old books, `verify` and the other commands on a book."""
