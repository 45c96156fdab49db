"""Sessions of Goose."""
