"""Runs of Aider."""
