"""Times that a question names."""
