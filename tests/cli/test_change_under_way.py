"""A change that is being made now is no interrupted one, wherever health is asked for."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import Append
from recall_tui.environment import Environment
from recall_tui.storage.files.lock import acquire
from recall_tui.storage.journal.commits import was_interrupted
from recall_tui.storage.journal.record import FileChange, JournalRecord
from recall_tui.workbench import Workbench
from tests.cli.conftest import Recall


@pytest.mark.parametrize("words", [("status",), ("doctor",)])
def test_a_change_that_is_being_made_is_not_called_interrupted(
    recall: Recall, environment: Environment, tmp_path: Path, words: tuple[str, ...]
) -> None:
    root = tmp_path / "agent"
    recall("init", root, "--no-install")
    bench = Workbench.open(root, environment=environment)
    folder = bench.journal.folder
    change = FileChange.of(Append(bench.layout.memory_file, "- a line\n"), folder, "9.0")
    record = JournalRecord(9, "Add a line", bench.journal.now(), "person", (change,), 0, "Add a line")
    (folder / "000009.pending.json").write_bytes(record.to_bytes())
    with acquire(bench.store.state / "lock", "archive"):
        said = recall(*words, "--root", root)
        assert "interrupted" not in said.out + said.err, said
        assert not was_interrupted(bench.journal) and not bench.journal.is_clean()
    assert was_interrupted(bench.journal)
