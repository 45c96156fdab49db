"""Where the lines of a document are in rows, measured or not."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.widgets.row_map import RowMap

WIDTH = 20
LINES = st.lists(st.sampled_from(["", "# Title", "short", "word " * 30, "- item " + "x" * 90, "```"]), max_size=300)


def seen_rows(document: RenderedDocument) -> list[tuple[int, int]]:
    """Every row of a document, as its line and which of the line's rows it is."""
    return [(at, offset) for at in range(len(document)) for offset in range(document.height(at, WIDTH))]


@given(LINES)
def test_walking_down_shows_every_row_once(lines: list[str]) -> None:
    document = RenderedDocument("\n".join(lines))
    rows = RowMap(document, WIDTH)
    found, row = [], 0
    while row < rows.total:
        found.append(rows.place_of(row))
        row += 1
    assert found == seen_rows(document)


@given(LINES, st.integers(0, 300))
def test_a_line_is_on_the_row_that_is_said(lines: list[str], line: int) -> None:
    document = RenderedDocument("\n".join(lines))
    rows = RowMap(document, WIDTH)
    if rows.has(line):
        rows.measure(0, rows.row_of(line))
        assert rows.place_of(rows.row_of(line)) == (line, 0)
        assert rows.height_of(line) == document.height(line, WIDTH)


@given(LINES, st.integers(1, 40))
def test_a_document_that_grows_ends_as_one_that_was_whole(lines: list[str], step: int) -> None:
    text = "\n".join(lines)
    document = RenderedDocument(text, 1)
    rows = RowMap(document, WIDTH)
    while not document.is_whole:
        document.grow(step)
        rows.grow()
    whole = RowMap(RenderedDocument(text), WIDTH)
    for each in (rows, whole):
        for row in range(0, each.total + 2000, 50):
            each.measure(row, row + 50)
    assert rows.total == whole.total
    assert [rows.place_of(row) for row in range(rows.total)] == [whole.place_of(row) for row in range(whole.total)]


def test_measuring_moves_only_what_is_below() -> None:
    document = RenderedDocument("word " * 30 + "\n" + "\n".join("a b " * 40 for _ in range(500)))
    rows = RowMap(document, WIDTH)
    here = rows.row_of(100)
    rows.measure(here, here + 500)
    assert rows.row_of(100) == here


@pytest.mark.parametrize("text", ["", "---\nlog: 1\n---\n"])
def test_a_document_without_a_row_has_no_place(text: str) -> None:
    rows = RowMap(RenderedDocument(text), WIDTH)
    assert rows.total == 0 and rows.place_of(0) == (-1, 0)
    assert rows.row_of(3) == 0 and rows.beside(0, 1) == 0
