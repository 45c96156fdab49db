"""Taking in a memory of layout claude-project, which lies in Claude Code's folder for its project."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from recall_tui.environment import Environment
from tests.makers import bench_at

Recall = Callable[..., Any]


@pytest.mark.parametrize("words", [("--yes",), ("--dry-run",)])
def test_it_says_where_the_memory_goes(
    recall: Recall, environment: Environment, tmp_path: Path, words: tuple[str, ...]
) -> None:
    bench = bench_at(environment, "claude-project")
    root, file, folder = f"--root={bench.store.root}", str(tmp_path / "m.json"), tmp_path / "other"
    recall(root, "log", "moved staging")
    assert recall(root, "export", "--all", "--to", file).code == 0
    said = recall(f"--root={folder}", "import", file, *words)
    there = environment.claude_project(folder)
    assert said.code == 0 and f"Claude Code's folder for the project {folder}: {there};" in said.err
    assert not folder.exists()
    assert (there / "memory" / "sessions").exists() is ("--yes" in words)


def test_a_memory_of_another_layout_goes_where_it_is_told_without_a_word(
    recall: Recall, environment: Environment, tmp_path: Path
) -> None:
    root, file, folder = f"--root={bench_at(environment).store.root}", str(tmp_path / "m.json"), tmp_path / "other"
    recall(root, "export", "--all", "--to", file)
    assert "Claude Code" not in recall(f"--root={folder}", "import", file, "--yes").err
    assert (folder / "memory" / "MEMORY.md").is_file()
