"""Transcripts of pi."""
