"""Line search shows each line once, and marks what is really there."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.errors import UsageError
from recall_tui.search.line_search import find_spans, search_lines
from recall_tui.search.query import Filters
from recall_tui.storage.memory_context import Store

Archive = Callable[..., Path]


def _file(store: Store, number: int, text: str) -> None:
    (store.layout.archives[0].folder / f"conversation-{number:03d}.md").write_text(text, encoding="utf-8", newline="")


def test_overlapping_contexts_are_merged_and_only_hits_are_counted(store: Store) -> None:
    _file(store, 1, "a\nauth 1\nauth 2\nb\n")
    answer = search_lines(store, "auth", 1)
    assert [(row.number, row.text, row.is_hit) for row in answer.files[0].rows] == [
        (1, "a", False),
        (2, "auth 1", True),
        (3, "auth 2", True),
        (4, "b", False),
    ]
    assert answer.matches == 2


def test_files_come_by_number(store: Store) -> None:
    for number in (1000, 101, 9):
        _file(store, number, "jwt\r\n")
    answer = search_lines(store, "JWT")
    assert [file.path.stem for file in answer.files] == ["conversation-009", "conversation-101", "conversation-1000"]
    assert answer.files[0].rows[0].text == "jwt"


@pytest.mark.parametrize(
    ("line", "needle", "marked"),
    [
        ("İİ auth here", "AUTH", ["auth"]),
        ("Straße und STRASSE", "strasse", ["Straße", "STRASSE"]),
        ("273 \u212a and k", "k", ["\u212a", "k"]),
        ("naïve NAÏVE", "naïve", ["naïve", "NAÏVE"]),
        ("日本語のテスト", "本語", ["本語"]),
        ("a.c abc", "a.c", ["a.c"]),
        ("aaaa", "aa", ["aa", "aa"]),
        ("ﬁle", "FI", ["ﬁ"]),
    ],
)
def test_what_is_marked_stands_in_the_line_itself(store: Store, line: str, needle: str, marked: list[str]) -> None:
    _file(store, 1, f"before\n{line}\nafter")
    row = search_lines(store, needle).files[0].rows[0]
    assert [row.text[start:end] for start, end in row.spans] == marked


@pytest.mark.long
@given(st.text("aAßİ\u212ašé日-.\u0301", max_size=12), st.text("aAßİ\u212aé日-.", min_size=1, max_size=3))
def test_spans_are_in_order_inside_the_line_and_hold_the_needle(line: str, needle: str) -> None:
    spans = find_spans(line, needle)
    assert bool(spans) == (needle.casefold() in line.casefold())
    for start, end in spans:
        assert 0 <= start < end <= len(line)
        assert needle.casefold() in line[start:end].casefold()


def test_a_blank_needle_is_a_usage_error(store: Store) -> None:
    for needle in ("", "  "):
        with pytest.raises(UsageError):
            search_lines(store, needle)


def test_filters_narrow_files_and_lines(store: Store, archive: Archive) -> None:
    archive(1, "jwt asked", "jwt answered", project="/home/u/api")
    archive(2, "jwt asked again", date="2026-02-01T00:00:00Z")
    assert len(search_lines(store, "jwt", filters=Filters(project="api")).files) == 1
    (only,) = search_lines(store, "jwt", filters=Filters(kinds=("reply",))).files
    assert [row.text for row in only.rows] == ["jwt answered"]
    assert search_lines(store, "jwt", filters=Filters(session="session-2")).matches == 1


def test_a_memory_without_archives_has_no_matches(store: Store) -> None:
    assert search_lines(store, "jwt").matches == 0
