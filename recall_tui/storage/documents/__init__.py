"""Documents of a memory, one module per kind."""
