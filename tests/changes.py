"""A journal beside a folder of files, and changes of them; fixtures of the tests of the journal."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Edit, Plan, Replace
from recall_tui.storage.files import atomic
from recall_tui.storage.journal.commits import Journal


@pytest.fixture
def journal(tmp_path: Path, now: Callable[[], datetime]) -> Journal:
    """A journal that holds nothing yet."""
    return Journal(tmp_path / "state", now)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """An empty folder."""
    made = tmp_path / "memory"
    made.mkdir()
    return made


def change(journal: Journal, title: str, *edits: Edit) -> int:
    """Make the edits as one change, and say its number."""
    entry = journal.commit(lambda: Plan(title, edits))
    assert entry is not None
    return entry.id


def replaced(path: Path, text: str) -> Replace:
    """The edit that gives the file another text."""
    return Replace(path, atomic.file_digest(path), text)
