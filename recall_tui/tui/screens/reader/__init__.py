"""The reader of one document."""
