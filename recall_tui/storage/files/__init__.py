"""Files: atomic writes, locks, and compare-and-swap replacement."""
