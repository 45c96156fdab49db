"""Other tools' logs: read only, streamed, and never stopped by a bad line."""
