"""Sessions of OpenCode, and of Kilo, which is built on it."""
