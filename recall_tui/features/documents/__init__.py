"""Documents found by name, listed, read, cited and resumed."""
