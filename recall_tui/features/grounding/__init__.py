"""Support of a derived line by the lines that it cites."""
