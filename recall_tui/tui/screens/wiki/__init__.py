"""The Wiki screen."""
