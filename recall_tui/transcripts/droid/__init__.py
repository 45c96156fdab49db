"""Transcripts of Droid."""
