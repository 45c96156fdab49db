"""Stores in the state folder."""
