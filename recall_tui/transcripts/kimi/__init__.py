"""Transcripts of Kimi Code."""
