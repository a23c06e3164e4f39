"""The book's schema, release by release."""
