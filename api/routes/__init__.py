"""Routes translate and nothing more."""
