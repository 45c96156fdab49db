"""Documents and transcripts into passages."""
