"""Which files of a memory are searched."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import LayoutName
from recall_tui.index.sources.markdown import markdown_sources
from recall_tui.storage.layout import LAYOUT_NAMES, make_layout


def _touch(root: Path, *names: str) -> None:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).write_text("x\n")


def test_each_document_is_named_once_and_as_what_it_is(tmp_path: Path) -> None:
    _touch(
        tmp_path,
        *(f"memory/{name}.md" for name in ("MEMORY", "EPHEMERAL", "ARCHIVE", "WISDOM", "master", "debugging")),
        "memory/conversations/conversation-001.md",
        "memory/conversations/conversation-1000.md",
        "memory/conversations/notes.md",
        "memory/days/2026-03-01.md",
        "memory/weekly/2026-W09.md",
        "memory/monthly/2026-02.md",
        "memory/wiki/auth.md",
        "memory/wiki/.hidden.md",
    )
    found = [
        (one.path.relative_to(tmp_path / "memory").as_posix(), one.kind)
        for one in markdown_sources(make_layout(tmp_path, "entity"))
    ]
    assert found == [
        ("MEMORY.md", "memory"),
        ("EPHEMERAL.md", "window"),
        ("WISDOM.md", "wisdom"),
        ("master.md", "master"),
        ("conversations/conversation-001.md", "conversation"),
        ("conversations/conversation-1000.md", "conversation"),
        ("days/2026-03-01.md", "daily"),
        ("weekly/2026-W09.md", "weekly"),
        ("monthly/2026-02.md", "monthly"),
        ("wiki/auth.md", "wiki"),
        ("debugging.md", "topic"),
    ]


def test_layout_user_reads_archives_of_all_its_places(tmp_path: Path) -> None:
    _touch(
        tmp_path,
        "memories/archive-log-001.md",
        "conversations/conversation-002.md",
        "memory/conversations/conversation-003.md",
    )
    assert len([one for one in markdown_sources(make_layout(tmp_path, "user")) if one.kind == "conversation"]) == 3


def test_layout_project_has_summaries_for_archives(tmp_path: Path) -> None:
    _touch(tmp_path, "_memory/conversations/abc.md", "_memory/topics/auth.md")
    found = {one.path.name: one.kind for one in markdown_sources(make_layout(tmp_path, "project"))}
    assert found == {"abc.md": "summary", "auth.md": "topic"}


@pytest.mark.parametrize("name", LAYOUT_NAMES)
def test_a_memory_without_files_has_no_sources(tmp_path: Path, name: LayoutName) -> None:
    assert list(markdown_sources(make_layout(tmp_path, name))) == []
