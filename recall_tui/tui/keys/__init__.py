"""Keys, key bindings and the command palette."""
