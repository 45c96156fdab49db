"""Sessions of Continue."""
