"""Transcripts of Copilot CLI."""
