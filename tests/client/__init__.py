"""The table controller's client: its spool and its fallback in virtual time, and against a real service."""
