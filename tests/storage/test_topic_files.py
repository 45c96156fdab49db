"""A topic's file name is plain, free, and no fixed document's."""

from __future__ import annotations

from pathlib import Path
from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.errors import UsageError
from recall_tui.storage.documents.topic_files import (
    MAX_NAME_CHARS,
    existing_names,
    find_topic,
    is_topic,
    list_topics,
    topic_name,
)
from recall_tui.storage.layout import make_layout


@pytest.mark.parametrize(
    ("title", "name"),
    [
        ("Debugging", "debugging.md"),
        ("API & Auth (v2)", "api-auth-v2.md"),
        ("Zoë's İstanbul", "zoe-s-istanbul.md"),
        ("Straße", "strasse.md"),
        ("日本語 メモ", "日本語-メモ.md"),
        ("がぎぐ", "がぎぐ.md"),
        ("한국어", "한국어.md"),
        ("Привет, мир", "привет-мир.md"),
        ("`code` **bold**", "code-bold.md"),
        ("", "notes.md"),
        ("🎉🎉", "notes.md"),
        ("../../etc/passwd", "etc-passwd.md"),
        ("C:\\temp", "c-temp.md"),
        (".hidden", "hidden.md"),
        ("MEMORY", "memory-2.md"),
        ("Archive", "archive-2.md"),
        ("ephemeral", "ephemeral-2.md"),
        ("Wisdom!", "wisdom-2.md"),
        ("Master", "master-2.md"),
        ("CON", "con-2.md"),
        ("lpt1", "lpt1-2.md"),
        ("2026-03-06", "notes-2026-03-06.md"),
        ("2026-W10", "notes-2026-w10.md"),
        ("2026-03", "notes-2026-03.md"),
    ],
)
def test_a_title_becomes_a_name(title: str, name: str) -> None:
    assert topic_name(title, ()) == name


def test_a_taken_name_gets_the_next_number() -> None:
    assert topic_name("Ops", {"ops.md"}) == "ops-2.md"
    assert topic_name("Ops", {"ops.md", "ops-2.md"}) == "ops-3.md"
    assert topic_name("Memory", {"memory-2.md"}) == "memory-3.md"


@given(st.text(max_size=200), st.integers(0, 12))
def test_every_title_gives_a_free_plain_name(title: str, others: int) -> None:
    taken: set[str] = set()
    for _ in range(others + 1):
        name = topic_name(title, taken)
        assert name not in taken
        assert is_topic(name)
        assert Path(name).name == name
        assert len(name.removesuffix(".md")) <= MAX_NAME_CHARS
        assert len(name.encode()) <= 255
        assert name == normalize("NFC", name.casefold())
        taken.add(name)


def test_the_topics_are_the_files_that_are_nothing_else(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "entity")
    layout.topics.mkdir()
    for name in ("b.md", "A.md", "MEMORY.md", "ephemeral.md", "2026-03-06.md", "2026-W10.md", "x.txt", ".x.md"):
        (layout.topics / name).write_text("x")
    (layout.topics / "folder.md").mkdir()
    assert [path.name for path in list_topics(layout)] == ["A.md", "b.md"]
    assert {"a.md", "b.md", "folder.md", "memory.md"} <= existing_names(layout)


def test_a_memory_without_a_folder_has_no_topics(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "project")
    assert list_topics(layout) == ()
    assert existing_names(layout) == set()


def test_a_person_may_leave_out_the_ending_the_folder_and_the_case(tmp_path: Path) -> None:
    layout = make_layout(tmp_path, "entity")
    layout.topics.mkdir()
    (layout.topics / "Ops.md").write_text("x")
    for name in ("ops", "OPS.md", "memory/ops.md", "./ops.md"):
        assert find_topic(layout, name) == layout.topics / "Ops.md"
    assert find_topic(layout, "new one") == layout.topics / "new one.md"


@pytest.mark.parametrize(
    "name",
    ["Memory", "archive.md", "", " ", "a/b", "..", "../x", "x\\y", "con.md", "2026-03", "x\ny", "x" * 70, "/etc/x"],
)
def test_a_name_that_cannot_be_is_refused(tmp_path: Path, name: str) -> None:
    with pytest.raises(UsageError, match="cannot be a topic file"):
        find_topic(make_layout(tmp_path, "entity"), name)
