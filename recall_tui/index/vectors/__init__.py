"""Embeddings of passages."""
