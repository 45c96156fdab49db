"""Embedders: local models, servers and plugins."""
