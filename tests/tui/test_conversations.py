"""A conversation reads the same from its archive and its transcript: a row for each turn, tables as tables."""

from __future__ import annotations

from datetime import UTC, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recall_tui.tui.widgets.markdown_lines import RenderedDocument
from recall_tui.tui.widgets.table_rows import find_table
from recall_tui.tui.widgets.turn_rows import TimeMode

TALK = """# Conversation 014

---

### User

*2026-03-06 09:10 UTC*

Why are people logged out?

---

### Assistant

*2026-03-06 09:12 UTC*

Two tabs race.

---

### User

*2026-03-06 23:40 UTC (rewound)*

Write the table.

---

Not a turn.
"""
TABLE = """| Carrier | Limit |
|:--|--:|
| Post | 50 a second, and no more than ten thousand a day |
| a \\| b | `5` |
"""


def _rows(document: RenderedDocument, width: int = 60) -> list[str]:
    return [row.plain.rstrip() for at in range(len(document)) for row in document.rows(at, width)]


def test_role_and_time_stand_on_one_row_and_the_words_follow() -> None:
    rows = _rows(RenderedDocument(TALK, zone=UTC))
    assert rows[2].split() == ["User", "Fri", "6", "Mar", "2026", "09:10"]
    assert rows[3] == "Why are people logged out?"
    assert rows[5].split() == ["Assistant", "09:12"]
    assert not [row for row in rows if "UTC" in row]
    assert sum(row.startswith("───") for row in rows) == 1, "a rule of the conversation's own stays"


def test_a_pause_a_new_day_and_a_rewound_turn_are_told() -> None:
    rows = _rows(RenderedDocument(TALK, zone=timezone(timedelta(hours=1))))
    assert rows[2].split()[-1] == "10:10", "in the person's time"
    assert rows[8].split() == ["User", "rewound", "+14h28m", "Sat", "7", "Mar", "2026", "00:40"]


@pytest.mark.parametrize(("mode", "last"), [("elapsed", ["Assistant", "+2m"]), ("off", ["Assistant"])])
def test_times_can_be_counted_from_the_start_or_left_out(mode: TimeMode, last: list[str]) -> None:
    document = RenderedDocument(TALK, zone=UTC)
    document.times = mode
    assert _rows(document)[5].split() == last


def test_roles_differ_by_word_and_by_colour() -> None:
    document = RenderedDocument(TALK, zone=UTC)
    user, assistant = (document.rows(at, 60)[0] for at in list(document.turns)[:2])
    assert {str(span.style) for span in user.spans}.isdisjoint(
        {str(span.style) for span in assistant.spans if "bold" in str(span.style)}
    )


def test_a_turn_without_a_time_has_none() -> None:
    assert _rows(RenderedDocument("### User\n\nHello there.\n"))[:2] == ["User", "Hello there."]


def test_a_turn_is_whole_when_the_document_grows_line_by_line() -> None:
    document = RenderedDocument(TALK, 1, UTC)
    while not document.is_whole:
        document.grow(1)
    assert _rows(document) == _rows(RenderedDocument(TALK, zone=UTC))


def test_the_columns_of_a_table_are_aligned_and_long_cells_wrap() -> None:
    rows = _rows(RenderedDocument(TABLE), 40)
    bars = {row.index("│") for row in rows if "│" in row}
    assert len(bars) == 1 and rows[1].index("┼") in bars
    assert len(rows) > 4 and "a | b" in rows[-1]
    assert " ".join(row.partition("│")[2].strip() for row in rows[2:4]).startswith("50 a second, and no more")


def test_lines_with_pipes_that_are_no_table_stay_as_they_are() -> None:
    assert find_table(["| a | b |", "| c | d |"], 0) is None
    assert _rows(RenderedDocument("```\n| a |\n|---|\n```\n"))[0].strip() == "| a |"


@given(st.text(alphabet=st.sampled_from("|-: ab日\\`*\n"), max_size=200), st.integers(10, 80))
def test_every_row_of_any_table_fits(text: str, width: int) -> None:
    document = RenderedDocument(text)
    for at in range(len(document)):
        assert document.height(at, width) == len(document.rows(at, width))
    table = find_table(document.source, 0) if document.source else None
    if table is not None and len(document.source[0].split("|")) < 4:
        assert all(row.cell_length <= width for at in table for row in document.rows(at, width))
