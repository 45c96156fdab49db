"""Small stores in a memory's state folder, one module per store."""
