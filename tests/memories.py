"""A memory to index: archives, curated and derived files, on a machine of its own; fixtures of index and search."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.index.opener import Index, open_index
from recall_tui.memory import Memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store


@pytest.fixture
def store(environment: Environment, now: Callable[[], datetime]) -> Memory:
    """An empty memory in layout entity."""
    root = environment.cwd / "agent"
    (root / "memory" / "conversations").mkdir(parents=True)
    return Memory(make_layout(root, "entity"), environment, now)


@pytest.fixture
def index(environment: Environment) -> Index:
    """The person's index, not made yet."""
    return open_index(environment)


@pytest.fixture
def archive(store: Store) -> Callable[..., Path]:
    """Writes an archive: number, what was said in turn (the person first), and values of its head."""

    def write(number: int, *said: str, **values: str) -> Path:
        head = {"date": "2026-03-01T10:00:00Z", "session_id": f"session-{number}", "source": "session"} | values
        lines = "".join(f'{name}: "{value}"\n' for name, value in head.items())
        turns = "".join(
            f"---\n\n### {'Assistant' if place % 2 else 'User'}\n\n{text}\n\n" for place, text in enumerate(said)
        )
        path = store.root / "memory" / "conversations" / f"conversation-{number:03d}.md"
        path.write_text(f"---\nlog: {number}\n{lines}---\n\n# Conversation {number:03d}\n\n{turns}", encoding="utf-8")
        return path

    return write
