"""The fixtures of tests of claims and their sources."""

from __future__ import annotations

from tests.days import store

__all__ = ["store"]
