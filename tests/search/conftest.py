"""The fixtures of a memory to index."""

from __future__ import annotations

from tests.memories import archive, index, store

__all__ = ["archive", "index", "store"]
