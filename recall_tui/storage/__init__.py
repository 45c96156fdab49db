"""Markdown on disk, the truth. Nouns: each module knows one kind of document; only the journal writes."""
