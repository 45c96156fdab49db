"""What the tests of transcripts share."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from recall_tui.domain import Conversation
from recall_tui.transcripts.registry import read_transcript
from tests.transcripts.writing import SESSION, Log

Opened = Callable[[Log], Conversation]


@pytest.fixture
def opened(tmp_path: Path) -> Opened:
    """Write a log as the transcript of its session and read it."""

    def open_(log: Log) -> Conversation:
        found = read_transcript(log.write(tmp_path / "projects" / "p" / f"{SESSION}.jsonl"))
        assert isinstance(found, Conversation), found
        return found

    return open_
