"""Ranks of passages, and their reasons."""
