"""Writers of mixed verbs, editors and an app on one memory lose nothing, and leave nothing behind."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.domain import Plan, Replace
from recall_tui.errors import ConflictError
from recall_tui.storage.files.atomic import content_digest
from recall_tui.storage.journal.commits import Journal
from tests.processes import CHECKOUT
from tests.qa.trust.crowding import Crowd, crowded, memory, told
from tests.qa.trust.row_concurrency import SECONDS, WRITERS
from tests.qa.trust.starting import let_go

pytestmark = pytest.mark.long

CHANGES = 60


def whole(crowd: Crowd, writers: int) -> None:
    """Everybody came to work, and nothing was lost."""
    assert len(crowd.writers) == writers, told(crowd)
    assert all(one["verbs"] for one in crowd.writers), told(crowd)
    assert crowd.saved, told(crowd)
    assert crowd.keys, told(crowd)
    assert crowd.is_whole, told(crowd)


def test_some_work_at_once(tmp_path: Path) -> None:
    whole(crowded(memory(tmp_path), 4, 5.0), 4)


def test_an_editor_that_saves_without_rest_loses_no_line(tmp_path: Path, now: Callable[[], datetime]) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("# Memory\n", encoding="utf-8")
    journal = Journal(tmp_path / "state", now)
    words = (sys.executable, "-P", "-m", "tests.qa.trust.crowd_editor", str(tmp_path), "one", "600", "0.005", path.name)
    editor = subprocess.Popen(
        words, env={**os.environ, "PYTHONPATH": str(CHECKOUT)}, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    let_go([editor])
    try:
        assert changes(journal, path)
    finally:
        editor.send_signal(signal.SIGINT)
        out, _ = editor.communicate()
    saved = json.loads(out)["saved"]
    text = path.read_text(encoding="utf-8")
    text += "".join(beside.read_text(encoding="utf-8") for beside in tmp_path.glob("MEMORY.saved-*.md"))
    assert len(saved) > CHANGES // 4, saved
    assert not [word for word in saved if word not in text]


def changes(journal: Journal, path: Path) -> int:
    """Replace the file's first line again and again, whatever is added to it meanwhile; how often it came to pass."""
    made = 0
    for number in range(CHANGES):

        def title(number: int = number) -> Plan:
            text = path.read_bytes().decode()
            lines = text.partition("\n")[2]
            return Plan("title", (Replace(path, content_digest(text), f"# Memory {number}\n{lines}"),))

        with suppress(ConflictError):
            made += journal.commit(title) is not None
    return made


@pytest.mark.soak
def test_many_work_at_once_for_a_minute(tmp_path: Path) -> None:
    crowd = crowded(memory(tmp_path), WRITERS, SECONDS)
    whole(crowd, WRITERS)
    assert crowd.total("kills")
