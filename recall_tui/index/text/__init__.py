"""Passages as Tantivy holds them."""
