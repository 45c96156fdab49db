"""The fixtures of the wiki's tests."""

from __future__ import annotations

from tests.features.wiki.rebuild_samples import page
from tests.memories import store

__all__ = ["page", "store"]
