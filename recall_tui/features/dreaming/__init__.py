"""Patterns in the memory, proposed as changes of the wiki and of the wisdom."""
