"""Providers of models: HTTP endpoints and commands."""
