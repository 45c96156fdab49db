"""Secrets found in text and taken out."""
