"""A memory's documents, one module per kind."""
