"""The fixtures of tests of dreams."""

from __future__ import annotations

from tests.days import store

__all__ = ["store"]
