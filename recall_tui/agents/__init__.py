"""Coding agents: what is installed into them, and the language their hooks speak."""
