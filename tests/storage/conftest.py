"""The fixtures of a journal and a folder that it changes."""

from __future__ import annotations

from tests.changes import folder, journal

__all__ = ["folder", "journal"]
