"""Markdown on disk, the source of truth: each module knows one kind of document, and only the journal writes."""
