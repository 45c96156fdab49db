"""MEMORY.md as it is on disk."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import pytest

from recall_tui.environment import Environment
from recall_tui.memory import Memory
from recall_tui.resources import read_template
from recall_tui.storage.documents.memory_file import read_memory
from recall_tui.storage.layout import make_layout
from recall_tui.storage.memory_context import Store


@pytest.fixture
def store(tmp_path: Path, environment: Environment, now: Callable[[], datetime]) -> Store:
    layout = make_layout(tmp_path / "mind", "entity")
    layout.base.mkdir(parents=True)
    return Memory(layout, environment, now)


def test_a_missing_file_is_empty(store: Store) -> None:
    memory = read_memory(store)
    assert memory.is_missing
    assert (memory.text, memory.lines, memory.sections, memory.bytes) == ("", (), (), 0)
    assert memory.budget(store.config).percent == 0


def test_bytes_lines_and_sections_are_those_of_the_disk(store: Store) -> None:
    data = "# Mémoire\r\n\r\n## Ünter\u2028\r\n".encode() + b"\xff\n"
    store.layout.memory_file.write_bytes(data)
    memory = read_memory(store)
    assert not memory.is_missing
    assert memory.bytes == len(data)
    assert len(memory.lines) == 4
    assert [section.title for section in memory.sections] == ["Mémoire", "Ünter"]
    assert memory.text.encode("utf-8", "surrogateescape") == data


def test_the_budget_is_that_of_the_settings(store: Store) -> None:
    store.layout.memory_file.write_text("x\n" * 40)
    store.layout.config.write_text("[memory]\nmax_lines = 50\n")
    budget = read_memory(store).budget(store.config)
    assert (budget.lines, budget.max_lines, budget.percent, budget.level) == (40, 50, 80, "watch")


def test_the_template_is_a_title_and_two_comments() -> None:
    lines = read_template("memory/MEMORY.md").splitlines()
    assert lines[:2] == ["# Memory", ""]
    assert len(lines) == 4
    assert all(line.startswith("<!-- ") and line.endswith(" -->") for line in lines[2:])
