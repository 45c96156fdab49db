"""Summaries of sessions, and their synthesis in the master summary."""
