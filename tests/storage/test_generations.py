"""A memory of every published generation opens: its archives, its rows, its window."""

from __future__ import annotations

from pathlib import Path

import pytest

from recall_tui.domain import ArchiveEntry
from recall_tui.storage.archives import index_file
from recall_tui.storage.archives.file import parse_tags, read_summary
from recall_tui.storage.archives.folder import ArchiveFolder
from recall_tui.storage.documents import window_file
from recall_tui.storage.files.atomic import read_text
from recall_tui.storage.layout import Layout, detect_layout, make_layout
from tests.storage.speaker_turns import parse_turns

TREES = Path(__file__).parent.parent / "fixtures" / "trees"


def opened(tree: str) -> tuple[Layout, ArchiveFolder]:
    root = TREES / tree
    found = detect_layout(root)
    assert found is not None
    layout = make_layout(root, found[0])
    return layout, ArchiveFolder(layout)


def archive(folder: ArchiveFolder, name: str) -> tuple[ArchiveEntry, str]:
    entry = folder.get(name)
    return entry, read_text(entry.path)


@pytest.mark.parametrize(
    ("tree", "layout", "names", "rows", "sessions"),
    [
        ("v0/.claude", "user", ["archive-log-001", "archive-log-002"], 2, []),
        ("v1/.claude", "user", ["archive-log-001", "conversation-001", "conversation-002"], 3, ["55aa", "66bb"]),
        ("v2", "entity", ["conversation-001"], 1, ["7c1e"]),
        ("v3/.claude", "user", ["conversation-001", "conversation-002", "conversation-003"], 2, []),
    ],
)
def test_a_tree_opens(tree: str, layout: str, names: list[str], rows: int, sessions: list[str]) -> None:
    where, folder = opened(tree)
    assert where.name == layout
    assert [entry.name for entry in folder.entries()] == names
    assert all(entry.date is not None for entry in folder.entries())
    assert len(index_file.parse_rows(read_text(where.rows))) == rows
    assert [entry.session_id for entry in window_file.parse_window(read_text(where.window)).entries] == sessions


def test_the_oldest_window_is_a_persons_text() -> None:
    layout, _ = opened("v0/.claude")
    window = window_file.parse_window(read_text(layout.window))
    assert not window.is_entries
    assert window.free_text.startswith("# Last session")


def test_the_oldest_logs_tell_their_summary() -> None:
    _, folder = opened("v0/.claude")
    entry, text = archive(folder, "archive-log-001")
    assert (entry.source, entry.title) == ("session-end", "First look at the almanac reader")
    assert read_summary(text) == "Read the almanac format and sketched a reader."
    tags = parse_tags(text)
    assert (tags.decisions, tags.actions) == (("Rows are fixed width, 72 columns",), ("Write the reader",))
    entry, text = archive(folder, "archive-log-002")
    assert (entry.source, entry.title) == ("precompact", "Almanac reader: leap days")
    assert parse_tags(text).actions == ()


def test_the_first_conversations_tell_who_spoke() -> None:
    _, folder = opened("v1/.claude")
    _, text = archive(folder, "conversation-001")
    assert [(turn.role, turn.text.split("\n")[-1]) for turn in parse_turns(text)] == [
        ("user", "Draw the tide chart"),
        ("assistant", "The chart needs the plot module. We decided to draw it by hand."),
    ]
    tags = parse_tags(text)
    assert (tags.project, tags.tools) == ("harbour", ("Bash", "Read"))
    assert tags.decisions == ("We decided to draw it by hand.",)


@pytest.mark.parametrize(
    ("tree", "name", "said"),
    [
        ("v2", "conversation-001", "Done.\n\nTwo tests failed before and pass now."),
        ("v3/.claude", "conversation-002", "In buoys.csv."),
    ],
)
def test_later_conversations_tell_who_spoke(tree: str, name: str, said: str) -> None:
    _, text = archive(opened(tree)[1], name)
    assert [turn.role for turn in parse_turns(text)] == ["user", "assistant"]
    assert parse_turns(text)[1].text == said
    assert read_summary(text)


def test_decisions_of_tags_and_summary_are_read() -> None:
    tags = parse_tags(archive(opened("v2")[1], "conversation-001")[1])
    assert tags.decisions == ("Keep the table as text", "Name it table.py")
    assert tags.actions == ("Document the columns",)


def test_a_stub_of_a_checkpoint_is_an_archive_without_turns() -> None:
    entry, text = archive(opened("v3/.claude")[1], "conversation-001")
    assert (entry.number, entry.session_id, entry.messages) == (1, "", 0)
    assert parse_turns(text) == []
