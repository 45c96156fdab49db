"""References to lines of documents are written and read in one form."""

from __future__ import annotations

import pytest

from recall_tui.domain.documents import DOCUMENT_KINDS, SourceRef, parse_source_ref


@pytest.mark.parametrize(
    ("ref", "text"),
    [
        (SourceRef("memory/2026-03-06.md"), "memory/2026-03-06.md"),
        (SourceRef("memory/2026-03-06.md", 4, 6), "memory/2026-03-06.md:4-6"),
        (SourceRef("memory/2026-03-06.md", 4, 4), "memory/2026-03-06.md:4"),
        (SourceRef("https://example.org:8080/a"), "https://example.org:8080/a"),
    ],
)
def test_a_reference_is_read_as_it_is_written(ref: SourceRef, text: str) -> None:
    assert str(ref) == text
    assert parse_source_ref(f" {text} ") == ref


@pytest.mark.parametrize("text", ["", "a.md", "a.md:", "a.md:x", "a.md:4-", "a.md:0", "a.md:12345678"])
def test_text_without_lines_is_a_whole_document(text: str) -> None:
    assert parse_source_ref(text) == SourceRef(text) and parse_source_ref(text).lines is None


def test_each_kind_of_document_has_one_name() -> None:
    names = [kind.name for kind in DOCUMENT_KINDS]
    assert len(set(names)) == len(names)
