"""Transcripts of Qwen Code."""
