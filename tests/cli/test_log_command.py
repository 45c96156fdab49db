"""`log` from the command line: an entry into the log of today."""

from __future__ import annotations

from typing import Any

import pytest

from recall_tui.environment import Environment
from recall_tui.storage.layout import LAYOUT_NAMES
from tests.makers import bench_at

Recall = Any


def test_entries_go_to_the_end_of_today_and_can_be_taken_back(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment, "hierarchical")
    path = bench.layout.days / "2026-03-06.md"
    said = recall("log", "Moved", "staging to eu-central-1")
    assert said.code == 0 and said.out.startswith("Logged to 2026-03-06: Moved staging")
    first = path.read_text()
    assert first == '---\ntype: "daily"\n---\n\n## 2026-03-06\n\nMoved staging to eu-central-1\n'
    recall("log", "Second entry")
    assert path.read_text() == f"{first}\nSecond entry\n" and path.stat().st_mode & 0o777 == 0o600
    recall("undo")
    assert path.read_text() == first


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_json_says_what_was_written(recall: Recall, environment: Environment, name: str) -> None:
    bench = bench_at(environment, name)
    said = recall(f"--root={bench.store.root}", "log", "Moved staging", "--json").json
    assert (said["date"], said["entry"]) == ("2026-03-06", "Moved staging")
    assert "Moved staging" in (bench.store.root / said["file"]).read_text() and said["change"]["title"]


def test_an_entry_comes_from_a_file_or_from_stdin(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    (environment.cwd / "note.md").write_text("- one\n- two\n")
    assert recall("log", "--file", "note.md").code == 0
    assert recall("log", "--file", "-", stdin="three\n").code == 0
    assert (bench.layout.days / "2026-03-06.md").read_text().endswith("\n\n- one\n- two\n\nthree\n")


def test_nothing_is_no_entry_and_secrets_stay_out(recall: Recall, environment: Environment) -> None:
    bench = bench_at(environment)
    for words in ((), (" ",), ("x", "--file", "y"), ("--file", "gone.md")):
        assert recall("log", *words).code in (1, 2)
    assert not bench.layout.days.exists()
    recall("log", "the key is AKIAIOSFODNN7EXAMPLE")
    assert "AKIA" not in (bench.layout.days / "2026-03-06.md").read_text()
