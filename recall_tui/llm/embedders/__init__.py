"""Embedders: local, served and from plugins."""
