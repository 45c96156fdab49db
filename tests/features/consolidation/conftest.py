"""The fixtures of tests of compaction."""

from __future__ import annotations

from tests.days import store

__all__ = ["store"]
