"""Curation of MEMORY.md and of what waits for a decision."""
