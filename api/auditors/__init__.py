"""What auditors ask: the journal, rounds as evidence, reports, the audit; as JSON or CSV."""
