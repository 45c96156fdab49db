"""Coverage proved, purged and redacted."""
