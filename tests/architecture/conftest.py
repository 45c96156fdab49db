"""A small memory for commands whose imports are counted."""

from __future__ import annotations

from pathlib import Path

import pytest


@pytest.fixture
def memory(tmp_path: Path) -> Path:
    """A curated file, a window and one archive."""
    root = tmp_path / "agent"
    archives = root / "memory" / "conversations"
    archives.mkdir(parents=True)
    (root / "memory" / "MEMORY.md").write_text("# Memory\n\nTokens live in Redis.\n", encoding="utf-8")
    (root / "memory" / "EPHEMERAL.md").write_text("We chose JWT.\n", encoding="utf-8")
    (archives / "conversation-001.md").write_text("# Conversation 001\n\nWe chose JWT.\n", encoding="utf-8")
    return root
