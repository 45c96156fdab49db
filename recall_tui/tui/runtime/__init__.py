"""Background work of the app, and repairs of its libraries."""
